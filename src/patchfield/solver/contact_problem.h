// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// One time step as a problem for a velocity-level solver. It knows no robot.
//
//   find v:   A(v − v*) = Σ_p J_pᵀ F_p(V_p) + Σ_r J_rᵀ γ_r          [PFC eq:scheme_momentum]
//
//   trees    blocks of generalised velocities (a robot, a free body): one dense inertia block each
//            A_t = M + δt·D + δt²·K; v* are the free velocities, A(v* − v₀) = δt·k
//   patches  all contact points between one pair of bodies. The points see v only through the pair's
//            relative twist V = (ω, v_o) = Σ_s J_s v_{tree s} at a point o near the patch, B minus A:
//
//                  n̂ ↑  B        v_c = v_o + ω×r,  r = x − o,    v_n = n̂·v_c > 0 separates
//               ─────•─────      φ = φ₀ + δt(v_n − a),  φ < 0 overlaps; a is the convection speed
//                    A           γ [N·s] is the impulse on B; F = Σ (r×γ, γ) the patch's wrench
//
//            a is what the motion of the pressure pattern along the face adds to the pressure of the point, as a
//            speed: ṗ = −g(v_n − a). It is given, and 0 where the pattern does not move.
//
//   rows     scalar constraints on v: limits, equalities, friction loss, effort-limited actuators:
//            γ = clamp(y, lo, hi), y = (v̂ − J v)/R, R > 0
//
// Everything is expressed in the world frame W. The problem is filled anew each step: clear() keeps
// the memory.

#pragma once

#include <limits>

#include "patchfield/core/column.h"
#include "patchfield/core/types.h"

namespace patchfield {

/// How one pair of bodies slides and dissipates, combined from both sides.
struct PatchMaterial {
  double mu = 0.5;             ///< Coulomb friction coefficient, ≥ 0.
  double tau = 0.0;            ///< Relaxation time [s], ≥ 0; linear dissipation d = τk. Read by SAP.
  double hunt_crossley = 0.0;  ///< Hunt–Crossley d [s/m], ≥ 0. Read by TAMSI and Lagged.
};

struct ContactProblem {
  static constexpr double kInf = std::numeric_limits<double>::infinity();

  double dt = 0.0;  ///< Step δt [s], > 0.

  // Trees
  Column<int> tree_start;  ///< First velocity of each tree; num_trees + 1 prefix sums.
  Column<int> A_start;     ///< First entry of each tree's block in `A`; num_trees + 1.
  Column<double> A;        ///< n_t×n_t blocks one after the other, symmetric positive definite.
  Column<double> v0;       ///< Velocities at the start of the step; the warm start. n_v.
  Column<double> v_star;   ///< Free velocities, without contact and rows. n_v.

  // Patches
  Column<int> patch_first, patch_count;  ///< Its points.
  Column<int> patch_tree0, patch_tree1;  ///< Trees of the two terms, different; tree1 = −1 if there is one term.
  Column<int> patch_J0, patch_J1;        ///< First entry of J_s in `J`.
  Column<double> J;                      ///< 6×n_t blocks, column-major, rows (ω, v_o), sign included.
  Column<PatchMaterial> patch_material;

  // Points, those of one patch in a row
  Column<double> rx, ry, rz;  ///< r = x − o [m].
  Column<double> nx, ny, nz;  ///< Unit normal, out of A into B.
  Column<double> k;           ///< Stiffness [N/m], > 0.
  Column<double> phi0;        ///< Signed distance at the start of the step [m]; > 0 is speculative.
  Column<double> convection;  ///< Convection speed a [m/s]: φ = φ₀ + δt(v_n − a).
  Column<double> sliding;     ///< Sliding speed b [m/s]: dissipation acts on v_n − b.

  // Rows
  Column<int> row_start;          ///< First entry of each row; num_rows + 1 prefix sums.
  Column<int> row_dof;            ///< Velocity index of each entry, ascending, each at most once per row.
  Column<double> row_value;       ///< J of each entry.
  Column<double> row_R;           ///< Regularisation R > 0.
  Column<double> row_vhat;        ///< Target velocity v̂.
  Column<double> row_lo, row_hi;  ///< Impulse bounds: equality (−∞, ∞), limit (0, ∞), friction loss (−b, b).

  ContactProblem() { clear(); }
  void clear();

  int num_trees() const { return tree_start.size() - 1; }
  int num_velocities() const { return v0.size(); }
  int num_patches() const { return patch_first.size(); }
  int num_points() const { return k.size(); }
  int num_rows() const { return row_R.size(); }
  int tree_size(int t) const { return tree_start[t + 1] - tree_start[t]; }

  /// Appends a tree of n velocities; A, v0, v_star of it are for the caller to write
  /// (A.data() + A_start[t], v0.data() + tree_start[t], …). Returns its index.
  int add_tree(int n);

  /// Appends a patch without points between two trees (tree1 = −1: the other body is fixed). Its Jacobians
  /// are zero, for the caller to write: J.data() + patch_J0[p]. Returns its index.
  int add_patch(int tree0, int tree1, const PatchMaterial& material);

  /// Appends a point to the last patch.
  void add_point(const Vec3& r, const Vec3& nhat, double stiffness, double signed_distance,
                 double convection_speed = 0.0, double sliding_speed = 0.0);

  /// Appends a row without entries. Returns its index.
  int add_row(double R, double vhat, double lo = -kInf, double hi = kInf);

  /// Appends an entry to the last row.
  void add_row_entry(int dof, double value);
};

/// What a solver returns. Columns by velocity, patch, point and row of the problem; kept by the caller.
struct ContactSolution {
  Column<double> v;              ///< Velocities at the end of the step. Always finite.
  Column<Vec6> patch_wrench;     ///< Impulse on B about o: (Σ r×γ, Σ γ) [N·m·s, N·s].
  Column<Vec6> patch_twist;      ///< Relative twist V at the end of the step.
  Column<double> gx, gy, gz;     ///< Impulse γ on B per point [N·s]; γ/δt is the force.
  Column<double> gn;             ///< Its normal part n̂·γ ≥ 0 [N·s].
  Column<double> vn;             ///< Normal velocity at the end of the step [m/s].
  Column<double> vtx, vty, vtz;  ///< Slip velocity v_t = v_c − v_n n̂ at the end of the step [m/s].
  Column<unsigned char> stick;   ///< 1: in contact and below the friction cone (SAP) or the stiction speed.
  Column<double> row_gamma;      ///< γ per row.

  void resize(const ContactProblem& problem);
};

}  // namespace patchfield
