// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The fixed records of a .zip file and of a .npy array, as bytes: everything in them but the data.
//
//   local header, data │ local header, data │ … │ central directory: one entry per member │ end records
//
// A number that does not fit into 32 bits is written as 0xFFFFFFFF there and in full in a ZIP64 field beside it.
// Times are the zip epoch (1980-01-01), so that equal data makes equal bytes.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace patchfield {

struct ZipMember {
  std::string name = {};
  std::uint32_t crc = 0;         ///< Of the plain data.
  std::uint64_t size = 0;        ///< Plain [bytes].
  std::uint64_t compressed = 0;  ///< In the file [bytes].
  std::uint64_t offset = 0;      ///< Of the local header.
};

/// The first number that goes into a ZIP64 field; tests lower it.
inline constexpr std::uint64_t kZip64From = 0xffffffff;

std::string zip_local_header(const ZipMember& member, std::uint64_t zip64_from = kZip64From);
std::string zip_central_entry(const ZipMember& member, std::uint64_t zip64_from = kZip64From);

/// The end of the file: ZIP64 records where needed, then the end record.
std::string zip_end(std::uint64_t members, std::uint64_t directory_offset, std::uint64_t directory_size,
                    std::uint64_t zip64_from = kZip64From);

/// Header of a .npy array, version 1.0. `dtype` as numpy writes it: "<f8".
std::string npy_header(const std::string& dtype, const std::vector<std::int64_t>& shape);

}  // namespace patchfield
