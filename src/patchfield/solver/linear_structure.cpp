// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The structural half of LinearSystem: which panels there are and where every block goes.

#include <algorithm>

#include "patchfield/core/check.h"
#include "patchfield/solver/linear_system.h"

namespace patchfield {
namespace {

// Operations to eliminate n velocities that touch m later ones, plus what a panel costs by being one
// (about 0.1 µs of loops, calls and scatter).
double panel_operations(double n, double m) { return n * n * n / 3.0 + n * n * m + n * m * m + m * m + 300.0; }

// Too small for an order to matter.
constexpr int kAlwaysDense = 12;

}  // namespace

bool LinearSystem::set_structure(std::span<const int> block_sizes, std::span<const std::uint64_t> pairs,
                                 LinearAlgebra choice) {
  const int n = static_cast<int>(block_sizes.size()), num_pairs = static_cast<int>(pairs.size());
  if (choice == choice_ && n == graph_.num_blocks() && num_pairs == pairs_.size() &&
      std::equal(block_sizes.begin(), block_sizes.end(), graph_.size.begin()) &&
      std::equal(pairs.begin(), pairs.end(), pairs_.begin()))
    return false;
  choice_ = choice;
  graph_.size.resize(n);
  std::copy(block_sizes.begin(), block_sizes.end(), graph_.size.begin());
  pairs_.resize(num_pairs);
  std::copy(pairs.begin(), pairs.end(), pairs_.begin());

  // Both directions of every pair, in rows.
  graph_.start.assign(n + 1, 0);
  for (const std::uint64_t key : pairs_)
    ++graph_.start[static_cast<int>(key >> 32) + 1], ++graph_.start[static_cast<int>(key & 0xffffffffu) + 1];
  for (int i = 0; i < n; ++i) graph_.start[i + 1] += graph_.start[i];
  graph_.neighbor.resize(2 * num_pairs);
  fill_ = graph_.start;
  for (const std::uint64_t key : pairs_) {
    const int i = static_cast<int>(key >> 32), j = static_cast<int>(key & 0xffffffffu);
    graph_.neighbor[fill_[i]++] = j;
    graph_.neighbor[fill_[j]++] = i;
  }
  analyze(choice);
  return true;
}

void LinearSystem::analyze(LinearAlgebra choice) {
  const int n = graph_.num_blocks();
  block_start_.assign(1, 0);
  for (int i = 0; i < n; ++i) block_start_.push_back(block_start_.back() + graph_.size[i]);
  num_velocities_ = block_start_.back();
  const double dense = panel_operations(num_velocities_, 0.0);
  operations_ = dense;

  bool sparse = choice == LinearAlgebra::kSparse;
  if (choice == LinearAlgebra::kAuto && n > 1 && num_velocities_ > kAlwaysDense) sparse = true;
  if (sparse) {
    ordering_.minimum_degree(graph_, elimination_);
    merge_columns();
    if (choice == LinearAlgebra::kAuto && operations_ >= dense) sparse = false;
  }
  if (sparse) make_sparse();
  else make_dense();
  place_nodes();
  place_updates();
  place_blocks();
}

void LinearSystem::make_dense() {
  const int n = graph_.num_blocks();
  operations_ = panel_operations(num_velocities_, 0.0);
  member_start_.assign(1, 0), row_start_.assign(2, 0);
  members_.clear(), rows_.clear();
  for (int i = 0; i < n; ++i) members_.push_back(i);
  member_start_.push_back(n);
}

// Columns of the elimination tree → nodes: a column joins its parent where one larger panel is cheaper than two.
// The rows of a column are its parent and rows of its parent, so the parent's rows serve both.
void LinearSystem::merge_columns() {
  const Elimination& e = elimination_;
  const int n = graph_.num_blocks();
  parent_.assign(n, -1), column_size_.resize(n), column_rows_.assign(n, 0), root_.resize(n);
  for (int k = 0; k < n; ++k) {
    column_size_[k] = graph_.size[e.order[k]];
    root_[k] = k;
    for (int a = e.row_start[k]; a < e.row_start[k + 1]; ++a) {
      const int position = e.position[e.rows[a]];
      column_rows_[k] += graph_.size[e.rows[a]];
      if (parent_[k] < 0 || position < parent_[k]) parent_[k] = position;
    }
  }
  operations_ = 0.0;
  for (int k = 0; k < n; ++k) {
    const int p = parent_[k];
    const double alone = panel_operations(column_size_[k], column_rows_[k]);
    if (p >= 0) {
      const double apart = alone + panel_operations(column_size_[p], column_rows_[p]);
      if (panel_operations(column_size_[k] + column_size_[p], column_rows_[p]) <= apart) {
        root_[k] = p;
        column_size_[p] += column_size_[k];
        continue;
      }
    }
    operations_ += alone;
  }
  for (int k = n - 1; k >= 0; --k) root_[k] = root_[root_[k]];
}

void LinearSystem::make_sparse() {
  const Elimination& e = elimination_;
  const int n = graph_.num_blocks();
  // Roots number the nodes; members by counting sort, in order of elimination.
  rank_.assign(n, -1);
  member_start_.assign(1, 0);
  for (int k = 0; k < n; ++k)
    if (root_[k] == k) rank_[k] = member_start_.size() - 1, member_start_.push_back(0);
  for (int k = 0; k < n; ++k) ++member_start_[rank_[root_[k]] + 1];
  for (int c = 0; c + 1 < member_start_.size(); ++c) member_start_[c + 1] += member_start_[c];
  fill_ = member_start_;
  members_.resize(n);
  for (int k = 0; k < n; ++k) members_[fill_[rank_[root_[k]]]++] = e.order[k];

  // Rows of a node: those of its root column, in the order in which they will be eliminated.
  fill_.resize(n);
  for (int a = 0; a < n; ++a) fill_[members_[a]] = a;
  row_start_.assign(1, 0);
  rows_.clear();
  for (int k = 0; k < n; ++k) {
    if (root_[k] != k) continue;
    for (int a = e.row_start[k]; a < e.row_start[k + 1]; ++a) rows_.push_back(e.rows[a]);
    std::sort(rows_.begin() + row_start_.back(), rows_.end(), [&](int a, int b) { return fill_[a] < fill_[b]; });
    row_start_.push_back(rows_.size());
  }
}

void LinearSystem::place_nodes() {
  const int num_nodes = member_start_.size() - 1, n = graph_.num_blocks();
  node_size_.resize(num_nodes), node_rows_.resize(num_nodes);
  node_begin_.assign(1, 0), panel_.assign(1, 0), right_panel_.assign(1, 0);
  block_node_.resize(n), block_offset_.resize(n), row_offset_.resize(rows_.size());
  for (int c = 0; c < num_nodes; ++c) {
    int offset = 0;
    for (int a = member_start_[c]; a < member_start_[c + 1]; ++a) {
      block_node_[members_[a]] = c;
      block_offset_[members_[a]] = offset;
      offset += graph_.size[members_[a]];
    }
    node_size_[c] = offset;
    for (int a = row_start_[c]; a < row_start_[c + 1]; ++a) {
      row_offset_[a] = offset;
      offset += graph_.size[rows_[a]];
    }
    node_rows_[c] = offset - node_size_[c];
    node_begin_.push_back(node_begin_.back() + node_size_[c]);
    panel_.push_back(panel_.back() + offset * node_size_[c]);
    right_panel_.push_back(right_panel_.back() + node_rows_[c] * node_size_[c]);
  }
}

int LinearSystem::row_in_node(int node, int block) const {
  if (block_node_[block] == node) return block_offset_[block];
  for (int a = row_start_[node]; a < row_start_[node + 1]; ++a)
    if (rows_[a] == block) return row_offset_[a];
  PATCHFIELD_ASSERT(!"the fill of a column is missing in a later one");
  return -1;
}

// Where each node's update S Sᵀ lands: its columns go to the nodes of its rows.
void LinearSystem::place_updates() {
  group_start_.assign(1, 0);
  groups_.clear(), relative_.clear();
  fill_.assign(graph_.num_blocks(), -1);
  for (int c = 0; c < num_nodes(); ++c) {
    const int begin = row_start_[c], end = row_start_[c + 1];
    for (int a = begin; a < end; ++a) {
      const int target = block_node_[rows_[a]];
      if (a > begin && block_node_[rows_[a - 1]] == target) continue;
      groups_.push_back({target, a - begin, relative_.size()});
      for (int b = row_start_[target]; b < row_start_[target + 1]; ++b) fill_[rows_[b]] = row_offset_[b];
      for (int b = a; b < end; ++b) {
        const int block = rows_[b];
        relative_.push_back(block_node_[block] == target ? block_offset_[block] : fill_[block]);
      }
    }
    group_start_.push_back(groups_.size());
  }
}

void LinearSystem::place_blocks() {
  const int n = graph_.num_blocks();
  diagonal_.resize(n), diagonal_ld_.resize(n);
  for (int i = 0; i < n; ++i) {
    const int c = block_node_[i], ld = node_size_[c] + node_rows_[c];
    diagonal_[i] = panel_[c] + block_offset_[i] * (ld + 1);
    diagonal_ld_[i] = ld;
  }
  places_.clear();
  for (const std::uint64_t key : pairs_) {
    PairPlace p{};
    p.i = static_cast<int>(key >> 32), p.j = static_cast<int>(key & 0xffffffffu);
    const int ci = block_node_[p.i], cj = block_node_[p.j];
    p.same_node = ci == cj;
    p.later_is_j = p.same_node ? block_offset_[p.j] > block_offset_[p.i] : cj > ci;
    const int earlier = p.later_is_j ? p.i : p.j, later = p.later_is_j ? p.j : p.i;
    const int c = block_node_[earlier], ld = node_size_[c] + node_rows_[c];
    const int row = row_in_node(c, later), column = block_offset_[earlier];
    p.lower = panel_[c] + row + column * ld;
    p.lower_ld = ld;
    p.upper =
        p.same_node ? panel_[c] + column + row * ld : right_panel_[c] + row - node_size_[c] + column * node_rows_[c];
    p.upper_ld = p.same_node ? ld : node_rows_[c];
    places_.push_back(p);
  }
}

}  // namespace patchfield
