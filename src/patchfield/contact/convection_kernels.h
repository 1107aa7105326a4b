// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Sums over the points of a patch that convection.h needs, four points at a time: the same bits on every instruction
// set. Where a formula comes from stands in convection.h.

#pragma once

#include "patchfield/contact/discretize.h"

namespace patchfield {

/// Fields that rise along a face by less than this part of what they rise across it are level: a coin on a table.
inline constexpr double kLevel = 1e-9;

struct PatchShape {
  double arm = 0.0;  ///< Mean distance of the points from the reference point: makes rotations and shifts comparable.
  bool is_level = true;      ///< ‖t‖ ≤ kLevel·g at all points.
  Vec3 push = Vec3::Zero();  ///< Σ A n̂
};

PatchShape shape_of(const ContactPoints& points);

/// Least squares over the points, weighted by area, each quantity less its mean: of
///     ṗ = c + q·U,  q = (r×t/arm, t),   U = (ω·arm, v_o)     any rigid motion of the pattern
///     ṗ = c + θ·τ,  τ = t·v                                  a share θ of the bodies' own relative motion
/// with c = −g v_n − share_B t·v, the rate at points that move with A.
struct RateFit {
  Mat6 qq;
  Vec6 qc;
  double tt, tc;
};

RateFit fit_rates(const ContactPoints& points, const Vec6& V, double arm);

/// Twists relative to A at the reference point.
struct PatternMotion {
  Vec6 V;  ///< Of B.
  Vec6 U;  ///< Of the pattern.
  Vec6 S;  ///< The part of V that slides.
  double follows = 1.0;
};

/// a and b of every point; both columns have its size.
void convection_speeds(const ContactPoints& points, const PatternMotion& motion, double* a, double* b);

/// k ← s·k, φ₀ ← φ₀/s with s = |φ₀|/(|φ₀| + δt·|b|), at least kLeastStiffness; 1 where b = 0.
void soften(const double* b, double dt, ContactPoints& points);

/// The solver needs k > 0, also of a point with φ₀ = 0 that slides.
inline constexpr double kLeastStiffness = 1e-6;

}  // namespace patchfield
