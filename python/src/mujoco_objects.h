// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// mujoco.MjModel and mujoco.MjData as arguments: the Python object, which is kept alive, and its C pointer.
//
// MuJoCo's wheel tells the address of its C structs (`_address`); both sides use one libmujoco of one version, which
// is checked at import, so the structs are the same.

#pragma once

#include <mujoco/mujoco.h>
#include <nanobind/nanobind.h>

namespace patchfield::python {

namespace nb = nanobind;

/// Looks up MuJoCo's classes. Throws ImportError if the library that runs is not the one we were compiled for.
void find_mujoco();

/// The C struct behind an object of that class; null if the object is of another class.
mjModel* model_pointer(nb::handle object) noexcept;
mjData* data_pointer(nb::handle object) noexcept;

struct ModelArgument {
  nb::object object;
  mjModel* pointer = nullptr;
};
struct DataArgument {
  nb::handle object;
  mjData* pointer = nullptr;
};

/// A mujoco.MjModel that owns m. Takes m in any case.
nb::object make_model_object(mjModel* m);

}  // namespace patchfield::python

namespace nanobind::detail {

template <>
struct type_caster<patchfield::python::ModelArgument> {
  NB_TYPE_CASTER(patchfield::python::ModelArgument, const_name("mujoco.MjModel"))
  bool from_python(handle src, uint32_t, cleanup_list*) noexcept {
    value.pointer = patchfield::python::model_pointer(src);
    value.object = borrow(src);
    return value.pointer != nullptr;
  }
};

template <>
struct type_caster<patchfield::python::DataArgument> {
  NB_TYPE_CASTER(patchfield::python::DataArgument, const_name("mujoco.MjData"))
  bool from_python(handle src, uint32_t, cleanup_list*) noexcept {
    value = {src, patchfield::python::data_pointer(src)};
    return value.pointer != nullptr;
  }
};

}  // namespace nanobind::detail
