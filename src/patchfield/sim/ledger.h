// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Where the energy and the momentum of the last step went.
//
// Dotting the step's momentum balance M₀(v − v₀) = δt·f + JᵀΓ with the mean velocity v̄ = ½(v + v₀) gives an
// exact identity for the discrete step,
//     ½vᵀM₀v − ½v₀ᵀM₀v₀ = Σ works,   work of a force = impulse · v̄,
// so `balance()` is zero to the solver's tolerance. Losses in contact are part of work_contact, not beside it.

#pragma once

#include "patchfield/sim/data.h"

namespace patchfield {

struct EnergyLedger {
  double kinetic_start = 0.0;    ///< ½v₀ᵀM₀v₀ [J]
  double kinetic_end = 0.0;      ///< ½vᵀM₀v [J]
  double potential_start = 0.0;  ///< Of gravity at q₀ [J]

  double work_bias = 0.0;     ///< Gravity, Coriolis, centrifugal [J].
  double work_passive = 0.0;  ///< Springs, dampers, fluid, gravity compensation, their implicit part too.
  double work_actuators = 0.0;
  double work_applied = 0.0;  ///< qfrc_applied and xfrc_applied.
  double work_contact = 0.0;  ///< Patches and point contacts.
  double work_rows = 0.0;     ///< Limits, equalities, friction loss.

  double lost_friction = 0.0;  ///< Of contact, at the end of the step [J] ≥ 0.
  double lost_normal = 0.0;    ///< By dissipation normal to the faces.
  double lost_damping = 0.0;   ///< vᵀDv·δt of joint dampers.

  double balance() const {
    return kinetic_end - kinetic_start -
           (work_bias + work_passive + work_actuators + work_applied + work_contact + work_rows);
  }
};

struct MomentumLedger {
  Vec3 linear_start = Vec3::Zero(), linear_end = Vec3::Zero();    ///< Σ m v [N·s], poses of the start.
  Vec3 angular_start = Vec3::Zero(), angular_end = Vec3::Zero();  ///< About the world's origin [N·m·s].
  Vec3 contact_impulse = Vec3::Zero();  ///< From bodies that cannot move onto those that can [N·s].
  Vec3 gravity_impulse = Vec3::Zero();  ///< [N·s]
};

/// Of the last step. Call before mjData is changed again.
EnergyLedger energy_ledger(const Data& data);
MomentumLedger momentum_ledger(const Data& data);

/// Kinetic energy and potential energy of gravity and joint springs in the present state [J]. Updates kinematics.
struct Energy {
  double kinetic = 0.0, potential = 0.0;
  double total() const { return kinetic + potential; }
};
Energy present_energy(Data& data);

}  // namespace patchfield
