// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/element_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace patchfield {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A bound that is linear in the pressure: value(p) = at0 + slope·p.
struct Line {
  double at0 = 0.0, slope = 0.0;
  double operator()(double p) const { return at0 + slope * p; }
};

struct PressurePoint {
  double p, x;
};

/// An element before it finds its place in the tree.
struct Draft {
  Element element;
  Clipper clipper;
  double p_lo, p_hi;
  std::array<double, 4> key;  ///< Where it is: centroid and, in metres too, mean pressure.
};

// The line below all points that is highest where contacts are likeliest: at a quarter of the
// pressure range, since bodies touch near their surfaces. It carries an edge of the lower hull.
Line fit_below(std::span<PressurePoint> points) {
  std::sort(points.begin(), points.end(),
            [](const PressurePoint& a, const PressurePoint& b) { return a.p < b.p || (a.p == b.p && a.x < b.x); });
  double lowest = kInfinity;
  for (const PressurePoint& point : points) lowest = std::min(lowest, point.x);
  const double p_lo = points.front().p, p_hi = points.back().p;
  const double range = p_hi - p_lo;
  if (!(range > 1e-9 * std::max(std::abs(p_lo), std::abs(p_hi)))) return {lowest, 0.0};

  // Lower hull by Andrew's monotone chain.
  std::array<PressurePoint, 16> hull;
  int n = 0;
  for (const PressurePoint& c : points) {
    const auto turns_right = [&] {
      const PressurePoint &a = hull[n - 2], &b = hull[n - 1];
      return (b.p - a.p) * (c.x - a.x) - (b.x - a.x) * (c.p - a.p) <= 0.0;
    };
    while (n >= 2 && turns_right()) --n;
    hull[n++] = c;
  }

  const double p_ref = p_lo + 0.25 * range;
  int i = 0;
  while (i + 2 < n && hull[i + 1].p < p_ref) ++i;
  const PressurePoint &a = hull[i], &b = hull[i + 1];
  if (!(b.p - a.p > 1e-6 * range)) return {lowest, 0.0};  // too steep to be trusted
  Line line{0.0, (b.x - a.x) / (b.p - a.p)};
  line.at0 = a.x - line.slope * a.p;
  // Rounding may have left a point below the line.
  double excess = 0.0;
  for (const PressurePoint& point : points) excess = std::max(excess, line(point.p) - point.x);
  line.at0 -= excess;
  return line;
}

Line fit_above(std::span<PressurePoint> points) {
  for (PressurePoint& point : points) point.x = -point.x;
  const Line line = fit_below(points);
  for (PressurePoint& point : points) point.x = -point.x;
  return {-line.at0, -line.slope};
}

/// A moving box while it is being built: two lines per axis.
struct MovingBox {
  std::array<Line, 3> lo, hi;
  double p_lo = kInfinity, p_hi = -kInfinity;
};

MovingBox bound_vertices(std::span<const Draft> drafts) {
  MovingBox box;
  std::array<PressurePoint, 16> points;
  for (int axis = 0; axis < 3; ++axis) {
    int n = 0;
    for (const Draft& draft : drafts)
      for (const Quad& vertex : draft.element.vertex) points[n++] = {vertex.v[3], vertex.v[axis]};
    const std::span used(points.data(), n);
    box.lo[axis] = fit_below(used);
    box.hi[axis] = fit_above(used);
  }
  for (const Draft& draft : drafts) {
    box.p_lo = std::min(box.p_lo, draft.p_lo);
    box.p_hi = std::max(box.p_hi, draft.p_hi);
  }
  return box;
}

// A parent bounds the four corners that each child's lines have at the ends of its interval.
MovingBox bound_children(const MovingBox& a, const MovingBox& b, bool has_pressure) {
  MovingBox box;
  box.p_lo = std::min(a.p_lo, b.p_lo);
  box.p_hi = std::max(a.p_hi, b.p_hi);
  const auto corners = [&](const Line& la, const Line& lb) -> std::array<PressurePoint, 4> {
    if (!has_pressure) return {{{0, la.at0}, {0, la.at0}, {0, lb.at0}, {0, lb.at0}}};
    return {{{a.p_lo, la(a.p_lo)}, {a.p_hi, la(a.p_hi)}, {b.p_lo, lb(b.p_lo)}, {b.p_hi, lb(b.p_hi)}}};
  };
  for (int axis = 0; axis < 3; ++axis) {
    auto below = corners(a.lo[axis], b.lo[axis]);
    auto above = corners(a.hi[axis], b.hi[axis]);
    box.lo[axis] = fit_below(below);
    box.hi[axis] = fit_above(above);
  }
  return box;
}

class Builder {
 public:
  Builder(std::vector<Draft> drafts, bool has_pressure, ElementTree& tree)
      : drafts_(std::move(drafts)), has_pressure_(has_pressure), tree_(tree) {}

  void build() {
    if (drafts_.empty()) return;
    // Boxes are padded far above rounding and far below any feature: a query must find
    // whatever the brute-force loop finds.
    double largest = 0.0;
    for (const Draft& draft : drafts_)
      for (const Quad& vertex : draft.element.vertex)
        for (int axis = 0; axis < 3; ++axis) largest = std::max(largest, std::abs(vertex.v[axis]));
    padding_ = 1e-12 * largest;
    tree_.nodes.push_back({});
    build_node(0, 0, static_cast<int>(drafts_.size()));
  }

 private:
  MovingBox build_node(int node, int first, int last) {
    const int n = last - first;
    MovingBox box;
    if (n <= 4) {
      const std::span<const Draft> group(drafts_.data() + first, n);
      box = bound_vertices(group);
      store(box, node, -1, tree_.blocks.size());
      append_block(group);
      return box;
    }
    // Split at the median of the longest side, in whole blocks so that leaves are full.
    const int middle = first + (n / 2 + 3) / 4 * 4;
    const int axis = longest_axis(first, last);
    std::nth_element(drafts_.begin() + first, drafts_.begin() + middle, drafts_.begin() + last,
                     [axis](const Draft& a, const Draft& b) {
                       return a.key[axis] < b.key[axis] || (a.key[axis] == b.key[axis] && a.element.id < b.element.id);
                     });
    const int left = tree_.nodes.size();
    tree_.nodes.push_back({});
    tree_.nodes.push_back({});
    const MovingBox a = build_node(left, first, middle);
    const MovingBox b = build_node(left + 1, middle, last);
    box = bound_children(a, b, has_pressure_);
    store(box, node, left, -1);
    return box;
  }

  int longest_axis(int first, int last) const {
    std::array<double, 4> lo, hi;
    lo.fill(kInfinity), hi.fill(-kInfinity);
    for (int i = first; i < last; ++i)
      for (int axis = 0; axis < 4; ++axis) {
        lo[axis] = std::min(lo[axis], drafts_[i].key[axis]);
        hi[axis] = std::max(hi[axis], drafts_[i].key[axis]);
      }
    int best = 0;
    for (int axis = 1; axis < 4; ++axis)
      if (hi[axis] - lo[axis] > hi[best] - lo[best]) best = axis;
    return best;
  }

  void store(const MovingBox& box, int index, int left, int block) {
    TreeNode& node = tree_.nodes[index];
    node = {};
    for (int axis = 0; axis < 3; ++axis) {
      const Line lo = box.lo[axis], hi = box.hi[axis];
      node.c0.v[axis] = 0.5 * (lo.at0 + hi.at0);
      node.c1.v[axis] = 0.5 * (lo.slope + hi.slope);
      node.e0.v[axis] = 0.5 * (hi.at0 - lo.at0) + padding_;
      node.e1.v[axis] = 0.5 * (hi.slope - lo.slope);
    }
    node.p_lo() = box.p_lo, node.p_hi() = box.p_hi;
    node.set_links(left, block);
  }

  void append_block(std::span<const Draft> group) {
    BoxBlock block{};
    for (int lane = 0; lane < 4; ++lane) {
      const bool used = lane < static_cast<int>(group.size());
      const Draft& draft = group[used ? lane : 0];
      tree_.elements.push_back(draft.element);
      tree_.clippers.push_back(draft.clipper);
      const MovingBox box = bound_vertices({&draft, 1});
      for (int axis = 0; axis < 3; ++axis) {
        const Line lo = box.lo[axis], hi = box.hi[axis];
        block.c0[axis].v[lane] = 0.5 * (lo.at0 + hi.at0);
        block.c1[axis].v[lane] = 0.5 * (lo.slope + hi.slope);
        block.e0[axis].v[lane] = 0.5 * (hi.at0 - lo.at0) + padding_;
        block.e1[axis].v[lane] = 0.5 * (hi.slope - lo.slope);
      }
      for (int c = 0; c < 4; ++c) block.field[c].v[lane] = draft.element.field.v[c];
      block.p_lo.v[lane] = used ? box.p_lo : kInfinity;
      block.p_hi.v[lane] = used ? box.p_hi : -kInfinity;
    }
    tree_.blocks.push_back(block);
  }

  std::vector<Draft> drafts_;
  bool has_pressure_;
  ElementTree& tree_;
  double padding_ = 0.0;
};

double longest_edge2(std::span<const Vec3> v) {
  double longest = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) longest = std::max(longest, (v[i] - v[j]).squaredNorm());
  return longest;
}

void set_vertex(Element& element, int i, const Vec3& x, double p) { element.vertex[i] = {{x[0], x[1], x[2], p}}; }

// λ(x) = gradient·(x − zero_at).
void set_plane(Clipper& clipper, int k, const Vec3& gradient, const Vec3& zero_at) {
  for (int c = 0; c < 3; ++c) clipper.plane[c].v[k] = gradient[c];
  clipper.plane[3].v[k] = -gradient.dot(zero_at);
}

bool make_tet(const PressureMesh& mesh, int t, Draft& draft) {
  std::array<Vec3, 4> v;
  std::array<double, 4> p;
  for (int i = 0; i < 4; ++i) {
    v[i] = mesh.mesh.vertices[mesh.mesh.tets[t][i]];
    p[i] = mesh.pressure[mesh.mesh.tets[t][i]];
  }
  Mat3 edges;
  edges << v[1] - v[0], v[2] - v[0], v[3] - v[0];
  const double size2 = longest_edge2(v);
  const double volume6 = edges.determinant();
  if (!(volume6 > kMinRelativeVolume * size2 * std::sqrt(size2))) return false;

  Element& e = draft.element;
  e = {};
  draft.clipper = {};
  e.id = draft.clipper.id = t;
  e.size2 = draft.clipper.size2 = size2;
  // Barycentric functions: rows of the inverse are ∇λ₁, ∇λ₂, ∇λ₃, and they sum to −∇λ₀.
  const Mat3 inverse = edges.inverse();
  std::array<Vec3, 4> grad;
  for (int k = 1; k < 4; ++k) grad[k] = inverse.row(k - 1).transpose();
  grad[0] = -(grad[1] + grad[2] + grad[3]);
  Vec3 g = Vec3::Zero();
  for (int k = 0; k < 4; ++k) {
    set_vertex(e, k, v[k], p[k]);
    set_plane(draft.clipper, k, grad[k], v[(k + 1) % 4]);
    g += (p[k] - p[0]) * grad[k];  // ∇p = Σ p_k ∇λ_k, and the ∇λ_k sum to zero
  }
  if (!g.allFinite()) return false;
  e.field = draft.clipper.field = {{g[0], g[1], g[2], p[0] - g.dot(v[0])}};
  draft.p_lo = *std::min_element(p.begin(), p.end());
  draft.p_hi = *std::max_element(p.begin(), p.end());
  const Vec3 centroid = 0.25 * (v[0] + v[1] + v[2] + v[3]);
  draft.key = {centroid[0], centroid[1], centroid[2], 0.25 * (p[0] + p[1] + p[2] + p[3])};
  return true;
}

bool make_triangle(const TriangleMesh& mesh, int t, Draft& draft) {
  std::array<Vec3, 3> v;
  for (int i = 0; i < 3; ++i) v[i] = mesh.vertices[mesh.triangles[t][i]];
  const double size2 = longest_edge2(v);
  const Vec3 area_vector = (v[1] - v[0]).cross(v[2] - v[0]);
  const double twice_area = area_vector.norm();
  if (!(twice_area > kMinRelativeHeight * size2)) return false;

  const Vec3 n = area_vector / twice_area;
  Element& e = draft.element;
  e = {};
  draft.clipper = {};
  e.id = draft.clipper.id = t;
  e.size2 = draft.clipper.size2 = size2;
  for (int k = 0; k < 3; ++k) {
    set_vertex(e, k, v[k], 0.0);
    // λ_k is 1 at vertex k and 0 on the opposite edge; its gradient lies in the plane.
    const Vec3 &a = v[(k + 1) % 3], &b = v[(k + 2) % 3];
    set_plane(draft.clipper, k, n.cross(b - a) / twice_area, a);
  }
  set_vertex(e, 3, v[0], 0.0);
  draft.clipper.plane[3].v[3] = 1.0;                                     // no fourth side: λ₃ = 1
  e.field = draft.clipper.field = {{-n[0], -n[1], -n[2], n.dot(v[0])}};  // depth below the plane
  draft.p_lo = -kInfinity, draft.p_hi = kInfinity;                       // a rigid surface meets any pressure
  const Vec3 centroid = (v[0] + v[1] + v[2]) / 3.0;
  draft.key = {centroid[0], centroid[1], centroid[2], 0.0};
  return e.field.v[0] == e.field.v[0];
}

// Pressure as a fourth coordinate, in metres: divided by the mean slope of the field.
void scale_pressure_keys(std::vector<Draft>& drafts) {
  double slope = 0.0;
  for (const Draft& draft : drafts) {
    const Quad& g = draft.element.field;
    slope += std::sqrt(g.v[0] * g.v[0] + g.v[1] * g.v[1] + g.v[2] * g.v[2]);
  }
  slope /= std::max<double>(1.0, static_cast<double>(drafts.size()));
  for (Draft& draft : drafts) draft.key[3] = slope > 0.0 ? draft.key[3] / slope : 0.0;
}

}  // namespace

ElementTree build_tet_tree(const PressureMesh& mesh) {
  ElementTree tree;
  tree.has_pressure = true;
  std::vector<Draft> drafts;
  drafts.reserve(mesh.mesh.tets.size());
  Draft draft;
  for (int t = 0; t < static_cast<int>(mesh.mesh.tets.size()); ++t) {
    if (make_tet(mesh, t, draft)) drafts.push_back(draft);
    else ++tree.num_degenerate;
  }
  scale_pressure_keys(drafts);
  tree.num_elements = static_cast<int>(drafts.size());
  Builder(std::move(drafts), true, tree).build();
  return tree;
}

ElementTree build_triangle_tree(const TriangleMesh& mesh) {
  ElementTree tree;
  std::vector<Draft> drafts;
  drafts.reserve(mesh.triangles.size());
  Draft draft;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
    if (make_triangle(mesh, t, draft)) drafts.push_back(draft);
    else ++tree.num_degenerate;
  }
  tree.num_elements = static_cast<int>(drafts.size());
  Builder(std::move(drafts), false, tree).build();
  return tree;
}

}  // namespace patchfield
