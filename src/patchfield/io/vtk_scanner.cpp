// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/vtk_scanner.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstring>

namespace patchfield {
namespace {

struct NamedType {
  std::string_view name;
  VtkType type;
};

// vtkIdType is 32 bits in legacy files whatever it was in the program.
constexpr NamedType kTypes[] = {{"double", VtkType::kDouble},
                                {"float", VtkType::kFloat},
                                {"int", VtkType::kInt32},
                                {"unsigned_int", VtkType::kUint32},
                                {"long", VtkType::kInt64},
                                {"unsigned_long", VtkType::kUint64},
                                {"short", VtkType::kInt16},
                                {"unsigned_short", VtkType::kUint16},
                                {"char", VtkType::kInt8},
                                {"signed_char", VtkType::kInt8},
                                {"unsigned_char", VtkType::kUint8},
                                {"vtkidtype", VtkType::kInt32},
                                {"vtktypeint8", VtkType::kInt8},
                                {"vtktypeuint8", VtkType::kUint8},
                                {"vtktypeint16", VtkType::kInt16},
                                {"vtktypeuint16", VtkType::kUint16},
                                {"vtktypeint32", VtkType::kInt32},
                                {"vtktypeuint32", VtkType::kUint32},
                                {"vtktypeint64", VtkType::kInt64},
                                {"vtktypeuint64", VtkType::kUint64},
                                {"vtktypefloat32", VtkType::kFloat},
                                {"vtktypefloat64", VtkType::kDouble}};

std::size_t size_of(VtkType type) {
  switch (type) {
    case VtkType::kInt8:
    case VtkType::kUint8: return 1;
    case VtkType::kInt16:
    case VtkType::kUint16: return 2;
    case VtkType::kInt32:
    case VtkType::kUint32:
    case VtkType::kFloat: return 4;
    default: return 8;
  }
}

template <class T>
double from_big_endian(const char* at) {
  char bytes[sizeof(T)];
  std::reverse_copy(at, at + sizeof(T), bytes);
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<double>(value);
}

double number_at(const char* at, VtkType type) {
  static_assert(std::endian::native == std::endian::little);
  switch (type) {
    case VtkType::kInt8: return from_big_endian<std::int8_t>(at);
    case VtkType::kUint8: return from_big_endian<std::uint8_t>(at);
    case VtkType::kInt16: return from_big_endian<std::int16_t>(at);
    case VtkType::kUint16: return from_big_endian<std::uint16_t>(at);
    case VtkType::kInt32: return from_big_endian<std::int32_t>(at);
    case VtkType::kUint32: return from_big_endian<std::uint32_t>(at);
    case VtkType::kInt64: return from_big_endian<std::int64_t>(at);
    case VtkType::kUint64: return from_big_endian<std::uint64_t>(at);
    case VtkType::kFloat: return from_big_endian<float>(at);
    case VtkType::kDouble: return from_big_endian<double>(at);
  }
  return 0.0;
}

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

void VtkScanner::read_header() {
  const std::string_view magic = take_line();
  if (!magic.starts_with("# vtk DataFile Version"))
    throw InputError(
        fmt::format("{}:1: begins with \"{}\" instead of \"# vtk DataFile Version 3.0\". Only legacy VTK "
                    "files are read; save as legacy .vtk.",
                    name_, shown(magic)));
  take_line();  // any title
  const std::string format = keyword();
  if (format != "ASCII" && format != "BINARY") fail("\"{}\" where ASCII or BINARY should be.", shown(format));
  binary_ = format == "BINARY";
}

std::string_view VtkScanner::take_line() {
  const std::size_t end = rest_.find('\n');
  std::string_view line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  ++line_;
  return line;
}

void VtkScanner::skip_space() {
  std::size_t i = 0;
  for (; i < rest_.size() && is_space(rest_[i]); ++i) line_ += rest_[i] == '\n';
  rest_.remove_prefix(i);
}

std::string_view VtkScanner::peek() {
  skip_space();
  return rest_.substr(0, static_cast<std::size_t>(std::find_if(rest_.begin(), rest_.end(), is_space) - rest_.begin()));
}

std::string VtkScanner::keyword() {
  const std::string_view found = peek();
  std::string text(found);
  rest_.remove_prefix(found.size());
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string VtkScanner::word() {
  const std::string_view found = peek();
  if (found.empty()) fail("the file ends here, within a section. Is it cut off?");
  std::string text(found);
  rest_.remove_prefix(found.size());
  return text;
}

std::size_t VtkScanner::count() {
  const std::string text = word();
  const auto value = to_number<std::uint64_t>(text);
  if (!value) fail("\"{}\" where a count should be.", shown(text));
  return *value;
}

VtkType VtkScanner::type() {
  std::string text = word();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const NamedType& known : kTypes)
    if (text == known.name) return known.type;
  fail("\"{}\" is no type of numbers that is read here. Save as double.", shown(text));
}

bool VtkScanner::next_is(std::string_view keyword) const {
  // Nothing is taken: what follows may be the bytes of a binary file, of which some look like space.
  const auto word = std::find_if_not(rest_.begin(), rest_.end(), is_space);
  return rest_.substr(static_cast<std::size_t>(word - rest_.begin())).starts_with(keyword);
}

bool VtkScanner::is_number_next() {
  // Only on the same line: in a binary file, numbers of other kinds begin on the next.
  std::string_view line = rest_.substr(0, rest_.find('\n'));
  return to_number<std::uint64_t>(next_word(line)).has_value();
}

std::size_t VtkScanner::product(std::size_t n, std::size_t m) const {
  constexpr std::size_t kMost = std::size_t{1} << 40;
  if (n > kMost || m > kMost || (m > 0 && n > kMost / m)) fail("{} rows of {} numbers are beyond any file.", n, m);
  return n * m;
}

std::vector<double> VtkScanner::numbers(VtkType type, std::size_t n, std::vector<int>* lines) {
  if (binary_) return binary_numbers(type, n);
  // A number and the space after it are two bytes at least.
  if (n > (rest_.size() + 1) / 2)
    fail("{} numbers are announced, but only {} bytes follow. Is the file cut off?", n, rest_.size());
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string_view text = peek();
    const auto value = to_number<double>(text);
    if (!value) fail("\"{}\" where number {} of {} should be.", shown(text), i + 1, n);
    values.push_back(*value);
    if (lines != nullptr) lines->push_back(line_);
    rest_.remove_prefix(text.size());
  }
  return values;
}

std::vector<double> VtkScanner::binary_numbers(VtkType type, std::size_t n) {
  take_line();  // the rest of the line before the bytes
  const std::size_t size = size_of(type);
  if (n > rest_.size() / size)
    fail("{} numbers of {} bytes are announced, but only {} bytes follow. Is the file cut off?", n, size, rest_.size());
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = number_at(rest_.data() + i * size, type);
  rest_.remove_prefix(n * size);
  return values;
}

void VtkScanner::skip_metadata() {
  take_line();
  while (!rest_.empty() && !take_line().empty()) {
  }
}

}  // namespace patchfield
