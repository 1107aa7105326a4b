// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/sim/rescue.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

namespace patchfield {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// One body of a patch as what can be seen of it: its rigid surface.
struct Side {
  const Geometry* surface = nullptr;  ///< None for a half space or a body that is not convex.
  Pose X_WG = {};
  double slope = kInfinity;  ///< Of its field [Pa/m].
};

Side side_of(const Patch& patch, bool is_A) {
  const Geometry& geometry = is_A ? *patch.pair.A : *patch.pair.B;
  const FieldLadder* ladder = is_A ? patch.pair.ladder_A : patch.pair.ladder_B;
  Side side{.surface = nullptr, .X_WG = is_A ? patch.X_WA : patch.X_WB};
  if (ladder != nullptr) side.surface = &ladder->surface(), side.slope = ladder->slope();
  else if (!geometry.half_space()) side.surface = &geometry;
  else if (geometry.half_space()->slope > 0.0) side.slope = geometry.half_space()->slope;
  return side;
}

/// Largest n·x of the body [m].
double support(const Side& side, const Vec3& n) {
  const Vec3 n_G = side.X_WG.R.transpose() * n;
  double most = -kInfinity;
  for (const Vec3& v : side.surface->surface().vertices) most = std::max(most, n_G.dot(v));
  return most + n.dot(side.X_WG.p);
}

Vec3 center(const Side& side) {
  return side.X_WG * Vec3(0.5 * (side.surface->bounds().lower + side.surface->bounds().upper));
}

/// Is x inside the convex body?
bool holds(const Side& side, const Vec3& x) {
  const Vec3 x_G = side.X_WG.R.transpose() * (x - side.X_WG.p);
  const TriangleMesh& mesh = side.surface->surface();
  for (const auto& t : mesh.triangles) {
    const Vec3 &a = mesh.vertices[static_cast<std::size_t>(t[0])], &b = mesh.vertices[static_cast<std::size_t>(t[1])],
               &c = mesh.vertices[static_cast<std::size_t>(t[2])];
    if ((b - a).cross(c - a).dot(x_G - a) > 0.0) return false;
  }
  return true;
}

/// The direction from A to B in which they overlap least. The first of equals wins, so that two bodies in one pose part
/// in the same direction on every machine.
struct Overlap {
  Vec3 nhat = Vec3::UnitZ();
  double depth = kInfinity;

  Overlap(const Side& A, const Side& B) {
    const Vec3 between = center(B) - center(A);
    if (between.squaredNorm() > 1e-20) ask(A, B, between.normalized());
    for (const int i : {2, 0, 1}) {
      for (const Side* side : {&A, &B})
        for (const double sign : {1.0, -1.0}) ask(A, B, sign * side->X_WG.R.col(i));
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const Vec3 u = A.X_WG.R.col(i).cross(B.X_WG.R.col(j));
        if (u.squaredNorm() < 1e-6) continue;
        for (const double sign : {1.0, -1.0}) ask(A, B, sign * u.normalized());
      }
  }
  void ask(const Side& A, const Side& B, const Vec3& n) {
    const double overlap = support(A, n) + support(B, -n);
    if (overlap < depth * (1.0 - 1e-9)) depth = overlap, nhat = n;
  }
};

double extent(const Side& side) { return (side.surface->bounds().upper - side.surface->bounds().lower).norm(); }

/// A frame whose z is n and whose origin has n·p = height.
Pose plane_pose(const Vec3& n, double height) {
  return {Mat3(Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), n).toRotationMatrix()), height * n};
}

/// They leave with kWayOut at most: Hunt–Crossley's force is zero there, and so is that of −φ₀ = depth with this τ.
void part_slowly(double depth, PairMaterial& material) {
  material.hunt_crossley = std::max(material.hunt_crossley, 1.0 / kWayOut);
  material.tau = std::max(material.tau, depth / kWayOut);
}

}  // namespace

bool is_below_crest(const Data& data, const Patch& patch) {
  const bool body_is_A = patch.pair.B->half_space().has_value();
  if ((body_is_A ? patch.pair.ladder_A : patch.pair.ladder_B) == nullptr) return false;  // a rigid body has no crest
  const Geom& geom = data.model.geom(body_is_A ? patch.geom_A : patch.geom_B);
  const Pose &X_WG = body_is_A ? patch.X_WA : patch.X_WB, &X_WP = body_is_A ? patch.X_WB : patch.X_WA;
  const Vec3 up = X_WP.R.col(2), up_G = X_WG.R.transpose() * up;
  const double height = up.dot(X_WG.p - X_WP.p);
  const double crest = resolved_depth(patch.pair);
  const Vec3 middle = 0.5 * (geom.box.lower + geom.box.upper), half = 0.5 * (geom.box.upper - geom.box.lower);
  if (height + up_G.dot(middle) - up_G.cwiseAbs().dot(half) > -crest) return false;  // its box is not, so it is not
  return up.dot(X_WP.p) + support(side_of(patch, body_is_A), -up) > crest;
}

void find_surface_in_plane(const SurfaceOptions& options, SurfaceScratch& scratch, Patch& patch) {
  const bool body_is_A = patch.pair.B->half_space().has_value();
  const Side body = side_of(patch, body_is_A), plane = side_of(patch, !body_is_A);
  const HalfSpaceField field{.slope = effective_gradient(body.slope, plane.slope), .margin = patch.reach};
  compute_surface_in_half_space(*body.surface, body.X_WG, field, plane.X_WG, body_is_A, options, scratch,
                                patch.surface);
  const Vec3 up = plane.X_WG.R.col(2);
  const double depth = up.dot(plane.X_WG.p) + support(body, -up);
  if (patch.rescued) part_slowly(depth, patch.pair.material);
}

bool needs_way_out(const Patch& patch) {
  if (patch.report.faces > patch.report.waiting) return false;
  if (patch.surface.dropped.beyond > 0) return true;
  const Side A = side_of(patch, true), B = side_of(patch, false);
  return holds(A, center(B)) || holds(B, center(A));
}

bool find_way_out(const SurfaceOptions& options, SurfaceScratch& scratch, Patch& patch) {
  const Side A = side_of(patch, true), B = side_of(patch, false);
  const Overlap overlap(A, B);
  if (!(overlap.depth > 0.0)) return false;
  // n̂ leaves A. The half space is the larger body; its outward normal points to the smaller one.
  const bool body_is_A = extent(A) < extent(B);
  const Vec3 up = body_is_A ? Vec3(-overlap.nhat) : overlap.nhat;
  const Pose X_WH = plane_pose(up, support(body_is_A ? B : A, up));
  const HalfSpaceField field{.slope = effective_gradient(A.slope, B.slope), .margin = 0.0};
  const Side& body = body_is_A ? A : B;
  compute_surface_in_half_space(*body.surface, body.X_WG, field, X_WH, body_is_A, options, scratch, patch.surface);
  part_slowly(overlap.depth, patch.pair.material);
  return true;
}

}  // namespace patchfield
