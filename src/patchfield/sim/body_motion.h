// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// How the bodies of a MuJoCo model move with its generalised velocities.
//
// MuJoCo keeps for each dof its motion axis (ω, v at c), c the centre of mass of the dof's whole tree
// (mjData.cdof, subtree_com). The velocity of any point x of a body is then a sum over the dofs between
// the body and the world:  ω = Σ axis_ω q̇,  v(x) = Σ (axis_v + axis_ω × (x − c)) q̇.

#pragma once

#include <mujoco/mujoco.h>

#include "patchfield/core/types.h"

namespace patchfield {

inline Eigen::Map<const Vec3> vec3(const mjtNum* x) { return Eigen::Map<const Vec3>(x); }
inline Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> mat3(const mjtNum* R) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(R);
}

/// The last dof that moves the body, or −1 if nothing does.
int last_dof(const mjModel* m, int body);

/// Adds sign × the Jacobian (rows ω, v) of the body's point p_W to a 6×n_tree block, column-major.
void add_body_jacobian(const mjModel* m, const mjData* d, int body, const Vec3& p_W, double sign, double* J);

/// (ω, v at c of the body's tree) for velocities qvel.
Vec6 body_twist(const mjModel* m, const mjData* d, int body, const mjtNum* qvel);

/// Velocity of the body's point p_W.
Vec3 point_velocity(const mjModel* m, const mjData* d, int body, const Vec3& p_W, const mjtNum* qvel);

}  // namespace patchfield
