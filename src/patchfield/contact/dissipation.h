// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What a Hunt–Crossley dissipation d [s/m] means: how a body rebounds and how far it rolls, on a rigid plane.
//
// Rebound. The force of a depth x is F(x)(1 + d·u) while the body comes in with speed u, and F(x)(1 − d·w) while it
// leaves with speed w, whatever F is. m·u·du = −F(1 + d·u)dx on the way in, m·w·dw = F(1 − d·w)dx on the way out, and
// both ways cross the same ∫F dx, so that with a = d·u_in and b = d·w_out
//
//     a − ln(1 + a) = −b − ln(1 − b)            the weight of the body neglected
//
// The restitution e = b/a depends on d·u_in alone: 1 − ⅔a for small a, and w_out < 1/d always.
//
// Rolling. Ahead of the middle the surface comes down, behind it goes up: v_n = −ω·x. The pressure p(1 + d·ω·x)₊ pushes
// harder ahead, a torque T = ∫p(1 + dωx)₊ x dA against the motion, and (I + mR²)ω̇ = −T. For slow rolling (dωa < 1, a
// half the width of the patch) T = dω∫p x² dA, so that v decays as exp(−λt), δ the depth under the weight mg:
//
//     sphere     ∫p x² dA = mg·Rδ/3       λ = d·g·δ/(4.2 R)
//     cylinder   ∫p x² dA = mg·2Rδ/5      λ = d·g·δ/(3.75 R)
//
// Neither law is a matter of δt: both are what the simulation tends to for δt → 0. SAP reads another dissipation.

#pragma once

#include <optional>

#include "patchfield/geometry/shapes.h"

namespace patchfield {

/// The share of `speed` [m/s] ≥ 0 with which a body leaves a plane that it hit straight on; d [s/m] ≥ 0.
double restitution(double d, double speed);

/// The d [s/m] with which the restitution at `speed` is e, 0 < e ≤ 1.
double dissipation_for(double e, double speed);

/// A round body on a rigid plane, rolling about its own axis.
struct RollingBody {
  Shape shape;     ///< Sphere; cylinder or capsule on its side; ellipsoid that is round about one axis, on its side.
  double modulus;  ///< E_h [Pa]
  double mass;     ///< [kg]
  double inertia;  ///< About the axis [kg·m²].
  double hunt_crossley;   ///< d [s/m]
  double gravity = 9.81;  ///< [m/s²] > 0
};

/// Infinite for d = 0.
struct CoastDown {
  double half_time;  ///< Until half of the speed is left [s].
  double distance;   ///< Until it rests [m].
};

/// From rolling at `speed` [m/s] > 0. Nothing for shapes that do not roll, and for bodies that sink by their radius.
std::optional<CoastDown> coast_down(const RollingBody& body, double speed);

}  // namespace patchfield
