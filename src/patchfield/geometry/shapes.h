// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The shapes that people name. All are centred at the origin of their own frame; sizes are
// full sizes, as in SDF and URDF.

#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "patchfield/geometry/mesh.h"

namespace patchfield {

struct Sphere {   ///< A ball about the origin.
  double radius;  ///< [m] > 0
};
struct Box {       ///< Centred at the origin, edges along the axes.
  double x, y, z;  ///< Full sizes [m] > 0.
};
struct Cylinder {  ///< Centred at the origin, along z.
  double radius;   ///< [m] > 0
  double length;   ///< Full length along z [m] > 0.
};
struct Capsule {  ///< A cylinder along z with round ends, centred at the origin.
  double radius;  ///< [m] > 0
  double length;  ///< Of the cylindrical part, along z [m] ≥ 0.
};
struct Ellipsoid {  ///< Centred at the origin.
  double a, b, c;   ///< Semi-axes along x, y, z [m] > 0.
};
struct HalfSpace {};  ///< All of z ≤ 0; its outward normal is +z.
struct ConvexHull {   ///< The smallest convex body that holds the points.
  std::vector<Vec3> points;
};

using Shape = std::variant<Sphere, Box, Cylinder, Capsule, Ellipsoid, HalfSpace, ConvexHull, TriangleMesh, TetMesh>;

/// "sphere", "box", …: for messages and tables.
std::string_view shape_name(const Shape& shape);

/// How a compliant shape is meshed and how it pushes back. Names as in ../shared/knobs.md.
struct Compliance {
  double modulus = 1e7;  ///< Hydroelastic modulus E_h [Pa] > 0: pressure at the deepest point.
  /// Target edge length on the largest circle of a round shape [m] > 0; by default r/8, at most 2 cm.
  std::optional<double> resolution = std::nullopt;
  double margin = 0.0;          ///< Speculative skirt of negative pressure [m] ≥ 0.
  double slab_thickness = 1.0;  ///< Of a half space: p = E·depth/thickness [m] > 0.

  /// Tetrahedral meshes only: depth at which p = E [m]; by default the largest distance to the surface.
  std::optional<double> foundation_depth = std::nullopt;
  /// Tetrahedral meshes only: pressures of the user's own [Pa], one per vertex; modulus is then unused.
  std::vector<double> vertex_pressures = {};
};

}  // namespace patchfield
