// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Shape → meshes: tetrahedra with a pressure field for compliant bodies, triangles for rigid ones.
//
// Every tessellation contains the medial axis of its shape (where ∇p jumps), has the mirror
// symmetries of the shape, and no tetrahedron with four vertices at zero pressure.

#pragma once

#include <optional>

#include "patchfield/geometry/shapes.h"

namespace patchfield {

/// Segments around the largest circle of radius r: ⌈2πr/h⌉, rounded up to a multiple of four
/// so that the mesh keeps the mirror planes x = 0 and y = 0, and at least eight.
int segments_around(double radius, double resolution);

/// The edge length of a shape for which none is given [m]; nothing for shapes that have no use for one.
///
///   sphere, cylinder, capsule   r/8, at most 2 cm    52 segments around it, more if r > 16 cm
///   ellipsoid                   the same of its largest semi-axis: its mesh and field are a sphere's, scaled, and so
///                               is its contact with a plane; it needs as many segments as a sphere
///   triangle mesh               a tenth of its diagonal, if it is filled with tetrahedra; a rigid one stays as it is
///
/// An eighth, because the patch of a ball of 10 MPa and the density of water under its own weight (radius √(2rδ), δ/r
/// is 0.4 to 0.8 % for r of 1 to 5 cm) is then wider than an edge, so that the ball rolls and does not rest on its
/// facets. The table behind this is in docs/shapes.md. Beyond r = 2 m the edge is r/100: a mesh of millions would be
/// refused.
std::optional<double> default_resolution(const Shape& shape);

/// The volume of a compliant shape. Throws InputError naming shape, value and cure;
/// for a half space and for surface triangles, which have no tetrahedra, too.
/// `repairs`, if given, receives what a tetrahedral mesh needed.
PressureMesh make_pressure_mesh(const Shape& shape, const Compliance& compliance, MeshRepairs* repairs = nullptr);

/// The boundary of a rigid shape, outward oriented. Throws InputError for a half space.
TriangleMesh make_surface_mesh(const Shape& shape, std::optional<double> resolution = std::nullopt);

}  // namespace patchfield
