// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Simulation(compliance=…): what a user says about geoms of a model → settings by geom id.
//
//   {"pad": Compliant(1e5), 7: Rigid(), "body:left_finger": …, "re:.*_tip": …, "*": …}     or a function of the geom id
//
// A geom takes the most particular of what names it: its name or id, then its body, then a pattern, then "*". Bodies,
// patterns and "*" mean the geoms that collide with something: visual twins are left out.

#pragma once

#include <map>

#include <mujoco/mujoco.h>
#include <nanobind/nanobind.h>

#include "patchfield/model/geom_settings.h"

namespace patchfield::python {

/// Throws InputError if a selector matches nothing, TypeError for other types.
std::map<int, GeomSettings> read_compliance(const mjModel* m, nanobind::handle compliance);

/// The same the other way: {id: Compliant or Rigid}.
nanobind::dict compliance_of(const std::map<int, GeomSettings>& settings);

}  // namespace patchfield::python
