// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Everyday motions as a user meets them: things that roll, slide, spin, topple and come to rest. What must come out
// follows from mechanics alone; defaults wherever a test does not need another value.

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

constexpr SolverKind kTwo[] = {SolverKind::kTamsi, SolverKind::kLagged};

/// A floor and one free body, `inside` being its inertia and geoms.
std::string on_floor(const std::string& body, const std::string& inside, const std::string& texts,
                     const std::string& floor = R"(<geom name="floor" type="plane" size="5 5 .1"/>)") {
  return fmt::format(R"(<mujoco><compiler angle="degree"/><worldbody>{}<body {}><freejoint/>{}</body></worldbody>
                     <custom>{}</custom></mujoco>)",
                     floor, body, inside, texts);
}

std::string text(const char* geom, const std::string& data) {
  return fmt::format(R"(<text name="patchfield:{}" data="{}"/>)", geom, data);
}

/// Kinetic energy and that of gravity [J].
double energy(Data& data) { return present_energy(data).total(); }

// Rolling -------------------------------------------------------------------------------------------------------

// Without dissipation nothing brakes a ball that rolls. The paper's law takes 13 % of its speed in half a second at
// 2 ms: v̇ = −g·δt·v/(1.4 R) (theory.md §8).
TEST(Rolling, ABallKeepsItsSpeed) {
  const std::string xml = on_floor(
      R"(pos="0 0 .0496")", R"(<geom name="ball" type="sphere" size=".05" mass=".5"/>)",
      text("ball", "compliant modulus=1e7 resolution=0.003 mu=.8 hunt_crossley=0") + text("floor", "rigid mu=.8"));
  const Model model = Model::parse(xml);
  for (const SolverKind kind : kTwo)
    for (const auto& [dt, least] : {std::pair{5e-4, 0.99}, std::pair{2e-3, 0.99}, std::pair{1e-2, 0.985}}) {
      Data data(model, with(kind));
      data.d()->qvel[0] = 0.5, data.d()->qvel[4] = 10.0;
      run(data, dt, 0.5);
      EXPECT_GT(data.d()->qvel[0], least * 0.5) << to_string(kind) << ", δt = " << dt;
      EXPECT_LT(data.d()->qvel[0], 0.5001) << to_string(kind) << ", δt = " << dt;
      EXPECT_NEAR(data.d()->qvel[1], 0.0, 1e-3) << "straight on";
    }
  SimOptions paper = with(SolverKind::kTamsi);
  paper.pressure_rate = PressureRate::kPaper;
  Data data(model, paper);
  data.d()->qvel[0] = 0.5, data.d()->qvel[4] = 10.0;
  run(data, 2e-3, 0.5);
  const double expected = std::exp(-kGravity * 2e-3 * 0.5 / (1.4 * 0.05));
  EXPECT_NEAR(data.d()->qvel[0] / 0.5, expected, 0.02) << "as derived for the paper's law";
}

// Facets of 1 mm, well below the 5 mm that the patch of this cylinder is wide: 4 N per 10 cm at 10 MPa.
TEST(Rolling, ACylinderKeepsItsSpeed) {
  const std::string xml = on_floor(
      R"(pos="0 0 .04993" euler="90 0 0")", R"(<geom name="roller" type="cylinder" size=".05 .05" mass=".5"/>)",
      text("roller", "compliant modulus=1e7 resolution=0.001 mu=.8 hunt_crossley=0") + text("floor", "rigid mu=.8"));
  const Model model = Model::parse(xml);
  for (const SolverKind kind : kTwo) {
    Data data(model, with(kind));
    data.d()->qvel[0] = 0.5, data.d()->qvel[5] = -10.0;  // about the cylinder's own axis, −y of the world
    run(data, 2e-3, 0.5);
    EXPECT_GT(data.d()->qvel[0], 0.98 * 0.5) << to_string(kind);
    EXPECT_LT(data.d()->qvel[0], 0.5001) << to_string(kind);
  }
}

// Depth of a resting ball: f → πE_h x² on a rigid plane (theory.md §7), so x = √(mg/(πE)).
TEST(Rolling, ABallRestsAtTheDepthOfItsField) {
  for (const double modulus : {1e6, 1e7}) {
    const std::string xml = on_floor(R"(pos="0 0 .05")", R"(<geom name="ball" type="sphere" size=".05" mass=".5"/>)",
                                     text("ball", fmt::format("compliant modulus={} resolution=0.001", modulus)));
    Data data(Model::parse(xml));
    run(data, 2e-3, 1.0);
    const double depth = std::sqrt(0.5 * kGravity / (M_PI * modulus));
    EXPECT_NEAR(0.05 - data.d()->qpos[2], depth, 0.05 * depth) << "E_h = " << modulus;
  }
}

// Sliding -------------------------------------------------------------------------------------------------------

double deceleration(const Model& model, SolverKind kind, double dt, int speed_dof, double speed) {
  Data data(model, with(kind));
  run(data, dt, 0.3);  // comes to rest
  data.d()->qvel[speed_dof] = speed;
  run(data, dt, 0.1);
  return (speed - data.d()->qvel[speed_dof]) / 0.1;
}

// Friction brakes a block with μg, on soft ground too. The rim of its patch is tilted there and was pressed by the
// motion: 1.8 to 2.5 times μg before.
TEST(Sliding, ASoftBlockOnSoftGroundFeelsFrictionAlone) {
  const std::string block = R"(<geom name="block" type="box" size=".05 .05 .05" mass="1"/>)";
  for (const std::string& floor : {std::string(R"(<geom name="floor" type="plane" size="5 5 .1"/>)"),
                                   std::string(R"(<geom name="floor" type="box" size="5 5 .1" pos="0 0 -.1"/>)")})
    for (const double modulus : {1e7, 1e8}) {
      const std::string soft = fmt::format("compliant modulus={} mu=.5", modulus);
      const Model model =
          Model::parse(on_floor(R"(pos="0 0 .05")", block, text("block", soft) + text("floor", soft), floor));
      for (const SolverKind kind : kTwo)
        for (const double dt : {1e-3, 2e-3, 1e-2})
          EXPECT_NEAR(deceleration(model, kind, dt, 0, 1.0) / (0.5 * kGravity), 1.0, 0.02)
              << to_string(kind) << ", E_h = " << modulus << ", δt = " << dt;
    }
}

// … and it turns on soft ground as on hard ground.
TEST(Sliding, ABlockTurnsOnSoftGroundAsOnHard) {
  const std::string block = R"(<geom name="block" type="box" size=".05 .05 .05" mass="1"/>)";
  const std::string soft = "compliant modulus=1e8 mu=.5";
  const Model on_soft = Model::parse(on_floor(R"(pos="0 0 .05")", block, text("block", soft) + text("floor", soft)));
  const Model on_hard =
      Model::parse(on_floor(R"(pos="0 0 .05")", block, text("block", soft) + text("floor", "rigid mu=.5")));
  for (const SolverKind kind : kTwo) {
    const double hard = deceleration(on_hard, kind, 2e-3, 5, 20.0);
    EXPECT_NEAR(deceleration(on_soft, kind, 2e-3, 5, 20.0) / hard, 1.0, 0.03) << to_string(kind);
  }
}

// A chest of 11 kg on four legs, pushed at its centre of mass over a mat: a = F/m − μg.
TEST(Sliding, AChestOnFourLegsIsPushedOverAMat) {
  std::string chest = R"(<geom name="chest" type="box" size=".3 .2 .1" mass="10" contype="0" conaffinity="0"/>)", texts;
  int leg = 0;
  for (const double x : {-0.25, 0.25})
    for (const double y : {-0.15, 0.15}) {
      const std::string name = fmt::format("leg{}", leg++);
      chest +=
          fmt::format(R"(<geom name="{}" type="cylinder" size=".02 .05" pos="{} {} -.15" mass=".25"/>)", name, x, y);
      texts += text(name.c_str(), "compliant modulus=1e7 mu=.5");
    }
  texts += text("floor", "compliant modulus=1e7 slab_thickness=.05 mu=.5");
  const Model model = Model::parse(on_floor(R"(pos="0 0 .2")", chest, texts));
  const double force = 100.0, mass = 11.0, expected = force / mass - 0.5 * kGravity;
  for (const SolverKind kind : kTwo)
    for (const double dt : {1e-3, 5e-3}) {
      Data data(model, with(kind));
      run(data, dt, 0.5);
      data.d()->xfrc_applied[6] = force;
      run(data, dt, 0.1);
      const double v0 = data.d()->qvel[0];
      run(data, dt, 0.3);
      EXPECT_NEAR((data.d()->qvel[0] - v0) / 0.3, expected, 0.03 * expected) << to_string(kind) << ", δt = " << dt;
    }
}

// Spinning ------------------------------------------------------------------------------------------------------

// A ball of 2 cm whose mass is 4 mm below its centre stands upright and spins. Friction at the slipping point raises
// the mass until the ball has turned over: for A/C between 1 − e/R and 1 + e/R it must (Ebenfeld, Scheck 1995).
TEST(Spinning, ATippeTopTurnsOver) {
  const std::string xml = on_floor(
      R"(pos="0 0 .02" euler="6 0 0")",
      R"(<inertial pos="0 0 -.004" mass=".02" diaginertia="3.2e-6 3.2e-6 3.2e-6"/><geom name="top" type="sphere" size=".02"/>)",
      text("top", "compliant mu=.4 hunt_crossley=1") + text("floor", "rigid mu=.4"));
  const Model model = Model::parse(xml);
  for (const SolverKind kind : kTwo)
    for (const double dt : {1e-3, 2e-3, 5e-3}) {
      Data data(model, with(kind));
      data.d()->qvel[5] = 150.0;
      double lowest = 1.0;
      for (double t = 0.0; t < 3.0; t += dt) {
        step(data, dt);
        lowest = std::min(lowest, data.d()->xmat[9 + 8]);  // cosine of the tilt
      }
      EXPECT_LT(lowest, -0.9) << to_string(kind) << ", δt = " << dt;
    }
}

// A boat of 20 cm whose inertia is turned by 8° against its hull: spun the wrong way it rattles, and turns back. Hard
// and finely meshed: the torsional friction of a soft boat's patch stops it before it has turned.
TEST(Spinning, ARattlebackReverses) {
  const double a = 0.1, b = 0.02, c = 0.015, mass = 0.2;
  const std::string inertia =
      fmt::format(R"(<inertial pos="0 0 0" euler="0 0 8" mass="{}" diaginertia="{} {} {}"/>)", mass,
                  mass / 5 * (b * b + c * c), mass / 5 * (a * a + c * c), mass / 5 * (a * a + b * b));
  const std::string xml = on_floor(
      R"(pos="0 0 .015")", inertia + R"(<geom name="boat" type="ellipsoid" size=".1 .02 .015"/>)",
      text("boat", "compliant modulus=1e8 resolution=0.002 mu=.3 hunt_crossley=0.1") + text("floor", "rigid mu=.3"));
  const Model model = Model::parse(xml);
  for (const SolverKind kind : kTwo) {
    Data data(model, with(kind));
    data.d()->qvel[5] = -5.0, data.d()->qvel[4] = 0.05;
    double back = 0.0;
    for (double t = 0.0; t < 1.5; t += 1e-3) {
      step(data, 1e-3);
      back = std::max(back, data.d()->qvel[5]);
    }
    EXPECT_GT(back, 0.5) << to_string(kind);
  }
}

// Euler's disk: 400 g of steel, 75 mm wide, rolls around on its edge. Its energy may only fall.
TEST(Spinning, EulersDiskGainsNoEnergy) {
  const double R = 0.0375, half = 0.006, tilt = 25.0 * M_PI / 180.0;
  const std::string xml = on_floor(
      fmt::format(R"(pos="0 0 {}" euler="0 25 0")", R * std::sin(tilt) + half * std::cos(tilt)),
      fmt::format(R"(<geom name="disk" type="cylinder" size="{} {}" mass=".4"/>)", R, half),
      text("disk", "compliant modulus=1e8 resolution=0.004 mu=.6 hunt_crossley=0") + text("floor", "rigid mu=.6"));
  const Model model = Model::parse(xml);
  for (const SolverKind kind : kTwo)
    for (const double dt : {1e-3, 5e-3}) {
      Data data(model, with(kind));
      // Rolling in a circle: the body turns about the radius through its lowest point.
      data.d()->qvel[3] = -std::sqrt(4.0 * kGravity * std::sin(tilt) / R);
      double lowest = energy(data), growth = 0.0;
      const double start = lowest;
      for (double t = 0.0; t < 3.0; t += dt) {
        step(data, dt);
        // Half a step of gravity: velocities are those of the end of the step, the height is a mean.
        const double now = energy(data);
        growth = std::max(growth, now - lowest);
        lowest = std::min(lowest, now);
      }
      EXPECT_LT(growth, 0.03 * start) << to_string(kind) << ", δt = " << dt;
      EXPECT_LT(lowest, 0.5 * start) << "it settles";
    }
}

// Resting -------------------------------------------------------------------------------------------------------

TEST(Resting, ATallPrismOnItsEndComesToRest) {
  const std::string xml =
      on_floor(R"(pos="0 0 .1012" euler=".3 .5 0")", R"(<geom name="prism" type="box" size=".02 .02 .1" mass=".3"/>)",
               text("prism", "compliant modulus=1e7"));
  const Model model = Model::parse(xml);
  for (const SolverKind kind : kSolvers)
    for (const double dt : {1e-3, 5e-3}) {
      Data data(model, with(kind));
      run(data, dt, 8.0);
      EXPECT_LT(fastest(data), 1e-6) << to_string(kind) << ", δt = " << dt;
      EXPECT_NEAR(data.d()->qpos[2], 0.1, 1e-4) << "upright";
    }
}

}  // namespace
}  // namespace patchfield
