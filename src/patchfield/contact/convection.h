// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Points of a patch, relative motion of its bodies → how much of the pressure rate is only the patch moving along.
//
// The paper follows the pressure at a point fixed in space, ṗ = −g·v_n [PFC eq:pressure_rate_approximation], but takes
// forces and moments where the patch was at the start of the step. A patch that travels with its body (a ball that
// rolls, the rim of a soft block that slides) then brakes it: by a torque N·v·δt when rolling, by 1.2 to 2.5 times μN
// when sliding soft on soft. Followed at a point that moves with the *patch*, velocity u, the pressure changes by
//
//     ṗ = −g·v_n + t·(u − v̄),     v̄ = v_A + share_B·(v_B − v_A)                    [theory.md §8]
//
//     ∇p_A = −g_A n̂ + t     v_A     t: the part of ∇p along the face, the same of both fields, since p_A = p_B on it
//     ∇p_B =  g_B n̂ + t     v_B     v̄: g_B v_A + g_A v_B over g_A + g_B, the motion of the surface's material
//
//               ___↑ n̂___            −g·v_n: the bodies press at the front of a rolling ball …
//        u →   /  p₊    \   t ↓      t·u:    … where the pressure falls outwards: their sum is zero
//             ───────────────
//
// So ṗ = −g(v_n − a) with the convection speed a = t·(u − v̄)/g. u is that of a rigid motion of the whole pattern, a
// twist, found once per step from the velocities at its start: the one that leaves the least of ṗ beside a uniform
// rate, min Σ A_i (ṗ_i − mean)². As a twist (and not one vector, as in theory.md) it makes the law objective: the same
// on a turntable, for a block that turns on soft ground, for a patch that is curved. Fields are linear by pieces, so t
// is noisy; the rate that is left may be as large as the paper's and no larger: 0 ≤ a/v_n0 ≤ 2. A pattern that leaves
// its own place within the step (the edge of a disk that shudders) is not followed.
//
// Dissipation. Material that is pressed and released loses energy, also where a patch rolls over it: Hunt–Crossley's
// factor sees the bodies' own v_n. Not so where the pattern is carried by a body that slides: what sliding takes is
// friction, and μ has it. So the factor sees v_n − b, with b the part of v_n that comes from sliding (the relative
// motion across and about the direction in which the patch pushes), where the pattern moves along (a at least half of
// it): b = v_n on the rim of a block that slides on soft ground, 0 under a ball that rolls, 0 on a wall that is hit.
// docs/convected.md derives all of it and compares.

#pragma once

#include <cstdint>

#include "patchfield/contact/discretize.h"

namespace patchfield {

/// How a patch's pressure is carried through a step.
enum class PressureRate : std::uint8_t {
  kPaper,      ///< At points fixed in space: a = 0.
  kConvected,  ///< At points that move with the patch.
};

const char* to_string(PressureRate rate);

/// The motion of the pressure pattern relative to A, (ω, v_o), that explains most of the pressure rates. V is the twist
/// of B relative to A at the reference point.
Vec6 pattern_twist(const ContactPoints& points, const Vec6& V);

/// ṗ of point i where the pattern moves with twist U, both relative to A [Pa/s].
double convected_rate(const ContactPoints& points, int i, const Vec6& V, const Vec6& U);

/// Speeds per point [m/s].
struct Convection {
  Column<double> pattern;  ///< a: the pressure changes by −g(v_n − a).
  Column<double> sliding;  ///< b: dissipation sees v_n − b.
};

void find_convection(const ContactPoints& points, const Vec6& V, double dt, Convection& out);

/// Points that slide along (b ≠ 0) keep their force and lose stiffness: |φ₀| grows by the way δt·|b| that they slide in
/// the step, and k·φ₀ stays. a is that of the start of the step; the speed changes within it, by μg·δt when friction
/// brakes, and a rim with its full stiffness would resist that: a block of 100 MPa on ground of 100 MPa was braked by
/// 0.67 μmg at 10 ms. Points that wait move out of reach by the same rule.
void carry_along(const Convection& convection, double dt, ContactPoints& points);

}  // namespace patchfield
