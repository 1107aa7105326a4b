// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/control/inverse_kinematics.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "control/small_arm.h"
#include "patchfield/core/check.h"

namespace patchfield {
namespace {

using namespace testing_control;

struct SmallArm {
  Model model = small_arm();
  Arm arm = find_arm(model.mujoco(), "tool");
  InverseKinematics ik{model.mujoco(), arm};
};

TEST(FindArm, TakesTheActuatedJointsOfTheChain) {
  const SmallArm small;
  ASSERT_EQ(small.arm.size(), 6);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(small.arm.joints[static_cast<std::size_t>(i)], i);
  EXPECT_EQ(small.arm.lower[1], -2.0);
  EXPECT_EQ(small.arm.motors[3].highest, 60.0);
}

TEST(FindArm, NamesTheNearestName) {
  const SmallArm small;
  try {
    find_arm(small.model.mujoco(), "tol");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("Did you mean \"tool\"?"), std::string::npos) << error.what();
  }
  EXPECT_THROW(find_arm(small.model.mujoco(), "tool", {"arm7"}), InputError);
}

// FK∘IK = id: poses of random joint positions inside the limits are reached from a seed nearby.
TEST(InverseKinematics, ReachesRandomPoses) {
  SmallArm small;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  int reached = 0;
  constexpr int kPoses = 200;
  for (int i = 0; i < kPoses; ++i) {
    std::vector<double> goal(6), q(6);
    for (std::size_t j = 0; j < 6; ++j)
      goal[j] = 0.8 * small.arm.upper[j] * unit(random), q[j] = goal[j] + 0.4 * unit(random);
    const Pose X = small.ik.forward(goal);
    const IkResult result = small.ik.solve(X, q);
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_GE(q[j], small.arm.lower[j]);
      EXPECT_LE(q[j], small.arm.upper[j]);
    }
    if (!result.converged) continue;
    ++reached;
    const Pose Y = small.ik.forward(q);
    EXPECT_LT((X.p - Y.p).norm(), 1e-6);
    EXPECT_LT(rotation_log(X.R.transpose() * Y.R).norm(), 1e-5);
  }
  EXPECT_GE(reached, kPoses * 98 / 100) << "a few random seeds end at a joint limit";
}

TEST(InverseKinematics, StaysWithinLimitsAndReportsWhatIsLeft) {
  SmallArm small;
  std::vector<double> q = {0.1, 0.5, 0.8, 0.0, 0.6, 0.0};
  Pose far = small.ik.forward(q);
  far.p = Vec3(2.0, 0.0, 0.2);
  const IkResult result = small.ik.solve(far, q);
  EXPECT_FALSE(result.converged);
  // The arm's reach from its shoulder at z = 0.2 is 0.3 + 0.25 + 0.06 + 0.08 = 0.69 m, if it may bend its wrist.
  EXPECT_GE(result.distance, 2.0 - 0.69 - 1e-6);
  EXPECT_LT(result.distance, 2.0 - 0.4);
  for (std::size_t j = 0; j < 6; ++j) EXPECT_LE(std::abs(q[j]), small.arm.upper[j]);
}

// A joint that may move one way only: the solution lies on its limit, and the others do what they can.
TEST(InverseKinematics, JointsStopAtTheirLimits) {
  SmallArm small;
  std::vector<double> goal = {2.9, 0.5, 0.8, 0.0, 0.6, 0.0};
  const Pose X = small.ik.forward(goal);
  Pose beyond = X;
  const Mat3 turn = rotation_rpy({0.0, 0.0, 0.3});  // asks arm1 for 3.2 rad
  beyond.R = turn * X.R, beyond.p = turn * X.p;
  std::vector<double> q = goal;
  small.ik.solve(beyond, q);
  EXPECT_LE(q[0], 3.0);
}

// Along a straight line at 100 Hz the joints change by what the Jacobian says, and never jump.
TEST(InverseKinematics, IsContinuousAlongAPath) {
  SmallArm small;
  std::vector<double> q = {0.2, 0.6, 0.9, 0.1, 0.7, 0.0};
  const Pose start = small.ik.forward(q);
  Pose end = start;
  end.p += Vec3(-0.1, 0.15, -0.05), end.R = rotation_rpy({0.5, 0.2, 0.4}) * start.R;
  const double times[] = {1.0};
  Se3Path path(times);
  path.set({.X_WT = start}, std::span(&end, 1));
  std::vector<double> qdot(6);
  for (int i = 1; i <= 100; ++i) {
    const std::vector<double> before = q;
    const FrameMotion motion = path.at(0.01 * i);
    ASSERT_TRUE(small.ik.solve(motion.X_WT, q, {.max_change = 0.2}).converged) << i;
    small.ik.joint_velocities(motion.w, motion.v, qdot);
    for (std::size_t j = 0; j < 6; ++j) EXPECT_NEAR(q[j] - before[j], 0.01 * qdot[j], 6e-3) << i << ", joint " << j;
  }
}

TEST(InverseKinematics, JointVelocitiesMoveTheTipAsAsked) {
  SmallArm small;
  std::vector<double> q = {0.2, 0.6, 0.9, 0.1, 0.7, 0.3}, qdot(6);
  const Pose X = small.ik.forward(q);
  const Vec3 w(0.3, -0.2, 0.5), v(0.1, 0.2, -0.3);
  small.ik.joint_velocities(w, v, qdot);
  constexpr double h = 1e-6;
  for (std::size_t j = 0; j < 6; ++j) q[j] += h * qdot[j];
  const Pose Y = small.ik.forward(q);
  EXPECT_LT(((Y.p - X.p) / h - v).norm(), 1e-4);
  EXPECT_LT((rotation_log(Y.R * X.R.transpose()) / h - w).norm(), 1e-4);
}

}  // namespace
}  // namespace patchfield
