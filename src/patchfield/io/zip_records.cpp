// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/zip_records.h"

#include <algorithm>

#include <fmt/format.h>

#include "patchfield/core/check.h"

namespace patchfield {
namespace {

constexpr std::uint32_t kElsewhere32 = 0xffffffff;  // "see the ZIP64 field"
constexpr std::uint16_t kElsewhere16 = 0xffff;
constexpr std::uint16_t kVersionPlain = 20, kVersionZip64 = 45;
constexpr std::uint16_t kMadeOnUnix = 3 << 8;
constexpr std::uint16_t kUtf8Names = 1 << 11;
constexpr std::uint16_t kDeflate = 8;
constexpr std::uint16_t kEpochTime = 0, kEpochDate = (0 << 9) | (1 << 5) | 1;
constexpr std::uint32_t kPlainFile = 0100644u << 16;

/// Little-endian numbers, one after the other.
class Bytes {
 public:
  Bytes& u16(std::uint64_t x) { return put(x, 2); }
  Bytes& u32(std::uint64_t x) { return put(x, 4); }
  Bytes& u64(std::uint64_t x) { return put(x, 8); }
  Bytes& text(const std::string& s) {
    bytes_ += s;
    return *this;
  }
  const std::string& str() const { return bytes_; }

 private:
  Bytes& put(std::uint64_t x, int n) {
    for (int i = 0; i < n; ++i) bytes_ += static_cast<char>(x >> (8 * i) & 0xff);
    return *this;
  }
  std::string bytes_;
};

std::string zip64_field(const std::string& numbers) {
  if (numbers.empty()) return {};
  return Bytes().u16(0x0001).u16(numbers.size()).text(numbers).str();
}

}  // namespace

std::string zip_local_header(const ZipMember& member, std::uint64_t zip64_from) {
  // The standard wants both sizes in the field of a local header if either needs it.
  const bool wide = std::max(member.size, member.compressed) >= zip64_from;
  const std::string extra = wide ? zip64_field(Bytes().u64(member.size).u64(member.compressed).str()) : "";
  Bytes header;
  header.u32(0x04034b50).u16(wide ? kVersionZip64 : kVersionPlain).u16(kUtf8Names).u16(kDeflate);
  header.u16(kEpochTime).u16(kEpochDate).u32(member.crc);
  header.u32(wide ? kElsewhere32 : member.compressed).u32(wide ? kElsewhere32 : member.size);
  header.u16(member.name.size()).u16(extra.size()).text(member.name).text(extra);
  return header.str();
}

std::string zip_central_entry(const ZipMember& member, std::uint64_t zip64_from) {
  // Here the field holds just the numbers that did not fit, in this order.
  Bytes numbers;
  const auto narrow = [&](std::uint64_t x) -> std::uint64_t {
    if (x < zip64_from) return x;
    numbers.u64(x);
    return kElsewhere32;
  };
  const std::uint64_t size = narrow(member.size), compressed = narrow(member.compressed);
  const std::uint64_t offset = narrow(member.offset);
  const std::string extra = zip64_field(numbers.str());
  Bytes entry;
  entry.u32(0x02014b50).u16(kMadeOnUnix | kVersionZip64).u16(extra.empty() ? kVersionPlain : kVersionZip64);
  entry.u16(kUtf8Names).u16(kDeflate).u16(kEpochTime).u16(kEpochDate).u32(member.crc).u32(compressed).u32(size);
  entry.u16(member.name.size()).u16(extra.size()).u16(0).u16(0).u16(0).u32(kPlainFile).u32(offset);
  entry.text(member.name).text(extra);
  return entry.str();
}

std::string zip_end(std::uint64_t members, std::uint64_t directory_offset, std::uint64_t directory_size,
                    std::uint64_t zip64_from) {
  const bool many = members >= std::min<std::uint64_t>(zip64_from, kElsewhere16);
  const bool wide = many || std::max(directory_offset, directory_size) >= zip64_from;
  Bytes end;
  if (wide) {
    constexpr std::uint64_t kRestOfRecord = 44;
    end.u32(0x06064b50).u64(kRestOfRecord).u16(kMadeOnUnix | kVersionZip64).u16(kVersionZip64).u32(0).u32(0);
    end.u64(members).u64(members).u64(directory_size).u64(directory_offset);
    // The locator: where the record above begins, and that there is one disk.
    end.u32(0x07064b50).u32(0).u64(directory_offset + directory_size).u32(1);
  }
  end.u32(0x06054b50).u16(0).u16(0).u16(many ? kElsewhere16 : members).u16(many ? kElsewhere16 : members);
  end.u32(directory_size >= zip64_from ? kElsewhere32 : directory_size);
  end.u32(directory_offset >= zip64_from ? kElsewhere32 : directory_offset).u16(0);
  return end.str();
}

std::string npy_header(const std::string& dtype, const std::vector<std::int64_t>& shape) {
  std::string lengths;
  for (const std::int64_t n : shape) lengths += fmt::format("{}, ", n);
  if (shape.size() > 1) lengths.resize(lengths.size() - 2);
  if (shape.size() == 1) lengths.resize(lengths.size() - 1);  // "(3,)": a tuple of one
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", dtype, lengths);
  // Magic, version and length take 10 bytes; all of it is padded to a multiple of 64 and ends with a new line.
  constexpr std::size_t kPrefix = 10, kAlign = 64;
  const std::size_t total = (kPrefix + text.size() + 1 + kAlign - 1) / kAlign * kAlign;
  text.append(total - kPrefix - text.size() - 1, ' ').append("\n");
  PATCHFIELD_ASSERT(text.size() < kElsewhere16);
  return Bytes().text("\x93NUMPY").u16(0x0001).u16(text.size()).text(text).str();
}

}  // namespace patchfield
