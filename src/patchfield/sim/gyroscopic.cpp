// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/sim/gyroscopic.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>

namespace patchfield {
namespace {

constexpr double kRounding = std::numeric_limits<double>::epsilon();
constexpr int kMostIterations = 20;

Mat3 cross_matrix(const Vec3& a) {
  Mat3 A;
  A << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return A;
}

/// M(ω₁ − ω₀) + τ ω̄×Iω̄ = 0 by Newton's method. Iterates until the update is rounding.
Vec3 midpoint_step(const Mat3& M, const Mat3& I, const Vec3& omega, double tau) {
  Vec3 end = omega;
  for (int i = 0; i < kMostIterations; ++i) {
    const Vec3 mean = 0.5 * (omega + end), spin = I * mean;
    const Vec3 residual = M * (end - omega) + tau * mean.cross(spin);
    const Mat3 slope = M + 0.5 * tau * (cross_matrix(mean) * I - cross_matrix(spin));
    const Vec3 change = slope.inverse() * residual;
    end -= change;
    if (change.squaredNorm() <= kRounding * kRounding * end.squaredNorm()) break;
  }
  return end;
}

/// Rotation vector of a unit quaternion, of length at most π.
Vec3 rotation_vector(const Eigen::Quaterniond& q) {
  const double sine = q.vec().norm();
  if (sine == 0.0) return Vec3::Zero();
  const double angle = 2.0 * std::atan2(sine, std::abs(q.w()));
  return (q.w() < 0.0 ? -angle : angle) / sine * q.vec();
}

}  // namespace

FreeRotation rotate_freely(const Mat3& M, const Mat3& I, const Vec3& omega, double dt) {
  // Along a principal axis, or with three equal moments, nothing changes but by rounding.
  const double speed = omega.norm();
  const Vec3 spin = I * omega;
  if (omega.cross(spin).norm() <= 8.0 * kRounding * speed * spin.norm()) return {omega, dt * omega};

  const double wanted = std::ceil(speed * dt / kLargestTurn);
  const int n = static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(kMostSubsteps)));
  const double h = dt / n;
  Vec3 now = omega;
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  for (int i = 0; i < n; ++i) {
    const double half = std::min(0.5 * h * now.norm(), 1.0);  // absurd speeds: short of the pole of the tangent
    const double tau = half > 1e-8 ? h * std::tan(half) / half : h;
    const Vec3 end = midpoint_step(M, I, now, tau), mean = 0.5 * (now + end);
    turn = turn * Eigen::Quaterniond(1.0, 0.5 * tau * mean.x(), 0.5 * tau * mean.y(), 0.5 * tau * mean.z());
    turn.normalize();
    now = end;
  }
  return {now, rotation_vector(turn)};
}

}  // namespace patchfield
