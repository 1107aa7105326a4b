// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/file_bytes.h"

#include <atomic>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include <unistd.h>

#include <fmt/format.h>

#include "patchfield/core/check.h"

namespace patchfield {

std::string read_file_bytes(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    throw InputError(fmt::format("{}: no such file. Check the path.", path.string()));
  if (!std::filesystem::is_regular_file(status))
    throw InputError(fmt::format("{}: is not a file. Give the path of a file.", path.string()));
  std::ifstream file(path, std::ios::binary);
  std::string bytes(static_cast<std::size_t>(std::filesystem::file_size(path)), '\0');
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())) && !bytes.empty())
    throw InputError(fmt::format("{}: cannot be read. Check its permissions.", path.string()));
  return bytes;
}

void write_file_bytes(const std::filesystem::path& path, std::string_view bytes) {
  // Several threads and processes may write the same file: each has a name of its own until the rename.
  static std::atomic<int> serial = 0;
  const std::filesystem::path temporary = fmt::format("{}.{}.{}.tmp", path.string(), getpid(), ++serial);
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  const bool opened = file.is_open();
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(temporary, path, error);
  if (!file || error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    if (opened && !file) throw std::runtime_error(fmt::format("{}: the disk is full or fails", path.string()));
    throw InputError(
        fmt::format("{}: cannot be written. Does its folder exist, and may you write to it?", path.string()));
  }
}

}  // namespace patchfield
