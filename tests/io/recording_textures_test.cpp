// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What a recording keeps of materials and textures.

#include "patchfield/io/recording_textures.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "patchfield/io/recording_bytes.h"
#include "patchfield/io/recording_model.h"
#include "patchfield/sim/data.h"

namespace patchfield {
namespace {

/// A triangle-sided mesh with texture coordinates, a plane with a checker of two grays, and geoms with and without
/// colors of their own.
constexpr const char* kModel = R"(<mujoco><asset>
  <texture name="checker" type="2d" builtin="flat" rgb1="0.2 0.4 0.6" width="1024" height="512"/>
  <material name="plain" rgba="0.1 0.2 0.3 1"/>
  <material name="printed" texture="checker" texrepeat="2 3" rgba="1 1 1 1"/>
  <mesh name="tet" vertex="0 0 0  1 0 0  0 1 0  0 0 1" face="0 2 1  0 1 3  1 2 3  0 3 2" texcoord="0 0  1 0  0 1  1 1"/>
</asset><worldbody>
  <geom name="own" type="sphere" size="0.1" material="plain" rgba="1 0 0 1"/>
  <geom name="material" type="sphere" size="0.1" material="plain"/>
  <geom name="floor" type="plane" size="1 1 1" material="printed"/>
  <geom name="mesh" type="mesh" mesh="tet" material="printed" contype="0" conaffinity="0"/>
  <body><freejoint/><geom type="sphere" size="0.1"/></body>
</worldbody><keyframe><key name="home"/></keyframe></mujoco>)";

int geom(const mjModel* m, const char* name) { return mj_name2id(m, mjOBJ_GEOM, name); }

TEST(RecordedColors, AreThoseOfMuJoCosOwnPicture) {
  const Model model = Model::parse(kModel);
  const mjModel* m = model.mujoco();
  EXPECT_EQ(color_of_geom(m, geom(m, "own")), (std::array<float, 4>{1, 0, 0, 1}));
  EXPECT_EQ(color_of_geom(m, geom(m, "material")), (std::array<float, 4>{0.1F, 0.2F, 0.3F, 1}));
  // A texture that has no coordinates there contributes its mean: one byte of rounding.
  const std::array<float, 4> floor = color_of_geom(m, geom(m, "floor"));
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(floor[c], 0.2 * (1.0 + static_cast<double>(c)), 1.0 / 255);
  // One that is laid onto the mesh does not tint it twice.
  EXPECT_EQ(color_of_geom(m, geom(m, "mesh")), (std::array<float, 4>{1, 1, 1, 1}));
}

TEST(RecordedTextures, AreSmallAndKeepTheirColor) {
  const Model model = Model::parse(kModel);
  const mjModel* m = model.mujoco();
  const int texture = texture_of_geom(m, geom(m, "mesh"));
  ASSERT_GE(texture, 0);
  const RecordedTexture kept = reduce_texture(m, texture);
  EXPECT_EQ(kept.width, 512);
  EXPECT_EQ(kept.height, 256);
  ASSERT_EQ(kept.pixels.size(), 3U * 512U * 256U);
  EXPECT_NEAR(static_cast<unsigned char>(kept.pixels[0]), 0.2 * 255, 1);
  EXPECT_NEAR(static_cast<unsigned char>(kept.pixels[2]), 0.6 * 255, 1);
}

TEST(RecordedTextures, CoordinatesArePerCornerAndRepeat) {
  const Model model = Model::parse(kModel);
  const mjModel* m = model.mujoco();
  const std::vector<double> uv = texture_coordinates(m, geom(m, "mesh"));
  ASSERT_EQ(uv.size(), 2U * 3U * 4U);
  for (std::size_t i = 0; i < uv.size(); i += 2) {
    EXPECT_TRUE(uv[i] == 0.0 || uv[i] == 2.0);
    EXPECT_TRUE(uv[i + 1] == 0.0 || uv[i + 1] == 3.0);
  }
  EXPECT_TRUE(texture_coordinates(m, geom(m, "floor")).empty());
}

nlohmann::json header_of(const Model& model) {
  const Data data(model);
  const std::string payload = encode_model(data, "title", 60.0);
  ByteReader packed(payload);
  const std::string head = get_block(packed);
  ByteReader reader(head);
  const auto size = reader.get<std::uint32_t>();
  return nlohmann::json::parse(head.substr(4, size));
}

TEST(RecordedHeader, SaysWhyThereAreNoPatches) {
  const nlohmann::json rigid = header_of(Model::parse(kModel));
  EXPECT_NE(rigid["no_patches"].get<std::string>().find("No geom of this model is compliant"), std::string::npos);
  EXPECT_EQ(rigid["keyframes"], nlohmann::json({"home"}));
}

}  // namespace
}  // namespace patchfield
