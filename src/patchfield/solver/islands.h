// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// ContactProblem → groups of trees that share no patch and no row with another group.
//
// Numbered by their first tree; trees, patches and rows of an island ascend. Trees that nothing touches, patches
// without points and rows without entries belong to none.

#pragma once

#include <span>

#include "patchfield/solver/contact_problem.h"
#include "patchfield/solver/island.h"

namespace patchfield {

class Islands {
 public:
  /// separate = false puts all touched trees into one island.
  void find(const ContactProblem& problem, bool separate);

  int size() const { return tree_start_.size() - 1; }
  IslandMembers members(int island) const;
  /// Number of each tree within its island; −1 if it is in none.
  std::span<const int> tree_local() const { return tree_local_; }

 private:
  int root(int tree);
  void join(int a, int b);
  int tree_of(const ContactProblem& problem, int velocity) const;

  Column<int> parent_, island_of_tree_, tree_local_;
  Column<int> patch_island_, row_island_;
  Column<int> tree_start_, trees_, patch_start_, patches_, row_start_, rows_, fill_;
};

}  // namespace patchfield
