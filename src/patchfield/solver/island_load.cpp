// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// ContactProblem → Island: local numbering, points into blocks of four, structure of the linear system.

#include <algorithm>
#include <cmath>

#include "patchfield/core/check.h"
#include "patchfield/solver/island.h"

namespace patchfield {
namespace {

// Points per chunk: 256. A patch below that is one chunk, and one sum.
constexpr int kChunkBlocks = 64;
// Fewer blocks than this (about 20 µs of work) are not worth a second thread.
constexpr int kParallelBlocks = 512;

}  // namespace

void Island::load(const ContactProblem& problem, const IslandMembers& members, std::span<const int> tree_local,
                  const SolverOptions& options, ThreadPool* threads) {
  use_duals_ = false;
  load_trees(problem, members.trees);
  load_patches(problem, members.patches, tree_local);
  for (IslandPatch& patch : patches) patch.law.stiction_speed = options.stiction_speed;
  load_rows(problem, members.rows, tree_local);
  load_structure(options);
  threads_ = threads != nullptr && threads->num_threads() > 1 && blocks.size() >= kParallelBlocks ? threads : nullptr;
}

void Island::load_trees(const ContactProblem& problem, std::span<const int> members) {
  trees.clear(), A.clear(), sizes_.clear();
  start.assign(1, 0);
  for (const int t : members) {
    trees.push_back(t);
    A.push_back(problem.A.data() + problem.A_start[t]);
    sizes_.push_back(problem.tree_size(t));
    start.push_back(start.back() + sizes_.back());
  }
  n_ = start.back();
  for (Column<double>* c : {&v, &v_star, &v0, &dv, &gradient, &scaling, &impulse_, &product_}) c->resize(n_);
  for (int t = 0; t < trees.size(); ++t) {
    const int from = problem.tree_start[trees[t]];
    for (int i = 0; i < sizes_[t]; ++i) {
      v0[start[t] + i] = v[start[t] + i] = problem.v0[from + i];
      v_star[start[t] + i] = problem.v_star[from + i];
      scaling[start[t] + i] = 1.0 / std::sqrt(A[t][i * (sizes_[t] + 1)]);
    }
  }
}

void Island::load_patches(const ContactProblem& problem, std::span<const int> members,
                          std::span<const int> tree_local) {
  patches.resize(static_cast<int>(members.size()));
  chunks_.clear();
  int num_blocks = 0;
  for (int p = 0; p < patches.size(); ++p) {
    IslandPatch& patch = patches[p];
    const int g = members[p];
    const PatchMaterial& material = problem.patch_material[g];
    patch.index = g;
    patch.law = {.dt = problem.dt, .mu = material.mu, .hunt_crossley = material.hunt_crossley, .stiction_speed = 0.0};
    patch.tree[0] = tree_local[problem.patch_tree0[g]];
    patch.tree[1] = problem.patch_tree1[g] < 0 ? -1 : tree_local[problem.patch_tree1[g]];
    patch.J[0] = problem.J.data() + problem.patch_J0[g];
    patch.J[1] = problem.J.data() + problem.patch_J1[g];
    patch.num_points = problem.patch_count[g];
    patch.first_block = num_blocks;
    patch.num_blocks = (patch.num_points + 3) / 4;
    num_blocks += patch.num_blocks;
    patch.first_chunk = chunks_.size();
    for (int b = 0; b < patch.num_blocks; b += kChunkBlocks)
      chunks_.push_back({p, patch.first_block + b, std::min(kChunkBlocks, patch.num_blocks - b)});
    patch.num_chunks = chunks_.size() - patch.first_chunk;
  }
  blocks.resize(num_blocks);
  duals_.resize(num_blocks);
  chunk_sums_.resize(chunks_.size());
  chunk_lines_.resize(chunks_.size());
  for (IslandPatch& patch : patches) load_points(problem, patch);
}

// r and n̂; the coefficients start as (k, φ₀, 0, a, b). Lanes without a point are all zero.
void Island::load_points(const ContactProblem& problem, IslandPatch& patch) {
  const int first = problem.patch_first[patch.index];
  const double* from[10] = {problem.rx.data() + first,         problem.ry.data() + first,
                            problem.rz.data() + first,         problem.nx.data() + first,
                            problem.ny.data() + first,         problem.nz.data() + first,
                            problem.k.data() + first,          problem.phi0.data() + first,
                            problem.convection.data() + first, problem.sliding.data() + first};
  static constexpr double(PointBlock::* kTo[10])[4] = {
      &PointBlock::rx, &PointBlock::ry, &PointBlock::rz, &PointBlock::nx, &PointBlock::ny,
      &PointBlock::nz, &PointBlock::c0, &PointBlock::c1, &PointBlock::c3, &PointBlock::c4};
  for (int b = 0; b < patch.num_blocks; ++b) {
    PointBlock& block = blocks[patch.first_block + b];
    const int lanes = std::min(4, patch.num_points - 4 * b);
    if (lanes < 4) block = {};
    for (int c = 0; c < 10; ++c) copy_lanes(from[c] + 4 * b, lanes, block.*kTo[c]);
    for (double& c2 : block.c2) c2 = 0.0;
  }
  double reach2[4] = {};
  for (int b = patch.first_block; b < patch.first_block + patch.num_blocks; ++b) {
    const PointBlock& block = blocks[b];
    for (int i = 0; i < 4; ++i) {
      const double r2 = block.rx[i] * block.rx[i] + block.ry[i] * block.ry[i] + block.rz[i] * block.rz[i];
      reach2[i] = reach2[i] < r2 ? r2 : reach2[i];
    }
  }
  patch.reach = std::sqrt(std::max(std::max(reach2[0], reach2[1]), std::max(reach2[2], reach2[3])));
}

void Island::load_rows(const ContactProblem& problem, std::span<const int> members, std::span<const int> tree_local) {
  rows.clear(), row_entries.clear();
  for (const int g : members) {
    IslandRow row{};
    row.index = g;
    row.first_entry = row_entries.size();
    row.R = problem.row_R[g], row.vhat = problem.row_vhat[g];
    row.lo = problem.row_lo[g], row.hi = problem.row_hi[g];
    for (int e = problem.row_start[g]; e < problem.row_start[g + 1]; ++e) {
      const int dof = problem.row_dof[e];
      const int t = static_cast<int>(std::upper_bound(problem.tree_start.begin(), problem.tree_start.end(), dof) -
                                     problem.tree_start.begin()) -
                    1;
      const int in_tree = dof - problem.tree_start[t], local = tree_local[t];
      row_entries.push_back({start[local] + in_tree, local, in_tree, problem.row_value[e]});
    }
    row.num_entries = row_entries.size() - row.first_entry;
    rows.push_back(row);
  }
}

int Island::find_pair(int i, int j) const {
  return static_cast<int>(std::lower_bound(pairs_.begin(), pairs_.end(), pair_key(i, j)) - pairs_.begin());
}

void Island::load_structure(const SolverOptions& options) {
  pairs_.clear();
  for (const IslandPatch& patch : patches)
    if (patch.tree[1] >= 0) pairs_.push_back(pair_key(patch.tree[0], patch.tree[1]));
  for (const IslandRow& row : rows)
    for (int a = row.first_entry; a < row.first_entry + row.num_entries; ++a)
      for (int b = row.first_entry; b < a; ++b)
        if (row_entries[a].tree != row_entries[b].tree)
          pairs_.push_back(pair_key(row_entries[a].tree, row_entries[b].tree));
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.resize(static_cast<int>(std::unique(pairs_.begin(), pairs_.end()) - pairs_.begin()));

  for (IslandPatch& patch : patches) patch.pair = patch.tree[1] < 0 ? -1 : find_pair(patch.tree[0], patch.tree[1]);
  row_pairs_.clear();
  for (IslandRow& row : rows) {
    row.first_pair = row_pairs_.size();
    for (int a = row.first_entry; a < row.first_entry + row.num_entries; ++a)
      for (int b = row.first_entry; b < a; ++b)
        if (row_entries[a].tree != row_entries[b].tree)
          row_pairs_.push_back(find_pair(row_entries[a].tree, row_entries[b].tree));
  }
  analyzed_anew = system.set_structure(sizes_, pairs_, options.linear_algebra);
}

}  // namespace patchfield
