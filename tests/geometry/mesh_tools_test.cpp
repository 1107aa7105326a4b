// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/mesh_tools.h"

#include <gtest/gtest.h>

#include "geometry/mesh_laws.h"
#include "patchfield/geometry/tessellate.h"

namespace patchfield {
namespace {

const TetMesh kUnitTet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}};

TEST(Measures, OfTheUnitTetrahedron) {
  EXPECT_DOUBLE_EQ(volume(kUnitTet), 1.0 / 6.0);
  EXPECT_DOUBLE_EQ(enclosed_volume(boundary(kUnitTet).surface), 1.0 / 6.0);
  EXPECT_DOUBLE_EQ(area(boundary(kUnitTet).surface), 1.5 + std::sqrt(3.0) / 2);
}

// The volume inside does not depend on where the origin is.
TEST(Measures, EnclosedVolumeIsTranslationInvariant) {
  const TriangleMesh far_away = transformed(Pose::translation(3, -4, 5), make_surface_mesh(Box{0.3, 0.2, 0.1}, 1.0));
  EXPECT_NEAR(enclosed_volume(far_away), 0.006, 1e-14);
}

TEST(Orientation, IsZeroForFlatTetrahedra) {
  TetMesh mesh = kUnitTet;
  EXPECT_EQ(orientation(mesh, 0), 1);
  std::swap(mesh.tets[0][0], mesh.tets[0][1]);
  EXPECT_EQ(orientation(mesh, 0), -1);
  mesh.vertices[3] = {0.3, 0.3, 1e-16};
  EXPECT_EQ(orientation(mesh, 0), 0);
}

TEST(Boundary, AgreesWithACountOfFaces) {
  const TetMesh mesh = box_grid(Box{1, 2, 3}, 2, 3, 4);
  auto found = boundary_triangles(mesh), expected = outer_faces(mesh);
  const auto rotated = [](std::array<int, 3> t) {
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    return t;
  };
  for (auto& t : found) t = rotated(t);
  for (auto& t : expected) t = rotated(t);
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(found, expected);

  const Boundary b = boundary(mesh);
  ASSERT_EQ(b.vertex.size(), b.surface.vertices.size());
  for (std::size_t s = 0; s < b.vertex.size(); ++s) EXPECT_EQ(b.surface.vertices[s], mesh.vertices[b.vertex[s]]);
}

TEST(Boundary, RefusesAFaceOfThreeTetrahedra) {
  TetMesh mesh = kUnitTet;
  mesh.vertices.push_back({1, 1, 1});
  mesh.tets = {{0, 1, 2, 3}, {1, 2, 3, 4}, {1, 2, 3, 0}};
  EXPECT_SAYS(boundary(mesh), "0, 1 and 2", "overlap");
}

TEST(BoxGrid, IsSymmetricConformingAndFull) {
  const TetMesh mesh = box_grid(Box{1, 2, 3}, 2, 1, 3);
  EXPECT_EQ(mesh.tets.size(), 24u * 6);
  EXPECT_NEAR(volume(mesh), 6.0, 1e-13);
  expect_positive_volumes(mesh);
  expect_conforming(mesh);
  expect_mirror_symmetric(mesh);

  // Each tetrahedron has a corner inside.
  std::set<int> outer;
  for (const auto& f : outer_faces(mesh)) outer.insert(f.begin(), f.end());
  for (const auto& tet : mesh.tets)
    EXPECT_FALSE(std::all_of(tet.begin(), tet.end(), [&](int v) { return outer.contains(v); }));
}

TEST(BoxGrid, RefusesNoCells) {
  EXPECT_SAYS(box_grid(Box{1, 1, 1}, 1, 0, 1), "0 cells");
  EXPECT_SAYS(box_grid(Box{1, -1, 1}, 1, 1, 1), "-1");
  EXPECT_SAYS(box_grid(Box{1, 1, 1}, 1000, 1000, 1000), "fewer cells");
}

TEST(Refine, KeepsVolumeFieldAndConformity) {
  for (const Shape& shape : {Shape(Sphere{0.1}), Shape(Box{0.3, 0.2, 0.1}), Shape(Cylinder{0.05, 0.02})}) {
    SCOPED_TRACE(shape_name(shape));
    Compliance compliance;
    compliance.modulus = 1e6;
    compliance.resolution = 0.08;
    const PressureMesh coarse = make_pressure_mesh(shape, compliance), fine = refine(coarse);
    EXPECT_EQ(fine.mesh.tets.size(), 8 * coarse.mesh.tets.size());
    EXPECT_NEAR(volume(fine.mesh), volume(coarse.mesh), 1e-13 * volume(coarse.mesh));
    expect_positive_volumes(fine.mesh);
    expect_conforming(fine.mesh);
    expect_no_voids(fine);
    for (const Vec3& x : random_points(100, {0.1, 0.1, 0.1})) {
      const auto p = interpolate(coarse, x), q = interpolate(fine, x);
      ASSERT_EQ(p.has_value(), q.has_value());
      if (!p) continue;
      EXPECT_NEAR(*p, *q, 1e-9 * 1e6);
    }
  }
}

TEST(Scaled, KeepsOrientationThroughAMirror) {
  const TetMesh mirrored = scaled({-2, 1, 1}, kUnitTet);
  EXPECT_DOUBLE_EQ(volume(mirrored), 2.0 / 6.0);
  EXPECT_DOUBLE_EQ(enclosed_volume(scaled({1, 1, -3}, boundary(kUnitTet).surface)), 3.0 / 6.0);
  EXPECT_DOUBLE_EQ(volume(scaled({-1, -1, 1}, kUnitTet)), 1.0 / 6.0);
  EXPECT_SAYS(scaled({1, 0, 1}, kUnitTet), "(1, 0, 1)", "flatten");
}

}  // namespace
}  // namespace patchfield
