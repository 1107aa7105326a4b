// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Plain meshes: what files hold and what shapes become. No trees, no physics.

#pragma once

#include <array>
#include <vector>

#include "patchfield/core/types.h"

namespace patchfield {

/// Triangles, counter-clockwise seen from outside. May be open and non-convex.
struct TriangleMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
};

/// Tetrahedra of positive volume: (v1 − v0)×(v2 − v0)·(v3 − v0) > 0.
struct TetMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 4>> tets;
};

/// A tetrahedral mesh with one pressure per vertex, linear in between (theory.md §1).
struct PressureMesh {
  TetMesh mesh;
  std::vector<double> pressure;  ///< [Pa], one per vertex; negative only in a margin's skirt.
};

}  // namespace patchfield
