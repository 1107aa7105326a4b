// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// MuJoCo's contacts as points of ours, and our patches as contacts of MuJoCo's. tests/python/package/test_parity.py
// and test_mjcf.py compare the rest of mjData and of an MJCF.

#include <cmath>

#include <fmt/format.h>

#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

std::string ball(const char* cone, int condim, double mu, double spin = 0.01, double roll = 0.002) {
  return fmt::format(R"(<mujoco><option timestep="0.002" cone="{}"/><worldbody>
    <geom name="floor" type="plane" size="5 5 .1" friction="{} {} {}" condim="{}"/>
    <body pos="0 0 .1"><freejoint/><geom name="ball" size=".1" mass="2" friction="{} {} {}" condim="{}"/></body>
  </worldbody></mujoco>)",
                     cone, mu, spin, roll, condim, mu, spin, roll, condim);
}

// A pyramid is 2(dim − 1) springs in parallel, all of one R = 2μ²·R₀.
TEST(PointContacts, DepthAtRestIsMuJoCosForEitherCone) {
  for (const char* cone : {"pyramidal", "elliptic"})
    for (const int condim : {1, 3, 4, 6})
      for (const double mu : {0.4, 2.0}) {
        Data data(Model::parse(ball(cone, condim, mu)));
        std::unique_ptr<mjData, decltype(&mj_deleteData)> theirs(mj_makeData(data.m()), &mj_deleteData);
        run(data, 2e-3, 2.0);
        for (int i = 0; i < 1000; ++i) mj_step(data.m(), theirs.get());
        EXPECT_NEAR(data.d()->qpos[2], theirs->qpos[2], 1e-4 * (0.1 - theirs->qpos[2]))
            << cone << ", condim " << condim << ", mu " << mu;
        mjtNum force[6];
        mj_contactForce(data.m(), data.d(), 0, force);
        EXPECT_NEAR(force[0], 2.0 * kGravity, 1e-5);
      }
}

// I·ω̇ = −μ_t·m·g about the normal, I = ⅖·m·r²; the row's bound must have followed γ_n.
TEST(PointContacts, TorsionalFrictionBrakesASpin) {
  for (const SolverKind kind : kSolvers) {
    Data data(Model::parse(ball("pyramidal", 4, 1.0)), with(kind));
    run(data, 2e-3, 1.0);
    data.d()->qvel[5] = 20.0;
    const StepReport report = run(data, 2e-3, 0.2);
    EXPECT_NEAR(data.d()->qvel[5], 20.0 - 0.2 * 0.01 * kGravity / (0.4 * 0.01), 0.01) << to_string(kind);
    EXPECT_EQ(report.solver.status, SolverStatus::kConverged);
    mjtNum force[6];
    mj_contactForce(data.m(), data.d(), 0, force);
    EXPECT_NEAR(force[3], -0.01 * force[0], 1e-6 * force[0]) << "the moment on the ball, about the normal";
  }
}

// A motion along x turns the ball about y: (m + I/r²)·v̇ = −μ_r·m·g/r.
TEST(PointContacts, RollingFrictionBrakesARoll) {
  Data data(Model::parse(ball("elliptic", 6, 1.0)));
  run(data, 2e-3, 1.0);
  data.d()->qvel[0] = 1.0, data.d()->qvel[4] = 10.0;
  run(data, 2e-3, 0.2);
  EXPECT_NEAR(data.d()->qvel[0], 1.0 - 0.2 * 0.002 * kGravity / 0.1 / 1.4, 2e-3);
}

TEST(PointContacts, EnergyLedgerBalancesWithFrictionRows) {
  Data data(Model::parse(ball("pyramidal", 6, 1.0)));
  run(data, 2e-3, 1.0);
  data.d()->qvel[0] = 0.5, data.d()->qvel[5] = 9.0;
  for (int i = 0; i < 50; ++i) {
    step(data, 2e-3);
    EXPECT_NEAR(energy_ledger(data).balance(), 0.0, 1e-9);
  }
}

class ListedPatches : public testing::TestWithParam<const char*> {};

// The contact's wrench in the cone of the model is the patch's: by mj_contactForce, and by Jᵀ·f.
TEST_P(ListedPatches, CarryTheWrenchOfTheirPatch) {
  const std::string xml = fmt::format(R"(<mujoco><option cone="{}"/><worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body pos="0 0 .0499"><freejoint/><geom name="box" type="box" size=".05 .06 .05" mass="1"/></body></worldbody></mujoco>)",
                                      GetParam());
  ModelOptions model;
  model.geoms["box"] = {.compliant = true, .modulus = 1e6, .mu = 0.5};
  SimOptions options;
  options.contacts = ContactOutput::kData, options.body_forces = true;
  Data data(Model::parse(xml, model), options), plain(Model::parse(xml, model));
  for (Data* d : {&data, &plain}) d->d()->qvel[0] = 0.4, d->d()->qvel[5] = 3.0, d->d()->qvel[4] = -0.2;
  for (int i = 0; i < 20; ++i) step(data, 2e-3), step(plain, 2e-3);
  EXPECT_EQ(hash_state(data), hash_state(plain)) << "the motion does not depend on it";
  ASSERT_EQ(data.d()->ncon, 1);
  StepResults results;
  collect_results(data, results);
  ASSERT_EQ(results.patches.size(), 1);
  mjtNum f[6];
  mj_contactForce(data.m(), data.d(), 0, f);
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(data.d()->contact[0].frame);
  EXPECT_LT((R.transpose() * Vec3(f[0], f[1], f[2]) - results.patches.force_W[0]).norm(), 1e-9);
  EXPECT_LT((R.transpose() * Vec3(f[3], f[4], f[5]) - results.patches.moment_O_W[0]).norm(), 1e-9);
  EXPECT_GT(std::abs(f[3]), 1e-3) << "it spins";
  double back[6] = {};
  mj_mulJacTVec(data.m(), data.d(), back, data.d()->efc_force);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(back[i], data.d()->qfrc_constraint[i], 1e-9) << i;
  const std::vector<double> before(data.d()->cfrc_ext, data.d()->cfrc_ext + 12);
  mj_rnePostConstraint(data.m(), data.d());
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(data.d()->cfrc_ext[i], before[i], 1e-9) << i;
}
INSTANTIATE_TEST_SUITE_P(Cones, ListedPatches, testing::Values("pyramidal", "elliptic"),
                         [](const auto& test) { return std::string(test.param); });

TEST(SplitStep, IsTheStep) {
  Data whole(Model::parse(scenes::by_name("stack"))), halves(Model::parse(scenes::by_name("stack")));
  for (int i = 0; i < 30; ++i) {
    step(whole, 2e-3);
    step1(halves, 2e-3);
    if (i % 3 == 0) forward(halves, 2e-3);  // in between: step2 then begins again
    step2(halves, 2e-3);
  }
  EXPECT_EQ(hash_state(whole), hash_state(halves));
}

TEST(SplitStep, ForwardHasTheAccelerationsOfTheStep) {
  Data data(Model::parse(scenes::by_name("stack"))), other(Model::parse(scenes::by_name("stack")));
  run(data, 2e-3, 0.1), run(other, 2e-3, 0.1);
  forward(data, 2e-3);
  EXPECT_EQ(hash_state(data), hash_state(other));
  step(other, 2e-3);
  for (int i = 0; i < data.m()->nv; ++i) EXPECT_EQ(data.d()->qacc[i], other.d()->qacc[i]);
}

}  // namespace
}  // namespace patchfield
