// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Bytes of a legacy VTK file → its keywords and arrays of numbers, ASCII or BINARY.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/io/text_lines.h"

namespace patchfield {

enum class VtkType : std::uint8_t { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kInt64, kUint64, kFloat, kDouble };

class VtkScanner {
 public:
  VtkScanner(std::string_view bytes, const std::string& name) : rest_(bytes), name_(name) {}

  /// The first three lines: magic word, title, ASCII or BINARY.
  void read_header();

  int line() const { return line_; }
  /// The next word in capitals; empty at the end of the file.
  std::string keyword();
  /// The next word; the end of the file is an error.
  std::string word();
  std::size_t count();
  VtkType type();
  bool next_is(std::string_view keyword) const;
  bool is_number_next();
  /// n·m, or an error if that is beyond counting.
  std::size_t product(std::size_t n, std::size_t m) const;
  /// Reads n numbers; refuses before allocating if the file cannot hold them. `lines`: that of each number (ASCII).
  std::vector<double> numbers(VtkType type, std::size_t n, std::vector<int>* lines = nullptr);
  /// Skips up to the next empty line.
  void skip_metadata();

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) const {
    throw InputError(fmt::format("{}:{}: {}", name_, line_, fmt::format(text, std::forward<Args>(args)...)));
  }

 private:
  void skip_space();
  std::string_view peek();
  std::string_view take_line();
  std::vector<double> binary_numbers(VtkType type, std::size_t n);

  std::string_view rest_;
  const std::string& name_;
  int line_ = 1;
  bool binary_ = false;
};

}  // namespace patchfield
