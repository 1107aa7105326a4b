// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A recording, .pfr or .html → its header and its frames. A file that was cut off gives the frames before the cut.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "patchfield/io/recording_frame.h"

namespace patchfield {

class RecordingReader {
 public:
  /// Throws InputError, naming the file, if it is none, of another version, or damaged before its first frame.
  static RecordingReader open(const std::filesystem::path& path);
  /// The bytes of a .pfr file.
  static RecordingReader parse(std::string bytes);

  const std::string& header() const { return header_; }  ///< JSON, as docs/recording.md lists it.
  const std::string& blob() const { return blob_; }      ///< The arrays that the header points into.
  const std::string& bytes() const { return bytes_; }    ///< All of the .pfr file.

  int num_frames() const { return static_cast<int>(frames_.size()); }
  /// Throws InputError if the frame, although its checksum is right, makes no sense.
  RecordedFrame frame(int i) const;
  /// Names of the signals that any frame has; earlier frames may have fewer.
  const std::vector<std::string>& signal_names() const { return signal_names_; }

  /// Did the writer finish? If not, problem() says what is wrong after the last frame.
  bool is_complete() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }

 private:
  struct Place {
    std::size_t at, size;  ///< Of a frame's payload in bytes_.
  };
  void read_header(std::string_view payload);

  std::string bytes_, header_, blob_, problem_;
  int num_moving_ = 0, num_joints_ = 0;
  std::vector<Place> frames_;
  std::vector<std::string> signal_names_;
};

}  // namespace patchfield
