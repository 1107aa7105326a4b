// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// [SAP] in terms of patches: R_n = max(1/(δt k(δt + τ)), β²w/(4π²)), R_t = σ w,
// v̂_n = (−φ₀ + δt·a + τ·b)/(δt + τ).
//
// Unless near-rigid, γ_n = (v̂_n − v_n)₊/R_n = δt(−kφ − d(v_n − b))₊ with φ = φ₀ + δt(v_n − a), d = τk, which without
// convection a and sliding b is [PFC eq:linear_normal_force], [PFC eq:scheme_nonpenetration] solved for f_n. τ is zero
// where φ₀ > 0.
//
// w estimates the diagonal of the Delassus operator J A⁻¹ Jᵀ at each point. One 6×6 matrix per patch,
// W = Σ_s J_s A_s⁻¹ J_sᵀ, gives it for all of the points: w = tr(B W Bᵀ)/3, B = [−[r]×, I].

#include <algorithm>
#include <cmath>
#include <numbers>

#include "patchfield/solver/dense_kernels.h"
#include "patchfield/solver/methods.h"

namespace patchfield {
namespace {

// W += J A⁻¹ Jᵀ with A = L Lᵀ: Y = L⁻¹ Jᵀ, W += YᵀY. L is n×n, lower.
void add_delassus(const double* L, int n, const double* J, double* Y, Mat6& W) {
  const Eigen::Map<const Eigen::Matrix<double, 6, Eigen::Dynamic>> Jm(J, 6, n);
  for (int i = 0; i < n; ++i) {
    // Row i of Y, six right sides at once.
    Vec6 y = Jm.col(i);
    for (int j = 0; j < i; ++j) y -= L[i + static_cast<long>(j) * n] * Eigen::Map<const Vec6>(Y + 6 * j);
    y /= L[i + static_cast<long>(i) * n];
    Eigen::Map<Vec6>(Y + 6 * i) = y;
    W += y * y.transpose();
  }
}

/// tr(B W Bᵀ) = tr(W_ωω)‖r‖² − rᵀW_ωω r + 2 r·Σ_k e_k×(W_ωv e_k) + tr(W_vv)
struct PointDelassus {
  Mat3 ww;
  Vec3 a;
  double trace_ww, trace_vv;

  explicit PointDelassus(const Mat6& W) : ww(W.topLeftCorner<3, 3>()) {
    const Mat3 wv = W.topRightCorner<3, 3>();
    a << wv(2, 1) - wv(1, 2), wv(0, 2) - wv(2, 0), wv(1, 0) - wv(0, 1);
    trace_ww = ww.trace();
    trace_vv = W(3, 3) + W(4, 4) + W(5, 5);
  }
  double at(const Vec3& r) const {
    return (trace_ww * r.squaredNorm() - r.dot(ww * r) + 2.0 * r.dot(a) + trace_vv) / 3.0;
  }
};

}  // namespace

bool SapCoefficients::set(const ContactProblem& problem, const SolverOptions& options, Island& island) {
  // Cholesky of every inertia block.
  factor_start_.assign(1, 0);
  int largest = 0;
  for (int t = 0; t < island.trees.size(); ++t) {
    const int n = island.start[t + 1] - island.start[t];
    factor_start_.push_back(factor_start_.back() + n * n);
    largest = std::max(largest, n);
  }
  factors_.resize(factor_start_.back());
  solved_.resize(6 * largest);
  for (int t = 0; t < island.trees.size(); ++t) {
    const int n = island.start[t + 1] - island.start[t];
    double* L = factors_.data() + factor_start_[t];
    std::copy_n(island.A[t], n * n, L);
    if (!cholesky_panel(L, n, 0, n)) return false;
  }

  const double dt = problem.dt;
  const double near_rigid = options.beta * options.beta / (4.0 * std::numbers::pi * std::numbers::pi);
  for (const IslandPatch& patch : island.patches) {
    Mat6 W = Mat6::Zero();
    for (int s = 0; s < 2 && patch.tree[s] >= 0; ++s) {
      const int t = patch.tree[s], n = island.start[t + 1] - island.start[t];
      add_delassus(factors_.data() + factor_start_[t], n, patch.J[s], solved_.data(), W);
    }
    const PointDelassus delassus(W);
    const double material_tau = problem.patch_material[patch.index].tau, mu = patch.law.mu;
    for (int i = 0; i < patch.num_points; ++i) {
      PointBlock& b = island.blocks[patch.first_block + i / 4];
      const int lane = i % 4;
      const double k = b.c0[lane], phi0 = b.c1[lane], a = b.c3[lane];
      // A pair that cannot move relative to each other has w = 0: any small number will do.
      const double w = std::max(delassus.at({b.rx[lane], b.ry[lane], b.rz[lane]}), 1e-12 * delassus.trace_vv + 1e-30);
      // Dissipation needs overlap. With τ, a point that waits at φ₀ > 0 would push as soon as it comes nearer than
      // (δt + τ)·v_n, over the whole margin; without, it pushes if it arrives within the step.
      const double tau = phi0 > 0.0 ? 0.0 : material_tau;
      const double Rn = std::max(1.0 / (dt * k * (dt + tau)), near_rigid * w);
      const double Rt = options.sigma * w;
      b.c0[lane] = (-phi0 + dt * a + tau * b.c4[lane]) / (dt + tau);
      b.c1[lane] = 1.0 / Rn;
      b.c2[lane] = 1.0 / Rt;
      b.c3[lane] = 1.0 / (Rn + mu * mu * Rt);
    }
  }
  return true;
}

}  // namespace patchfield
