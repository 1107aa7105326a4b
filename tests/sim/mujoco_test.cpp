// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A model without compliant geoms moves as in MuJoCo; and MuJoCo's sensors, inputs and filters work with patches.

#include <memory>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

using MjData = std::unique_ptr<mjData, decltype(&mj_deleteData)>;

/// MuJoCo's step with Coriolis forces at the middle of the step instead of its start: as an applied force
/// −½ ∂c/∂v·(v₁ − v₀), v₁ from a step without it, the slope by a finite difference of MuJoCo's bias.
void mean_bias_step(const mjModel* m, mjData* d) {
  std::fill(d->qfrc_applied, d->qfrc_applied + m->nv, 0.0);
  const MjData probe(mj_copyData(nullptr, m, d), &mj_deleteData);
  const std::vector<double> v0(d->qvel, d->qvel + m->nv);
  mj_step(m, probe.get());
  std::vector<double> dv(probe->qvel, probe->qvel + m->nv), bias(dv.size());
  for (std::size_t i = 0; i < dv.size(); ++i) dv[i] -= v0[i];
  constexpr double kShare = 1e-3;
  for (const double side : {1.0, -1.0}) {
    mj_copyData(probe.get(), m, d);
    for (std::size_t i = 0; i < dv.size(); ++i) probe->qvel[i] = v0[i] + side * kShare * dv[i];
    mj_forward(m, probe.get());
    for (std::size_t i = 0; i < dv.size(); ++i) bias[i] += side * probe->qfrc_bias[i] / (2.0 * kShare);
  }
  for (std::size_t i = 0; i < dv.size(); ++i) d->qfrc_applied[i] = -0.5 * bias[i];
  mj_step(m, d);
}

/// Largest difference in q after `duration`, both from the model's initial state with velocities of 0.1·i.
double gap_to_mujoco(const std::string& xml, double duration, void (*theirs)(const mjModel*, mjData*) = mj_step,
                     SolverKind kind = SolverKind::kSap) {
  Data data(Model::parse(xml), with(kind));
  data.options.solver.relative_tolerance = 1e-10;
  const mjModel* m = data.m();
  const MjData d(mj_makeData(m), &mj_deleteData);
  for (int i = 0; i < m->nv; ++i) data.d()->qvel[i] = d->qvel[i] = 0.1 * (i + 1);
  const int n = static_cast<int>(duration / m->opt.timestep);
  for (int i = 0; i < n; ++i) {
    step(data);
    theirs(m, d.get());
  }
  double gap = 0.0;
  for (int i = 0; i < m->nq; ++i) gap = std::max(gap, std::abs(data.d()->qpos[i] - d->qpos[i]));
  return gap;
}

std::string arm(const std::string& joint, const std::string& rest = "") {
  return fmt::format(
      R"(<mujoco><option timestep="1e-3"/><default><geom contype="0" conaffinity="0"/></default><worldbody>
    <body name="one"><joint name="a" axis="0 1 0" {0}/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1"/>
      <body name="two" pos=".3 0 0"><joint name="b" axis="0 1 0" {0}/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass=".7"/>
        <body name="three" pos=".3 0 0"><joint name="c" type="ball" damping=".01"/><geom type="box" size=".05 .02 .03" mass=".4"/>
    </body></body></body></worldbody>{1}</mujoco>)",
      joint, rest);
}

TEST(LikeMuJoCo, FreeMotionIsTheSameStep) {
  EXPECT_LT(gap_to_mujoco(arm(""), 0.5, mean_bias_step), 1e-9);
  EXPECT_LT(gap_to_mujoco(arm(R"(damping=".2")"), 0.5, mean_bias_step), 1e-9) << "dampers are implicit in both";
}

TEST(LikeMuJoCo, LimitsEqualitiesAndFrictionLossFollowItsLaws) {
  EXPECT_LT(gap_to_mujoco(arm(R"(damping=".2" limited="true" range="-20 20")"), 0.6), 3e-4);
  EXPECT_LT(gap_to_mujoco(arm(R"(damping=".2" frictionloss=".3")"), 0.6), 3e-4);
  EXPECT_LT(
      gap_to_mujoco(
          arm(R"(damping=".2")", R"(<equality><joint joint1="a" joint2="b" polycoef="0 -1 0 0 0"/></equality>)"), 0.6),
      3e-4);
  EXPECT_LT(
      gap_to_mujoco(arm(R"(damping=".2")", R"(<equality><connect body1="two" anchor=".3 0 0"/></equality>)"), 0.6),
      3e-4);
}

TEST(LikeMuJoCo, RigidContactIsItsPointContact) {
  const std::string box =
      R"(<mujoco><option timestep="1e-3" cone="elliptic"/><worldbody><geom type="plane" size="2 2 .1"/>
    <body pos="0 0 .06" euler="3 5 0"><freejoint/><geom type="box" size=".1 .08 .05" mass="2"/></body></worldbody></mujoco>)";
  for (const SolverKind kind : kSolvers) {
    Data data(Model::parse(box), with(kind));
    const MjData d(mj_makeData(data.m()), &mj_deleteData);
    for (int i = 0; i < 1500; ++i) {
      step(data);
      mj_step(data.m(), d.get());
    }
    for (int i = 0; i < 7; ++i) EXPECT_NEAR(data.d()->qpos[i], d->qpos[i], 5e-4) << to_string(kind) << ", q " << i;
    EXPECT_LT(fastest(data), 1e-4) << to_string(kind);
    double weight = 0.0;
    for (int c = 0; c < data.d()->ncon; ++c) {
      mjtNum force[6];
      mj_contactForce(data.m(), data.d(), c, force);
      weight += force[0];
    }
    EXPECT_NEAR(weight, 2 * kGravity, 1e-3) << "mj_contactForce reads our solution";
  }
}

// The same inputs move a patch model as anything of MuJoCo.
TEST(Inputs, AppliedForcesGravityCompensationAndMocapWork) {
  Data data(Model::parse(R"(<mujoco><worldbody>
    <body name="a" pos="0 0 1"><freejoint/><geom size=".1" mass="2"/></body>
    <body name="b" pos="1 0 1" gravcomp="1"><freejoint/><geom size=".1" mass="3"/></body>
    <body name="c" pos="2 0 1" mocap="true"><geom type="box" size=".1 .1 .1"/></body>
    <body name="d" pos="2 0 1.2"><freejoint/><geom name="d" type="box" size=".1 .1 .1" mass="1"/></body></worldbody>
    <custom><text name="patchfield:d" data="compliant modulus=1e7"/></custom></mujoco>)"));
  data.d()->xfrc_applied[6 * 1 + 2] = 2 * kGravity;  // a floats by a force …
  data.d()->qfrc_applied[6] = 3.0 * 0.5;             // … and b is pushed along x
  for (int i = 0; i < 500; ++i) {
    data.d()->mocap_pos[2] = 1.0 + 1e-5 * i;  // c lifts d
    step(data, 2e-3);
  }
  EXPECT_NEAR(data.d()->qpos[2], 1.0, 1e-9);
  EXPECT_NEAR(data.d()->qpos[7 + 2], 1.0, 1e-9);
  EXPECT_NEAR(data.d()->qvel[6], 0.5, 1e-9);
  EXPECT_NEAR(data.d()->qpos[14 + 2], 1.205, 1e-4);
}

TEST(Sensors, SeeThePatches) {
  Data data(Model::parse(R"(<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
    <body pos="0 0 .15"><joint type="slide" axis="0 0 1"/><geom type="sphere" size=".03" mass="1" pos="0 0 .1" contype="0" conaffinity="0"/>
      <body name="foot"><site name="wrist"/><site name="sole" type="box" size=".2 .2 .2"/><site name="away" type="box" size=".01 .01 .01" pos=".5 0 0"/>
        <geom name="foot" type="box" size=".1 .1 .15" mass="2"/></body></body></worldbody>
    <sensor><force site="wrist"/><touch site="sole"/><touch site="away"/><accelerometer site="wrist"/></sensor>
    <custom><text name="patchfield:foot" data="compliant modulus=1e7"/></custom></mujoco>)"));
  run(data, 1e-3, 1.0);
  const mjtNum* s = data.d()->sensordata;
  // The foot (2 kg) is pushed up by the floor with 3g and down by its own weight: its parent feels 1g upwards.
  EXPECT_NEAR(s[2], -1.0 * kGravity, 1e-3) << "force of the parent on the foot, z up";
  EXPECT_NEAR(s[3], 3.0 * kGravity, 1e-3) << "touch";
  EXPECT_EQ(s[4], 0.0) << "a site elsewhere feels nothing";
  EXPECT_NEAR(s[7], kGravity, 1e-3) << "accelerometer at rest";
}

TEST(Filters, ExcludedAndMaskedPairsMakeNoPatch) {
  for (const char* extra : {R"(<contact><exclude body1="world" body2="cube"/></contact>)", ""}) {
    const bool excluded = *extra != '\0';
    Data data(Model::parse(fmt::format(R"(<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
      <body name="cube" pos="0 0 .1"><freejoint/><geom name="cube" type="box" size=".1 .1 .1" mass="1"/></body></worldbody>{}
      <custom><text name="patchfield:cube" data="compliant"/></custom></mujoco>)",
                                       extra)));
    run(data, 1e-3, 0.2);
    EXPECT_EQ(data.d()->qpos[2] < 0.05, excluded);
    EXPECT_EQ(data.d()->ncon, 0) << "MuJoCo makes no contact beside the patch";
  }
}

// A <pair> between a compliant geom and the floor is a patch, and MuJoCo's contact for it is dropped.
TEST(Filters, ExplicitPairsAreNotCountedTwice) {
  Data data(
      Model::parse(R"(<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1" contype="0" conaffinity="0"/>
    <body pos="0 0 .1"><freejoint/><geom name="cube" type="box" size=".1 .1 .1" mass="1" contype="0" conaffinity="0"/></body>
    <body pos="1 0 .1"><freejoint/><geom name="other" type="box" size=".1 .1 .1" mass="1" contype="0" conaffinity="0"/></body></worldbody>
    <contact><pair geom1="cube" geom2="floor"/><pair geom1="other" geom2="floor"/></contact>
    <custom><text name="patchfield:cube" data="compliant"/></custom></mujoco>)"));
  const StepReport report = run(data, 1e-3, 1.0);
  EXPECT_EQ(report.patches, 1);
  EXPECT_GT(report.point_contacts, 0) << "the rigid one has point contacts";
  for (int c = 0; c < data.d()->ncon; ++c) EXPECT_NE(data.d()->contact[c].geom[1], geom_id(data, "cube"));
  EXPECT_NEAR(data.d()->qpos[2], 0.1, 1e-3);
  EXPECT_NEAR(data.d()->qpos[7 + 2], 0.1, 1e-3);
}

TEST(Scenes, LoadInStockMuJoCo) {
  for (const std::string_view name : scenes::names()) {
    char error[500] = "";
    const std::string xml = scenes::by_name(name);
    mjSpec* spec = mj_parseXMLString(xml.c_str(), nullptr, error, sizeof(error));
    ASSERT_NE(spec, nullptr) << name << ": " << error;
    mjModel* m = mj_compile(spec, nullptr);
    ASSERT_NE(m, nullptr) << name << ": " << mjs_getError(spec);
    mj_deleteModel(m);
    mj_deleteSpec(spec);
  }
  EXPECT_EQ(scenes::by_name("no such scene"), "");
}

}  // namespace
}  // namespace patchfield
