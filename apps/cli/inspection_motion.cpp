// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What the dissipation of a geom does to its motion: the rebound of a drop, and how far it rolls.

#include <cmath>

#include "inspection.h"
#include "patchfield/model/geom_shapes.h"

namespace patchfield::cli {
namespace {

/// The axis about which a shape rolls, in the geom's frame; zero if any will do.
Vec3 rolling_axis(const mjModel* m, int g) {
  const mjtNum* s = m->geom_size + 3 * g;
  switch (m->geom_type[g]) {
    case mjGEOM_CYLINDER:
    case mjGEOM_CAPSULE: return Vec3::UnitZ();
    case mjGEOM_ELLIPSOID:
      if (s[0] == s[1]) return s[1] == s[2] ? Vec3(Vec3::Zero()) : Vec3(Vec3::UnitZ());
      return s[1] == s[2] ? Vec3::UnitX() : Vec3::UnitY();
    default: return Vec3::Zero();
  }
}

/// A geom rolls if it alone is a free body, with its center of mass on the axis.
bool is_free_and_centered(const mjModel* m, const mjData* d, int g, const Vec3& axis_W) {
  const int body = m->geom_bodyid[g];
  const bool is_free = m->body_jntnum[body] == 1 && m->jnt_type[m->body_jntadr[body]] == mjJNT_FREE;
  const bool is_alone = m->body_subtreemass[body] - m->body_mass[body] <= 1e-9 * m->body_mass[body];
  if (!is_free || !is_alone || !(m->body_mass[body] > 0.0)) return false;
  Vec3 offset = Eigen::Map<const Vec3>(d->xipos + 3 * body) - Eigen::Map<const Vec3>(d->geom_xpos + 3 * g);
  offset -= axis_W * axis_W.dot(offset);
  constexpr double kCentered = 0.01;  // of the radius; a weight beside the middle swings instead of coasting
  const mjtNum* s = m->geom_size + 3 * g;
  return offset.norm() <= kCentered * (m->geom_type[g] == mjGEOM_ELLIPSOID ? std::min({s[0], s[1], s[2]}) : s[0]);
}

/// About the axis; about any, the mean.
double inertia_about(const mjModel* m, const mjData* d, int body, const Vec3& axis_W) {
  const Vec3 principal = Eigen::Map<const Vec3>(m->body_inertia + 3 * body);
  if (axis_W.isZero()) return principal.mean();
  const Mat3 R_WI = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(d->ximat + 9 * body);
  return principal.dot((R_WI.transpose() * axis_W).cwiseAbs2());
}

}  // namespace

MotionAnswers ask_motion(const Model& model, const mjData* d, int g, const InspectOptions& options) {
  const mjModel* m = model.mujoco();
  const Geom& geom = model.geom(g);
  MotionAnswers answers;
  const double gravity = mju_norm3(m->opt.gravity) > 0.0 ? mju_norm3(m->opt.gravity) : kStandardGravity;
  const double speed = std::sqrt(2.0 * gravity * options.drop), d_own = geom.material.hunt_crossley;
  answers.restitution = restitution(d_own, speed);
  answers.rebound = *answers.restitution * *answers.restitution * options.drop;

  const Mat3 R_WG = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(d->geom_xmat + 9 * g);
  const Vec3 axis_W = R_WG * rolling_axis(m, g);
  const bool is_round = m->geom_type[g] >= mjGEOM_SPHERE && m->geom_type[g] <= mjGEOM_CYLINDER;
  if (!is_round || !is_free_and_centered(m, d, g, axis_W)) return answers;
  const int body = m->geom_bodyid[g];
  answers.coast = coast_down({.shape = geom_shape(m, g, false).value(),
                              .modulus = geom.material.modulus,
                              .mass = m->body_mass[body],
                              .inertia = inertia_about(m, d, body, axis_W),
                              .hunt_crossley = d_own,
                              .gravity = gravity},
                             kRollingSpeed);
  return answers;
}

}  // namespace patchfield::cli
