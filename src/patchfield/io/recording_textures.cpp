// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/recording_textures.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace patchfield {
namespace {

/// Larger pictures would make recordings heavier than what they show.
constexpr int kMostTexels = 512;

/// MuJoCo's default; a geom with this color takes the material's.
constexpr float kDefaultColor[4] = {0.5F, 0.5F, 0.5F, 1.0F};

int material_texture(const mjModel* m, int geom) {
  const int material = m->geom_matid[geom];
  return material < 0 ? -1 : m->mat_texid[mjNTEXROLE * material + mjTEXROLE_RGB];
}

/// Mean of a block of texels; gray textures have one channel.
std::array<double, 3> mean_color(const mjModel* m, int texture, int x0, int x1, int y0, int y1) {
  const int channels = m->tex_nchannel[texture], width = m->tex_width[texture];
  const mjtByte* data = m->tex_data + m->tex_adr[texture];
  std::array<double, 3> sum{};
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x)
      for (int c = 0; c < 3; ++c) {
        const std::size_t texel =
            static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
        sum[static_cast<std::size_t>(c)] +=
            data[texel * static_cast<std::size_t>(channels) + static_cast<std::size_t>(channels >= 3 ? c : 0)];
      }
  const double count = std::max(1.0, static_cast<double>(x1 - x0) * static_cast<double>(y1 - y0));
  for (double& s : sum) s /= count;
  return sum;
}

}  // namespace

RecordedTexture reduce_texture(const mjModel* m, int texture) {
  const int width = m->tex_width[texture], height = m->tex_height[texture];
  const int step = std::max({1, (width + kMostTexels - 1) / kMostTexels, (height + kMostTexels - 1) / kMostTexels});
  RecordedTexture out{std::max(1, width / step), std::max(1, height / step), {}};
  out.pixels.reserve(3 * static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height));
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x)
      for (const double channel : mean_color(m, texture, x * step, std::min(width, (x + 1) * step), y * step,
                                             std::min(height, (y + 1) * step)))
        out.pixels.push_back(static_cast<char>(static_cast<std::uint8_t>(std::lround(channel))));
  return out;
}

int texture_of_geom(const mjModel* m, int geom) {
  const int texture = material_texture(m, geom);
  if (texture < 0 || m->tex_type[texture] != mjTEXTURE_2D || m->geom_type[geom] != mjGEOM_MESH) return -1;
  return m->mesh_texcoordadr[m->geom_dataid[geom]] < 0 ? -1 : texture;
}

std::vector<double> texture_coordinates(const mjModel* m, int geom) {
  if (texture_of_geom(m, geom) < 0) return {};
  const int mesh = m->geom_dataid[geom], material = m->geom_matid[geom];
  const float* uv = m->mesh_texcoord + 2 * m->mesh_texcoordadr[mesh];
  const int* corner = m->mesh_facetexcoord + 3 * m->mesh_faceadr[mesh];
  std::vector<double> out;
  for (int k = 0; k < 3 * m->mesh_facenum[mesh]; ++k)
    for (int axis = 0; axis < 2; ++axis)
      out.push_back(static_cast<double>(uv[2 * corner[k] + axis]) *
                    static_cast<double>(m->mat_texrepeat[2 * material + axis]));
  return out;
}

std::array<float, 4> color_of_geom(const mjModel* m, int geom) {
  const int material = m->geom_matid[geom];
  const float* own = m->geom_rgba + 4 * geom;
  const bool is_set = !std::equal(own, own + 4, kDefaultColor);
  const float* chosen = material >= 0 && !is_set ? m->mat_rgba + 4 * material : own;
  std::array<float, 4> rgba = {chosen[0], chosen[1], chosen[2], chosen[3]};
  const int texture = material_texture(m, geom);
  if (texture < 0 || texture_of_geom(m, geom) >= 0) return rgba;
  const std::array<double, 3> mean = mean_color(m, texture, 0, m->tex_width[texture], 0, m->tex_height[texture]);
  for (std::size_t c = 0; c < 3; ++c) rgba[c] *= static_cast<float>(mean[c] / 255.0);
  return rgba;
}

}  // namespace patchfield
