// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Two random meshes in random poses: no crash, no NaN, no leak, and the tree finds what the
// double loop finds. Numbers come from a short list of nasty values as often as from noise, so
// that slivers, duplicates and coplanar faces in exact contact are common.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "patchfield/core/check.h"
#include "patchfield/geometry/query.h"

namespace patchfield {
namespace {

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  int byte() { return at_ < size_ ? data_[at_++] : 0; }
  int below(int n) { return byte() % n; }
  double number() {
    static constexpr double kNasty[] = {0.0,  1.0,   -1.0, 0.5,  -0.5,      0.25, 1e-6,   -1e-6,
                                        1e-9, 1e-13, 1e3,  -1e3, 1.0 / 3.0, 0.1,  1e-300, 1e12};
    const int b = byte();
    if (b < 200) return (b - 100) / 100.0;
    if (b < 250) return kNasty[b % 16];
    if (b < 254) return std::ldexp(byte() - 128, byte() % 40 - 20);
    return b == 254 ? std::nan("") : INFINITY;
  }
  double size() { return std::abs(number()) + (byte() < 250 ? 1e-3 : 0.0); }
  Vec3 vector() {
    const double x = number(), y = number(), z = number();
    return {x, y, z};
  }
  Pose pose() {
    Pose X;
    X.p = vector();
    if (below(3) != 0) {
      const Eigen::Quaterniond q(1.0, number(), number(), number());
      if (q.coeffs().allFinite()) X.R = q.normalized().toRotationMatrix();
    }
    return X;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

TetMesh tet_mesh(Bytes& bytes) {
  TetMesh mesh;
  const int n = 4 + bytes.below(8);
  for (int i = 0; i < n; ++i) mesh.vertices.push_back(bytes.vector());
  const int tets = 1 + bytes.below(8);
  for (int t = 0; t < tets; ++t) {
    std::array<int, 4> tet{bytes.below(n), bytes.below(n), bytes.below(n), bytes.below(n)};
    const Vec3 &a = mesh.vertices[tet[0]], &b = mesh.vertices[tet[1]], &c = mesh.vertices[tet[2]],
               &d = mesh.vertices[tet[3]];
    if ((b - a).cross(c - a).dot(d - a) < 0) std::swap(tet[0], tet[1]);
    mesh.tets.push_back(tet);
  }
  return mesh;
}

TriangleMesh triangle_mesh(Bytes& bytes) {
  TriangleMesh mesh;
  const int n = 3 + bytes.below(8);
  for (int i = 0; i < n; ++i) mesh.vertices.push_back(bytes.vector());
  const int triangles = bytes.below(8);
  for (int t = 0; t < triangles; ++t) mesh.triangles.push_back({bytes.below(n), bytes.below(n), bytes.below(n)});
  return mesh;
}

Shape shape(Bytes& bytes) {
  switch (bytes.below(10)) {
    case 0: return Sphere{bytes.size()};
    case 1: return Box{bytes.size(), bytes.size(), bytes.size()};
    case 2: return Cylinder{bytes.size(), bytes.size()};
    case 3: return Capsule{bytes.size(), bytes.size()};
    case 4: return Ellipsoid{bytes.size(), bytes.size(), bytes.size()};
    case 5: return HalfSpace{};
    case 6: {
      ConvexHull hull;
      const int n = bytes.below(12);
      for (int i = 0; i < n; ++i) hull.points.push_back(bytes.vector());
      return hull;
    }
    case 7: return triangle_mesh(bytes);
    default: return tet_mesh(bytes);
  }
}

/// Eight segments around anything: a fuzzer wants speed.
constexpr double kCoarsest = 1e15;

Geometry geometry(Bytes& bytes) {
  const Shape s = shape(bytes);
  Compliance compliance;
  compliance.resolution = kCoarsest;
  if (bytes.below(3) == 0 || std::holds_alternative<TriangleMesh>(s)) return Geometry::rigid(s, kCoarsest);
  compliance.modulus = bytes.below(2) ? 1e6 : bytes.size();
  if (bytes.below(3) == 0) compliance.margin = bytes.size() - 1e-3;
  if (const auto* mesh = std::get_if<TetMesh>(&s); mesh != nullptr && bytes.below(3) == 0)
    for (std::size_t i = 0; i < mesh->vertices.size(); ++i) compliance.vertex_pressures.push_back(bytes.number());
  return Geometry::compliant(s, compliance);
}

[[noreturn]] void fail(const char* what) {
  std::cerr << "surface_fuzz: " << what << "\n";
  std::abort();
}

void check(const ContactSurface& s) {
  for (int f = 0; f < s.num_faces(); ++f) {
    if (!(s.area[f] > 0.0) || !std::isfinite(s.area[f])) fail("area is not positive and finite");
    if (!s.centroid_W[f].allFinite() || !s.cop_W[f].allFinite()) fail("centroid is not finite");
    if (!std::isfinite(s.pressure[f]) || !std::isfinite(s.cop_pressure[f])) fail("pressure is not finite");
    if (!(std::abs(s.nhat_AB_W[f].norm() - 1.0) < 1e-9)) fail("normal is not a unit vector");
    if (s.face_start[f + 1] - s.face_start[f] < 3) fail("a face has fewer than three vertices");
  }
  for (const Vec3& v : s.vertex_W)
    if (!v.allFinite()) fail("vertex is not finite");
}

/// How far x is outside of the tetrahedron or triangle that the face came from, in units of the scene's size.
double outside(const Geometry& g, const Pose& X_WG, int element, const Vec3& x_W, double size) {
  if (element < 0) return 0.0;  // a half space
  const Vec3 x = X_WG.inverse() * x_W;
  std::array<Vec3, 4> v;
  int n = 3;
  if (g.is_rigid())
    for (int i = 0; i < 3; ++i) v[i] = g.surface().vertices[g.surface().triangles[element][i]];
  else
    for (n = 0; n < 4; ++n) v[n] = g.volume().mesh.vertices[g.volume().mesh.tets[element][n]];
  double worst = 0.0;
  const Vec3 up = n == 3 ? Vec3((v[1] - v[0]).cross(v[2] - v[0])) : Vec3(Vec3::Zero());
  for (int i = 0; i < n; ++i) {
    // The side opposite to vertex i, its normal towards that vertex.
    const Vec3 &a = v[(i + 1) % n], &b = v[(i + 2) % n];
    Vec3 normal = n == 3 ? Vec3(up.cross(b - a)) : Vec3((b - a).cross(v[(i + 3) % n] - a));
    const double length = normal.norm();
    if (!(length > 1e-9 * size * (n == 3 ? size * size : size))) return 0.0;  // a sliver has no reliable normal
    if (normal.dot(v[i] - a) < 0.0) normal = -normal;
    worst = std::max(worst, -normal.dot(x - a) / length);
  }
  return worst / size;
}

/// Every vertex lies in both elements, up to rounding.
void check_places(const ContactSurface& s, const Geometry& A, const Pose& X_WA, const Geometry& B, const Pose& X_WB) {
  double size = 1.0 + X_WA.p.cwiseAbs().maxCoeff() + X_WB.p.cwiseAbs().maxCoeff();
  for (const Geometry* g : {&A, &B})
    if (!g->half_space()) size += g->bounds().lower.cwiseAbs().maxCoeff() + g->bounds().upper.cwiseAbs().maxCoeff();
  for (int f = 0; f < s.num_faces(); ++f)
    for (int i = s.face_start[f]; i < s.face_start[f + 1]; ++i) {
      if (outside(A, X_WA, s.element_A[f], s.vertex_W[i], size) > 1e-9) fail("a vertex lies outside of A's element");
      if (outside(B, X_WB, s.element_B[f], s.vertex_W[i], size) > 1e-9) fail("a vertex lies outside of B's element");
    }
}

void run(Bytes bytes) {
  const Geometry A = geometry(bytes), B = geometry(bytes);
  const Pose X_WA = bytes.pose(), X_WB = bytes.pose();
  SurfaceOptions options;
  if (bytes.below(2)) options.tessellation = Tessellation::kTriangle;
  if (bytes.below(8) == 0) options.max_face_size = 0.5;
  SurfaceScratch scratch;
  ContactSurface by_tree, by_loop;
  compute_contact_surface(A, X_WA, B, X_WB, options, scratch, by_tree);
  check(by_tree);
  check_places(by_tree, A, X_WA, B, X_WB);
  compute_contact_surface_by_brute_force(A, X_WA, B, X_WB, options, scratch, by_loop);
  check(by_loop);
  if (by_tree.num_faces() != by_loop.num_faces()) fail("the tree and the double loop disagree");
}

}  // namespace
}  // namespace patchfield

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    patchfield::run(patchfield::Bytes(data, size));
  } catch (const patchfield::InputError&) {
    // Refusing bad input with a reason is right.
  }
  return 0;
}
