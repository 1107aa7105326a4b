// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Mesh files ↔ meshes.
//
//   .obj .stl .gltf .glb .dae ──► TriangleMesh      welded, polygons cut into triangles
//   .vtk (legacy tetrahedra)  ──► VolumeFile        or its boundary, as a TriangleMesh
//   VolumeFile                ──► .vtk
//
// Coordinates are those of the file; no unit is converted. The one exception is glTF, whose specification says that y
// is up: x → x, y → z, z → −y turns it z-up, as Drake does, so that a robot's glTF and OBJ lie upon each other.
// The transforms of all nodes of a glTF or COLLADA scene are applied.
//
// All readers throw InputError that names the file, the line where the format has lines, what was read and the cure.
// None allocates more than a small multiple of the file's size, whatever its header claims.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "patchfield/geometry/mesh.h"

namespace patchfield {

/// Tetrahedra as a legacy VTK file holds them.
struct VolumeFile {
  TetMesh mesh;                          ///< All of positive volume, or degenerate.
  std::vector<double> vertex_pressures;  ///< [Pa], one per vertex; empty if the file has none.
  std::string pressure_name;             ///< The array of POINT_DATA that they came from.
  bool was_flipped = false;              ///< All tetrahedra of the file were negative and have been re-oriented.
};

/// Vertices at the same place are welded and triangles that collapse by it are left out. The surface may be open.
TriangleMesh read_surface_mesh(const std::filesystem::path& path);

/// Legacy VTK, ASCII or BINARY, versions 2 to 5. Pressures are the scalars of POINT_DATA whose name contains
/// "pressure", else its first array of real numbers with one component. A mixture of positive and negative
/// tetrahedra is an InputError that names one.
VolumeFile read_vtk_volume(const std::filesystem::path& path);

/// True for the extensions that read_surface_mesh knows.
bool is_mesh_file(const std::filesystem::path& path);

struct VtkOptions {
  bool binary = false;
  bool offsets = false;  ///< Version 5.1 with OFFSETS and CONNECTIVITY instead of 3.0, which everything reads.
};

/// Writes the tetrahedra and, if there are any, the pressures as POINT_DATA. Numbers survive to the last bit. The file
/// appears whole or not at all.
void write_vtk(const std::filesystem::path& path, const TetMesh& mesh, const std::vector<double>& vertex_pressures = {},
               const VtkOptions& options = {});

}  // namespace patchfield
