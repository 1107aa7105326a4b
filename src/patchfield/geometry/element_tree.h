// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Tetrahedra or triangles, four to a block, under a tree whose boxes move with the pressure.
//
// A contact surface needs p_A(x) = p_B(x), so it lives where two sets of points (x, p) meet in
// four dimensions. A node bounds its elements by a box whose sides are linear in p:
//
//      x                         |x − c(p)| ≤ e(p),  c(p) = c0 + c1·p,  e(p) = e0 + e1·p,
//      ▲   ╲‾‾╲                  for p in [p_lo, p_hi].
//      │    ╲  ╲   a needle from the surface (p = 0) to a far medial point (p = E)
//      │     ╲__╲
//      └──────────► p
//
// Each coordinate minus its bound is affine inside a tetrahedron, so a bound that holds at
// the vertices holds everywhere. Two nodes can contribute only if some p in both intervals
// makes the boxes overlap; that is six linear inequalities in p, and the interval that is
// left goes down to the children. A needle's box at the contact's pressure is as small as its
// cross section there, so the cost follows the surface, not the overlapping volume.
//
// Rejected: cutting each tetrahedron into pressure slabs for the tree (design.md, decision 4).
// It finds a face several times and needs slabs as thin as the mesh is fine to keep the
// exponent; the moving box has one leaf per tetrahedron and no such parameter (docs/tree.md).

#pragma once

#include <limits>

#include "patchfield/core/column.h"
#include "patchfield/geometry/mesh.h"

namespace patchfield {

/// A vector of three and a spare lane, for aligned loads.
struct alignas(32) Quad {
  double v[4];
};

/// A tetrahedron to be cut. A query reads only one of Element and Clipper per side, so they are apart.
struct alignas(64) Element {
  Quad vertex[4];  ///< (x, y, z, p) of each vertex.
  Quad field;      ///< L(x) = g·x + α: (g, α). Pressure [Pa], or depth [m] below a rigid triangle.
  double size2;    ///< Squared length of the longest edge [m²].
  int id;          ///< Index in the mesh.
};
static_assert(sizeof(Element) == 192);

/// An element that clips: the sides of a tetrahedron or of a rigid triangle, which is a
/// tetrahedron without pressure and without a fourth side.
struct alignas(64) Clipper {
  Quad plane[4];  ///< x, y, z and constant coefficients of the four λ_k(x) ≥ 0.
  Quad field;     ///< As above.
  double size2;
  int id;
};
static_assert(sizeof(Clipper) == 192);

/// Four elements' pressure-dependent boxes and fields, one per lane; coordinate-major.
struct alignas(64) BoxBlock {
  Quad c0[3], c1[3], e0[3], e1[3];
  Quad field[4];
  Quad p_lo, p_hi;
};

/// Two cache lines: the fourth lanes hold what is not a vector.
struct alignas(64) TreeNode {
  Quad c0, c1, e0, e1;

  double& p_lo() { return c0.v[3]; }
  double& p_hi() { return c1.v[3]; }
  double p_lo() const { return c0.v[3]; }
  double p_hi() const { return c1.v[3]; }
  /// Children are left() and left() + 1; −1 for a leaf, whose elements are 4·block() … 4·block() + 3.
  int left() const { return static_cast<int>(e0.v[3]); }
  int block() const { return static_cast<int>(e1.v[3]); }
  void set_links(int left, int block) { e0.v[3] = left, e1.v[3] = block; }
};
static_assert(sizeof(TreeNode) == 128);

/// Immutable after construction.
struct ElementTree {
  Column<Element> elements;  ///< Four per block; spare lanes repeat one, with p_lo > p_hi in the block.
  Column<Clipper> clippers;
  Column<BoxBlock> blocks;
  Column<TreeNode> nodes;  ///< nodes[0] is the root; none if there are no elements.
  bool has_pressure = false;

  int num_elements = 0;
  int num_degenerate = 0;  ///< Left out: volume or area below rounding.
};

/// Elements thinner than this, relative to their longest edge, have no usable gradient.
inline constexpr double kMinRelativeVolume = 1e-13;  ///< 6V/ℓ³ of a tetrahedron
inline constexpr double kMinRelativeHeight = 1e-10;  ///< 2A/ℓ² of a triangle

ElementTree build_tet_tree(const PressureMesh& mesh);
ElementTree build_triangle_tree(const TriangleMesh& mesh);

}  // namespace patchfield
