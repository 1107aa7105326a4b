// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A block on a slope sticks below atan μ, and above it slides with a = g(sin θ − μ cos θ).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

class Slope : public testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Slope, testing::ValuesIn(kSolvers), solver_name);

constexpr double kMu = 0.5;

// A flat plate, so that friction does not tip it, and soft: SAP's gliding gap μ(δt + τ)v stays within the overlap
// of half a millimetre. It starts at its depth of rest.
std::string plate_on_slope(double angle) {
  constexpr double kModulus = 5e3, kHalf = 0.01, kFootprint = 0.04;
  const double depth = kGravity * std::cos(angle) * kHalf / (kModulus * kFootprint), lift = kHalf - depth;
  const std::string quat = fmt::format("{:.17g} 0 {:.17g} 0", std::cos(0.5 * angle), std::sin(0.5 * angle));
  return fmt::format(R"(<mujoco><worldbody><geom name="floor" type="plane" size="5 5 .1" quat="{0}"/>
    <body pos="{1:.17g} 0 {2:.17g}" quat="{0}"><freejoint/><geom name="plate" type="box" size=".1 .1 {3}" mass="1"/></body>
    </worldbody><custom>
    <text name="patchfield:plate" data="compliant modulus={4} mu={5} hunt_crossley=50 relaxation_time=1e-3"/>
    <text name="patchfield:floor" data="rigid mu={5} relaxation_time=0"/></custom></mujoco>)",
                     quat, lift * std::sin(angle), lift * std::cos(angle), kHalf, kModulus, kMu);
}

/// Speed down the slope (about y by `angle`, down is +x turned).
double speed(const Data& data, double angle) {
  return data.d()->qvel[0] * std::cos(angle) - data.d()->qvel[2] * std::sin(angle);
}

// Stiction is regularised: the plate creeps. With r = tan θ/μ, Lagged's law v/√(v² + v_s²) = r gives
// v = v_s·r/√(1 − r²); TAMSI and SAP creep less.
TEST_P(Slope, SticksBelowTheConeAngle) {
  for (const double fraction : {0.3, 0.9, 0.97}) {
    const double angle = fraction * std::atan(kMu), r = std::tan(angle) / kMu;
    Data data(Model::parse(plate_on_slope(angle)), with(GetParam()));
    const double creep = data.options.solver.stiction_speed * r / std::sqrt(1.0 - r * r);
    run(data, 2e-3, 0.5);  // lands and settles
    const double x0 = data.d()->qpos[0];
    run(data, 2e-3, 1.0);
    EXPECT_LT(std::abs(data.d()->qpos[0] - x0), 1.05 * creep) << "at " << fraction;
  }
}

TEST_P(Slope, SlidesAboveItWithTheRightAcceleration) {
  for (const double fraction : {1.1, 1.25}) {
    const double angle = fraction * std::atan(kMu);
    const double exact = kGravity * (std::sin(angle) - kMu * std::cos(angle));
    for (const double dt : {2e-3, 5e-4}) {
      Data data(Model::parse(plate_on_slope(angle)), with(GetParam()));
      run(data, dt, 0.1);
      const double v0 = speed(data, angle);
      run(data, dt, 0.15);
      const double error = std::abs((speed(data, angle) - v0) / 0.15 - exact) / exact;
      EXPECT_LT(error, (GetParam() == SolverKind::kSap ? 8.0 : 5.0) * dt)
          << "first order in δt = " << dt << ", at " << fraction;
    }
  }
}

// Friction opposes slip and is μ times the normal traction on every face that slips.
TEST_P(Slope, TractionOnSlippingFacesIsMuTimesPressure) {
  const double angle = 1.2 * std::atan(kMu);
  Data data(Model::parse(plate_on_slope(angle)), with(GetParam()));
  run(data, 1e-3, 0.2);
  StepResults results;
  collect_results(data, results);
  const FaceResults& f = results.faces;
  int pressed = 0;
  for (int i = 0; i < f.size(); ++i) {
    if (f.normal_traction[i] == 0.0) continue;
    ++pressed;
    EXPECT_FALSE(f.sticks[i]);
    EXPECT_NEAR(f.friction_W[i].norm(), kMu * f.normal_traction[i], 1e-3 * f.normal_traction[i]);
    EXPECT_LT(f.friction_W[i].dot(f.slip_velocity_W[i]), 0.0);
    EXPECT_GT(f.dissipation[i], 0.0);
  }
  EXPECT_GE(pressed, 2);
}

}  // namespace
}  // namespace patchfield
