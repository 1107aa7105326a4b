// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/model/model.h"

#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "patchfield/core/check.h"
#include "patchfield/model/geom_shapes.h"

namespace patchfield {
namespace {

std::string one_geom(const std::string& geom, const std::string& custom = "", const std::string& asset = "") {
  return fmt::format(R"(<mujoco><asset>{}</asset><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
    <body><freejoint/>{}</body></worldbody><custom>{}</custom></mujoco>)",
                     asset, geom, custom);
}

std::string complaint(const std::string& xml) {
  try {
    Model::parse(xml);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

Vec3 half_size(const Geometry& g) { return 0.5 * (g.bounds().upper - g.bounds().lower); }

// MuJoCo gives half sizes and half lengths; the meshed shape must fill the same box (skirt: none).
TEST(Model, ShapesHaveMuJoCosSizes) {
  const struct {
    const char* geom;
    Vec3 half;
  } cases[] = {
      {R"(type="sphere" size=".3")", {.3, .3, .3}},          {R"(type="box" size=".1 .2 .3")", {.1, .2, .3}},
      {R"(type="capsule" size=".1 .2")", {.1, .1, .3}},      {R"(type="cylinder" size=".1 .2")", {.1, .1, .2}},
      {R"(type="ellipsoid" size=".1 .2 .3")", {.1, .2, .3}},
  };
  for (const auto& c : cases)
    for (const char* kind : {"compliant margin=0", "rigid"}) {
      const Model model = Model::parse(
          one_geom(fmt::format(R"(<geom name="g" {}/>)", c.geom), fmt::format(R"(<text name="patchfield:g" data="{}"/>
                                                <text name="patchfield:floor" data="compliant"/>)",
                                                                              kind)));
      EXPECT_LT((half_size(*model.geom(1).geometry) - c.half).norm(), 1e-12) << c.geom;
    }
}

TEST(Model, TextsSetComplianceAndDefaultsAreTheKnobs) {
  const Model model = Model::parse(one_geom(R"(<geom name="g" type="sphere" size=".1" friction=".7"/>)",
                                            R"(<text name="patchfield:g" data="compliant modulus=2e5"/>
                                               <text name="other" data="not ours"/>)"));
  const Geom& g = model.geom(1);
  EXPECT_TRUE(g.compliant);
  EXPECT_EQ(g.material.modulus, 2e5);
  EXPECT_EQ(g.material.mu, 0.7) << "the geom's own friction";
  EXPECT_EQ(g.material.hunt_crossley, 50.0);
  EXPECT_EQ(g.material.relaxation_time, 1e-3);
  EXPECT_TRUE(std::isinf(model.geom(0).material.modulus));
  EXPECT_NEAR(half_size(*g.geometry).z(), 0.1 + 1e-4, 1e-9) << "margin 0.1 mm by default";
  const std::vector<double>& p = g.geometry->volume().pressure;
  EXPECT_DOUBLE_EQ(*std::max_element(p.begin(), p.end()), 2e5) << "pressure at the deepest point is the modulus";
}

TEST(Model, ApiWinsOverTexts) {
  ModelOptions options;
  options.geoms["g"] = {.compliant = true, .modulus = 7e5};
  const Model model = Model::parse(
      one_geom(R"(<geom name="g" type="sphere" size=".1"/>)", R"(<text name="patchfield:g" data="rigid"/>)"), options);
  EXPECT_EQ(model.geom(1).material.modulus, 7e5);
}

constexpr const char* kTetrahedron =
    R"(<mesh name="t" vertex="0 0 0 .3 0 0 0 .3 0 0 0 .3" face="0 2 1 0 1 3 0 3 2 1 2 3"/>)";

/// Off its file's origin and with three different sizes, so that MuJoCo moves and turns it. Mirrored, to be thorough.
constexpr const char* kWedge = R"(<mesh name="t" scale="-2 1 1" vertex="1 1 1 1.3 1 1 1 1.5 1.1 1.1 1 1.9"
                                        face="0 2 1 0 1 3 0 3 2 1 2 3"/>)";

// The hook gets the surface in the file's frame, scale applied; what it returns must land on MuJoCo's own triangles.
TEST(Model, VolumesAreAskedForInTheFrameOfTheFile) {
  const TetMesh wedge{{{-2, 1, 1}, {-2.6, 1, 1}, {-2, 1.5, 1.1}, {-2.2, 1, 1.9}}, {{0, 2, 1, 3}}};
  ModelOptions options;
  VolumeRequest asked;
  options.make_volume = [&](const VolumeRequest& request) {
    asked = request;
    return Volume{wedge, {}};
  };
  const Model model = Model::parse(
      one_geom(R"(<geom name="g" type="mesh" mesh="t"/>)",
               R"(<text name="patchfield:g" data="compliant margin=0 resolution=.2 volume=/a%20b.vtk"/>)", kWedge),
      options);
  EXPECT_EQ(asked.geom, "g");
  EXPECT_EQ(asked.file, "/a b.vtk");
  EXPECT_EQ(asked.resolution, 0.2);
  EXPECT_EQ(asked.scale, Vec3(-2, 1, 1));
  ASSERT_EQ(asked.surface.vertices.size(), 4u);
  const mjModel* m = model.mujoco();
  const std::vector<Vec3>& placed = model.geom(1).geometry->volume().mesh.vertices;
  for (const Vec3& v : wedge.vertices) {
    // Which of MuJoCo's vertices is it? Single precision is good to 1e-6 here.
    int at = -1;
    for (int i = 0; i < 4; ++i)
      if ((asked.surface.vertices[i] - v).norm() < 1e-6) at = i;
    ASSERT_GE(at, 0) << v.transpose();
    const float* mujoco = m->mesh_vert + 3 * at;
    const auto index = static_cast<std::size_t>(&v - wedge.vertices.data());
    EXPECT_LT((placed[index] - Vec3(mujoco[0], mujoco[1], mujoco[2])).norm(), 1e-6);
  }
}

TEST(Model, VolumesElsewhereAndOwnPressures) {
  const std::string xml = one_geom(R"(<geom name="g" type="mesh" mesh="t"/>)",
                                   R"(<text name="patchfield:g" data="compliant modulus=5"/>)", kTetrahedron);
  TetMesh tet{{{0, 0, 0}, {.3, 0, 0}, {0, .3, 0}, {0, 0, .3}, {.05, .05, .05}},
              {{0, 1, 2, 4}, {0, 3, 1, 4}, {0, 2, 3, 4}, {1, 3, 2, 4}}};
  for (auto& t : tet.tets) std::swap(t[0], t[1]);
  ModelOptions options;
  options.make_volume = [&](const VolumeRequest&) { return Volume{tet, {0, 0, 0, 0, 3e4}}; };
  const Model model = Model::parse(xml, options);
  EXPECT_EQ(model.geom(1).material.modulus, 3e4) << "the pressures of the volume count";
  ASSERT_EQ(model.warnings().size(), 1u);
  EXPECT_NE(model.warnings()[0].find("modulus has no effect"), std::string::npos);
  for (Vec3& v : tet.vertices) v *= 1000;  // millimetres
  EXPECT_THROW(Model::parse(xml, options), InputError);
}

TEST(Model, MeshesAreTrianglesAndHullsOnlyWhenAsked) {
  const std::string geom = R"(<geom name="g" type="mesh" mesh="t"/>)";
  const Model rigid = Model::parse(one_geom(geom, R"(<text name="patchfield:floor" data="compliant"/>)", kTetrahedron));
  EXPECT_EQ(rigid.geom(1).geometry->surface().triangles.size(), 4u);
  const std::string text = complaint(one_geom(geom, R"(<text name="patchfield:g" data="compliant"/>)", kTetrahedron));
  EXPECT_NE(text.find("hull"), std::string::npos) << text;
  const Model hull = Model::parse(one_geom(geom, R"(<text name="patchfield:g" data="compliant hull"/>)", kTetrahedron));
  EXPECT_GT(hull.geom(1).geometry->volume().mesh.tets.size(), 0u);
}

TEST(Model, HeightFieldsAreSaidAloud) {
  const Model model =
      Model::parse(R"(<mujoco><asset><hfield name="h" nrow="2" ncol="2" size="1 1 .1 .1" elevation="0 0 0 0"/></asset>
    <worldbody><geom name="hill" type="hfield" hfield="h"/>
    <body pos="0 0 1"><freejoint/><geom name="g" type="sphere" size=".1"/></body></worldbody>
    <custom><text name="patchfield:g" data="compliant"/></custom></mujoco>)");
  EXPECT_EQ(model.pairs()(0, 1), PairKind::kPoint);
  ASSERT_FALSE(model.warnings().empty());
  EXPECT_NE(model.warnings()[0].find("hfield"), std::string::npos);
}

TEST(Model, SaysTheResolutionItUsed) {
  const auto used = [](const char* geom, const char* data) {
    const std::string text = fmt::format(R"(<text name="patchfield:g" data="{}"/>)", data);
    return Model::parse(one_geom(geom, text)).geom(1).resolution;
  };
  const char* ball = R"(<geom name="g" type="sphere" size=".04"/>)";
  EXPECT_EQ(used(ball, "compliant"), 0.005) << "an eighth of the radius";
  EXPECT_EQ(used(ball, "compliant resolution=0.02"), 0.02);
  EXPECT_EQ(used(R"(<geom name="g" type="cylinder" size=".008 .1"/>)", "compliant"), 0.001);
  EXPECT_EQ(used(R"(<geom name="g" type="box" size=".1 .1 .1"/>)", "compliant resolution=0.02"), std::nullopt);
  // A rigid ball has a surface only where something soft may touch it.
  const Model model = Model::parse(one_geom(ball, R"(<text name="patchfield:floor" data="compliant"/>)"));
  EXPECT_EQ(model.geom(1).resolution, 0.005);
  EXPECT_EQ(model.geom(1).geometry->surface().triangles.size(), 1352u);
}

TEST(Model, SettingsWithoutEffectAreSaidAloud) {
  const Model model = Model::parse(one_geom(R"(<geom name="g" type="box" size=".1 .1 .1"/>)",
                                            R"(<text name="patchfield:g" data="compliant resolution=0.1"/>
                  <text name="patchfield:floor" data="rigid modulus=1e5"/>)"));
  ASSERT_EQ(model.warnings().size(), 2u);
  EXPECT_NE(model.warnings()[0].find("modulus"), std::string::npos);
  EXPECT_NE(model.warnings()[1].find("resolution has no effect"), std::string::npos);
}

TEST(Model, ErrorsNameObjectValueAndCure) {
  const std::string sphere = R"(<geom name="g" type="sphere" size=".1"/>)";
  const auto with_text = [&](const char* name, const char* data) {
    return complaint(one_geom(sphere, fmt::format(R"(<text name="patchfield:{}" data="{}"/>)", name, data)));
  };
  EXPECT_NE(with_text("gg", "compliant").find("no geom named \"gg\""), std::string::npos);
  EXPECT_NE(with_text("gg", "compliant").find("floor, g"), std::string::npos) << "lists the names";
  EXPECT_NE(with_text("g", "compliant modulus=-1").find("patchfield:g"), std::string::npos);
  EXPECT_NE(complaint("<mujoco/>").find("no bodies"), std::string::npos);
  EXPECT_NE(complaint("<mujoco><worldbody><body/></worldbody></mujoco>").find("no joint"), std::string::npos);
  EXPECT_NE(complaint("<mujoco><worldbdy/></mujoco>").find("worldbdy"), std::string::npos) << "MuJoCo's own words";
  EXPECT_NE(complaint("<mujoco><worldbody><body><joint/></body></worldbody></mujoco>").find("mass"), std::string::npos)
      << "so do errors of its compiler";
  EXPECT_THROW(Model::load("/no/such/file.xml"), InputError);
}

TEST(Model, AMissingMeshIsNamedAndWhereItWasLookedFor) {
  const std::string path = testing::TempDir() + "/patchfield_missing_mesh.xml";
  std::ofstream(path) << R"(<mujoco><asset><mesh name="m" file="gone.obj"/></asset></mujoco>)";
  try {
    Model::load(path);
    FAIL() << "no complaint";
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("gone.obj"), std::string::npos) << what;
    EXPECT_NE(what.find("start at its folder, here /"), std::string::npos) << what;
  }
}

TEST(Model, LoadsFilesAndBorrowsModels) {
  const std::string path = testing::TempDir() + "/patchfield_model_test.xml";
  std::ofstream(path) << one_geom(R"(<geom name="g" type="sphere" size=".1"/>)");
  const Model model = Model::load(path);
  EXPECT_EQ(model.num_geoms(), 2);
  const Model borrowed = Model::borrow(model.mujoco());
  EXPECT_EQ(borrowed.mujoco(), model.mujoco());
}

}  // namespace
}  // namespace patchfield
