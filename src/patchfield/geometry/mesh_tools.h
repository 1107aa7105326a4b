// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Mesh → number, mesh → mesh: measures, boundary, refinement, motion and the checks of what people give us.
//
//   volume     Σ ⅙ (v₁ − v₀)×(v₂ − v₀)·(v₃ − v₀)
//   area       Σ ½ ‖(v₁ − v₀)×(v₂ − v₀)‖
//   enclosed   ⅓ ∮ x·n̂ dA = Σ ⅙ v₀·(v₁×v₂), the volume inside a closed surface (divergence theorem)

#pragma once

#include <string_view>
#include <vector>

#include "patchfield/geometry/mesh.h"
#include "patchfield/geometry/shapes.h"

namespace patchfield {

// Measures ------------------------------------------------------------------------------------

/// Six times smaller than the triple product; positive for a tetrahedron that keeps mesh.h's promise [m³].
double signed_volume(const TetMesh& mesh, int tet);
double volume(const TetMesh& mesh);
double area(const TriangleMesh& mesh);
/// Of the box along the axes that holds all vertices [m].
double diagonal(const TriangleMesh& mesh);
/// Of a closed surface, positive when it is outward oriented [m³].
double enclosed_volume(const TriangleMesh& mesh);

/// +1 or −1: the handedness of a tetrahedron. 0: degenerate, its volume drowns in the rounding of its edges.
int orientation(const TetMesh& mesh, int tet);

// Topology ------------------------------------------------------------------------------------

/// Corners of face f (opposite to corner f), counter-clockwise seen from outside a positive tetrahedron.
inline constexpr int kTetFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

/// Triangles that belong to one tetrahedron only, in the order of the tetrahedra, in vertices of `mesh`.
/// Throws InputError when a triangle has more than two tetrahedra.
std::vector<std::array<int, 3>> boundary_triangles(const TetMesh& mesh);

struct Boundary {
  TriangleMesh surface;     ///< Outward oriented; only the vertices that it uses.
  std::vector<int> vertex;  ///< Surface vertex → vertex of the tetrahedral mesh, rising.
};
Boundary boundary(const TetMesh& mesh);

/// Red refinement: each tetrahedron becomes eight at the middles of its edges. The field is the
/// same function of space, so that any contact surface keeps its area and force.
PressureMesh refine(const PressureMesh& coarse);

// Motion --------------------------------------------------------------------------------------

TriangleMesh transformed(const Pose& X, TriangleMesh mesh);
TetMesh transformed(const Pose& X, TetMesh mesh);
/// Per axis, as in model files. An odd number of negative factors mirrors; orientation is kept.
TriangleMesh scaled(const Vec3& factors, TriangleMesh mesh);
TetMesh scaled(const Vec3& factors, TetMesh mesh);

// Makers --------------------------------------------------------------------------------------

/// nx × ny × nz cells, each 24 tetrahedra about its centre (a face is four triangles about its own):
/// symmetric under all mirrors, and every tetrahedron has a corner inside the box. Five or six
/// tetrahedra per cell would be lopsided and leave tetrahedra with four corners on the boundary.
TetMesh box_grid(const Box& box, int nx, int ny, int nz);

// Checks: throw InputError that names `what`, the vertex or element, and the cure ---------------

/// Vertices are finite and indices exist. Zero-area triangles pass: later stages count them.
void validate(const TriangleMesh& mesh, std::string_view what = "triangle mesh");
/// Vertices are finite, indices exist and there is a tetrahedron. Orientation: see orient().
void validate(const TetMesh& mesh, std::string_view what = "tetrahedral mesh");
/// Makes all tetrahedra positive if all are negative (a mirrored file) and says whether it did.
/// A mixture is an InputError naming a tetrahedron; degenerate ones pass: later stages count them.
bool orient(TetMesh& mesh, std::string_view what = "tetrahedral mesh");

}  // namespace patchfield
