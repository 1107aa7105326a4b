// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Element × element: the plane of equal pressure, cut by one tetrahedron, clipped by the other side.

#if defined(PATCHFIELD_GEOMETRY_PAIR_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PATCHFIELD_GEOMETRY_PAIR_KERNEL_INL_H_
#undef PATCHFIELD_GEOMETRY_PAIR_KERNEL_INL_H_
#else
#define PATCHFIELD_GEOMETRY_PAIR_KERNEL_INL_H_
#endif

#include <bit>
#include <utility>

#include "patchfield/geometry/face_writer-inl.h"
#include "patchfield/geometry/query.h"

HWY_BEFORE_NAMESPACE();
namespace patchfield {
namespace HWY_NAMESPACE {

enum class ClipperKind {
  kTetrahedron,         ///< s = 1, four sides
  kTriangle,            ///< s = 0, three sides
  kRigidHalfSpace,      ///< s = 0, no side
  kCompliantHalfSpace,  ///< s = 1, one side: as far out as its margin
};
/// The factor s of p_a in h: does the other side's pressure balance a's?
constexpr bool is_compliant(ClipperKind kind) {
  return kind == ClipperKind::kTetrahedron || kind == ClipperKind::kCompliantHalfSpace;
}

/// Edges (inside, outside) that the plane cuts, counter-clockwise about n̂, by the set of
/// vertices with h < 0. With (i, j, k, l) an even permutation:
///   + at i alone:   ij ik il      − at i alone:   ji li ki      + at i, j:   ik il jl jk
struct SectionCase {
  std::int8_t n;
  std::int8_t edge[4][2];
};
inline constexpr SectionCase kSection[16] = {
    {0, {}},
    {3, {{1, 0}, {3, 0}, {2, 0}}},          // − at 0: (0,1,2,3)
    {3, {{0, 1}, {2, 1}, {3, 1}}},          // − at 1: (1,0,3,2)
    {4, {{2, 0}, {2, 1}, {3, 1}, {3, 0}}},  // + at 2,3: (2,3,0,1)
    {3, {{0, 2}, {3, 2}, {1, 2}}},          // − at 2: (2,0,1,3)
    {4, {{1, 2}, {1, 0}, {3, 0}, {3, 2}}},  // + at 1,3: (1,3,2,0)
    {4, {{0, 1}, {0, 2}, {3, 2}, {3, 1}}},  // + at 0,3: (0,3,1,2)
    {3, {{3, 0}, {3, 2}, {3, 1}}},          // + at 3: (3,0,2,1)
    {3, {{0, 3}, {1, 3}, {2, 3}}},          // − at 3: (3,0,2,1)
    {4, {{1, 0}, {1, 3}, {2, 3}, {2, 0}}},  // + at 1,2: (1,2,0,3)
    {4, {{0, 3}, {0, 1}, {2, 1}, {2, 3}}},  // + at 0,2: (0,2,3,1)
    {3, {{2, 0}, {2, 1}, {2, 3}}},          // + at 2: (2,0,1,3)
    {4, {{0, 2}, {0, 3}, {1, 3}, {1, 2}}},  // + at 0,1: (0,1,2,3)
    {3, {{1, 0}, {1, 3}, {1, 2}}},          // + at 1: (1,0,3,2)
    {3, {{0, 1}, {0, 2}, {0, 3}}},          // + at 0: (0,1,2,3)
    {0, {}},
};

// P_ab ∩ τ_a. A vertex with h = 0 counts as positive: a plane through a face between two
// tetrahedra then belongs to exactly one of them. Points are found from the positive end, so
// neighbours get the same bits for a shared edge.
HWY_INLINE void cut_tetrahedron(const Element& a, const Quad& h, unsigned negative, Polygon& polygon) {
  const SectionCase& section = kSection[negative];
  polygon.n = section.n;
  for (int e = 0; e < section.n; ++e) {
    const int in = section.edge[e][0], out = section.edge[e][1];
    const double t = h.v[in] / (h.v[in] - h.v[out]);
    const Lanes4 X = load(a.vertex[in]);
    store(X + all(t) * (load(a.vertex[out]) - X), polygon.X[e]);
  }
}

HWY_INLINE Lanes4 evaluate_planes(const Quad plane[4], const Quad& X) { return combine(plane, X) + load(plane[3]); }

/// A polygon with the values of the four clip functions at its vertices.
struct ClipPolygon {
  Polygon polygon;
  Quad lambda[kMaxVertices];
  unsigned outside[kMaxVertices];  ///< Bit k: λ_k < 0 there.
};

HWY_INLINE void copy_vertex(const ClipPolygon& from, int i, ClipPolygon& to) {
  const int j = to.polygon.n++;
  to.polygon.X[j] = from.polygon.X[i];
  to.lambda[j] = from.lambda[i];
  to.outside[j] = from.outside[i];
}

/// λ_in/(λ_in − λ_ex). With duplicate vertices and edges along the plane (flush boxes) rounding can put both ends on
/// one side; a share outside [0, 1] would then throw the vertex far out of both elements.
HWY_INLINE double crossing_share(double in, double ex) {
  const double t = in / (in - ex);
  return t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;  // NaN is 0
}

/// Where λ_k = 0 between vertex `in`, inside, and vertex `ex`, outside.
HWY_INLINE void add_crossing(const ClipPolygon& from, int k, int in, int ex, ClipPolygon& to) {
  const Lanes4 t = all(crossing_share(from.lambda[in].v[k], from.lambda[ex].v[k]));
  const Lanes4 X = load(from.polygon.X[in]), L = load(from.lambda[in]);
  const Lanes4 crossing = L + t * (load(from.lambda[ex]) - L);
  const int j = to.polygon.n++;
  store(X + t * (load(from.polygon.X[ex]) - X), to.polygon.X[j]);
  store(crossing, to.lambda[j]);
  to.lambda[j].v[k] = 0.0;
  to.outside[j] = bits(crossing < all(0.0)) & ~(1u << k);
}

/// Cuts off what is outside of side k. The vertices inside of a convex polygon are one run of the
/// ring, found with bit operations instead of a decision per vertex.
HWY_INLINE void clip_side(int k, const ClipPolygon& from, ClipPolygon& to) {
  const int n = from.polygon.n;
  unsigned inside = 0u;
  for (int i = 0; i < n; ++i) inside |= (~(from.outside[i] >> k) & 1u) << i;
  to.polygon.n = 0;
  if (inside == 0u) return;
  // Bit i of `previous` tells whether vertex i − 1 is inside; the run starts where it is not.
  const unsigned previous = ((inside << 1) | (inside >> (n - 1))) & ((1u << n) - 1u);
  int i = std::countr_zero(inside & ~previous);
  const int count = std::popcount(inside);
  add_crossing(from, k, i, i == 0 ? n - 1 : i - 1, to);
  int last = i;
  for (int j = 0; j < count; ++j) {
    copy_vertex(from, i, to);
    last = i;
    i = i + 1 == n ? 0 : i + 1;
  }
  add_crossing(from, k, last, i, to);
}

/// A polygon lies in a side of the other tetrahedron if all its λ_k are below this.
inline constexpr double kCoplanar = 1e-12;

// A polygon in the face between two tetrahedra of the other body lies in both: keep it with
// the one on n̂'s side. Returns false if this is not it.
inline bool owns_coplanar(unsigned coplanar, const Quad plane[4], const Vec3& across) {
  for (int k = 0; k < 4; ++k) {
    if ((coplanar & (1u << k)) == 0) continue;
    const double slope = plane[0].v[k] * across[0] + plane[1].v[k] * across[1] + plane[2].v[k] * across[2];
    if (!(slope > 0.0)) return false;
  }
  return true;
}

/// A slope below this fraction of the gradient is rounding: exactly tangential gradients (the rim
/// of a box on a plane) must not come and go with the pose.
inline constexpr double kMinRelativeSlope = 1e-9;
/// `direction` need not be a unit vector; squares, because most candidates end here and roots are slow.
HWY_INLINE bool rises_along(const Vec3& gradient, const Vec3& direction) {
  const double slope = gradient.dot(direction);
  constexpr double kSquare = kMinRelativeSlope * kMinRelativeSlope;
  return slope > 0.0 && slope * slope > kSquare * gradient.squaredNorm() * direction.squaredNorm();
}

/// n̂ and the gradients on the plane of equal pressure of `a` and `b`. False if no face may lie on it; counts why.
template <ClipperKind kind>
HWY_INLINE bool find_normal(const Element& a, const Clipper& b, unsigned coplanar, FaceContext& face,
                            DroppedFaces& dropped) {
  constexpr bool compliant = is_compliant(kind);
  const Vec3 grad_a(a.field.v[0], a.field.v[1], a.field.v[2]);
  const Vec3 grad_b(b.field.v[0], b.field.v[1], b.field.v[2]);
  // ∇L_b − s·∇p_a leaves a's body.
  const Vec3 across = compliant ? Vec3(grad_b - grad_a) : grad_b;
  const double across2 = across.squaredNorm();
  if (!(across2 > 1e-24 * (grad_b.squaredNorm() + (compliant ? grad_a.squaredNorm() : 0.0)))) {
    ++dropped.no_plane;
    return false;
  }
  if (coplanar != 0u && kind == ClipperKind::kTetrahedron && !owns_coplanar(coplanar, b.plane, across)) {
    ++dropped.duplicate;
    return false;
  }
  // g_a = −∇p_a·n̂, g_b = ∇p_b·n̂ must be positive: pushing in must raise the pressure.
  if (!rises_along(grad_a, -across) || (compliant && !rises_along(grad_b, across))) {
    ++dropped.softening;
    return false;
  }
  face.nhat_M = across / std::sqrt(across2);
  face.grad_M = grad_a;
  face.grad_N = compliant ? grad_b : Vec3(Vec3::Zero());
  return true;
}

/// Clips to the other element, in place or into `spare`. Returns what is left, or null if nothing
/// is; `coplanar` gets the sides it lies in.
HWY_INLINE const Polygon* clip_to(const Clipper& b, ClipPolygon& polygon, ClipPolygon& spare, unsigned& coplanar) {
  unsigned outside_all = 15u, outside_any = 0u;
  Lanes4 size = all(0.0);
  for (int i = 0; i < polygon.polygon.n; ++i) {
    const Lanes4 l = evaluate_planes(b.plane, polygon.polygon.X[i]);
    store(l, polygon.lambda[i]);
    const unsigned outside = bits(l < all(0.0));
    polygon.outside[i] = outside;
    outside_all &= outside, outside_any |= outside;
    size = larger(size, magnitude(l));
  }
  coplanar = bits(size < all(kCoplanar));
  if ((outside_all & ~coplanar) != 0) return nullptr;
  ClipPolygon *from = &polygon, *to = &spare;
  for (unsigned violated = outside_any & ~coplanar; violated != 0u; violated &= violated - 1u) {
    const int k = std::countr_zero(violated);
    unsigned still = 0u;
    for (int i = 0; i < from->polygon.n; ++i) still |= from->outside[i];
    if ((still & (1u << k)) == 0u) continue;  // an earlier side has cut that off already
    clip_side(k, *from, *to);
    if (to->polygon.n < 3) return nullptr;
    std::swap(from, to);
  }
  return &from->polygon;
}

/// Is the pressure positive somewhere?
HWY_INLINE bool presses(const Polygon& polygon) {
  for (int i = 0; i < polygon.n; ++i)
    if (polygon.X[i].v[3] > 0.0) return true;
  return false;
}

/// The face or faces of tetrahedron `a` and the other side's element `b`.  [theory.md §2]
/// Not inlined: it is called from several loops, and four copies of it took the sanitizers minutes to compile.
template <ClipperKind kind>
HWY_NOINLINE void intersect(const Element& a, const Clipper& b, FaceWriter& writer) {
  // h = s·p_a − L_b at the four vertices; the plane P_ab is h = 0.
  const Lanes4 L = load(b.field);
  const Lanes4 weights = all(0.0) - with_fourth(L, is_compliant(kind) ? -1.0 : 0.0);
  const Lanes4 h = row_sums(load(a.vertex[0]) * weights, load(a.vertex[1]) * weights, load(a.vertex[2]) * weights,
                            load(a.vertex[3]) * weights) -
                   all(b.field.v[3]);
  const unsigned negative = bits(h < all(0.0));
  if (negative == 0u || negative == 15u) return;

  // A half space leaves a polygon of every section, so its normal can be judged before the cut: of a coin's 1,064
  // candidates 608 are tangential to the floor. Other clippers most often leave nothing, and that is cheaper to find.
  constexpr bool normal_first = kind == ClipperKind::kRigidHalfSpace;
  FaceContext face;
  if (normal_first && !find_normal<kind>(a, b, 0u, face, writer.dropped())) return;

  Quad at;
  store(h, at);
  ClipPolygon section, spare;
  cut_tetrahedron(a, at, negative, section.polygon);
  unsigned coplanar = 0u;
  const Polygon* polygon = &section.polygon;
  if constexpr (kind != ClipperKind::kRigidHalfSpace) polygon = clip_to(b, section, spare, coplanar);
  if (polygon == nullptr) return;

  if (!normal_first) {
    const int softening = writer.dropped().softening;
    if (!find_normal<kind>(a, b, coplanar, face, writer.dropped())) {
      if (writer.dropped().softening > softening) writer.dropped().beyond += presses(*polygon);
      return;
    }
  }
  face.element_M = a.id, face.element_N = b.id;
  face.min_area = kMinRelativeArea * std::min(a.size2, b.size2);
  writer.write(*polygon, face);
}

}  // namespace HWY_NAMESPACE
}  // namespace patchfield
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
