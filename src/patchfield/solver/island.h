// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A group of trees that contacts and rows connect, as a system of equations for Newton's method:
//
//   gradient  g(v) = A(v − v*) − Σ_p J_pᵀ F_p(V_p) − Σ_r J_rᵀ γ_r
//   Hessian   H(v) = A + Σ_p J_pᵀ H_p J_p + Σ_r J_rᵀ J_r/R_r [lo < y_r < hi]
//   cost      ℓ(v) = ½(v − v*)ᵀA(v − v*) + Σ_p cost_p + Σ_r cost_r,  g = ∂ℓ/∂v (SAP, Lagged)
//
// Velocities, patches and rows are numbered locally; points are copied into blocks (point_kernels.h) with the
// coefficients of the law in use. Work on points is cut into chunks of fixed size and summed in order.

#pragma once

#include <span>

#include "patchfield/core/parallel.h"
#include "patchfield/solver/linear_system.h"
#include "patchfield/solver/point_kernels.h"

namespace patchfield {

/// Members of one island, by their index in the problem, ascending.
struct IslandMembers {
  std::span<const int> trees, patches, rows;
};

struct IslandPatch {
  PatchSums sums;
  Vec6 V, dV;
  PatchLaw law;
  int index;           ///< In the problem.
  int tree[2];         ///< Local; tree[1] = −1 if there is one term.
  int pair;            ///< Of the two trees, in the linear system; −1 if there is one term.
  const double* J[2];  ///< 6×n_t, column-major.
  int first_block, num_blocks;
  int first_chunk, num_chunks;  ///< More than one only for large patches.
  int num_points;
  double reach;  ///< Largest ‖r‖ of a point, or more [m].
};

struct IslandRow {
  int index;  ///< In the problem.
  int first_entry, num_entries;
  int first_pair;  ///< Pairs of entries in different trees, in island row_pairs.
  double R, vhat, lo, hi;
  double gamma, weight;  ///< γ and −∂γ/∂(J v) at the last evaluation.
};

struct IslandRowEntry {
  int velocity, tree, in_tree;  ///< Local velocity; its tree and its place there.
  double value;
};

class Island {
 public:
  void load(const ContactProblem& problem, const IslandMembers& members, std::span<const int> tree_local,
            const SolverOptions& options, ThreadPool* threads);

  int num_velocities() const { return n_; }
  int num_blocks() const { return blocks.size(); }

  /// V of every patch at v.
  void update_twists() { twists(v.data(), false); }

  /// Everything at v: twists, sums, γ of the rows, gradient, cost, residual.
  void evaluate(PointLaw law) { evaluate(law, true); }
  /// The same without Hessians: where v is likely the solution. factor() needs evaluate().
  void evaluate_gradient(PointLaw law) { evaluate(law, false); }

  /// From here on Hessians are built with duals (point_kernels.h), which start at zero; or with the true G.
  void start_duals();
  void stop_duals() { use_duals_ = false; }
  bool uses_duals() const { return use_duals_; }
  /// Moves the duals along with the step dv from v, before v moves.
  void update_duals(PointLaw law);

  /// Derivatives of the cost along v + α dv; prepare_line() first.
  void prepare_line();
  LineSums evaluate_line(PointLaw law, double alpha);

  /// H at the last evaluation; false if it cannot be factored.
  bool factor(Factorization kind);

  /// dv = −H⁻¹ g
  void solve_step();

  /// ‖D(H dv + g)‖/‖D g‖ at the last evaluation: how well dv solves its equation. Needs prepare_line().
  double step_error();

  double converged_bound(const SolverOptions& options) const {
    return options.absolute_tolerance + options.relative_tolerance * scale;
  }

  // Velocities, local order.
  Column<double> v, v_star, v0, dv, gradient;
  Column<double> scaling;  ///< D = diag(A)^(−1/2).
  double cost = 0.0;
  double residual = 0.0;  ///< ‖D g‖ [√J]
  double scale = 0.0;     ///< max(‖D A v‖, ‖D Jᵀγ‖) [√J]

  Column<IslandPatch> patches;
  Column<PointBlock> blocks;
  Column<IslandRow> rows;
  Column<IslandRowEntry> row_entries;
  Column<int> trees;        ///< By their index in the problem.
  Column<int> start;        ///< First local velocity of each tree.
  Column<const double*> A;  ///< Inertia block of each tree.
  LinearSystem system;
  bool analyzed_anew = false;

  /// Calls body(patch) for all patches, on all threads if there is enough to do.
  template <class Body>
  void for_each_patch(const Body& body) {
    if (threads_ != nullptr) threads_->for_each(patches.size(), [&](int p) { body(patches[p]); });
    else
      for (IslandPatch& p : patches) body(p);
  }

 private:
  void load_trees(const ContactProblem& problem, std::span<const int> members);
  void load_patches(const ContactProblem& problem, std::span<const int> members, std::span<const int> tree_local);
  void load_points(const ContactProblem& problem, IslandPatch& patch);
  void load_rows(const ContactProblem& problem, std::span<const int> members, std::span<const int> tree_local);
  void load_structure(const SolverOptions& options);
  int find_pair(int i, int j) const;

  /// Calls body(chunk index) for all chunks, on all threads if there is enough to do.
  template <class Body>
  void for_each_chunk(const Body& body) {
    if (threads_ != nullptr) threads_->for_each(chunks_.size(), body);
    else
      for (int c = 0; c < chunks_.size(); ++c) body(c);
  }

  void twists(const double* velocities, bool of_step);
  void evaluate(PointLaw law, bool with_hessian);
  void sum_patches(PointLaw law, bool with_hessian);
  double evaluate_rows();
  void add_momentum();
  void add_patch_hessian(const IslandPatch& patch, Factorization kind);
  void add_row_hessian(const IslandRow& row);

  struct Chunk {
    int patch, first_block, num_blocks;
  };
  int n_ = 0;
  ThreadPool* threads_ = nullptr;
  bool use_duals_ = false;
  Column<DualBlock> duals_;
  Column<Chunk> chunks_;
  Column<PatchSums> chunk_sums_;
  Column<LineSums> chunk_lines_;
  Column<int> row_pairs_;
  Column<std::uint64_t> pairs_;
  Column<int> sizes_;
  Column<double> impulse_;                           ///< Jᵀγ
  Column<double> product_;                           ///< H dv + g
  Column<double> block_;                             ///< Scratch of add_patch_hessian.
  double line_momentum_ = 0.0, line_inertia_ = 0.0;  ///< dvᵀA(v − v*), dvᵀA dv.
};

}  // namespace patchfield
