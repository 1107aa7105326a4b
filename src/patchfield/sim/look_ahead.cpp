// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/sim/look_ahead.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "patchfield/contact/discretize.h"
#include "patchfield/sim/body_motion.h"
#include "patchfield/sim/data.h"

namespace patchfield {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Forces act within the step: what v₀ says of the approach is a little too little.
constexpr double kSpare = 1.1;

double radius_of(const Geom& geom) { return std::isfinite(geom.radius) ? geom.radius : 0.0; }

double resolved_share(const Data& data) {
  return data.options.solver.kind == SolverKind::kSap ? kResolvedShareOfSap : kResolvedShare;
}

/// What gravity adds to an approach within the step [m].
double fall(const Data& data) { return data.dt * data.dt * vec3(data.m()->opt.gravity).norm(); }

/// Shapes that touch all sides of their box: its axes say in which direction they meet.
bool fills_its_box(int type) { return type >= mjGEOM_SPHERE && type <= mjGEOM_BOX; }

double slope_of(const Geometry& geometry, const FieldLadder* ladder) {
  if (ladder != nullptr) return ladder->slope();
  return geometry.half_space() && geometry.half_space()->slope > 0.0 ? geometry.half_space()->slope : kInfinity;
}

/// Below a soft plane a body is held at any depth, but a step that carries it there at once has the plane store more
/// than the body brought. A plane sees ahead at no cost, so the body's own depth decides.
double trusted_depth(const PatchPair& pair) {
  if (!pair.A->half_space() && !pair.B->half_space()) return resolved_depth(pair);
  const FieldLadder* body = pair.ladder_A != nullptr ? pair.ladder_A : pair.ladder_B;
  return body != nullptr ? body->depth() + body->margin() : kInfinity;
}

/// An approach of `a` → how far to look, and whether the skirts are wide enough for it. Bodies that touch already do
/// not fall towards each other: a coin that slides on the floor would look ahead at 10 ms, for ever.
Look decide(const Data& data, const PatchPair& pair, double a, bool touching) {
  Look look{.meets = true};
  if (!touching) a += fall(data);
  if (a <= resolved_share(data) * trusted_depth(pair)) return look;
  look.reach = kSpare * a;
  if (pair.A->half_space() || pair.B->half_space()) return look;  // no skirts are needed, so none are too narrow
  const double g_A = slope_of(*pair.A, pair.ladder_A), g_B = slope_of(*pair.B, pair.ladder_B);
  double parts = look.reach / pair.max_overlap;
  if (pair.ladder_A != nullptr) parts = std::max(parts, skirt_share(g_A, g_B) * look.reach / pair.ladder_A->widest());
  if (pair.ladder_B != nullptr) parts = std::max(parts, skirt_share(g_B, g_A) * look.reach / pair.ladder_B->widest());
  look.parts = std::clamp(static_cast<int>(std::ceil(std::min(parts, 1.0 * kMaxParts))), 1, kMaxParts);
  return look;
}

Look look_at_plane(const Data& data, const PatchPair& pair, int plane, int other, const Column<GeomMotion>& motion) {
  const mjData* d = data.d();
  const Geom& geom = data.model.geom(other);
  const Vec3 up = mat3(d->geom_xmat + 9 * plane).col(2);
  const Vec3 from_plane = vec3(d->geom_xpos + 3 * other) - vec3(d->geom_xpos + 3 * plane);
  const Vec3 v = motion[other].v - motion[plane].v - motion[plane].w.cross(from_plane);
  const Vec3 w = motion[other].w - motion[plane].w;
  const double a = data.dt * (std::max(0.0, -up.dot(v)) + w.cross(up).norm() * geom.radius);
  const Vec3 up_G = mat3(d->geom_xmat + 9 * other).transpose() * up;
  const Vec3 center = 0.5 * (geom.box.lower + geom.box.upper), half = 0.5 * (geom.box.upper - geom.box.lower);
  const double lowest = up.dot(from_plane) + up_G.dot(center) - up_G.cwiseAbs().dot(half);
  if (lowest > kSpare * (a + fall(data)) + data.model.geom(plane).margin) return {};
  return decide(data, pair, a, lowest <= 0.0);
}

/// Two posed boxes in motion.
struct MovingBoxes {
  const Data& data;
  const Geom &A, &B;
  Mat3 R_A, R_B;
  Vec3 half_A, half_B, between;  ///< Half sizes, center of A → center of B.
  Vec3 v, w_A, w_B;              ///< Velocity of B's center relative to A's; turning of both.
  double spare;

  MovingBoxes(const Data& all, const IndexPair& geoms, const Column<GeomMotion>& motion)
      : data(all), A(all.model.geom(geoms.first)), B(all.model.geom(geoms.second)) {
    const mjData* d = data.d();
    R_A = mat3(d->geom_xmat + 9 * geoms.first), R_B = mat3(d->geom_xmat + 9 * geoms.second);
    half_A = 0.5 * (A.box.upper - A.box.lower), half_B = 0.5 * (B.box.upper - B.box.lower);
    const Vec3 to_A = R_A * (0.5 * (A.box.upper + A.box.lower)), to_B = R_B * (0.5 * (B.box.upper + B.box.lower));
    between = vec3(d->geom_xpos + 3 * geoms.second) + to_B - vec3(d->geom_xpos + 3 * geoms.first) - to_A;
    const GeomMotion &a = motion[geoms.first], &b = motion[geoms.second];
    w_A = a.w, w_B = b.w;
    v = b.v + b.w.cross(to_B) - a.v - a.w.cross(to_A);
    spare = fall(data);
  }
  double turning(const Vec3& u) const {
    return w_A.cross(u).norm() * half_A.norm() + w_B.cross(u).norm() * half_B.norm();
  }
  /// In any direction.
  double approach() const { return data.dt * (v.norm() + w_A.norm() * half_A.norm() + w_B.norm() * half_B.norm()); }
  /// Along the unit vector u: how far apart, and how much closer they come.
  std::pair<double, double> along(const Vec3& u) const {
    const double distance = u.dot(between), side = distance < 0.0 ? -1.0 : 1.0;
    const double gap = std::abs(distance) - (R_A.transpose() * u).cwiseAbs().dot(half_A) -
                       (R_B.transpose() * u).cwiseAbs().dot(half_B);
    return {gap, data.dt * (std::max(0.0, -side * u.dot(v)) + turning(u))};
  }
};

/// Calls f with the axes that can separate two boxes, and with the line of centers; stops if f returns false.
template <class F>
bool for_axes(const MovingBoxes& boxes, const F& f) {
  for (int i = 0; i < 3; ++i)
    if (!f(Vec3(boxes.R_A.col(i))) || !f(Vec3(boxes.R_B.col(i)))) return false;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Vec3 u = boxes.R_A.col(i).cross(boxes.R_B.col(j));
      if (u.squaredNorm() > 1e-6 && !f(Vec3(u.normalized()))) return false;
    }
  return boxes.between.squaredNorm() < 1e-12 || f(Vec3(boxes.between.normalized()));
}

Look look_at_boxes(const Data& data, const PatchPair& pair, const IndexPair& geoms, const Column<GeomMotion>& motion) {
  const MovingBoxes boxes(data, geoms, motion);
  const double resolved = resolved_depth(pair);
  double largest = -1.0;
  bool touching = true;  // no axis separates them
  const bool meets = for_axes(boxes, [&](const Vec3& u) {
    const auto [gap, approach] = boxes.along(u);
    if (gap > kSpare * (approach + boxes.spare)) return false;
    touching &= gap <= 0.0;
    // An axis along which they are apart, or nearly: they may meet in this direction.
    if (gap > -resolved) largest = std::max(largest, approach);
    return true;
  });
  if (!meets) return {};
  const bool directed = largest >= 0.0 && fills_its_box(data.m()->geom_type[geoms.first]) &&
                        fills_its_box(data.m()->geom_type[geoms.second]);
  return decide(data, pair, directed ? largest : boxes.approach(), touching);
}

}  // namespace

double resolved_depth(const PatchPair& pair) {
  const FieldLadder *A = pair.ladder_A, *B = pair.ladder_B;
  if (A == nullptr && B == nullptr) return kInfinity;
  // The pressure between them cannot exceed the softer one's highest.
  const double E = std::min(A != nullptr ? A->modulus() : kInfinity, B != nullptr ? B->modulus() : kInfinity);
  double margin = 0.0;
  if (A != nullptr) margin += A->margin();
  if (B != nullptr) margin += B->margin();
  return E / effective_gradient(slope_of(*pair.A, A), slope_of(*pair.B, B)) + margin;
}

double skirt_share(double own_slope, double other_slope) {
  if (std::isinf(other_slope)) return 1.0;
  return std::min(1.0, 2.0 * other_slope / (own_slope + other_slope));
}

bool find_motions(Data& data, const double* qvel, Column<GeomMotion>& motion) {
  const mjModel* m = data.m();
  const mjData* d = data.d();
  const double least = resolved_share(data) * data.model.least_depth() - fall(data);
  if (std::isinf(least)) return false;
  // Twists of bodies, each about the center of mass of its tree: those of a chain add up.
  data.twist.resize(static_cast<int>(m->nbody));
  data.twist[0].setZero();
  for (int b = 1; b < m->nbody; ++b) {
    data.twist[b] = data.twist[m->body_parentid[b]];
    for (int i = m->body_dofadr[b]; i < m->body_dofadr[b] + m->body_dofnum[b]; ++i)
      data.twist[b] += Eigen::Map<const Vec6>(d->cdof + 6 * i) * qvel[i];
  }
  motion.resize(data.model.num_geoms());
  double first = 0.0, second = 0.0;  // the two longest ways: no pair comes closer than by their sum
  for (int g = 0; g < motion.size(); ++g) {
    const int body = m->geom_bodyid[g];
    motion[g] = {};
    if (!data.model.geom(g).geometry || m->body_treeid[body] < 0) continue;
    const Vec6& V = data.twist[body];
    motion[g].w = V.head<3>();
    motion[g].v =
        V.tail<3>() + V.head<3>().cross(vec3(d->geom_xpos + 3 * g) - vec3(d->subtree_com + 3 * m->body_rootid[body]));
    const double way = std::isfinite(data.model.geom(g).radius) ? travel(data, g, motion[g]) : kInfinity;
    second = std::max(second, std::min(first, way)), first = std::max(first, way);
  }
  return first + second > least;
}

double travel(const Data& data, int geom, const GeomMotion& motion) {
  return data.dt * (motion.v.norm() + motion.w.norm() * radius_of(data.model.geom(geom)));
}

Look look_ahead(const Data& data, const IndexPair& geoms, const Column<GeomMotion>& motion) {
  const PatchPair pair = data.model.patch_pair(geoms.first, geoms.second);
  if (pair.A->half_space()) return look_at_plane(data, pair, geoms.first, geoms.second, motion);
  if (pair.B->half_space()) return look_at_plane(data, pair, geoms.second, geoms.first, motion);
  return look_at_boxes(data, pair, geoms, motion);
}

}  // namespace patchfield
