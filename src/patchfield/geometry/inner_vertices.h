// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Tetrahedra of a thin body → tetrahedra whose inside has vertices.
//
// A mesher fills a 3 mm plate with tetrahedra that reach from one side to the other: all corners are on the surface,
// where the pressure is zero, so there is none anywhere. The cure, conforming (neighbours agree) and in this order:
//
//   edge     that runs inside with both ends on the surface   → its middle becomes a vertex
//   triangle inside with three corners on the surface         → its centroid
//   tetrahedron with four                                     → its centroid
//
// Afterwards every edge, triangle and tetrahedron that is not on the surface has a corner inside. The surface stays.
// (make_tet_field splits tetrahedra alone, which leaves valleys of zero pressure between them.)

#pragma once

#include "patchfield/geometry/mesh.h"

namespace patchfield {

/// Appends vertices and splits tetrahedra; returns how many vertices it added.
int add_inner_vertices(TetMesh& mesh);

}  // namespace patchfield
