// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Behind make_pressure_mesh: one function per shape, and the two tools that they share.
//
// The field of each is p = E·e with extent e = 1 on the medial set, 0 on the surface (theory.md §1).
// A margin m moves the outer vertices outwards and continues the same linear pieces to negative
// pressure, so that inside the shape the field does not know of the margin, to the last tetrahedron:
//
//        medial set          surface      skirt
//     p      E ────────────────── 0 ─────── −E·m/H         H: inscribed distance
//
// Parameters are checked by the caller (tessellate.cpp).

#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>

#include "patchfield/geometry/shapes.h"

namespace patchfield {

PressureMesh mesh_sphere(const Sphere& sphere, const Compliance& compliance);
PressureMesh mesh_ellipsoid(const Ellipsoid& ellipsoid, const Compliance& compliance);
PressureMesh mesh_capsule(const Capsule& capsule, const Compliance& compliance);
PressureMesh mesh_cylinder(const Cylinder& cylinder, const Compliance& compliance);
PressureMesh mesh_box(const Box& box, const Compliance& compliance);
PressureMesh mesh_convex_hull(const ConvexHull& hull, const Compliance& compliance);

/// Sizes whose difference is below this fraction of them are equal: the medial set loses a dimension
/// instead of growing slivers.
inline constexpr double kEqualSizes = 1e-9;

/// More than this would be a typing error in a resolution rather than a wish.
inline constexpr double kMaxTets = 4e6;

/// Pressure of extent −s; a plain +0 where there is no margin.
inline double skirt_pressure(double E, double s) { return s > 0.0 ? -E * s : 0.0; }

/// Throws InputError if a tessellation would have more than kMaxTets.
void require_affordable(std::string_view shape, double resolution, double num_tets);

/// What was given, or the default of the shape: for shapes that have one.
double resolution_of(const Shape& shape, const Compliance& compliance);

/// Collects vertices and tetrahedra.
class PressureMeshBuilder {
 public:
  int add_vertex(const Vec3& position, double pressure);
  /// In either handedness: the sign of the volume decides, so that no shape has to track it.
  void add_tet(int a, int b, int c, int d);
  /// One tetrahedron per triangle, all with corner `apex`.
  void add_cone(int apex, std::initializer_list<std::array<int, 3>> triangles);

  const Vec3& position(int vertex) const { return result_.mesh.vertices[vertex]; }
  PressureMesh take() { return std::move(result_); }

 private:
  PressureMesh result_;
};

}  // namespace patchfield
