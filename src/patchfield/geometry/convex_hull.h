// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Points → convex polytope: its corners, its facets as polygons, and its deepest point.
//
//   points ──quickhull──► triangles ──merge coplanar──► facets ──drop vertices of < 3 facets──► polygons
//
// The last step removes what lies inside a facet (one facet) or inside an edge (two), so that the
// polygons of a finely sampled box are six squares.

#pragma once

#include <span>
#include <vector>

#include "patchfield/geometry/mesh.h"

namespace patchfield {

/// Vertices this close to a plane, in units of the points' largest extent, lie in it: the
/// precision of coordinates in a text file.
inline constexpr double kHullFlatness = 1e-6;

struct ConvexPolytope {
  /// A plane polygon, counter-clockwise seen from outside.
  struct Facet {
    std::vector<int> corners;  ///< Three or more vertices.
    Vec3 normal;               ///< Unit, outward.
    double offset;             ///< normal·x ≤ offset inside [m].
  };
  std::vector<Vec3> vertices;  ///< Corners only: a subset of the points, in their order.
  std::vector<Facet> facets;

  /// Distance to the nearest facet's plane, negative outside [m].
  double depth(const Vec3& p) const;
};

/// Throws InputError for coordinates that are not finite (naming the point) and for points without volume.
ConvexPolytope convex_hull(std::span<const Vec3> points);

/// The surface. Facets with four or more corners become a fan about their centre, so that a square is
/// four triangles and keeps its symmetry; the centres come after the polytope's own vertices.
TriangleMesh triangulated(const ConvexPolytope& polytope);

/// The centre of the largest inscribed sphere (Chebyshev centre). Where many points are as deep, to 1e-6, it is
/// the one nearest to the centre of volume: a long box has its middle.
Vec3 deepest_point(const ConvexPolytope& polytope);

}  // namespace patchfield
