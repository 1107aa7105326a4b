// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The inner side of query.h: kernels compiled per instruction set, chosen at run time.
//
// M is the body whose elements are cut, and the frame of computation; N is the other one.

#pragma once

#include "patchfield/geometry/query.h"

namespace patchfield {

struct TreePair {
  const ElementTree& M;
  const ElementTree& N;
  Pose X_WM, X_MN;
  bool flip;  ///< M is B.
  SurfaceOptions options;
};

struct TreeAndHalfSpace {
  const ElementTree& M;
  HalfSpaceField N;
  Pose X_WM, X_MN;
  bool flip;
  SurfaceOptions options;
};

/// Tetrahedra against tetrahedra or rigid triangles.
void intersect_trees(const TreePair& pair, SurfaceScratch& scratch, ContactSurface& surface);
void intersect_all_elements(const TreePair& pair, SurfaceScratch& scratch, ContactSurface& surface);

/// Tetrahedra against a half space, and rigid triangles against a compliant half space.
void intersect_half_space(const TreeAndHalfSpace& pair, SurfaceScratch& scratch, ContactSurface& surface);
void intersect_half_space_all_elements(const TreeAndHalfSpace& pair, SurfaceScratch& scratch, ContactSurface& surface);

}  // namespace patchfield
