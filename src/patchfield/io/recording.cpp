// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/recording.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "patchfield/core/check.h"
#include "patchfield/io/background.h"
#include "patchfield/io/output_file.h"
#include "patchfield/io/recording_bytes.h"
#include "patchfield/io/recording_frame.h"
#include "patchfield/io/recording_model.h"
#include "patchfield/io/viewer_page.h"

namespace patchfield {
namespace {

namespace fs = std::filesystem;

bool is_page_name(const fs::path& path) { return path.extension() == ".html" || path.extension() == ".htm"; }

/// Is this the file that the name leads to? Another recording may have renamed it meanwhile.
bool is_still_named(int file, const fs::path& path) {
  struct stat here = {}, there = {};
  return ::fstat(file, &here) == 0 && ::stat(path.c_str(), &there) == 0 && here.st_ino == there.st_ino &&
         here.st_dev == there.st_dev;
}

/// Opens an empty file that no other recording, of this process or another, writes to.
int open_alone(const fs::path& path) {
  for (;;) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) throw InputError(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
    const bool taken = ::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    const bool named = is_still_named(file, path);
    if (!taken && named && ::ftruncate(file, 0) == 0) return file;
    const int error = errno;
    ::close(file);
    if (taken)
      throw InputError(
          fmt::format("cannot write {}: another recording is being written to it. Give each its own file, or finish "
                      "the other one first",
                      path.string()));
    if (named) throw InputError(fmt::format("cannot write {}: {}", path.string(), std::strerror(error)));
  }
}

/// Times are sums of steps, which rounding may leave just short of a frame.
constexpr double kTimeSlack = 1e-9;

}  // namespace

bool is_recording_name(const fs::path& path) { return path.extension() == ".pfr" || is_page_name(path); }

struct Recorder::File {
  File(const fs::path& path_, const Data& data, const RecorderOptions& options_);
  ~File() {
    try {
      background.drain();
    } catch (...) {  // of a file that nobody finished
    }
    if (file >= 0) ::close(file);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void append(std::string_view more);
  void append_signal_names(const std::vector<std::string>& signal_list);
  void finish();
  fs::path part() const { return path.string() + ".part"; }

  fs::path path;
  RecorderOptions options;
  bool is_page;
  int file = -1;
  FrameEncoder encoder;
  StepResults results;
  double first;                                            ///< Time of frame 0 [s].
  double start;                                            ///< The same by the clock of the present episode.
  double next_frame = 0.0;                                 ///< Number of the frame that is due next.
  double last = -std::numeric_limits<double>::infinity();  ///< Of the last step seen, its beginning [s].
  long frames = 0;
  std::atomic<std::uint64_t> bytes = 0;
  std::string carry;  ///< Up to two bytes that wait for a third: base64 takes three at a time.
  std::vector<std::string> signal_names;
  std::vector<double> signals;
  bool names_are_new = false;
  BlockPacker packer{std::clamp(options.compression, 0, 9)};
  Background background;  ///< Packs and writes.
};

Recorder::File::File(const fs::path& path_, const Data& data, const RecorderOptions& options_)
    : path(checked_output_path(path_, "out.html")), options(options_), is_page(is_page_name(path_)), encoder(data.m()),
      first(data.d()->time), start(first) {
  if (!is_recording_name(path_))
    throw InputError(
        fmt::format("{}: a recording ends in .pfr, or in .html for a page that shows itself", path_.string()));
  if (!(options.frames_per_second > 0.0 && std::isfinite(options.frames_per_second)))
    throw InputError(
        fmt::format("{} frames per second: give a number above 0; 60 is usual", options.frames_per_second));
  const std::string_view page = is_page ? require_viewer_page() : std::string_view();
  const std::string head = make_chunk("HEAD", encode_model(data, options.title, options.frames_per_second));
  file = open_alone(part());
  if (is_page) {
    write_all(file, page, path);
    write_all(file, kEmbeddedBegin, path);
    bytes = page.size() + kEmbeddedBegin.size();
  }
  append(recording_prefix() + head);
}

void Recorder::File::append(std::string_view more) {
  if (!is_page) {
    write_all(file, more, path);
    bytes += more.size();
    return;
  }
  carry += more;
  const std::size_t whole = carry.size() / 3 * 3;
  const std::string text = to_base64(std::string_view(carry).substr(0, whole));
  carry.erase(0, whole);
  write_all(file, text, path);
  bytes += text.size();
}

void Recorder::File::append_signal_names(const std::vector<std::string>& signal_list) {
  const nlohmann::json names = signal_list;
  std::string payload;
  packer.put(names.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), payload);
  append(make_chunk("SIGN", payload));
}

void Recorder::File::finish() {
  background.drain();
  append(make_chunk("DONE", {}));
  if (is_page) {
    const std::string tail = to_base64(carry) + std::string(kEmbeddedEnd);
    write_all(file, tail, path);
    bytes += tail.size();
  }
  if (::fsync(file) != 0) fail_disk(part(), "writing");
  ::close(file);
  file = -1;
  if (std::rename(part().c_str(), path.c_str()) != 0) fail_disk(path, "renaming to");
}

Recorder::Recorder(const fs::path& path, const Data& data, const RecorderOptions& options)
    : file_(std::make_unique<File>(path, data, options)) {}

Recorder::~Recorder() = default;

void Recorder::signal(std::string_view name, double value) {
  std::vector<std::string>& names = file_->signal_names;
  const auto known = std::find(names.begin(), names.end(), name);
  const auto index = static_cast<std::size_t>(known - names.begin());
  if (known == names.end()) {
    names.emplace_back(name);
    file_->signals.push_back(std::numeric_limits<double>::quiet_NaN());
    file_->names_are_new = true;
  }
  file_->signals[index] = value;
}

bool Recorder::is_due(const Data& data) {
  const double begin = data.d()->time - data.dt;  // of the step just taken
  // After a reset the clock goes on from the last frame: an episode follows the other.
  if (begin < file_->last - kTimeSlack) file_->start = begin - file_->next_frame / file_->options.frames_per_second;
  file_->last = begin;
  return (begin - file_->start) * file_->options.frames_per_second >= file_->next_frame - kTimeSlack;
}

void Recorder::after_step(const Data& data, const StepReport& report) {
  if (data.options.accuracy > 0.0) {
    signal("steps", report.steps);
    signal("rejected steps", report.rejected_steps);
  }
  after_step(data);
}

void Recorder::after_step(const Data& data) {
  if (!is_due(data)) return;
  collect_results(data, file_->results);
  record(data, file_->results);
}

void Recorder::record(const Data& data, const StepResults& results) {
  File& f = *file_;
  PATCHFIELD_ASSERT(f.file >= 0);
  // Here and now only what needs the data; packing takes twice as long and needs nothing.
  const auto names = f.names_are_new ? f.signal_names : std::vector<std::string>();
  f.names_are_new = false;
  const double begin = data.d()->time - data.dt;
  RawFrame encoded = f.encoder.encode(data, results, f.signals, begin + (f.first - f.start));
  const std::size_t held = encoded.state.size() + encoded.fields.size();
  f.background.run(held, [&f, names, frame = std::move(encoded)] {
    if (!names.empty()) f.append_signal_names(names);
    f.append(make_chunk("FRAM", pack_frame(frame, f.packer)));
  });
  ++f.frames;
  const double at = (begin - f.start) * f.options.frames_per_second;
  f.next_frame = std::floor(at + kTimeSlack) + 1.0;
}

void Recorder::finish() { file_->finish(); }

long Recorder::num_frames() const { return file_->frames; }
std::uint64_t Recorder::num_bytes() const { return file_->bytes; }

}  // namespace patchfield
