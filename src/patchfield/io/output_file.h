// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What writers of files share: a name that can be written, bytes that all reach the disk, or a sentence.

#pragma once

#include <filesystem>
#include <string_view>

namespace patchfield {

/// Where the file will be: links followed, so that a rename replaces what they point to and not the link. Throws
/// InputError if nothing can be written there. `example`: a name that would do, for the sentence.
std::filesystem::path checked_output_path(const std::filesystem::path& path, std::string_view example);

/// Throws std::runtime_error with errno's text. `doing`: "writing".
[[noreturn]] void fail_disk(const std::filesystem::path& path, const char* doing);

/// Writes all bytes to the open file; `path` is for the sentence.
void write_all(int file, std::string_view bytes, const std::filesystem::path& path);

}  // namespace patchfield
