// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Reads an .npz file the long way round, by the zip standard (APPNOTE 6.3) and numpy's .npy format, and complains
// about every inconsistency: the twin that the writer is tested with. Shares no code with it.

#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace patchfield::testing {

struct NpyArray {
  std::string dtype;  ///< "<f8"
  std::vector<std::int64_t> shape;
  std::string bytes;  ///< The data alone.

  template <class T>
  std::vector<T> values() const {
    const T* first = reinterpret_cast<const T*>(bytes.data());
    return {first, first + bytes.size() / sizeof(T)};
  }
  std::int64_t rows() const { return shape.at(0); }
};

struct NpzFile {
  std::map<std::string, NpyArray> arrays;  ///< By name, without ".npy".
  int zip64_members = 0;                   ///< Members with a ZIP64 field.
  bool zip64_end = false;

  const NpyArray& operator[](const std::string& name) const { return arrays.at(name); }
};

/// Throws std::runtime_error at the first thing that is wrong.
NpzFile read_npz(const std::filesystem::path& path);

}  // namespace patchfield::testing
