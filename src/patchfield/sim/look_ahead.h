// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// How far ahead of this step contact must be sought, pair by pair (docs/thin.md).
//
// A field resolves its foundation depth and its margin, D. A pair that comes closer by more than a share of D within
// the step may pass from "apart" to "beyond the crest", where nothing pushes back. Such a pair looks ahead: its query
// uses skirts as wide as its approach, and the faces there wait with φ₀ > 0. All of it is a function of q, v and δt.
//
//   approach = δt·(closing speed along the axis that separates the boxes + turning · size)     eq:approach
//   reach    = 0 if approach ≤ 0.9·D (SAP: 0.5·D), else approach with a little to spare

#pragma once

#include "patchfield/core/types.h"
#include "patchfield/geometry/broad_phase.h"

namespace patchfield {

struct Data;
struct PatchPair;

/// Velocity of a geom's origin and its turning [m/s, rad/s].
struct GeomMotion {
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
};

/// Share of what a pair resolves that it may approach in one step without looking ahead. SAP's linear dissipation does
/// not end with the contact as Hunt–Crossley's does, so that faces found deep inside push out harder.
inline constexpr double kResolvedShare = 0.9, kResolvedShareOfSap = 0.5;
/// No step is split into more parts than this.
inline constexpr int kMaxParts = 256;

struct Look {
  bool meets = false;  ///< The boxes can meet within the step.
  double reach = 0.0;  ///< How far ahead to look [m]; 0: not at all.
  int parts = 1;       ///< Into how many parts the step must be split for the skirts to suffice.
};

/// Depth that a pair resolves without looking ahead, eq:resolved_depth [m]; ∞ for a rigid body and a half space.
double resolved_depth(const PatchPair& pair);

/// How much of a gap of 1 lies in one's own skirt when both fields go on below zero: 2·g_other/(g_own + g_other), at
/// most 1; twice what straight fields need, since slopes differ from place to place.
double skirt_share(double own_slope, double other_slope);

/// Fills `motion` of all geoms for velocities qvel. False if nothing moves fast enough to look ahead at all; `motion`
/// is then not filled.
bool find_motions(Data& data, const double* qvel, Column<GeomMotion>& motion);

/// Longest way of any point of the geom within the step [m].
double travel(const Data& data, int geom, const GeomMotion& motion);

Look look_ahead(const Data& data, const IndexPair& geoms, const Column<GeomMotion>& motion);

}  // namespace patchfield
