// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What inspect predicts of the dissipation (contact/dissipation.h) is what the simulation does, for small steps and
// fine meshes: rebound within 1 %, coast-down within 3 %.

#include "patchfield/contact/dissipation.h"

#include <fmt/format.h>

#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

std::string one_body(const std::string& geom, double d, double modulus, double resolution, double z, double gravity) {
  return fmt::format(R"(<mujoco><option gravity="0 0 {}"/><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
    <body pos="0 0 {}"><freejoint/><geom name="g" {} mass=".5"/></body></worldbody><custom>
    <text name="patchfield:g" data="compliant modulus={} resolution={} hunt_crossley={} mu=1 margin=0"/>
    <text name="patchfield:floor" data="rigid mu=1"/></custom></mujoco>)",
                     -gravity, z, geom, modulus, resolution, d);
}

class Dissipation : public testing::TestWithParam<SolverKind> {};

// Without gravity the closed form is exact for any foundation. What is left is the time step: implicit Euler takes
// about (π/2)·δt·√(k/m) of the speed, 0.5 % for the box (k = E·S/H = 3e5 N/m).
TEST_P(Dissipation, ReboundIsTheClosedForm) {
  const double speed = std::sqrt(2 * kGravity * 0.1), dt = 4e-6;
  for (const char* geom : {R"(type="sphere" size=".05")", R"(type="box" size=".05 .03 .02")"})
    for (const double d : {0.1, 0.5, 2.0}) {
      const bool ball = geom[6] == 's';
      Data data(Model::parse(one_body(geom, d, 1e6, 0.01, ball ? 0.0501 : 0.0201, 0.0)), with(GetParam()));
      data.d()->qvel[2] = -speed;
      for (int i = 0; i < 50000 && data.d()->qvel[2] <= 0.0; ++i) step(data, dt);
      run(data, dt, 0.05);  // until it has left
      const double e = restitution(d, speed);
      EXPECT_NEAR(data.d()->qvel[2] / speed, e, 0.01 * e) << geom << " d = " << d;
    }
}

// The paper's scheme adds a rolling resistance of its own, N·v·δt (theory.md §8): 1 % of λ at this step.
TEST_P(Dissipation, CoastDownIsThePrediction) {
  const double R = 0.05, E = 1e6, m = 0.5, d = 50.0, dt = 1e-4;
  struct Case {
    const char* geom;
    Shape shape;
    double inertia;
  };
  const Case cases[] = {{R"(type="sphere" size=".05")", Sphere{R}, 0.4 * m * R * R},
                        {R"(type="cylinder" size=".05 .05" euler="90 0 0")", Cylinder{R, 2 * R}, 0.5 * m * R * R}};
  for (const Case& c : cases)
    for (const double speed : {0.02, 0.5}) {  // exponential, and lopsided: dωa = 0.22 and 5.6
      const CoastDown expected = coast_down({c.shape, E, m, c.inertia, d, kGravity}, speed).value();
      Data data(Model::parse(one_body(c.geom, d, E, 0.0015, R - 1e-3, kGravity)), with(GetParam()));
      run(data, 1e-3, 0.2);  // to its depth
      data.d()->qvel[0] = speed, data.d()->qvel[4] = speed / R;
      run(data, dt, expected.half_time);
      EXPECT_NEAR(data.d()->qvel[0], 0.5 * speed, 0.03 * 0.5 * speed) << c.geom << " from " << speed << " m/s";
    }
}

INSTANTIATE_TEST_SUITE_P(AllThatReadIt, Dissipation, testing::Values(SolverKind::kTamsi, SolverKind::kLagged),
                         solver_name);

}  // namespace
}  // namespace patchfield
