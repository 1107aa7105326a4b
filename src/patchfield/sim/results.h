// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What the last step found at each patch and each face, in columns.
//
// Collected when asked for: a step that nobody looks at pays nothing. Forces are on B, in the world frame,
// mean over the step; A gets the opposite. Geometry is that of the start of the step.

#pragma once

#include "patchfield/sim/data.h"

namespace patchfield {

/// Columns of equal length num_patches(), sorted by (geom_A, geom_B).
struct PatchResults {
  Column<int> geom_A, geom_B;
  Column<int> slot;                   ///< The Patch is *data.patches[slot].
  Column<int> first_face, num_faces;  ///< Rows of FaceResults.
  Column<double> area;                ///< Of the faces that press at the start of the step [m²].
  Column<double> waiting_area;        ///< Of the faces in the skirt, which may push within the step [m²].
  Column<Vec3> p_WO;                  ///< Reference point [m].
  Column<Vec3> force_W;               ///< Net force on B [N].
  Column<Vec3> moment_O_W;            ///< Net moment on B about p_WO [N·m].
  Column<Vec3> p_WP;            ///< Centre of pressure: mean position weighted by normal force; p_WO without force.
  Column<Vec3> moment_P_W;      ///< Net moment on B about p_WP [N·m].
  Column<double> normal_force;  ///< Σ f_n [N] ≥ 0
  Column<double> dissipation;   ///< Σ of the faces' [W]

  int size() const { return geom_A.size(); }
};

/// Columns of equal length, faces of one patch in a row.
struct FaceResults {
  Column<int> patch;               ///< Row of PatchResults.
  Column<int> face;                ///< Row of the patch's ContactSurface.
  Column<Vec3> centroid_W;         ///< [m]
  Column<Vec3> nhat_AB_W;          ///< Out of A into B.
  Column<double> area;             ///< [m²]
  Column<double> pressure;         ///< p_c of the fields at the start of the step [Pa]
  Column<double> normal_traction;  ///< f_n/A of the solution, dissipation included [Pa] ≥ 0
  Column<Vec3> friction_W;         ///< Friction traction on B, f_t/A [Pa].
  Column<Vec3> slip_velocity_W;    ///< v_t of B relative to A at the end of the step [m/s].
  Column<unsigned char> sticks;    ///< 1: touches and does not slip.
  Column<double> dissipation;      ///< Power lost by friction and by normal dissipation [W].

  int size() const { return patch.size(); }
};

struct StepResults {
  PatchResults patches;
  FaceResults faces;
};

/// Of the last step of `data`, reusing the columns. Before the first step: empty.
void collect_results(const Data& data, StepResults& results);

}  // namespace patchfield
