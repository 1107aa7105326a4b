// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/convex_hull.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/geometry/quickhull.h"

namespace patchfield {
namespace {

Vec3 bounding_size(std::span<const Vec3> points) {
  Vec3 lower = points[0], upper = points[0];
  for (const Vec3& p : points) lower = lower.cwiseMin(p), upper = upper.cwiseMax(p);
  return upper - lower;
}

[[noreturn]] void refuse_flat(std::size_t num_points, const Vec3& size) {
  throw InputError(fmt::format(
      "convex hull: the {} points lie in a plane (or on a line), within {:.0e} of their extent: bounding box "
      "{:.6g} × {:.6g} × {:.6g} m. A hull needs four points that are not coplanar: give the part a thickness, or use a "
      "thin box.",
      num_points, 10 * kHullFlatness, size.x(), size.y(), size.z()));
}

// Coplanar triangles → facets -----------------------------------------------------------------

/// Number of the facet of each triangle: regions grow from the largest triangles, whose planes are the most certain,
/// over neighbours whose corners lie in that plane. Slivers go to whoever comes first.
std::vector<int> group_coplanar(std::span<const Vec3> points, const std::vector<HullTriangle>& triangles,
                                double flatness) {
  const int n = static_cast<int>(triangles.size());
  std::vector<Vec3> doubled_area;
  for (const auto& t : triangles) {
    const Vec3& a = points[t.corner[0]];
    doubled_area.push_back((points[t.corner[1]] - a).cross(points[t.corner[2]] - a));
  }
  std::vector<int> by_area(n);
  std::iota(by_area.begin(), by_area.end(), 0);
  std::stable_sort(by_area.begin(), by_area.end(),
                   [&](int s, int t) { return doubled_area[s].squaredNorm() > doubled_area[t].squaredNorm(); });

  std::vector<int> facet(n, -1), front;
  int num_facets = 0;
  for (const int seed : by_area) {
    if (facet[seed] >= 0) continue;
    const Vec3 normal = doubled_area[seed].normalized(), origin = points[triangles[seed].corner[0]];
    const auto is_coplanar = [&](int t) {
      return std::all_of(triangles[t].corner.begin(), triangles[t].corner.end(),
                         [&](int v) { return std::abs(normal.dot(points[v] - origin)) <= flatness; });
    };
    facet[seed] = num_facets;
    for (front = {seed}; !front.empty();) {
      const int t = front.back();
      front.pop_back();
      for (const int other : triangles[t].neighbour) {
        if (facet[other] >= 0 || !is_coplanar(other)) continue;
        facet[other] = num_facets;
        front.push_back(other);
      }
    }
    ++num_facets;
  }
  return facet;
}

/// The rim of a group of triangles, or nothing if it is not one simple loop.
std::vector<int> rim_of(const std::vector<HullTriangle>& triangles, const std::vector<int>& members,
                        const std::vector<int>& facet) {
  std::vector<std::pair<int, int>> edges;
  for (const int t : members) {
    for (int e = 0; e < 3; ++e) {
      if (facet[triangles[t].neighbour[e]] != facet[t])
        edges.push_back({triangles[t].corner[e], triangles[t].corner[(e + 1) % 3]});
    }
  }
  std::sort(edges.begin(), edges.end());
  std::vector<int> rim;
  for (int v = edges[0].first; rim.size() < edges.size();) {
    rim.push_back(v);
    const auto next = std::lower_bound(edges.begin(), edges.end(), std::pair(v, -1));
    if (next + 1 != edges.end() && (next + 1)->first == v) return {};  // touches itself
    v = next->second;
    if (v == rim[0]) break;
  }
  return rim.size() == edges.size() ? rim : std::vector<int>{};
}

std::vector<std::vector<int>> facet_polygons(const std::vector<HullTriangle>& triangles,
                                             const std::vector<int>& facet) {
  std::vector<std::vector<int>> members(*std::max_element(facet.begin(), facet.end()) + 1);
  for (int t = 0; t < static_cast<int>(facet.size()); ++t) members[facet[t]].push_back(t);

  std::vector<std::vector<int>> polygons;
  for (const auto& group : members) {
    std::vector<int> rim = rim_of(triangles, group, facet);
    if (!rim.empty()) {
      polygons.push_back(std::move(rim));
      continue;
    }
    // Not a disc (rounding at a sliver): leave its triangles alone.
    for (const int t : group) polygons.push_back({triangles[t].corner.begin(), triangles[t].corner.end()});
  }
  return polygons;
}

/// A vertex of one facet lies inside it, of two inside their edge: no corner.
void drop_false_corners(std::size_t num_points, std::vector<std::vector<int>>& polygons) {
  std::vector<int> num_facets(num_points, 0);
  for (const auto& polygon : polygons) {
    for (const int v : polygon) ++num_facets[v];
  }
  for (auto& polygon : polygons) std::erase_if(polygon, [&](int v) { return num_facets[v] < 3; });
  std::erase_if(polygons, [](const auto& polygon) { return polygon.size() < 3; });
}

ConvexPolytope assemble(std::span<const Vec3> points, const std::vector<std::vector<int>>& polygons) {
  ConvexPolytope hull;
  std::vector<int> number(points.size(), -1);
  for (const auto& polygon : polygons) {
    for (const int v : polygon) number[v] = 0;
  }
  for (std::size_t v = 0; v < points.size(); ++v) {
    if (number[v] < 0) continue;
    number[v] = static_cast<int>(hull.vertices.size());
    hull.vertices.push_back(points[v]);
  }

  for (const auto& polygon : polygons) {
    ConvexPolytope::Facet facet;
    for (const int v : polygon) facet.corners.push_back(number[v]);
    // Twice the vector area, from a corner to keep the digits; then the plane that leaves no corner above it.
    const Vec3& origin = points[polygon[0]];
    Vec3 doubled_area = Vec3::Zero();
    for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
      doubled_area += (points[polygon[i]] - origin).cross(points[polygon[i + 1]] - origin);
    facet.normal = doubled_area.normalized();
    facet.offset = -std::numeric_limits<double>::infinity();
    for (const int v : polygon) facet.offset = std::max(facet.offset, facet.normal.dot(points[v]));
    hull.facets.push_back(std::move(facet));
  }
  return hull;
}

}  // namespace

double ConvexPolytope::depth(const Vec3& p) const {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Facet& facet : facets) nearest = std::min(nearest, facet.offset - facet.normal.dot(p));
  return nearest;
}

ConvexPolytope convex_hull(std::span<const Vec3> points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].allFinite()) continue;
    throw InputError(
        fmt::format("convex hull: point {} is ({}, {}, {}). Coordinates must be finite; repair or re-export "
                    "the points.",
                    i, points[i].x(), points[i].y(), points[i].z()));
  }
  if (points.size() < 4) {
    throw InputError(
        fmt::format("convex hull: {} points. A hull needs four or more that are not coplanar.", points.size()));
  }
  const Vec3 size = bounding_size(points);
  const double extent = size.maxCoeff();
  if (!(extent > std::numeric_limits<double>::min() && std::isfinite(extent))) refuse_flat(points.size(), size);

  // Ten times the flatness, so that two opposite facets are never taken for one.
  const std::vector<HullTriangle> triangles = quickhull(points, 10 * kHullFlatness * extent);
  if (triangles.empty()) refuse_flat(points.size(), size);
  std::vector<std::vector<int>> polygons =
      facet_polygons(triangles, group_coplanar(points, triangles, kHullFlatness * extent));
  drop_false_corners(points.size(), polygons);
  return assemble(points, polygons);
}

TriangleMesh triangulated(const ConvexPolytope& polytope) {
  TriangleMesh surface;
  surface.vertices = polytope.vertices;
  for (const auto& facet : polytope.facets) {
    const int n = static_cast<int>(facet.corners.size());
    if (n == 3) {
      surface.triangles.push_back({facet.corners[0], facet.corners[1], facet.corners[2]});
      continue;
    }
    Vec3 centre = Vec3::Zero();
    for (const int v : facet.corners) centre += polytope.vertices[v] / n;
    const int c = static_cast<int>(surface.vertices.size());
    surface.vertices.push_back(centre);
    for (int i = 0; i < n; ++i) surface.triangles.push_back({facet.corners[i], facet.corners[(i + 1) % n], c});
  }
  return surface;
}

}  // namespace patchfield
