// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Two posed geometries → the contact surface between them (theory.md §2).
//
//   tree × tree            where boxes and pressures can meet          tree_query.cpp
//   block × block          which of 4×4 elements can meet                  "
//   element × element      plane of equal pressure ∩ τ_a, clipped by τ_b   "
//   polygon → faces        area, centroid, centre of pressure, columns  face_writer.h
//
// Every pair of kinds is one case: a tetrahedron of the compliant side is cut by the plane
// where s·p_a(x) = L_b(x) and clipped by the sides of the other element. L_b is the pressure
// of a tetrahedron or of a compliant half space (s = 1), or the depth below a rigid triangle
// or half space (s = 0: the stiff limit, where only L_b = 0 can balance).

#pragma once

#include <cstdint>

#include "patchfield/geometry/contact_surface.h"
#include "patchfield/geometry/geometry.h"

namespace patchfield {

/// Memory of queries, reused; one per thread.
struct SurfaceScratch {
  Column<TreeNode> node;  ///< Nodes of the second tree in the frame of the first …
  Column<BoxBlock> box;
  Column<Clipper> clipper;           ///< … and its elements, transformed when first met.
  Column<std::uint32_t> node_stamp;  ///< == epoch if transformed in this query.
  Column<std::uint32_t> block_stamp;
  std::uint32_t epoch = 0;

  /// Work of the last query: how well each stage narrows down for the next (bench/kernels).
  struct Counts {
    long node_pairs = 0, block_pairs = 0, element_pairs = 0;
  } counts;

  struct NodePair {
    int a, b;
    double p_lo, p_hi;
  };
  Column<NodePair> stack;
};

/// Computes S∩ into `surface`, reusing its memory. Never throws because of geometry;
/// throws InputError if a pose is not finite.
void compute_contact_surface(const Geometry& A, const Pose& X_WA, const Geometry& B, const Pose& X_WB,
                             const SurfaceOptions& options, SurfaceScratch& scratch, ContactSurface& surface);

/// The surface of a rigid `body` in the field of a half space z ≤ 0 at X_WH, at any depth below it; the body is A or B.
void compute_surface_in_half_space(const Geometry& body, const Pose& X_WBody, const HalfSpaceField& field,
                                   const Pose& X_WH, bool body_is_A, const SurfaceOptions& options,
                                   SurfaceScratch& scratch, ContactSurface& surface);

/// The same by testing every element against every other: the twin that tests compare with.
void compute_contact_surface_by_brute_force(const Geometry& A, const Pose& X_WA, const Geometry& B, const Pose& X_WB,
                                            const SurfaceOptions& options, SurfaceScratch& scratch,
                                            ContactSurface& surface);

/// One-off form.
ContactSurface contact_surface(const Geometry& A, const Pose& X_WA, const Geometry& B, const Pose& X_WB,
                               const SurfaceOptions& options = {});

}  // namespace patchfield
