// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Two kinds of trouble, two kinds of report.
//
//   InputError          what a person gave us (file, mesh, parameter) cannot be used:
//                       the text names the object, the value and the cure.
//   PATCHFIELD_ASSERT   a promise of our own code was broken: file, line, expression.
//
// Trouble of a solver or of geometry inside a step is neither: it is counted in a report.

#pragma once

#include <stdexcept>
#include <string>

namespace patchfield {

class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class AssertionError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void fail_assertion(const char* expression, const char* file, int line);

}  // namespace patchfield

#define PATCHFIELD_ASSERT(condition) \
  (static_cast<bool>(condition) ? void(0) : ::patchfield::fail_assertion(#condition, __FILE__, __LINE__))

// For checks inside hot loops: on in the dev, asan and fuzz presets.
#ifdef PATCHFIELD_CHECK_ALL
#define PATCHFIELD_ASSERT_HOT(condition) PATCHFIELD_ASSERT(condition)
#else
#define PATCHFIELD_ASSERT_HOT(condition) void(0)
#endif
