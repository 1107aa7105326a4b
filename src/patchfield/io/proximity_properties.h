// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// <drake:proximity_properties> of a collision → how it touches: the knobs that annotated models have.
//
//   SDF   <drake:hydroelastic_modulus>1e5</drake:hydroelastic_modulus>
//   URDF  <drake:hydroelastic_modulus value="1e5"/>

#pragma once

#include <optional>

#include "patchfield/io/assembly.h"
#include "patchfield/io/xml_document.h"

namespace patchfield {

/// Friction of older files, which counts when no drake tag says it.
struct LegacyFriction {
  std::optional<double> mu_static, mu_dynamic;
};

/// Sets contact and mu of the collision, whose shape is known already. Throws InputError: two kinds of compliance, a
/// value out of range, dynamic friction above static.
void read_proximity_properties(const XmlElement& collision_element, const LegacyFriction& legacy,
                               Diagnostics& diagnostics, Collision& collision);

}  // namespace patchfield
