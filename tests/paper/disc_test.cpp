// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The semi-analytic fixed point of a sliding and spinning disc (theory.md §7).

#include "reproduce_disc.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "reproduce_coin.h"

namespace patchfield::cli {
namespace {

constexpr double kPi = std::numbers::pi;

double total_weight(const std::vector<DiscPoint>& points) {
  double sum = 0.0;
  for (const DiscPoint& p : points) sum += p.weight;
  return sum;
}

// Sliding without spinning, all friction opposes v; spinning without sliding, T = ∫ r dA/A = 2/3 and F = 0.
TEST(DiscFriction, LimitsAreCoulombAndTwoThirds) {
  const std::vector<DiscPoint> disc = polar_points(200);
  EXPECT_NEAR(total_weight(disc), 1.0, 1e-10);
  EXPECT_NEAR(disc_friction(disc, 1e6).force, 1.0, 1e-9);
  EXPECT_NEAR(disc_friction(disc, 0.0).torque, 2.0 / 3.0, 1e-5);
  EXPECT_NEAR(disc_friction(disc, 0.0).force, 0.0, 1e-12);
  // A little sliding of a spinning disc: F/ε → ½∫ dA/(r A) = 1.
  EXPECT_NEAR(disc_friction(polar_points(400), 1e-2).force / 1e-2, 1.0, 1e-3);
}

TEST(SlidingRatio, IsThatOfTheTheory) {
  EXPECT_NEAR(sliding_ratio(fan_points(16)), 0.6083, 5e-5);
  EXPECT_NEAR(sliding_ratio(fan_points(32)), 0.6339, 5e-5);
  EXPECT_NEAR(sliding_ratio(fan_points(152)), 0.64415, 5e-6);
  EXPECT_NEAR(sliding_ratio(polar_points(400)), 0.6530, 2e-5);
}

// A fan that has turned by half a sector gives the paper's own number, and a fan that turns the mean of both.
TEST(SlidingRatio, DependsOnHowTheFanLies) {
  std::vector<DiscPoint> turned = fan_points(152);
  const double c = std::cos(kPi / 152), s = std::sin(kPi / 152);
  for (DiscPoint& p : turned) p = {c * p.x - s * p.y, s * p.x + c * p.y, p.weight};
  EXPECT_NEAR(sliding_ratio(turned), 0.64426, 5e-6);
  EXPECT_NEAR(sliding_ratio(fan_points(152), 2 * kPi / 152), 0.64421, 5e-6);
}

// F/ε = 2T is where the ratio stays: by Euler steps of v̇ = −F, (ωR)˙ = −2T from both sides.
TEST(SlidingRatio, IsWhereTheMotionEnds) {
  const std::vector<DiscPoint> disc = polar_points(30);
  const double expected = sliding_ratio(disc);
  for (const double eps0 : {0.5, 0.9}) {
    double v = eps0, w = 1.0;
    while (v + w > 1e-4) {
      const DiscFriction f = disc_friction(disc, v / w);
      const double h = 1e-2 * (v + w);
      v -= h * f.force, w -= 2.0 * h * f.torque;
    }
    EXPECT_NEAR(v / w, expected, 2e-3) << "from " << eps0;
  }
}

// The contact surface of the meshed coin is the fan of the theory: 152 points of equal weight on one ring.
TEST(CoinModel, LiesOnAFanOf152) {
  const CoinModel coin{CoinSetup{}};
  const std::vector<DiscPoint> points = coin.points(), fan = fan_points(152);
  ASSERT_EQ(points.size(), fan.size());
  for (const DiscPoint& p : points) {
    EXPECT_NEAR(std::hypot(p.x, p.y), 2.0 / 3.0 * std::cos(kPi / 152), 1e-6);
    EXPECT_NEAR(p.weight, 1.0 / 152, 1e-6 / 152);
  }
  EXPECT_NEAR(sliding_ratio(points), sliding_ratio(fan), 1e-6);
}

TEST(FittedOrder, IsTheExponentOfAPowerLaw) {
  EXPECT_NEAR(fitted_order({1.0, 0.5, 0.1}, {3.0, 0.75, 0.03}), 2.0, 1e-12);
}

}  // namespace
}  // namespace patchfield::cli
