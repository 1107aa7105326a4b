// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Euler's equations of a body that turns freely, ω(0) → ω(δt) and the turn in between.
//
//     M ω̇ = −ω×Iω,   Ṙ = R[ω]        M = I, or I plus the armature of a ball joint; all in the body's frame
//
// The midpoint rule in Cayley's form (Simo and Wong 1991), with ω̄ = ½(ω₀ + ω₁) and any number τ,
//     M(ω₁ − ω₀) = −τ ω̄×Iω̄,   R₁ = R₀·cay(τω̄),   cay(x) = (1 − ½[x])⁻¹(1 + ½[x])
// keeps both invariants exactly, however long the step:
//     dotted with ω̄:  ½ω₁ᵀMω₁ = ½ω₀ᵀMω₀
//     for M = I it reads (1 + ½τ[ω̄])Iω₁ = (1 − ½τ[ω̄])Iω₀, so R₁Iω₁ = R₀Iω₀.
// τ = 2·tan(½h|ω₀|)/|ω₀| instead of h makes steady rotation about an axis exact as well. What is left is a second-order
// error of the phase; sub-steps of at most kLargestTurn keep it small.
//
// Rejected (plate of 150×100×2 mm, 50 rad/s, 10 ms, 5 s): ω₁ by Runge–Kutta with R₁ = R₀·exp(δt·ω₁) changes the angular
// momentum by 16 %; ω₁ from exp(δt·ω₁)Iω₁ = Iω₀ keeps it and loses 31 % of the energy.

#pragma once

#include "patchfield/core/types.h"

namespace patchfield {

/// Largest turn of a sub-step [rad], and the largest number of sub-steps.
inline constexpr double kLargestTurn = 0.1;
inline constexpr int kMostSubsteps = 200;

struct FreeRotation {
  Vec3 omega;  ///< At the end [rad/s].
  Vec3 turn;   ///< Rotation vector of the whole step: R₁ = R₀·exp([turn]).
};

/// M symmetric positive definite, I symmetric [kg·m²].
FreeRotation rotate_freely(const Mat3& M, const Mat3& I, const Vec3& omega, double dt);

}  // namespace patchfield
