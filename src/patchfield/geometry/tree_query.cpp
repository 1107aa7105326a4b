// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/tree_query.h"

#include <bit>
#include <cmath>

// Baseline and AVX2 are what blocks of four doubles can use; more targets would only add code.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "patchfield/geometry/tree_query.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "patchfield/geometry/pair_kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace patchfield {
namespace HWY_NAMESPACE {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// X_MN as columns for SIMD, and |R| for boxes.
struct QuadPose {
  Quad column[3], abs_column[3], origin;
  double padding;  ///< Rounding of a transformed box [m].

  explicit QuadPose(const Pose& X) {
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 4; ++r) {
        column[c].v[r] = r < 3 ? X.R(r, c) : 0.0;
        abs_column[c].v[r] = std::abs(column[c].v[r]);
      }
    origin = {{X.p[0], X.p[1], X.p[2], 0.0}};
    padding = 1e-14 * X.p.cwiseAbs().maxCoeff();
  }
};

TreeNode transform(const TreeNode& node, const QuadPose& X) {
  TreeNode out = node;
  store(combine(X.column, node.c0) + load(X.origin), out.c0);
  store(combine(X.column, node.c1), out.c1);
  store(combine(X.abs_column, node.e0) + all(X.padding), out.e0);
  store(combine(X.abs_column, node.e1), out.e1);
  out.p_lo() = node.p_lo(), out.p_hi() = node.p_hi();
  out.set_links(node.left(), node.block());
  return out;
}

BoxBlock transform(const BoxBlock& box, const QuadPose& X) {
  BoxBlock out = box;
  const auto rotate = [](const Quad columns[3], const Quad x[3], int row) {
    return load(x[0]) * all(columns[0].v[row]) + load(x[1]) * all(columns[1].v[row]) +
           load(x[2]) * all(columns[2].v[row]);
  };
  Lanes4 alpha = load(box.field[3]);
  for (int r = 0; r < 3; ++r) {
    store(rotate(X.column, box.c0, r) + all(X.origin.v[r]), out.c0[r]);
    store(rotate(X.column, box.c1, r), out.c1[r]);
    store(rotate(X.abs_column, box.e0, r) + all(X.padding), out.e0[r]);
    store(rotate(X.abs_column, box.e1, r), out.e1[r]);
    const Lanes4 g = rotate(X.column, box.field, r);
    store(g, out.field[r]);
    alpha = alpha - g * all(X.origin.v[r]);
  }
  store(alpha, out.field[3]);
  return out;
}

// λ_N(x_N) with x_M = R x_N + t is (R g)·x_M + (α − (R g)·t), for planes and for the field.
void transform(const Clipper& clipper, const QuadPose& X, Clipper& out) {
  const Quad* n = clipper.plane;
  Lanes4 d = load(n[3]);
  for (int r = 0; r < 3; ++r) {
    const Lanes4 g =
        load(n[0]) * all(X.column[0].v[r]) + load(n[1]) * all(X.column[1].v[r]) + load(n[2]) * all(X.column[2].v[r]);
    store(g, out.plane[r]);
    d = d - g * all(X.origin.v[r]);
  }
  store(d, out.plane[3]);
  store(combine(X.column, clipper.field), out.field);
  double alpha = clipper.field.v[3];
  for (int r = 0; r < 3; ++r) alpha -= out.field.v[r] * X.origin.v[r];
  out.field.v[3] = alpha;
  out.size2 = clipper.size2;
  out.id = clipper.id;
}

/// Narrows [lo, hi] to the p with u + w·p ≤ 0 and u' + w'·p ≤ 0 in the first three lanes. False if none is left.
HWY_INLINE bool narrow(Lanes4 u, Lanes4 w, Lanes4 u2, Lanes4 w2, double& lo, double& hi) {
  const Lanes4 zero = all(0.0), infinity = all(kInfinity), minus = all(-kInfinity);
  // w = 0 leaves a condition without p; ±∞ stand for "always" and "never".
  const Lanes4 t = (zero - u) / w, t2 = (zero - u2) / w2;
  const Lanes4 upper = smaller(choose(zero < w, t, infinity), choose(zero < w2, t2, infinity));
  const Lanes4 lower = larger(choose(w < zero, t, minus), choose(w2 < zero, t2, minus));
  const Lanes4 never = larger(choose(zero < magnitude(w), minus, u), choose(zero < magnitude(w2), minus, u2));
  if ((bits(zero < never) & 7u) != 0u) return false;
  hi = std::min(hi, smallest3(upper));
  lo = std::max(lo, largest3(lower));
  return lo <= hi;
}

/// Is there a p for which the two moving boxes overlap?  |c_b − c_a|(p) ≤ (e_a + e_b)(p)
HWY_INLINE bool can_meet(const TreeNode& a, const TreeNode& b, double& lo, double& hi) {
  lo = std::max(lo, std::max(a.p_lo(), b.p_lo()));
  hi = std::min(hi, std::min(a.p_hi(), b.p_hi()));
  if (!(lo <= hi)) return false;
  const Lanes4 d0 = load(b.c0) - load(a.c0), d1 = load(b.c1) - load(a.c1);
  const Lanes4 s0 = load(a.e0) + load(b.e0), s1 = load(a.e1) + load(b.e1);
  const Lanes4 zero = all(0.0);
  return narrow(d0 - s0, d1 - s1, zero - d0 - s0, zero - d1 - s1, lo, hi);
}

HWY_INLINE double extent(const TreeNode& node, double p) {
  const Lanes4 e = load(node.e0) + load(node.e1) * all(p);
  Quad q;
  store(e, q);
  return q.v[0] + q.v[1] + q.v[2];
}

/// Boxes of four elements over their part of [lo, hi].
struct LaneBoxes {
  Quad lower[3], upper[3];
};
HWY_INLINE void bound_lanes(const BoxBlock& box, double lo, double hi, LaneBoxes& out) {
  const Lanes4 p0 = larger(load(box.p_lo), all(lo)), p1 = smaller(load(box.p_hi), all(hi));
  for (int axis = 0; axis < 3; ++axis) {
    const Lanes4 c0 = load(box.c0[axis]), c1 = load(box.c1[axis]);
    const Lanes4 e0 = load(box.e0[axis]), e1 = load(box.e1[axis]);
    const Lanes4 ca = c0 + c1 * p0, cb = c0 + c1 * p1, ea = e0 + e1 * p0, eb = e0 + e1 * p1;
    store(smaller(ca - ea, cb - eb), out.lower[axis]);
    store(larger(ca + ea, cb + eb), out.upper[axis]);
  }
}

/// Which lanes of `b` have a plane of balance, h = s·p − L_b(x) = 0, through the moving box of `a`:
/// |h(c(p))| ≤ Σ|g|·e(p) somewhere on [lo, hi]. Both sides are linear in p: the ends decide.
HWY_INLINE unsigned balancing(const TreeNode& a, const BoxBlock& b, double s, double lo, double hi) {
  Lanes4 h0 = all(0.0) - load(b.field[3]), h1 = all(s), r0 = all(0.0), r1 = all(0.0);
  for (int c = 0; c < 3; ++c) {
    const Lanes4 g = load(b.field[c]), size = magnitude(g);
    h0 = h0 - g * all(a.c0.v[c]), h1 = h1 - g * all(a.c1.v[c]);
    r0 = r0 + size * all(a.e0.v[c]), r1 = r1 + size * all(a.e1.v[c]);
  }
  const Lanes4 h_lo = h0 + h1 * all(lo), h_hi = h0 + h1 * all(hi);
  const Lanes4 r_lo = r0 + r1 * all(lo), r_hi = r0 + r1 * all(hi);
  const Lanes4 zero = all(0.0);
  const unsigned above = bits((r_lo < h_lo) & (r_hi < h_hi));
  const unsigned below = bits((h_lo < zero - r_lo) & (h_hi < zero - r_hi));
  return ~(above | below) & 15u;
}

/// Which lanes of `b` overlap lane i of `a`.
HWY_INLINE unsigned overlapping(const LaneBoxes& a, const LaneBoxes& b, int i) {
  unsigned apart = 0u;
  for (int axis = 0; axis < 3; ++axis) {
    apart |= bits(load(b.upper[axis]) < all(a.lower[axis].v[i]));
    apart |= bits(all(a.upper[axis].v[i]) < load(b.lower[axis]));
  }
  return ~apart & 15u;
}

class TreeTraversal {
 public:
  TreeTraversal(const TreePair& pair, SurfaceScratch& scratch, ContactSurface& surface)
      : M_(pair.M), N_(pair.N), X_MN_(pair.X_MN), scratch_(scratch),
        writer_(pair.X_WM, pair.flip, pair.options, surface) {
    start_epoch();
    scratch.counts = {};
  }

  template <ClipperKind kind>
  void run() {
    if (M_.nodes.empty() || N_.nodes.empty()) return;
    auto& stack = scratch_.stack;
    stack.clear();
    stack.push_back({0, 0, -kInfinity, kInfinity});
    while (!stack.empty()) {
      SurfaceScratch::NodePair pair = stack.back();
      stack.resize(stack.size() - 1);
      const TreeNode& a = M_.nodes[pair.a];
      const TreeNode& b = node_N(pair.b);
      ++scratch_.counts.node_pairs;
      if (!can_meet(a, b, pair.p_lo, pair.p_hi)) continue;
      if (b.left() < 0) {
        transform_block(b.block());
        const unsigned lanes =
            balancing(a, scratch_.box[b.block()], kind == ClipperKind::kTetrahedron ? 1.0 : 0.0, pair.p_lo, pair.p_hi);
        if (lanes == 0u) continue;
        if (a.left() < 0) {
          meet_blocks<kind>(a.block(), b.block(), lanes, pair.p_lo, pair.p_hi);
          continue;
        }
      }
      // Open the larger node, as large as it is at the pressures that matter; both if they are
      // about equal, which saves a third of the tests.
      const double p = 0.5 * (pair.p_lo + pair.p_hi);
      const double size_a = a.left() < 0 ? 0.0 : extent(a, p), size_b = b.left() < 0 ? 0.0 : extent(b, p);
      const bool open_a = size_a > 0.5 * size_b || b.left() < 0, open_b = size_b > 0.5 * size_a || a.left() < 0;
      for (const int i : {1, 0}) {
        if (i == 1 && !open_a) continue;
        for (const int j : {1, 0}) {
          if (j == 1 && !open_b) continue;
          stack.push_back({open_a ? a.left() + i : pair.a, open_b ? b.left() + j : pair.b, pair.p_lo, pair.p_hi});
        }
      }
    }
  }

  template <ClipperKind kind>
  void run_brute_force() {
    Clipper clipper;
    for (int j = 0; j < N_.elements.size(); ++j) {
      if (is_spare(N_, j)) continue;
      transform(N_.clippers[j], X_MN_, clipper);
      for (int i = 0; i < M_.elements.size(); ++i)
        if (!is_spare(M_, i)) intersect<kind>(M_.elements[i], clipper, writer_);
    }
  }

 private:
  static bool is_spare(const ElementTree& tree, int i) {
    return tree.blocks[i / 4].p_lo.v[i % 4] > tree.blocks[i / 4].p_hi.v[i % 4];
  }

  void start_epoch() {
    SurfaceScratch& s = scratch_;
    const int old_nodes = s.node_stamp.size(), old_blocks = s.block_stamp.size();
    if (old_nodes < N_.nodes.size()) {
      s.node.resize(N_.nodes.size());
      s.node_stamp.resize(N_.nodes.size());
      for (int i = old_nodes; i < s.node_stamp.size(); ++i) s.node_stamp[i] = 0;
    }
    if (old_blocks < N_.blocks.size()) {
      s.box.resize(N_.blocks.size());
      s.clipper.resize(4 * N_.blocks.size());
      s.block_stamp.resize(N_.blocks.size());
      for (int i = old_blocks; i < s.block_stamp.size(); ++i) s.block_stamp[i] = 0;
    }
    if (++s.epoch == 0) {  // after 2³² queries old stamps could look new
      for (auto& stamp : s.node_stamp) stamp = 0;
      for (auto& stamp : s.block_stamp) stamp = 0;
      s.epoch = 1;
    }
  }

  const TreeNode& node_N(int i) {
    if (scratch_.node_stamp[i] != scratch_.epoch) {
      scratch_.node[i] = transform(N_.nodes[i], X_MN_);
      scratch_.node_stamp[i] = scratch_.epoch;
    }
    return scratch_.node[i];
  }

  void transform_block(int i) {
    if (scratch_.block_stamp[i] == scratch_.epoch) return;
    scratch_.box[i] = transform(N_.blocks[i], X_MN_);
    for (int lane = 0; lane < 4; ++lane) transform(N_.clippers[4 * i + lane], X_MN_, scratch_.clipper[4 * i + lane]);
    scratch_.block_stamp[i] = scratch_.epoch;
  }

  template <ClipperKind kind>
  HWY_INLINE void meet_blocks(int block_a, int block_b, unsigned lanes_b, double lo, double hi) {
    ++scratch_.counts.block_pairs;
    const BoxBlock &A = M_.blocks[block_a], &B = scratch_.box[block_b];
    // Lanes whose pressures cannot meet those of the other block. Spare lanes are among them.
    const unsigned idle_a = bits(load(A.p_hi) < all(lo)) | bits(all(hi) < load(A.p_lo));
    const unsigned idle_b = bits(load(B.p_hi) < all(lo)) | bits(all(hi) < load(B.p_lo));
    LaneBoxes a, b;
    bound_lanes(A, lo, hi, a);
    bound_lanes(B, lo, hi, b);
    for (int i = 0; i < 4; ++i) {
      if (idle_a & (1u << i)) continue;
      unsigned lanes = overlapping(a, b, i) & lanes_b & ~idle_b;
      for (; lanes != 0u; lanes &= lanes - 1u) {
        ++scratch_.counts.element_pairs;
        intersect<kind>(M_.elements[4 * block_a + i], scratch_.clipper[4 * block_b + std::countr_zero(lanes)], writer_);
      }
    }
  }

  const ElementTree &M_, &N_;
  QuadPose X_MN_;
  SurfaceScratch& scratch_;
  FaceWriter writer_;
};

void intersect_trees_on_target(const TreePair& pair, SurfaceScratch& scratch, ContactSurface& surface) {
  TreeTraversal traversal(pair, scratch, surface);
  if (pair.N.has_pressure) traversal.run<ClipperKind::kTetrahedron>();
  else traversal.run<ClipperKind::kTriangle>();
}

void intersect_all_on_target(const TreePair& pair, SurfaceScratch& scratch, ContactSurface& surface) {
  TreeTraversal traversal(pair, scratch, surface);
  if (pair.N.has_pressure) traversal.run_brute_force<ClipperKind::kTetrahedron>();
  else traversal.run_brute_force<ClipperKind::kTriangle>();
}

/// A half space in M: depth(x) = −n·x + d, and its one "element".
struct HalfSpaceInM {
  Vec3 n;
  double d;
  Clipper clipper{};

  HalfSpaceInM(const HalfSpaceField& field, const Pose& X_MN) : n(X_MN.R.col(2)), d(n.dot(X_MN.p)) {
    const double slope = field.slope > 0.0 ? field.slope : 1.0;
    for (int c = 0; c < 3; ++c) {
      clipper.field.v[c] = -slope * n[c];
      clipper.plane[c] = {{-n[c], 0.0, 0.0, 0.0}};  // λ₀ = depth + margin; λ₁, λ₂, λ₃ = 1
    }
    clipper.field.v[3] = slope * d;
    clipper.plane[3] = {{d + field.margin, 1.0, 1.0, 1.0}};
    clipper.size2 = kInfinity;
    clipper.id = -1;
  }
};

class HalfSpaceTraversal {
 public:
  HalfSpaceTraversal(const TreeAndHalfSpace& pair, SurfaceScratch& scratch, ContactSurface& surface)
      : M_(pair.M), field_(pair.N), plane_(pair.N, pair.X_MN), scratch_(scratch),
        writer_(pair.X_WM, pair.flip, pair.options, surface) {}

  /// Calls act(element) for those that the surface can pass through.
  template <class Act>
  void run(bool brute_force, const Act& act) {
    if (M_.nodes.empty()) return;
    auto& stack = scratch_.stack;
    stack.clear();
    stack.push_back({0, 0, 0.0, 0.0});
    while (!stack.empty()) {
      const TreeNode& node = M_.nodes[stack.back().a];
      stack.resize(stack.size() - 1);
      if (!brute_force && !can_meet_plane(node)) continue;
      if (node.left() < 0) {
        const BoxBlock& box = M_.blocks[node.block()];
        for (int lane = 0; lane < 4; ++lane)
          if (box.p_lo.v[lane] <= box.p_hi.v[lane]) act(M_.elements[4 * node.block() + lane]);
      } else {
        stack.push_back({node.left() + 1, 0, 0.0, 0.0});
        stack.push_back({node.left(), 0, 0.0, 0.0});
      }
    }
  }

  template <ClipperKind kind>
  void cut_tetrahedra(bool brute_force) {
    run(brute_force, [this](const Element& a) { intersect<kind>(a, plane_.clipper, writer_); });
  }

  void clip_triangles(bool brute_force) {
    run(brute_force, [this](const Element& a) { clip_triangle(a); });
  }

 private:
  // The plane h = s·p − L = 0 passes through the moving box if −r(p) ≤ h(c(p)) ≤ r(p) for some p,
  // with r = Σ|g|·e. Triangles have no pressure and any depth ≥ −margin will do.
  HWY_INLINE bool can_meet_plane(const TreeNode& node) const {
    double h0 = -plane_.clipper.field.v[3], h1 = 0.0, r0 = 0.0, r1 = 0.0;
    for (int c = 0; c < 3; ++c) {
      const double g = plane_.clipper.field.v[c];
      h0 -= g * node.c0.v[c], h1 -= g * node.c1.v[c];
      r0 += std::abs(g) * node.e0.v[c], r1 += std::abs(g) * node.e1.v[c];
    }
    const double slack = 1e-14 * (std::abs(plane_.clipper.field.v[3]) + std::abs(h0));
    r0 += slack;
    if (!M_.has_pressure) return h0 - r0 <= field_.slope * field_.margin;
    if (field_.slope > 0.0) h1 += 1.0;
    return both_hold(h0 - r0, h1 - r1, -h0 - r0, -h1 - r1, node.p_lo(), node.p_hi());
  }

  /// Is there a p in [lo, hi] with u + w·p ≤ 0 and u' + w'·p ≤ 0? The ends decide, but for the rare case where
  /// each condition holds at one end only: then the two zeros do.
  static HWY_INLINE bool both_hold(double u, double w, double u2, double w2, double lo, double hi) {
    const bool at_lo = u + w * lo <= 0.0, at_hi = u + w * hi <= 0.0;
    const bool at_lo2 = u2 + w2 * lo <= 0.0, at_hi2 = u2 + w2 * hi <= 0.0;
    if ((at_lo && at_lo2) || (at_hi && at_hi2)) return true;
    if (!(at_lo || at_hi) || !(at_lo2 || at_hi2)) return false;
    const double zero = -u / w, zero2 = -u2 / w2;  // neither slope is 0: the ends differ
    return at_lo ? zero2 <= zero : zero <= zero2;
  }

  // A rigid triangle under a compliant half space: the part of it with depth ≥ −margin.
  void clip_triangle(const Element& a) {
    ClipPolygon triangle, spare;
    triangle.polygon.n = 3;
    for (int i = 0; i < 3; ++i) {
      triangle.polygon.X[i] = a.vertex[i];
      double pressure = plane_.clipper.field.v[3];
      for (int c = 0; c < 3; ++c) pressure += plane_.clipper.field.v[c] * a.vertex[i].v[c];
      triangle.polygon.X[i].v[3] = pressure;
    }
    unsigned coplanar = 0u;
    const Polygon* polygon = clip_to(plane_.clipper, triangle, spare, coplanar);
    if (polygon == nullptr || coplanar != 0u) return;
    FaceContext face;
    face.nhat_M = -Vec3(a.field.v[0], a.field.v[1], a.field.v[2]);
    face.grad_M = Vec3::Zero();
    face.grad_N = Vec3(plane_.clipper.field.v[0], plane_.clipper.field.v[1], plane_.clipper.field.v[2]);
    if (!rises_along(face.grad_N, face.nhat_M)) {
      ++writer_.dropped().softening;
      return;
    }
    face.element_M = a.id, face.element_N = -1;
    face.min_area = kMinRelativeArea * a.size2;
    writer_.write(*polygon, face);
  }

  const ElementTree& M_;
  HalfSpaceField field_;
  HalfSpaceInM plane_;
  SurfaceScratch& scratch_;
  FaceWriter writer_;
};

void half_space_on_target(const TreeAndHalfSpace& pair, bool brute_force, SurfaceScratch& scratch,
                          ContactSurface& surface) {
  HalfSpaceTraversal traversal(pair, scratch, surface);
  if (!pair.M.has_pressure) traversal.clip_triangles(brute_force);
  else if (pair.N.slope > 0.0) traversal.cut_tetrahedra<ClipperKind::kCompliantHalfSpace>(brute_force);
  else traversal.cut_tetrahedra<ClipperKind::kRigidHalfSpace>(brute_force);
}

}  // namespace HWY_NAMESPACE
}  // namespace patchfield
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace patchfield {

HWY_EXPORT(intersect_trees_on_target);
HWY_EXPORT(intersect_all_on_target);
HWY_EXPORT(half_space_on_target);

void intersect_trees(const TreePair& pair, SurfaceScratch& scratch, ContactSurface& surface) {
  HWY_DYNAMIC_DISPATCH(intersect_trees_on_target)(pair, scratch, surface);
}

void intersect_all_elements(const TreePair& pair, SurfaceScratch& scratch, ContactSurface& surface) {
  HWY_DYNAMIC_DISPATCH(intersect_all_on_target)(pair, scratch, surface);
}

void intersect_half_space(const TreeAndHalfSpace& pair, SurfaceScratch& scratch, ContactSurface& surface) {
  HWY_DYNAMIC_DISPATCH(half_space_on_target)(pair, false, scratch, surface);
}

void intersect_half_space_all_elements(const TreeAndHalfSpace& pair, SurfaceScratch& scratch, ContactSurface& surface) {
  HWY_DYNAMIC_DISPATCH(half_space_on_target)(pair, true, scratch, surface);
}

}  // namespace patchfield
#endif
