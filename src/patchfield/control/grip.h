// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A gripper of force-controlled fingers: commanded closing force → motor forces.
//
//        F →  ▌●▐  ← F           f_i = s_i·F + (I − s·sᵀ/n)·(k·(q₀ − q) − d·q̇) + bias_i
//
// s_i is the sign with which motor i closes. Equal closing forces leave one motion free, all fingers sideways together:
// the second term holds that part of their motion alone, and never changes the grip. If patches are
// named, an integral of the force error makes the measured normal force the commanded one.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "patchfield/control/contact_force.h"
#include "patchfield/control/joint_control.h"

namespace patchfield {

struct GripperSettings {
  std::vector<std::pair<std::string, double>> fingers;  ///< Actuator, and the sign of ctrl that closes it: +1 or −1.
  double stiffness = 0.0;                               ///< k of the centering [N/m] ≥ 0.
  double damping = 0.0;                                 ///< d of the centering [N·s/m] ≥ 0.
  double rate = 10.0;  ///< Of the force integral [1/s] ≥ 0: errors decay as exp(−rate·t) once the fingers press.
};

class Gripper {
 public:
  /// Throws InputError for unknown actuators, signs that are not ±1 and gains below 0.
  Gripper(const mjModel* m, const GripperSettings& settings);

  int size() const { return static_cast<int>(motors_.size()); }
  /// The fingers' positions in `d` are the center, and the force integral starts at 0.
  void reset(const mjData* d);
  /// Advances the force integral over a step of dt with the measured mean force per finger [N].
  void measure(double command, double measured, double dt);
  void stop_measuring() { correction_ = 0.0; }

  /// Writes ctrl of the fingers' motors: `force` closes [N per finger], negative opens. `extra(dof)` is added: what the
  /// arm's acceleration asks of a finger. Returns how many motors were at a limit.
  template <class Extra>
  int apply(double force, const StateDynamics& dynamics, const Extra& extra, mjData* d) const {
    double mean = 0.0;
    for (std::size_t i = 0; i < motors_.size(); ++i) mean += sign_[i] * centering(i, d);
    mean /= static_cast<double>(motors_.empty() ? 1 : motors_.size());
    int cut = 0;
    for (std::size_t i = 0; i < motors_.size(); ++i) {
      const int dof = motors_[i].dof;
      const double sideways = centering(i, d) - sign_[i] * mean;
      cut += motors_[i].apply(sign_[i] * (force + correction_) + sideways + dynamics.bias(dof) + extra(dof), d);
    }
    return cut;
  }

 private:
  double centering(std::size_t i, const mjData* d) const {
    return settings_.stiffness * (center_[i] - d->qpos[motors_[i].qpos]) - settings_.damping * d->qvel[motors_[i].dof];
  }

  GripperSettings settings_;
  std::vector<Motor> motors_;
  std::vector<double> sign_, center_;
  double correction_ = 0.0;
};

}  // namespace patchfield
