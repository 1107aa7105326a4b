// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "view_pull.h"

#include <algorithm>

namespace patchfield::cli {
namespace {

constexpr double kPullRate = 30.0;           // ω [1/s]
constexpr double kMostAcceleration = 200.0;  // A pull is not a blow [m/s²].

using Map3 = Eigen::Map<const Vec3>;
using RowMat3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

}  // namespace

void apply_pull(Data& data, const std::optional<PullSpring>& spring, double time_step) {
  const mjModel* m = data.m();
  mjData* d = data.d();
  std::fill(d->xfrc_applied, d->xfrc_applied + 6 * m->nbody, 0.0);
  if (!spring || spring->body <= 0 || spring->body >= m->nbody) return;
  const int b = spring->body;
  const Vec3 arm = Eigen::Map<const RowMat3>(d->xmat + 9 * b) * spring->p_BC;  // from the body's origin to C
  if (const int mocap = m->body_mocapid[b]; mocap >= 0) {
    Eigen::Map<Vec3>(d->mocap_pos + 3 * mocap) = spring->p_WTarget - arm;
    return;
  }
  const double weight = m->body_invweight0[2 * b];
  if (!(weight > 0.0)) return;

  mjtNum velocity[6];  // rotation, translation of the body's origin, along the world's axes
  mj_objectVelocity(m, d, mjOBJ_XBODY, b, velocity, 0);
  const Vec3 v_WC = Map3(velocity + 3) + Map3(velocity).cross(arm);
  const Vec3 p_WC = Map3(d->xpos + 3 * b) + arm;
  // Explicit damping needs 2ω·δt well below 2.
  const double omega = std::min(kPullRate, 0.2 / time_step);
  Vec3 a = omega * omega * (spring->p_WTarget - p_WC) - 2.0 * omega * v_WC;
  if (a.norm() > kMostAcceleration) a *= kMostAcceleration / a.norm();
  const Vec3 force = a / weight;
  if (!force.allFinite()) return;
  Eigen::Map<Vec3>(d->xfrc_applied + 6 * b) = force;  // acts at the centre of mass, hence the moment
  Eigen::Map<Vec3>(d->xfrc_applied + 6 * b + 3) = (p_WC - Map3(d->xipos + 3 * b)).cross(force);
}

}  // namespace patchfield::cli
