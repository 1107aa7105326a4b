// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A way out for two bodies that overlap beyond their crests, where the fields have no face that pushes (docs/thin.md).
//
//   n̂    the direction in which the two overlap least, δ: by how much
//   law   the larger body counts as the half space behind its outermost plane in that direction, with the slope of both
//         fields in series; the surface of the smaller one lies in it, δ deep                eq:way_out
//
// A dissipation of 1/kWayOut lets them part with kWayOut at most, whatever was stored. The same law serves a body below
// a half space by more than its crest: there n̂ is the plane's own.

#pragma once

#include "patchfield/sim/data.h"

namespace patchfield {

/// Bodies that are pushed out leave with this speed at most [m/s].
inline constexpr double kWayOut = 0.5;

/// Does the body reach below the plane by more than its field carries? `plane` is A or B of the patch.
bool is_below_crest(const Data& data, const Patch& patch);

/// Fills patch.surface with the surface of the body in the half space of the pair, as far ahead as patch.reach.
void find_surface_in_plane(const SurfaceOptions& options, SurfaceScratch& scratch, Patch& patch);

/// Do the two convex bodies overlap although none of their faces presses?
bool needs_way_out(const Patch& patch);

/// Replaces patch.surface by that of the way out; false if there is none because they do not overlap.
bool find_way_out(const SurfaceOptions& options, SurfaceScratch& scratch, Patch& patch);

}  // namespace patchfield
