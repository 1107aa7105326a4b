// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/tessellate.h"

#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "geometry/mesh_laws.h"
#include "patchfield/geometry/mesh_tools.h"

namespace patchfield {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kE = 2e6;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

PressureMesh mesh_of(const Shape& shape, double resolution, double margin = 0.0) {
  Compliance compliance;
  compliance.modulus = kE;
  compliance.resolution = resolution;
  compliance.margin = margin;
  return make_pressure_mesh(shape, compliance);
}

// The extent of the paper's shapes, of the smooth shape itself (theory.md §1).
double extent(const Sphere& s, const Vec3& x) { return 1.0 - x.norm() / s.radius; }
double extent(const Ellipsoid& s, const Vec3& x) { return 1.0 - Vec3(x.x() / s.a, x.y() / s.b, x.z() / s.c).norm(); }
double extent(const Capsule& s, const Vec3& x) {
  const double z = std::clamp(x.z(), -s.length / 2, s.length / 2);
  return 1.0 - (x - Vec3(0, 0, z)).norm() / s.radius;
}
double extent(const Cylinder& s, const Vec3& x) {
  const double r = std::hypot(x.x(), x.y()), L = s.length / 2;
  return std::min(s.radius - r, L - std::abs(x.z())) / std::min(s.radius, L);
}
double extent(const Box& s, const Vec3& x) {
  const Vec3 half = 0.5 * Vec3(s.x, s.y, s.z);
  return (half - x.cwiseAbs()).minCoeff() / half.minCoeff();
}

// Inside the N-gon, r is the gauge whose unit ball it is: r = max over sides of x·n̂ᵢ/cos(π/N).
double ngon_extent(const Cylinder& s, int N, const Vec3& x) {
  double r = 0.0;
  for (int i = 0; i < N; ++i) {
    const double angle = 2 * kPi * (i + 0.5) / N;
    r = std::max(r, (x.x() * std::cos(angle) + x.y() * std::sin(angle)) / std::cos(kPi / N));
  }
  const double L = s.length / 2;
  return std::min(s.radius - r, L - std::abs(x.z())) / std::min(s.radius, L);
}

struct Case {
  const char* name;
  Shape shape;
  double resolution;
};

std::vector<Case> primitives() {
  return {
      {"sphere of 8", Sphere{0.1}, 1.0},
      {"sphere", Sphere{0.1}, 0.04},
      {"ellipsoid", Ellipsoid{0.1, 0.05, 0.2}, 0.08},
      {"capsule", Capsule{0.05, 0.3}, 0.02},
      {"short capsule", Capsule{0.05, 0.001}, 0.02},
      {"capsule without length", Capsule{0.05, 0.0}, 0.02},
      {"long cylinder", Cylinder{0.05, 0.4}, 0.02},
      {"coin", Cylinder{0.05, 0.01}, 0.02},
      {"coin of 12", Cylinder{0.05, 0.01}, 0.03},
      {"cylinder as long as wide", Cylinder{0.05, 0.1}, 0.02},
      {"cylinder nearly as long as wide", Cylinder{0.05, 0.1 * (1 + 1e-11)}, 0.02},
      {"cube", Box{0.2, 0.2, 0.2}, 1.0},
      {"nearly a cube", Box{0.2, 0.2 * (1 - 1e-12), 0.2}, 1.0},
      {"square rod", Box{0.2, 0.1, 0.1}, 1.0},
      {"square plate", Box{0.2, 0.05, 0.2}, 1.0},
      {"brick", Box{0.3, 0.2, 0.1}, 1.0},
  };
}

TEST(SegmentsAround, RoundsUpToAMultipleOfFour) {
  EXPECT_EQ(segments_around(1.0, 2 * kPi / 9.5), 12);
  EXPECT_EQ(segments_around(1.0, 2 * kPi / 12.5), 16);
  EXPECT_EQ(segments_around(1.0, 0.02), 316);  // ⌈314.16⌉ = 315
}

TEST(SegmentsAround, KeepsANumberThatTheResolutionWasMadeFrom) {
  for (int N = 8; N <= 4000; N += 4) ASSERT_EQ(segments_around(0.01213, 2 * kPi * 0.01213 / N), N);
}

TEST(SegmentsAround, IsAtLeastEight) {
  EXPECT_EQ(segments_around(1.0, 5.0), 8);
  EXPECT_EQ(segments_around(1e-3, 1e300), 8);
}

TEST(SegmentsAround, RefusesWhatNobodyCanMean) {
  EXPECT_SAYS(segments_around(-1.0, 0.1), "radius", "-1");
  EXPECT_SAYS(segments_around(1.0, kNaN), "resolution", "nan");
  EXPECT_SAYS(segments_around(1.0, 1e-300), "1e-300", "larger resolution");
}

TEST(PressureMesh, ObeysTheLawsOfMeshes) {
  for (const Case& c : primitives()) {
    for (const double margin : {0.0, 1e-3}) {
      SCOPED_TRACE(std::string(c.name) + ", margin " + std::to_string(margin));
      const PressureMesh field = mesh_of(c.shape, c.resolution, margin);
      ASSERT_EQ(field.pressure.size(), field.mesh.vertices.size());
      expect_positive_volumes(field.mesh);
      expect_conforming(field.mesh);
      expect_mirror_symmetric(field.mesh);
      expect_no_voids(field);
      EXPECT_EQ(*std::max_element(field.pressure.begin(), field.pressure.end()), kE);

      // Positive inside, and on the surface a plain zero or the skirt's negative.
      std::set<int> outer;
      for (const auto& f : outer_faces(field.mesh)) outer.insert(f.begin(), f.end());
      for (int v = 0; v < static_cast<int>(field.pressure.size()); ++v) {
        const double p = field.pressure[v];
        const bool is_right = !outer.contains(v) ? p > 0.0 : margin > 0.0 ? p < 0.0 : p == 0.0 && !std::signbit(p);
        EXPECT_TRUE(is_right) << p << " Pa at vertex " << v;
      }
    }
  }
}

TEST(PressureMesh, HasTheNumbersOfTheDesign) {
  EXPECT_EQ(mesh_of(Sphere{1.0}, 2 * kPi / 40).mesh.tets.size(), 8u * 10 * 10);
  EXPECT_EQ(mesh_of(Sphere{1.0}, 2 * kPi / 40).mesh.vertices.size(), 4u * 10 * 10 + 3);
  EXPECT_EQ(mesh_of(Box{1, 1, 1}, 1).mesh.tets.size(), 24u);
  EXPECT_EQ(mesh_of(Capsule{1, 3}, 2 * kPi / 40).mesh.tets.size(), 8u * 10 * 10 + 8 * 40);
  EXPECT_EQ(mesh_of(Cylinder{1, 5}, 2 * kPi / 40).mesh.tets.size(), 10u * 40);
  EXPECT_EQ(mesh_of(Cylinder{1, 2}, 2 * kPi / 40).mesh.tets.size(), 6u * 40);
  EXPECT_EQ(mesh_of(Cylinder{1, 0.5}, 2 * kPi / 40).mesh.tets.size(), 12u * 40);
}

// The coin's ring of centroids at 2R/3 needs a cap of exactly N triangles about its centre (theory.md §7).
TEST(PressureMesh, CoinFaceIsAFanOf152) {
  const double R = 12.13e-3, t = 1.75e-3;
  const PressureMesh field = mesh_of(Cylinder{R, t}, 2 * kPi * R / 152);
  int num_cap = 0;
  for (const auto& f : outer_faces(field.mesh)) {
    const Vec3 c = (field.mesh.vertices[f[0]] + field.mesh.vertices[f[1]] + field.mesh.vertices[f[2]]) / 3;
    if (std::abs(c.z() - t / 2) > 1e-12) continue;
    ++num_cap;
    EXPECT_NEAR(std::hypot(c.x(), c.y()), 2 * R / 3 * std::cos(kPi / 152), 1e-12);
  }
  EXPECT_EQ(num_cap, 152);
}

// Wall centres are the middles of chords: on the N-gon, not on the circle, so the smooth field does not know them.
TEST(PressureMesh, IsTheClosedFormAtVertices) {
  for (const Case& c : primitives()) {
    SCOPED_TRACE(c.name);
    const PressureMesh field = mesh_of(c.shape, c.resolution);
    int num_on_chords = 0;
    for (std::size_t v = 0; v < field.pressure.size(); ++v) {
      const Vec3& x = field.mesh.vertices[v];
      const auto extent_at_x = [&](const auto& s) {
        if constexpr (requires { extent(s, x); }) return extent(s, x);
        else return kNaN;
      };
      const double e = std::visit(extent_at_x, c.shape);
      const bool is_on_chord = field.pressure[v] == 0.0 && x.z() == 0.0 && e > 1e-6;
      num_on_chords += is_on_chord;
      EXPECT_NEAR(field.pressure[v], is_on_chord ? 0.0 : kE * e, 2e-9 * kE) << x.transpose();
    }
    const bool has_wall = std::holds_alternative<Cylinder>(c.shape) ||
                          (std::holds_alternative<Capsule>(c.shape) && std::get<Capsule>(c.shape).length > 0.0);
    EXPECT_EQ(num_on_chords, has_wall ? segments_around(0.05, c.resolution) : 0);
  }
}

// The medial axis is in the mesh, so the box's field is exact everywhere and not only at vertices.
TEST(PressureMesh, OfABoxIsTheDistanceEverywhere) {
  for (const Box& box :
       {Box{0.2, 0.2, 0.2}, Box{0.2, 0.1, 0.1}, Box{0.2, 0.05, 0.2}, Box{0.3, 0.2, 0.1}, Box{0.1, 0.3, 0.2}}) {
    const PressureMesh field = mesh_of(box, 1.0);
    for (const Vec3& x : random_points(500, 0.5 * Vec3(box.x, box.y, box.z)))
      EXPECT_NEAR(interpolate(field, x).value(), kE * extent(box, x), 1e-12 * kE);
  }
}

TEST(PressureMesh, OfACylinderIsThatOfItsPolygonEverywhere) {
  for (const Cylinder& cylinder : {Cylinder{0.05, 0.4}, Cylinder{0.05, 0.01}, Cylinder{0.05, 0.1}}) {
    const PressureMesh field = mesh_of(cylinder, 0.02);
    const int N = segments_around(0.05, 0.02);
    int num_inside = 0;
    for (const Vec3& x : random_points(500, {0.05, 0.05, cylinder.length / 2})) {
      const double e = ngon_extent(cylinder, N, x);
      if (e < 1e-9) continue;
      ++num_inside;
      EXPECT_NEAR(interpolate(field, x).value(), kE * e, 1e-12 * kE);
    }
    EXPECT_GT(num_inside, 300);
  }
}

// Inside the shape the field does not know of the margin: same zero level, same gradients.
TEST(Margin, LeavesTheFieldInsideAlone) {
  std::vector<Case> cases = primitives();
  cases.push_back({"hull", ConvexHull{random_points(40, {0.1, 0.2, 0.1})}, 1.0});
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const PressureMesh plain = mesh_of(c.shape, c.resolution), skirted = mesh_of(c.shape, c.resolution, 2e-3);
    int num_inside = 0;
    Vec3 half = Vec3::Zero();
    for (const Vec3& x : skirted.mesh.vertices) half = half.cwiseMax(x.cwiseAbs());
    for (const Vec3& x : random_points(200, half)) {
      const std::optional<double> p = interpolate(plain, x, 0.0), q = interpolate(skirted, x);
      if (!p) {
        EXPECT_LT(q.value_or(-1.0), 1e-9 * kE) << x.transpose();
        continue;
      }
      ++num_inside;
      ASSERT_TRUE(q.has_value());
      EXPECT_NEAR(*q, *p, 1e-9 * kE) << x.transpose();
    }
    EXPECT_GT(num_inside, 40);
  }
}

// The skirt is m wide: at the plane faces exactly, with the slope E/H of the field.
TEST(Margin, InflatesByItsWidth) {
  const double m = 1e-3;
  for (const auto& [shape, H] :
       {std::pair(Shape(Box{0.3, 0.2, 0.1}), 0.05), std::pair(Shape(Cylinder{0.05, 0.3}), 0.05),
        std::pair(Shape(Cylinder{0.05, 0.02}), 0.01), std::pair(Shape(Sphere{0.1}), 0.1),
        std::pair(Shape(Capsule{0.05, 0.2}), 0.05)}) {
    SCOPED_TRACE(shape_name(shape));
    const PressureMesh plain = mesh_of(shape, 0.02), skirted = mesh_of(shape, 0.02, m);
    EXPECT_NEAR(*std::min_element(skirted.pressure.begin(), skirted.pressure.end()), -kE * m / H, 1e-12 * kE);
    Vec3 before = Vec3::Zero(), after = Vec3::Zero();
    for (const Vec3& x : plain.mesh.vertices) before = before.cwiseMax(x);
    for (const Vec3& x : skirted.mesh.vertices) after = after.cwiseMax(x);
    EXPECT_NEAR((after - before - Vec3::Constant(m)).norm(), 0.0, 1e-15);
  }
}

// The tangent planes of an ellipsoid move outwards by m: n̂·(x' − x) = m at each vertex.
TEST(Margin, MovesTheTangentPlanesOfAnEllipsoid) {
  const Ellipsoid s{0.1, 0.05, 0.2};
  const double m = 1e-3;
  const PressureMesh plain = mesh_of(s, 0.08), skirted = mesh_of(s, 0.08, m);
  for (std::size_t v = 0; v < plain.pressure.size(); ++v) {
    if (plain.pressure[v] > 0.0) continue;
    const Vec3& x = plain.mesh.vertices[v];
    const Vec3 nhat = Vec3(x.x() / (s.a * s.a), x.y() / (s.b * s.b), x.z() / (s.c * s.c)).normalized();
    EXPECT_NEAR(nhat.dot(skirted.mesh.vertices[v] - x), m, 1e-15);
    EXPECT_NEAR(skirted.pressure[v], kE * extent(s, skirted.mesh.vertices[v]), 1e-12 * kE);
  }
}

struct Measures {
  double volume, area;
};

// Chords and facets miss the smooth shape by O(h²). Three halvings; the order must be 2.0 ± 0.1.
TEST(Tessellation, ConvergesAtSecondOrder) {
  const double R = 0.1, l = 0.3;
  const double c = 0.2, e = std::sqrt(1 - R * R / (c * c));  // prolate spheroid R, R, c
  const std::vector<std::pair<Shape, Measures>> exact = {
      {Sphere{R}, {4 * kPi / 3 * R * R * R, 4 * kPi * R * R}},
      {Capsule{R, l}, {4 * kPi / 3 * R * R * R + kPi * R * R * l, 4 * kPi * R * R + 2 * kPi * R * l}},
      {Cylinder{R, l}, {kPi * R * R * l, 2 * kPi * R * l + 2 * kPi * R * R}},
      {Cylinder{R, 0.05}, {kPi * R * R * 0.05, 2 * kPi * R * 0.05 + 2 * kPi * R * R}},
      {Ellipsoid{R, R, c}, {4 * kPi / 3 * R * R * c, 2 * kPi * R * R * (1 + c / (R * e) * std::asin(e))}},
  };
  for (const auto& [shape, measures] : exact) {
    SCOPED_TRACE(shape_name(shape));
    double volume_error = 0.0, area_error = 0.0;
    for (int N = 32; N <= 256; N *= 2) {
      const double r = std::holds_alternative<Ellipsoid>(shape) ? c : R;
      const double h = 2 * kPi * r / N;
      const double dV = measures.volume - volume(mesh_of(shape, h).mesh);
      const double dA = measures.area - area(make_surface_mesh(shape, h));
      EXPECT_GT(dV, 0.0);
      EXPECT_GT(dA, 0.0);
      if (N > 32) {
        EXPECT_NEAR(std::log2(volume_error / dV), 2.0, 0.1) << N;
        EXPECT_NEAR(std::log2(area_error / dA), 2.0, 0.1) << N;
      }
      volume_error = dV, area_error = dA;
    }
    EXPECT_LT(volume_error, 1e-3 * measures.volume);
    EXPECT_LT(area_error, 1e-3 * measures.area);
  }
}

TEST(Tessellation, EdgesOnTheLargestCircleKeepTheResolution) {
  const double h = 0.013;
  const TriangleMesh surface = make_surface_mesh(Sphere{0.1}, h);
  double longest = 0.0;
  for (const auto& t : surface.triangles) {
    for (int e = 0; e < 3; ++e) {
      const Vec3 &a = surface.vertices[t[e]], &b = surface.vertices[t[(e + 1) % 3]];
      if (a.z() == 0.0 && b.z() == 0.0) longest = std::max(longest, (a - b).norm());
    }
  }
  EXPECT_GT(longest, 0.9 * h);
  EXPECT_LE(longest, h);
}

TEST(SurfaceMesh, IsTheBoundaryOfThePressureMesh) {
  for (const Case& c : primitives()) {
    SCOPED_TRACE(c.name);
    const TriangleMesh surface = make_surface_mesh(c.shape, c.resolution);
    expect_closed(surface.triangles);
    EXPECT_NEAR(enclosed_volume(surface), volume(mesh_of(c.shape, c.resolution).mesh),
                1e-12 * enclosed_volume(surface));
    const int chi = static_cast<int>(surface.vertices.size()) - static_cast<int>(surface.triangles.size()) / 2;
    EXPECT_EQ(chi, 2);
  }
}

// A box face as four triangles about its centre, never two (theory.md §1).
TEST(SurfaceMesh, OfABoxHas24Triangles) {
  const TriangleMesh surface = make_surface_mesh(Box{0.3, 0.2, 0.1}, 1.0);
  EXPECT_EQ(surface.triangles.size(), 24u);
  EXPECT_EQ(surface.vertices.size(), 14u);
  EXPECT_NEAR(area(surface), 2 * (0.06 + 0.03 + 0.02), 1e-15);
}

TEST(SurfaceMesh, PassesTrianglesThroughAndKeepsZeroAreas) {
  const TriangleMesh open{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}}, {{0, 1, 2}, {0, 1, 3}}};
  const TriangleMesh out = make_surface_mesh(open, 1.0);
  EXPECT_EQ(out.triangles, open.triangles);
  EXPECT_EQ(out.vertices, open.vertices);
}

TEST(SurfaceMesh, RefusesBrokenTriangles) {
  TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  mesh.vertices[2].y() = kNaN;
  EXPECT_SAYS(make_surface_mesh(mesh, 1.0), "vertex 2", "nan", "finite");
  mesh.vertices[2].y() = 1.0;
  mesh.triangles.push_back({0, 1, 3});
  EXPECT_SAYS(make_surface_mesh(mesh, 1.0), "triangle 1", "vertex 3", "3 vertices");
  mesh.triangles.back() = {0, -1, 2};
  EXPECT_SAYS(make_surface_mesh(mesh, 1.0), "triangle 1", "vertex -1");
  mesh.triangles.clear();
  EXPECT_SAYS(make_surface_mesh(mesh, 1.0), "no triangles");
}

// Default resolution --------------------------------------------------------------------------

int tets_by_default(const Shape& shape) { return static_cast<int>(make_pressure_mesh(shape, {}).mesh.tets.size()); }

TEST(DefaultResolution, IsAnEighthOfTheRadiusWhateverTheSize) {
  // ⌈2π·8⌉ = 51 segments, in fours 52. Sphere N²/2; capsule 8N more for its wall; cylinder 2N caps and 8N walls.
  for (const double r : {1e-6, 1e-3, 0.007, 0.05, 0.159}) {
    EXPECT_DOUBLE_EQ(default_resolution(Sphere{r}).value(), r / 8);
    EXPECT_EQ(tets_by_default(Sphere{r}), 52 * 52 / 2);
    EXPECT_DOUBLE_EQ(default_resolution(Capsule{r, 3 * r}).value(), r / 8);
    EXPECT_EQ(tets_by_default(Capsule{r, 3 * r}), 52 * 52 / 2 + 8 * 52);
    EXPECT_DOUBLE_EQ(default_resolution(Cylinder{r, 5 * r}).value(), r / 8);
    EXPECT_EQ(tets_by_default(Cylinder{r, 5 * r}), 10 * 52);
    EXPECT_DOUBLE_EQ(default_resolution(Ellipsoid{0.3 * r, r, 0.1 * r}).value(), r / 8);
    EXPECT_EQ(tets_by_default(Ellipsoid{0.3 * r, r, 0.1 * r}), 52 * 52 / 2);
  }
}

TEST(DefaultResolution, IsAtMostTwoCentimetresAndNeverUnaffordable) {
  EXPECT_DOUBLE_EQ(default_resolution(Sphere{0.5}).value(), 0.02);
  EXPECT_DOUBLE_EQ(default_resolution(Cylinder{1.9, 0.1}).value(), 0.02);
  EXPECT_DOUBLE_EQ(default_resolution(Capsule{0.2, 0.1}).value(), 0.02);
  EXPECT_DOUBLE_EQ(default_resolution(Ellipsoid{0.01, 0.2, 0.01}).value(), 0.02);
  EXPECT_EQ(tets_by_default(Sphere{1e4}), 632 * 632 / 2);  // ⌈200π⌉ = 629 segments, in fours 632
}

TEST(DefaultResolution, IsATenthOfTheDiagonalOfASurface) {
  EXPECT_DOUBLE_EQ(default_resolution(make_surface_mesh(Box{0.3, 0.4, 1.2})).value(), 0.13);
}

TEST(DefaultResolution, ExistsOnlyWhereItHasAnEffect) {
  for (const Shape& shape : {Shape(Box{1, 2, 3}), Shape(HalfSpace{}), Shape(ConvexHull{}), Shape(TetMesh{})})
    EXPECT_FALSE(default_resolution(shape).has_value()) << shape_name(shape);
}

TEST(DefaultResolution, HoldsForRigidSurfacesToo) {
  EXPECT_EQ(make_surface_mesh(Sphere{0.01}).triangles.size(), 52u * 52u / 2u);
  EXPECT_EQ(make_surface_mesh(Sphere{0.01}, 0.02).triangles.size(), 32u) << "what is given is kept";
}

TEST(Errors, NameShapeParameterValueAndCure) {
  EXPECT_SAYS(mesh_of(Sphere{-0.1}, 0.1), "sphere", "radius", "-0.1", "above zero");
  EXPECT_SAYS(mesh_of(Sphere{kNaN}, 0.1), "sphere", "radius", "nan");
  EXPECT_SAYS(mesh_of(Box{1, 0, 1}, 0.1), "box", "size y", "= 0");
  EXPECT_SAYS(mesh_of(Box{1, 1, kInf}, 0.1), "box", "size z", "inf");
  EXPECT_SAYS(mesh_of(Cylinder{1, -2}, 0.1), "cylinder", "length", "-2");
  EXPECT_SAYS(mesh_of(Capsule{1, -2}, 0.1), "capsule", "length", "-2", "zero or");
  EXPECT_SAYS(mesh_of(Ellipsoid{1, 1, 0}, 0.1), "ellipsoid", "semi-axis c");
  EXPECT_SAYS(mesh_of(Sphere{1}, 0.0), "sphere", "resolution", "= 0");
  EXPECT_SAYS(mesh_of(Sphere{1}, 0.1, -1e-4), "sphere", "margin", "-0.0001");
  EXPECT_SAYS(mesh_of(HalfSpace{}, 0.1), "half space", "box");
  EXPECT_SAYS(mesh_of(TriangleMesh{}, 0.1), "triangle mesh", "tetrahedra", "rigid");
  EXPECT_SAYS(make_surface_mesh(HalfSpace{}, 0.1), "half space");
  EXPECT_SAYS(make_surface_mesh(Sphere{1}, -1.0), "resolution", "-1");

  Compliance soft;
  soft.modulus = 0.0;
  EXPECT_SAYS(make_pressure_mesh(Sphere{1}, soft), "modulus", "= 0 Pa");
  Compliance own;
  own.vertex_pressures = {1.0};
  EXPECT_SAYS(make_pressure_mesh(Sphere{1}, own), "sphere", "vertex_pressures", "tetrahedral meshes only");
}

TEST(Errors, RefuseResolutionsThatFillTheMemory) {
  EXPECT_SAYS(mesh_of(Sphere{1}, 1e-3), "sphere", "0.001", "4000000", "larger resolution");
  EXPECT_SAYS(mesh_of(Cylinder{1, 1}, 1e-6), "cylinder", "1e-06", "larger resolution");
  EXPECT_SAYS(mesh_of(Capsule{1, 1}, 1e-30), "capsule", "1e-30", "larger resolution");
}

}  // namespace
}  // namespace patchfield
