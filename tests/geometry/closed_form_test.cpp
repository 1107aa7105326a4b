// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Contact surfaces whose area and force are known on paper (theory.md §7).

#include <cmath>

#include <gtest/gtest.h>

#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/query.h"

namespace patchfield {
namespace {

constexpr double kPi = 3.14159265358979323846;

Pose rotated(double angle, const Vec3& axis, const Vec3& p) {
  return {Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix(), p};
}

// A sphere of radius R whose centre is z = R − x above a rigid plane has p = E(1 − r/R) on it,
// so f = 2πE ∫₀ᵃ ρ(1 − √(ρ² + z²)/R) dρ with a² = R² − z², that is 2πE(a²/2 − (R³ − z³)/(3R)).
double sphere_force(double R, double E, double x) {
  const double z = R - x;
  return 2 * kPi * E * ((R * R - z * z) / 2 - (R * R * R - z * z * z) / (3 * R));
}

double sphere_on_plane_error(int segments) {
  const double R = 0.05, E = 1e6, x = 0.01;
  const Geometry sphere = Geometry::compliant(Sphere{R}, {.modulus = E, .resolution = 2 * kPi * R / segments});
  const Pose X_WB = rotated(0.4, {1, 2, 3}, {0, 0, R - x});
  const ContactSurface s = contact_surface(Geometry::rigid(HalfSpace{}), {}, sphere, X_WB);
  return std::abs(s.force_on_B_W().z() / sphere_force(R, E, x) - 1.0);
}

TEST(SphereOnPlane, ForceConvergesAtSecondOrder) {
  const double coarse = sphere_on_plane_error(32), fine = sphere_on_plane_error(128);
  EXPECT_LT(fine, 5e-3);
  EXPECT_NEAR(std::log(coarse / fine) / std::log(4.0), 2.0, 0.1);
}

TEST(SphereOnPlane, SmallPenetrationGivesPiTimesModulusTimesSquare) {
  // f → πE x²: the closed form agrees, and so does a fine mesh.
  const double R = 0.05, E = 1e6, x = 5e-4;
  EXPECT_NEAR(sphere_force(R, E, x) / (kPi * E * x * x), 1.0, 1.1 * x / R);
  const Geometry sphere = Geometry::compliant(Sphere{R}, {.modulus = E, .resolution = 2 * kPi * R / 800});
  const ContactSurface s =
      contact_surface(sphere, Pose::translation(0, 0, R - x), Geometry::rigid(HalfSpace{}), Pose{});
  EXPECT_NEAR(-s.force_on_B_W().z() / sphere_force(R, E, x), 1.0, 5e-3);
}

// A rigid flat punch on a body with inscribed distance H: p = E x/H under all of it.
TEST(FlatPunch, ForceIsAreaTimesPressure) {
  const double r = 0.02, E = 1e6, H = 0.05, x = 0.003;
  const Geometry body = Geometry::compliant(Box{0.4, 0.4, 2 * H}, {.modulus = E});
  for (const int n : {16, 64}) {
    const Geometry punch = Geometry::rigid(Cylinder{r, 0.1}, 2 * kPi * r / n);
    const ContactSurface s = contact_surface(body, {}, punch, rotated(0.3, {0, 0, 1}, {0.01, 0.02, H + 0.05 - x}));
    const double polygon_area = 0.5 * n * r * r * std::sin(2 * kPi / n);
    EXPECT_NEAR(s.total_area(), polygon_area, 1e-12 * polygon_area);
    EXPECT_NEAR(s.force_on_B_W().z(), polygon_area * E * x / H, 1e-10 * polygon_area * E * x / H);
    EXPECT_NEAR(polygon_area, kPi * r * r, 7.0 / (n * n) * kPi * r * r);  // second order in the hint
  }
}

// The plane cuts the box at height x. Over the part that faces it p = E x/H; the rim, where a
// side is nearer than the bottom, has ∇p ⟂ n̂ and is dropped: (a − 2x)(b − 2x) E x/H is left.
TEST(BoxOnPlane, ForceIsFootprintTimesPressure) {
  const double a = 0.1, b = 0.2, H = 0.03, E = 1e6, x = 1e-3;
  const Geometry box = Geometry::compliant(Box{a, b, 2 * H}, {.modulus = E});
  const ContactSurface s =
      contact_surface(Geometry::rigid(HalfSpace{}), {}, box, rotated(0.5, {0, 0, 1}, {0.3, -0.2, H - x}));
  const double area = (a - 2 * x) * (b - 2 * x);
  EXPECT_NEAR(s.total_area(), area, 1e-10 * area);
  EXPECT_NEAR(s.force_on_B_W().z(), area * E * x / H, 1e-10 * area * E * x / H);
  EXPECT_GT(s.dropped.softening, 0);
}

// Two springs in series: the box gives way by w, the half space by d, g_A d = g_B w, d + w = x.
// At a distance ℓ < w from a side the box's pressure is g_B ℓ, balanced at depth d ℓ/w. By the
// divergence theorem the force is g_A times the volume between z = 0 and the surface.
TEST(BoxOnCompliantHalfSpace, ForceIsTheSeriesLawWithItsRim) {
  const double a = 0.1, b = 0.2, H = 0.03, E = 1e6, x = 1e-3;
  const Geometry plane = Geometry::compliant(HalfSpace{}, {.modulus = 2e6, .slab_thickness = 0.5});
  const Geometry box = Geometry::compliant(Box{a, b, 2 * H}, {.modulus = E});
  const ContactSurface s = contact_surface(plane, {}, box, rotated(0.5, {0, 0, 1}, {0.3, -0.2, H - x}));
  const double g_A = 2e6 / 0.5, g_B = E / H;
  const double d = x * g_B / (g_A + g_B), w = x - d;
  const double volume = d / w * (w * (a - 2 * w) * (b - 2 * w) + (a + b) * w * w - 8 * w * w * w / 3);
  EXPECT_NEAR(s.force_on_B_W().z(), g_A * volume, 1e-10 * g_A * volume);
  EXPECT_EQ(s.dropped.softening, 0);
}

TEST(RigidBoxOnCompliantHalfSpace, ForceIsFootprintTimesPressure) {
  const double x = 2e-3, slope = 1e6 / 0.1;
  const Geometry plane = Geometry::compliant(HalfSpace{}, {.modulus = 1e6, .slab_thickness = 0.1});
  const Geometry box = Geometry::rigid(Box{0.1, 0.2, 0.06});
  const ContactSurface s = contact_surface(box, Pose::translation(0, 0, 0.03 - x), plane, {});
  EXPECT_NEAR(s.total_area(), 0.02, 1e-13);
  EXPECT_NEAR(s.force_on_B_W().z(), -0.02 * slope * x, 1e-10);
  for (int f = 0; f < s.num_faces(); ++f) EXPECT_NEAR(s.pressure[f], slope * x, 1e-9 * slope * x);
}

// Independent of any mesh: with Ω = {p_A < p_B} ∩ A, p_A is 0 on ∂A, so the divergence theorem
// turns the force on B, ∫ p n̂ dA over S∩, into −∫_Ω ∇p_A dV. Summed over a fine grid of points.
Vec3 box_box_force_by_volume(const Vec3& half_A, double E_A, const Vec3& half_B, double E_B, const Pose& X_AB, int n) {
  const double H_A = half_A.minCoeff(), H_B = half_B.minCoeff();
  // Only the neighbourhood of the contact is summed: |x|, |y| < 5 cm, the top 5 cm of A.
  const double side = 0.1, dz = 0.05 / n, dx = side / n;
  Vec3 sum = Vec3::Zero();
  const Pose X_BA = X_AB.inverse();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vec3 x(-side / 2 + (i + 0.5) * dx, -side / 2 + (j + 0.5) * dx, half_A.z() - (k + 0.5) * dz);
        const double p_A = E_A / H_A * (half_A - x.cwiseAbs()).minCoeff();
        const double p_B = E_B / H_B * (half_B - (X_BA * x).cwiseAbs()).minCoeff();
        if (p_A < p_B) sum += Vec3(0, 0, E_A / H_A) * (dx * dx * dz);  // −∇p_A: the top face is nearest
      }
  return sum;
}

// A corner of B dips into the top face of A, so all pressures rise into both bodies.
struct CornerInFace {
  Vec3 half_A{0.2, 0.2, 0.1}, half_B{0.05, 0.06, 0.07};
  double E_A = 1e6, E_B = 3e6;
  Pose X_AB;
  CornerInFace() {
    X_AB.R =
        Eigen::Quaterniond::FromTwoVectors(half_B.cwiseInverse().normalized() + Vec3(0.05, 0.02, 0.0), Vec3(0, 0, -1))
            .toRotationMatrix();
    const Vec3 corner = X_AB.R * half_B;
    X_AB.p = Vec3(0.003, -0.002, half_A.z() - 0.02) - corner;  // 2 cm deep
  }
  Geometry A() const { return Geometry::compliant(Box{2 * half_A[0], 2 * half_A[1], 2 * half_A[2]}, {.modulus = E_A}); }
  Geometry B() const { return Geometry::compliant(Box{2 * half_B[0], 2 * half_B[1], 2 * half_B[2]}, {.modulus = E_B}); }
};

TEST(BoxBox, ForceEqualsTheVolumeIntegral) {
  const CornerInFace c;
  const ContactSurface s = contact_surface(c.A(), {}, c.B(), c.X_AB);
  EXPECT_EQ(s.dropped.softening, 0);
  const Vec3 force = s.force_on_B_W();
  const Vec3 integral = box_box_force_by_volume(c.half_A, c.E_A, c.half_B, c.E_B, c.X_AB, 160);
  EXPECT_GT(force.z(), 1.0);
  EXPECT_NEAR(force.z(), integral.z(), 2e-3 * force.norm());
  EXPECT_NEAR(force.x(), 0.0, 1e-9 * force.norm());  // every normal force component of A's flat field is along z
  EXPECT_NEAR(force.y(), 0.0, 1e-9 * force.norm());
}

// The box's field is piecewise linear on its mesh, so refining the mesh changes nothing.
TEST(BoxBox, AreaAndForceDoNotDependOnTheMesh) {
  const CornerInFace c;
  const ContactSurface coarse = contact_surface(c.A(), {}, c.B(), c.X_AB);
  PressureMesh a = c.A().volume(), b = c.B().volume();
  for (int level = 1; level <= 2; ++level) {
    a = refine(a), b = refine(b);
    const Geometry A = Geometry::compliant(a.mesh, {.vertex_pressures = a.pressure});
    const Geometry B = Geometry::compliant(b.mesh, {.vertex_pressures = b.pressure});
    const ContactSurface fine = contact_surface(A, {}, B, c.X_AB);
    EXPECT_GE(fine.num_faces(), level * coarse.num_faces());
    EXPECT_NEAR(fine.total_area(), coarse.total_area(), 1e-10 * coarse.total_area());
    const double scale = coarse.force_on_B_W().norm();
    EXPECT_LT((fine.force_on_B_W() - coarse.force_on_B_W()).norm(), 1e-10 * scale);
    EXPECT_LT((fine.moment_on_B_about_W() - coarse.moment_on_B_about_W()).norm(), 1e-10 * scale);
  }
}

TEST(Margin, LeavesThePressingPartAlone) {
  const double R = 0.05, x = 0.01, margin = 0.002;
  const Compliance without{.modulus = 1e6, .resolution = 0.01};
  Compliance with = without;
  with.margin = margin;
  // The skirt must be meshed with as many segments as the bare sphere to be compared with it.
  with.resolution = *without.resolution * (R + margin) / R;
  const Geometry plane = Geometry::rigid(HalfSpace{});
  const Pose X_WB = Pose::translation(0, 0, R - x);
  const ContactSurface bare = contact_surface(plane, {}, Geometry::compliant(Sphere{R}, without), X_WB);
  const ContactSurface skirted = contact_surface(plane, {}, Geometry::compliant(Sphere{R}, with), X_WB);
  EXPECT_NEAR(skirted.force_on_B_W().z(), bare.force_on_B_W().z(), 1e-9 * bare.force_on_B_W().z());
  EXPECT_NEAR(skirted.total_area(), bare.total_area(), 1e-9 * bare.total_area());
  EXPECT_GT(skirted.waiting_area(), 0.0);
  EXPECT_EQ(bare.waiting_area(), 0.0);
  // Apart by less than the margin: faces that wait, and no pressure.
  const ContactSurface apart =
      contact_surface(plane, {}, Geometry::compliant(Sphere{R}, with), Pose::translation(0, 0, R + 0.5 * margin));
  EXPECT_GT(apart.num_faces(), 0);
  EXPECT_EQ(apart.force_on_B_W().norm(), 0.0);
}

TEST(RigidRigid, SaysThatThereIsNoPressureField) {
  const Geometry box = Geometry::rigid(Box{1, 1, 1}), plane = Geometry::rigid(HalfSpace{});
  EXPECT_EQ(contact_surface(box, {}, plane, {}).status, SurfaceStatus::kNoPressureField);
  const Geometry soft = Geometry::compliant(HalfSpace{});
  EXPECT_EQ(contact_surface(soft, {}, plane, {}).status, SurfaceStatus::kUnbounded);
}

}  // namespace
}  // namespace patchfield
