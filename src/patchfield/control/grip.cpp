// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/control/grip.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "patchfield/core/check.h"

namespace patchfield {
namespace {

void check_gain(double gain, const char* name) {
  if (!(gain >= 0.0 && std::isfinite(gain)))
    throw InputError(fmt::format("centering: {} = {} must be 0 or more and finite", name, gain));
}

}  // namespace

Gripper::Gripper(const mjModel* m, const GripperSettings& settings) : settings_(settings) {
  check_gain(settings.stiffness, "stiffness");
  check_gain(settings.damping, "damping");
  check_gain(settings.rate, "rate");
  for (const auto& [name, sign] : settings.fingers) {
    if (std::abs(sign) != 1.0)
      throw InputError(
          fmt::format("fingers: {}: {} is no sign. Give 1 if positive ctrl closes the finger, else -1", name, sign));
    find_name(m, mjOBJ_ACTUATOR, name, "fingers");
    motors_.push_back(find_motor(m, name));
    sign_.push_back(motors_.back().factor < 0.0 ? -sign : sign);  // of the joint force
  }
  center_.resize(motors_.size());
}

void Gripper::reset(const mjData* d) {
  for (std::size_t i = 0; i < motors_.size(); ++i) center_[i] = d->qpos[motors_[i].qpos];
  correction_ = 0.0;
}

// Before the fingers touch, the measured force is 0 whatever the motors do: the correction stays within the command.
void Gripper::measure(double command, double measured, double dt) {
  const double bound = std::abs(command);
  correction_ = std::clamp(correction_ + settings_.rate * dt * (command - measured), -bound, bound);
}

}  // namespace patchfield
