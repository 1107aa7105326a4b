// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Names of geoms → the contact force and torque between them in the last step: what a guard watches.
//
//   "blade/stove"   the patch of these two, in either order; the force is that on the second
//   "blade"         all patches of the blade; the force is that on the blade
//
// Patches and MuJoCo's point contacts count alike. The sum over the matching pairs of one selector is a vector sum.

#pragma once

#include <string>
#include <vector>

#include "patchfield/sim/data.h"

namespace patchfield {

/// A force and its moment about a point, in the world frame.
struct ContactForce {
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 torque = Vec3::Zero();  ///< [N·m]
};

class PatchSelector {
 public:
  /// Throws InputError with the nearest name if the model has no such geom, and if there is none or more than one
  /// slash.
  PatchSelector(const mjModel* m, const std::string& pair);

  /// Of the last step() of `data`; zero before the first.
  ContactForce measure(const Data& data, const Vec3& p_W) const;
  /// Of the last mj_step(): MuJoCo's own contacts alone.
  ContactForce measure(const mjModel* m, const mjData* d, const Vec3& p_W) const;

 private:
  /// +1: the force on B counts; −1: that on A; 0: another pair.
  double sign(int geom_A, int geom_B) const;

  int first_ = -1, second_ = -1;  ///< second_ < 0: any partner.
};

/// When a motion ends: magnitudes of forces against a threshold.
struct GuardSettings {
  std::vector<std::string> patches;  ///< Selectors.
  double threshold = 0.0;            ///< [N], or [N·m] for torques; > 0.
  bool torque = false;               ///< Torques about the tip instead of forces.
  bool below = false;                ///< Ends below the threshold instead of above it.
  bool every = false;                ///< Each selector must pass; otherwise the sum of their magnitudes.
  double hold = 0.0;                 ///< For so long without a break [s].
};

class Guard {
 public:
  /// Throws InputError for unknown names and numbers out of range.
  Guard(const mjModel* m, const GuardSettings& settings);

  void reset() { passed_for_ = 0.0; }
  /// With the forces of the last step, of length dt. True if the motion ends. Allocates nothing.
  bool update(const Data& data, const Vec3& p_W, double dt);
  bool update(const mjModel* m, const mjData* d, const Vec3& p_W, double dt);
  /// What was compared with the threshold last: the sum, or the least (above) or largest (below) of every selector.
  double value() const { return value_; }

 private:
  template <class Measure>
  bool evaluate(const Measure& measure, double dt);

  GuardSettings settings_;
  std::vector<PatchSelector> selectors_;
  double passed_for_ = 0.0, value_ = 0.0;
};

}  // namespace patchfield
