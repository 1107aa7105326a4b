// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/control/inverse_kinematics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

#include "patchfield/core/check.h"

namespace patchfield {
namespace {

constexpr double kLeastDamping = 1e-9;

using Mat3Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

}  // namespace

InverseKinematics::InverseKinematics(const mjModel* m, const Arm& arm)
    : m_(m), arm_(arm), d_(mj_makeData(m)), jacobian_rows_(static_cast<std::size_t>(6 * m->nv)), J_(6, arm.size()) {
  if (d_ == nullptr) throw InputError("not enough memory for another mjData of this model");
}

void InverseKinematics::set_surroundings(const mjData* d) {
  std::copy_n(d->qpos, m_->nq, d_->qpos);
  std::copy_n(d->mocap_pos, 3 * m_->nmocap, d_->mocap_pos);
  std::copy_n(d->mocap_quat, 4 * m_->nmocap, d_->mocap_quat);
}

void InverseKinematics::update(std::span<const double> q) {
  PATCHFIELD_ASSERT(static_cast<int>(q.size()) == arm_.size());
  for (std::size_t i = 0; i < q.size(); ++i) d_->qpos[arm_.qpos[i]] = q[i];
  mj_kinematics(m_, d_.get());
  mj_comPos(m_, d_.get());
  const auto nv = static_cast<std::ptrdiff_t>(m_->nv);
  double* const rows = jacobian_rows_.data();
  mj_jacSite(m_, d_.get(), rows + 3 * nv, rows, arm_.site);
  for (int i = 0; i < arm_.size(); ++i)
    for (int r = 0; r < 6; ++r) J_(r, i) = rows[r * nv + arm_.dofs[static_cast<std::size_t>(i)]];
}

Pose InverseKinematics::forward(std::span<const double> q) {
  update(q);
  Pose X;
  X.R = Eigen::Map<const Mat3Rows>(d_->site_xmat + 9 * arm_.site);
  X.p = Eigen::Map<const Vec3>(d_->site_xpos + 3 * arm_.site);
  return X;
}

/// Turn and shift in the world that are left.
Vec6 InverseKinematics::error(const Pose& X_WT) const {
  const Mat3 R = Eigen::Map<const Mat3Rows>(d_->site_xmat + 9 * arm_.site);
  Vec6 e;
  e.head<3>() = rotation_log(X_WT.R * R.transpose());
  e.tail<3>() = X_WT.p - Eigen::Map<const Vec3>(d_->site_xpos + 3 * arm_.site);
  return e;
}

/// One damped step; joints that it would carry over a bound stop there, and the others share what that leaves.
ArmVector InverseKinematics::step(const Vec6& e, double damping, std::span<const double> q, const ArmVector& lower,
                                  const ArmVector& upper) const {
  const int n = arm_.size();
  ArmVector dq = ArmVector::Zero(n);
  Eigen::Array<bool, Eigen::Dynamic, 1, 0, kMaxArmJoints, 1> held =
      Eigen::Array<bool, Eigen::Dynamic, 1>::Constant(n, 1, false);
  for (int round = 0; round < n; ++round) {
    ArmJacobian J = J_;
    Vec6 rest = e;
    for (int i = 0; i < n; ++i)
      if (held[i]) rest -= J.col(i) * dq[i], J.col(i).setZero();
    ArmMatrix H = J.transpose() * J;
    H.diagonal().array() += damping;
    const ArmVector free = H.llt().solve(J.transpose() * rest);
    bool changed = false;
    for (int i = 0; i < n; ++i) {
      if (held[i]) continue;
      const double at = q[static_cast<std::size_t>(i)], to = std::clamp(at + free[i], lower[i], upper[i]);
      dq[i] = to - at;
      if (to != at + free[i]) held[i] = true, changed = true;
    }
    if (!changed) break;
  }
  return dq;
}

IkResult InverseKinematics::solve(const Pose& X_WT, std::span<double> q, const IkOptions& options) {
  const int n = arm_.size();
  ArmVector lower(n), upper(n);
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    q[k] = std::clamp(q[k], arm_.lower[k], arm_.upper[k]);
    lower[i] = std::max(arm_.lower[k], q[k] - options.max_change);
    upper[i] = std::min(arm_.upper[k], q[k] + options.max_change);
  }
  Vec6 weight;
  weight << Vec3::Constant(options.length), Vec3::Ones();
  IkResult result;
  double best = std::numeric_limits<double>::infinity();
  ArmVector best_q(n);
  bool stuck = false;  // no joint can move: all are on their bounds, or the error is stationary
  for (;; ++result.iterations) {
    update(q);
    const Vec6 e = error(X_WT), weighted = weight.cwiseProduct(e);
    if (weighted.squaredNorm() < best) {
      best = weighted.squaredNorm(), best_q = Eigen::Map<const VecX>(q.data(), n);
      result.angle = e.head<3>().norm(), result.distance = e.tail<3>().norm();
    }
    result.converged = result.distance <= options.position_tolerance && result.angle <= options.angle_tolerance;
    if (result.converged || stuck || result.iterations == options.max_iterations) break;
    J_ = weight.asDiagonal() * J_;
    const ArmVector dq = step(weighted, 0.5 * weighted.squaredNorm() + kLeastDamping, q, lower, upper);
    const double largest = dq.cwiseAbs().maxCoeff();
    const double scale = largest > options.max_step ? options.max_step / largest : 1.0;
    for (int i = 0; i < n; ++i) q[static_cast<std::size_t>(i)] += scale * dq[i];
    stuck = largest < 1e-13;
  }
  Eigen::Map<VecX>(q.data(), n) = best_q;
  update(q);
  return result;
}

void InverseKinematics::joint_velocities(const Vec3& w, const Vec3& v, std::span<double> qdot) const {
  Vec6 twist;
  twist << w, v;
  ArmMatrix H = J_.transpose() * J_;
  H.diagonal().array() += kLeastDamping;
  const ArmVector x = H.llt().solve(J_.transpose() * twist);
  std::copy_n(x.data(), x.size(), qdot.data());
}

}  // namespace patchfield
