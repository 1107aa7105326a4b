// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Nothing falls through: thin plates, coins, cubes and open sheets at up to 10 m/s and 10 ms, bullets, and bodies that
// start inside each other. thin_cases.h has the matrix; thin_matrix runs all of it.

#include <cmath>

#include <gtest/gtest.h>

#include "sim/sim_testing.h"
#include "sim/thin_cases.h"

namespace patchfield {
namespace {

using namespace testing_sim;

// Every tenth case, shifted from block to block so that all speeds, steps and solvers occur.
TEST(Thin, ATenthOfTheMatrixHolds) {
  const std::vector<thin::Case> cases = thin::all_cases();
  int run = 0, unquiet = 0, fallen_sheets = 0, gained = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if ((7 * i + i / 60) % 10 != 0) continue;
    ++run;
    const thin::Outcome o = thin::run_case(cases[i]);
    EXPECT_TRUE(o.finite) << cases[i].name();
    const bool sheet = cases[i].body.modulus == 0.0;
    fallen_sheets += sheet && o.fell;
    EXPECT_FALSE(o.fell && !sheet) << i << ": " << cases[i].name();
    // Hunt–Crossley's dissipation leaves no gain, with few exceptions; SAP's may give back a share of what a first deep
    // face stored.
    if (cases[i].solver != SolverKind::kSap && !sheet) {
      gained += o.gain > 0.01;
      EXPECT_LT(o.gain, 0.1) << i << ": " << cases[i].name();
    }
    EXPECT_LT(o.depth_error, 0.05) << cases[i].name();
    unquiet += !thin::verdict(o).empty();
  }
  EXPECT_GE(run, 1000) << "a tenth";
  EXPECT_LE(gained, 3) << "of some 670: docs/thin.md";
  EXPECT_LE(fallen_sheets, 5) << "of 72: docs/thin.md";
  EXPECT_LT(unquiet, 0.06 * run) << "those that gain energy or are not at rest in time: docs/thin.md has the list";
}

std::string two_bodies(const std::string& a, const std::string& b, const std::string& settings) {
  return R"(<mujoco><option gravity="0 0 0"/><worldbody><body><freejoint/><geom name="a" )" + a +
         R"(/></body><body><freejoint/><geom name="b" )" + b +
         R"(/></body></worldbody><custom><text name="patchfield:a" data=")" + settings +
         R"("/><text name="patchfield:b" data=")" + settings + R"("/></custom></mujoco>)";
}

class Overlapped : public testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Overlapped, testing::ValuesIn(kSolvers), solver_name);

// In one pose there is no direction: the bodies must agree on one, part, and leave no faster than the way out allows.
TEST_P(Overlapped, BodiesInOnePosePartSlowly) {
  const char* shapes[] = {R"(type="box" size=".05 .03 .02" mass="1")", R"(type="sphere" size=".04" mass="1")",
                          R"(type="cylinder" size=".03 .01" mass="1")"};
  for (const char* shape : shapes) {
    Data data(Model::parse(two_bodies(shape, shape, "compliant modulus=1e8")), with(GetParam()));
    int rescued = 0;
    double fastest_ever = 0.0;
    for (int i = 0; i < 1000; ++i) {
      rescued += step(data, 1e-3).rescued_pairs;
      fastest_ever = std::max(fastest_ever, fastest(data));
    }
    const Vec3 apart(data.d()->qpos[7] - data.d()->qpos[0], data.d()->qpos[8] - data.d()->qpos[1],
                     data.d()->qpos[9] - data.d()->qpos[2]);
    EXPECT_GT(rescued, 0) << shape << ": never silent";
    EXPECT_GT(apart.norm(), 0.019) << shape << ": the least way out is the shortest size";
    // With the centers out of each other the fields take over and give back a little of what they hold: 1e8 Pa over
    // half of the smallest body is 2,800 J, 25 m/s or rad/s of these at most 625 J.
    EXPECT_LT(fastest_ever, 25.0) << shape;
  }
}

TEST_P(Overlapped, BallAtTheCenterOfAnotherComesOut) {
  Data data(Model::parse(two_bodies(R"(type="sphere" size=".05" mass="1")", R"(type="sphere" size=".01" mass=".01")",
                                    "compliant modulus=1e7")),
            with(GetParam()));
  run(data, 1e-3, 1.0);
  const Vec3 apart(data.d()->qpos[7] - data.d()->qpos[0], data.d()->qpos[8] - data.d()->qpos[1],
                   data.d()->qpos[9] - data.d()->qpos[2]);
  EXPECT_GT(apart.norm(), 0.055);
  EXPECT_LT(fastest(data), 10.0) << "m/s or rad/s";
}

class Bullet : public testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Bullet, testing::ValuesIn(kSolvers), solver_name);

// 1 cm at 200 m/s: 40 times its size in a step of 2 ms, and four times the wall.
TEST_P(Bullet, DoesNotPassAWallOfTenCentimeters) {
  for (const char* wall : {"compliant modulus=1e8", "rigid"})
    for (const double dt : {1e-3, 2e-3, 1e-2}) {
      const std::string xml = std::string(R"(<mujoco><option gravity="0 0 0"/><worldbody>
          <geom name="wall" type="box" size=".05 1 1"/>
          <body pos="-1.234 0 0"><freejoint/><geom name="bullet" type="sphere" size=".005" mass=".004"/></body></worldbody>
          <custom><text name="patchfield:bullet" data="compliant modulus=1e9"/>
          <text name="patchfield:wall" data=")") +
                              wall + R"("/></custom></mujoco>)";
      Data data(Model::parse(xml), with(GetParam()));
      data.d()->qvel[0] = 200.0;
      int split = 0;
      for (int i = 0; i < 20; ++i) split += step(data, dt).split_steps;
      EXPECT_LT(data.d()->qpos[0], -0.03) << wall << ", " << dt << ": in its front half, or back out";
      EXPECT_LE(std::abs(data.d()->qvel[0]), 200.0 * 1.001) << wall << ", " << dt;
      EXPECT_GT(split, 0) << wall << ", " << dt;
      EXPECT_NEAR(data.d()->time, 20 * dt, 1e-12) << "a split step is one step of time";
    }
}

// "As deep as it may be": a body below a half space is given back.
TEST_P(Overlapped, HalfSpaceGivesBackWhatIsBelowIt) {
  for (const char* floor : {"rigid", "compliant modulus=1e6 slab_thickness=.01 hunt_crossley=1"})
    for (const double depth : {0.003, 0.02, 0.5}) {
      const std::string xml = std::string(R"(<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
          <body><freejoint/><geom name="plate" type="box" size=".05 .05 .001" mass=".1"/></body></worldbody><custom>
          <text name="patchfield:plate" data="compliant modulus=1e7 hunt_crossley=1"/><text name="patchfield:floor" data=")") +
                              floor + R"("/></custom></mujoco>)";
      Data data(Model::parse(xml), with(GetParam()));
      data.d()->qpos[2] = -depth;
      const int rescued = step(data, 1e-3).rescued_pairs;
      EXPECT_TRUE(rescued == 1 || floor[0] == 'c') << "a soft plane carries a body in it as it is";
      run(data, 1e-3, 3.0);
      EXPECT_NEAR(data.d()->qpos[2], 0.001, 2e-4) << floor << ", " << depth;
      EXPECT_LT(fastest(data), 1e-3) << floor << ", " << depth;
    }
}

}  // namespace
}  // namespace patchfield
