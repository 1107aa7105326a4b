// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Any bytes as a model file: read, built and compiled, or refused with a reason. Nothing else may happen.

#pragma once

#include <cstdint>
#include <string>

#include "patchfield/core/check.h"
#include "patchfield/io/load_model.h"

namespace patchfield {

inline int import_bytes(const std::uint8_t* data, std::size_t size, const char* file) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    import_model_text(text, file);
  } catch (const InputError&) {
    // Refusing bad input with a reason is right.
  }
  return 0;
}

}  // namespace patchfield
