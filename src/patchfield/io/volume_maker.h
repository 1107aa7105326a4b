// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The tetrahedra of a compliant mesh, for ModelOptions::make_volume: read from its VTK file, or made from its surface
// and remembered.
//
//   options.make_volume = VolumeMaker();
//
// The cache: a binary VTK file per surface in $XDG_CACHE_HOME/patchfield/meshes (else ~/.cache/…), named by a hash of
// all that the mesh depends on (vertices, triangles, resolution, mesher). Files appear whole or not at all, so that
// processes may share it; one that cannot be read is made anew; a folder that cannot be written is no error.

#pragma once

#include <filesystem>

#include "patchfield/io/tetrahedralize.h"
#include "patchfield/model/volume_request.h"

namespace patchfield {

/// Empty if neither XDG_CACHE_HOME nor HOME is set: then nothing is remembered.
std::filesystem::path default_mesh_cache();

class VolumeMaker {
 public:
  explicit VolumeMaker(TetrahedralizeOptions options = {}, std::filesystem::path cache = default_mesh_cache())
      : options_(std::move(options)), cache_(std::move(cache)) {}

  /// Throws InputError.
  Volume operator()(const VolumeRequest& request) const;

  /// tetrahedralize() with the cache before it. `name` is for messages.
  TetMesh fill(const TriangleMesh& surface, std::optional<double> resolution, const std::string& name) const;

 private:
  TetrahedralizeOptions options_;
  std::filesystem::path cache_;
};

}  // namespace patchfield
