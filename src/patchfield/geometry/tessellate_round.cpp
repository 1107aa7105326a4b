// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Sphere, ellipsoid, capsule and cylinder.
//
// All of them stand on the same N = 4n points of a circle and on the octahedron subdivided n times,
// whose coordinates come from one table of sines: mirror images agree in every bit.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "patchfield/geometry/shape_meshes.h"
#include "patchfield/geometry/tessellate.h"

namespace patchfield {
namespace {

/// sin(πj/2n) for j = 0…n: a quarter of the circle.
std::vector<double> quarter_sines(int n) {
  std::vector<double> sines(n + 1);
  for (int j = 0; j <= n; ++j) sines[j] = std::sin(std::numbers::pi * j / (2 * n));
  return sines;
}

/// Point 0…4n − 1 of the unit circle, counter-clockwise from +x.
std::vector<Vec3> unit_ring(int n) {
  const std::vector<double> sine = quarter_sines(n);
  std::vector<Vec3> ring;
  for (int i = 0; i < 4 * n; ++i) {
    const int j = i % n;
    const double c = sine[n - j], s = sine[j];
    constexpr int kTurn[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const auto [tx, ty] = std::pair(kTurn[i / n][0], kTurn[i / n][1]);
    ring.push_back({tx * c - ty * s, ty * c + tx * s, 0.0});
  }
  return ring;
}

/// The lattice |i| + |j| + |k| = n of a subdivided octahedron, numbered level by level (k) from the south pole; a level
/// goes counter-clockwise from +x.
class OctahedralLattice {
 public:
  using Point = Eigen::Vector3i;

  explicit OctahedralLattice(int n) : n_(n) {}

  int size() const { return 4 * n_ * n_ + 2; }
  int level_start(int k) const {
    // Below level k there are the pole and levels of 4, 8, 12, … points; above it, the same from the other pole.
    const int m = n_ - std::abs(k);
    if (k <= 0) return m == 0 ? 0 : 1 + 2 * m * (m - 1);
    return size() - 1 - 2 * m * (m + 1);
  }
  int index(const Point& p) const { return level_start(p.z()) + place_in_level(p.x(), p.y()); }

 private:
  static int place_in_level(int i, int j) {
    const int m = std::abs(i) + std::abs(j);
    if (m == 0) return 0;
    if (i > 0 && j >= 0) return j;
    if (i <= 0 && j > 0) return m - i;
    if (i < 0) return 2 * m - j;
    return 3 * m + i;
  }

  int n_;
};

struct OctahedralSphere {
  std::vector<Vec3> directions;               ///< Unit vectors of the lattice points.
  std::vector<std::array<int, 3>> triangles;  ///< 8n², outward; the first half is the northern hemisphere.
  int equator;                                ///< First of the 4n vertices of the level k = 0.
};

/// Direction (sin πi/2n, sin πj/2n, sin πk/2n), normalised: equal arcs along the edges of the octahedron.
std::vector<Vec3> octahedral_directions(const OctahedralLattice& lattice, int n) {
  const std::vector<double> sine = quarter_sines(n);
  const auto signed_sine = [&](int i) { return i < 0 ? -sine[-i] : sine[i]; };
  std::vector<Vec3> directions(lattice.size());
  for (int k = -n; k <= n; ++k) {
    const int m = n - std::abs(k);
    for (int i = -m; i <= m; ++i) {
      for (const int j : {m - std::abs(i), std::abs(i) - m})
        directions[lattice.index({i, j, k})] = Vec3(signed_sine(i), signed_sine(j), signed_sine(k)).normalized();
    }
  }
  return directions;
}

/// n² triangles of the octant with these signs: those that point like the octant's own, and those between them.
void add_octant(const OctahedralLattice& lattice, int n, const Eigen::Vector3i& sign,
                std::vector<std::array<int, 3>>& triangles) {
  const auto add = [&](const OctahedralLattice::Point& p, OctahedralLattice::Point q, OctahedralLattice::Point r) {
    if (sign.prod() < 0) std::swap(q, r);  // a mirror image turns round
    triangles.push_back({lattice.index(sign.cwiseProduct(p)), lattice.index(sign.cwiseProduct(q)),
                         lattice.index(sign.cwiseProduct(r))});
  };
  for (int a = 0; a < n; ++a) {
    for (int b = 0; a + b < n; ++b) {
      const int c = n - 1 - a - b;
      add({a + 1, b, c}, {a, b + 1, c}, {a, b, c + 1});
      if (c > 0) add({a, b + 1, c}, {a + 1, b, c}, {a + 1, b + 1, c - 1});
    }
  }
}

OctahedralSphere octahedral_sphere(int n) {
  const OctahedralLattice lattice(n);
  OctahedralSphere sphere{octahedral_directions(lattice, n), {}, lattice.level_start(0)};
  for (const int z : {1, -1}) {
    for (const int y : {1, -1}) {
      for (const int x : {1, -1}) add_octant(lattice, n, {x, y, z}, sphere.triangles);
    }
  }
  return sphere;
}

/// Of a quarter of the largest circle.
int subdivisions(std::string_view shape, double radius, double resolution) {
  // Refused here, under the shape's name, before a circle is; every segment has a tetrahedron at least.
  require_affordable(shape, resolution, 2.0 * std::numbers::pi * radius / resolution);
  return segments_around(radius, resolution) / 4;
}

/// Vertices `centre + radius·direction` of a ring, all at one pressure.
std::vector<int> add_ring(PressureMeshBuilder& mesh, std::span<const Vec3> ring, double radius, const Vec3& centre,
                          double pressure) {
  std::vector<int> vertices;
  for (const Vec3& direction : ring) vertices.push_back(mesh.add_vertex(centre + radius * direction, pressure));
  return vertices;
}

/// The vertex in the middle of a wall quad, on the chord plane of the N-gon.
int add_wall_centre(PressureMeshBuilder& mesh, int t0, int t1, int b0, int b1, double pressure) {
  // Pairwise, because mirroring swaps within the pairs: the same bits.
  const Vec3 sum = (mesh.position(t0) + mesh.position(t1)) + (mesh.position(b0) + mesh.position(b1));
  return mesh.add_vertex(0.25 * sum, pressure);
}

/// The wall between two rings around a straight spine on the axis. A sector has corners t0 t1 (top),
/// b0 b1 (bottom) and the spine's, and is coned from the centre w of its wall quad: the quad becomes four
/// triangles, and each side is a fan about the spine's middle m, the same seen from both of its sectors.
///
///        m₊ ──── t          m₊, m, m₋: spine {bottom, middle, top}; {m} alone if it is one point
///         │ ╲   ╱│
///         m ── < │          m is joined with t and b
///         │ ╱   ╲│
///        m₋ ──── b
void add_wall_around_spine(PressureMeshBuilder& mesh, std::span<const int> top, std::span<const int> bottom,
                           std::span<const int> spine, double pressure) {
  const bool is_point = spine.size() == 1;
  const int below = spine.front(), middle = spine[spine.size() / 2], above = spine.back();
  const int N = static_cast<int>(top.size());
  for (int i = 0; i < N; ++i) {
    const int t0 = top[i], t1 = top[(i + 1) % N], b0 = bottom[i], b1 = bottom[(i + 1) % N];
    const int w = add_wall_centre(mesh, t0, t1, b0, b1, pressure);
    mesh.add_cone(w, {{above, t0, t1}, {below, b0, b1}, {middle, t0, b0}, {middle, t1, b1}});
    if (!is_point)
      mesh.add_cone(w, {{middle, above, t0}, {middle, above, t1}, {middle, below, b0}, {middle, below, b1}});
  }
}

/// The sphere's mesh, stretched. `shape` is for messages, `resolution` for the largest of the axes.
///
/// p = E(1 − ‖S⁻¹x‖). The margin moves a vertex along its own ray by the factor 1 + s that takes its tangent plane
/// outwards by m: s = m/(n̂·x) with n̂·x = 1/‖S⁻²x‖. Along the ray p goes on linearly to −E·s and the zero level
/// stays. (Along the normal was the other choice; it shifts the zero level.)
PressureMesh stretched_sphere(std::string_view shape, const Vec3& axes, double resolution,
                              const Compliance& compliance) {
  const double E = compliance.modulus;
  const int n = subdivisions(shape, axes.maxCoeff(), resolution);
  require_affordable(shape, resolution, 8.0 * n * n);
  const OctahedralSphere sphere = octahedral_sphere(n);

  PressureMeshBuilder mesh;
  for (const Vec3& direction : sphere.directions) {
    const double s = compliance.margin * direction.cwiseQuotient(axes).norm();
    mesh.add_vertex((1.0 + s) * axes.cwiseProduct(direction), skirt_pressure(E, s));
  }
  const int centre = mesh.add_vertex(Vec3::Zero(), E);
  for (const auto& [i, j, k] : sphere.triangles) mesh.add_tet(centre, i, j, k);
  return mesh.take();
}

}  // namespace

PressureMesh mesh_sphere(const Sphere& sphere, const Compliance& compliance) {
  return stretched_sphere("sphere", Vec3::Constant(sphere.radius), resolution_of(sphere, compliance), compliance);
}

PressureMesh mesh_ellipsoid(const Ellipsoid& ellipsoid, const Compliance& compliance) {
  return stretched_sphere("ellipsoid", {ellipsoid.a, ellipsoid.b, ellipsoid.c}, resolution_of(ellipsoid, compliance),
                          compliance);
}

PressureMesh mesh_capsule(const Capsule& capsule, const Compliance& compliance) {
  const double R = capsule.radius, E = compliance.modulus;
  if (capsule.length <= kEqualSizes * R) return mesh_sphere({R}, compliance);
  const double resolution = resolution_of(capsule, compliance);
  const int n = subdivisions("capsule", R, resolution);
  require_affordable("capsule", resolution, 8.0 * n * n + 32.0 * n);

  const OctahedralSphere sphere = octahedral_sphere(n);
  const Vec3 end(0, 0, capsule.length / 2);
  const double p_outer = skirt_pressure(E, compliance.margin / R);  // E(1 − r/R) at r = R + m
  PressureMeshBuilder mesh;
  const int spine[3] = {mesh.add_vertex(-end, E), mesh.add_vertex(Vec3::Zero(), E), mesh.add_vertex(end, E)};

  // Two half spheres about the ends of the spine; each has an equator of its own.
  const std::span directions(sphere.directions);
  const int num_equator = 4 * n;
  const std::vector<int> north =
      add_ring(mesh, directions.subspan(sphere.equator), R + compliance.margin, end, p_outer);
  const std::vector<int> south =
      add_ring(mesh, directions.first(sphere.equator + num_equator), R + compliance.margin, -end, p_outer);
  const std::size_t num_north_triangles = sphere.triangles.size() / 2;
  for (std::size_t t = 0; t < sphere.triangles.size(); ++t) {
    const auto& [i, j, k] = sphere.triangles[t];
    const int e = sphere.equator;
    if (t < num_north_triangles) mesh.add_tet(spine[2], north[i - e], north[j - e], north[k - e]);
    else mesh.add_tet(spine[0], south[i], south[j], south[k]);
  }

  add_wall_around_spine(mesh, std::span(north).first(num_equator), std::span(south).last(num_equator), spine, p_outer);
  return mesh.take();
}

namespace {

/// The rings and cap centres of a cylinder with their N-gon, ready for its inside.
struct CylinderHull {
  std::vector<int> top, bottom;
  int top_centre, bottom_centre;
};

CylinderHull add_cylinder_hull(PressureMeshBuilder& mesh, std::span<const Vec3> ring, double radius, double half_length,
                               double pressure) {
  const Vec3 z(0, 0, half_length);
  return {add_ring(mesh, ring, radius, z, pressure), add_ring(mesh, ring, radius, -z, pressure),
          mesh.add_vertex(z, pressure), mesh.add_vertex(-z, pressure)};
}

/// Half length ≥ radius: the medial set is a segment, or a point where they are equal.
void fill_long_cylinder(PressureMeshBuilder& mesh, const CylinderHull& hull, double spine_half_length, double E,
                        double p_outer) {
  const Vec3 end(0, 0, spine_half_length);
  std::vector<int> spine{mesh.add_vertex(Vec3::Zero(), E)};
  if (spine_half_length > 0.0) spine = {mesh.add_vertex(-end, E), spine[0], mesh.add_vertex(end, E)};

  const int N = static_cast<int>(hull.top.size());
  for (int i = 0; i < N; ++i) {
    mesh.add_tet(spine.back(), hull.top_centre, hull.top[i], hull.top[(i + 1) % N]);
    mesh.add_tet(spine.front(), hull.bottom_centre, hull.bottom[i], hull.bottom[(i + 1) % N]);
  }
  add_wall_around_spine(mesh, hull.top, hull.bottom, spine, p_outer);
}

/// Radius > half length: the medial set is a disc, a fan of N triangles about M with rim d.
///
///      C ───────── r        top sector: C r r'  over  M d d', in three tetrahedra; the sides have the
///      │        ╱ ╱│        diagonal M–r
///      │    ╱   ╱  w        wall wedge r r' b b' d d', coned from the centre w of the wall quad
///      M ───── d   │
///      │    ╲   ╲  │        The outer quad r r' d d' has the diagonal r–d' or r'–d, turn and turn about:
///      C' ──────── b        mirrors x → −x and y → −y change parity and diagonal together, as N = 4n.
void fill_coin(PressureMeshBuilder& mesh, const CylinderHull& hull, std::span<const Vec3> ring, double disc_radius,
               double E, double p_outer) {
  const int M = mesh.add_vertex(Vec3::Zero(), E);
  const std::vector<int> disc = add_ring(mesh, ring, disc_radius, Vec3::Zero(), E);
  const int N = static_cast<int>(ring.size());
  for (int i = 0; i < N; ++i) {
    const int next = (i + 1) % N;
    const int d0 = disc[i], d1 = disc[next];
    const int w = add_wall_centre(mesh, hull.top[i], hull.top[next], hull.bottom[i], hull.bottom[next], p_outer);
    for (const bool is_top : {true, false}) {
      const std::vector<int>& rim = is_top ? hull.top : hull.bottom;
      const int C = is_top ? hull.top_centre : hull.bottom_centre;
      const int r0 = rim[i], r1 = rim[next];
      mesh.add_tet(M, C, r0, r1);
      for (const int apex : {M, w}) {
        if (i % 2 == 0) mesh.add_cone(apex, {{r0, r1, d0}, {r1, d1, d0}});
        else mesh.add_cone(apex, {{r0, r1, d1}, {r0, d1, d0}});
      }
    }
    mesh.add_cone(w, {{hull.top[i], hull.bottom[i], d0}, {hull.top[next], hull.bottom[next], d1}});
  }
}

}  // namespace

PressureMesh mesh_cylinder(const Cylinder& cylinder, const Compliance& compliance) {
  const double R = cylinder.radius, L = cylinder.length / 2, m = compliance.margin, E = compliance.modulus;
  const double H = std::min(R, L);
  const double resolution = resolution_of(cylinder, compliance);
  const int n = subdivisions("cylinder", R, resolution);
  require_affordable("cylinder", resolution, 4.0 * n * 12);

  // p = E·min(R − r, L − |z|)/H, which the margin continues to −E·m/H.
  const double p_outer = skirt_pressure(E, m / H);
  const std::vector<Vec3> ring = unit_ring(n);
  PressureMeshBuilder mesh;
  const CylinderHull hull = add_cylinder_hull(mesh, ring, R + m, L + m, p_outer);
  if (std::abs(R - L) <= kEqualSizes * H) fill_long_cylinder(mesh, hull, 0.0, E, p_outer);
  else if (L > R) fill_long_cylinder(mesh, hull, L - R, E, p_outer);
  else fill_coin(mesh, hull, ring, R - L, E, p_outer);
  return mesh.take();
}

}  // namespace patchfield
