// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/convex_hull.h"

#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "geometry/mesh_laws.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/quickhull.h"
#include "patchfield/geometry/tessellate.h"

namespace patchfield {
namespace {

/// Closed, convex, all points inside, Euler's V − E + F = 2, and corners only where three facets meet.
void expect_hull(const std::vector<Vec3>& points, const ConvexPolytope& hull, double tolerance) {
  for (const auto& facet : hull.facets) {
    ASSERT_GE(facet.corners.size(), 3u);
    EXPECT_NEAR(facet.normal.norm(), 1.0, 1e-12);
    for (const Vec3& p : points) ASSERT_LE(facet.normal.dot(p) - facet.offset, tolerance);
    for (const int v : facet.corners) EXPECT_NEAR(facet.normal.dot(hull.vertices[v]), facet.offset, tolerance);
  }
  const TriangleMesh surface = triangulated(hull);
  expect_closed(surface.triangles);
  EXPECT_EQ(static_cast<int>(surface.vertices.size()) - static_cast<int>(surface.triangles.size()) / 2, 2);

  std::vector<int> num_facets(hull.vertices.size(), 0);
  for (const auto& facet : hull.facets) {
    for (const int v : facet.corners) ++num_facets[v];
  }
  for (const int n : num_facets) EXPECT_GE(n, 3);
}

/// Triangles of points in general position whose plane has all others on one side: O(n⁴), obviously right.
std::set<std::array<int, 3>> brute_force(const std::vector<Vec3>& points) {
  std::set<std::array<int, 3>> triangles;
  const int n = static_cast<int>(points.size());
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      for (int k = j + 1; k < n; ++k) {
        const Vec3 normal = (points[j] - points[i]).cross(points[k] - points[i]);
        int above = 0, below = 0;
        for (int l = 0; l < n; ++l) {
          if (l == i || l == j || l == k) continue;
          (normal.dot(points[l] - points[i]) > 0 ? above : below) += 1;
        }
        if (above == 0 || below == 0) triangles.insert({i, j, k});
      }
    }
  }
  return triangles;
}

TEST(Quickhull, AgreesWithBruteForce) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const std::vector<Vec3> points = random_points(30, {1, 2, 0.5}, seed);
    std::set<std::array<int, 3>> found;
    for (const HullTriangle& t : quickhull(points, 0.0)) {
      auto key = t.corner;
      std::sort(key.begin(), key.end());
      found.insert(key);
    }
    EXPECT_EQ(found, brute_force(points)) << "seed " << seed;
  }
}

TEST(Quickhull, NeighboursShareTheirEdge) {
  const auto triangles = quickhull(random_points(200, {1, 1, 1}), 0.0);
  for (const HullTriangle& t : triangles) {
    for (int e = 0; e < 3; ++e) {
      const auto& n = triangles[t.neighbour[e]].corner;
      const auto at = std::find(n.begin(), n.end(), t.corner[(e + 1) % 3]) - n.begin();
      ASSERT_LT(at, 3);
      EXPECT_EQ(n[(at + 1) % 3], t.corner[e]);
    }
  }
}

// Points of a small lattice, where nearly everything is exactly coplanar or collinear with something else.
TEST(Quickhull, OfLatticePointsHasNoZeroAreas) {
  for (unsigned seed = 1; seed <= 500; ++seed) {
    std::vector<Vec3> points = random_points(30, {2.5, 2.5, 2.5}, seed);
    for (Vec3& p : points) p = p.array().round();
    const auto triangles = quickhull(points, 0.0);
    ASSERT_FALSE(triangles.empty());
    for (const HullTriangle& t : triangles) {
      const Vec3 &a = points[t.corner[0]], &b = points[t.corner[1]], &c = points[t.corner[2]];
      const Vec3 normal = (b - a).cross(c - a);
      ASSERT_GT(normal.norm(), 0.5) << "seed " << seed;
      for (const Vec3& p : points) ASSERT_LE(normal.dot(p - a), 0.0) << "seed " << seed;
    }
    expect_hull(points, convex_hull(points), 1e-12);
  }
}

TEST(ConvexHull, OfRandomPoints) {
  for (const int n : {4, 10, 100, 3000}) {
    const std::vector<Vec3> points = random_points(n, {1, 1, 1}, n);
    expect_hull(points, convex_hull(points), 1e-6);
  }
}

TEST(ConvexHull, OfPointsOnASphereKeepsThemAll) {
  std::vector<Vec3> points = random_points(2000, {1, 1, 1});
  for (Vec3& p : points) p.normalize();
  const ConvexPolytope hull = convex_hull(points);
  expect_hull(points, hull, 2e-6);
  EXPECT_GT(hull.vertices.size(), 1950u);  // some are nearer to a chord than the flatness
}

std::vector<Vec3> grid_on_box(int n, const Vec3& half) {
  std::vector<Vec3> points;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) {
      for (int k = 0; k <= n; ++k) points.push_back((Vec3(i, j, k) * (2.0 / n) - Vec3::Ones()).cwiseProduct(half));
    }
  }
  return points;
}

// Coplanar, collinear and double points leave six quads, also when turned so that nothing is exact.
TEST(ConvexHull, OfAGridIsABox) {
  std::vector<Vec3> points = grid_on_box(6, {0.1, 0.2, 0.3});
  points.insert(points.end(), points.begin(), points.begin() + 100);
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (const Mat3& R : {Mat3(Mat3::Identity()), turn}) {
    for (const bool in_float : {false, true}) {
      std::vector<Vec3> turned;
      for (const Vec3& p : points) {
        const Vec3 q = R * p + Vec3(0.5, 0.6, 0.7);
        turned.push_back(in_float ? Vec3(q.cast<float>().cast<double>()) : q);
      }
      const ConvexPolytope hull = convex_hull(turned);
      expect_hull(turned, hull, 1e-6);
      EXPECT_EQ(hull.vertices.size(), 8u);
      ASSERT_EQ(hull.facets.size(), 6u);
      for (const auto& facet : hull.facets) EXPECT_EQ(facet.corners.size(), 4u);
      EXPECT_EQ(triangulated(hull).triangles.size(), 24u);
    }
  }
}

TEST(ConvexHull, OfAPrismHasItsPolygons) {
  constexpr int kSides = 50;
  const Mat3 R = Eigen::AngleAxisd(0.4, Vec3(3, 1, 2).normalized()).toRotationMatrix();
  std::vector<Vec3> points;
  for (int i = 0; i < kSides; ++i) {
    const double a = 2 * std::numbers::pi * i / kSides;
    for (const double z : {-0.2, 0.0, 0.2}) points.push_back(R * Vec3(std::cos(a), std::sin(a), z));
  }
  const ConvexPolytope hull = convex_hull(points);
  expect_hull(points, hull, 1e-9);
  EXPECT_EQ(hull.vertices.size(), 2u * kSides);
  EXPECT_EQ(hull.facets.size(), 2u + kSides);
}

// Many nearly coplanar points at many scales of noise: the worst case for a hull.
TEST(ConvexHull, SurvivesNoise) {
  for (const double noise : {1e-16, 1e-12, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5}) {
    std::vector<Vec3> points = grid_on_box(8, {1, 1, 1});
    const std::vector<Vec3> jitter = random_points(static_cast<int>(points.size()), Vec3::Constant(noise), 3);
    for (std::size_t i = 0; i < points.size(); ++i) points[i] += jitter[i];
    SCOPED_TRACE(noise);
    expect_hull(points, convex_hull(points), 1e-5);
  }
}

TEST(ConvexHull, DoesNotDependOnScaleOrPlace) {
  const std::vector<Vec3> points = random_points(60, {1, 1, 1});
  const ConvexPolytope hull = convex_hull(points);
  for (const double scale : {1e-6, 1e6}) {
    std::vector<Vec3> moved;
    for (const Vec3& p : points) moved.push_back(scale * (p + Vec3(2, 0, 0)));
    EXPECT_EQ(convex_hull(moved).facets.size(), hull.facets.size());
  }
}

TEST(ConvexHull, RefusesPointsWithoutVolume) {
  EXPECT_SAYS(convex_hull(std::vector<Vec3>{}), "0 points", "four");
  EXPECT_SAYS(convex_hull(random_points(3, {1, 1, 1})), "3 points", "four");
  EXPECT_SAYS(convex_hull(std::vector<Vec3>(10, Vec3(1, 2, 3))), "10 points", "four points that are not coplanar");
  EXPECT_SAYS(convex_hull(random_points(50, {1, 1, 0})), "plane", "thickness");
  EXPECT_SAYS(convex_hull(random_points(50, {1, 0, 0})), "line");
  EXPECT_SAYS(convex_hull(random_points(50, {1, 1, 1e-7})), "plane");
  std::vector<Vec3> broken = random_points(10, {1, 1, 1});
  broken[7].z() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_SAYS(convex_hull(broken), "point 7", "nan");
}

// The depth is concave and its maximum known for these.
TEST(DeepestPoint, IsTheCentreOfTheInscribedSphere) {
  // A tetrahedron with legs 1: r = 1/(3 + √3) at (r, r, r).
  const std::vector<Vec3> corner = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double r = 1.0 / (3.0 + std::sqrt(3.0));
  EXPECT_NEAR((deepest_point(convex_hull(corner)) - Vec3(r, r, r)).norm(), 0.0, 1e-5);

  // A long box: all of its axis is as deep; the middle is taken.
  const std::vector<Vec3> box = grid_on_box(1, {1.0, 0.1, 0.1});
  EXPECT_NEAR(deepest_point(convex_hull(box)).norm(), 0.0, 1e-15);
}

TEST(DeepestPoint, BeatsAllSamples) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const ConvexPolytope hull = convex_hull(random_points(seed < 10 ? 5 : 40, {1, 2, 0.5}, seed));
    const double depth = hull.depth(deepest_point(hull));
    double best = 0.0;
    Vec3 at = Vec3::Zero();
    for (double size = 1.0; size > 1e-6; size *= 0.7) {  // a random search that closes in
      for (const Vec3& p : random_points(200, size * Vec3(1, 2, 0.5), seed + 100)) {
        if (hull.depth(at + p) > best) best = hull.depth(at + p), at += p;
      }
    }
    EXPECT_GE(depth, best * (1 - 2e-6)) << "seed " << seed;
  }
}

Compliance compliance_of(double margin) {
  Compliance compliance;
  compliance.modulus = 1e6;
  compliance.margin = margin;
  return compliance;
}

TEST(HullPressureMesh, ObeysTheLawsOfMeshes) {
  for (const double margin : {0.0, 1e-3}) {
    for (const auto& points : {random_points(40, {0.1, 0.2, 0.1}), grid_on_box(3, {0.1, 0.2, 0.3})}) {
      const PressureMesh field = make_pressure_mesh(ConvexHull{points}, compliance_of(margin));
      expect_positive_volumes(field.mesh);
      expect_conforming(field.mesh);
      expect_no_voids(field);
      EXPECT_EQ(std::count(field.pressure.begin(), field.pressure.end(), 1e6), 1);
      EXPECT_EQ(std::count(field.pressure.begin(), field.pressure.end(), 0.0),
                margin > 0.0 ? 0 : static_cast<int>(field.pressure.size()) - 1);
    }
  }
}

// A cube as a hull is the cube as a box: the same 24 tetrahedra.
TEST(HullPressureMesh, OfACubeIsTheBox) {
  const PressureMesh hull = make_pressure_mesh(ConvexHull{grid_on_box(4, {0.1, 0.1, 0.1})}, compliance_of(1e-3));
  const PressureMesh box = make_pressure_mesh(Box{0.2, 0.2, 0.2}, compliance_of(1e-3));
  EXPECT_EQ(hull.mesh.tets.size(), box.mesh.tets.size());
  EXPECT_NEAR(volume(hull.mesh), volume(box.mesh), 1e-12);
  for (const Vec3& x : random_points(100, {0.1, 0.1, 0.1}))
    EXPECT_NEAR(interpolate(hull, x).value(), interpolate(box, x).value(), 1e-9 * 1e6);
}

// Every facet of the skirt is at least m further out.
TEST(HullPressureMesh, MarginMovesAllFacetsOutwards) {
  const double m = 1e-3;
  const std::vector<Vec3> points = random_points(40, {0.1, 0.2, 0.1});
  const ConvexPolytope hull = convex_hull(points);
  const TriangleMesh skin = boundary(make_pressure_mesh(ConvexHull{points}, compliance_of(m)).mesh).surface;
  ASSERT_EQ(skin.vertices.size(), triangulated(hull).vertices.size());
  for (const auto& facet : hull.facets) {
    for (const int v : facet.corners) EXPECT_GE(facet.normal.dot(skin.vertices[v]) - facet.offset, m * (1 - 1e-9));
  }
}

TEST(HullSurfaceMesh, IsClosed) {
  const TriangleMesh surface = make_surface_mesh(ConvexHull{grid_on_box(3, {0.1, 0.2, 0.3})}, 1.0);
  EXPECT_EQ(surface.triangles.size(), 24u);
  expect_closed(surface.triangles);
  EXPECT_NEAR(enclosed_volume(surface), 8 * 0.006, 1e-12);
}

}  // namespace
}  // namespace patchfield
