// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/core/check.h"

#include <fmt/format.h>

namespace patchfield {

void fail_assertion(const char* expression, const char* file, int line) {
  throw AssertionError(
      fmt::format("{}:{}: promise broken: {}. This is a bug in Patchfield; please report it.", file, line, expression));
}

}  // namespace patchfield
