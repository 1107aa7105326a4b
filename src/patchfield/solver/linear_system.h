// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// H x = b, where H has one block per tree and a block pair per touching pair of trees.
//
//   structure   sizes and pairs of blocks → order, panels (dense_kernels.h), where every block goes.
//               Kept while the contact graph stays the same.
//   numbers     set_zero(), add_diagonal(), add_pair() → factor() → solve(), once per Newton iteration
//
// Trees that end up with the same fill share a panel; in the extreme all of them do, and the factorisation
// is dense. Which one is cheaper is decided by counting operations.
// Cholesky for symmetric positive definite H; LU otherwise, with row exchanges inside a panel only, so
// its caller must check the residual of what it solved.

#pragma once

#include <cstdint>
#include <span>

#include "patchfield/solver/ordering.h"
#include "patchfield/solver/solver.h"

namespace patchfield {

enum class Factorization { kCholesky, kLu };

/// Name of the pair of blocks i < j; sorts by i, then j.
inline std::uint64_t pair_key(int i, int j) {
  return i < j ? (static_cast<std::uint64_t>(i) << 32) + static_cast<std::uint64_t>(j)
               : (static_cast<std::uint64_t>(j) << 32) + static_cast<std::uint64_t>(i);
}

class LinearSystem {
 public:
  /// `pairs`: keys of the coupled pairs, ascending, each once. Returns true if it had to analyse anew.
  bool set_structure(std::span<const int> block_sizes, std::span<const std::uint64_t> pairs, LinearAlgebra choice);

  int num_velocities() const { return num_velocities_; }
  bool is_dense() const { return num_nodes() == 1; }
  int num_nodes() const { return node_size_.size(); }
  double operations() const { return operations_; }  ///< Estimate for one factorisation.

  void set_zero(Factorization kind);

  /// H_ii += M (n_i×n_i, column-major, leading dimension ldm).
  void add_diagonal(int i, const double* M, int ldm);

  /// Where H_ii is, n_i×n_i with leading dimension diagonal_ld(i); for adding to it in place.
  double* diagonal(int i) { return values_.data() + diagonal_[i]; }
  int diagonal_ld(int i) const { return diagonal_ld_[i]; }

  /// Entry (r, c) of H_ii += x; both triangles are the caller's duty for LU, r ≥ c suffices for Cholesky.
  void add_diagonal_entry(int i, int r, int c, double x) { values_[diagonal_[i] + r + c * diagonal_ld_[i]] += x; }

  /// H_ij += M, i < j the blocks of the pair with this index in `pairs`; H_ji += Mᵀ with Cholesky.
  /// M is n_i×n_j, column-major with leading dimension n_i.
  void add_pair(int pair, const double* M);

  /// LU only: H_ji += M, n_j×n_i, leading dimension n_j.
  void add_pair_transposed_side(int pair, const double* M);

  /// Entry (r, c) of H_ij += x, i < j, by Cholesky's symmetry also of H_ji; with LU both are written.
  void add_symmetric_pair_entry(int pair, int r, int c, double x);

  /// False if H could not be factored.
  bool factor();

  /// b ← H⁻¹ b; velocities in the order of the blocks as given.
  void solve(double* b);

 private:
  struct PairPlace {
    int i, j;             // i < j
    int lower, lower_ld;  // block (later, earlier) of the elimination order, in values_
    int upper, upper_ld;  // block (earlier, later): transposed in right_, or as it is in values_
    bool later_is_j, same_node;
  };

  void analyze(LinearAlgebra choice);
  void make_dense();
  void make_sparse();
  void merge_columns();
  void place_nodes();
  void place_updates();
  void place_blocks();
  int row_in_node(int node, int block) const;

  void scatter_update(int node);
  void subtract_from_rows(int node, const double* update, double* x) const;
  void gather_rows(int node, const double* x, double* out) const;
  void solve_cholesky(double* x);
  void solve_lu(double* x);

  // What was analysed.
  BlockGraph graph_;
  Column<std::uint64_t> pairs_;
  LinearAlgebra choice_ = LinearAlgebra::kAuto;
  Elimination elimination_;
  Ordering ordering_;
  int num_velocities_ = 0;
  double operations_ = 0.0;

  // Blocks
  Column<int> block_start_;                // in the caller's order
  Column<int> block_node_, block_offset_;  // its node and its first row there
  Column<int> diagonal_, diagonal_ld_;     // its H_ii in values_
  Column<PairPlace> places_;

  // Nodes: one panel each, in order of elimination
  Column<int> member_start_, members_;  // blocks eliminated there
  Column<int> row_start_, rows_;        // later blocks that they touch, ascending in elimination order
  Column<int> row_offset_;              // first row of each of rows_ in the panel
  Column<int> node_size_, node_rows_;   // n, m
  Column<int> node_begin_;              // first velocity in elimination order
  Column<int> panel_, right_panel_;     // first entry in values_, right_
  Column<int> group_start_;             // per node: groups of rows with the same target node
  struct Group {
    int node, first_row, relative;  // target, first index into the node's rows, first index into relative_
  };
  Column<Group> groups_;
  Column<int> relative_;  // row in the target panel of each row from first_row on

  // Numbers
  Factorization kind_ = Factorization::kCholesky;
  Column<double> values_, right_, update_, update_right_, x_, gathered_;
  Column<int> pivots_;
  // Scratch of the analysis
  Column<int> parent_, column_size_, column_rows_, root_, rank_, fill_;
};

}  // namespace patchfield
