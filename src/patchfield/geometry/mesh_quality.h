// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Mesh → what a person wants to know before simulating with it.

#pragma once

#include "patchfield/geometry/mesh.h"

namespace patchfield {

struct SurfaceQuality {
  int num_open_edges = 0;         ///< With one triangle: holes.
  int num_crowded_edges = 0;      ///< With more than two.
  int num_misoriented_edges = 0;  ///< Whose two triangles disagree about the outside.
  double enclosed_volume = 0.0;   ///< [m³]; negative: turned inside out.
  double area = 0.0;              ///< [m²]
  bool is_closed() const { return num_open_edges == 0 && num_crowded_edges == 0; }
};
SurfaceQuality measure(const TriangleMesh& mesh);

struct TetQuality {
  int num_vertices = 0, num_tets = 0;
  double volume = 0.0;                                 ///< [m³]
  double smallest_volume = 0.0, largest_volume = 0.0;  ///< Of a tetrahedron [m³].
  double smallest_angle = 0.0, largest_angle = 0.0;    ///< Dihedral angles [rad]; a regular tetrahedron has 1.231.
  double shortest_edge = 0.0, longest_edge = 0.0;      ///< [m]
  int num_inner_vertices = 0;                          ///< Not on the surface.
  int num_voids = 0;                                   ///< Tetrahedra with all corners on the surface: no pressure.
  double largest_depth = 0.0;                          ///< Distance of the deepest vertex to the surface [m].
};
TetQuality measure(const TetMesh& mesh);

}  // namespace patchfield
