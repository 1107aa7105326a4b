// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/geometry.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/geometry/open_sheet.h"
#include "patchfield/geometry/tessellate.h"

namespace patchfield {
namespace {

// Beyond this products of coordinates lose their exponent range: nobody's robot is that big.
constexpr double kLargestCoordinate = 1e12;  // [m]

// Outside of this range nothing in the world is that soft or that stiff, and products of
// pressures and slopes would leave the range of floating point.
constexpr double kSmallestPressure = 1e-6, kLargestPressure = 1e18;  // [Pa]

void check_pressure(double peak, std::string_view name) {
  if (!(peak >= kSmallestPressure && peak <= kLargestPressure))
    throw InputError(
        fmt::format("{}: its highest pressure is {:g} Pa; it must be from {:g} to {:g} Pa. "
                    "Soft rubber is 1e5, a good start is 1e7.",
                    name, peak, kSmallestPressure, kLargestPressure));
}

Aabb bound(const std::vector<Vec3>& vertices, std::string_view name) {
  Aabb box;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec3& v = vertices[i];
    if (!(v.cwiseAbs().maxCoeff() <= kLargestCoordinate))
      throw InputError(
          fmt::format("{}: vertex {} is ({}, {}, {}); coordinates must be finite and below {:g} m. "
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

}  // namespace

Geometry Geometry::compliant(const Shape& shape, const Compliance& compliance) {
  auto data = std::make_shared<Data>();
  data->name = shape_name(shape);
  if (std::holds_alternative<HalfSpace>(shape)) {
    check_pressure(compliance.modulus, "half space");
    if (!(compliance.slab_thickness >= 1e-6 && compliance.slab_thickness <= 1e6))
      throw InputError(fmt::format("half space: slab thickness = {} m must be from 1e-6 to 1e6 m. 1 m is the default.",
                                   compliance.slab_thickness));
    if (!(compliance.margin >= 0.0 && std::isfinite(compliance.margin)))
      throw InputError(fmt::format("half space: margin = {} must be zero or positive.", compliance.margin));
    data->half_space = HalfSpaceField{compliance.modulus / compliance.slab_thickness, compliance.margin};
    data->bounds = bound_half_space(compliance.margin);
  } else {
    data->volume = make_pressure_mesh(shape, compliance, &data->repairs);
    data->bounds = bound(data->volume.mesh.vertices, data->name);
    double peak = 0.0;
    for (const double p : data->volume.pressure) peak = std::max(peak, std::abs(p));
    check_pressure(peak, data->name);
    data->tree = build_tet_tree(data->volume);
  }
  Geometry geometry;
  geometry.data_ = std::move(data);
  return geometry;
}

Geometry Geometry::rigid(const Shape& shape, std::optional<double> resolution) {
  auto data = std::make_shared<Data>();
  data->rigid = true;
  data->name = shape_name(shape);
  if (std::holds_alternative<HalfSpace>(shape)) {
    data->half_space = HalfSpaceField{};
    data->bounds = bound_half_space(0.0);
  } else {
    data->surface = make_surface_mesh(shape, resolution);
    if (std::holds_alternative<TriangleMesh>(shape) && is_open(data->surface)) data->surface = two_sided(data->surface);
    data->bounds = bound(data->surface.vertices, data->name);
    data->tree = build_triangle_tree(data->surface);
  }
  Geometry geometry;
  geometry.data_ = std::move(data);
  return geometry;
}

}  // namespace patchfield
