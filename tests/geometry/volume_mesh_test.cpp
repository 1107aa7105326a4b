// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What is done to a mesher's tetrahedra before they may touch anything: inner vertices, flat faces, measures.

#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "patchfield/geometry/flat_faces.h"
#include "patchfield/geometry/inner_vertices.h"
#include "patchfield/geometry/mesh_quality.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/polygon_triangles.h"
#include "patchfield/geometry/press.h"

namespace patchfield {
namespace {

/// A plate of n × n cells in one layer, six tetrahedra each from bottom to top: no vertex inside, as meshers leave it.
TetMesh hollow_plate(int n, double width, double height) {
  TetMesh mesh;
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i) mesh.vertices.push_back({width * i / n, width * j / n, height * k});
  const auto at = [n](int i, int j, int k) { return (k * (n + 1) + j) * (n + 1) + i; };
  constexpr int kPaths[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      for (const auto& path : kPaths) {
        std::array<int, 3> step{0, 0, 0};
        std::array<int, 4> tet{at(i, j, 0), 0, 0, 0};
        for (int s = 0; s < 3; ++s) {
          step[path[s]] = 1;
          tet[s + 1] = at(i + step[0], j + step[1], step[2]);
        }
        mesh.tets.push_back(tet);
      }
  for (int t = 0; t < static_cast<int>(mesh.tets.size()); ++t)
    if (signed_volume(mesh, t) < 0.0) std::swap(mesh.tets[t][2], mesh.tets[t][3]);
  return mesh;
}

TEST(AddInnerVertices, LeavesNothingInsideWithoutACornerInside) {
  TetMesh mesh = hollow_plate(6, 0.06, 0.003);
  EXPECT_EQ(measure(mesh).num_inner_vertices, 0);
  EXPECT_EQ(measure(mesh).num_voids, 6 * 36);
  const auto surface = boundary(mesh).surface;
  const double before = volume(mesh);

  const int added = add_inner_vertices(mesh);
  const TetQuality after = measure(mesh);
  EXPECT_GT(added, 0);
  EXPECT_EQ(after.num_inner_vertices, added);
  EXPECT_EQ(after.num_voids, 0);
  EXPECT_GT(after.smallest_volume, 0.0);
  EXPECT_NEAR(after.volume, before, 1e-13 * before);
  EXPECT_EQ(boundary(mesh).surface.triangles.size(), surface.triangles.size()) << "conforming: no new surface";
  EXPECT_EQ(boundary(mesh).surface.vertices.size(), surface.vertices.size());

  // No edge inside has both ends on the surface, or the pressure would be zero along it.
  std::vector<char> outer(mesh.vertices.size(), 0);
  std::set<std::pair<int, int>> on_surface;
  for (const auto& t : boundary_triangles(mesh))
    for (int i = 0; i < 3; ++i) outer[t[i]] = 1, on_surface.insert(std::minmax(t[i], t[(i + 1) % 3]));
  for (const auto& t : mesh.tets)
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j)
        EXPECT_TRUE(!outer[t[i]] || !outer[t[j]] || on_surface.contains(std::minmax(t[i], t[j])));
}

TEST(AddInnerVertices, AloneTetrahedronAndGoodMeshes) {
  TetMesh one{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}};
  EXPECT_EQ(add_inner_vertices(one), 1);
  EXPECT_EQ(one.tets.size(), 4u);
  // Two that share a triangle: the triangle gets a vertex, and that serves both.
  TetMesh two{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, {{0, 1, 2, 3}, {1, 2, 3, 4}}};
  if (signed_volume(two, 1) < 0.0) std::swap(two.tets[1][2], two.tets[1][3]);
  EXPECT_EQ(add_inner_vertices(two), 1);
  EXPECT_EQ(two.tets.size(), 6u);
  TetMesh grid = box_grid({1, 1, 1}, 2, 2, 2);
  const auto tets = grid.tets;
  EXPECT_EQ(add_inner_vertices(grid), 0);
  EXPECT_EQ(grid.tets, tets);
}

// A 3 mm plate made of hollow tetrahedra must press like a plate: f = E·δ·S/H with H = 1.5 mm. The rim, where the field
// of the mesh is softer than E·δ/H, is 1.5 mm of 60 mm on each side; half of its share may be missing.
TEST(AddInnerVertices, PlatePressesLikeTheClosedForm) {
  TetMesh mesh = hollow_plate(12, 0.06, 0.003);
  add_inner_vertices(mesh);
  const double E = 1e6, H = 1.5e-3, load = 5.0;
  const Geometry plate = Geometry::compliant(mesh, {.modulus = E, .margin = 1e-4});
  const double expected = load * H / (E * 0.06 * 0.06);
  const double depth = Press(plate, {0, 0, -1}).depth(load).value();
  EXPECT_NEAR(depth, expected, 0.05 * expected);
  EXPECT_NEAR(foundation_depth(plate), H, 1e-12);
}

TEST(FlattenFaces, NoisyBoxGetsItsPlanesEdgesAndCornersBack) {
  const TetMesh exact = box_grid({0.1, 0.08, 0.06}, 3, 3, 3);
  const TriangleMesh surface = boundary(exact).surface;
  TetMesh noisy = exact;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> noise(-1e-4, 1e-4);
  for (const int v : boundary(exact).vertex) noisy.vertices[v] += Vec3(noise(random), noise(random), noise(random));
  const FlatReport report = flatten_faces(surface, 3e-4, noisy);
  EXPECT_EQ(report.num_faces, 6);
  EXPECT_EQ(report.num_refused, 0);
  EXPECT_NEAR(volume(noisy), 0.1 * 0.08 * 0.06, 1e-15);
  for (const Vec3& v : boundary(noisy).surface.vertices) {
    const Vec3 out = Vec3(0.05, 0.04, 0.03) - v.cwiseAbs();
    EXPECT_LT(out.cwiseAbs().minCoeff(), 1e-17) << v.transpose();
    EXPECT_GT(out.minCoeff(), -1e-17);
  }
}

TEST(FlattenFaces, CurvedSurfacesAreLeftAlone) {
  const TetMesh ball = Geometry::compliant(Sphere{0.05}, {.resolution = 0.005}).volume().mesh;
  TetMesh copy = ball;
  EXPECT_EQ(flatten_faces(boundary(ball).surface, 1e-4, copy).num_moved, 0);
  EXPECT_EQ(copy.vertices, ball.vertices);
}

TEST(AlignCoordinates, RemovesNoiseAndKeepsTheRest) {
  TriangleMesh mesh{{{1, 0, 0.3}, {1 + 1e-9, 2, 0.3}, {5, 2 - 1e-9, 0.31}}, {{0, 1, 2}}};
  align_coordinates(1e-8, mesh);
  EXPECT_EQ(mesh.vertices[0].x(), mesh.vertices[1].x());
  EXPECT_EQ(mesh.vertices[1].y(), mesh.vertices[2].y());
  EXPECT_NE(mesh.vertices[1].z(), mesh.vertices[2].z());
  EXPECT_EQ(mesh.vertices[2].x(), 5.0);
}

TEST(Measure, RegularTetrahedronAndOpenCube) {
  const TetMesh regular{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, {{0, 1, 3, 2}}};
  const TetQuality q = measure(regular);
  EXPECT_NEAR(q.smallest_angle, std::acos(1.0 / 3.0), 1e-12);
  EXPECT_NEAR(q.largest_angle, std::acos(1.0 / 3.0), 1e-12);
  EXPECT_NEAR(q.volume, 8.0 / 3.0, 1e-12);
  EXPECT_NEAR(q.shortest_edge, std::sqrt(8.0), 1e-12);

  TriangleMesh cube = boundary(box_grid({1, 1, 1}, 1, 1, 1)).surface;
  EXPECT_TRUE(measure(cube).is_closed());
  EXPECT_NEAR(measure(cube).enclosed_volume, 1.0, 1e-12);
  cube.triangles.pop_back();
  EXPECT_EQ(measure(cube).num_open_edges, 3);
  std::swap(cube.triangles[0][0], cube.triangles[0][1]);
  EXPECT_GE(measure(cube).num_misoriented_edges, 2);
}

TEST(AppendPolygon, CutsNonConvexPolygonsWithoutOverlap) {
  // An arrow head: a fan about vertex 0 would leave the polygon.
  TriangleMesh mesh{{{0, 2, 0}, {-2, -1, 0}, {0, 0, 0}, {2, -1, 0}}, {}};
  append_polygon({3, 0, 1, 2}, mesh);
  ASSERT_EQ(mesh.triangles.size(), 2u);
  // Area by the shoelace formula: the head less the notch, 6 − 2.
  EXPECT_NEAR(area(mesh), 4.0, 1e-12);
  for (const auto& [a, b, c] : mesh.triangles)
    EXPECT_GT((mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]).z(), 0.0);
}

}  // namespace
}  // namespace patchfield
