// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// MuJoCo's geoms → our shapes, in the geom's own frame (the one of geom_xpos and geom_xmat).
//
//   plane → half space · sphere · capsule (MuJoCo gives the half-length) · ellipsoid · cylinder · box (half
//   sizes) · mesh → its triangles, or its convex hull where that is asked for · hfield, sdf → none

#pragma once

#include <optional>
#include <string>

#include <mujoco/mujoco.h>

#include "patchfield/geometry/shapes.h"

namespace patchfield {

/// MuJoCo's name of the geom, or "geom 7" if it has none.
std::string geom_name(const mjModel* m, int geom);

/// "plane", "mesh", …
const char* geom_type_name(int type);

/// Nothing if the type has no shape here.
std::optional<Shape> geom_shape(const mjModel* m, int geom, bool hull);

/// From the frame of a mesh's file (scaled) to MuJoCo's frame of the mesh, which is the geom's.
Pose mesh_pose(const mjModel* m, int geom);

bool has_shape(const mjModel* m, int geom);

}  // namespace patchfield
