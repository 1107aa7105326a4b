// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A pose of an arm's tip → joint positions, by damped least squares from where the joints are.
//
//   Δq = (JᵀWJ + λI)⁻¹ JᵀW e,   e = (p error, rotation vector of the orientation error),   λ = ½eᵀWe + 1e-9
//
// The damping of Sugihara (2011) vanishes with the error: quadratic convergence near a solution, short steps near a
// singularity and for poses out of reach. Joints that would leave their limits are held and the others solve
// without them. No joint moves further from its seed than max_change: along a path sampled finely enough the solution
// cannot jump to another branch of the arm.

#pragma once

#include <memory>
#include <span>

#include "patchfield/control/arm.h"
#include "patchfield/control/se3_path.h"

namespace patchfield {

struct IkOptions {
  int max_iterations = 60;
  double position_tolerance = 1e-7;  ///< [m]
  double angle_tolerance = 1e-6;     ///< [rad]
  double max_step = 0.3;             ///< Largest change of a joint in one iteration [rad or m].
  double max_change = 1e3;           ///< Largest change of a joint from its seed [rad or m].
  double length = 0.2;               ///< Weighs a radian against a meter [m].
};

struct IkResult {
  bool converged = false;
  int iterations = 0;
  double distance = 0.0;  ///< What is left of the position error [m].
  double angle = 0.0;     ///< What is left of the orientation error [rad].
};

class InverseKinematics {
 public:
  InverseKinematics(const mjModel* m, const Arm& arm);

  /// All other joints of the model are where `d` has them.
  void set_surroundings(const mjData* d);

  /// From the seed in q to the solution, or to the nearest that was found, in q. Allocates nothing.
  IkResult solve(const Pose& X_WT, std::span<double> q, const IkOptions& options = {});

  /// Pose of the tip.
  Pose forward(std::span<const double> q);
  /// Of the tip at the joint positions of the last solve() or forward(): angular velocity above linear velocity.
  const ArmJacobian& jacobian() const { return J_; }
  /// Joint velocities that move the tip with (w, v) at those positions; damped where the arm is singular.
  void joint_velocities(const Vec3& w, const Vec3& v, std::span<double> qdot) const;

 private:
  struct DeleteMjData {
    void operator()(mjData* d) const { mj_deleteData(d); }
  };
  void update(std::span<const double> q);
  Vec6 error(const Pose& X_WT) const;
  ArmVector step(const Vec6& e, double damping, std::span<const double> q, const ArmVector& lower,
                 const ArmVector& upper) const;

  const mjModel* m_;
  Arm arm_;
  std::unique_ptr<mjData, DeleteMjData> d_;
  std::vector<double> jacobian_rows_;  ///< 6 × nv, as MuJoCo writes it.
  ArmJacobian J_;
};

}  // namespace patchfield
