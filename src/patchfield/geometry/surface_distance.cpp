// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/surface_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "patchfield/core/check.h"

namespace patchfield {

namespace {

double squared_distance_to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 ab = b - a, ap = p - a;
  const double along = ap.dot(ab), length2 = ab.squaredNorm();
  if (along <= 0.0) return ap.squaredNorm();
  if (along >= length2) return (p - b).squaredNorm();
  return (ap - along / length2 * ab).squaredNorm();
}

}  // namespace

double squared_distance(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  // Over the inside of the triangle the plane is nearest. p lies beyond an edge when the edge's inward
  // direction n×(b − a) points away from it; n = 0 (zero area) puts it beyond all edges.
  const Vec3 ab = b - a, bc = c - b, ca = a - c, ap = p - a;
  const Vec3 n = ab.cross(-ca);
  const bool beyond_ab = n.cross(ab).dot(ap) <= 0.0;
  const bool beyond_bc = n.cross(bc).dot(p - b) <= 0.0;
  const bool beyond_ca = n.cross(ca).dot(p - c) <= 0.0;
  if (!beyond_ab && !beyond_bc && !beyond_ca) {
    const double height = n.dot(ap);
    return height * height / n.squaredNorm();
  }
  // Beyond an edge, the nearest point is on one of the edges; those on the near side cannot win.
  double nearest = std::numeric_limits<double>::infinity();
  if (beyond_ab) nearest = std::min(nearest, squared_distance_to_segment(p, a, b));
  if (beyond_bc) nearest = std::min(nearest, squared_distance_to_segment(p, b, c));
  if (beyond_ca) nearest = std::min(nearest, squared_distance_to_segment(p, c, a));
  return nearest;
}

SurfaceDistance::SurfaceDistance(const TriangleMesh& surface) {
  PATCHFIELD_ASSERT(!surface.triangles.empty());
  triangles_.reserve(surface.triangles.size());
  for (const auto& [i, j, k] : surface.triangles)
    triangles_.push_back({surface.vertices[i], surface.vertices[j], surface.vertices[k]});
  build(0, static_cast<int>(triangles_.size()));
}

void SurfaceDistance::build(int begin, int end) {
  constexpr int kLeafSize = 4;
  Node node{triangles_[begin].a, triangles_[begin].a, begin, end, -1};
  for (int t = begin; t < end; ++t) {
    for (const Vec3* v : {&triangles_[t].a, &triangles_[t].b, &triangles_[t].c}) {
      node.lower = node.lower.cwiseMin(*v);
      node.upper = node.upper.cwiseMax(*v);
    }
  }
  const int index = static_cast<int>(nodes_.size());
  nodes_.push_back(node);
  if (end - begin <= kLeafSize) return;

  int axis;
  (node.upper - node.lower).maxCoeff(&axis);
  const auto centre = [axis](const Triangle& t) { return t.a[axis] + t.b[axis] + t.c[axis]; };
  const int middle = begin + (end - begin) / 2;
  std::nth_element(triangles_.begin() + begin, triangles_.begin() + middle, triangles_.begin() + end,
                   [&](const Triangle& s, const Triangle& t) { return centre(s) < centre(t); });
  build(begin, middle);
  nodes_[index].second_child = static_cast<int>(nodes_.size());
  build(middle, end);
}

double SurfaceDistance::squared_distance_to_box(const Vec3& p, const Node& node) {
  return (node.lower - p).cwiseMax(p - node.upper).cwiseMax(0.0).squaredNorm();
}

double SurfaceDistance::operator()(const Vec3& p) const {
  // Median cuts halve the triangles: a depth of 64 would hold 2⁶⁴ of them.
  struct Visit {
    int node;
    double box2;
  };
  std::array<Visit, 64> stack;
  int size = 0;
  stack[size++] = {0, squared_distance_to_box(p, nodes_[0])};

  double best2 = std::numeric_limits<double>::infinity();
  while (size > 0) {
    const auto [index, box2] = stack[--size];
    if (box2 >= best2) continue;
    const Node& node = nodes_[index];
    if (node.second_child < 0) {
      for (int t = node.begin; t < node.end; ++t)
        best2 = std::min(best2, squared_distance(p, triangles_[t].a, triangles_[t].b, triangles_[t].c));
      continue;
    }
    // The nearer child on top.
    Visit near{index + 1, squared_distance_to_box(p, nodes_[index + 1])};
    Visit far{node.second_child, squared_distance_to_box(p, nodes_[node.second_child])};
    if (far.box2 < near.box2) std::swap(near, far);
    stack[size++] = far;
    stack[size++] = near;
  }
  return std::sqrt(best2);
}

}  // namespace patchfield
