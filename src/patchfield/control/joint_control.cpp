// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/control/joint_control.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "patchfield/core/check.h"

namespace patchfield {
namespace {

void check_gains(const std::vector<double>& gains, const char* name, int num_joints) {
  const auto n = static_cast<int>(gains.size());
  if (n != 1 && n != num_joints)
    throw InputError(fmt::format("{} has {} numbers: give one, or one for each of the {} joints", name, n, num_joints));
  for (const double gain : gains)
    if (!(gain >= 0.0 && std::isfinite(gain)))
      throw InputError(fmt::format("{} = {}: gains must be 0 or more and finite", name, gain));
}

double gain_of(const std::vector<double>& gains, std::size_t joint) { return gains[gains.size() == 1 ? 0 : joint]; }

}  // namespace

void check_tracking(const TrackingOptions& options, int num_joints) {
  if (options.law == TrackingLaw::kPd) {
    check_gains(options.kp, "kp", num_joints);
    check_gains(options.kd, "kd", num_joints);
    return;
  }
  if (!(options.frequency > 0.0 && std::isfinite(options.frequency)))
    throw InputError(fmt::format("frequency = {}: give rad/s above 0, such as 20", options.frequency));
  if (!(options.damping >= 0.0 && std::isfinite(options.damping)))
    throw InputError(fmt::format("damping = {}: give a ratio of 0 or more; 1 is critical", options.damping));
}

StateDynamics::StateDynamics(const mjModel* m) : m_(m), d_(mj_makeData(m)), gravity_(static_cast<std::size_t>(m->nv)) {
  if (d_ == nullptr) throw InputError("not enough memory for another mjData of this model");
}

void StateDynamics::update(const mjData* d) {
  mjData* const own = d_.get();
  std::copy_n(d->qpos, m_->nq, own->qpos);
  std::copy_n(d->mocap_pos, 3 * m_->nmocap, own->mocap_pos);
  std::copy_n(d->mocap_quat, 4 * m_->nmocap, own->mocap_quat);
  std::fill_n(own->qvel, m_->nv, 0.0);
  mj_kinematics(m_, own);
  mj_comPos(m_, own);
  mj_makeM(m_, own);
  mj_comVel(m_, own);
  mj_rne(m_, own, 0, gravity_.data());
  std::copy_n(d->qvel, m_->nv, own->qvel);
  mj_comVel(m_, own);
  mj_passive(m_, own);
  mj_rne(m_, own, 0, own->qfrc_bias);
}

void StateDynamics::multiply_inertia(const double* x, double* result) const { mj_mulM(m_, d_.get(), result, x); }

JointTracker::JointTracker(const mjModel* m, const Arm& arm, const TrackingOptions& options)
    : arm_(arm), options_(options), acceleration_(static_cast<std::size_t>(m->nv)),
      inertial_(static_cast<std::size_t>(m->nv)) {
  check_tracking(options, arm.size());
}

int JointTracker::track(std::span<const double> q, std::span<const double> qdot, std::span<const double> qddot,
                        const StateDynamics& dynamics, mjData* d) {
  const auto n = static_cast<std::size_t>(arm_.size());
  const bool pd = options_.law == TrackingLaw::kPd;
  const double w = options_.frequency;
  for (std::size_t i = 0; i < n; ++i) {
    const double e = q[i] - d->qpos[arm_.qpos[i]], rate = qdot[i] - d->qvel[arm_.dofs[i]];
    acceleration_[static_cast<std::size_t>(arm_.dofs[i])] =
        pd ? 0.0 : qddot[i] + 2.0 * options_.damping * w * rate + w * w * e;
  }
  dynamics.multiply_inertia(acceleration_.data(), inertial_.data());
  int cut = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const int dof = arm_.dofs[i];
    const double e = q[i] - d->qpos[arm_.qpos[i]], rate = qdot[i] - d->qvel[dof];
    const double force = pd ? gain_of(options_.kp, i) * e + gain_of(options_.kd, i) * rate + dynamics.gravity(dof)
                            : inertial_force(dof) + dynamics.bias(dof) - dynamics.passive(dof);
    cut += arm_.motors[i].apply(force, d);
  }
  return cut;
}

}  // namespace patchfield
