// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// How a compliant mesh geom gets its tetrahedra. The model knows no files and no mesher, so it asks: ModelOptions
// carries a function from VolumeRequest to Volume, which io/volume_maker.h supplies.
//
// Both are in the frame of the mesh file, scaled: before MuJoCo moved the mesh to its centre of mass and turned it to
// its principal axes. The Model moves the answer into the geom's frame.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "patchfield/geometry/mesh.h"

namespace patchfield {

struct VolumeRequest {
  std::string geom;                                 ///< For messages.
  std::string file;                                 ///< Of tetrahedra (volume=…); empty: fill the surface.
  Vec3 scale = Vec3::Ones();                        ///< For the file's vertices; the surface has it already.
  TriangleMesh surface;                             ///< MuJoCo's triangles, single precision.
  std::optional<double> resolution = std::nullopt;  ///< Target edge length of the tetrahedra [m] > 0.
};

struct Volume {
  TetMesh mesh;
  std::vector<double> vertex_pressures = {};  ///< [Pa], one per vertex; empty: by distance and modulus.
};

using VolumeSource = std::function<Volume(const VolumeRequest&)>;

}  // namespace patchfield
