// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/output_file.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include <unistd.h>

#include <fmt/format.h>

#include "patchfield/core/check.h"

namespace patchfield {

namespace fs = std::filesystem;

fs::path checked_output_path(const fs::path& path, std::string_view example) {
  if (path.empty()) throw InputError(fmt::format("the output has an empty file name: give one such as {}", example));
  std::error_code error;
  const fs::path target = fs::weakly_canonical(fs::absolute(path), error);
  if (error) throw InputError(fmt::format("cannot write {}: {}", path.string(), error.message()));
  const fs::file_status status = fs::status(target, error);
  if (fs::is_directory(status))
    throw InputError(fmt::format("cannot write {}: it is a folder. Give a file in it", path.string()));
  // A rename would replace a device or a pipe by a plain file.
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw InputError(fmt::format("cannot write {}: it is not a plain file", path.string()));
  const fs::path folder = target.parent_path();
  if (!fs::is_directory(folder, error))
    throw InputError(
        fmt::format("cannot write {}: there is no folder {}. Make it first", path.string(), folder.string()));
  return target;
}

void fail_disk(const fs::path& path, const char* doing) {
  throw std::runtime_error(
      fmt::format("{} {} failed: {}. Free some space or write elsewhere", doing, path.string(), std::strerror(errno)));
}

void write_all(int file, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(file, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail_disk(path, "writing");
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

}  // namespace patchfield
