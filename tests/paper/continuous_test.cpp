// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The continuous model (theory.md §6) against closed forms, conservation laws and finite differences.

#include "patchfield/sim/continuous.h"

#include <cmath>

#include <gtest/gtest.h>

#include "patchfield/core/check.h"
#include "patchfield/sim/continuous_dynamics.h"
#include "patchfield/sim/ledger.h"
#include "scenes/scenes.h"

namespace patchfield {
namespace {

constexpr double kGravity = 9.81;

/// Two free bodies without anything to touch.
constexpr const char* kFreeBodies = R"(<mujoco><option gravity="0 0 -9.81"/>
  <worldbody>
    <body name="brick" pos="0 0 1"><freejoint/>
      <inertial pos="0 0 0" mass="2" diaginertia="0.01 0.02 0.025"/><geom type="box" size=".05 .03 .02" mass="2"/>
    </body>
    <body pos="3 0 1"><joint type="slide" axis="1 0 0" stiffness="40"/><geom type="sphere" size=".05" mass=".1"/></body>
  </worldbody></mujoco>)";

TEST(Continuous, FollowsThrowAndSpringExactly) {
  ContinuousSimulation sim(Model::parse(kFreeBodies), {.accuracy = 1e-8});
  mjData* d = sim.data().d();
  d->qvel[0] = 0.5, d->qvel[2] = 2.0;
  d->qpos[7] = 0.03;
  sim.restart();
  const double t = 1.3, w = std::sqrt(40.0 / 0.1);
  ASSERT_TRUE(sim.advance(t).ok);
  EXPECT_NEAR(d->qpos[0], 0.5 * t, 1e-7);
  EXPECT_NEAR(d->qpos[2], 1.0 + 2.0 * t - 0.5 * kGravity * t * t, 1e-6);
  EXPECT_NEAR(d->qvel[2], 2.0 - kGravity * t, 1e-6);
  EXPECT_NEAR(d->qpos[7], 0.03 * std::cos(w * t), 2e-6);
  EXPECT_DOUBLE_EQ(d->time, t);
}

// Contact is not an input: what the caller applies stays as it is, to the last bit.
TEST(Continuous, LeavesAppliedForcesAlone) {
  ContinuousSimulation sim(Model::parse(scenes::box_on_plane()), {.accuracy = 1e-4});
  mjData* d = sim.data().d();
  const double applied[6] = {0.1, -0.2, -0.3, 1e-3, 0.7e-3, 0};
  std::copy(applied, applied + 6, d->qfrc_applied);
  sim.restart();
  ASSERT_TRUE(sim.advance(0.05).ok);
  EXPECT_GT(sim.data().num_patches, 0);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(d->qfrc_applied[i], applied[i]) << i;
}

// Free of torque, the angular momentum in the world and the kinetic energy stay, whatever the body does.
TEST(Continuous, TumblingKeepsAngularMomentumAndEnergy) {
  ContinuousSimulation sim(Model::parse(kFreeBodies), {.accuracy = 1e-9});
  const Vec3 inertia(0.01, 0.02, 0.025), w0(0.3, 8.0, 0.2);  // about the middle axis: it flips over
  mjData* d = sim.data().d();
  Eigen::Map<Vec3> w(d->qvel + 3);
  w = w0;
  sim.restart();
  const Vec3 L0 = inertia.cwiseProduct(w0);
  bool flipped = false;
  for (int i = 1; i <= 20; ++i) {
    ASSERT_TRUE(sim.advance(0.25 * i).ok);
    const Eigen::Quaterniond q(d->qpos[3], d->qpos[4], d->qpos[5], d->qpos[6]);
    EXPECT_NEAR(q.norm(), 1.0, 1e-14);
    EXPECT_LT((q * inertia.cwiseProduct(w) - L0).norm(), 1e-6 * L0.norm()) << "at " << d->time << " s";
    EXPECT_NEAR(w.dot(inertia.cwiseProduct(w)), w0.dot(inertia.cwiseProduct(w0)), 1e-6 * w0.dot(L0));
    flipped |= w.y() < -7.0;
  }
  EXPECT_TRUE(flipped);
}

// At rest the pressure carries the weight, A·E_h·x/H = m·g (theory.md §7). The surface is smaller than the footprint by
// a rim of width x, on which the pressure of the sides rules: 2 parts in 10⁴ here.
TEST(Continuous, CubeComesToRestAtTheStaticPenetration) {
  const double E = 1e7, m = 1.0, H = 0.05, S = 0.01;
  ContinuousSimulation sim(Model::parse(scenes::box_on_plane({.modulus = E, .hunt_crossley = 20.0, .margin = 0.0})));
  ASSERT_TRUE(sim.advance(2.0).ok);
  const double x = H - sim.data().d()->qpos[2];
  EXPECT_NEAR(x, m * kGravity * H / (E * S), 3e-4 * x);
  EXPECT_LT(std::abs(sim.data().d()->qacc[2]), 1e-3);
  EXPECT_GT(sim.statistics().steps, 0);
}

// A soft ball without dissipation on a frictionless plane bounces back to where it came from: the force of the
// surface derives from a potential up to the mesh, and error control adds or takes nothing.
TEST(Continuous, BallWithoutDissipationReturnsToItsHeight) {
  const double height = 0.02;
  ContinuousSimulation sim(
      Model::parse(scenes::sphere_on_plane(
          {.modulus = 1e5, .resolution = 0.005, .mu = 0.0, .hunt_crossley = 0.0, .margin = 0.0}, height)),
      {.accuracy = 1e-6});
  double top = 0.0;
  bool fell = false;
  for (int i = 1; i <= 600; ++i) {
    ASSERT_TRUE(sim.advance(1e-3 * i).ok);
    const double z = sim.data().d()->qpos[2];
    fell |= z < 0.05;
    if (fell) top = std::max(top, z);
    if (fell && z > 0.05 && sim.data().d()->qvel[2] < 0.0) break;
  }
  EXPECT_NEAR(top, 0.05 + height, 0.01 * height);
}

// A cube pushed along the plane slows down by μ·g, and stops.
TEST(Continuous, SlidingCubeSlowsDownByCoulomb) {
  const double mu = 0.3;
  ContinuousSimulation sim(
      Model::parse(scenes::box_on_plane({.modulus = 1e7, .mu = mu, .hunt_crossley = 50.0, .margin = 0.0})));
  mjData* d = sim.data().d();
  d->qpos[2] -= 1.0 * kGravity * 0.05 / (1e7 * 0.01);
  d->qvel[0] = 1.0;
  sim.restart();
  ASSERT_TRUE(sim.advance(0.2).ok);
  EXPECT_NEAR(d->qvel[0], 1.0 - mu * kGravity * 0.2, 1e-3);
  ASSERT_TRUE(sim.advance(0.6).ok);
  EXPECT_LT(std::abs(d->qvel[0]), 1e-4);
}

// Tighter accuracy, smaller error: the throw of a ball that rolls and slides on a plane.
TEST(Continuous, ErrorFollowsTheAccuracy) {
  const Model model = Model::parse(
      scenes::sphere_on_plane({.modulus = 1e5, .resolution = 0.02, .mu = 0.3, .hunt_crossley = 5.0, .margin = 0.0}));
  const auto run = [&](double accuracy) {
    ContinuousSimulation sim(model, {.accuracy = accuracy});
    sim.data().d()->qvel[0] = 0.3;
    sim.restart();
    EXPECT_TRUE(sim.advance(0.3).ok);
    return Vec3(sim.data().d()->qpos[0], sim.data().d()->qpos[2], 0.05 * sim.data().d()->qvel[4]);
  };
  const Vec3 reference = run(1e-9);
  const double loose = (run(1e-3) - reference).norm(), fine = (run(1e-7) - reference).norm();
  EXPECT_LT(fine, 1e-5);
  EXPECT_LT(fine, 0.1 * loose);
}

// Newton's matrix against central differences of ẏ, on a cube that is pressed 20 µm into a plane, tilted a little and
// moving in every way. The contact part holds areas, normals and lever arms, whose changes matter little at this depth:
// columns of q agree to 1 % of the largest slope, columns of v to rounding.
TEST(ContinuousDynamics, JacobianIsTheSlopeOfTheDerivative) {
  ContinuousDynamics dynamics(
      Model::parse(scenes::box_on_plane({.modulus = 1e6, .mu = 0.4, .hunt_crossley = 2.0, .margin = 0.0})), {});
  const int n = dynamics.size();
  VecX y(n), plus(n), minus(n);
  MatX J(n, n), difference(n, n);
  dynamics.read_state(y.data());
  y[2] -= 2e-5;
  y[4] = 1e-4, y[5] = -5e-5;
  y.tail(6) << 0.3, -0.2, -0.05, 0.4, -0.3, 2.0;
  ASSERT_TRUE(dynamics.jacobian(0.0, y.data(), J.data()));
  for (int j = 0; j < n; ++j) {
    const double h = j < 7 ? 1e-9 : 1e-6;
    VecX moved = y;
    moved[j] = y[j] + h;
    ASSERT_TRUE(dynamics.derivative(0.0, moved.data(), plus.data()));
    moved[j] = y[j] - h;
    ASSERT_TRUE(dynamics.derivative(0.0, moved.data(), minus.data()));
    difference.col(j) = (plus - minus) / (2.0 * h);
  }
  const MatX error = J - difference;
  const double stiff = difference.leftCols(7).cwiseAbs().maxCoeff(),
               damp = difference.rightCols(6).cwiseAbs().maxCoeff();
  EXPECT_GT(stiff, 1e5);
  EXPECT_LT(error.leftCols(7).cwiseAbs().maxCoeff(), 1e-2 * stiff);
  EXPECT_LT(error.rightCols(6).cwiseAbs().maxCoeff(), 1e-6 * damp);
}

// Limits and servos act through MuJoCo's own forces.
TEST(Continuous, HonoursLimitsAndServos) {
  ContinuousSimulation sim(Model::parse(R"(<mujoco><option gravity="0 0 0"/><worldbody>
    <body><joint name="a" type="slide" axis="1 0 0" damping="2" limited="true" range="-1 .1"/>
      <geom type="sphere" size=".05" mass="1"/></body>
    </worldbody><actuator><position joint="a" kp="100"/></actuator></mujoco>)"));
  mjData* d = sim.data().d();
  d->ctrl[0] = 0.05;
  ASSERT_TRUE(sim.advance(8.0).ok);
  EXPECT_NEAR(d->qpos[0], 0.05, 1e-4);
  d->ctrl[0] = 0.5;
  sim.restart();
  ASSERT_TRUE(sim.advance(16.0).ok);
  EXPECT_NEAR(d->qpos[0], 0.1, 0.02);  // MuJoCo's limits are soft
}

TEST(Continuous, NamesWhatIsWrong) {
  const Model model = Model::parse(kFreeBodies);
  EXPECT_THROW(ContinuousSimulation(model, {.accuracy = 0.0}), InputError);
  EXPECT_THROW(ContinuousSimulation(model, {.stiction_speed = -1.0}), InputError);
  EXPECT_THROW(ContinuousSimulation(model, {.max_steps = 0}), InputError);
  ContinuousSimulation sim(model, {.max_steps = 3});
  EXPECT_THROW(sim.advance(0.0), InputError);
  sim.data().d()->qvel[4] = 100.0;
  sim.restart();
  const ContinuousReport report = sim.advance(10.0);
  EXPECT_FALSE(report.ok);
  EXPECT_FALSE(report.message.empty());
  EXPECT_LT(report.time, 10.0);
}

}  // namespace
}  // namespace patchfield
