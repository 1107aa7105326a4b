// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Wanted joint motion → motor forces, within the motors' limits.
//
//   computed torque   τ = M(q)·(q̈* + 2ζω·ė + ω²·e) + bias(q, q̇) − passive       e = q* − q
//                     the closed loop is ë + 2ζω·ė + ω²·e = 0 for every joint, whatever the arm's pose
//   PD                τ = k_p·e + k_d·ė + gravity(q)
//
// The bias has gravity and Coriolis forces of the whole model at its present state, so bodies that hang on the arm in
// the kinematic tree (fingers) are compensated; what a gripper holds by contact is not.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "patchfield/control/arm.h"

namespace patchfield {

enum class TrackingLaw { kComputedTorque, kPd };

struct TrackingOptions {
  TrackingLaw law = TrackingLaw::kComputedTorque;
  double frequency = 20.0;               ///< ω [rad/s] > 0 of computed torque.
  double damping = 1.0;                  ///< ζ ≥ 0 of computed torque; 1 is critical.
  std::vector<double> kp = {}, kd = {};  ///< Of PD: per joint, or one number for all [N·m/rad, N·m·s/rad].
};

/// Throws InputError unless the numbers are in their ranges and there is one gain, or one per joint.
void check_tracking(const TrackingOptions& options, int num_joints);

/// Inertia and bias forces of a model at a state, in memory of its own: an mjData between two steps has those of the
/// start of the last step.
class StateDynamics {
 public:
  explicit StateDynamics(const mjModel* m);
  /// At the positions and velocities of `d`. Allocates nothing.
  void update(const mjData* d);

  /// M·x of the whole model; x has nv numbers.
  void multiply_inertia(const double* x, double* result) const;
  double bias(int dof) const { return d_->qfrc_bias[dof]; }  ///< Coriolis and gravity [N or N·m].
  double gravity(int dof) const { return gravity_[static_cast<std::size_t>(dof)]; }  ///< The bias at rest.
  double passive(int dof) const { return d_->qfrc_passive[dof]; }                    ///< Joint springs and dampers.
  const mjData* data() const { return d_.get(); }  ///< With poses of bodies and sites at this state.

 private:
  struct DeleteMjData {
    void operator()(mjData* d) const { mj_deleteData(d); }
  };
  const mjModel* m_;
  std::unique_ptr<mjData, DeleteMjData> d_;
  std::vector<double> gravity_;
};

class JointTracker {
 public:
  /// Throws InputError as check_tracking() does.
  JointTracker(const mjModel* m, const Arm& arm, const TrackingOptions& options);

  /// Writes ctrl of the arm's motors. `dynamics` is at the state of `d`. Returns how many motors were at a limit.
  int track(std::span<const double> q, std::span<const double> qdot, std::span<const double> qddot,
            const StateDynamics& dynamics, mjData* d);

  /// M·q̈ of the last computed torque, per dof of the model: what other joints feel of the arm's acceleration.
  double inertial_force(int dof) const { return inertial_[static_cast<std::size_t>(dof)]; }

 private:
  Arm arm_;
  TrackingOptions options_;
  std::vector<double> acceleration_, inertial_;  ///< nv
};

}  // namespace patchfield
