// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/core/types.h"

#include <limits>
#include <numbers>
#include <type_traits>

#include <gtest/gtest.h>

namespace patchfield {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

Pose random_pose() {
  const Eigen::Quaterniond q = Eigen::Quaterniond::UnitRandom();
  return {q.toRotationMatrix(), Vec3::Random()};
}

Eigen::Matrix4d matrix_of(const Pose& X) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m.topLeftCorner<3, 3>() = X.R;
  m.topRightCorner<3, 1>() = X.p;
  return m;
}

// A quarter turn about z, then one metre along x: (1, 0, 0) → (0, 1, 0) → (1, 1, 0).
TEST(Pose, TurnsFirstThenShifts) {
  const double angle = std::numbers::pi / 2;
  const Pose X_WB{Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix(), Vec3(1, 0, 0)};
  EXPECT_LT((X_WB * Vec3(1, 0, 0) - Vec3(1, 1, 0)).norm(), 4 * kEps);
  EXPECT_EQ(Pose::translation(1, 2, 3) * Vec3(1, 1, 1), Vec3(2, 3, 4));
}

// The algebra of poses is the algebra of 4×4 matrices.
TEST(Pose, ProductAndInverseAreThoseOfTheMatrices) {
  std::srand(1);
  for (int i = 0; i < 100; ++i) {
    const Pose X_WA = random_pose(), X_AB = random_pose();
    const Vec3 p_B = Vec3::Random();
    const Eigen::Matrix4d product = matrix_of(X_WA) * matrix_of(X_AB);
    EXPECT_LT((matrix_of(X_WA * X_AB) - product).norm(), 20 * kEps);
    EXPECT_LT(((X_WA * X_AB) * p_B - X_WA * (X_AB * p_B)).norm(), 20 * kEps);
    EXPECT_LT((matrix_of(X_WA.inverse()) - matrix_of(X_WA).inverse()).norm(), 50 * kEps);
    EXPECT_LT((matrix_of(X_WA * X_WA.inverse()) - Eigen::Matrix4d::Identity()).norm(), 20 * kEps);
  }
}

TEST(Pose, SaysWhetherItIsFinite) {
  EXPECT_TRUE(Pose().is_finite());
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Pose turned, shifted;
    turned.R(1, 2) = bad;
    shifted.p(2) = bad;
    EXPECT_FALSE(turned.is_finite());
    EXPECT_FALSE(shifted.is_finite());
  }
}

TEST(Index, StartsInvalidAndKindsDoNotMix) {
  EXPECT_FALSE(BodyIndex().is_valid());
  EXPECT_TRUE(BodyIndex(0).is_valid());
  EXPECT_LT(BodyIndex(1), BodyIndex(2));
  EXPECT_EQ(BodyIndex(3), BodyIndex(3));
  static_assert(!std::is_convertible_v<int, BodyIndex>);
  static_assert(!std::is_convertible_v<GeometryIndex, BodyIndex>);
  static_assert(sizeof(BodyIndex) == sizeof(int));
}

}  // namespace
}  // namespace patchfield
