// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// [ICF]'s lagged model as published: friction μγ_n0 v_t/√(‖v_t‖² + v_s²) bounded by a normal impulse that is already
// known, so that one convex problem is the whole step.
//
// Faces have no identity from step to step, so γ_n0 cannot be the previous step's. It is the law at the start of the
// step, γ_n0 = δt k(−φ₀)₊(1 − d(v_n0 − a))₊. That is not Coulomb's law in motion: a block that lands on a stiff floor
// gets the friction of the overlap it flew into, and a speculative point (φ₀ > 0) gets none. By default the bounds are
// iterated to γ_n of the end of the step, coupled.cpp; this is what `lag_iterations` = 0 asks for.

#include <algorithm>
#include <cmath>

#include "patchfield/solver/methods.h"

namespace patchfield {
namespace {

void set_bounds_from_start(Island& island) {
  island.update_twists();
  for (const IslandPatch& patch : island.patches) {
    const Vec3 w = patch.V.head<3>(), v_o = patch.V.tail<3>();
    for (int i = 0; i < patch.num_points; ++i) {
      PointBlock& b = island.blocks[patch.first_block + i / 4];
      const int lane = i % 4;
      const Vec3 r(b.rx[lane], b.ry[lane], b.rz[lane]), nhat(b.nx[lane], b.ny[lane], b.nz[lane]);
      const double vn0 = nhat.dot(v_o + w.cross(r));
      const double rate = vn0 - b.c4[lane];
      const double gn0 =
          patch.law.dt * b.c0[lane] * std::max(-b.c1[lane], 0.0) * std::max(1.0 - patch.law.hunt_crossley * rate, 0.0);
      b.c2[lane] = patch.law.mu * gn0;
    }
  }
}

}  // namespace

SolverStatus solve_explicit(Island& island, const SolverOptions& options, IslandOutcome& outcome) {
  outcome.law = PointLaw::kLagged;
  set_bounds_from_start(island);
  return minimize(island, PointLaw::kLagged, options, options.relative_tolerance, outcome);
}

}  // namespace patchfield
