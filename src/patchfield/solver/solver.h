// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// ContactProblem → velocities and impulses, by one of three solvers (theory.md §5).
//
//   SAP     convex; linear dissipation d = τk; exact Coulomb cone, regularised stiction. Glides while
//           slipping: a gap of order μ(δt + τ)‖v_t‖.                                              [SAP]
//   Lagged  Hunt–Crossley; friction μγ_n v_t/√(‖v_t‖² + v_s²). Convex for a given bound μγ_n, which is iterated to
//           γ_n of the end of the step; Newton on the coupled balance finishes.                   [ICF]
//   TAMSI   the same with TAMSI's law of stiction.                                                [TAMSI]
//
// The last two are not convex: sub-steps and a convex fallback inside the step, both counted. All three obey
// ‖γ_t‖ ≤ μγ_n at every point.
//
// All of them see a patch as one object: the gradient is one wrench per patch, the Hessian one 6×6 matrix
// per patch, summed over its points and only then mapped to the trees. Groups of trees that share no
// contact and no row (islands) are solved separately; trees without any take v = v*.
//
// Results do not depend on the number of threads. A warm solver allocates nothing.

#pragma once

#include <memory>

#include "patchfield/core/parallel.h"
#include "patchfield/solver/contact_problem.h"

namespace patchfield {

enum class SolverKind { kTamsi, kSap, kLagged };

enum class LinearAlgebra {
  kAuto,    ///< The cheaper of the two, by the number of operations.
  kDense,   ///< One dense block per island.
  kSparse,  ///< One block per tree, fill-reducing order.
};

enum class SolverStatus {
  kConverged,
  kStalled,  ///< Rounding stopped the progress above the tolerance; v is the last. If that is not finite, as kSingular.
  kMaxIterations,  ///< v as above.
  kSingular,       ///< A system could not be factored (an inertia block is not positive definite?); v = v₀ there, and
                   ///< all impulses are 0.
  kBadInput,       ///< NaN, infinity or a value out of range in the problem, or δt ≤ 0; v = v₀.
};

const char* to_string(SolverKind kind);
const char* to_string(SolverStatus status);

struct SolverOptions {
  SolverKind kind = SolverKind::kLagged;
  LinearAlgebra linear_algebra = LinearAlgebra::kAuto;
  bool islands = true;  ///< false: one system of all touched trees (for comparison).

  int max_iterations = 100;  ///< Newton iterations per convex solve, > 0.
  /// Stop at ‖D(A(v − v*) − Jᵀγ)‖ ≤ absolute + relative·max(‖D A v‖, ‖D Jᵀγ‖), D = diag(A)^(−1/2).
  double relative_tolerance = 1e-6;
  double absolute_tolerance = 1e-14;  ///< [√J]

  double stiction_speed = 1e-5;  ///< v_s [m/s] > 0: TAMSI, Lagged.
  double sigma = 1e-3;           ///< SAP: R_t = σ w.
  double beta = 1.0;             ///< SAP: R_n ≥ β² w/(4π²), near-rigid.

  /// TAMSI, Lagged: rounds of freezing the friction bounds μγ_n and minimising before the step is cut. 0, Lagged only:
  /// one minimum with the bounds of the start of the step, [ICF]'s explicit model, which leaves Coulomb's cone in
  /// motion.
  int lag_iterations = 5;

  int tamsi_iterations = 40;             ///< TAMSI, Lagged: iterations of one Newton search on the coupled balance.
  double tamsi_max_turn = 1.0471975512;  ///< Largest turn of a slip velocity per iteration [rad].
  int tamsi_max_substeps = 4;            ///< A failed step is cut into 2, 4, … up to this many.
};

/// Throws InputError, naming option, value and fix, unless every option is in its range. ContactSolver itself does not
/// look: call it where people set options.
void check_options(const SolverOptions& options);

struct SolverReport {
  SolverStatus status = SolverStatus::kConverged;  ///< The worst of all islands.
  int iterations = 0;                              ///< Newton iterations of the island that took most.
  int total_iterations = 0;                        ///< Over all islands.
  int line_search_evaluations = 0;                 ///< Over all islands.
  double residual = 0.0;  ///< Largest scaled momentum residual, relative to its tolerance's scale.
  double cost = 0.0;      ///< Sum of the minimised costs; 0 for TAMSI and Lagged, whose balance has none.
  int islands = 0;
  int unconverged_islands = 0;
  int substeps = 0;   ///< TAMSI, Lagged: sub-steps taken by islands whose whole step failed.
  int fallbacks = 0;  ///< TAMSI, Lagged: (sub-)steps done with bounds that only shrink: inside the cone, but some
                      ///< points may have less friction than Coulomb allows.
  int dense_factorizations = 0;
  int sparse_factorizations = 0;
  int symbolic_analyses = 0;  ///< How often a contact graph had to be ordered anew.
};

class ContactSolver {
 public:
  ContactSolver();
  ~ContactSolver();
  ContactSolver(ContactSolver&&) noexcept;
  ContactSolver& operator=(ContactSolver&&) noexcept;

  /// Solves one step. Never throws because of numbers: trouble is in the report, and `solution` is usable.
  SolverReport solve(const ContactProblem& problem, const SolverOptions& options, ContactSolution& solution,
                     ThreadPool* threads = nullptr);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace patchfield
