// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Joints of a tree → joints, equalities and actuators of an mjSpec.
//
// A body's pose in the spec is that at the initial positions, MuJoCo's reference; the motions stand in the body's frame
// there. With Y the frame behind a motion M, in the body's frame B, and going from the body towards its parent:
//     Y₀ = X_CJ,   axis_B = Y·axis,   Y ← Y·M(q₀)⁻¹,   and from joint to joint Y ← Y·X_PJ⁻¹·X_CJ'.
// What is left, X_PB = (Y·X_PJ⁻¹)⁻¹, is the body's pose in its parent.

#pragma once

#include <string>
#include <vector>

#include <mujoco/mujoco.h>

#include "patchfield/io/assembly.h"
#include "patchfield/io/link_tree.h"

namespace patchfield {

class JointWriter {
 public:
  JointWriter(mjSpec* spec, const Assembly& assembly) : spec_(spec), assembly_(assembly) {}

  /// Writes the body's joints and returns X_PB.
  Pose write(const TreeNode& node, mjsBody* body);

  /// Couplings, actuators and closed loops, once all bodies are there. `body_name` of kWorld is "world".
  void write_couplings();
  void write_actuators();
  void write_loop(const Joint& joint);

  /// Penalties of limits need MuJoCo's inverse inertias, so they are set in the model.
  void set_limit_penalties(mjModel* m) const;

 private:
  void add_motion(const Joint& joint, const Motion& motion, const Pose& X_BJ, double sign, mjsBody* body);
  void add_coupling(const std::string& driven, const std::string& driver, double slope, double offset,
                    const Place& place);
  void add_connect(const Joint& joint, const Vec3& p_PA);
  std::string body_name(int link) const;
  const Motion& find_driver(const Joint& joint, const Mimic& mimic) const;

  mjSpec* spec_;
  const Assembly& assembly_;
};

/// The pose of a motion's far side in its near side.
Pose motion_pose(const Motion& motion, double position);

}  // namespace patchfield
