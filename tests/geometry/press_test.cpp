// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/press.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/query.h"
#include "support/random.h"

namespace patchfield {
namespace {

constexpr double kPi = std::numbers::pi;

// Flat foot: p = E·δ/H all over it but a rim as wide as δ, so δ = f·H/(E·S) to within δ·perimeter/S = 3e-3 at most.
TEST(Press, FlatFootSinksByTheClosedForm) {
  const double E = 1e6, H = 0.02;
  const Geometry box = Geometry::compliant(Box{0.2, 0.1, 2 * H}, {.modulus = E, .margin = 1e-4});
  for (const double load : {0.1, 10.0, 100.0}) {
    const double expected = load * H / (E * 0.2 * 0.1);
    EXPECT_NEAR(Press(box, {0, 0, -1}).depth(load).value(), expected, 4e-3 * expected) << load;
  }
  // On its side the foot is 0.1 m × 2H; the foundation depth of a box is the same for all sides.
  const double expected = 10.0 * H / (E * 0.1 * 2 * H);
  EXPECT_NEAR(Press(box, {1, 0, 0}).depth(10.0).value(), expected, 3e-2 * expected);
}

// p = E(1 − r/R): f = πEδ² for small δ, less δ³ terms, on a mesh of second order.
TEST(Press, SphereSinksByTheClosedForm) {
  const double E = 1e6, R = 0.05;
  const Geometry ball = Geometry::compliant(Sphere{R}, {.modulus = E, .resolution = 0.001});
  for (const double load : {1.0, 10.0}) {
    const double depth = Press(ball, Vec3(1, 2, -3).normalized()).depth(load).value();
    // ∫ from the depth to the surface: 2πE[(R² − c²)/2 − (R³ − c³)/(3R)], c = R − δ.
    const double c = R - depth;
    const double force = 2 * kPi * E * ((R * R - c * c) / 2 - (R * R * R - c * c * c) / (3 * R));
    EXPECT_NEAR(force, load, 0.02 * load);
    EXPECT_NEAR(depth, std::sqrt(load / (kPi * E)), 0.05 * depth);
  }
}

// A ball whose center of pressure is e beside its middle would rest on a slope of e/R: on a facet of its mesh. Meshed
// by default, balls as heavy as water must start to roll on a slope of one degree, however they lie.
TEST(Press, BallOfTheDefaultResolutionDoesNotRestOnItsFacets) {
  const double E = 1e7, one_degree = std::tan(kPi / 180);
  Random random(5);
  for (const double R : {0.01, 0.02, 0.05}) {
    const Geometry ball = Geometry::compliant(Sphere{R}, {.modulus = E}), floor = Geometry::rigid(HalfSpace{});
    const double weight = 1000.0 * 4.0 / 3.0 * kPi * R * R * R * 9.81;
    for (int i = 0; i < 60; ++i) {
      const Mat3 R_WB = random.rotation();
      const double depth = Press(ball, -R_WB.row(2).transpose()).depth(weight).value();
      double lowest = 0.0;
      for (const Vec3& v : ball.volume().mesh.vertices) lowest = std::min(lowest, R_WB.row(2).dot(v));
      const ContactSurface patch = contact_surface(floor, {}, ball, {R_WB, {0, 0, -lowest - depth}});
      ASSERT_NEAR(patch.force_on_B_W().z(), weight, 1e-6 * weight);
      EXPECT_LT(patch.center_of_pressure_W().head<2>().norm(), one_degree * R) << "R = " << R << ", case " << i;
    }
  }
}

TEST(Press, ForceIsProportionalToTheModulus) {
  const Geometry soft = Geometry::compliant(Capsule{0.03, 0.1}, {.modulus = 1e5});
  const Press press(soft, {0.6, 0, -0.8});
  const double factor = press.stiffening(10.0, 5e-4).value();
  const Geometry stiff = Geometry::compliant(Capsule{0.03, 0.1}, {.modulus = 1e5 * factor});
  EXPECT_NEAR(Press(stiff, {0.6, 0, -0.8}).depth(10.0).value(), 5e-4, 1e-9);
}

TEST(Press, SaysWhenNothingCarriesTheLoad) {
  const Geometry jelly = Geometry::compliant(Sphere{0.01}, {.modulus = 100.0});
  EXPECT_FALSE(Press(jelly, {0, 0, -1}).depth(1000.0).has_value());
  EXPECT_FALSE(Press(jelly, {0, 0, -1}).stiffening(10.0, 0.1).has_value()) << "deeper than the body";
}

TEST(FoundationDepth, IsTheInscribedDistanceWithAndWithoutMargin) {
  for (const double margin : {0.0, 1e-3}) {
    EXPECT_NEAR(foundation_depth(Geometry::compliant(Box{0.2, 0.1, 0.04}, {.margin = margin})), 0.02, 1e-12);
    EXPECT_NEAR(foundation_depth(Geometry::compliant(Sphere{0.05}, {.resolution = 0.002, .margin = margin})), 0.05,
                1e-4);
    EXPECT_NEAR(foundation_depth(Geometry::compliant(box_grid({0.1, 0.1, 0.1}, 2, 2, 2), {.margin = margin})), 0.05,
                1e-12);
  }
}

}  // namespace
}  // namespace patchfield
