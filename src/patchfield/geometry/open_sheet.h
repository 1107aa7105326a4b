// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// An open rigid surface → one with two sides and a rim.
//
//      n̂ ↑          ↑            A triangle presses only on the side that its normal points to, so a sheet would be
//      solid
//    ─────────  →  ═════┤→       from one side and air from the other, and nothing at all edge-on. Each triangle gets
//                   ↓            a twin that faces the other way, each open edge a narrow strip that faces outwards.

#pragma once

#include "patchfield/geometry/mesh.h"

namespace patchfield {

/// Width of the rim over the diagonal of the mesh.
inline constexpr double kRimWidth = 2e-3;

/// Has the surface an edge with one triangle alone?
bool is_open(const TriangleMesh& mesh);

/// The same surface with its back sides and its rim.
TriangleMesh two_sided(const TriangleMesh& mesh);

}  // namespace patchfield
