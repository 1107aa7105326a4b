// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The Chebyshev centre by bisection: is there a point of depth r? Among those points we take the one nearest to
// the centre of volume, a strictly convex problem in three unknowns. It is solved one half space at a time
// [Seidel 1991]: as long as the optimum so far satisfies the next half space it stays; if not, the new
// optimum lies on its plane, which is the same problem with one unknown less. Expected cost is
// linear in the number of facets if they come in random order.

#include <algorithm>
#include <limits>
#include <optional>
#include <random>

#include "patchfield/geometry/convex_hull.h"

namespace patchfield {
namespace {

/// normal·y ≤ bound
struct HalfSpaceRow {
  Vec3 normal;
  double bound;
};
using Rows = std::span<const HalfSpaceRow>;

/// Nearest to `origin` on the line origin + s·direction, |direction| = 1, within all half spaces.
std::optional<Vec3> nearest_on_line(Rows rows, const Vec3& origin, const Vec3& direction, double tolerance) {
  double lower = -std::numeric_limits<double>::infinity(), upper = -lower;
  for (const auto& [normal, bound] : rows) {
    const double slope = normal.dot(direction), room = bound - normal.dot(origin);
    if (std::abs(slope) < 1e-12) {
      if (room < -tolerance) return {};
    } else if (slope > 0.0) {
      upper = std::min(upper, room / slope);
    } else {
      lower = std::max(lower, room / slope);
    }
  }
  if (lower > upper + tolerance) return {};
  return origin + std::clamp(0.0, std::min(lower, upper), upper) * direction;
}

/// Nearest to `origin` in the plane through it with the unit normal given, within all half spaces.
std::optional<Vec3> nearest_in_plane(Rows rows, const Vec3& origin, const Vec3& plane_normal, double tolerance) {
  std::optional<Vec3> best = origin;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double excess = rows[i].normal.dot(*best) - rows[i].bound;
    if (excess <= tolerance) continue;
    const Vec3 in_plane = rows[i].normal - rows[i].normal.dot(plane_normal) * plane_normal;
    const double norm2 = in_plane.squaredNorm();
    if (norm2 < 1e-24) return {};  // parallel, and beyond it
    const Vec3 foot = origin - (rows[i].normal.dot(origin) - rows[i].bound) / norm2 * in_plane;
    best = nearest_on_line(rows.first(i), foot, plane_normal.cross(in_plane).normalized(), tolerance);
    if (!best) return {};
  }
  return best;
}

std::optional<Vec3> nearest_in_space(Rows rows, const Vec3& origin, double tolerance) {
  std::optional<Vec3> best = origin;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [normal, bound] = rows[i];
    if (normal.dot(*best) - bound <= tolerance) continue;
    best = nearest_in_plane(rows.first(i), origin - (normal.dot(origin) - bound) * normal, normal, tolerance);
    if (!best) return {};
  }
  return best;
}

Vec3 centre_of_volume(const ConvexPolytope& polytope) {
  const TriangleMesh surface = triangulated(polytope);
  const Vec3 origin = surface.vertices[0];
  Vec3 moment = Vec3::Zero();
  double volume = 0.0;
  for (const auto& [i, j, k] : surface.triangles) {
    const Vec3 a = surface.vertices[i] - origin, b = surface.vertices[j] - origin, c = surface.vertices[k] - origin;
    const double v = a.dot(b.cross(c));
    volume += v;
    moment += v / 4.0 * (a + b + c);
  }
  return origin + moment / volume;
}

}  // namespace

Vec3 deepest_point(const ConvexPolytope& polytope) {
  Vec3 lower = polytope.vertices[0], upper = lower;
  for (const Vec3& v : polytope.vertices) lower = lower.cwiseMin(v), upper = upper.cwiseMax(v);

  std::vector<HalfSpaceRow> rows;
  for (const auto& facet : polytope.facets) rows.push_back({facet.normal, facet.offset});
  std::mt19937 random;  // its sequence is fixed by the standard, unlike std::shuffle
  for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[random() % i]);

  // The centre of volume has a positive depth, and no sphere is wider than the bounding box.
  const Vec3 centre = centre_of_volume(polytope);
  Vec3 best = centre;
  double possible = polytope.depth(centre), impossible = (upper - lower).minCoeff() / 2.0;
  const double tolerance = 1e-12 * (upper - lower).maxCoeff();
  std::vector<HalfSpaceRow> shrunk = rows;
  while (impossible - possible > 1e-6 * impossible) {
    const double r = 0.5 * (possible + impossible);
    for (std::size_t i = 0; i < rows.size(); ++i) shrunk[i].bound = rows[i].bound - r;
    if (const std::optional<Vec3> point = nearest_in_space(shrunk, centre, tolerance)) {
      best = *point;
      possible = r;
    } else {
      impossible = r;
    }
  }
  return best;
}

}  // namespace patchfield
