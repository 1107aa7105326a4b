// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What all fuzzers of mesh readers do: any bytes give either a mesh that keeps its promises or an InputError.

#pragma once

#include <cstdint>
#include <string_view>

#include "patchfield/core/check.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/io/mesh_parsers.h"

namespace patchfield {

template <class Parse>
int fuzz_reader(const std::uint8_t* data, std::size_t size, const Parse& parse) {
  try {
    parse(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const InputError& error) {
    PATCHFIELD_ASSERT(std::string_view(error.what()).starts_with("fuzz"));  // names the file
  }
  return 0;
}

}  // namespace patchfield
