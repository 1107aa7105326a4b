// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Three solvers, one physics: they agree as δt → 0.

#include <gtest/gtest.h>

#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

/// A ball thrown at the floor with spin, without dissipation: where and how it is 60 ms later.
Vec6 thrown_ball(SolverKind kind, double dt) {
  const scenes::Material elastic{
      .modulus = 1e5, .resolution = 0.01, .mu = 0.3, .hunt_crossley = 0, .relaxation_time = 0};
  Data data(Model::parse(scenes::sphere_on_plane(elastic, 0.002)), with(kind));
  data.options.solver.relative_tolerance = 1e-9;
  const double v[6] = {1.0, 0.2, -0.5, 3.0, -4.0, 1.0};
  std::copy(v, v + 6, data.d()->qvel);
  run(data, dt, 0.06);
  Vec6 out;
  for (int i = 0; i < 3; ++i) out[i] = data.d()->qpos[i], out[3 + i] = 0.05 * data.d()->qvel[3 + i];
  return out;
}

TEST(Solvers, AgreeAsTheStepGoesToZero) {
  for (const SolverKind kind : {SolverKind::kSap, SolverKind::kLagged}) {
    double last = 1.0;
    for (const double dt : {1e-3, 2.5e-4, 6.25e-5}) {
      const double gap = (thrown_ball(kind, dt) - thrown_ball(SolverKind::kTamsi, dt)).norm();
      // The stiction laws differ by the stiction speed, over the 20 ms of contact.
      EXPECT_LT(gap, std::max(0.5 * last, 4e-6)) << to_string(kind) << ", δt = " << dt;
      last = gap;
    }
    EXPECT_LT(last, 1e-3) << to_string(kind);
  }
}

TEST(Solvers, ConvergeToTheSameStateAtFirstOrder) {
  const Vec6 exact = thrown_ball(SolverKind::kTamsi, 2e-5);
  for (const SolverKind kind : kSolvers) {
    const double coarse = (thrown_ball(kind, 8e-4) - exact).norm(), fine = (thrown_ball(kind, 2e-4) - exact).norm();
    EXPECT_LT(fine, 0.5 * coarse) << to_string(kind) << ": " << coarse << " → " << fine;
  }
}

}  // namespace
}  // namespace patchfield
