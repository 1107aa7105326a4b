// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A margin lets the fields go on below zero. Faces are cut along p = 0 there, so that whatever presses is the same
// with and without a margin, and the rest only waits.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "patchfield/geometry/query.h"
#include "support/random.h"

namespace patchfield {
namespace {

/// How far x is outside of the face's edges, at most [m]; ≤ 0 inside.
double outside(const ContactSurface& s, int f, const Vec3& x) {
  const int first = s.face_start[f], n = s.face_start[f + 1] - first;
  double worst = -1.0;
  for (int i = 0; i < n; ++i) {
    const Vec3 &a = s.vertex_W[first + i], &b = s.vertex_W[first + (i + 1) % n];
    const Vec3 inward = s.nhat_AB_W[f].cross(b - a);
    if (inward.norm() > 1e-12) worst = std::max(worst, -inward.normalized().dot(x - a));
  }
  return worst;
}

Compliance ball_field(double margin) {
  // As many segments with a margin as without, so that both can be compared.
  constexpr double kRadius = 0.05, kResolution = 0.003;
  return {.modulus = 1e7, .resolution = kResolution * (kRadius + margin) / kRadius, .margin = margin};
}

// The finding: of 1,457 pressing faces of this ball 179 had their centre of pressure outside, up to 366 mm away.
TEST(ZeroPressure, CentreOfPressureLiesInItsFace) {
  const Geometry ball = Geometry::compliant(Sphere{0.05}, ball_field(1e-4));
  const Geometry plane = Geometry::rigid(HalfSpace{});
  for (const Tessellation tessellation : {Tessellation::kPolygon, Tessellation::kTriangle}) {
    int pressing = 0, waiting = 0;
    Random random(1);
    for (int trial = 0; trial < 60; ++trial) {
      Pose X_WB = Pose::translation(0, 0, 0.0496);
      X_WB.R = random.rotation();
      const ContactSurface s = contact_surface(plane, {}, ball, X_WB, {.tessellation = tessellation});
      for (int f = 0; f < s.num_faces(); ++f) {
        ++(s.presses(f) ? pressing : waiting);
        EXPECT_LT(outside(s, f, s.cop_W[f]), 1e-9) << "face " << f << " of trial " << trial;
      }
    }
    EXPECT_GT(pressing, 1000);
    EXPECT_GT(waiting, 100);
  }
}

// Triangles share out a pressure that varies. What waits has none: it is the same polygons in both tessellations.
TEST(ZeroPressure, WhatWaitsStaysWhole) {
  const Geometry ball = Geometry::compliant(Sphere{0.05}, ball_field(1e-3));
  const Geometry plane = Geometry::rigid(HalfSpace{});
  const Pose X_WB = Pose::translation(0, 0, 0.0496);
  const ContactSurface whole = contact_surface(plane, {}, ball, X_WB);
  const ContactSurface cut = contact_surface(plane, {}, ball, X_WB, {.tessellation = Tessellation::kTriangle});
  Column<double> areas[2];
  int pressing[2] = {0, 0};
  for (const ContactSurface* s : {&whole, &cut})
    for (int f = 0; f < s->num_faces(); ++f) {
      if (s->presses(f)) ++pressing[s == &cut];
      else areas[s == &cut].push_back(s->area[f]);
    }
  EXPECT_GT(pressing[1], 2 * pressing[0]);
  ASSERT_GT(areas[0].size(), 50);
  ASSERT_EQ(areas[1].size(), areas[0].size());
  for (int i = 0; i < areas[0].size(); ++i) EXPECT_EQ(areas[1][i], areas[0][i]) << "face " << i;
  EXPECT_NEAR(cut.total_area(), whole.total_area(), 1e-12 * whole.total_area());
}

TEST(ZeroPressure, NoFaceHasBothSigns) {
  const Geometry ball = Geometry::compliant(Sphere{0.05}, ball_field(1e-3));
  const Geometry box = Geometry::compliant(Box{0.2, 0.2, 0.1}, {.modulus = 3e6, .margin = 2e-3});
  const ContactSurface s = contact_surface(box, {}, ball, Pose::translation(0.01, 0.02, 0.098));
  ASSERT_GT(s.waiting_area(), 0.0);
  ASSERT_GT(s.total_area(), 0.0);
  for (int f = 0; f < s.num_faces(); ++f)
    for (int v = s.face_start[f]; v < s.face_start[f + 1]; ++v) {
      if (s.presses(f)) EXPECT_GE(s.vertex_pressure[v], -1e-6) << "of 1e5 Pa";
      else EXPECT_LE(s.vertex_pressure[v], 1e-6);
    }
}

// Area, force and moment of what presses, for shapes whose field with a margin is the same field, continued.
TEST(ZeroPressure, AMarginChangesNothingThatPresses) {
  const Geometry plane = Geometry::rigid(HalfSpace{});
  const Geometry slab = Geometry::rigid(Box{0.3, 0.3, 0.1});
  Random random(2);
  for (int trial = 0; trial < 20; ++trial) {
    Pose X_WB;
    X_WB.R = random.rotation();
    const bool on_box = trial % 2 == 1;
    X_WB.p = {0.01, -0.02, 0.048 + (on_box ? 0.05 : 0.0)};
    const Geometry& ground = on_box ? slab : plane;
    const ContactSurface bare = contact_surface(ground, {}, Geometry::compliant(Sphere{0.05}, ball_field(0.0)), X_WB);
    for (const double margin : {5e-5, 1e-4}) {
      const ContactSurface s = contact_surface(ground, {}, Geometry::compliant(Sphere{0.05}, ball_field(margin)), X_WB);
      const double scale = bare.force_on_B_W().norm();
      ASSERT_GT(scale, 1.0);
      EXPECT_NEAR(s.total_area(), bare.total_area(), 1e-9 * bare.total_area()) << "margin " << margin;
      EXPECT_LT((s.force_on_B_W() - bare.force_on_B_W()).norm(), 1e-9 * scale) << "margin " << margin;
      EXPECT_LT((s.moment_on_B_about_W() - bare.moment_on_B_about_W()).norm(), 1e-10 * scale) << "margin " << margin;
      EXPECT_GT(s.waiting_area(), 0.0);
    }
  }
}

// A box dips an edge into a plane by tilting: p₊ of the cut faces against the integral of the field over the footprint,
// p = E·depth/H, depth = −(z₀ + x·tan θ)·cos θ, taken by hand: a triangle of pressure along x.
TEST(ZeroPressure, ATiltedBoxPressesWithItsWedge) {
  const double E = 1e6, H = 0.05, tilt = 0.002, half = 0.1;
  const Geometry plane = Geometry::rigid(HalfSpace{});
  const Geometry box = Geometry::compliant(Box{2 * half, 2 * half, 2 * H}, {.modulus = E, .margin = 1e-3});
  Pose X_WB;
  X_WB.R = Eigen::AngleAxisd(tilt, Vec3::UnitY()).toRotationMatrix();
  X_WB.p = {0, 0, H};
  const ContactSurface s = contact_surface(plane, {}, box, X_WB);
  // In the box's frame the bottom z = −H; a point x of it has the height H + R(2,0)x − R(2,2)H. The plane's section of
  // the box has depth d(x) = −height/R(2,2) below the bottom face, over cos θ of length.
  const double cos = std::cos(tilt), sin = std::sin(tilt);
  const double lift = H - H * cos;               // height of the bottom's middle
  const double x0 = lift / sin;                  // where it crosses the plane, along the bottom face
  const double depth = (half - x0) * sin / cos;  // at the deepest edge, normal to the face
  const double length = (half - x0) / cos;       // of the wet footprint, along the plane
  // Along the sides of the box its field rises sideways: a rim as wide as the depth carries nothing, 3·0.2 mm of 0.2 m.
  EXPECT_NEAR(s.total_area(), 2 * half * length, 3e-3 * 2 * half * length);
  EXPECT_NEAR(s.force_on_B_W().z(), 0.5 * E * depth / H * 2 * half * length, 5e-3 * s.force_on_B_W().z());
  EXPECT_NEAR(s.waiting_area(), 2 * half * half, 0.1 * 2 * half * half);
}

}  // namespace
}  // namespace patchfield
