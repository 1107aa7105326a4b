// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Convex polygon with a linear pressure → faces, appended to the columns of a ContactSurface.
//
// A polygon across p = 0 (it reaches into a margin's skirt) becomes two faces: the part that presses and the part that
// waits. Only so are ∫p₊, its area and its centre of pressure exact, and only so does x_p lie in its face: over a
// polygon of both signs ∫px/∫p runs to infinity as ∫p → 0 (theory.md §8).

#if defined(PATCHFIELD_GEOMETRY_FACE_WRITER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PATCHFIELD_GEOMETRY_FACE_WRITER_INL_H_
#undef PATCHFIELD_GEOMETRY_FACE_WRITER_INL_H_
#else
#define PATCHFIELD_GEOMETRY_FACE_WRITER_INL_H_
#endif

#include <algorithm>
#include <cmath>

#include "patchfield/geometry/contact_surface.h"
#include "patchfield/geometry/quad-inl.h"

HWY_BEFORE_NAMESPACE();
namespace patchfield {
namespace HWY_NAMESPACE {

/// A section of a tetrahedron has 3 or 4 vertices, each of four clips adds at most one.
inline constexpr int kMaxVertices = 12;

/// Vertices (x, y, z, p), counter-clockwise about n̂.
struct Polygon {
  Quad X[kMaxVertices];
  int n = 0;
};

/// Up to 4096 pieces of one polygon.
inline constexpr int kMaxHalvings = 12;

/// Faces smaller than this fraction of their element's size² are rounding.
inline constexpr double kMinRelativeArea = 1e-14;

/// Pressures below this fraction of the polygon's largest are rounding: a body's own boundary has p = 0 but for it.
inline constexpr double kZeroPressure = 1e-9;

/// What all faces cut from one polygon share. M is the frame of computation, its body is A
/// unless `flip`; n̂ here leaves M's body.
struct FaceContext {
  Vec3 nhat_M;
  Vec3 grad_M, grad_N;  ///< ∇p of M's body and of the other, in M.
  int element_M, element_N;
  double min_area;
};

class FaceWriter {
 public:
  FaceWriter(const Pose& X_WM, bool flip, const SurfaceOptions& options, ContactSurface& surface)
      : X_WM_(X_WM), flip_(flip), options_(options), max_size2_(options.max_face_size * options.max_face_size),
        surface_(surface) {
    for (int c = 0; c < 3; ++c) column_[c] = {{X_WM.R(0, c), X_WM.R(1, c), X_WM.R(2, c), 0.0}};
    origin_ = {{X_WM.p[0], X_WM.p[1], X_WM.p[2], 0.0}};
    num_faces_ = surface.num_faces(), num_vertices_ = surface.num_vertices();
    resize(num_faces_ + 64, num_vertices_ + 256);
  }
  ~FaceWriter() { resize(num_faces_, num_vertices_); }
  FaceWriter(const FaceWriter&) = delete;
  FaceWriter& operator=(const FaceWriter&) = delete;

  DroppedFaces& dropped() { return surface_.dropped; }

  void write(const Polygon& polygon, const FaceContext& context) {
    context_ = &context;
    is_rotated_ = false;
    min_area_ = std::max(context.min_area, options_.min_face_area);
    if (max_size2_ > 0.0) write_halved(polygon, 0);
    else write_whole(polygon);
  }

 private:
  /// Integrals over a polygon, relative to its first vertex; the fourth entries are pressures.
  struct Moments {
    double area;
    Lanes4 mean;      ///< ∫X dA/∫dA
    Lanes4 weighted;  ///< ∫p X dA/∫p dA; the mean of a face that waits.
    bool presses;
  };

  // Fan about X₀ with edge vectors e_i = X_i − X₀ and triangles of area A_i:
  //   ∫X dA = Σ A_i (e_i + e_{i+1})/3,
  //   ∫pX dA = Σ A_i/12 ((Σp)(Σe) + Σ p e)   over the triangle's three vertices (e₀ = 0).
  // p is linear in x, so its own lane gives p(x_c) and p(x_p) with no further work. False, and counted, if too small.
  HWY_INLINE bool moments(const Polygon& polygon, Moments& m) {
    const Vec3& nhat_M = context_->nhat_M;
    const Lanes4 X0 = load(polygon.X[0]);
    const double p0 = polygon.X[0].v[3];
    Lanes4 sum = all(0.0), weighted = all(0.0);
    double area = 0.0;
    Lanes4 e1 = load(polygon.X[1]) - X0;
    Quad e, next;
    store(e1, e);
    for (int i = 2; i < polygon.n; ++i) {
      const Lanes4 e2 = load(polygon.X[i]) - X0;
      store(e2, next);
      const double cx = e.v[1] * next.v[2] - e.v[2] * next.v[1];
      const double cy = e.v[2] * next.v[0] - e.v[0] * next.v[2];
      const double cz = e.v[0] * next.v[1] - e.v[1] * next.v[0];
      const double a = 0.5 * (nhat_M[0] * cx + nhat_M[1] * cy + nhat_M[2] * cz);
      const double p1 = polygon.X[i - 1].v[3], p2 = polygon.X[i].v[3];
      const Lanes4 both = e1 + e2;
      area += a;
      sum = sum + all(a) * both;
      weighted = weighted + all(a) * (all(p0 + p1 + p2) * both + all(p1) * e1 + all(p2) * e2);
      e1 = e2;
      store(e1, e);  // whole: copying `next` by halves would stall the next read
    }
    if (!(area > min_area_)) {
      ++surface_.dropped.too_small;
      return false;
    }
    m.area = area;
    m.mean = X0 + sum * all(1.0 / (3.0 * area));
    Quad sums;
    store(sum, sums);
    const double force = area * p0 + sums.v[3] / 3.0;  // ∫p dA, without waiting for the mean
    m.presses = force > 0.0;
    m.weighted = m.presses ? X0 + weighted * all(1.0 / (12.0 * force)) : m.mean;
    return true;
  }

  void write_whole(const Polygon& polygon) {
    double lowest = polygon.X[0].v[3], highest = lowest;
    for (int i = 1; i < polygon.n; ++i) {
      lowest = std::min(lowest, polygon.X[i].v[3]);
      highest = std::max(highest, polygon.X[i].v[3]);
    }
    if (lowest >= -kZeroPressure * highest || highest <= -kZeroPressure * lowest) write_one_sign(polygon);
    else write_both_signs(polygon);
  }

  /// Cuts the polygon along p = 0.
  HWY_NOINLINE void write_both_signs(const Polygon& polygon) {
    double side[kMaxVertices];
    for (int i = 0; i < polygon.n; ++i) side[i] = polygon.X[i].v[3];
    Polygon part;
    for (const double sign : {1.0, -1.0}) {
      keep_side(polygon, side, sign, part);
      for (int i = 0; i < part.n; ++i)  // on the cut p = 0, or rounding of either sign
        if (sign * part.X[i].v[3] < 0.0) part.X[i].v[3] = 0.0;
      if (part.n >= 3) write_one_sign(part);
    }
  }

  HWY_NOINLINE void write_one_sign(const Polygon& polygon) {
    Moments m;
    if (!moments(polygon, m)) return;
    if (!is_rotated_) rotate_context();
    // What waits stays one polygon: [E19]'s fan is about pressure that varies over a face.
    if (options_.tessellation == Tessellation::kPolygon || !m.presses) write_face(polygon, m);
    else write_triangles(polygon, m);
  }

  /// To the world, once per polygon and only if a face comes of it.
  HWY_INLINE void rotate_context() {
    const double sign = flip_ ? -1.0 : 1.0;
    nhat_AB_W_ = sign * (X_WM_.R * context_->nhat_M);
    const Vec3 grad_M_W = X_WM_.R * context_->grad_M, grad_N_W = X_WM_.R * context_->grad_N;
    grad_pA_W_ = flip_ ? grad_N_W : grad_M_W;
    grad_pB_W_ = flip_ ? grad_M_W : grad_N_W;
    is_rotated_ = true;
  }

  // [E19]: a triangle per edge, all about the polygon's centroid. Vertices go to the world once, not once per triangle;
  // each triangle's integrals then need its two edges from the centroid alone.
  void write_triangles(const Polygon& polygon, const Moments& whole) {
    const int n = polygon.n;
    Quad center, X[kMaxVertices + 1], e[kMaxVertices + 1];
    store(whole.mean, center);
    const Lanes4 center_W = with_fourth(to_world(whole.mean), center.v[3]);
    store(center_W, center);
    for (int i = 0; i < n; ++i) {
      const Lanes4 vertex = with_fourth(to_world(load(polygon.X[i])), polygon.X[i].v[3]);
      store(vertex, X[i]);
      store(vertex - center_W, e[i]);
    }
    X[n] = X[0], e[n] = e[0];

    make_room(n, 3 * n);
    const Vec3 nhat_W = flip_ ? Vec3(-nhat_AB_W_) : nhat_AB_W_;
    for (int i = 0; i < n; ++i) {
      const double area = 0.5 * nhat_W.dot(cross3(e[i], e[i + 1]));
      if (!(area > 1e-16 * whole.area)) continue;  // two equal vertices leave no triangle
      write_triangle(area, center, X + i, e + i);
    }
  }

  static HWY_INLINE Vec3 cross3(const Quad& a, const Quad& b) {
    return {a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2], a.v[0] * b.v[1] - a.v[1] * b.v[0]};
  }

  /// The columns are longer than what is written, until the end: thirteen of them would else grow with every face.
  HWY_INLINE void make_room(int faces, int vertices) {
    if (num_faces_ + faces > surface_.num_faces() || num_vertices_ + vertices > surface_.num_vertices())
      resize(2 * (num_faces_ + faces), 2 * (num_vertices_ + vertices));
  }

  HWY_NOINLINE void resize(int faces, int vertices) {
    ContactSurface& s = surface_;
    for (auto* column : {&s.area, &s.pressure, &s.cop_pressure}) column->resize(faces);
    for (auto* column : {&s.centroid_W, &s.cop_W, &s.nhat_AB_W, &s.grad_pA_W, &s.grad_pB_W}) column->resize(faces);
    for (auto* column : {&s.element_A, &s.element_B}) column->resize(faces);
    s.face_start.resize(faces + 1);
    s.vertex_W.resize(vertices);
    s.vertex_pressure.resize(vertices);
  }

  /// The triangle (center, X₀, X₁) with edges e from its center, as in moments().
  HWY_INLINE void write_triangle(double area, const Quad& center, const Quad X[2], const Quad e[2]) {
    ContactSurface& s = surface_;
    const Lanes4 c = load(center), e1 = load(e[0]), e2 = load(e[1]), both = e1 + e2;
    const double p0 = center.v[3], p1 = X[0].v[3], p2 = X[1].v[3], sum_p = p0 + p1 + p2;
    const Lanes4 mean = c + both * all(1.0 / 3.0);
    const Lanes4 weighted = all(sum_p) * both + all(p1) * e1 + all(p2) * e2;
    const Lanes4 cop = sum_p > 0.0 ? c + weighted * all(1.0 / (4.0 * sum_p)) : mean;
    const int first = num_vertices_;
    write_shared(area, mean, cop);
    const Quad* corner[3] = {flip_ ? &X[1] : &center, &X[0], flip_ ? &center : &X[1]};
    for (int i = 0; i < 3; ++i) {
      s.vertex_W[first + i] = {corner[i]->v[0], corner[i]->v[1], corner[i]->v[2]};
      s.vertex_pressure[first + i] = corner[i]->v[3];
    }
    end_face(3);
  }

  /// Everything but the vertices; mean and cop are (x, y, z, p) in the world.
  HWY_INLINE void write_shared(double area, Lanes4 mean, Lanes4 cop) {
    ContactSurface& s = surface_;
    const int face = num_faces_;
    Quad x;
    store(mean, x);
    s.area[face] = area;
    s.centroid_W[face] = {x.v[0], x.v[1], x.v[2]};
    s.pressure[face] = x.v[3];
    store(cop, x);
    s.cop_W[face] = {x.v[0], x.v[1], x.v[2]};
    s.cop_pressure[face] = x.v[3];
    s.nhat_AB_W[face] = nhat_AB_W_;
    s.grad_pA_W[face] = grad_pA_W_;
    s.grad_pB_W[face] = grad_pB_W_;
    s.element_A[face] = flip_ ? context_->element_N : context_->element_M;
    s.element_B[face] = flip_ ? context_->element_M : context_->element_N;
  }

  HWY_INLINE Lanes4 to_world(Lanes4 X_M) const {
    Quad x;
    store(X_M, x);
    return combine(column_, x) + load(origin_);
  }

  HWY_INLINE void write_face(const Polygon& polygon, const Moments& m) {
    ContactSurface& s = surface_;
    const int first = num_vertices_, n = polygon.n;
    make_room(1, n);
    Quad mean, cop, x;
    store(m.mean, mean);
    store(m.weighted, cop);
    write_shared(m.area, with_fourth(to_world(m.mean), mean.v[3]), with_fourth(to_world(m.weighted), cop.v[3]));
    for (int i = 0; i < n; ++i) {
      const Quad& vertex = polygon.X[flip_ ? n - 1 - i : i];  // keep them counter-clockwise about n̂_AB
      store(to_world(load(vertex)), x);
      s.vertex_W[first + i] = {x.v[0], x.v[1], x.v[2]};
      s.vertex_pressure[first + i] = vertex.v[3];
    }
    end_face(n);
  }

  HWY_INLINE void end_face(int vertices) {
    num_vertices_ += vertices;
    surface_.face_start[++num_faces_] = num_vertices_;
  }

  // Halves the polygon across its longest diagonal until it is short enough. kMaxHalvings
  // bounds the memory that a mistyped size can ask for; what stays too long is counted.
  void write_halved(const Polygon& polygon, int depth) {
    double longest2 = 0.0;
    int from = 0, to = 0;
    for (int i = 0; i < polygon.n; ++i)
      for (int j = 0; j < i; ++j) {
        const double d2 = distance2(polygon.X[i], polygon.X[j]);
        if (d2 > longest2) longest2 = d2, from = j, to = i;
      }
    if (longest2 <= max_size2_ || depth == kMaxHalvings) {
      if (longest2 > max_size2_) ++surface_.oversized;
      write_whole(polygon);
      return;
    }
    double side[kMaxVertices];
    const Quad &a = polygon.X[from], &b = polygon.X[to];
    for (int i = 0; i < polygon.n; ++i) {
      side[i] = 0.0;
      for (int c = 0; c < 3; ++c) side[i] += (polygon.X[i].v[c] - 0.5 * (a.v[c] + b.v[c])) * (b.v[c] - a.v[c]);
    }
    Polygon half;
    for (const double sign : {-1.0, 1.0}) {
      keep_side(polygon, side, sign, half);
      if (half.n >= 3) write_halved(half, depth + 1);
    }
  }

  static double distance2(const Quad& a, const Quad& b) {
    const double x = a.v[0] - b.v[0], y = a.v[1] - b.v[1], z = a.v[2] - b.v[2];
    return x * x + y * y + z * z;
  }

  static void keep_side(const Polygon& polygon, const double* side, double sign, Polygon& half) {
    half.n = 0;
    for (int i = 0; i < polygon.n; ++i) {
      const int j = i + 1 < polygon.n ? i + 1 : 0;
      const double si = sign * side[i], sj = sign * side[j];
      if (si >= 0.0) half.X[half.n++] = polygon.X[i];
      if ((si > 0.0 && sj < 0.0) || (si < 0.0 && sj > 0.0)) {
        // From the lower index of the pair, so that both halves share the same bits.
        const double t = side[i] / (side[i] - side[j]);
        const Lanes4 Xi = load(polygon.X[i]);
        store(Xi + all(t) * (load(polygon.X[j]) - Xi), half.X[half.n++]);
      }
      if (half.n >= kMaxVertices - 1) break;
    }
  }

  const Pose& X_WM_;
  bool flip_;
  SurfaceOptions options_;
  double max_size2_;
  ContactSurface& surface_;
  int num_faces_, num_vertices_;  ///< Written so far.
  Quad column_[3], origin_;

  const FaceContext* context_ = nullptr;  ///< Of the polygon being written.
  bool is_rotated_ = false;
  Vec3 nhat_AB_W_, grad_pA_W_, grad_pB_W_;
  double min_area_ = 0.0;
};

}  // namespace HWY_NAMESPACE
}  // namespace patchfield
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
