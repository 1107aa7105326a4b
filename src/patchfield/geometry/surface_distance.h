// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Point → distance to a surface of triangles, exact up to rounding.
//
// A box tree, cut at the median of the longest side, visited nearest box first. The distance is
// unsigned, and the surface may be open, non-convex or contain triangles of zero area.

#pragma once

#include <vector>

#include "patchfield/geometry/mesh.h"

namespace patchfield {

/// Squared distance from p to the triangle a b c, which may be a segment or a point [m²].
double squared_distance(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

class SurfaceDistance {
 public:
  /// Keeps a copy of the triangles; there must be at least one.
  explicit SurfaceDistance(const TriangleMesh& surface);

  double operator()(const Vec3& p) const;

 private:
  struct Triangle {
    Vec3 a, b, c;
  };
  /// Nodes are stored in depth-first order: the first child follows its parent.
  struct Node {
    Vec3 lower, upper;
    int begin, end;    ///< Triangles of the whole subtree.
    int second_child;  ///< −1: a leaf.
  };

  void build(int begin, int end);
  static double squared_distance_to_box(const Vec3& p, const Node& node);

  std::vector<Triangle> triangles_;
  std::vector<Node> nodes_;
};

}  // namespace patchfield
