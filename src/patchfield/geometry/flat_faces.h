// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What is flat in a surface is flat in its tetrahedra, to the last bit.
//
// A mesher keeps the surface within a tolerance of 0.1 mm or so. A plate that rests on a table sinks in by nanometres:
// it would stand on the three highest bumps. So the vertices near a flat face of the original are put into its plane;
// at an edge of two faces into both, at a corner into all.

#pragma once

#include "patchfield/geometry/mesh.h"

namespace patchfield {

/// Makes coordinates along each axis that differ by less than `tolerance` equal: removes the noise that rotating in
/// single precision leaves on faces that were parallel to an axis.
void align_coordinates(double tolerance, TriangleMesh& mesh);

struct FlatReport {
  int num_faces = 0;    ///< Flat faces of the surface, of half a percent of its area at least.
  int num_moved = 0;    ///< Vertices that were put into their planes.
  int num_refused = 0;  ///< Vertices left alone because a tetrahedron would have turned over.
};

/// Moves boundary vertices of `mesh` within `tolerance` of a flat face of `surface` onto it.
FlatReport flatten_faces(const TriangleMesh& surface, double tolerance, TetMesh& mesh);

}  // namespace patchfield
