// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Where something stands in a file, and what a reader has to say about it.
//
//   fail(place, …)         it cannot be used: InputError "arm.sdf:12: …"
//   Diagnostics::warn(…)   it was understood but cannot be honoured, or was not understood; the reading goes on

#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "patchfield/core/check.h"

namespace patchfield {

struct Place {
  std::string file;
  int line = 0;  ///< From 1; 0: unknown.
};

/// "arm.sdf:12", or "arm.sdf" without a line.
std::string to_string(const Place& place);

/// A warning of a reader.
struct Diagnostic {
  std::string file;
  int line = 0;  ///< Of the first of them; 0: the whole file.
  std::string text;
};

/// "arm.sdf:12: <sensor> is not read"
std::string to_string(const Diagnostic& diagnostic);

template <class... Args>
[[noreturn]] void fail(const Place& place, fmt::format_string<Args...> text, Args&&... args) {
  throw InputError(to_string(place) + ": " + fmt::format(text, std::forward<Args>(args)...));
}

/// What an error says, without the place if it begins with that.
std::string without_place(const InputError& error, const Place& place);

class Diagnostics {
 public:
  /// The same words about the same file are told once, with the number of times.
  template <class... Args>
  void warn(const Place& place, fmt::format_string<Args...> text, Args&&... args) {
    add(place, fmt::format(text, std::forward<Args>(args)...));
  }

  std::vector<Diagnostic> take();

 private:
  struct Entry {
    Diagnostic diagnostic;
    int times = 1;
  };
  void add(const Place& place, std::string text);
  std::vector<Entry> entries_;
};

}  // namespace patchfield
