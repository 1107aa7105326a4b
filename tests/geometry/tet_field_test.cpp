// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/tet_field.h"

#include <limits>

#include <gtest/gtest.h>

#include "geometry/mesh_laws.h"
#include "patchfield/geometry/geometry.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/surface_distance.h"
#include "patchfield/geometry/tessellate.h"

namespace patchfield {
namespace {

constexpr double kE = 3e6;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Compliance compliance_of(double margin = 0.0) {
  Compliance compliance;
  compliance.modulus = kE;
  compliance.margin = margin;
  return compliance;
}

/// A box of 2×2×2 without the quarter x > 0, z > 0. Its vertices stay, without tetrahedra.
TetMesh l_shape(int n) {
  TetMesh mesh = box_grid(Box{2, 2, 2}, 2 * n, 2 * n, 2 * n);
  std::erase_if(mesh.tets, [&](const auto& t) {
    const Vec3 c = (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]] + mesh.vertices[t[3]]) / 4;
    return c.x() > 0 && c.z() > 0;
  });
  return mesh;
}

/// One cell of six tetrahedra around its diagonal: all vertices are on the surface.
TetMesh six_tets() {
  TetMesh mesh;
  for (int bits = 0; bits < 8; ++bits)
    mesh.vertices.push_back({double(bits & 1), double(bits >> 1 & 1), double(bits >> 2)});
  const int path[7] = {1, 3, 2, 6, 4, 5, 1};
  for (int i = 0; i < 6; ++i) mesh.tets.push_back({0, path[i], path[i + 1], 7});
  return mesh;
}

/// Distance from a point inside the L to its surface.
double distance_in_l(const Vec3& p) {
  const double to_outer = std::min({1 - std::abs(p.y()), p.x() + 1, p.z() + 1});
  if (p.x() >= 0 && p.z() <= 0) return std::min({to_outer, 1 - p.x(), -p.z()});  // arm along x: end and upper side
  if (p.z() >= 0) return std::min({to_outer, 1 - p.z(), -p.x()});                // arm along z
  return std::min(to_outer, std::hypot(p.x(), p.z()));                           // bend: the re-entrant edge
}

TEST(TetField, IsTheDistanceToANonConvexSurface) {
  const TetMesh mesh = l_shape(3);
  const TetField result = make_tet_field(mesh, compliance_of());
  EXPECT_EQ(result.repairs.num_split, 0);
  EXPECT_NEAR(volume(result.field.mesh), 6.0, 1e-12);
  expect_conforming(result.field.mesh);
  expect_no_voids(result.field);

  std::set<int> used;
  for (const auto& t : mesh.tets) used.insert(t.begin(), t.end());
  double deepest = 0.0;
  for (const int v : used) deepest = std::max(deepest, distance_in_l(mesh.vertices[v]));
  EXPECT_NEAR(result.foundation_depth, deepest, 1e-14);
  for (int v = 0; v < static_cast<int>(mesh.vertices.size()); ++v) {
    const double expected = used.contains(v) ? kE * distance_in_l(mesh.vertices[v]) / deepest : 0.0;
    EXPECT_NEAR(result.field.pressure[v], expected, 1e-12 * kE) << mesh.vertices[v].transpose();
  }
}

TEST(TetField, SplitsTetrahedraWithoutInsideVertices) {
  const TetField result = make_tet_field(six_tets(), compliance_of());
  EXPECT_EQ(result.repairs.num_split, 6);
  EXPECT_EQ(result.field.mesh.tets.size(), 24u);
  expect_positive_volumes(result.field.mesh);
  expect_conforming(result.field.mesh);
  expect_no_voids(result.field);
  EXPECT_NEAR(volume(result.field.mesh), 1.0, 1e-14);
  // The centroids, e.g. (¾, ½, ¼), are ¼ deep.
  EXPECT_NEAR(result.foundation_depth, 0.25, 1e-15);
  for (std::size_t v = 8; v < 14; ++v) EXPECT_NEAR(result.field.pressure[v], kE, 1e-9);
}

TEST(TetField, OfOneTetrahedronIsItsCentroid) {
  const TetMesh tet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}};
  const TetField result = make_tet_field(tet, compliance_of());
  EXPECT_EQ(result.field.mesh.tets.size(), 4u);
  EXPECT_NEAR(result.foundation_depth, 0.25 / std::sqrt(3.0), 1e-15);  // to the slanted face
}

TEST(TetField, FoundationDepthSetsTheSlope) {
  Compliance compliance = compliance_of();
  compliance.foundation_depth = 0.5;
  const TetMesh mesh = box_grid(Box{2, 2, 2}, 2, 2, 2);
  const TetField result = make_tet_field(mesh, compliance);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const double distance = 1.0 - mesh.vertices[v].cwiseAbs().maxCoeff();
    EXPECT_NEAR(result.field.pressure[v], kE * distance / 0.5, 1e-12 * kE);
  }
}

TEST(TetField, KeepsOwnPressures) {
  Compliance compliance = compliance_of();
  const TetMesh mesh = box_grid(Box{2, 2, 2}, 2, 2, 2);
  for (const Vec3& x : mesh.vertices) compliance.vertex_pressures.push_back(100.0 * (1.0 - x.z()));
  const TetField result = make_tet_field(mesh, compliance);
  EXPECT_EQ(result.repairs.num_split, 0);
  EXPECT_EQ(result.field.pressure, compliance.vertex_pressures);
}

// Four zeros are a void: the new vertex lies on the slope p_max/(largest distance) of the whole.
TEST(TetField, FillsVoidsOfOwnPressures) {
  Compliance compliance = compliance_of();
  compliance.vertex_pressures = {0, 0, 0, 0, 0, 0, 0, 1000};
  const TetMesh mesh = six_tets();
  EXPECT_EQ(make_tet_field(mesh, compliance).repairs.num_split, 0);  // all six touch vertex 7

  TetMesh with_void = mesh;  // one more tetrahedron, away from vertex 7
  with_void.vertices.push_back({-1, 0, 0});
  with_void.tets.push_back({0, 2, 4, 8});
  if (orientation(with_void, 6) < 0) std::swap(with_void.tets[6][2], with_void.tets[6][3]);
  compliance.vertex_pressures.push_back(0);
  const TetField result = make_tet_field(with_void, compliance);
  EXPECT_EQ(result.repairs.num_split, 1);
  expect_no_voids(result.field);
  EXPECT_NEAR(result.field.pressure[9], 1000.0, 1e-9);  // the deepest vertex of all
}

TEST(TetField, TurnsAMirroredMesh) {
  TetMesh mesh = l_shape(2);
  const TetField straight = make_tet_field(mesh, compliance_of());
  for (auto& t : mesh.tets) std::swap(t[0], t[1]);
  const TetField turned = make_tet_field(mesh, compliance_of());
  EXPECT_FALSE(straight.repairs.was_flipped);
  EXPECT_TRUE(turned.repairs.was_flipped);
  expect_positive_volumes(turned.field.mesh);
  EXPECT_EQ(turned.field.pressure, straight.field.pressure);
  EXPECT_NEAR(enclosed_volume(make_surface_mesh(mesh, 1.0)), 6.0, 1e-12);
}

// Around a box the skirt is the inflated box, and its outer vertices are at −E·m/H.
TEST(TetFieldMargin, SurroundsABox) {
  const double m = 0.01;
  const TetMesh mesh = box_grid(Box{2, 2, 2}, 3, 3, 3);
  const TetField result = make_tet_field(mesh, compliance_of(m));
  EXPECT_EQ(result.repairs.num_skirt_shrunk, 0);
  EXPECT_EQ(result.repairs.num_skirt_dropped, 0);
  EXPECT_NEAR(volume(result.field.mesh), std::pow(2 + 2 * m, 3), 1e-12);
  expect_positive_volumes(result.field.mesh);
  expect_conforming(result.field.mesh);
  const double slope = kE / result.foundation_depth;
  EXPECT_NEAR(*std::min_element(result.field.pressure.begin(), result.field.pressure.end()), -slope * m, 1e-9 * kE);
  // Across the surface the field goes on with the same slope.
  EXPECT_NEAR(interpolate(result.field, {0.1, 0.2, 1.0 + m / 2}).value(), -slope * m / 2, 1e-9 * kE);
  EXPECT_NEAR(interpolate(result.field, {0.1, 0.2, 1.0}).value(), 0.0, 1e-9 * kE);
}

// Each plane of the L moves out by m: its side is then a square of 2 + 2m less the notch, which stays 1×1.
TEST(TetFieldMargin, SurroundsANonConvexMesh) {
  const double m = 0.01;
  const TetField result = make_tet_field(l_shape(2), compliance_of(m));
  EXPECT_EQ(result.repairs.num_skirt_dropped, 0);
  expect_positive_volumes(result.field.mesh);
  expect_conforming(result.field.mesh);
  const double side = std::pow(2 + 2 * m, 2) - 1.0;
  EXPECT_NEAR(volume(result.field.mesh), side * (2 + 2 * m), 1e-12);
}

// A margin as large as the body's features cannot be had everywhere, but what there is stays valid.
TEST(TetFieldMargin, ShrinksWhereTheSurfaceIsTooCrooked) {
  TetMesh mesh = box_grid(Box{2, 2, 2}, 4, 4, 4);
  const std::vector<Vec3> jitter = random_points(static_cast<int>(mesh.vertices.size()), Vec3::Constant(0.08));
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) mesh.vertices[v] += jitter[v];
  const TetField result = make_tet_field(mesh, compliance_of(0.8));
  EXPECT_GT(result.repairs.num_skirt_shrunk, 0);
  expect_positive_volumes(result.field.mesh);
  EXPECT_GT(volume(result.field.mesh), 1.5 * volume(mesh));
}

// What is done to a mesh is on record in the Geometry: a person's mesh must not change in silence.
TEST(MeshRepairs, ReachTheGeometry) {
  EXPECT_EQ(Geometry::compliant(box_grid(Box{2, 2, 2}, 2, 2, 2), compliance_of(0.01)).repairs().total(), 0);
  EXPECT_EQ(Geometry::compliant(Sphere{1.0}, compliance_of(0.01)).repairs().total(), 0);

  TetMesh voids = six_tets();
  EXPECT_EQ(Geometry::compliant(voids, compliance_of()).repairs().num_split, 6);
  for (auto& t : voids.tets) std::swap(t[0], t[1]);
  EXPECT_TRUE(Geometry::compliant(voids, compliance_of()).repairs().was_flipped);
  voids.tets.push_back({0, 1, 1, 7});
  EXPECT_EQ(Geometry::compliant(voids, compliance_of()).repairs().num_degenerate, 1);

  // A margin that is many times the body: the skirt of the bend folds over itself, and five halvings do not help.
  const MeshRepairs crooked = Geometry::compliant(l_shape(2), compliance_of(100.0)).repairs();
  EXPECT_GT(crooked.num_skirt_shrunk, 0);
  EXPECT_GT(crooked.num_skirt_dropped, 0);
}

TEST(TetFieldErrors, NameVertexTetrahedronValueAndCure) {
  const TetMesh good = box_grid(Box{2, 2, 2}, 1, 1, 1);
  TetMesh mesh = good;
  mesh.vertices[5].x() = kNaN;
  EXPECT_SAYS(make_tet_field(mesh, compliance_of()), "vertex 5", "nan", "finite");

  mesh = good;
  mesh.tets[3][2] = 999;
  EXPECT_SAYS(make_tet_field(mesh, compliance_of()), "tetrahedron 3", "vertex 999", "15 vertices");
  mesh.tets[3][2] = -1;
  EXPECT_SAYS(make_tet_field(mesh, compliance_of()), "tetrahedron 3", "vertex -1");

  mesh = good;
  std::swap(mesh.tets[7][0], mesh.tets[7][1]);
  EXPECT_SAYS(make_tet_field(mesh, compliance_of()), "tetrahedron 7", "negative volume", "Order the vertices");

  EXPECT_SAYS(make_tet_field(TetMesh{}, compliance_of()), "no tetrahedra");
  const TetMesh flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2, 3}}};
  EXPECT_SAYS(make_tet_field(flat, compliance_of()), "no depth", "volume");
}

TEST(TetFieldErrors, AskForWeldedVertices) {
  const TetMesh mesh = box_grid(Box{2, 2, 2}, 1, 1, 1);
  TetMesh heap;
  for (const auto& tet : mesh.tets) {
    const int v = static_cast<int>(heap.vertices.size());
    heap.tets.push_back({v, v + 1, v + 2, v + 3});
    for (const int corner : tet) heap.vertices.push_back(mesh.vertices[corner]);
  }
  EXPECT_SAYS(make_tet_field(heap, compliance_of()), "24 tetrahedra", "Weld");
}

TEST(TetFieldErrors, NameBrokenPressuresAndDepths) {
  const TetMesh mesh = box_grid(Box{2, 2, 2}, 1, 1, 1);
  Compliance compliance = compliance_of();
  compliance.vertex_pressures.assign(14, 1.0);
  EXPECT_SAYS(make_tet_field(mesh, compliance), "14 vertex pressures", "15 vertices");
  compliance.vertex_pressures.assign(15, 0.0);
  EXPECT_SAYS(make_tet_field(mesh, compliance), "above zero");
  compliance.vertex_pressures[11] = kNaN;
  EXPECT_SAYS(make_tet_field(mesh, compliance), "vertex 11", "nan");
  compliance.vertex_pressures.assign(15, 1.0);
  compliance.foundation_depth = 1.0;
  EXPECT_SAYS(make_tet_field(mesh, compliance), "both", "Leave one");
  compliance.vertex_pressures.clear();
  compliance.foundation_depth = -1.0;
  EXPECT_SAYS(make_tet_field(mesh, compliance), "foundation_depth", "-1");
}

TEST(TetField, SaysThatAMeshHasNoSurface) {
  TetMesh twice{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}, {0, 1, 2, 3}}};
  EXPECT_SAYS(make_tet_field(twice, {}), "no outer triangle");
}

TEST(TetField, LeavesOutTetrahedraThatNameAVertexTwice) {
  TetMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}, {0, 0, 1, 2}}};
  const TetField field = make_tet_field(mesh, {});
  EXPECT_EQ(field.repairs.num_degenerate, 1);
  EXPECT_EQ(field.field.mesh.tets.size(), 4u);  // the other one, split at its centroid
}

}  // namespace
}  // namespace patchfield
