// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/control/joint_control.h"

#include <cmath>

#include <gtest/gtest.h>

#include "control/small_arm.h"
#include "patchfield/control/se3_path.h"
#include "patchfield/core/check.h"
#include "patchfield/sim/step.h"

namespace patchfield {
namespace {

using namespace testing_control;

constexpr double kStart[] = {0.1, 0.4, 0.7, 0.2, 0.5, 0.0};

/// Largest joint error while all joints follow q = start + 0.6·s(t) for a second.
double worst_error(double dt, const TrackingOptions& options, double effort = 60.0) {
  Data data(Model::parse(small_arm_mjcf("", "", "", "", effort)));
  const Arm arm = find_arm(data.m(), "tool");
  StateDynamics dynamics(data.m());
  JointTracker tracker(data.m(), arm, options);
  std::vector<double> q(6), qdot(6), qddot(6);
  for (std::size_t j = 0; j < 6; ++j) data.d()->qpos[j] = kStart[j];
  double worst = 0.0;
  for (int i = 0; i * dt < 1.2; ++i) {
    const Derivatives s = minimum_jerk(i * dt), next = minimum_jerk((i + 1) * dt);
    for (std::size_t j = 0; j < 6; ++j)
      q[j] = kStart[j] + 0.6 * s.x, qdot[j] = 0.6 * s.v, qddot[j] = 0.6 * (next.v - s.v) / dt;
    dynamics.update(data.d());
    tracker.track(q, qdot, qddot, dynamics, data.d());
    for (std::size_t j = 0; j < 6; ++j) worst = std::max(worst, std::abs(q[j] - data.d()->qpos[j]));
    step(data, dt);
  }
  return worst;
}

// With the true dynamics the error is that of the integration alone, which is of first order.
TEST(ComputedTorque, TracksAMinimumJerkMotion) {
  const double at_2ms = worst_error(2e-3, {}), at_1ms = worst_error(1e-3, {});
  EXPECT_LT(at_2ms, 5e-3);
  EXPECT_NEAR(at_2ms / at_1ms, 2.0, 0.3);
}

// A constant torque τ on a joint ends at e = τ/(ω²·M_jj-like inertia): computed torque turns the arm into unit masses,
// so the acceleration M⁻¹τ meets ω²e.
TEST(ComputedTorque, ErrorUnderLoadIsAccelerationOverFrequencySquared) {
  Data data(small_arm());
  const Arm arm = find_arm(data.m(), "tool");
  StateDynamics dynamics(data.m());
  JointTracker tracker(data.m(), arm, {.frequency = 30.0});
  const std::vector<double> q(kStart, kStart + 6), zero(6, 0.0);
  for (std::size_t j = 0; j < 6; ++j) data.d()->qpos[j] = kStart[j];
  data.d()->qfrc_applied[1] = 2.0;
  for (int i = 0; i < 2000; ++i) {
    dynamics.update(data.d());
    tracker.track(q, zero, zero, dynamics, data.d());
    step(data, 1e-3);
  }
  std::vector<double> error(6), product(6);
  for (std::size_t j = 0; j < 6; ++j) error[j] = 900.0 * (data.d()->qpos[j] - q[j]);
  dynamics.update(data.d());
  dynamics.multiply_inertia(error.data(), product.data());
  for (std::size_t j = 0; j < 6; ++j) EXPECT_NEAR(product[j], j == 1 ? 2.0 : 0.0, 1e-3) << j;
}

// PD with gravity compensation holds without error, and gives way to a load by load/k_p.
TEST(Pd, SteadyStateIsLoadOverStiffness) {
  Data data(small_arm());
  const Arm arm = find_arm(data.m(), "tool");
  StateDynamics dynamics(data.m());
  JointTracker tracker(data.m(), arm,
                       {.law = TrackingLaw::kPd, .kp = {200, 200, 200, 20, 20, 20}, .kd = {10, 10, 10, .3, .3, .3}});
  const std::vector<double> q(kStart, kStart + 6), zero(6, 0.0);
  for (std::size_t j = 0; j < 6; ++j) data.d()->qpos[j] = kStart[j];
  for (const double load : {0.0, 3.0}) {
    data.d()->qfrc_applied[2] = load;
    for (int i = 0; i < 4000; ++i) {
      dynamics.update(data.d());
      tracker.track(q, zero, zero, dynamics, data.d());
      step(data, 1e-3);
    }
    for (std::size_t j = 0; j < 6; ++j) EXPECT_NEAR(data.d()->qpos[j] - q[j], j == 2 ? load / 200.0 : 0.0, 1e-6);
  }
}

// Motors never push beyond their limits, and the caller is told how many are there.
TEST(JointTracker, RespectsEffortLimits) {
  Data data(Model::parse(small_arm_mjcf("", "", "", "", 4.0)));
  const Arm arm = find_arm(data.m(), "tool");
  StateDynamics dynamics(data.m());
  JointTracker tracker(data.m(), arm, {});
  const std::vector<double> q = {2.0, 1.5, 2.0, 1.0, 1.0, 1.0}, zero(6, 0.0);
  int most = 0;
  for (int i = 0; i < 200; ++i) {
    dynamics.update(data.d());
    most = std::max(most, tracker.track(q, zero, zero, dynamics, data.d()));
    for (int u = 0; u < 6; ++u) EXPECT_LE(std::abs(data.d()->ctrl[u]), 4.0);
    step(data, 2e-3);
    for (int u = 0; u < 6; ++u) EXPECT_LE(std::abs(data.d()->actuator_force[u]), 4.0);
  }
  EXPECT_GE(most, 3);
  EXPECT_GT(worst_error(2e-3, {}, 2.0), 10.0 * worst_error(2e-3, {}));
}

TEST(JointTracker, RefusesGainsThatDoNotFit) {
  EXPECT_THROW(check_tracking({.law = TrackingLaw::kPd, .kp = {1, 2}, .kd = {1}}, 6), InputError);
  EXPECT_THROW(check_tracking({.law = TrackingLaw::kPd, .kp = {-1}, .kd = {1}}, 6), InputError);
  EXPECT_THROW(check_tracking({.frequency = 0.0}, 6), InputError);
}

}  // namespace
}  // namespace patchfield
