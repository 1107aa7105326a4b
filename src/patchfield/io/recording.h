// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A simulation under way → a recording on disk: out.pfr, or out.html, a page that shows it without anything else.
//
//   Recorder recorder("out.html", data, {.title = "spatula"});
//   while (…) {
//     step(data);
//     recorder.signal("grip force", f);       // as many as you like, any time
//     recorder.after_step(data);              // writes 60 frames per simulated second, whatever the step is
//   }
//   recorder.finish();
//
// Frames go to disk as they come, to PATH.part, which finish() renames to PATH. After a crash PATH.part is there and
// can be read up to its last whole frame. docs/recording.md has the format.

#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "patchfield/sim/results.h"
#include "patchfield/sim/step.h"

namespace patchfield {

struct RecorderOptions {
  std::string title = {};           ///< What was simulated, for people.
  double frames_per_second = 60.0;  ///< Of simulated time, > 0. Steps longer than that are all recorded.
  /// 0 … 9 of zlib. Rounded numbers hardly repeat: 1 saves a seventh of the bytes and doubles the cost
  /// (docs/recording.md).
  int compression = 0;
};

class Recorder {
 public:
  /// Throws InputError if `path` cannot be written, or ends in neither .pfr nor .html.
  Recorder(const std::filesystem::path& path, const Data& data, const RecorderOptions& options = {});
  /// Without finish(), what was recorded stays in PATH.part.
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// A number of the caller's own, for the plots: the value that the next frames have until it changes.
  void signal(std::string_view name, double value);

  /// To be called after every step: writes a frame if it is time for one.
  void after_step(const Data& data);
  /// The same; with error control, steps and rejected steps become signals.
  void after_step(const Data& data, const StepReport& report);

  /// Is it time for a frame of the step just taken?
  bool is_due(const Data& data);
  /// Writes a frame of the step just taken, due or not; `results` are those of collect_results(data).
  void record(const Data& data, const StepResults& results);

  /// Completes the file under its name. Throws std::runtime_error if the disk refuses.
  void finish();

  long num_frames() const;
  std::uint64_t num_bytes() const;  ///< On disk so far.

 private:
  struct File;
  std::unique_ptr<File> file_;
};

/// Can a recording have this name?
bool is_recording_name(const std::filesystem::path& path);

}  // namespace patchfield
