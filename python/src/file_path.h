// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A path as an argument or a result. nanobind's own caster works, but its stub says os.PathLike without [str], which
// mypy's strict mode refuses.

#pragma once

#include <filesystem>

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>

namespace patchfield::python {

struct FilePath {
  std::filesystem::path path;
  operator const std::filesystem::path&() const { return path; }  // NOLINT(google-explicit-constructor)
};

}  // namespace patchfield::python

namespace nanobind::detail {

template <>
struct type_caster<patchfield::python::FilePath> {
  NB_TYPE_CASTER(patchfield::python::FilePath, const_name("str | os.PathLike[str]"))
  bool from_python(handle src, uint32_t flags, cleanup_list* cleanup) noexcept {
    make_caster<std::filesystem::path> inner;
    if (!inner.from_python(src, flags, cleanup)) return false;
    value.path = std::move(inner.value);
    return true;
  }
};

}  // namespace nanobind::detail
