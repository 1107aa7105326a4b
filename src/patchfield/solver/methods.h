// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The three methods on one loaded island, and what they share: Newton's method on a convex cost.
// Each starts from island.v, leaves its result there, and adds what it did to the outcome.

#pragma once

#include "patchfield/solver/island.h"
#include "patchfield/solver/solver.h"

namespace patchfield {

/// What became of one island.
struct IslandOutcome {
  SolverStatus status = SolverStatus::kConverged;
  int iterations = 0;
  int line_search_evaluations = 0;
  int factorizations = 0;
  double residual = 0.0;  ///< Relative to the island's scale.
  double cost = 0.0;
  int substeps = 0;
  int fallbacks = 0;
  PointLaw law = PointLaw::kLagged;  ///< The law that the island's impulses follow.
};

/// What TAMSI and Lagged keep besides the island: velocities to return to, and sums of impulses over sub-steps.
struct CoupledScratch {
  Column<double> start, predicted, v, v_star;
  Column<double> phi0;            ///< Of each lane of each block, at the start of the step: 4 per block.
  bool impulses_used = false;     ///< The step was cut: its impulses are these sums, not those of the last sub-step.
  Column<PointResults> impulses;  ///< gx, gy, gz, gn of each block.
  Column<Vec6> patch_wrench;
  Column<double> row_gamma;
};

/// Newton with exact line search on the island's cost, down to a residual of absolute + relative·scale.
/// The coefficients of the law must be set. Leaves island evaluated at the final v.
SolverStatus minimize(Island& island, PointLaw law, const SolverOptions& options, double relative_tolerance,
                      IslandOutcome& outcome);

/// SAP: coefficients v̂_n, 1/R_n, 1/R_t, 1/(R_n + μ²R_t) of every point (point_kernels.h) from k, φ₀ and an
/// estimate of the Delassus operator. False if an inertia block is not positive definite.
class SapCoefficients {
 public:
  bool set(const ContactProblem& problem, const SolverOptions& options, Island& island);

 private:
  Column<double> factors_;  ///< Cholesky of each A_t.
  Column<int> factor_start_;
  Column<double> solved_;  ///< L⁻¹Jᵀ
};

/// Friction bounded by the normal impulse of the start of the step: [ICF]'s model.
SolverStatus solve_explicit(Island& island, const SolverOptions& options, IslandOutcome& outcome);

/// γ_n implicit in friction, with Lagged's law v_t/√(‖v_t‖² + v_s²); solve_explicit() if lag_iterations is 0.
SolverStatus solve_lagged(Island& island, const SolverOptions& options, CoupledScratch& scratch,
                          IslandOutcome& outcome);

/// The same with TAMSI's law.
SolverStatus solve_tamsi(Island& island, const SolverOptions& options, CoupledScratch& scratch, IslandOutcome& outcome);

}  // namespace patchfield
