// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A person's tetrahedra → a pressure field. The mesh may be non-convex, mirrored, or have tetrahedra
// without an inside vertex.
//
//   p = E · distance to the surface / foundation depth        exact distances, at the vertices
//
// Voids. A tetrahedron with four vertices on the surface would have p = 0 throughout; it is split at its
// centroid into four, and the new vertex has its own distance. (The interface between two such
// tetrahedra stays at zero, which is right only on average; a finer mesh has fewer of them.)
//
// A person's own vertex pressures are kept as they are. Then only tetrahedra with four zeros are split, and
// the new vertex gets p_max · distance/largest distance: the slope of the field as a whole.
//
// Margin m. The mesh stays; a skirt of prisms, three tetrahedra each, goes around it. Its outer vertices are
// at the offset where the planes of the adjacent triangles have moved outwards by m, with the pressure
// −E·m/foundation depth (or the person's pressure less p_max·m/largest distance). Where the surface is
// too crooked for m, the offset is halved, five times at most; what is inverted even then is left out.

#pragma once

#include "patchfield/geometry/shapes.h"

namespace patchfield {

struct TetField {
  PressureMesh field;             ///< The input's vertices come first and keep their numbers.
  double foundation_depth = 0.0;  ///< Where p = E [m]; with own pressures, the largest distance (3V/A if that is zero).
  MeshRepairs repairs;
};

/// Throws InputError that names the vertex or tetrahedron, the value and the cure.
TetField make_tet_field(const TetMesh& mesh, const Compliance& compliance);

}  // namespace patchfield
