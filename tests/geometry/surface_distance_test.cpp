// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/surface_distance.h"

#include <gtest/gtest.h>

#include "geometry/mesh_laws.h"
#include "patchfield/geometry/tessellate.h"

namespace patchfield {
namespace {

// Nearest of many sampled points of the triangle: an upper bound that is near.
double sampled_distance(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, int n) {
  double nearest = 1e300;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; i + j <= n; ++j) {
      const Vec3 x = a + (b - a) * (double(i) / n) + (c - a) * (double(j) / n);
      nearest = std::min(nearest, (p - x).norm());
    }
  }
  return nearest;
}

TEST(SquaredDistance, HasSevenRegions) {
  const Vec3 a(0, 0, 0), b(4, 0, 0), c(0, 3, 0);
  EXPECT_DOUBLE_EQ(squared_distance({1, 1, 2}, a, b, c), 4.0);           // face
  EXPECT_DOUBLE_EQ(squared_distance({2, -1, 2}, a, b, c), 5.0);          // ab
  EXPECT_DOUBLE_EQ(squared_distance({-1, 1, 0}, a, b, c), 1.0);          // ca
  EXPECT_DOUBLE_EQ(squared_distance({2 + 3, 1.5 + 4, 0}, a, b, c), 25);  // bc, along its normal (3, 4)/5
  EXPECT_DOUBLE_EQ(squared_distance({-1, -2, 2}, a, b, c), 9.0);         // a
  EXPECT_DOUBLE_EQ(squared_distance({6, -1, 2}, a, b, c), 9.0);          // b
  EXPECT_DOUBLE_EQ(squared_distance({-1, 5, 2}, a, b, c), 9.0);          // c
}

TEST(SquaredDistance, KnowsTrianglesThatAreSegmentsOrPoints) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(3, 0, 0);
  EXPECT_DOUBLE_EQ(squared_distance({2, 2, 0}, a, b, c), 4.0);
  EXPECT_DOUBLE_EQ(squared_distance({2, 2, 0}, a, c, b), 4.0);
  EXPECT_DOUBLE_EQ(squared_distance({-3, 4, 0}, a, a, b), 25.0);
  EXPECT_DOUBLE_EQ(squared_distance({0, 0, 2}, a, a, a), 4.0);
}

TEST(SquaredDistance, AgreesWithSampling) {
  const std::vector<Vec3> x = random_points(400, {1, 1, 1});
  for (std::size_t i = 0; i + 3 < x.size(); i += 4) {
    const double exact = std::sqrt(squared_distance(x[i], x[i + 1], x[i + 2], x[i + 3]));
    const double sampled = sampled_distance(x[i], x[i + 1], x[i + 2], x[i + 3], 200);
    EXPECT_LE(exact, sampled + 1e-12);
    EXPECT_GE(exact, sampled - 0.02);
  }
}

double brute_force(const TriangleMesh& surface, const Vec3& p) {
  double nearest2 = 1e300;
  for (const auto& [i, j, k] : surface.triangles)
    nearest2 = std::min(nearest2, squared_distance(p, surface.vertices[i], surface.vertices[j], surface.vertices[k]));
  return std::sqrt(nearest2);
}

TEST(SurfaceDistance, IsTheMinimumOverAllTriangles) {
  TriangleMesh soup;  // open, crossing, non-convex
  soup.vertices = random_points(300, {1, 1, 1});
  for (int i = 0; i < 300; i += 3) soup.triangles.push_back({i, i + 1, i + 2});
  soup.triangles.push_back({0, 0, 0});
  for (const TriangleMesh& surface :
       {soup, make_surface_mesh(Sphere{0.5}, 0.05), TriangleMesh{soup.vertices, {{0, 1, 2}}}}) {
    const SurfaceDistance distance(surface);
    for (const Vec3& p : random_points(500, {2, 2, 2}, 7)) EXPECT_EQ(distance(p), brute_force(surface, p));
  }
}

TEST(SurfaceDistance, IsZeroOnTheSurface) {
  const TriangleMesh surface = make_surface_mesh(Capsule{0.1, 0.3}, 0.02);
  const SurfaceDistance distance(surface);
  for (const Vec3& v : surface.vertices) EXPECT_EQ(distance(v), 0.0);
}

}  // namespace
}  // namespace patchfield
