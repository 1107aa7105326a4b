// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The points of one patch at a relative twist V → cost, wrench and 6×6 Hessian of the patch.
//
// A point sees v_c = B V with B = [−[r]×, I], so that Bᵀu = (r×u, u). Every law gives
//     γ = γ_n n̂ − c_t v_t
//     G = −∂γ/∂v_c = a·I + b·n̂n̂ᵀ + c·v_t v_tᵀ + e·(n̂ v_tᵀ + v_t n̂ᵀ) + f·v_t n̂ᵀ
// and the patch sums  F = Σ Bᵀγ,  H = Σ Bᵀ G B  (theory.md §5). f ≠ 0 in the coupled laws alone.
//
// Points come in blocks of four, one lane each; a lane without a point has zero coefficients and adds
// exact zeros. Four lanes on every instruction set, summed in one fixed order: the same bits everywhere.

#pragma once

#include <algorithm>
#include <cstring>

#include "patchfield/core/types.h"

namespace patchfield {

enum class PointLaw {
  kSap,
  kLagged,         ///< With the bound μγ_n0 of its friction given: convex.
  kLaggedCoupled,  ///< With γ_n itself in the bound.
  kTamsi,
  kTamsiFrozen,  ///< TAMSI with the bound μγ_n of its friction given: convex, and a fixed point of it is TAMSI's
                 ///< solution.
};

/// γ_n is implicit in friction: no potential, and H is not symmetric.
constexpr bool is_coupled(PointLaw law) { return law == PointLaw::kTamsi || law == PointLaw::kLaggedCoupled; }

/// Four points. 384 bytes: six cache lines, read front to back.
struct alignas(64) PointBlock {
  double rx[4], ry[4], rz[4];  ///< r = x − o.
  double nx[4], ny[4], nz[4];  ///< n̂.
  /// Coefficients of the law:       SAP      Lagged, frozen      coupled
  double c0[4];  ///<  v̂_n      k                   k
  double c1[4];  ///<  1/R_n    φ₀                  φ₀
  double c2[4];  ///<  1/R_t    μ γ_n0              –
  double c3[4];  ///<  1/(R_n + μ²R_t)  a           a
  double c4[4];  ///<  –        b                   b
};
static_assert(sizeof(PointBlock) == 384);

/// Four lanes, or fewer at a patch's end. Four at once is one register, not a call of memmove.
inline void copy_lanes(const double* from, int lanes, double* to) {
  if (lanes == 4) std::memcpy(to, from, 4 * sizeof(double));
  else std::copy_n(from, lanes, to);
}

/// Estimates u of −γ_t/(μγ_n), the direction and share of friction, ‖u‖ ≤ 1. In the slip part of G,
///     c_t(I − n̂n̂ᵀ − t̂t̂ᵀ), t̂ = v_t/‖v_t‖,   t̂t̂ᵀ is replaced by ½(u t̂ᵀ + t̂ uᵀ),
/// which tends to it as u tends to t̂ (Chan, Golub, Mulet 1999 did so for total variation). At u = 0 friction is as
/// stiff along the slip as across it, so a Newton step does not run through the kink at v_t = 0 blindly, as it
/// does with the true G, which has no stiffness along the slip at all. u follows by its own Newton step.
/// Halves the iterations of SAP and Lagged in clutter and bounds them in the worst case (51 → 15, 66 → 21).
struct alignas(32) DualBlock {
  double ux[4], uy[4], uz[4];
};

/// What the points of a patch share.
struct PatchLaw {
  double dt = 0.0;
  double mu = 0.0;
  double hunt_crossley = 0.0;   ///< d [s/m]
  double stiction_speed = 0.0;  ///< v_s [m/s]
};

struct PatchSums {
  Mat6 H;       ///< −∂F/∂V; symmetric positive semidefinite but for coupled laws.
  Vec6 F;       ///< Impulse wrench on B about o.
  double cost;  ///< Potential, −∂cost/∂V = F. 0 for coupled laws.
};

/// Derivatives along V + α ΔV: slope = −F·ΔV, curvature = ΔVᵀ H ΔV.
struct LineSums {
  double slope = 0.0, curvature = 0.0;
};

/// Per point results of one block, lanes in order.
struct alignas(64) PointResults {
  double gx[4], gy[4], gz[4], gn[4], vn[4], vtx[4], vty[4], vtz[4], stick[4];
};

/// With `duals` (one per block), H is built with them; else it is the true one. Not for coupled laws.
void sum_points(PointLaw law, const PatchLaw& patch, const PointBlock* blocks, const DualBlock* duals, int num_blocks,
                const Vec6& V, PatchSums& out);

/// The same without H, which is left as it is.
void sum_impulses(PointLaw law, const PatchLaw& patch, const PointBlock* blocks, int num_blocks, const Vec6& V,
                  PatchSums& out);

/// Newton step of u along with that of the twist, V + ΔV. Not for coupled laws.
void update_duals(PointLaw law, const PatchLaw& patch, const PointBlock* blocks, int num_blocks, const Vec6& V,
                  const Vec6& dV, DualBlock* duals);

LineSums sum_points_along(PointLaw law, const PatchLaw& patch, const PointBlock* blocks, int num_blocks, const Vec6& V,
                          const Vec6& dV);

void point_results(PointLaw law, const PatchLaw& patch, const PointBlock* blocks, int num_blocks, const Vec6& V,
                   PointResults* out);
inline void point_results(PointLaw law, const PatchLaw& patch, const PointBlock& block, const Vec6& V,
                          PointResults& out) {
  point_results(law, patch, &block, 1, V, &out);
}

}  // namespace patchfield
