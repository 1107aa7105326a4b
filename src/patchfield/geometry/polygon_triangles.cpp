// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/polygon_triangles.h"

#include <cstddef>

namespace patchfield {
namespace {

/// Cutting ears is cubic in the worst case; a longer polygon is hardly one that a person drew.
constexpr std::size_t kMostCorners = 200;

/// Newell's normal: twice the area vector, also of a polygon that is not planar.
Vec3 area_vector(const std::vector<int>& polygon, const TriangleMesh& mesh) {
  Vec3 sum = Vec3::Zero();
  const Vec3& origin = mesh.vertices[polygon[0]];
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    sum += (mesh.vertices[polygon[i]] - origin).cross(mesh.vertices[polygon[i + 1]] - origin);
  return sum;
}

/// Is corner i convex, with no other corner inside its triangle?
bool is_ear(const std::vector<int>& polygon, std::size_t i, const Vec3& normal, const TriangleMesh& mesh) {
  const std::size_t n = polygon.size();
  const Vec3 &a = mesh.vertices[polygon[(i + n - 1) % n]], &b = mesh.vertices[polygon[i]],
             &c = mesh.vertices[polygon[(i + 1) % n]];
  if ((b - a).cross(c - b).dot(normal) <= 0.0) return false;
  for (std::size_t k = 2; k + 1 < n; ++k) {
    const Vec3& p = mesh.vertices[polygon[(i + k) % n]];
    if (p == a || p == b || p == c) continue;
    if ((b - a).cross(p - a).dot(normal) >= 0.0 && (c - b).cross(p - b).dot(normal) >= 0.0 &&
        (a - c).cross(p - c).dot(normal) >= 0.0)
      return false;
  }
  return true;
}

}  // namespace

void append_polygon(std::vector<int> polygon, TriangleMesh& mesh) {
  const Vec3 normal = area_vector(polygon, mesh);
  while (polygon.size() > 3 && polygon.size() <= kMostCorners) {
    std::size_t ear = 1;
    while (ear <= polygon.size() && !is_ear(polygon, ear % polygon.size(), normal, mesh)) ++ear;
    if (ear > polygon.size()) break;
    const std::size_t n = polygon.size(), i = ear % n;
    mesh.triangles.push_back({polygon[(i + n - 1) % n], polygon[i], polygon[(i + 1) % n]});
    polygon.erase(polygon.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    mesh.triangles.push_back({polygon[0], polygon[i], polygon[i + 1]});
}

}  // namespace patchfield
