// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "bindings.h"
#include "mujoco_objects.h"

NB_MODULE(_core, m) {
  // Objects that a program still holds when the interpreter ends are no one's leak.
  nanobind::set_leak_warnings(false);
  m.doc() = "The compiled part of patchfield. Import patchfield, not this.";
  patchfield::python::find_mujoco();
  patchfield::python::bind_core(m);
  patchfield::python::bind_geometry(m);
  patchfield::python::bind_solver(m);
  patchfield::python::bind_sim(m);
  patchfield::python::bind_control(m);
  patchfield::python::bind_io(m);
}
