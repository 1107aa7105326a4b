// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Words and lines of a text in memory, with their numbers, for messages such as "cup.obj:12: …".

#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace patchfield {

/// The next word of `text`, which it loses; empty at the end.
inline std::string_view next_word(std::string_view& text) {
  constexpr std::string_view kSpace = " \t\r\f\v";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return text = {};
  text.remove_prefix(begin);
  const std::string_view word = text.substr(0, text.find_first_of(kSpace));
  text.remove_prefix(word.size());
  return word;
}

/// The whole word as a number; nothing if it is not one. "+1" and "1." are numbers, "nan" and "inf" are too.
template <class Number>
std::optional<Number> to_number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || word.empty()) return std::nullopt;
  // Too small for a double is zero; too large is not a number that anyone meant.
  if (error == std::errc::result_out_of_range) return std::nullopt;
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

/// At most so much of a word that a message stays readable; bytes that are no text become '?'.
inline std::string shown(std::string_view word) {
  std::string out(word.substr(0, 40));
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = '?';
  return word.size() > 40 ? out + "..." : out;
}

/// Lines one by one, without their end.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}

  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number_;
    return true;
  }
  int number() const { return number_; }  ///< Of the line read last, from 1.

 private:
  std::string_view rest_;
  int number_ = 0;
};

}  // namespace patchfield
