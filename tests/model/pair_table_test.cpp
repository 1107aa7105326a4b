// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "patchfield/core/check.h"
#include "patchfield/model/model.h"

namespace patchfield {
namespace {

// Every pair of this model is filtered by a rule of MuJoCo or is not; `touch` is laid over all bodies.
constexpr const char* kFilters = R"(
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <geom name="post" type="box" size=".1 .1 .1"/>
    <body name="arm">
      <joint type="hinge"/>
      <geom name="arm" type="capsule" size=".1 .2"/>
      <body name="pad"><geom name="pad" type="box" size=".1 .1 .1"/></body>
      <body name="hand">
        <joint type="hinge" axis="0 1 0"/>
        <geom name="hand" type="sphere" size=".1"/>
        <body name="tip"><joint type="hinge" axis="1 0 0"/><geom name="tip" type="sphere" size=".1"/></body>
      </body>
    </body>
    <body name="ball"><freejoint/><geom name="ball" type="sphere" size=".1"/></body>
    <body name="ghost"><freejoint/><geom name="ghost" type="sphere" size=".1" contype="2" conaffinity="4"/></body>
    <body name="friend"><freejoint/><geom name="friend" type="sphere" size=".1" contype="4" conaffinity="0"/></body>
    <body name="driven" mocap="true"><geom name="driven" type="box" size=".1 .1 .1"/></body>
  </worldbody>
  <contact>
    <exclude body1="ball" body2="tip"/>
    <pair geom1="ghost" geom2="ball" friction=".25"/>
  </contact>
</mujoco>)";

int id(const Model& model, const char* name) { return mj_name2id(model.mujoco(), mjOBJ_GEOM, name); }

// MuJoCo's own answer: put all geoms of the model onto one spot, collide, and collect the pairs.
TEST(PairTable, AgreesWithMuJoCosOwnCollision) {
  const Model model = Model::parse(kFilters);
  const mjModel* m = model.mujoco();
  mjData* d = mj_makeData(m);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  // Shift each pair of geoms onto each other in turn, so that no narrow phase misses it.
  for (int g1 = 0; g1 < m->ngeom; ++g1)
    for (int g2 = g1 + 1; g2 < m->ngeom; ++g2) {
      for (int g = 0; g < m->ngeom; ++g)
        for (int c = 0; c < 3; ++c)
          d->geom_xpos[3 * g + c] = g == g1 || g == g2 ? 0.02 * (c + 1) * (g == g1) : 50.0 * (g + 1);
      d->geom_xpos[3 * id(model, "floor") + 2] = g1 == id(model, "floor") ? 0.0 : -500.0;
      mj_collision(m, d);
      bool found = false;
      for (int i = 0; i < d->ncon; ++i) {
        const mjContact& c = d->contact[i];
        found |= (c.geom[0] == g1 && c.geom[1] == g2) || (c.geom[0] == g2 && c.geom[1] == g1);
      }
      const bool both_static = m->body_treeid[m->geom_bodyid[g1]] < 0 && m->body_treeid[m->geom_bodyid[g2]] < 0;
      EXPECT_EQ(model.pairs()(g1, g2) != PairKind::kNone, found && !both_static)
          << model.geom(g1).name << " – " << model.geom(g2).name;
    }
  mj_deleteData(d);
}

TEST(PairTable, NamedRulesHold) {
  const Model model = Model::parse(kFilters);
  const auto kind = [&](const char* a, const char* b) { return model.pairs()(id(model, a), id(model, b)); };
  EXPECT_EQ(kind("arm", "pad"), PairKind::kNone) << "welded";
  EXPECT_EQ(kind("arm", "hand"), PairKind::kNone) << "parent and child";
  EXPECT_EQ(kind("pad", "hand"), PairKind::kNone) << "parent and child through a weld";
  EXPECT_EQ(kind("arm", "tip"), PairKind::kPoint) << "grandparents collide";
  EXPECT_EQ(kind("arm", "floor"), PairKind::kPoint) << "the world is no parent";
  EXPECT_EQ(kind("ball", "tip"), PairKind::kNone) << "excluded";
  EXPECT_EQ(kind("ghost", "arm"), PairKind::kNone) << "masks do not meet";
  EXPECT_EQ(kind("ghost", "friend"), PairKind::kPoint) << "masks meet one way";
  EXPECT_EQ(kind("ghost", "ball"), PairKind::kPoint) << "<pair> overrides the masks";
  EXPECT_EQ(kind("driven", "floor"), PairKind::kNone) << "neither can move";
  EXPECT_EQ(kind("driven", "ball"), PairKind::kPoint) << "mocap bodies touch what moves";
}

TEST(PairTable, OneCompliantSideMakesAPatch) {
  ModelOptions options;
  options.geoms["ball"] = {.compliant = true};
  const Model model = Model::parse(kFilters, options);
  const int ball = id(model, "ball");
  EXPECT_EQ(model.pairs()(ball, id(model, "floor")), PairKind::kPatch);
  EXPECT_EQ(model.pairs()(ball, id(model, "hand")), PairKind::kPatch);
  EXPECT_EQ(model.pairs()(ball, id(model, "tip")), PairKind::kNone) << "filters hold for patches";
  EXPECT_EQ(model.pairs()(id(model, "arm"), id(model, "tip")), PairKind::kPoint);
  EXPECT_TRUE(model.geom(ball).geometry && !model.geom(ball).geometry->is_rigid());
  EXPECT_TRUE(model.geom(id(model, "hand")).geometry->is_rigid());
  EXPECT_FALSE(model.geom(id(model, "tip")).geometry.has_value()) << "no patch can involve it, so it is not meshed";
  EXPECT_EQ(model.point_masks().geom_contype[static_cast<std::size_t>(ball)], 0) << "MuJoCo need not look at it";
  EXPECT_EQ(model.point_masks().geom_contype[static_cast<std::size_t>(id(model, "arm"))], 1);
}

TEST(PairTable, FrictionOfAnExplicitPairWins) {
  ModelOptions options;
  options.geoms["ball"] = {.compliant = true, .mu = 0.9};
  const Model model = Model::parse(kFilters, options);
  EXPECT_DOUBLE_EQ(model.patch_pair(id(model, "ball"), id(model, "ghost")).material.mu, 0.25);
  EXPECT_DOUBLE_EQ(model.patch_pair(id(model, "floor"), id(model, "ball")).material.mu, 1.0) << "the larger";
  options.friction_rule = FrictionRule::kHarmonic;
  const Model harmonic = Model::parse(kFilters, options);
  EXPECT_DOUBLE_EQ(harmonic.patch_pair(id(harmonic, "ball"), id(harmonic, "ghost")).material.mu, 0.25);
  EXPECT_DOUBLE_EQ(harmonic.patch_pair(id(harmonic, "floor"), id(harmonic, "ball")).material.mu, 2.0 * 0.9 / 1.9);
}

TEST(PairTable, FrictionFollowsPriorityAndCondimOfTheModelAsItIsNow) {
  ModelOptions options;
  options.geoms["ball"] = {.compliant = true};
  const Model model = Model::parse(kFilters, options);
  mjModel* m = const_cast<mjModel*>(model.mujoco());
  const int floor = id(model, "floor"), ball = id(model, "ball");
  m->geom_friction[3 * floor] = 0.2, m->geom_friction[3 * ball] = 0.7;
  EXPECT_EQ(model.pair_mu(floor, ball), 0.7);
  m->geom_priority[floor] = 1;
  EXPECT_EQ(model.pair_mu(floor, ball), 0.2);
  EXPECT_EQ(model.pair_mu(ball, floor), 0.2);
  m->geom_condim[floor] = 1;
  EXPECT_EQ(model.pair_mu(floor, ball), 0.0);
  m->geom_priority[floor] = 0;
  EXPECT_EQ(model.pair_mu(floor, ball), 0.7) << "condim is the larger of both";
  m->opt.enableflags |= mjENBL_OVERRIDE;
  m->opt.o_friction[0] = 0.33;
  EXPECT_EQ(model.pair_mu(floor, ball), 0.33);
}

TEST(PairTable, MasksChangedLaterAreRefused) {
  const Model model = Model::parse(kFilters);
  EXPECT_NO_THROW(model.require_unchanged());
  const_cast<mjModel*>(model.mujoco())->geom_contype[id(model, "floor")] ^= 4;
  EXPECT_THROW(model.require_unchanged(), InputError);
}

TEST(RigidRigidPolicy, CompliantSoftensOneMovingSideForThatPairAlone) {
  ModelOptions options;
  options.rigid_rigid = RigidRigid::kCompliant;
  options.default_modulus = 3e6;
  const Model model = Model::parse(kFilters, options);
  const int floor = id(model, "floor"), ball = id(model, "ball"), driven = id(model, "driven");
  EXPECT_EQ(model.pairs().count(PairKind::kPoint), 0);
  for (const auto& [a, b] : {std::pair{floor, ball}, std::pair{ball, driven}}) {
    const PatchPair pair = model.patch_pair(a, b);
    EXPECT_NE(pair.A->is_rigid(), pair.B->is_rigid());
    EXPECT_TRUE((a == ball ? pair.B : pair.A)->is_rigid()) << "the one that moves is soft";
  }
  EXPECT_TRUE(model.geom(ball).geometry->is_rigid()) << "the geom itself stays rigid";
}

TEST(RigidRigidPolicy, ErrorNamesThePair) {
  ModelOptions options;
  options.rigid_rigid = RigidRigid::kError;
  try {
    Model::parse(kFilters, options);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("\"floor\" and \"arm\""), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace patchfield
