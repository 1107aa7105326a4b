// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Two surfaces → how the pair slides and dissipates (theory.md §3).
//
//   μ = 2μ_Aμ_B/(μ_A + μ_B)              harmonic, so that ice on rubber is ice
//   τ = τ_A + τ_B                        two dashpots in series with their springs
//   d = (E_B d_A + E_A d_B)/(E_A + E_B)  Hunt–Crossley: the softer side moves more and counts more
//
// A rigid side does not deform: it is left out of d. These are the rules that annotated models
// already assume, so a model keeps its meaning here.

#pragma once

#include <limits>

namespace patchfield {

/// One side of a contact.
struct SurfaceMaterial {
  double mu = 0.5;  ///< Coulomb friction coefficient, ≥ 0.
  /// τ [s] ≥ 0. Linear dissipation, read by SAP. As short as a step: a sliding contact of SAP rises by μ(δt + τ)‖v_t‖.
  double relaxation_time = 1e-3;
  double hunt_crossley = 50.0;  ///< d [s/m] ≥ 0. Read by TAMSI, Lagged and the continuous model.
  double modulus = std::numeric_limits<double>::infinity();  ///< E_h [Pa] > 0; ∞ is rigid.
};

/// Both sides together.
struct PairMaterial {
  double mu = 0.5;
  double tau = 0.0;            ///< [s]; d = τk.
  double hunt_crossley = 0.0;  ///< [s/m]
};

PairMaterial combine(const SurfaceMaterial& A, const SurfaceMaterial& B);

}  // namespace patchfield
