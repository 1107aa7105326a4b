// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A warm query allocates nothing.

#include <gtest/gtest.h>

#include "patchfield/geometry/broad_phase.h"
#include "patchfield/geometry/query.h"
#include "support/allocation_counter.h"
#include "support/random.h"

namespace patchfield {
namespace {

TEST(WarmQuery, AllocatesNothing) {
  Random random(1);
  const Geometry A = Geometry::compliant(Sphere{0.05}), B = Geometry::compliant(Box{0.1, 0.1, 0.1});
  const Geometry rigid = Geometry::rigid(Cylinder{0.03, 0.1}), plane = Geometry::rigid(HalfSpace{});
  const Geometry soft_plane = Geometry::compliant(HalfSpace{});
  std::vector<Pose> poses;
  for (int i = 0; i < 50; ++i) poses.push_back(random.pose(0.06));
  SurfaceScratch scratch;
  ContactSurface surface;
  const auto run = [&] {
    long faces = 0;
    for (const Pose& X : poses)
      for (const Tessellation t : {Tessellation::kPolygon, Tessellation::kTriangle})
        for (const Geometry* other : {&A, &B, &rigid, &plane, &soft_plane}) {
          compute_contact_surface(A, {}, *other, X, {.tessellation = t, .max_face_size = 0.02}, scratch, surface);
          faces += surface.num_faces();
          compute_contact_surface(*other, {}, B, X, {.tessellation = t}, scratch, surface);
          faces += surface.num_faces();
        }
    return faces;
  };
  const long warm = run();
  const long before = allocation_count();
  EXPECT_EQ(run(), warm);
  EXPECT_EQ(allocation_count() - before, 0);
  EXPECT_GT(warm, 1000);
}

TEST(WarmBroadPhase, AllocatesNothing) {
  Random random(2);
  BroadPhase broad_phase;
  std::vector<Aabb> boxes(100);
  for (Aabb& box : boxes) {
    box.lower = random.vector(0.3);
    box.upper = box.lower + Vec3::Constant(0.2);
  }
  const auto first = broad_phase.find_pairs(boxes).size();
  const long before = allocation_count();
  EXPECT_EQ(broad_phase.find_pairs(boxes).size(), first);
  EXPECT_EQ(allocation_count() - before, 0);
}

// The counter itself must count, or the tests above assert nothing.
TEST(AllocationCounter, SeesAllThreeWays) {
  const long before = allocation_count();
  std::vector<double> v(100);
  Column<double> c(100);
  EXPECT_GE(allocation_count() - before, 2);
}

}  // namespace
}  // namespace patchfield
