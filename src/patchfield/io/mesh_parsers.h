// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Bytes of a mesh file → meshes: behind mesh_file.h, one function per format, without the file system. `name` is
// what messages call the file. The triangles are as the file has them: not welded.

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "patchfield/io/mesh_file.h"

namespace patchfield {

TriangleMesh parse_obj(std::string_view bytes, const std::string& name);

/// ASCII or binary; the size decides, since some binary files begin with "solid" as well.
TriangleMesh parse_stl(std::string_view bytes, const std::string& name);

/// Gets the bytes of a buffer by the relative URI that a glTF names.
using BufferLoader = std::function<std::string(const std::string& uri)>;

/// Text (.gltf) or container (.glb), version 2; z-up (mesh_file.h).
TriangleMesh parse_gltf(std::string_view bytes, const std::string& name, const BufferLoader& load);

VolumeFile parse_vtk(std::string_view bytes, const std::string& name);
std::string format_vtk(const TetMesh& mesh, const std::vector<double>& vertex_pressures, const VtkOptions& options);

/// Merges vertices at the same place, drops triangles that name a vertex twice and vertices that no triangle uses.
TriangleMesh welded(const TriangleMesh& mesh);

}  // namespace patchfield
