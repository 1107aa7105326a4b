// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/contact/dissipation.h"

#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

namespace patchfield {
namespace {

constexpr double kPi = std::numbers::pi;

/// The speed at which a unit mass leaves a foundation F(x) that it hits with `speed`, by small steps of
/// ẍ = −F(x)(1 + d·ẋ)₊ (x the depth), explicit midpoint rule.
double integrate_rebound(const std::function<double(double)>& F, double d, double speed, double dt) {
  const auto acceleration = [&](double x, double u) { return -F(x) * std::max(1.0 + d * u, 0.0); };
  double x = 0.0, u = speed;
  do {
    const double xm = x + dt / 2 * u, um = u + dt / 2 * acceleration(x, u);
    x += dt * um;
    u += dt * acceleration(xm, um);
  } while (x > 0.0);
  return -u;
}

TEST(Restitution, IsThatOfTheEquationOfMotionWhateverTheFoundation) {
  const std::function<double(double)> foundations[] = {
      [](double x) { return 1e4 * x; }, [](double x) { return 1e7 * x * x; },
      [](double x) { return 3e3 * std::sqrt(std::max(x, 0.0)) + 1e6 * x; }};
  for (const auto& F : foundations)
    for (const double d : {0.0, 0.1, 0.5, 2.0, 10.0})
      for (const double speed : {0.2, 1.4}) {
        const double expected = integrate_rebound(F, d, speed, 1e-6) / speed;
        EXPECT_NEAR(restitution(d, speed), expected, 1e-3) << "d = " << d << ", speed = " << speed;
      }
}

TEST(Restitution, HasItsLimits) {
  EXPECT_EQ(restitution(0.0, 3.0), 1.0);
  EXPECT_EQ(restitution(5.0, 0.0), 1.0);
  // Small a: both sides to third order, a²/2 − a³/3 = b²/2 + b³/3, so b = a − ⅔a²; the next term is of order a².
  for (const double a : {1e-7, 9.99e-6, 1.01e-5, 9.99e-4, 1.01e-3})
    EXPECT_NEAR(restitution(a, 1.0), 1 - 2 * a / 3, a * a) << a;
  // A surface recovers no faster than 1/d, and nearly so after a hard blow.
  EXPECT_NEAR(restitution(50.0, 1.4) * 1.4, 1.0 / 50.0, 1e-12);
  double last = 1.0;
  for (double a = 1e-6; a < 1e6; a *= 1.3) {
    const double e = restitution(a, 1.0);
    EXPECT_LT(e, last) << a;
    EXPECT_LT(e * a, 1.0 + 1e-15) << a;
    last = e;
  }
}

// The relation of the header, evaluated as it stands.
TEST(Restitution, SatisfiesTheClosedForm) {
  for (const double a : {0.01, 0.1, 0.5, 1.0, 3.0, 10.0}) {
    const double b = a * restitution(a, 1.0);
    EXPECT_NEAR(a - std::log(1 + a), -b - std::log(1 - b), 1e-12 * a) << a;
  }
}

TEST(DissipationFor, IsTheInverse) {
  for (const double speed : {0.1, 1.4, 7.0})
    for (const double e : {0.01, 0.1, 0.5, 0.9, 0.99, 1.0})
      EXPECT_NEAR(restitution(dissipation_for(e, speed), speed), e, 1e-12) << e;
}

// Slow rolling: v̇ = −λv, so ln 2/λ to the half and v/λ to rest.
TEST(CoastDown, OfSlowBodiesIsExponential) {
  const double E = 1e7, R = 0.05, m = 0.5, d = 5.0, g = 9.81, v = 1e-3, c = 0.15, L = 0.2;
  const auto expect = [&](const Shape& shape, double inertia, double lambda, const char* name) {
    const CoastDown coast = coast_down({shape, E, m, inertia * m * R * R, d, g}, v).value();
    EXPECT_NEAR(coast.half_time, std::log(2.0) / lambda, 1e-4 * coast.half_time) << name;
    EXPECT_NEAR(coast.distance, v / lambda, 1e-4 * coast.distance) << name;
  };
  // Sphere: f = πEδ², ∫p x² dA = f·Rδ/3. The ellipsoid's patch is that, c/R times as long along its axis.
  const double of_sphere = std::sqrt(m * g / (kPi * E));
  expect(Sphere{R}, 0.4, d * g * of_sphere / (4.2 * R), "sphere");
  expect(Ellipsoid{c, R, R}, 0.4, d * g * std::sqrt(R / c) * of_sphere / (4.2 * R), "ellipsoid");
  // Cylinder: f = L(E/R)∫(δ − x²/2R)dx = L(E/R)(4/3)δ√(2Rδ), ∫p x² dA = f·2Rδ/5.
  const double of_cylinder = std::pow(m * g * R / (L * E * 4.0 / 3.0 * std::sqrt(2 * R)), 2.0 / 3.0);
  expect(Cylinder{R, L}, 0.5, d * g * of_cylinder / (3.75 * R), "cylinder");
  // A short capsule is a sphere, a long one a cylinder.
  expect(Capsule{R, 1e-9}, 0.4, d * g * of_sphere / (4.2 * R), "short capsule");
  const double of_long = std::pow(m * g * R / (1e6 * L * E * 4.0 / 3.0 * std::sqrt(2 * R)), 2.0 / 3.0);
  expect(Capsule{R, 1e6 * L}, 0.5, d * g * of_long / (3.75 * R), "long capsule");
}

TEST(CoastDown, NeedsABodyThatRollsAndIsCarried) {
  const RollingBody ball{Sphere{0.05}, 1e7, 0.5, 5e-4, 0.0};
  EXPECT_TRUE(std::isinf(coast_down(ball, 0.5).value().distance)) << "no dissipation, no end";
  EXPECT_FALSE(coast_down({Box{1, 1, 1}, 1e7, 0.5, 5e-4, 5.0}, 0.5).has_value());
  EXPECT_FALSE(coast_down({Ellipsoid{0.1, 0.05, 0.02}, 1e7, 0.5, 5e-4, 5.0}, 0.5).has_value());
  EXPECT_FALSE(coast_down({Sphere{0.05}, 1e2, 0.5, 5e-4, 5.0}, 0.5).has_value());
}

}  // namespace
}  // namespace patchfield
