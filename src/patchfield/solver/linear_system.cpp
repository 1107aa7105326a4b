// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The numerical half of LinearSystem: fill the panels, factor them, solve.

#include "patchfield/solver/linear_system.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "patchfield/core/check.h"
#include "patchfield/solver/dense_kernels.h"

namespace patchfield {

void LinearSystem::set_zero(Factorization kind) {
  kind_ = kind;
  values_.assign(panel_.back(), 0.0);
  if (kind == Factorization::kLu) right_.assign(right_panel_.back(), 0.0), pivots_.resize(num_velocities_);
}

void LinearSystem::add_diagonal(int i, const double* M, int ldm) {
  const int n = graph_.size[i], ld = diagonal_ld_[i];
  double* to = values_.data() + diagonal_[i];
  for (int c = 0; c < n; ++c)
    for (int r = 0; r < n; ++r) to[r + c * ld] += M[r + c * ldm];
}

namespace {

// Y += X (rows×columns) or Y += Xᵀ.
void add_block(double* Y, int ldy, const double* X, int rows, int columns, bool transpose) {
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < rows; ++r) Y[transpose ? c + r * ldy : r + c * ldy] += X[r + c * rows];
}

}  // namespace

void LinearSystem::add_pair(int pair, const double* M) {
  const PairPlace& p = places_[pair];
  const int ni = graph_.size[p.i], nj = graph_.size[p.j];
  // H_ij is the lower block if i comes later. If j does, it is the upper block, and Cholesky keeps its transpose.
  if (!p.later_is_j) add_block(values_.data() + p.lower, p.lower_ld, M, ni, nj, false);
  else if (kind_ == Factorization::kCholesky) add_block(values_.data() + p.lower, p.lower_ld, M, ni, nj, true);
  else add_block((p.same_node ? values_ : right_).data() + p.upper, p.upper_ld, M, ni, nj, !p.same_node);
}

void LinearSystem::add_pair_transposed_side(int pair, const double* M) {
  PATCHFIELD_ASSERT_HOT(kind_ == Factorization::kLu);
  const PairPlace& p = places_[pair];
  const int ni = graph_.size[p.i], nj = graph_.size[p.j];
  if (p.later_is_j) add_block(values_.data() + p.lower, p.lower_ld, M, nj, ni, false);
  else add_block((p.same_node ? values_ : right_).data() + p.upper, p.upper_ld, M, nj, ni, !p.same_node);
}

void LinearSystem::add_symmetric_pair_entry(int pair, int r, int c, double x) {
  const PairPlace& p = places_[pair];
  const int later = p.later_is_j ? c : r, earlier = p.later_is_j ? r : c;
  values_[p.lower + later + earlier * p.lower_ld] += x;
  if (kind_ == Factorization::kCholesky) return;
  if (p.same_node) values_[p.upper + earlier + later * p.upper_ld] += x;
  else right_[p.upper + later + earlier * p.upper_ld] += x;
}

bool LinearSystem::factor() {
  for (int c = 0; c < num_nodes(); ++c) {
    const int n = node_size_[c], m = node_rows_[c], ld = n + m;
    double* P = values_.data() + panel_[c];
    if (kind_ == Factorization::kCholesky) {
      if (!cholesky_panel(P, n, m, ld)) return false;
    } else {
      double* Q = right_.data() + right_panel_[c];
      if (!lu_panel(P, n, m, ld, Q, m, pivots_.data() + node_begin_[c])) return false;
    }
    if (m > 0) scatter_update(c);
  }
  return true;
}

// H ← H − S Sᵀ (or S Qᵀ) on the velocities that this node touches.
void LinearSystem::scatter_update(int node) {
  const int n = node_size_[node], m = node_rows_[node], ld = n + m;
  const bool lu = kind_ == Factorization::kLu;
  const double* S = values_.data() + panel_[node] + n;
  const double* Q = lu ? right_.data() + right_panel_[node] : S;
  update_.resize(m * m);
  outer_product_lower(S, ld, Q, lu ? m : ld, m, n, update_.data(), m);
  if (lu) {
    update_right_.resize(m * m);
    outer_product_lower(Q, m, S, ld, m, n, update_right_.data(), m);
  }
  const int* rows = rows_.data() + row_start_[node];
  const int* offsets = row_offset_.data() + row_start_[node];
  const int num_rows = row_start_[node + 1] - row_start_[node];
  for (int g = group_start_[node]; g < group_start_[node + 1]; ++g) {
    const Group& group = groups_[g];
    const int target = group.node, tn = node_size_[target], tm = node_rows_[target], tld = tn + tm;
    double* P = values_.data() + panel_[target];
    double* R = lu ? right_.data() + right_panel_[target] : nullptr;
    const int* relative = relative_.data() + group.relative - group.first_row;
    const int end = g + 1 < group_start_[node + 1] ? groups_[g + 1].first_row : num_rows;
    for (int j = group.first_row; j < end; ++j) {
      const int nj = graph_.size[rows[j]], uj = offsets[j] - n;
      for (int c = 0; c < nj; ++c) {
        const double* U = update_.data() + static_cast<long>(uj + c) * m;
        double* column = P + static_cast<long>(relative[j] + c) * tld;
        for (int i = j; i < num_rows; ++i) {
          const int ni = graph_.size[rows[i]], ui = offsets[i] - n, to = relative[i];
          for (int r = i == j ? c : 0; r < ni; ++r) column[to + r] -= U[ui + r];
        }
        if (!lu) continue;
        const double* V = update_right_.data() + static_cast<long>(uj + c) * m;
        for (int i = j; i < num_rows; ++i) {
          const int ni = graph_.size[rows[i]], ui = offsets[i] - n, to = relative[i];
          for (int r = i == j ? c + 1 : 0; r < ni; ++r) {
            if (to < tn) P[relative[j] + c + static_cast<long>(to + r) * tld] -= V[ui + r];
            else R[to - tn + r + static_cast<long>(relative[j] + c) * tm] -= V[ui + r];
          }
        }
      }
    }
  }
}

void LinearSystem::solve(double* b) {
  // Into the order of elimination and back.
  x_.resize(num_velocities_);
  for (int i = 0; i < graph_.num_blocks(); ++i)
    std::copy_n(b + block_start_[i], graph_.size[i], x_.data() + node_begin_[block_node_[i]] + block_offset_[i]);
  gathered_.resize(num_velocities_);
  if (kind_ == Factorization::kCholesky) solve_cholesky(x_.data());
  else solve_lu(x_.data());
  for (int i = 0; i < graph_.num_blocks(); ++i)
    std::copy_n(x_.data() + node_begin_[block_node_[i]] + block_offset_[i], graph_.size[i], b + block_start_[i]);
}

void LinearSystem::subtract_from_rows(int node, const double* update, double* x) const {
  for (int a = row_start_[node]; a < row_start_[node + 1]; ++a) {
    const int block = rows_[a];
    double* to = x + node_begin_[block_node_[block]] + block_offset_[block];
    const double* from = update + row_offset_[a] - node_size_[node];
    for (int r = 0; r < graph_.size[block]; ++r) to[r] -= from[r];
  }
}

void LinearSystem::gather_rows(int node, const double* x, double* out) const {
  for (int a = row_start_[node]; a < row_start_[node + 1]; ++a) {
    const int block = rows_[a];
    std::copy_n(x + node_begin_[block_node_[block]] + block_offset_[block], graph_.size[block],
                out + row_offset_[a] - node_size_[node]);
  }
}

void LinearSystem::solve_cholesky(double* x) {
  for (int c = 0; c < num_nodes(); ++c) {
    const int n = node_size_[c], m = node_rows_[c], ld = n + m;
    const double* P = values_.data() + panel_[c];
    double* y = x + node_begin_[c];
    std::fill_n(gathered_.data(), m, 0.0);
    for (int j = 0; j < n; ++j) {
      const double* column = P + static_cast<long>(j) * ld;
      y[j] /= column[j];
      for (int r = j + 1; r < n; ++r) y[r] -= column[r] * y[j];
      for (int r = 0; r < m; ++r) gathered_[r] += column[n + r] * y[j];
    }
    subtract_from_rows(c, gathered_.data(), x);
  }
  for (int c = num_nodes() - 1; c >= 0; --c) {
    const int n = node_size_[c], m = node_rows_[c], ld = n + m;
    const double* P = values_.data() + panel_[c];
    double* y = x + node_begin_[c];
    gather_rows(c, x, gathered_.data());
    for (int j = n - 1; j >= 0; --j) {
      const double* column = P + static_cast<long>(j) * ld;
      const double known =
          dot_product(column + j + 1, y + j + 1, n - j - 1) + dot_product(column + n, gathered_.data(), m);
      y[j] = (y[j] - known) / column[j];
    }
  }
}

void LinearSystem::solve_lu(double* x) {
  for (int c = 0; c < num_nodes(); ++c) {
    const int n = node_size_[c], m = node_rows_[c], ld = n + m;
    const double* P = values_.data() + panel_[c];
    double* y = x + node_begin_[c];
    std::fill_n(gathered_.data(), m, 0.0);
    for (int j = 0; j < n; ++j) std::swap(y[j], y[pivots_[node_begin_[c] + j]]);
    for (int j = 0; j < n; ++j) {
      const double* column = P + static_cast<long>(j) * ld;
      for (int r = j + 1; r < n; ++r) y[r] -= column[r] * y[j];
      for (int r = 0; r < m; ++r) gathered_[r] += column[n + r] * y[j];
    }
    subtract_from_rows(c, gathered_.data(), x);
  }
  for (int c = num_nodes() - 1; c >= 0; --c) {
    const int n = node_size_[c], m = node_rows_[c], ld = n + m;
    const double* P = values_.data() + panel_[c];
    const double* Q = right_.data() + right_panel_[c];
    double* y = x + node_begin_[c];
    gather_rows(c, x, gathered_.data());
    for (int j = n - 1; j >= 0; --j) {
      double sum = y[j] - dot_product(Q + static_cast<long>(j) * m, gathered_.data(), m);
      for (int r = j + 1; r < n; ++r) sum -= P[j + static_cast<long>(r) * ld] * y[r];
      y[j] = sum / P[j + static_cast<long>(j) * ld];
    }
  }
}

}  // namespace patchfield
