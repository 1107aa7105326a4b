// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Laws that hold for any two shapes in any poses, tried on thousands of random ones.

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "patchfield/geometry/query.h"
#include "support/random.h"
#include "support/simd_target.h"

namespace patchfield {
namespace {

/// Two geometries that may touch: compliant–compliant, compliant–rigid, or with a half space.
struct Scene {
  Geometry A, B;
  Pose X_WA, X_WB;
};

Scene random_scene(Random& random) {
  const double resolution = random.uniform(0.015, 0.04);
  const auto half_space = [&] {
    return random.integer(0, 1) ? Geometry::rigid(HalfSpace{})
                                : Geometry::compliant(HalfSpace{}, {.modulus = 1e6, .slab_thickness = 0.1});
  };
  const Pose X_WA = random.pose(0.05), X_WB = random.pose(0.05);
  switch (random.integer(0, 5)) {
    case 0: return {random.compliant(resolution), Geometry::rigid(random.shape(), resolution), X_WA, X_WB};
    case 1: return {Geometry::rigid(random.shape(), resolution), random.compliant(resolution), X_WA, X_WB};
    case 2: return {random.compliant(resolution), half_space(), X_WA, X_WB};
    case 3: return {Geometry::compliant(HalfSpace{}), Geometry::rigid(random.shape(), resolution), X_WA, X_WB};
    default: return {random.compliant(resolution), random.compliant(resolution), X_WA, X_WB};
  }
}

/// Faces as (elements, area, pressure) in a canonical order.
std::vector<std::array<double, 4>> canonical_faces(const ContactSurface& s) {
  std::vector<std::array<double, 4>> faces;
  for (int f = 0; f < s.num_faces(); ++f)
    faces.push_back({double(s.element_A[f]), double(s.element_B[f]), s.area[f], s.pressure[f]});
  std::sort(faces.begin(), faces.end());
  return faces;
}

TEST(TreeQuery, EqualsTheDoubleLoopFaceForFace) {
  Random random(1);
  SurfaceScratch scratch;
  ContactSurface by_tree, by_loop;
  long faces = 0;
  for (int i = 0; i < 1500; ++i) {
    const Scene s = random_scene(random);
    compute_contact_surface(s.A, s.X_WA, s.B, s.X_WB, {}, scratch, by_tree);
    compute_contact_surface_by_brute_force(s.A, s.X_WA, s.B, s.X_WB, {}, scratch, by_loop);
    ASSERT_EQ(canonical_faces(by_tree), canonical_faces(by_loop))
        << "scene " << i << ": " << s.A.name() << ", " << s.B.name();
    faces += by_tree.num_faces();
  }
  EXPECT_GT(faces, 50000);
}

// With a few meshes and many poses the loop is cheap enough to try thousands.
TEST(TreeQuery, EqualsTheDoubleLoopOverManyPoses) {
  Random random(2);
  SurfaceScratch scratch;
  ContactSurface by_tree, by_loop;
  for (int m = 0; m < 8; ++m) {
    const Geometry A = random.compliant(0.05), B = random.compliant(0.05);
    for (int i = 0; i < 500; ++i) {
      const Pose X_WA = random.pose(0.05), X_WB = random.pose(0.05);
      compute_contact_surface(A, X_WA, B, X_WB, {}, scratch, by_tree);
      compute_contact_surface_by_brute_force(A, X_WA, B, X_WB, {}, scratch, by_loop);
      ASSERT_EQ(canonical_faces(by_tree), canonical_faces(by_loop)) << A.name() << ", " << B.name() << ", pose " << i;
    }
  }
}

TEST(ContactSurface, ForceOnAIsMinusForceOnB) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Scene s = random_scene(random);
    const ContactSurface AB = contact_surface(s.A, s.X_WA, s.B, s.X_WB), BA = contact_surface(s.B, s.X_WB, s.A, s.X_WA);
    const double scale = 1e-300 + AB.force_on_B_W().norm();
    EXPECT_LT((AB.force_on_B_W() + BA.force_on_B_W()).norm(), 1e-10 * scale + 1e-12) << i;
    EXPECT_LT((AB.moment_on_B_about_W() + BA.moment_on_B_about_W()).norm(), 1e-10 * scale + 1e-12) << i;
  }
}

// Polygons and their triangles cover the same surface. In a margin's skirt a polygon may have
// triangles of both signs, so the force law is for shapes without one.
TEST(ContactSurface, TrianglesCarryWhatPolygonsCarry) {
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    const Scene s = random_scene(random);
    const ContactSurface p = contact_surface(s.A, s.X_WA, s.B, s.X_WB);
    const ContactSurface t = contact_surface(s.A, s.X_WA, s.B, s.X_WB, {.tessellation = Tessellation::kTriangle});
    EXPECT_NEAR(t.total_area(), p.total_area(), 1e-12 * p.total_area()) << i;
    const bool skirt =
        std::any_of(p.vertex_pressure.begin(), p.vertex_pressure.end(), [](double x) { return x < -1e-6; });
    if (skirt) continue;
    const double force = p.force_on_B_W().norm(), moment = p.moment_on_B_about_W().norm();
    EXPECT_LE((t.force_on_B_W() - p.force_on_B_W()).norm(), 1e-12 * force) << i;
    EXPECT_LE((t.moment_on_B_about_W() - p.moment_on_B_about_W()).norm(), 1e-12 * (moment + 0.1 * force)) << i;
  }
}

TEST(ContactSurface, SubdivisionCarriesTheSameAndKeepsToTheSize) {
  Random random(5);
  const double size = 0.008;
  for (int i = 0; i < 100; ++i) {
    const Scene s = random_scene(random);
    const ContactSurface whole = contact_surface(s.A, s.X_WA, s.B, s.X_WB);
    const ContactSurface cut = contact_surface(s.A, s.X_WA, s.B, s.X_WB, {.max_face_size = size});
    EXPECT_NEAR(cut.total_area(), whole.total_area(), 1e-10 * whole.total_area());
    for (int f = 0; f < cut.num_faces(); ++f)
      for (int v = cut.face_start[f]; v < cut.face_start[f + 1]; ++v)
        for (int w = cut.face_start[f]; w < v; ++w)
          ASSERT_LE((cut.vertex_W[v] - cut.vertex_W[w]).norm(), size * (1 + 1e-12));
  }
}

TEST(ContactSurface, SmallFacesAreLeftOutAndCounted) {
  Random random(7);
  const double least = 2e-6;
  int left_out = 0;
  for (int i = 0; i < 100; ++i) {
    const Scene s = random_scene(random);
    const ContactSurface all = contact_surface(s.A, s.X_WA, s.B, s.X_WB);
    const ContactSurface large = contact_surface(s.A, s.X_WA, s.B, s.X_WB, {.min_face_area = least});
    int f = 0, small = 0;
    for (int g = 0; g < all.num_faces(); ++g) {
      if (!(all.area[g] > least)) {
        ++small;
        continue;
      }
      ASSERT_LT(f, large.num_faces());
      EXPECT_EQ(large.area[f], all.area[g]);
      EXPECT_EQ(large.centroid_W[f], all.centroid_W[g]);
      ++f;
    }
    EXPECT_EQ(f, large.num_faces());
    EXPECT_EQ(large.dropped.too_small, all.dropped.too_small + small);
    EXPECT_EQ(large.dropped.softening, all.dropped.softening);
    left_out += small;
  }
  EXPECT_GT(left_out, 100);
}

TEST(ContactSurface, SaysWhenASizeIsTooSmallToReach) {
  const Geometry box = Geometry::compliant(Box{1, 1, 1}), plane = Geometry::rigid(HalfSpace{});
  const ContactSurface s = contact_surface(box, Pose::translation(0, 0, 0.4), plane, {}, {.max_face_size = 1e-9});
  EXPECT_GT(s.oversized, 0);
  EXPECT_LT(s.num_faces(), 200000);
}

TEST(ContactSurface, MovesWithACommonRigidMotion) {
  Random random(6);
  for (int i = 0; i < 200; ++i) {
    const Scene s = random_scene(random);
    const Pose X = random.pose(1.0);
    const ContactSurface a = contact_surface(s.A, s.X_WA, s.B, s.X_WB);
    const ContactSurface b = contact_surface(s.A, X * s.X_WA, s.B, X * s.X_WB);
    const double force = a.force_on_B_W().norm();
    EXPECT_NEAR(b.total_area(), a.total_area(), 1e-9 * a.total_area()) << i;
    EXPECT_LE((b.force_on_B_W() - X.R * a.force_on_B_W()).norm(), 1e-9 * force) << i;
    if (force > 0) {
      EXPECT_LT((b.center_of_pressure_W() - X * a.center_of_pressure_W()).norm(), 1e-9) << i;
    }
  }
}

// Planar, counter-clockwise about n̂, and in equilibrium: both fields give the stored pressure
// at every vertex, evaluated from the elements' own vertices.
double pressure_in_tet(const Geometry& g, int tet, const Vec3& x) {
  const PressureMesh& m = g.volume();
  const auto& t = m.mesh.tets[tet];
  Mat3 edges;
  for (int k = 0; k < 3; ++k) edges.col(k) = m.mesh.vertices[t[k + 1]] - m.mesh.vertices[t[0]];
  const Vec3 l = edges.partialPivLu().solve(x - m.mesh.vertices[t[0]]);
  double p = m.pressure[t[0]];
  for (int k = 0; k < 3; ++k) p += l[k] * (m.pressure[t[k + 1]] - m.pressure[t[0]]);
  return p;
}

TEST(ContactSurface, EveryVertexIsInEquilibrium) {
  Random random(7);
  int checked = 0;
  for (int i = 0; i < 60; ++i) {
    const Geometry A = random.compliant(0.03), B = random.compliant(0.03);
    const Pose X_WA = random.pose(0.03), X_WB = random.pose(0.03);
    const ContactSurface s = contact_surface(A, X_WA, B, X_WB);
    for (int f = 0; f < s.num_faces(); ++f) {
      Vec3 area_vector = Vec3::Zero();
      for (int v = s.face_start[f]; v < s.face_start[f + 1]; ++v) {
        const Vec3 x = s.vertex_W[v];
        const Vec3 next = s.vertex_W[v + 1 < s.face_start[f + 1] ? v + 1 : s.face_start[f]];
        area_vector += 0.5 * (x - s.centroid_W[f]).cross(next - s.centroid_W[f]);
        const double scale = s.grad_pA_W[f].norm() + s.grad_pB_W[f].norm();
        EXPECT_NEAR(pressure_in_tet(A, s.element_A[f], X_WA.inverse() * x), s.vertex_pressure[v], 1e-10 * scale);
        EXPECT_NEAR(pressure_in_tet(B, s.element_B[f], X_WB.inverse() * x), s.vertex_pressure[v], 1e-8 * scale);
        EXPECT_NEAR(s.nhat_AB_W[f].dot(x - s.centroid_W[f]), 0.0, 1e-9);
        ++checked;
      }
      EXPECT_LT((area_vector - s.area[f] * s.nhat_AB_W[f]).norm(), 1e-9 * s.area[f] + 1e-15);
      EXPECT_GT(-s.grad_pA_W[f].dot(s.nhat_AB_W[f]), 0.0);
      EXPECT_GT(s.grad_pB_W[f].dot(s.nhat_AB_W[f]), 0.0);
    }
  }
  EXPECT_GT(checked, 1000);
}

std::uint64_t hash_of(const ContactSurface& s) {
  std::uint64_t hash = 1469598103934665603ull;
  const auto mix = [&](const void* data, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i)
      hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 1099511628211ull;
  };
  mix(s.area.data(), s.area.size() * sizeof(double));
  mix(s.pressure.data(), s.pressure.size() * sizeof(double));
  mix(s.vertex_W.data(), s.vertex_W.size() * sizeof(Vec3));
  return hash;
}

// The AVX2 kernels and the plain ones round alike.
TEST(Simd, AllTargetsGiveTheSameBits) {
  const auto run = [] {
    Random random(8);
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < 100; ++i) {
      const Scene s = random_scene(random);
      hashes.push_back(hash_of(contact_surface(s.A, s.X_WA, s.B, s.X_WB)));
    }
    return hashes;
  };
  const auto best = run();
  const SimdTarget plain_only(HWY_SCALAR);
  EXPECT_EQ(run(), best);
}

}  // namespace
}  // namespace patchfield
