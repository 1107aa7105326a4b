// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/mesh_quality.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/surface_distance.h"

namespace patchfield {
namespace {

/// Between the sides that meet in the edge a b, c and d being the other corners.
double dihedral_angle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 axis = (b - a).normalized();
  const Vec3 u = (c - a) - axis * axis.dot(c - a), w = (d - a) - axis * axis.dot(d - a);
  return std::atan2(u.cross(w).norm(), u.dot(w));
}

void measure_tet(const TetMesh& mesh, int tet, TetQuality& quality) {
  constexpr int kEdges[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
  const auto x = [&](int corner) -> const Vec3& { return mesh.vertices[mesh.tets[tet][corner]]; };
  for (const auto& [a, b, c, d] : kEdges) {
    const double angle = dihedral_angle(x(a), x(b), x(c), x(d)), length = (x(a) - x(b)).norm();
    quality.smallest_angle = std::min(quality.smallest_angle, angle);
    quality.largest_angle = std::max(quality.largest_angle, angle);
    quality.shortest_edge = std::min(quality.shortest_edge, length);
    quality.longest_edge = std::max(quality.longest_edge, length);
  }
  const double volume = signed_volume(mesh, tet);
  quality.volume += volume;
  quality.smallest_volume = std::min(quality.smallest_volume, volume);
  quality.largest_volume = std::max(quality.largest_volume, volume);
}

}  // namespace

SurfaceQuality measure(const TriangleMesh& mesh) {
  SurfaceQuality quality;
  quality.area = area(mesh);
  quality.enclosed_volume = enclosed_volume(mesh);
  // Each edge: how many triangles run along it upwards and how many downwards.
  std::map<std::pair<int, int>, std::array<int, 2>> edges;
  for (const auto& t : mesh.triangles)
    for (int i = 0; i < 3; ++i) {
      const int a = t[i], b = t[(i + 1) % 3];
      ++edges[std::minmax(a, b)][a < b ? 0 : 1];
    }
  for (const auto& [edge, count] : edges) {
    const int total = count[0] + count[1];
    quality.num_open_edges += total == 1;
    quality.num_crowded_edges += total > 2;
    quality.num_misoriented_edges += total == 2 && count[0] != 1;
  }
  return quality;
}

TetQuality measure(const TetMesh& mesh) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  TetQuality quality;
  quality.num_vertices = static_cast<int>(mesh.vertices.size());
  quality.num_tets = static_cast<int>(mesh.tets.size());
  quality.smallest_volume = quality.smallest_angle = quality.shortest_edge = kInfinity;
  for (int t = 0; t < static_cast<int>(mesh.tets.size()); ++t) measure_tet(mesh, t, quality);

  const Boundary surface = boundary(mesh);
  std::vector<char> is_outer(mesh.vertices.size(), 0);
  for (const int v : surface.vertex) is_outer[v] = 1;
  for (const auto& t : mesh.tets)
    quality.num_voids += std::all_of(t.begin(), t.end(), [&](int v) { return is_outer[v] != 0; });
  if (surface.surface.triangles.empty()) return quality;
  const SurfaceDistance distance(surface.surface);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (is_outer[v]) continue;
    ++quality.num_inner_vertices;
    quality.largest_depth = std::max(quality.largest_depth, distance(mesh.vertices[v]));
  }
  return quality;
}

}  // namespace patchfield
