// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Two fingers hold a plate against a torque about their common axis. A patch resists it with its spread
// pressure, up to T = Σ over both patches of ∫ μ p r dA; a point contact could not at all.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

constexpr double kMu = 0.6, kGrip = 20.0, kPad = 0.03;

/// Pads press along x onto a rigid plate with kGrip [N] each; the plate is free and weightless.
std::string grasp(const char* pad_geom, double modulus = 1e6) {
  return fmt::format(R"(<mujoco><option gravity="0 0 0"/><worldbody>
    <body name="left" pos="-{0} 0 0"><joint type="slide" axis="1 0 0" damping="20"/><geom name="left" mass=".1" {1}/></body>
    <body name="right" pos="{0} 0 0"><joint type="slide" axis="-1 0 0" damping="20"/><geom name="right" mass=".1" {1}/></body>
    <body name="plate"><freejoint/><geom name="plate" type="box" size=".01 .05 .05" mass=".2"/></body>
    </worldbody><custom>
    <text name="patchfield:left" data="compliant modulus={3:g} resolution=0.005 mu={2} margin=0 relaxation_time=1e-3"/>
    <text name="patchfield:right" data="compliant modulus={3:g} resolution=0.005 mu={2} margin=0 relaxation_time=1e-3"/>
    <text name="patchfield:plate" data="rigid mu={2} relaxation_time=0"/>
    </custom></mujoco>)",
                     0.01 + 0.5 * kPad, pad_geom, kMu, modulus);
}

SimOptions fine(SolverKind kind) {
  SimOptions options = with(kind);
  options.surface.max_face_size = 0.004;  // friction torque is no quadrature for three points
  options.solver.stiction_speed = 1e-5;
  return options;
}

void press(Data& data, double torque) {
  data.d()->qfrc_applied[0] = data.d()->qfrc_applied[1] = kGrip;
  data.d()->xfrc_applied[6 * 3 + 3] = torque;
}

/// Σ μ·f_n·r about the x axis, from the results of a step at rest.
double predicted_torque(const Data& data) {
  StepResults results;
  collect_results(data, results);
  const FaceResults& f = results.faces;
  double torque = 0.0;
  for (int i = 0; i < f.size(); ++i)
    torque += kMu * f.normal_traction[i] * f.area[i] * f.centroid_W[i].tail<2>().norm();
  return torque;
}

/// Spin of the plate about x after 0.3 s under the torque.
double spin(SolverKind kind, const char* pad, double torque) {
  Data data(Model::parse(grasp(pad)), fine(kind));
  press(data, 0.0);
  run(data, 1e-3, 0.3);
  press(data, torque);
  run(data, 1e-3, 0.3);
  return std::abs(data.d()->qvel[2 + 3]);
}

class Grasp : public testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Grasp, testing::ValuesIn(kSolvers), solver_name);

const std::string kFlat = fmt::format(R"(type="box" size="{0} {0} {0}")", 0.5 * kPad);
const std::string kRound = fmt::format(R"(type="sphere" size="{}")", 0.5 * kPad);

// Uniform pressure on a square: the mean distance from its centre is 0.38260 of its side.
TEST_P(Grasp, FlatPadsPredictTheMeanDistanceOfASquare) {
  Data data(Model::parse(grasp(kFlat.c_str(), 1e7)), fine(GetParam()));  // hard: the rim of the field is thin
  press(data, 0.0);
  run(data, 1e-3, 0.3);
  const double exact = 2.0 * kMu * kGrip * 0.38260 * kPad;
  EXPECT_NEAR(predicted_torque(data), exact, 0.01 * exact);
}

TEST_P(Grasp, ResistsTheTorqueOfThePressureIntegralAndSlipsAboveIt) {
  for (const std::string& pad : {kFlat, kRound}) {
    Data data(Model::parse(grasp(pad.c_str())), fine(GetParam()));
    press(data, 0.0);
    run(data, 1e-3, 0.3);
    const double limit = predicted_torque(data);
    const double held = spin(GetParam(), pad.c_str(), 0.93 * limit),
                 slipped = spin(GetParam(), pad.c_str(), 1.07 * limit);
    // Stiction is regularised: creep is below the stiction speed at the pad's rim.
    EXPECT_LT(held, 0.05) << pad;
    EXPECT_GT(slipped, 20.0 * held) << pad;
    EXPECT_GT(slipped, 0.5) << pad;
  }
}

}  // namespace
}  // namespace patchfield
