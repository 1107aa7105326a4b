// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Geometry as it comes from files and from simulations that ran too long: nothing throws,
// nothing is NaN, nothing is counted twice.

#include <cmath>

#include <gtest/gtest.h>

#include "patchfield/core/check.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/query.h"
#include "support/random.h"

namespace patchfield {
namespace {

void expect_sane(const ContactSurface& s) {
  for (int f = 0; f < s.num_faces(); ++f) {
    EXPECT_GT(s.area[f], 0.0);
    EXPECT_TRUE(s.centroid_W[f].allFinite() && s.cop_W[f].allFinite() && std::isfinite(s.pressure[f]));
    EXPECT_NEAR(s.nhat_AB_W[f].norm(), 1.0, 1e-12);
  }
}

Pose turned(double angle, const Vec3& p) { return {Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix(), p}; }

TEST(Degenerate, IdenticalShapesInIdenticalPoses) {
  Random random(1);
  for (int i = 0; i < 30; ++i) {
    const Geometry g = random.compliant(0.03);
    const Pose X = random.pose(1.0);
    expect_sane(contact_surface(g, X, g, X));
  }
}

// Two cubes that share a face exactly: zero pressure, and no face may come out as NaN.
TEST(Degenerate, CoplanarFacesExactlyInContact) {
  const Geometry box = Geometry::compliant(Box{1, 1, 1});
  for (const double angle : {0.0, M_PI / 4, M_PI / 2}) {
    const ContactSurface s = contact_surface(box, {}, box, turned(angle, {0, 0, 1}));
    expect_sane(s);
    EXPECT_LE(s.force_on_B_W().norm(), 1e-6);
    expect_sane(contact_surface(Geometry::rigid(Box{1, 1, 1}), {}, box, turned(angle, {0, 0, 1})));
    expect_sane(
        contact_surface(Geometry::rigid(HalfSpace{}), Pose::translation(0, 0, 0.5), box, turned(angle, {0, 0, 1})));
  }
}

// A cube in a grid of 1/4 m is pushed into a wider block of equal stiffness, layered alike: the
// plane of balance is exactly a layer of mesh faces in both. Each patch of it must be found once.
// The force with its rim is the one of closed_form_test.cpp (BoxOnCompliantHalfSpace), d = w = x/2.
TEST(Degenerate, SurfaceInsideMeshFacesIsCountedOnce) {
  const Geometry cube = Geometry::compliant(box_grid(Box{1, 1, 1}, 4, 4, 4), {.modulus = 1e6});
  const Geometry block = Geometry::compliant(box_grid(Box{4, 4, 1}, 16, 16, 4), {.modulus = 1e6});
  for (const double overlap : {0.5, 0.25}) {
    const ContactSurface s = contact_surface(block, {}, cube, Pose::translation(0, 0, 1 - overlap));
    const double w = overlap / 2, g = 1e6 / 0.5;
    const double force = g * (w * (1 - 2 * w) * (1 - 2 * w) + 2 * w * w - 8 * w * w * w / 3);
    EXPECT_NEAR(s.force_on_B_W().z(), force, 1e-9 * force) << overlap;
    const double sides = (1 - (1 - 2 * w) * (1 - 2 * w)) * std::sqrt(2.0);  // the rim rises at 45°
    EXPECT_NEAR(s.total_area(), (1 - 2 * w) * (1 - 2 * w) + sides, 1e-9) << overlap;
  }
}

TEST(Degenerate, RigidPlaneInsideMeshFacesIsCountedOnce) {
  const Geometry grid = Geometry::compliant(box_grid(Box{1, 1, 1}, 4, 4, 4), {.modulus = 1e6});
  const ContactSurface plane = contact_surface(Geometry::rigid(HalfSpace{}), Pose::translation(0, 0, -0.25), grid, {});
  const ContactSurface box = contact_surface(Geometry::rigid(Box{4, 4, 1}), Pose::translation(0, 0, -0.75), grid, {});
  // The bottom quarter is below the plane; the rim of 1/4 m belongs to the sides, ∇p ⟂ n̂.
  EXPECT_NEAR(plane.total_area(), 0.25, 1e-9);
  EXPECT_NEAR(box.total_area(), 0.25, 1e-9);
}

TEST(Degenerate, SliversAndDuplicatesAreCountedNotThrown) {
  PressureMesh mesh = Geometry::compliant(Box{1, 1, 1}).volume();
  const int n = static_cast<int>(mesh.mesh.vertices.size());
  mesh.mesh.vertices.push_back(mesh.mesh.vertices[0]);  // a duplicate vertex
  mesh.pressure.push_back(mesh.pressure[0]);
  mesh.mesh.tets.push_back({0, 1, 2, n});  // zero volume: two equal corners
  mesh.mesh.tets.push_back({0, 0, 1, 2});
  const Geometry g = Geometry::compliant(mesh.mesh, {.vertex_pressures = mesh.pressure});
  EXPECT_EQ(g.tree().num_degenerate, 1);  // the one that names a vertex twice went while meshing
  expect_sane(contact_surface(g, {}, g, turned(0.3, {0.2, 0.1, 0.8})));

  TriangleMesh flat{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 0, 3}, {0, 1, 3}}};
  const Geometry rigid = Geometry::rigid(flat);
  EXPECT_EQ(rigid.tree().num_degenerate, 2);
  expect_sane(contact_surface(rigid, {}, g, Pose::translation(0, 0, 0.4)));
}

// The physics does not depend on the unit of length: forces scale with the square.
TEST(Degenerate, MicrometresAndKilometres) {
  const auto force = [](double unit) {
    const Geometry a = Geometry::compliant(Sphere{unit}, {.modulus = 1e6, .resolution = 0.2 * unit});
    const Geometry b = Geometry::compliant(Box{unit, unit, unit}, {.modulus = 2e6});
    const ContactSurface s = contact_surface(a, {}, b, turned(0.4, Vec3(0.1, 0.2, 1.3) * unit));
    expect_sane(s);
    EXPECT_GT(s.num_faces(), 10);
    return s.force_on_B_W().norm() / (unit * unit);
  };
  const double reference = force(1.0);
  for (const double unit : {1e-6, 1e-3, 1e3, 1e6}) EXPECT_NEAR(force(unit), reference, 1e-9 * reference) << unit;
}

// A contact a kilometre from the origin of the world is the same contact.
TEST(Degenerate, FarFromTheOrigin) {
  const Geometry a = Geometry::compliant(Sphere{0.05}), b = Geometry::compliant(Box{0.1, 0.1, 0.1});
  const Pose X = turned(0.4, {0.01, 0.02, 0.09}), far = Pose::translation(1000, -2000, 500);
  const double near_force = contact_surface(a, {}, b, X).force_on_B_W().norm();
  EXPECT_NEAR(contact_surface(a, far, b, far * X).force_on_B_W().norm(), near_force, 1e-8 * near_force);
}

template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(BadInput, NamesTheVertexOrTheValue) {
  TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, std::nan(""), 0}}, {{0, 1, 2}}};
  EXPECT_NE(error_of([&] { Geometry::rigid(mesh); }).find("vertex 2"), std::string::npos);
  TetMesh tets{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, INFINITY}}, {{0, 1, 2, 3}}};
  EXPECT_NE(error_of([&] { Geometry::compliant(tets); }).find("vertex 3"), std::string::npos);
  EXPECT_NE(error_of([] { Geometry::compliant(HalfSpace{}, {.modulus = -1}); }).find("-1"), std::string::npos);
  const Geometry sphere = Geometry::compliant(Sphere{0.05});
  Pose bad;
  bad.p[1] = std::nan("");
  EXPECT_NE(error_of([&] { contact_surface(sphere, bad, sphere, {}); }).find("X_WA"), std::string::npos);
  EXPECT_NE(error_of([&] { contact_surface(sphere, {}, sphere, {}, {.max_face_size = -1}); }).find("max_face_size"),
            std::string::npos);
  EXPECT_NE(error_of([&] { contact_surface(sphere, {}, sphere, {}, {.min_face_area = -1}); }).find("min_face_area"),
            std::string::npos);
}

}  // namespace
}  // namespace patchfield
