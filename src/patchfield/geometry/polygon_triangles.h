// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A polygon of a mesh file, possibly non-convex or not quite planar → triangles.

#pragma once

#include <vector>

#include "patchfield/geometry/mesh.h"

namespace patchfield {

/// Appends the triangles of `polygon`, vertices of `mesh` in order, by cutting ears. What cannot be cut without
/// turning a triangle over (the polygon crosses itself) becomes a fan.
void append_polygon(std::vector<int> polygon, TriangleMesh& mesh);

}  // namespace patchfield
