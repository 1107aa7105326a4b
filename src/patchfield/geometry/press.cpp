// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/press.h"

#include <algorithm>
#include <limits>

#include "patchfield/core/check.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/query.h"
#include "patchfield/geometry/surface_distance.h"

namespace patchfield {
namespace {

/// Where the line from a to b has no pressure.
Vec3 zero_between(const PressureMesh& volume, int a, int b) {
  const double p_a = volume.pressure[a], p_b = volume.pressure[b];
  return volume.mesh.vertices[a] + p_a / (p_a - p_b) * (volume.mesh.vertices[b] - volume.mesh.vertices[a]);
}

void append_triangle(const Vec3& a, const Vec3& b, const Vec3& c, TriangleMesh& mesh) {
  const int first = static_cast<int>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), {a, b, c});
  mesh.triangles.push_back({first, first + 1, first + 2});
}

/// The level p = 0 within a tetrahedron that has positive and negative corners: a triangle, or two.
void append_level(const PressureMesh& volume, const std::array<int, 4>& tet, TriangleMesh& level) {
  std::vector<int> inside, outside;
  for (const int v : tet) (volume.pressure[v] > 0.0 ? inside : outside).push_back(v);
  if (inside.size() == 2) {
    const Vec3 a = zero_between(volume, inside[0], outside[0]), b = zero_between(volume, inside[0], outside[1]),
               c = zero_between(volume, inside[1], outside[1]), d = zero_between(volume, inside[1], outside[0]);
    append_triangle(a, b, c, level);
    append_triangle(a, c, d, level);
    return;
  }
  const int lone = inside.size() == 1 ? inside[0] : outside[0];
  const std::vector<int>& others = inside.size() == 1 ? outside : inside;
  append_triangle(zero_between(volume, lone, others[0]), zero_between(volume, lone, others[1]),
                  zero_between(volume, lone, others[2]), level);
}

/// The surface of the shape itself: the level p = 0, wherever a margin's skirt has put the vertices. Where a person's
/// own pressures do not reach zero, the boundary.
TriangleMesh zero_surface(const PressureMesh& volume) {
  TriangleMesh level;
  for (const auto& tet : volume.mesh.tets) {
    const auto has = [&](auto test) {
      return std::any_of(tet.begin(), tet.end(), [&](int v) { return test(volume.pressure[v]); });
    };
    if (!has([](double p) { return p > 0.0; })) continue;
    if (has([](double p) { return p < 0.0; })) append_level(volume, tet, level);
    for (const auto& [i, j, k] : kTetFaces)
      if (volume.pressure[tet[i]] == 0.0 && volume.pressure[tet[j]] == 0.0 && volume.pressure[tet[k]] == 0.0)
        append_triangle(volume.mesh.vertices[tet[i]], volume.mesh.vertices[tet[j]], volume.mesh.vertices[tet[k]],
                        level);
  }
  for (const auto& [i, j, k] : boundary_triangles(volume.mesh))
    if (std::min({volume.pressure[i], volume.pressure[j], volume.pressure[k]}) > 0.0)
      append_triangle(volume.mesh.vertices[i], volume.mesh.vertices[j], volume.mesh.vertices[k], level);
  return level;
}

}  // namespace

Press::Press(const Geometry& body, const Vec3& direction) : body_(body), plane_(Geometry::rigid(HalfSpace{})) {
  PATCHFIELD_ASSERT(!body.is_rigid() && !body.half_space());
  X_WB_.R = Eigen::Quaterniond::FromTwoVectors(direction, -Vec3::UnitZ()).toRotationMatrix();
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (const Vec3& v : zero_surface(body.volume()).vertices) {
    const double z = X_WB_.R.row(2).dot(v);
    lowest = std::min(lowest, z);
    highest = std::max(highest, z);
  }
  X_WB_.p = {0.0, 0.0, -lowest};
  thickness_ = highest - lowest;
}

double Press::force(double depth) const {
  const Pose X_WPlane = Pose::translation(0.0, 0.0, depth);
  return contact_surface(plane_, X_WPlane, body_, X_WB_).force_on_B_W().z();
}

std::optional<double> Press::depth(double load) const {
  // Beyond the middle of a body the far side of the field pushes the other way: a plane is not meant to go there.
  const double deepest = 0.5 * thickness_;
  double low = 0.0, high = 1e-10 * thickness_;
  while (force(high) < load) {
    if (high >= deepest) return std::nullopt;
    low = high;
    high = std::min(2.0 * high, deepest);
  }
  for (int i = 0; i < 60 && high - low > 1e-9 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (force(middle) < load ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

std::optional<double> Press::stiffening(double load, double depth) const {
  const double present = depth <= 0.5 * thickness_ ? force(depth) : 0.0;
  return present > 0.0 ? std::optional(load / present) : std::nullopt;
}

double foundation_depth(const Geometry& body) {
  PATCHFIELD_ASSERT(!body.is_rigid() && !body.half_space());
  const PressureMesh& volume = body.volume();
  const auto peak = std::max_element(volume.pressure.begin(), volume.pressure.end());
  return SurfaceDistance(zero_surface(volume))(volume.mesh.vertices[peak - volume.pressure.begin()]);
}

double peak_pressure(const Geometry& body) {
  PATCHFIELD_ASSERT(!body.is_rigid() && !body.half_space());
  return *std::max_element(body.volume().pressure.begin(), body.volume().pressure.end());
}

}  // namespace patchfield
