// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// pf.Compliant and pf.Rigid: a shape of one's own made ready for contact, or what to make of a geom of a model.

#pragma once

#include <optional>

#include <nanobind/nanobind.h>

#include "patchfield/geometry/geometry.h"
#include "patchfield/model/geom_settings.h"

namespace patchfield::python {

struct Body {
  std::optional<Geometry> geometry;  ///< Of Compliant(shape, …) and Rigid(shape, …).
  GeomSettings settings;             ///< Of the forms without a shape, for Simulation(compliance=…).
  nanobind::object shape = {};       ///< What the geometry was made of, and with which arguments.
  nanobind::dict arguments = {};
};
struct Compliant : Body {};
struct Rigid : Body {};

/// The keyword arguments that give these settings.
nanobind::dict arguments_of(const GeomSettings& settings);

}  // namespace patchfield::python
