// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/geometry.h"

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/geometry/tessellate.h"

namespace patchfield {
namespace {

// Beyond this products of coordinates lose their exponent range: nobody's robot is that big.
constexpr double kLargestCoordinate = 1e12;  // [m]

Aabb bound(const std::vector<Vec3>& vertices, std::string_view name) {
  Aabb box;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec3& v = vertices[i];
    if (!(v.cwiseAbs().maxCoeff() <= kLargestCoordinate))
      throw InputError(fmt::format("{}: vertex {} is ({}, {}, {}); coordinates must be finite and below {:g} m. "
                                   "Check the file or its scale.",
                                   name, i, v[0], v[1], v[2], kLargestCoordinate));
    box.lower = box.lower.cwiseMin(v);
    box.upper = box.upper.cwiseMax(v);
  }
  return box;
}

Aabb bound_half_space(double margin) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {Vec3::Constant(-kInfinity), Vec3(kInfinity, kInfinity, margin)};
}

void check_positive(double value, const char* what, const char* cure) {
  if (!(value > 0.0 && std::isfinite(value)))
    throw InputError(fmt::format("half space: {} = {} must be positive and finite. {}", what, value, cure));
}

}  // namespace

Geometry Geometry::compliant(const Shape& shape, const Compliance& compliance) {
  auto data = std::make_shared<Data>();
  data->name = shape_name(shape);
  if (std::holds_alternative<HalfSpace>(shape)) {
    check_positive(compliance.modulus, "modulus", "1e5 is soft rubber, 1e7 a good start.");
    check_positive(compliance.slab_thickness, "slab thickness", "1 m is the default.");
    if (!(compliance.margin >= 0.0 && std::isfinite(compliance.margin)))
      throw InputError(fmt::format("half space: margin = {} must be zero or positive.", compliance.margin));
    data->half_space = HalfSpaceField{compliance.modulus / compliance.slab_thickness, compliance.margin};
    data->bounds = bound_half_space(compliance.margin);
  } else {
    data->volume = make_pressure_mesh(shape, compliance);
    data->bounds = bound(data->volume.mesh.vertices, data->name);
    data->tree = build_tet_tree(data->volume);
  }
  Geometry geometry;
  geometry.data_ = std::move(data);
  return geometry;
}

Geometry Geometry::rigid(const Shape& shape, double resolution) {
  auto data = std::make_shared<Data>();
  data->rigid = true;
  data->name = shape_name(shape);
  if (std::holds_alternative<HalfSpace>(shape)) {
    data->half_space = HalfSpaceField{};
    data->bounds = bound_half_space(0.0);
  } else {
    data->surface = make_surface_mesh(shape, resolution);
    data->bounds = bound(data->surface.vertices, data->name);
    data->tree = build_triangle_tree(data->surface);
  }
  Geometry geometry;
  geometry.data_ = std::move(data);
  return geometry;
}

}  // namespace patchfield
