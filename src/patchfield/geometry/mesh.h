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

/// What had to be changed on the way from tetrahedra to a pressure field. All zero for primitives and clean meshes.
struct MeshRepairs {
  bool was_flipped = false;   ///< All tetrahedra were negative and have been re-oriented.
  int num_split = 0;          ///< Tetrahedra that had four corners without pressure and were split at their centroid.
  int num_degenerate = 0;     ///< Tetrahedra without volume: no contact comes from them.
  int num_skirt_shrunk = 0;   ///< Surface vertices with less than the full margin.
  int num_skirt_dropped = 0;  ///< Tetrahedra of the margin's skirt that were inverted and left out.

  int total() const { return was_flipped + num_split + num_degenerate + num_skirt_shrunk + num_skirt_dropped; }
};

}  // namespace patchfield
