// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Points → triangles of their convex hull, whose topology cannot break.
//
// Quickhull [Barber, Dobkin, Huhdanpaa 1996] in integers: the points are rounded to a grid of 2⁻²⁸ of their
// extent, so that "p is above the plane of this triangle" is decided exactly, in 128 bits, whatever is coplanar,
// collinear or double. A coplanar face does not count as visible; the visible ones are then always one disc, as
// if the eye had been moved slightly inwards. Floating point with a thick plane (the usual way) was not taken:
// its horizon may fall apart, and repairing that is most of the code of those who do.

#pragma once

#include <span>
#include <vector>

#include "patchfield/geometry/mesh.h"

namespace patchfield {

struct HullTriangle {
  std::array<int, 3> corner;     ///< Points, counter-clockwise seen from outside.
  std::array<int, 3> neighbour;  ///< [e] lies across the edge corner[e] – corner[e + 1].
};

/// A closed surface without zero-area triangles; coplanar neighbours are not merged. Points that stick out of it by
/// less than about 1e-8 of the extent are left out. The extent of the points must be positive, and they must be
/// further than `min_height` from every plane, or the result is empty.
std::vector<HullTriangle> quickhull(std::span<const Vec3> points, double min_height);

}  // namespace patchfield
