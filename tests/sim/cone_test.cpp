// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Coulomb's law in motion: ‖f_t‖ ≤ μ f_n for every face of every step, and what a friction beyond it does to a throw.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

class Cone : public testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Cone, testing::ValuesIn(kSolvers), solver_name);

/// A box of 20×14×10 cm and 1 kg, tilted, with the velocities of throw_box().
constexpr const char* kBox = R"(<mujoco><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
  <body pos="0 0 .12" euler="10 15 0"><freejoint/><geom name="box" type="box" size=".1 .07 .05" mass="1"/></body>
  </worldbody><custom><text name="patchfield:box" data="compliant modulus=1e7 mu=.5 hunt_crossley=5"/>
  <text name="patchfield:floor" data="rigid mu=.5 relaxation_time=0"/></custom></mujoco>)";

void throw_box(Data& data) {
  const double v[6] = {2, .5, -1, 3, -2, 5};
  std::copy(v, v + 6, data.d()->qvel);
}

/// Checks the last step; adds the faces that have friction to `rubbing`.
void expect_inside_the_cone(const Data& data, StepResults& results, long& rubbing, const std::string& where) {
  collect_results(data, results);
  const FaceResults& f = results.faces;
  const PatchResults& p = results.patches;
  for (int i = 0; i < p.size(); ++i) {
    const double mu = data.model.patch_pair(p.geom_A[i], p.geom_B[i]).material.mu;
    double tangential = 0.0, normal = 0.0;
    for (int k = p.first_face[i]; k < p.first_face[i] + p.num_faces[i]; ++k) {
      const double f_t = f.area[k] * f.friction_W[k].norm(), f_n = f.area[k] * f.normal_traction[k];
      ASSERT_GE(f_n, 0.0) << where;
      // Rounding of γ − γ_n n̂, a billionth of the patch's force, is not friction.
      ASSERT_LE(f_t, 1.001 * mu * f_n + 1e-12 * p.force_W[i].norm()) << where;
      tangential += f_t, normal += f_n;
      rubbing += f_t > 1e-3 * f_n;
    }
    ASSERT_LE(tangential, 1.001 * mu * normal + 1e-12 * p.force_W[i].norm()) << where;
  }
}

TEST_P(Cone, HoldsForEveryFaceOfEveryStep) {
  const struct {
    const char* name;
    std::string xml;
    double duration;
  } scenes[] = {{"thrown box", kBox, 0.4}, {"clutter", scenes::clutter(12), 0.4}, {"chain", scenes::chain(5), 0.8}};
  StepResults results;
  for (const auto& scene : scenes)
    for (const double dt : {1e-4, 1e-3, 5e-3, 1e-2}) {
      if (dt < 1e-3 && scene.xml != kBox) continue;  // takes too long
      Data data(Model::parse(scene.xml), with(GetParam()));
      if (scene.xml == kBox) throw_box(data);
      long rubbing = 0;
      for (int i = 0; i < std::lround(scene.duration / dt); ++i) {
        const StepReport report = step(data, dt);
        EXPECT_EQ(report.solver.status, SolverStatus::kConverged) << scene.name << " " << dt << " " << i;
        expect_inside_the_cone(data, results, rubbing, fmt::format("{}, δt = {}, step {}", scene.name, dt, i));
        if (HasFatalFailure()) return;
      }
      EXPECT_GT(rubbing, 10) << scene.name << ", δt = " << dt;
    }
}

// The box's way is that of small steps, up to an error of first order. Most of that is not contact's: with positions
// from the velocity of the end of a step [PFC eq:scheme_q_update], whatever brakes from v₀ to rest stops ½δt·v₀ short,
// here 10 of 12 mm at 10 ms. What is left is below 2 %. With friction beyond the cone it was 36 % shorter at 5 ms.
TEST(ThrownBox, GoesAsFarAtLargeSteps) {
  for (const SolverKind kind : {SolverKind::kLagged, SolverKind::kTamsi}) {
    const Model model = Model::parse(kBox);
    const auto way = [&](double dt) {
      Data data(model, with(kind));
      throw_box(data);
      run(data, dt, 0.6);
      return data.d()->qpos[0];
    };
    const double limit = way(5e-5);
    EXPECT_NEAR(limit, 0.286, 0.01 * 0.286);
    for (const double dt : {1e-3, 2e-3, 5e-3, 1e-2}) {
      const double x = way(dt), v0 = 2.0;
      EXPECT_NEAR(x, limit, (dt > 5e-3 ? 0.05 : 0.04) * limit) << to_string(kind) << ", δt = " << dt;
      EXPECT_NEAR(x + 0.5 * dt * v0, limit, 0.025 * limit) << to_string(kind) << ", δt = " << dt;
    }
  }
}

// A frictionless pad on a slide joint, 0.1 mm deep, is pulled up with 20 N and leaves: x = ½at². (SAP's stick branch
// held it at −20 N.)
TEST_P(Cone, FrictionlessPadIsNotGlued) {
  Data data(Model::parse(R"(<mujoco><option gravity="0 0 0"/><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
    <body pos="0 0 .0999"><joint type="slide" axis="0 0 1"/><geom name="pad" type="box" size=".1 .1 .1" mass="1"/></body>
    </worldbody><custom><text name="patchfield:pad" data="compliant modulus=1e6 mu=0"/>
    <text name="patchfield:floor" data="rigid mu=0"/></custom></mujoco>)"),
            with(GetParam()));
  data.d()->qfrc_applied[0] = 20.0;
  StepResults results;
  for (int i = 0; i < 100; ++i) {
    step(data, 1e-3);
    collect_results(data, results);
    for (int k = 0; k < results.faces.size(); ++k) EXPECT_GE(results.faces.normal_traction[k], 0.0);
  }
  EXPECT_GT(data.d()->qpos[0], 0.95 * 0.5 * 20.0 * 0.01);
}

}  // namespace
}  // namespace patchfield
