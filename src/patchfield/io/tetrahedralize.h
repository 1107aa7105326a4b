// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Surface of triangles → tetrahedra that fill it.
//
//   surface ─► fTetWild, in a process of its own ─► oriented ─► flat faces made flat ─► inner vertices
//              (self-intersections, holes)                      flat_faces.h            inner_vertices.h
//
// fTetWild (Hu et al. 2020; the Python package wildmeshing, MPL-2.0) is not linked: it runs in the Python of
// PATCHFIELD_PYTHON or of the build's .venv. docs/meshing.md has the numbers that chose it. The same surface gives the
// same bits, on the same machine and with the same version.

#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "patchfield/geometry/flat_faces.h"
#include "patchfield/geometry/mesh.h"

namespace patchfield {

struct TetrahedralizeOptions {
  /// Target edge length [m] > 0; by default a tenth of the bounding box's diagonal. Thin parts get what they need.
  std::optional<double> resolution = std::nullopt;
  /// How far the new surface may be from the old [m] > 0; by default the smaller of a thousandth of the diagonal and a
  /// fortieth of the resolution.
  std::optional<double> tolerance = std::nullopt;
  double timeout = 600.0;             ///< [s]
  std::filesystem::path python = {};  ///< With wildmeshing; empty: PATCHFIELD_PYTHON, else the build's own.
};

struct TetrahedralizeReport {
  double resolution = 0.0, tolerance = 0.0;  ///< What was used [m].
  bool was_inside_out = false;               ///< The surface was turned.
  FlatReport flat;
  int num_added_inside = 0;  ///< Vertices that were added so that thin parts have an inside.
};

/// Throws InputError that begins with `name` and says what is wrong with the surface or with the mesher's installation.
TetMesh tetrahedralize(const TriangleMesh& surface, const TetrahedralizeOptions& options, const std::string& name,
                       TetrahedralizeReport* report = nullptr);

/// What the mesh depends on besides surface and options: part of a cache's key.
std::string mesher_version();

}  // namespace patchfield
