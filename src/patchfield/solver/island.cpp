// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/solver/island.h"

#include <algorithm>
#include <cmath>

#include "patchfield/solver/dense_kernels.h"

namespace patchfield {
namespace {

using Mat6X = Eigen::Map<const Eigen::Matrix<double, 6, Eigen::Dynamic>>;

}  // namespace

// V = Σ_s J_s v_s
void Island::twists(const double* velocities, bool of_step) {
  for (IslandPatch& patch : patches) {
    Vec6 V = Vec6::Zero();
    for (int s = 0; s < 2 && patch.tree[s] >= 0; ++s) {
      const int t = patch.tree[s], n = sizes_[t];
      const Mat6X J(patch.J[s], 6, n);
      for (int j = 0; j < n; ++j) V += J.col(j) * velocities[start[t] + j];
    }
    (of_step ? patch.dV : patch.V) = V;
  }
}

void Island::start_duals() {
  use_duals_ = true;
  std::fill(duals_.begin(), duals_.end(), DualBlock{});
}

void Island::update_duals(PointLaw law) {
  twists(dv.data(), true);
  for_each_chunk([&](int c) {
    const Chunk& chunk = chunks_[c];
    const IslandPatch& patch = patches[chunk.patch];
    patchfield::update_duals(law, patch.law, blocks.data() + chunk.first_block, chunk.num_blocks, patch.V, patch.dV,
                             duals_.data() + chunk.first_block);
  });
}

void Island::sum_patches(PointLaw law, bool with_hessian) {
  for_each_chunk([&](int c) {
    const Chunk& chunk = chunks_[c];
    IslandPatch& patch = patches[chunk.patch];
    PatchSums& out = patch.num_chunks == 1 ? patch.sums : chunk_sums_[c];
    const DualBlock* duals = use_duals_ ? duals_.data() + chunk.first_block : nullptr;
    const PointBlock* first = blocks.data() + chunk.first_block;
    if (with_hessian) sum_points(law, patch.law, first, duals, chunk.num_blocks, patch.V, out);
    else sum_impulses(law, patch.law, first, chunk.num_blocks, patch.V, out);
  });
  for (IslandPatch& patch : patches) {
    if (patch.num_chunks == 1) continue;
    patch.sums = chunk_sums_[patch.first_chunk];
    for (int c = patch.first_chunk + 1; c < patch.first_chunk + patch.num_chunks; ++c) {
      patch.sums.H += chunk_sums_[c].H;
      patch.sums.F += chunk_sums_[c].F;
      patch.sums.cost += chunk_sums_[c].cost;
    }
  }
}

// γ = clamp(y, lo, hi), y = (v̂ − J v)/R. Its potential is R(γ y − ½γ²): quadratic inside, linear outside.
double Island::evaluate_rows() {
  double sum = 0.0;
  for (IslandRow& row : rows) {
    double Jv = 0.0;
    for (int e = row.first_entry; e < row.first_entry + row.num_entries; ++e)
      Jv += row_entries[e].value * v[row_entries[e].velocity];
    const double y = (row.vhat - Jv) / row.R;
    row.gamma = std::min(std::max(y, row.lo), row.hi);
    row.weight = row.lo < y && y < row.hi ? 1.0 / row.R : 0.0;
    sum += row.R * row.gamma * (y - 0.5 * row.gamma);
    for (int e = row.first_entry; e < row.first_entry + row.num_entries; ++e)
      impulse_[row_entries[e].velocity] += row_entries[e].value * row.gamma;
  }
  return sum;
}

// g = A(v − v*) − Jᵀγ, its cost and norms.
void Island::add_momentum() {
  double momentum2 = 0.0, impulse2 = 0.0, residual2 = 0.0, energy = 0.0;
  for (int t = 0; t < trees.size(); ++t) {
    const int n = sizes_[t], s = start[t];
    for (int i = 0; i < n; ++i) {
      // Row i by column i: A is symmetric.
      const double* column = A[t] + static_cast<long>(i) * n;
      double Av = 0.0, Adv = 0.0;
      for (int j = 0; j < n; ++j) Av += column[j] * v[s + j], Adv += column[j] * (v[s + j] - v_star[s + j]);
      energy += 0.5 * Adv * (v[s + i] - v_star[s + i]);
      gradient[s + i] = Adv - impulse_[s + i];
      const double D = scaling[s + i];
      momentum2 += (D * Av) * (D * Av);
      impulse2 += (D * impulse_[s + i]) * (D * impulse_[s + i]);
      residual2 += (D * gradient[s + i]) * (D * gradient[s + i]);
    }
  }
  cost += energy;
  residual = std::sqrt(residual2);
  scale = std::sqrt(std::max(momentum2, impulse2));
}

void Island::evaluate(PointLaw law, bool with_hessian) {
  twists(v.data(), false);
  sum_patches(law, with_hessian);
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  cost = 0.0;
  for (const IslandPatch& patch : patches) {
    cost += patch.sums.cost;
    for (int s = 0; s < 2 && patch.tree[s] >= 0; ++s) {
      const int t = patch.tree[s], n = sizes_[t];
      const Mat6X J(patch.J[s], 6, n);
      for (int j = 0; j < n; ++j) impulse_[start[t] + j] += J.col(j).dot(patch.sums.F);
    }
  }
  cost += evaluate_rows();
  add_momentum();
}

void Island::prepare_line() {
  twists(dv.data(), true);
  line_momentum_ = line_inertia_ = 0.0;
  for (int t = 0; t < trees.size(); ++t) {
    const int n = sizes_[t], s = start[t];
    for (int i = 0; i < n; ++i) {
      const double* column = A[t] + static_cast<long>(i) * n;
      double Ad = 0.0;
      for (int j = 0; j < n; ++j) Ad += column[j] * dv[s + j];
      line_momentum_ += Ad * (v[s + i] - v_star[s + i]);
      line_inertia_ += Ad * dv[s + i];
    }
  }
}

LineSums Island::evaluate_line(PointLaw law, double alpha) {
  for_each_chunk([&](int c) {
    const Chunk& chunk = chunks_[c];
    const IslandPatch& patch = patches[chunk.patch];
    const Vec6 V = patch.V + alpha * patch.dV;
    chunk_lines_[c] =
        sum_points_along(law, patch.law, blocks.data() + chunk.first_block, chunk.num_blocks, V, patch.dV);
  });
  LineSums out{line_momentum_ + alpha * line_inertia_, line_inertia_};
  for (const LineSums& chunk : chunk_lines_) out.slope += chunk.slope, out.curvature += chunk.curvature;
  for (const IslandRow& row : rows) {
    double Jv = 0.0, Jd = 0.0;
    for (int e = row.first_entry; e < row.first_entry + row.num_entries; ++e) {
      const IslandRowEntry& entry = row_entries[e];
      Jv += entry.value * (v[entry.velocity] + alpha * dv[entry.velocity]);
      Jd += entry.value * dv[entry.velocity];
    }
    const double y = (row.vhat - Jv) / row.R;
    out.slope -= std::min(std::max(y, row.lo), row.hi) * Jd;
    if (row.lo < y && y < row.hi) out.curvature += Jd * Jd / row.R;
  }
  return out;
}

void Island::add_patch_hessian(const IslandPatch& patch, Factorization kind) {
  const Mat6& H = patch.sums.H;
  for (int s = 0; s < 2 && patch.tree[s] >= 0; ++s) {
    const int t = patch.tree[s], n = sizes_[t];
    add_congruence(patch.J[s], n, H.data(), patch.J[s], n, system.diagonal(t), system.diagonal_ld(t));
  }
  if (patch.pair < 0) return;
  const int i = patch.tree[0] < patch.tree[1] ? 0 : 1, j = 1 - i;
  const int ni = sizes_[patch.tree[i]], nj = sizes_[patch.tree[j]];
  block_.assign(ni * nj, 0.0);
  add_congruence(patch.J[i], ni, H.data(), patch.J[j], nj, block_.data(), ni);
  system.add_pair(patch.pair, block_.data());
  if (kind == Factorization::kCholesky) return;
  block_.assign(ni * nj, 0.0);
  add_congruence(patch.J[j], nj, H.data(), patch.J[i], ni, block_.data(), nj);
  system.add_pair_transposed_side(patch.pair, block_.data());
}

void Island::add_row_hessian(const IslandRow& row) {
  if (row.weight == 0.0) return;
  int pair = row.first_pair;
  for (int a = row.first_entry; a < row.first_entry + row.num_entries; ++a) {
    const IslandRowEntry& ea = row_entries[a];
    for (int b = row.first_entry; b <= a; ++b) {
      const IslandRowEntry& eb = row_entries[b];
      const double x = row.weight * ea.value * eb.value;
      if (ea.tree != eb.tree) {
        const IslandRowEntry& lower = ea.tree < eb.tree ? ea : eb;
        const IslandRowEntry& upper = ea.tree < eb.tree ? eb : ea;
        system.add_symmetric_pair_entry(row_pairs_[pair++], lower.in_tree, upper.in_tree, x);
      } else {
        system.add_diagonal_entry(ea.tree, ea.in_tree, eb.in_tree, x);
        if (a != b) system.add_diagonal_entry(ea.tree, eb.in_tree, ea.in_tree, x);
      }
    }
  }
}

bool Island::factor(Factorization kind) {
  system.set_zero(kind);
  for (int t = 0; t < trees.size(); ++t) system.add_diagonal(t, A[t], sizes_[t]);
  for (const IslandPatch& patch : patches) add_patch_hessian(patch, kind);
  for (const IslandRow& row : rows) add_row_hessian(row);
  return system.factor();
}

void Island::solve_step() {
  for (int i = 0; i < n_; ++i) dv[i] = -gradient[i];
  system.solve(dv.data());
}

double Island::step_error() {
  for (int t = 0; t < trees.size(); ++t) {
    const int n = sizes_[t], s = start[t];
    for (int i = 0; i < n; ++i) {
      const double* column = A[t] + static_cast<long>(i) * n;
      double sum = gradient[s + i];
      for (int j = 0; j < n; ++j) sum += column[j] * dv[s + j];
      product_[s + i] = sum;
    }
  }
  for (const IslandPatch& patch : patches) {
    const Vec6 HdV = patch.sums.H * patch.dV;
    for (int s = 0; s < 2 && patch.tree[s] >= 0; ++s) {
      const int t = patch.tree[s], n = sizes_[t];
      const Mat6X J(patch.J[s], 6, n);
      for (int j = 0; j < n; ++j) product_[start[t] + j] += J.col(j).dot(HdV);
    }
  }
  for (const IslandRow& row : rows) {
    double Jd = 0.0;
    for (int e = row.first_entry; e < row.first_entry + row.num_entries; ++e)
      Jd += row_entries[e].value * dv[row_entries[e].velocity];
    for (int e = row.first_entry; e < row.first_entry + row.num_entries; ++e)
      product_[row_entries[e].velocity] += row.weight * Jd * row_entries[e].value;
  }
  double error2 = 0.0;
  for (int i = 0; i < n_; ++i) error2 += (scaling[i] * product_[i]) * (scaling[i] * product_[i]);
  return std::sqrt(error2) / residual;
}

}  // namespace patchfield
