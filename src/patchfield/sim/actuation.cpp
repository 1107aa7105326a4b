// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Actuators. A servo is an actuator whose force is affine in its length l and velocity l̇ = m·v:
//     f = gain·u + bias,   k_p = −∂f/∂l,  k_d = −∂f/∂l̇,   f⁺ = f₀ − δt·k_p·l̇⁺ − k_d·(l̇⁺ − l̇₀)
// Without effort limits its derivatives are folded into A. With limits it is a row of the problem,
//     γ = clamp((v̂ − l̇)/R, δt·lo, δt·hi),  1/R = δt(δt·k_p + k_d),  v̂ = R·δt(f₀ + k_d·l̇₀)
// so that the limit holds at the end of the step, not at its start. All other actuators (motors, muscles,
// plugins, delayed inputs, …) act with the force at the start of the step, as in MuJoCo.

#include <algorithm>
#include <cmath>

#include "patchfield/sim/stages.h"

namespace patchfield {
namespace {

bool is_affine(const mjModel* m, int a) {
  const bool gain = m->actuator_gaintype[a] == mjGAIN_FIXED || m->actuator_gaintype[a] == mjGAIN_AFFINE;
  const bool bias = m->actuator_biastype[a] == mjBIAS_NONE || m->actuator_biastype[a] == mjBIAS_AFFINE;
  const int dyn = m->actuator_dyntype[a];
  const bool plain = dyn == mjDYN_NONE || dyn == mjDYN_INTEGRATOR || dyn == mjDYN_FILTER || dyn == mjDYN_FILTEREXACT;
  return gain && bias && plain && m->actuator_plugin[a] < 0 && m->actuator_ctrlnum[a] == 1 &&
         m->actuator_outnum[a] == 1 && m->actuator_delay[a] == 0.0 && !m->actuator_actearly[a] &&
         m->actuator_trntype[a] != mjTRN_BODY;
}

bool has_feedback(const mjModel* m, int a) {
  const mjtNum *gain = m->actuator_gainprm + mjNGAIN * a, *bias = m->actuator_biasprm + mjNBIAS * a;
  const bool in_gain = m->actuator_gaintype[a] == mjGAIN_AFFINE && (gain[1] != 0.0 || gain[2] != 0.0);
  return in_gain || (m->actuator_biastype[a] == mjBIAS_AFFINE && (bias[1] != 0.0 || bias[2] != 0.0));
}

/// The scalar joint that the actuator drives alone, or −1.
int driven_joint(const mjModel* m, int a) {
  const int trn = m->actuator_trntype[a];
  if (trn != mjTRN_JOINT && trn != mjTRN_JOINTINPARENT) return -1;
  const int j = m->actuator_trnid[2 * a];
  return m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE ? j : -1;
}

/// A limit on the total force of a joint or tendon can be given to one actuator, not shared by several.
bool shares_a_limit(const Data& data, int a) {
  const mjModel* m = data.m();
  if (m->actuator_trntype[a] == mjTRN_TENDON) return m->tendon_actfrclimited[m->actuator_trnid[2 * a]];
  const int j = driven_joint(m, a);
  return j >= 0 && m->jnt_actfrclimited[j] && data.actuator_shares[a] != 0;
}

bool limited_at_joint(const mjModel* m, int a) {
  const int j = driven_joint(m, a);
  return j >= 0 && m->jnt_actfrclimited[j];
}

double input(const mjModel* m, const mjData* d, int a) {
  if (m->actuator_actadr[a] >= 0) return d->act[m->actuator_actadr[a] + m->actuator_actnum[a] - 1];
  const int c = m->actuator_ctrladr[a];
  const double u = d->ctrl[c];
  const bool clamp = m->actuator_ctrllimited[c] && (m->opt.disableflags & mjDSBL_CLAMPCTRL) == 0;
  return clamp ? std::clamp(u, m->actuator_ctrlrange[2 * c], m->actuator_ctrlrange[2 * c + 1]) : u;
}

bool is_disabled(const mjModel* m, int a) {
  const int group = m->actuator_group[a];
  return group >= 0 && group <= 30 && (m->opt.disableactuator & (1 << group)) != 0;
}

ServoGains gains(const mjModel* m, const mjData* d, int a) {
  const mjtNum *g = m->actuator_gainprm + mjNGAIN * a, *b = m->actuator_biasprm + mjNBIAS * a;
  const int out = m->actuator_outadr[a];
  const double length = d->actuator_length[out], velocity = d->actuator_velocity[out], u = input(m, d, a);
  ServoGains s;
  double gain = g[0];
  if (m->actuator_gaintype[a] == mjGAIN_AFFINE) {
    gain += g[1] * length + g[2] * velocity;
    s.kp -= g[1] * u, s.kd -= g[2] * u;
  }
  s.force = gain * u;
  if (m->actuator_biastype[a] == mjBIAS_AFFINE) {
    s.force += b[0] + b[1] * length + b[2] * velocity;
    s.kp -= b[1], s.kd -= b[2];
  }
  return s;
}

void add_moment(const mjModel* m, const mjData* d, int a, double force, double* q) {
  (void)m;
  const int out = m->actuator_outadr[a], at = d->moment_rowadr[out];
  for (int e = 0; e < d->moment_rownnz[out]; ++e) q[d->moment_colind[at + e]] += force * d->actuator_moment[at + e];
}

/// Which actuators are implicit, and how: in each step, for callers change kinds, gains and limits.
void choose_actuator_modes(Data& data) {
  const mjModel* m = data.m();
  data.actuator_mode.assign(static_cast<int>(m->nactuator), ActuatorMode::kExplicit);
  data.servo.resize(static_cast<int>(m->nactuator));
  for (int a = 0; a < m->nactuator; ++a) {
    if (!is_affine(m, a) || !has_feedback(m, a) || shares_a_limit(data, a)) continue;
    const bool limited = m->actuator_forcelimited[a] || limited_at_joint(m, a);
    // A tendon, site or slider-crank may span trees, which a block of A cannot.
    const bool one_tree = driven_joint(m, a) >= 0;
    data.actuator_mode[a] = limited || !one_tree ? ActuatorMode::kRow : ActuatorMode::kFolded;
  }
}

}  // namespace

void find_shared_joints(Data& data) {
  const mjModel* m = data.m();
  const int n = static_cast<int>(m->nactuator);
  data.actuator_shares.assign(n, 0);
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n && driven_joint(m, a) >= 0; ++b)
      if (b != a && (driven_joint(m, b) == driven_joint(m, a) || m->actuator_trntype[b] >= mjTRN_SLIDERCRANK))
        data.actuator_shares[a] = 1;
}

void call_control(Data& data) {
  const mjModel* m = data.m();
  if (mjcb_control == nullptr || (m->opt.disableflags & mjDSBL_ACTUATION) != 0) return;
  // The model of this step shows its time step. Python's callbacks find their MjModel by its address, so the caller's
  // own is passed where it shows the same; Simulation in Python sees to that.
  mjcb_control(m->opt.timestep == data.dt ? m : &data.step_model, data.d());
}

void update_actuation(Data& data) {
  const mjModel* m = &data.step_model;
  mjData* d = data.d();
  const int nv = static_cast<int>(m->nv);
  const bool off = m->nactuator == 0 || (m->opt.disableflags & mjDSBL_ACTUATION) != 0;
  if (m->nactuator > 0) choose_actuator_modes(data);
  mj_fwdActuation(m, d);
  data.actuation.resize(nv);
  std::copy(d->qfrc_actuator, d->qfrc_actuator + nv, data.actuation.data());
  for (int a = 0; a < m->nactuator; ++a) {
    ServoGains& s = data.servo[a];
    s = {};
    if (off || data.actuator_mode[a] == ActuatorMode::kExplicit || is_disabled(m, a)) continue;
    s = gains(m, d, a);
    // Gains that drive away from the target cannot be implicit: leave such a servo to the explicit force.
    if (!(s.kp >= 0.0 && s.kd >= 0.0 && data.dt * s.kp + s.kd > 0.0)) {
      s = {};
      continue;
    }
    if (data.actuator_mode[a] != ActuatorMode::kRow) continue;
    // Its force becomes a row: take it out of the explicit ones. Alone at a limited joint, it is all there
    // is besides gravity compensation, and MuJoCo may have clamped the sum.
    if (limited_at_joint(m, a)) {
      const int j = driven_joint(m, a), i = m->jnt_dofadr[j];
      data.actuation[i] = m->jnt_actgravcomp[j] ? d->qfrc_gravcomp[i] : 0.0;
    } else {
      add_moment(m, d, a, -d->actuator_force[m->actuator_outadr[a]], data.actuation.data());
    }
  }
}

void report_actuation(Data& data) {
  const mjModel* m = &data.step_model;
  mjData* d = data.d();
  if (m->nactuator == 0) return;
  std::copy(data.actuation.begin(), data.actuation.end(), d->qfrc_actuator);
  for (int r = 0; r < data.row_sources.size(); ++r) {
    const int a = data.row_sources[r].actuator;
    if (a < 0) continue;
    d->actuator_force[m->actuator_outadr[a]] = data.solution.row_gamma[r] / data.dt;
    add_moment(m, d, a, data.solution.row_gamma[r] / data.dt, d->qfrc_actuator);
  }
  for (int a = 0; a < m->nactuator; ++a) {
    const ServoGains& s = data.servo[a];
    if (data.actuator_mode[a] != ActuatorMode::kFolded || data.dt * s.kp + s.kd == 0.0) continue;
    const int out = m->actuator_outadr[a], at = d->moment_rowadr[out];
    double rate = 0.0;
    for (int e = 0; e < d->moment_rownnz[out]; ++e)
      rate += d->actuator_moment[at + e] * data.solution.v[d->moment_colind[at + e]];
    const double change = -data.dt * s.kp * rate - s.kd * (rate - d->actuator_velocity[out]);
    d->actuator_force[out] += change;
    add_moment(m, d, a, change, d->qfrc_actuator);
  }
}

}  // namespace patchfield
