// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "io/npz_reader.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

#include <zlib.h>

#include <fmt/format.h>

namespace patchfield::testing {
namespace {

void require(bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error("bad npz: " + what);
}

std::uint64_t number(const std::string& bytes, std::uint64_t at, int n) {
  require(at + static_cast<std::uint64_t>(n) <= bytes.size(), "ends too early");
  std::uint64_t x = 0;
  for (int i = n - 1; i >= 0; --i) x = x << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::uint64_t>(i)]);
  return x;
}

struct Member {
  std::string name;
  std::uint64_t crc, compressed, size, offset;
  bool zip64 = false;
};

/// Replaces each number that says "elsewhere" by the next one of the ZIP64 field.
void apply_zip64(const std::string& file, std::uint64_t at, std::uint64_t length,
                 const std::vector<std::uint64_t*>& numbers, Member& member) {
  std::vector<std::uint64_t*> wanted;
  for (std::uint64_t* x : numbers)
    if (*x == 0xffffffff) wanted.push_back(x);
  member.zip64 = !wanted.empty();
  require(length == (wanted.empty() ? 0 : 4 + 8 * wanted.size()), member.name + ": extra field of unexpected length");
  if (wanted.empty()) return;
  require(number(file, at, 2) == 1 && number(file, at + 2, 2) == 8 * wanted.size(), member.name + ": no ZIP64 field");
  for (std::size_t i = 0; i < wanted.size(); ++i) *wanted[i] = number(file, at + 4 + 8 * i, 8);
}

/// One entry of the central directory; `at` moves behind it.
Member read_entry(const std::string& file, std::uint64_t& at) {
  require(number(file, at, 4) == 0x02014b50, "no directory entry where one should be");
  require(number(file, at + 10, 2) == 8, "a member is not deflated");
  Member m;
  m.crc = number(file, at + 16, 4);
  m.compressed = number(file, at + 20, 4), m.size = number(file, at + 24, 4), m.offset = number(file, at + 42, 4);
  const std::uint64_t name = number(file, at + 28, 2), extra = number(file, at + 30, 2);
  m.name = file.substr(at + 46, name);
  apply_zip64(file, at + 46 + name, extra, {&m.size, &m.compressed, &m.offset}, m);
  require(number(file, at + 6, 2) == (m.zip64 ? 45 : 20), m.name + ": version needed");
  at += 46 + name + extra + number(file, at + 32, 2);
  return m;
}

std::vector<Member> read_directory(const std::string& file, NpzFile& npz) {
  require(file.size() >= 22, "too short");
  const std::uint64_t end = file.size() - 22;
  require(number(file, end, 4) == 0x06054b50, "no end record");
  std::uint64_t count = number(file, end + 10, 2), size = number(file, end + 12, 4), start = number(file, end + 16, 4);
  std::uint64_t directory_end = end;
  if (count == 0xffff || size == 0xffffffff || start == 0xffffffff) {
    npz.zip64_end = true;
    require(number(file, end - 20, 4) == 0x07064b50, "no ZIP64 locator");
    const std::uint64_t record = number(file, end - 12, 8);
    require(number(file, record, 4) == 0x06064b50 && number(file, record + 4, 8) == 44, "no ZIP64 end record");
    count = number(file, record + 32, 8), size = number(file, record + 40, 8), start = number(file, record + 48, 8);
    directory_end = record;
  }
  require(start + size == directory_end, "the directory does not end where the end record begins");
  std::vector<Member> members;
  std::uint64_t at = start;
  for (std::uint64_t i = 0; i < count; ++i) members.push_back(read_entry(file, at));
  require(at == directory_end, "the directory has another length");
  return members;
}

std::string inflate_raw(const std::string& file, std::uint64_t at, const Member& m) {
  std::string plain(m.size, '\0');
  z_stream z = {};
  require(inflateInit2(&z, -15) == Z_OK, "zlib");
  z.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(file.data())) + at;
  z.avail_in = static_cast<uInt>(m.compressed);
  z.next_out = reinterpret_cast<unsigned char*>(plain.data()), z.avail_out = static_cast<uInt>(plain.size());
  const int status = inflate(&z, Z_FINISH);
  const bool all = z.avail_in == 0 && z.avail_out == 0;
  inflateEnd(&z);
  require(status == Z_STREAM_END && all, m.name + ": not one deflate stream of the stated sizes");
  const auto crc = crc32(0, reinterpret_cast<const unsigned char*>(plain.data()), static_cast<uInt>(plain.size()));
  require(crc == m.crc, m.name + ": CRC");
  return plain;
}

std::string read_member(const std::string& file, const Member& m, std::uint64_t& behind) {
  require(number(file, m.offset, 4) == 0x04034b50, m.name + ": no local header");
  Member local = m;
  local.compressed = number(file, m.offset + 18, 4), local.size = number(file, m.offset + 22, 4);
  const std::uint64_t name = number(file, m.offset + 26, 2), extra = number(file, m.offset + 28, 2);
  apply_zip64(file, m.offset + 30 + name, extra, {&local.size, &local.compressed}, local);
  require(local.compressed == m.compressed && local.size == m.size && number(file, m.offset + 14, 4) == m.crc &&
              file.substr(m.offset + 30, name) == m.name,
          m.name + ": local header and directory disagree");
  const std::uint64_t data = m.offset + 30 + name + extra;
  behind = data + m.compressed;
  require(behind <= file.size(), m.name + ": beyond the end");
  return inflate_raw(file, data, m);
}

NpyArray parse_npy(const std::string& npy, const std::string& name) {
  require(npy.substr(0, 8) == std::string("\x93NUMPY\x01\x00", 8), name + ": magic");
  const std::uint64_t length = number(npy, 8, 2);
  require((10 + length) % 64 == 0 && npy.at(9 + length) == '\n', name + ": header is not padded");
  static const std::regex kHeader(R"(\{'descr': '([<|]\w+)', 'fortran_order': False, 'shape': \(([\d, ]*)\), \} *\n)");
  std::smatch match;
  const std::string header = npy.substr(10, length);
  require(std::regex_match(header, match, kHeader), name + ": header " + header);
  NpyArray array{match[1], {}, npy.substr(10 + length)};
  const std::string shape = match[2];
  static const std::regex kNumber(R"(\d+)");
  for (std::sregex_iterator i(shape.begin(), shape.end(), kNumber), end; i != end; ++i)
    array.shape.push_back(std::stoll(i->str()));
  // Python reads (3) as a number; a tuple of one needs its comma.
  require(array.shape.size() != 1 || shape.back() == ',', name + ": shape (" + shape + ")");
  std::uint64_t items = 1;
  for (const std::int64_t n : array.shape) items *= static_cast<std::uint64_t>(n);
  const char kind = array.dtype[1];
  const std::uint64_t width = std::stoull(array.dtype.substr(2)) * (kind == 'U' ? 4 : 1);
  require(array.bytes.size() == items * width, name + ": shape and data disagree");
  return array;
}

}  // namespace

NpzFile read_npz(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  require(stream.good(), "cannot open " + path.string());
  std::stringstream buffer;
  buffer << stream.rdbuf();
  const std::string file = buffer.str();
  NpzFile npz;
  std::uint64_t expected = 0;
  for (const Member& m : read_directory(file, npz)) {
    require(m.offset == expected, m.name + ": gap or overlap before it");
    require(m.name.ends_with(".npy"), m.name + ": name");
    const std::string name = m.name.substr(0, m.name.size() - 4);
    require(npz.arrays.emplace(name, parse_npy(read_member(file, m, expected), m.name)).second, name + " twice");
    npz.zip64_members += m.zip64;
  }
  return npz;
}

}  // namespace patchfield::testing
