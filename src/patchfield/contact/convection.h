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
// is noisy; the rate that is left may be as large as the paper's and no larger: 0 ≤ a/v_n0 ≤ 2.
//
// Dissipation. Material that is pressed and released loses energy, also when a patch rolls over it: Hunt–Crossley's
// factor sees the bodies' own v_n. Not so when the pattern is carried by a body that slides: what sliding takes is
// friction, and μ has it. The share λ of the convection that dissipation sees is the share of the rates' variance that
// a pattern carried by the bodies' own motion explains: 1 for a block that slides on soft ground, 0 for a ball that
// rolls. docs/convected.md derives all of it and compares.

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

/// How the pressure pattern of a patch moves relative to A.
struct PatternMotion {
  Vec6 U = Vec6::Zero();  ///< Twist (ω, v_o) at the patch's reference point.
  double sliding = 0.0;   ///< λ: 1 if a body carries the pattern by sliding, 0 if it rolls along.
};

/// The motion that explains most of the pressure rates. V is the twist of B relative to A at the reference point.
PatternMotion find_pattern(const ContactPoints& points, const Vec6& V);

/// ṗ of point i where the pattern moves with twist U, both relative to A [Pa/s].
double convected_rate(const ContactPoints& points, int i, const Vec6& V, const Vec6& U);

/// a of every point into `convection` [m/s], resized. Returns λ.
double convection_speeds(const ContactPoints& points, const Vec6& V, Column<double>& convection);

}  // namespace patchfield
