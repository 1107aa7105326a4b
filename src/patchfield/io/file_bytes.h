// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Whole files in and out.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace patchfield {

/// Throws InputError if there is no such file or it cannot be read.
std::string read_file_bytes(const std::filesystem::path& path);

/// Writes beside `path` and renames: the file appears whole or not at all. Throws InputError if it cannot.
void write_file_bytes(const std::filesystem::path& path, std::string_view bytes);

}  // namespace patchfield
