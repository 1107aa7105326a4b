// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Surface of a mesh → a layer of prisms around it, the margin of tetrahedral meshes (tet_field.h).

#pragma once

#include <vector>

#include "patchfield/geometry/mesh.h"

namespace patchfield {

struct SkirtReport {
  int num_shrunk = 0;   ///< Vertices with less than the full margin.
  int num_dropped = 0;  ///< Tetrahedra left out because they were inverted.
};

/// Appends to `mesh` an offset vertex per boundary vertex, `margin` further out and lower in pressure by
/// `slope`·margin, and three tetrahedra per boundary triangle.
SkirtReport add_skirt(double margin, double slope, PressureMesh& mesh);

}  // namespace patchfield
