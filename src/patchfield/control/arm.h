// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The part of a MuJoCo model that a controller moves: a chain of one-dof joints with their motors, and a site at its
// tip.
//
//   root ─ arm1 ─ arm2 ─ … ─ arm6 ─ ● site            joints and motors in this order in every array of n numbers
//
// Also the look-up of names, with the nearest one in the error.

#pragma once

#include <string>
#include <vector>

#include <mujoco/mujoco.h>

#include "patchfield/core/types.h"

namespace patchfield {

/// Joints of one arm at most: its matrices live on the stack.
inline constexpr int kMaxArmJoints = 12;

using ArmVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxArmJoints, 1>;
using ArmJacobian = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, kMaxArmJoints>;
using ArmMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxArmJoints, kMaxArmJoints>;

/// An actuator whose force on its joint is ctrl times a factor, within limits.
struct Motor {
  int actuator = -1, dof = -1, qpos = -1;
  double factor = 1.0;                 ///< Joint force per unit of ctrl: gear times gain.
  double lowest = 0.0, highest = 0.0;  /// Of the joint force [N or N·m]: the effort limits.

  /// Writes the ctrl that gives this joint force, cut to the limits. True if it was cut.
  bool apply(double force, mjData* d) const;
};

struct Arm {
  int site = -1;
  std::vector<int> joints, qpos, dofs;
  std::vector<double> lower, upper;  ///< Joint limits; infinite without.
  std::vector<Motor> motors;         ///< Empty if only kinematics was asked for.

  int size() const { return static_cast<int>(joints.size()); }
};

/// The arm whose tip is the named site. `joints`: their names in any order; empty: all joints between the site's body
/// and the world that have an actuator. Throws InputError for unknown names, joints that do not move the site, joints
/// of more than one dof, and motors that are none.
Arm find_arm(const mjModel* m, const std::string& site, const std::vector<std::string>& joints = {});

/// The motor of that name. Throws InputError if it is unknown or does not push a joint with ctrl times a factor.
Motor find_motor(const mjModel* m, const std::string& actuator);

/// Index of a named object. Throws InputError that gives `what` ("tip"), the name and the nearest name there is.
int find_name(const mjModel* m, mjtObj type, const std::string& name, const std::string& what);

/// The candidate that takes the fewest edits to become `name`; empty without candidates.
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace patchfield
