// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The convected pressure law against moved fields, and against motions whose answer is known by hand (theory.md §8).

#include "patchfield/contact/convection.h"

#include <cmath>

#include <gtest/gtest.h>

#include "patchfield/geometry/query.h"
#include "support/random.h"

namespace patchfield {
namespace {

struct TestPatch {
  ContactSurface surface;
  ContactPoints points;
  Vec3 p_WO = Vec3::Zero();
};

TestPatch make_patch(const Geometry& A, const Geometry& B, const Pose& X_WB,
                     Quadrature quadrature = Quadrature::kAutomatic) {
  TestPatch out;
  out.surface = contact_surface(A, {}, B, X_WB);
  out.p_WO = patch_origin(out.surface);
  append_contacts(out.surface, out.p_WO, {.quadrature = quadrature}, out.points);
  return out;
}

Vec6 twist(const Vec3& w, const Vec3& v) {
  Vec6 out;
  out << w, v;
  return out;
}
Vec3 velocity(const Vec6& V, const Vec3& r) { return V.tail<3>() + V.head<3>().cross(r); }
Vec3 arm(const ContactPoints& p, int i) { return {p.rx[i], p.ry[i], p.rz[i]}; }
Vec3 normal(const ContactPoints& p, int i) { return {p.nx[i], p.ny[i], p.nz[i]}; }

/// x after the rigid motion of a small time.
Vec3 moved(const Vec6& V, const Vec3& o, const Vec3& x, double dt) {
  const Vec3 w = V.head<3>() * dt;
  const double angle = w.norm();
  const Mat3 R = angle > 0.0 ? Eigen::AngleAxisd(angle, w / angle).toRotationMatrix() : Mat3::Identity();
  return o + V.tail<3>() * dt + R * (x - o);
}

/// Pressure of the field of face f's element of A or B at x, after the body has moved with V for dt: where the material
/// point that is now at x was, in the linear field of the start.
double field(const TestPatch& patch, int f, const Vec3& grad, const Vec6& V, const Vec3& x, double dt) {
  const Vec3 was = moved(-V, patch.p_WO, x, dt);
  return patch.surface.pressure[f] + grad.dot(was - patch.surface.centroid_W[f]);
}

// Move both bodies for a short time, go from the point along u, and look on the line along n̂ for the pressure that both
// fields share there. No formula of the law is used.
TEST(ConvectedRate, IsThatOfTheMovedFields) {
  const Geometry A = Geometry::compliant(Box{0.3, 0.3, 0.1}, {.modulus = 1e6});
  const Geometry B = Geometry::compliant(Ellipsoid{0.05, 0.06, 0.04}, {.modulus = 3e6, .resolution = 0.015});
  Random random(3);
  const double dt = 1e-7;
  for (int trial = 0; trial < 20; ++trial) {
    Pose X_WB = Pose::translation(0.01, 0.02, 0.085);
    X_WB.R = random.rotation();
    const TestPatch patch = make_patch(A, B, X_WB, Quadrature::kCentroid);
    ASSERT_GT(patch.points.size(), 5);
    const Vec6 V = twist(random.vector(3.0), random.vector(0.2)), U = twist(random.vector(3.0), random.vector(0.2));
    for (int i = 0; i < patch.points.size(); ++i) {
      const int f = patch.points.face[i];
      const ContactSurface& s = patch.surface;
      const Vec3 x = patch.p_WO + arm(patch.points, i), at = moved(U, patch.p_WO, x, dt);
      const auto difference = [&](double along) {
        const Vec3 y = at + along * s.nhat_AB_W[f];
        return field(patch, f, s.grad_pA_W[f], Vec6::Zero(), y, dt) - field(patch, f, s.grad_pB_W[f], V, y, dt);
      };
      const double d0 = difference(0.0), d1 = difference(1e-6);
      const double along = -d0 * 1e-6 / (d1 - d0);
      const double p = field(patch, f, s.grad_pA_W[f], Vec6::Zero(), at + along * s.nhat_AB_W[f], dt);
      const double rate = (p - s.pressure[f]) / dt, scale = s.grad_pA_W[f].norm() * 0.3;
      EXPECT_NEAR(convected_rate(patch.points, i, V, U), rate, 1e-4 * scale) << "face " << f << ", trial " << trial;
    }
  }
}

// A ball rolls with ω on a plane: the pattern travels with u = ωR and keeps its pressures, so a = v_n everywhere.
TEST(Convection, ARollingPatchOnlyTravels) {
  const double R = 0.05, omega = 10.0;
  const Geometry plane = Geometry::rigid(HalfSpace{});
  for (const double margin : {0.0, 1e-4}) {
    const Geometry ball = Geometry::compliant(Sphere{R}, {.modulus = 1e7, .resolution = 0.002, .margin = margin});
    Random random(4);
    Pose X_WB = Pose::translation(0, 0, R - 5e-4);
    X_WB.R = random.rotation();
    const TestPatch patch = make_patch(plane, ball, X_WB);
    // About y, so forwards along x; the ball's material is at rest where it touches.
    const Vec3 center = X_WB.p, w(0, omega, 0), v_center(omega * R, 0, 0);
    const Vec6 V = twist(w, v_center + w.cross(patch.p_WO - center));
    // Facets make t noisy, and noise in what a fit explains with makes its slope too small.
    const Vec6 U = pattern_twist(patch.points, V);
    EXPECT_NEAR(U[3], omega * R, 0.07 * omega * R);
    EXPECT_NEAR(U[4], 0.0, 0.01 * omega * R);
    Convection c;
    find_convection(patch.points, V, 1e-3, c);
    const Column<double>& a = c.pattern;
    for (const double b : c.sliding) EXPECT_NEAR(b, 0.0, 1e-6) << "hysteresis of the rolling material stays";
    double left = 0.0, all = 0.0;
    for (int i = 0; i < a.size(); ++i) {
      const double vn = normal(patch.points, i).dot(velocity(V, arm(patch.points, i)));
      left += patch.points.area[i] * (vn - a[i]) * (vn - a[i]);
      all += patch.points.area[i] * vn * vn;
    }
    EXPECT_LT(left, 0.02 * all) << "margin " << margin;  // the sphere's mesh has flat facets
    EXPECT_GT(all, 0.0);
  }
}

// A block slides on ground as soft as itself. Its rim has tilted faces; they move along, so nothing is pressed.
TEST(Convection, TheRimOfASlidingBlockMovesAlong) {
  const Geometry block = Geometry::compliant(Box{0.1, 0.1, 0.1}, {.modulus = 1e7, .margin = 1e-4});
  for (const Geometry& ground : {Geometry::compliant(HalfSpace{}, {.modulus = 1e7, .margin = 1e-4}),
                                 Geometry::compliant(Box{1.0, 1.0, 0.2}, {.modulus = 1e7, .margin = 1e-4})}) {
    const double top = ground.half_space() ? 0.0 : 0.1;
    const TestPatch patch = make_patch(ground, block, Pose::translation(0, 0, top + 0.05 - 2e-5));
    const Vec6 V = twist(Vec3::Zero(), {1.0, 0, 0});
    Convection c;
    find_convection(patch.points, V, 1e-3, c);
    const Column<double>& a = c.pattern;
    int tilted = 0;
    for (int i = 0; i < a.size(); ++i) {
      const double vn = normal(patch.points, i).dot(V.tail<3>());
      tilted += std::abs(vn) > 0.1;
      EXPECT_NEAR(a[i], vn, 0.02) << "point " << i;
      EXPECT_NEAR(c.sliding[i], vn, 1e-6) << "and it is friction's, not dissipation's";
    }
    EXPECT_GT(tilted, 4);
  }
}

// Turning about the vertical presses nothing either: the pattern may turn.
TEST(Convection, TheRimOfATurningBlockMovesAlong) {
  const Geometry block = Geometry::compliant(Box{0.1, 0.1, 0.1}, {.modulus = 1e7, .margin = 1e-4});
  const Geometry ground = Geometry::compliant(HalfSpace{}, {.modulus = 1e7, .margin = 1e-4});
  const TestPatch patch = make_patch(ground, block, Pose::translation(0, 0, 0.05 - 2e-5));
  const Vec6 V = twist({0, 0, 20.0}, Vec3::Zero());
  Convection c;
  find_convection(patch.points, V, 1e-3, c);
  const Column<double>& a = c.pattern;
  int tilted = 0;
  for (int i = 0; i < a.size(); ++i) {
    const double vn = normal(patch.points, i).dot(velocity(V, arm(patch.points, i)));
    tilted += std::abs(vn) > 0.1;
    EXPECT_NEAR(a[i], vn, 0.02) << "point " << i;
  }
  EXPECT_GT(tilted, 4);
}

// Pressed straight down, a ball's patch goes nowhere; tipped, a flat box has no slope along its face: the paper's law.
TEST(Convection, PressingAndTippingAreThePapers) {
  const Geometry plane = Geometry::rigid(HalfSpace{});
  const Geometry ball = Geometry::compliant(Sphere{0.05}, {.modulus = 1e7, .resolution = 0.002, .margin = 1e-4});
  const TestPatch pressed = make_patch(plane, ball, Pose::translation(0, 0, 0.0495));
  Convection c;
  const Column<double>& a = c.pattern;
  find_convection(pressed.points, twist(Vec3::Zero(), {0, 0, -1.0}), 1e-3, c);
  for (int i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], 0.0, 0.03);

  const Geometry box = Geometry::compliant(Box{0.1, 0.1, 0.1}, {.modulus = 1e7});
  const TestPatch tipped = make_patch(plane, box, Pose::translation(0, 0, 0.05 - 1e-5));
  find_convection(tipped.points, twist({1.0, 2.0, 0.5}, {0.3, 0, -0.1}), 1e-3, c);
  double tipping = 0.0;
  for (int i = 0; i < a.size(); ++i)
    if (std::hypot(tipped.points.tx[i], tipped.points.ty[i]) < 1e-6 * tipped.points.g[i]) {
      EXPECT_NEAR(a[i], 0.0, 1e-5);
      tipping += tipped.points.area[i];
    }
  EXPECT_NEAR(tipping, 0.01, 1e-4) << "all but the rim is level";
}

// Whatever the motion: |v_n − a| ≤ |v_n|, and so for b.
TEST(Convection, NeverLeavesALargerRateThanThePapers) {
  const Geometry A = Geometry::compliant(Box{0.3, 0.3, 0.1}, {.modulus = 1e6, .margin = 1e-4});
  const Geometry B = Geometry::compliant(Cylinder{0.05, 0.08}, {.modulus = 3e6, .resolution = 0.015, .margin = 1e-4});
  Random random(5);
  int cut = 0;
  for (int trial = 0; trial < 50; ++trial) {
    Pose X_WB = Pose::translation(0.01, 0.02, 0.08);
    X_WB.R = random.rotation();
    const TestPatch patch = make_patch(A, B, X_WB);
    const Vec6 V = twist(random.vector(10.0), random.vector(1.0));
    Convection c;
    find_convection(patch.points, V, 1e-3, c);
    const Column<double>& a = c.pattern;
    for (int i = 0; i < a.size(); ++i) {
      const double vn = normal(patch.points, i).dot(velocity(V, arm(patch.points, i)));
      EXPECT_GE(a[i] * vn, 0.0);
      EXPECT_LE(std::abs(vn - a[i]), std::abs(vn) * (1.0 + 1e-12));
      EXPECT_GE(c.sliding[i] * vn, 0.0);
      EXPECT_LE(std::abs(c.sliding[i]), std::abs(vn));
      cut += a[i] != 0.0;
    }
  }
  EXPECT_GT(cut, 500);
}

TEST(Convection, NothingMovesNothingChanges) {
  const Geometry ball = Geometry::compliant(Sphere{0.05}, {.modulus = 1e7, .resolution = 0.005, .margin = 1e-4});
  const TestPatch patch = make_patch(Geometry::rigid(HalfSpace{}), ball, Pose::translation(0, 0, 0.0495));
  Convection c;
  find_convection(patch.points, Vec6::Zero(), 1e-3, c);
  ASSERT_GT(c.pattern.size(), 0);
  for (int i = 0; i < c.pattern.size(); ++i) EXPECT_EQ(std::abs(c.pattern[i]) + std::abs(c.sliding[i]), 0.0);
  ContactPoints none;
  find_convection(none, Vec6::Ones(), 1e-3, c);
  EXPECT_EQ(c.pattern.size(), 0);
}

// A block slides over a floor into a wall, all of one body: the floor's friction is no reason not to damp the impact.
TEST(Convection, AWallThatIsHitDissipates) {
  const double wall_z = 0.1;
  TriangleMesh corner;  // floor z = 0 and a wall x = 0 facing −x
  corner.vertices = {{-0.5, -0.5, 0}, {0, -0.5, 0}, {0, 0.5, 0}, {-0.5, 0.5, 0}, {0, -0.5, wall_z}, {0, 0.5, wall_z}};
  corner.triangles = {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}};
  const Geometry room = Geometry::rigid(corner);
  const Geometry block = Geometry::compliant(Box{0.1, 0.1, 0.1}, {.modulus = 1e7, .margin = 1e-4});
  const TestPatch patch = make_patch(room, block, Pose::translation(-0.05 + 1e-4, 0, 0.05 - 1e-4));
  Convection c;
  find_convection(patch.points, twist(Vec3::Zero(), {1.0, 0, 0}), 1e-3, c);
  double hit = 0.0;
  for (int i = 0; i < c.sliding.size(); ++i)
    if (patch.points.nx[i] < -0.9 && patch.points.phi0[i] < 0.0 &&
        std::hypot(patch.points.ty[i], patch.points.tz[i]) < 1e-6 * patch.points.g[i]) {
      EXPECT_NEAR(c.sliding[i], 0.0, 1e-6);
      EXPECT_NEAR(c.pattern[i], 0.0, 0.05);
      hit += patch.points.area[i];
    }
  EXPECT_GT(hit, 0.005) << "the wall";
}

}  // namespace
}  // namespace patchfield
