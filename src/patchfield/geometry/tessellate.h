// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Shape → meshes: tetrahedra with a pressure field for compliant bodies, triangles for rigid ones.
//
// Every tessellation contains the medial axis of its shape (where ∇p jumps), has the mirror
// symmetries of the shape, and no tetrahedron with four vertices at zero pressure.

#pragma once

#include "patchfield/geometry/shapes.h"

namespace patchfield {

/// Segments around the largest circle of radius r: ⌈2πr/h⌉, rounded up to a multiple of four
/// so that the mesh keeps the mirror planes x = 0 and y = 0, and at least eight.
int segments_around(double radius, double resolution);

/// The volume of a compliant shape. Throws InputError naming shape, value and cure;
/// for a half space and for surface triangles, which have no tetrahedra, too.
PressureMesh make_pressure_mesh(const Shape& shape, const Compliance& compliance);

/// The boundary of a rigid shape, outward oriented. Throws InputError for a half space.
TriangleMesh make_surface_mesh(const Shape& shape, double resolution);

}  // namespace patchfield
