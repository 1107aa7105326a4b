// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Materials and textures of a MuJoCo model → what a recording keeps of them: one color per geom, and small pictures for
// meshes with texture coordinates.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <mujoco/mujoco.h>

namespace patchfield {

/// Three bytes per texel, rows from the top.
struct RecordedTexture {
  int width = 0, height = 0;
  std::string pixels;
};

/// A texture of the model, reduced to at most 512 texels along each side.
RecordedTexture reduce_texture(const mjModel* m, int texture);

/// The texture of a geom's material that goes with texture coordinates; −1 if it has none.
int texture_of_geom(const mjModel* m, int geom);

/// Texture coordinates u, v per corner of the mesh's triangles; empty if the geom's mesh has none.
std::vector<double> texture_coordinates(const mjModel* m, int geom);

/// The color a geom has in MuJoCo's own picture: its rgba where that was set, otherwise the material's. A texture that
/// cannot be laid onto the geom contributes its mean color.
std::array<float, 4> color_of_geom(const mjModel* m, int geom);

}  // namespace patchfield
