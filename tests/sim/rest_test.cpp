// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Bodies at rest: the force is the weight, the depth is what the field predicts, and nothing rattles.

#include <gtest/gtest.h>

#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

class Rest : public testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Rest, testing::ValuesIn(kSolvers), solver_name);

TEST_P(Rest, WeightIsCarried) {
  const struct {
    std::string xml;
    double mass, seconds;
    // A ball of flat facets stands on one of its vertices at first, and on a box it tips over and rolls to and fro.
  } cases[] = {
      {scenes::box_on_plane(), 1.0, 2.0}, {scenes::sphere_on_plane(), 0.5, 2.0}, {scenes::sphere_on_box(), 0.5, 40.0}};
  for (const auto& c : cases)
    for (const double dt : {1e-3, 5e-3}) {
      Data data(Model::parse(c.xml), with(GetParam()));
      run(data, dt, c.seconds);
      StepResults results;
      collect_results(data, results);
      ASSERT_EQ(results.patches.size(), 1);
      const double weight = c.mass * kGravity;
      EXPECT_NEAR(results.patches.force_W[0].z(), weight, 2e-6 * weight) << "δt = " << dt;
      EXPECT_LT(results.patches.force_W[0].head<2>().norm(), 1e-5 * weight);
    }
}

// A box of footprint S and half-thickness H sinks until E_h·x/H·S = mg. The sides of its field take off a rim
// of width x, a fraction 4x/a of S, which is 2e-4 here.
TEST_P(Rest, PenetrationIsWeightOverStiffness) {
  const double modulus = 1e7, expected = 1.0 * kGravity * 0.05 / (modulus * 0.01);
  Data data(Model::parse(scenes::box_on_plane({.modulus = modulus, .margin = 0.0})), with(GetParam()));
  run(data, 1e-3, 1.0);
  EXPECT_NEAR(0.05 - data.d()->qpos[2], expected, 1e-3 * expected);
}

// Stiff things are not softened: SAP's near-rigid regularisation must stay out of the way.
TEST_P(Rest, PenetrationOfAStiffCubeIsWeightOverStiffness) {
  const double modulus = 1e9, expected = 1.0 * kGravity * 0.05 / (modulus * 0.01);
  for (const double dt : {1e-3, 1e-2}) {
    Data data(Model::parse(scenes::box_on_plane({.modulus = modulus, .margin = 0.0})), with(GetParam()));
    run(data, dt, 1.0);
    EXPECT_NEAR(0.05 - data.d()->qpos[2], expected, 0.01 * expected) << "δt = " << dt;
  }
}

// 100 kg on 10 g, both cubes of 10 cm: the light one carries it. The long relaxation time makes SAP's points so stiff
// that a β of 0.1 softens them: the light cube then rests 1.6 mm deeper, and in the long run the stack falls.
TEST_P(Rest, HeavyCubeStandsOnALightOne) {
  Data data(Model::parse(R"(<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
    <body pos="0 0 .05"><freejoint/><geom name="light" type="box" size=".05 .05 .05" mass=".01"/></body>
    <body pos="0 0 .15"><freejoint/><geom name="heavy" type="box" size=".05 .05 .05" mass="100"/></body></worldbody>
    <custom><text name="patchfield:light" data="compliant modulus=1e7 relaxation_time=.1"/>
    <text name="patchfield:heavy" data="compliant modulus=1e7 relaxation_time=.1"/></custom></mujoco>)"),
            with(GetParam()));
  run(data, 2e-3, 3.0);
  // Floor: E·x/H·S = mg, x = 0.5 mm. Between the cubes two springs in series: 1 mm.
  EXPECT_NEAR(data.d()->qpos[2], 0.05 - 0.49e-3, 5e-5);
  EXPECT_NEAR(data.d()->qpos[9], 0.15 - 3 * 0.49e-3, 1.5e-4);
  // SAP's stiction is as soft as the light cube is light, R_t = σw: it creeps at 0.2 mm/s and turns at 1.6 mrad/s.
  EXPECT_LT(fastest(data), GetParam() == SolverKind::kSap ? 2e-3 : 1e-4);
}

// The issue's table: a 10 cm, 1 kg cube, E_h 1e6 … 1e9, δt 1 … 10 ms, comes to rest below 1e-6 m/s and stays.
TEST_P(Rest, CubeIsQuiet) {
  for (const double modulus : {1e6, 1e7, 1e8, 1e9})
    for (const double dt : {1e-3, 3e-3, 1e-2}) {
      Data data(Model::parse(scenes::box_on_plane({.modulus = modulus}, 0.0, 1e-3)), with(GetParam()));
      run(data, dt, 3.0);
      double worst = 0.0;
      for (double t = 3.0; t < 10.0; t += dt) {
        step(data, dt);
        worst = std::max(worst, fastest(data));
      }
      EXPECT_LT(worst, 1e-6) << "E_h = " << modulus << ", δt = " << dt;
    }
}

TEST_P(Rest, StackOfTenIsQuiet) {
  for (const double dt : {2e-3, 1e-2}) {
    Data data(Model::parse(scenes::stack(10)), with(GetParam()));
    run(data, dt, std::max(10.0, 4000.0 * dt));  // a tower of a metre sways, at 10 ms with SAP for 30 s
    double worst = 0.0;
    for (int i = 0; i < 1000; ++i) {
      step(data, dt);
      worst = std::max(worst, fastest(data));
    }
    EXPECT_LT(worst, 1e-6) << "δt = " << dt;
    EXPECT_NEAR(data.d()->qpos[7 * 9], 0.0, 1e-4) << "the top has not moved sideways";
  }
}

// Four times as many faces, most of them slivers along the edges of flush boxes.
TEST_P(Rest, StackOfTrianglesIsQuiet) {
  SimOptions options = with(GetParam());
  options.surface.tessellation = Tessellation::kTriangle;
  Data data(Model::parse(scenes::stack(10)), options);
  run(data, 2e-3, 6.0);
  double worst = 0.0;
  for (int i = 0; i < 500; ++i) {
    step(data, 2e-3);
    worst = std::max(worst, fastest(data));
  }
  EXPECT_LT(worst, 1e-6);
}

}  // namespace
}  // namespace patchfield
