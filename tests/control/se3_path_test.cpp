// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/control/se3_path.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "patchfield/core/check.h"

namespace patchfield {
namespace {

constexpr double kDegree = M_PI / 180.0;

/// A path of three keyframes whose turns add up to 330°.
Se3Path three_keyframes(const FrameMotion& start, std::vector<Pose>& poses) {
  const double times[] = {0.5, 0.9, 2.0};
  Se3Path path(times);
  poses = {{start.X_WT.R * rotation_rpy({1.5, 0.3, -0.2}), {0.3, 0.1, 0.2}},
           {start.X_WT.R * rotation_rpy({3.1, 0.3, -0.2}), {0.1, 0.5, 0.2}},
           {start.X_WT.R * rotation_rpy({5.6, -0.4, 0.1}), {-0.2, 0.0, 0.4}}};
  path.set(start, poses);
  return path;
}

FrameMotion moving_start() {
  return {.X_WT = {rotation_rpy({0.4, -0.7, 1.1}), {0.1, -0.2, 0.3}},
          .w = {0.3, -0.5, 0.2},
          .v = {0.2, 0.1, -0.1},
          .alpha = {-1.0, 0.4, 0.7},
          .a = {0.5, -0.3, 0.2}};
}

TEST(MinimumJerk, IsTheKnownPolynomial) {
  for (const double s : {0.0, 0.2, 0.5, 0.9, 1.0}) {
    EXPECT_NEAR(minimum_jerk(s).x, s * s * s * (10.0 - 15.0 * s + 6.0 * s * s), 1e-15);
    EXPECT_NEAR(minimum_jerk(s).v, 30.0 * s * s * (1.0 - s) * (1.0 - s), 1e-14);
  }
  EXPECT_EQ(minimum_jerk(-1.0).x, 0.0);
  EXPECT_NEAR(minimum_jerk(2.0).x, 1.0, 1e-15);
}

TEST(Se3Path, MeetsItsKeyframesAndItsStart) {
  const FrameMotion start = moving_start();
  std::vector<Pose> poses;
  const Se3Path path = three_keyframes(start, poses);
  const FrameMotion begin = path.at(0.0), end = path.at(2.0);
  EXPECT_LT((begin.X_WT.p - start.X_WT.p).norm() + (begin.X_WT.R - start.X_WT.R).norm(), 1e-12);
  EXPECT_LT((begin.w - start.w).norm() + (begin.v - start.v).norm(), 1e-12);
  EXPECT_LT((begin.alpha - start.alpha).norm() + (begin.a - start.a).norm(), 1e-11);
  const double times[] = {0.5, 0.9, 2.0};
  for (int i = 0; i < 3; ++i) {
    const Pose X = path.at(times[i]).X_WT;
    EXPECT_LT((X.p - poses[static_cast<std::size_t>(i)].p).norm(), 1e-12) << i;
    EXPECT_LT((X.R - poses[static_cast<std::size_t>(i)].R).norm(), 1e-12) << i;
  }
  EXPECT_LT(end.w.norm() + end.v.norm() + end.alpha.norm() + end.a.norm(), 1e-12) << "ends at rest";
}

// Velocity and acceleration are the derivatives of the pose, by central differences of order h².
TEST(Se3Path, DerivativesAreThoseOfThePose) {
  std::vector<Pose> poses;
  const Se3Path path = three_keyframes(moving_start(), poses);
  constexpr double h = 1e-5;
  for (double t = 0.02; t < 2.0; t += 0.037) {
    const FrameMotion m = path.at(t), before = path.at(t - h), after = path.at(t + h);
    EXPECT_LT((m.v - (after.X_WT.p - before.X_WT.p) / (2.0 * h)).norm(), 1e-7) << t;
    EXPECT_LT((m.a - (after.v - before.v) / (2.0 * h)).norm(), 1e-5) << t;
    EXPECT_LT((m.w - rotation_log(after.X_WT.R * before.X_WT.R.transpose()) / (2.0 * h)).norm(), 1e-6) << t;
    EXPECT_LT((m.alpha - (after.w - before.w) / (2.0 * h)).norm(), 1e-4) << t;
    EXPECT_LT((m.X_WT.R * m.X_WT.R.transpose() - Mat3::Identity()).norm(), 1e-12);
  }
}

// Least jerk under point constraints: the fourth derivative is continuous at the keyframes, hence all before it.
TEST(Se3Path, IsFourTimesDifferentiableAtItsKeyframes) {
  std::vector<Pose> poses;
  const Se3Path path = three_keyframes(moving_start(), poses);
  constexpr double h = 1e-3;
  for (const double t : {0.5, 0.9}) {
    const auto jerk = [&](double s) { return Vec3((path.at(s + h).a - path.at(s - h).a) / (2.0 * h)); };
    const auto turn_jerk = [&](double s) { return Vec3((path.at(s + h).alpha - path.at(s - h).alpha) / (2.0 * h)); };
    const double scale = jerk(t).norm() + 1.0, turn_scale = turn_jerk(t).norm() + 1.0;
    EXPECT_LT((jerk(t + h) - jerk(t - h)).norm(), 0.1 * scale);
    EXPECT_LT((turn_jerk(t + h) - turn_jerk(t - h)).norm(), 0.1 * turn_scale);
    // and so is the snap: second differences of the acceleration from both sides
    const auto snap = [&](double s) {
      return Vec3((path.at(s + h).a - 2.0 * path.at(s).a + path.at(s - h).a) / (h * h));
    };
    EXPECT_LT((snap(t + 2.0 * h) - snap(t - 2.0 * h)).norm(), 0.1 * (snap(t).norm() + 100.0));
  }
}

// Without vias and from rest it is the straight line with the minimum-jerk profile, and the turn about one axis.
TEST(Se3Path, OneKeyframeIsTheMinimumJerkLine) {
  const double times[] = {1.6};
  Se3Path path(times);
  const Pose goal = {rotation_exp(Vec3(0.0, 170.0 * kDegree, 0.0)), {0.4, 0.0, -0.2}};
  path.set({}, std::span(&goal, 1));
  for (const double t : {0.3, 0.8, 1.1}) {
    const double s = minimum_jerk(t / 1.6).x;
    EXPECT_LT((path.at(t).X_WT.p - s * goal.p).norm(), 1e-14);
    EXPECT_NEAR(rotation_log(path.at(t).X_WT.R).y(), s * 170.0 * kDegree, 1e-12);
  }
}

// Among curves that meet the same keyframes, the spline's integral of jerk² is the least: any admissible
// perturbation raises it. Compared with a path forced through a point 5 mm beside its own.
TEST(Se3Path, HasLessJerkThanAnyOtherWay) {
  const auto cost = [](const Se3Path& path) {
    double sum = 0.0;
    constexpr double h = 1e-4;
    for (double t = h; t < 2.0; t += 1e-3) sum += ((path.at(t + h).a - path.at(t - h).a) / (2.0 * h)).squaredNorm();
    return sum;
  };
  std::vector<Pose> poses;
  const Se3Path best = three_keyframes({}, poses);
  const double times[] = {0.5, 0.9, 1.5, 2.0};
  for (const double aside : {-5e-3, 5e-3}) {
    Pose between = best.at(1.5).X_WT;
    between.p.x() += aside;
    const std::vector<Pose> other = {poses[0], poses[1], between, poses[2]};
    Se3Path path(times);
    path.set({}, other);
    EXPECT_GT(cost(path), 1.0001 * cost(best));
  }
}

TEST(Se3Path, RefusesTimesThatDoNotGrow) {
  const double none[] = {0.0}, back[] = {1.0, 0.5}, nan[] = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_THROW(Se3Path{none}, InputError);
  EXPECT_THROW(Se3Path{back}, InputError);
  EXPECT_THROW(Se3Path{nan}, InputError);
}

}  // namespace
}  // namespace patchfield
