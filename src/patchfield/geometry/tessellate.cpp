// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/tessellate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/shape_meshes.h"
#include "patchfield/geometry/tet_field.h"

namespace patchfield {

// The builder ---------------------------------------------------------------------------------

int PressureMeshBuilder::add_vertex(const Vec3& position, double pressure) {
  result_.mesh.vertices.push_back(position);
  result_.pressure.push_back(pressure);
  return static_cast<int>(result_.pressure.size()) - 1;
}

void PressureMeshBuilder::add_tet(int a, int b, int c, int d) {
  result_.mesh.tets.push_back({a, b, c, d});
  const int last = static_cast<int>(result_.mesh.tets.size()) - 1;
  if (signed_volume(result_.mesh, last) < 0.0) std::swap(result_.mesh.tets[last][2], result_.mesh.tets[last][3]);
}

void PressureMeshBuilder::add_cone(int apex, std::initializer_list<std::array<int, 3>> triangles) {
  for (const auto& [i, j, k] : triangles) add_tet(apex, i, j, k);
}

// Checks --------------------------------------------------------------------------------------

namespace {

void require_positive(std::string_view shape, std::string_view parameter, double value, std::string_view unit = "m") {
  if (value > 0.0 && std::isfinite(value)) return;
  throw InputError(
      fmt::format("{}: {} = {} {}. Give a finite value above zero, in SI units.", shape, parameter, value, unit));
}

void require_not_negative(std::string_view shape, std::string_view parameter, double value) {
  if (value >= 0.0 && std::isfinite(value)) return;
  throw InputError(
      fmt::format("{}: {} = {} m. Give zero or a finite positive value, in metres.", shape, parameter, value));
}

/// The sizes of a shape. Meshes and points are checked where they are read.
struct RequireSizes {
  void operator()(const Sphere& s) const { require_positive("sphere", "radius", s.radius); }
  void operator()(const Box& s) const {
    require_positive("box", "size x", s.x);
    require_positive("box", "size y", s.y);
    require_positive("box", "size z", s.z);
  }
  void operator()(const Cylinder& s) const {
    require_positive("cylinder", "radius", s.radius);
    require_positive("cylinder", "length", s.length);
  }
  void operator()(const Capsule& s) const {
    require_positive("capsule", "radius", s.radius);
    require_not_negative("capsule", "length", s.length);
  }
  void operator()(const Ellipsoid& s) const {
    require_positive("ellipsoid", "semi-axis a", s.a);
    require_positive("ellipsoid", "semi-axis b", s.b);
    require_positive("ellipsoid", "semi-axis c", s.c);
  }
  template <class Other>
  void operator()(const Other&) const {}
};

void require_compliance(const Shape& shape, const Compliance& compliance) {
  const std::string_view name = shape_name(shape);
  require_positive(name, "modulus", compliance.modulus, "Pa");
  if (compliance.resolution) require_positive(name, "resolution", *compliance.resolution);
  require_not_negative(name, "margin", compliance.margin);
  if (std::holds_alternative<TetMesh>(shape)) return;
  if (compliance.foundation_depth || !compliance.vertex_pressures.empty()) {
    throw InputError(
        fmt::format("{}: {} is for tetrahedral meshes only. Leave it out; the shape has a field of its own.", name,
                    compliance.foundation_depth ? "foundation_depth" : "vertex_pressures"));
  }
}

}  // namespace

void require_affordable(std::string_view shape, double resolution, double num_tets) {
  if (num_tets <= kMaxTets) return;
  throw InputError(
      fmt::format("{}: resolution = {} m would make {:.2g} tetrahedra or more, over the limit of {:.0f}. "
                  "Give a larger resolution (it is an edge length in metres).",
                  shape, resolution, num_tets, kMaxTets));
}

int segments_around(double radius, double resolution) {
  require_positive("circle", "radius", radius);
  require_positive("circle", "resolution", resolution);
  // A resolution of exactly 2πr/N must give N, not N + 1 by a rounding.
  constexpr double kRounding = 1e-9;
  const double quarter = std::numbers::pi * radius / (2.0 * resolution) * (1.0 - kRounding);
  if (!(4.0 * quarter <= kMaxTets)) {
    throw InputError(
        fmt::format("resolution = {} m would cut a circle of radius {} m into {:.2g} segments, over the limit "
                    "of {:.0f}. Give a larger resolution (it is an edge length in metres).",
                    resolution, radius, 4.0 * quarter, kMaxTets));
  }
  // ⌈x/4⌉ = ⌈⌈x⌉/4⌉: one rounding up serves for both.
  constexpr int kMinQuarter = 2;
  return 4 * std::max(static_cast<int>(std::ceil(quarter)), kMinQuarter);
}

namespace {

struct DefaultResolution {
  static constexpr double kLongestEdge = 0.02;  // [m] Large bodies have small neighbours.
  static constexpr double kEdgesPerRadius = 8.0, kMostEdgesPerRadius = 100.0;
  static double of(double radius) {
    return std::max(std::min(kLongestEdge, radius / kEdgesPerRadius), radius / kMostEdgesPerRadius);
  }

  std::optional<double> operator()(const Sphere& s) const { return of(s.radius); }
  std::optional<double> operator()(const Cylinder& s) const { return of(s.radius); }
  std::optional<double> operator()(const Capsule& s) const { return of(s.radius); }
  std::optional<double> operator()(const Ellipsoid& s) const { return of(std::max({s.a, s.b, s.c})); }
  std::optional<double> operator()(const TriangleMesh& s) const { return diagonal(s) / 10.0; }
  template <class Other>
  std::optional<double> operator()(const Other&) const {
    return std::nullopt;
  }
};

}  // namespace

std::optional<double> default_resolution(const Shape& shape) { return std::visit(DefaultResolution{}, shape); }

double resolution_of(const Shape& shape, const Compliance& compliance) {
  return compliance.resolution ? *compliance.resolution : default_resolution(shape).value();
}

// Shape → tetrahedra --------------------------------------------------------------------------

namespace {

struct MakePressureMesh {
  const Compliance& compliance;
  MeshRepairs* repairs;

  PressureMesh operator()(const Sphere& s) const { return mesh_sphere(s, compliance); }
  PressureMesh operator()(const Box& s) const { return mesh_box(s, compliance); }
  PressureMesh operator()(const Cylinder& s) const { return mesh_cylinder(s, compliance); }
  PressureMesh operator()(const Capsule& s) const { return mesh_capsule(s, compliance); }
  PressureMesh operator()(const Ellipsoid& s) const { return mesh_ellipsoid(s, compliance); }
  PressureMesh operator()(const ConvexHull& s) const { return mesh_convex_hull(s, compliance); }
  PressureMesh operator()(const TetMesh& s) const {
    TetField made = make_tet_field(s, compliance);
    if (repairs != nullptr) *repairs = made.repairs;
    return std::move(made.field);
  }
  PressureMesh operator()(const HalfSpace&) const {
    throw InputError(
        "half space: it has no end, so no tetrahedra. It is kept as a plane with slab_thickness; "
        "use a box where a mesh is needed.");
  }
  PressureMesh operator()(const TriangleMesh&) const {
    throw InputError(
        "triangle mesh: a compliant body needs tetrahedra, and surface triangles have no inside. "
        "Fill the surface with tetrahedra first, use its convex hull (declare_convex), or declare it rigid.");
  }
};

}  // namespace

PressureMesh make_pressure_mesh(const Shape& shape, const Compliance& compliance, MeshRepairs* repairs) {
  std::visit(RequireSizes{}, shape);
  require_compliance(shape, compliance);
  return std::visit(MakePressureMesh{compliance, repairs}, shape);
}

// Shape → triangles ---------------------------------------------------------------------------

TriangleMesh make_surface_mesh(const Shape& shape, std::optional<double> resolution) {
  if (std::holds_alternative<HalfSpace>(shape)) {
    throw InputError(
        "half space: it has no end, so no triangles. It is kept as a plane; "
        "use a box where a mesh is needed.");
  }
  if (const auto* triangles = std::get_if<TriangleMesh>(&shape)) {
    validate(*triangles);
    return *triangles;
  }
  if (const auto* tets = std::get_if<TetMesh>(&shape)) {
    validate(*tets);
    TetMesh oriented = *tets;
    orient(oriented);
    return boundary(oriented).surface;
  }
  // A rigid and a compliant shape of one resolution have the same surface, triangle by triangle.
  Compliance compliance;
  compliance.resolution = resolution;
  return boundary(make_pressure_mesh(shape, compliance).mesh).surface;
}

}  // namespace patchfield
