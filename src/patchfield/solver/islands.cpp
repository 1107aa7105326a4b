// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/solver/islands.h"

#include <algorithm>

namespace patchfield {
namespace {

// Items with island[i] ≥ 0, grouped by island, ascending within each.
void group_by_island(const Column<int>& island, int num_islands, Column<int>& start, Column<int>& items,
                     Column<int>& fill) {
  start.assign(num_islands + 1, 0);
  for (const int k : island)
    if (k >= 0) ++start[k + 1];
  for (int k = 0; k < num_islands; ++k) start[k + 1] += start[k];
  items.resize(start[num_islands]);
  fill = start;
  for (int i = 0; i < island.size(); ++i)
    if (island[i] >= 0) items[fill[island[i]]++] = i;
}

std::span<const int> part(const Column<int>& start, const Column<int>& items, int k) {
  return {items.data() + start[k], static_cast<std::size_t>(start[k + 1] - start[k])};
}

}  // namespace

int Islands::root(int tree) {
  while (parent_[tree] != tree) tree = parent_[tree] = parent_[parent_[tree]];
  return tree;
}

// The smaller root wins, so that an island is named by its first tree.
void Islands::join(int a, int b) {
  a = root(a), b = root(b);
  if (a < b) parent_[b] = a;
  else parent_[a] = b;
}

int Islands::tree_of(const ContactProblem& problem, int velocity) const {
  return static_cast<int>(std::upper_bound(problem.tree_start.begin(), problem.tree_start.end(), velocity) -
                          problem.tree_start.begin()) -
         1;
}

void Islands::find(const ContactProblem& problem, bool separate) {
  const int n = problem.num_trees();
  parent_.resize(n);
  island_of_tree_.assign(n, -1);  // here: −1 untouched, −2 touched
  for (int t = 0; t < n; ++t) parent_[t] = t;
  int any = -1;
  auto touch = [&](int t) {
    island_of_tree_[t] = -2;
    if (!separate && any >= 0) join(t, any);
    any = t;
  };
  for (int p = 0; p < problem.num_patches(); ++p) {
    if (problem.patch_count[p] == 0) continue;
    touch(problem.patch_tree0[p]);
    if (problem.patch_tree1[p] < 0) continue;
    touch(problem.patch_tree1[p]);
    join(problem.patch_tree0[p], problem.patch_tree1[p]);
  }
  for (int r = 0; r < problem.num_rows(); ++r) {
    for (int e = problem.row_start[r]; e < problem.row_start[r + 1]; ++e) {
      touch(tree_of(problem, problem.row_dof[e]));
      join(tree_of(problem, problem.row_dof[e]), tree_of(problem, problem.row_dof[problem.row_start[r]]));
    }
  }

  int num_islands = 0;
  for (int t = 0; t < n; ++t) {
    if (island_of_tree_[t] == -1) continue;
    island_of_tree_[t] = root(t) == t ? num_islands++ : island_of_tree_[root(t)];
  }
  patch_island_.assign(problem.num_patches(), -1);
  for (int p = 0; p < problem.num_patches(); ++p)
    if (problem.patch_count[p] > 0) patch_island_[p] = island_of_tree_[problem.patch_tree0[p]];
  row_island_.assign(problem.num_rows(), -1);
  for (int r = 0; r < problem.num_rows(); ++r)
    if (problem.row_start[r] < problem.row_start[r + 1])
      row_island_[r] = island_of_tree_[tree_of(problem, problem.row_dof[problem.row_start[r]])];

  group_by_island(island_of_tree_, num_islands, tree_start_, trees_, fill_);
  group_by_island(patch_island_, num_islands, patch_start_, patches_, fill_);
  group_by_island(row_island_, num_islands, row_start_, rows_, fill_);
  tree_local_.assign(n, -1);
  for (int k = 0; k < num_islands; ++k)
    for (int a = tree_start_[k]; a < tree_start_[k + 1]; ++a) tree_local_[trees_[a]] = a - tree_start_[k];
}

IslandMembers Islands::members(int island) const {
  return {part(tree_start_, trees_, island), part(patch_start_, patches_, island), part(row_start_, rows_, island)};
}

}  // namespace patchfield
