// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The solvers' costs written the slow way, straight from theory.md §5: one 3×n_v Jacobian per point, dense
// matrices, no patches; and a general-purpose minimiser. An oracle for the fast code, which shares none of it.

#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <Eigen/Dense>

#include "patchfield/solver/contact_problem.h"
#include "patchfield/solver/solver.h"

namespace patchfield::testing {

inline MatX dense_inertia(const ContactProblem& p) {
  MatX A = MatX::Zero(p.num_velocities(), p.num_velocities());
  for (int t = 0; t < p.num_trees(); ++t) {
    const int n = p.tree_size(t);
    A.block(p.tree_start[t], p.tree_start[t], n, n) = Eigen::Map<const MatX>(p.A.data() + p.A_start[t], n, n);
  }
  return A;
}

inline VecX vector_of(const Column<double>& c) { return Eigen::Map<const VecX>(c.data(), c.size()); }

/// v_c of point i of patch p is J v.
inline MatX point_jacobian(const ContactProblem& p, int patch, int i) {
  MatX J6 = MatX::Zero(6, p.num_velocities());
  const int t0 = p.patch_tree0[patch], t1 = p.patch_tree1[patch];
  J6.middleCols(p.tree_start[t0], p.tree_size(t0)) =
      Eigen::Map<const MatX>(p.J.data() + p.patch_J0[patch], 6, p.tree_size(t0));
  if (t1 >= 0)
    J6.middleCols(p.tree_start[t1], p.tree_size(t1)) =
        Eigen::Map<const MatX>(p.J.data() + p.patch_J1[patch], 6, p.tree_size(t1));
  Mat3 r;
  r << 0, -p.rz[i], p.ry[i], p.rz[i], 0, -p.rx[i], -p.ry[i], p.rx[i], 0;
  return J6.bottomRows(3) - r * J6.topRows(3);
}

/// argmin of ½(γ − y)ᵀR(γ − y) over ‖γ_t‖ ≤ μγ_n, straight from its definition. For a given γ_n the best γ_t is y_t cut
/// to the length μγ_n; what remains is convex in γ_n ≥ 0, and its slope is bisected down to the last bit.
inline Vec3 project_on_cone(double y_n, const Vec3& y_t, const Vec3& n, double mu, double Rn, double Rt) {
  const double length = y_t.norm();
  const auto slope = [&](double g) { return Rn * (g - y_n) - mu * Rt * std::max(0.0, length - mu * g); };
  double lo = 0.0, hi = std::max(0.0, y_n) + mu * Rt * length / Rn;
  if (slope(0.0) >= 0.0) hi = 0.0;
  for (int i = 0; i < 200 && lo < hi; ++i) {
    const double middle = 0.5 * (lo + hi);
    if (middle == lo || middle == hi) break;
    (slope(middle) < 0.0 ? lo : hi) = middle;
  }
  return hi * n + (length > mu * hi ? Vec3(y_t * (mu * hi / length)) : y_t);
}

struct ReferencePoint {
  MatX J;
  Vec3 n;
  double mu, k, phi0, tau, d;
  double a, a_d;        ///< Convection, and as much of it as dissipation sees.
  double Rn, Rt, vhat;  ///< SAP
  double gn0 = 0.0;     ///< Lagged
};

struct ReferenceRow {
  VecX J;
  double R, vhat, lo, hi;
};

class Reference {
 public:
  Reference(const ContactProblem& p, const SolverOptions& options)
      : A(dense_inertia(p)), v0(vector_of(p.v0)), v_star(vector_of(p.v_star)), dt_(p.dt), options_(options) {
    const MatX A_inverse = A.inverse();
    for (int patch = 0; patch < p.num_patches(); ++patch) {
      const PatchMaterial& m = p.patch_material[patch];
      for (int i = p.patch_first[patch]; i < p.patch_first[patch] + p.patch_count[patch]; ++i) {
        ReferencePoint c{.J = point_jacobian(p, patch, i),
                         .n = Vec3(p.nx[i], p.ny[i], p.nz[i]),
                         .mu = m.mu,
                         .k = p.k[i],
                         .phi0 = p.phi0[i],
                         .tau = p.phi0[i] > 0.0 ? 0.0 : m.tau,  // dissipation needs overlap
                         .d = m.hunt_crossley,
                         .a = p.convection[i],
                         .a_d = p.sliding[i],
                         .Rn = 0,
                         .Rt = 0,
                         .vhat = 0};
        const double w = (c.J * A_inverse * c.J.transpose()).trace() / 3.0, pi = std::numbers::pi;
        c.Rn = std::max(1.0 / (dt_ * c.k * (dt_ + c.tau)), options.beta * options.beta * w / (4 * pi * pi));
        c.Rt = options.sigma * w;
        // γ_n = δt(−kφ − τk(v_n − a_d)), φ = φ₀ + δt(v_n − a), vanishes at v_n = v̂.
        c.vhat = (-c.phi0 + dt_ * c.a + c.tau * c.a_d) / (dt_ + c.tau);
        points.push_back(c);
      }
    }
    for (int r = 0; r < p.num_rows(); ++r) {
      ReferenceRow row{VecX::Zero(p.num_velocities()), p.row_R[r], p.row_vhat[r], p.row_lo[r], p.row_hi[r]};
      for (int e = p.row_start[r]; e < p.row_start[r + 1]; ++e) row.J[p.row_dof[e]] = p.row_value[e];
      rows.push_back(row);
    }
  }

  Vec3 sap_impulse(const ReferencePoint& c, const VecX& v) const {
    const Vec3 vc = c.J * v;
    const double vn = c.n.dot(vc);
    return project_on_cone((c.vhat - vn) / c.Rn, -(vc - vn * c.n) / c.Rt, c.n, c.mu, c.Rn, c.Rt);
  }

  double hunt_crossley(const ReferencePoint& c, double vn) const {
    return dt_ * c.k * std::max(0.0, -c.phi0 - dt_ * (vn - c.a)) * std::max(0.0, 1.0 - c.d * (vn - c.a_d));
  }

  /// The impulses of Lagged with the bounds gn0, of Lagged at its fixed point, and of TAMSI.
  Vec3 lagged_impulse(const ReferencePoint& c, const VecX& v) const {
    const Vec3 vc = c.J * v;
    const double vn = c.n.dot(vc), vs = options_.stiction_speed;
    const Vec3 vt = vc - vn * c.n;
    return hunt_crossley(c, vn) * c.n - c.mu * c.gn0 * vt / std::sqrt(vt.squaredNorm() + vs * vs);
  }
  Vec3 lagged_fixed_point(const ReferencePoint& c, const VecX& v) const {
    ReferencePoint at = c;
    at.gn0 = hunt_crossley(c, c.n.dot(c.J * v));
    return lagged_impulse(at, v);
  }
  Vec3 tamsi_impulse(const ReferencePoint& c, const VecX& v) const {
    const Vec3 vc = c.J * v;
    const double vn = c.n.dot(vc);
    const Vec3 vt = vc - vn * c.n;
    const double x = vt.norm() / options_.stiction_speed, s = x < 1 ? x * (2 - x) : 1.0;
    return hunt_crossley(c, vn) * (c.n - c.mu * s * (x > 0 ? Vec3(vt / vt.norm()) : Vec3(Vec3::Zero())));
  }

  template <class Impulse>
  VecX gradient(const VecX& v, const Impulse& impulse) const {
    VecX g = A * (v - v_star);
    for (const ReferencePoint& c : points) g -= c.J.transpose() * impulse(c, v);
    for (const ReferenceRow& r : rows) g -= r.J * std::clamp((r.vhat - r.J.dot(v)) / r.R, r.lo, r.hi);
    return g;
  }
  VecX sap_gradient(const VecX& v) const {
    return gradient(v, [&](const ReferencePoint& c, const VecX& x) { return sap_impulse(c, x); });
  }

  double row_cost(const VecX& v) const {
    double cost = 0.0;
    for (const ReferenceRow& r : rows) {
      const double y = (r.vhat - r.J.dot(v)) / r.R, g = std::clamp(y, r.lo, r.hi);
      cost += r.R * (g * y - 0.5 * g * g);
    }
    return cost;
  }
  double sap_cost(const VecX& v) const {
    double cost = 0.5 * (v - v_star).dot(A * (v - v_star)) + row_cost(v);
    for (const ReferencePoint& c : points) {
      const Vec3 g = sap_impulse(c, v);
      const double gn = c.n.dot(g);
      cost += 0.5 * (c.Rn * gn * gn + c.Rt * (g - gn * c.n).squaredNorm());
    }
    return cost;
  }

  MatX A;
  VecX v0, v_star;
  std::vector<ReferencePoint> points;
  std::vector<ReferenceRow> rows;

 private:
  double dt_;
  SolverOptions options_;
};

/// BFGS with a bisecting Wolfe line search: slow, general, and it knows only cost and gradient.
template <class Cost, class Gradient>
VecX minimize_slowly(VecX x, const MatX& inverse_hessian, const Cost& cost, const Gradient& gradient, int iterations) {
  MatX B = inverse_hessian;
  VecX g = gradient(x);
  const double g0 = g.norm();
  for (int i = 0; i < iterations && g.norm() > 1e-13 * g0; ++i) {
    VecX d = -B * g;
    if (d.dot(g) >= 0) B = inverse_hessian, d = -B * g;
    double lo = 0.0, hi = -1.0, t = 1.0;
    for (int j = 0; j < 60; ++j) {
      if (cost(x + t * d) > cost(x) + 1e-4 * t * d.dot(g)) hi = t;
      else if (gradient(x + t * d).dot(d) < 0.9 * d.dot(g)) lo = t;
      else break;
      t = hi < 0 ? 2 * t : 0.5 * (lo + hi);
    }
    const VecX s = t * d, g1 = gradient(x + s), y = g1 - g;
    x += s, g = g1;
    const double sy = s.dot(y);
    if (sy <= 1e-300) continue;
    const VecX By = B * y;
    B += (1 + y.dot(By) / sy) / sy * s * s.transpose() - (By * s.transpose() + s * By.transpose()) / sy;
  }
  return x;
}

}  // namespace patchfield::testing
