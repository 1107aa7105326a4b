// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// MuJoCo's constraints, and servos with effort limits → scalar rows of the problem.
//
// MuJoCo's soft constraint asks for J·a = a_ref with regularisation R: f = (a_ref − J·a)/R. With the step's
// mean acceleration a = (v − v₀)/δt and the impulse γ = δt·f that is a row
//     γ = (v̂ − J·v)/R,   v̂ = J·v₀ + δt·a_ref
// with bounds by kind: equality (−∞, ∞), friction loss (−b·δt, b·δt), limit (0, ∞).

#include <algorithm>

#include "patchfield/sim/stages.h"

namespace patchfield {
namespace {

constexpr double kInf = ContactProblem::kInf;

void add_efc_row(Data& data, int i, double lo, double hi) {
  const mjData* d = data.d();
  if (!(d->efc_R[i] > 0.0)) return;
  const double vhat = d->efc_vel[i] + data.dt * d->efc_aref[i];
  data.problem.add_row(d->efc_R[i], vhat, lo, hi);
  data.row_sources.push_back({.efc = i});
  if (mj_isSparse(&data.step_model)) {
    for (int e = d->efc_J_rowadr[i]; e < d->efc_J_rowadr[i] + d->efc_J_rownnz[i]; ++e)
      if (d->efc_J[e] != 0.0) data.problem.add_row_entry(d->efc_J_colind[e], d->efc_J[e]);
  } else {
    const mjtNum* J = d->efc_J + static_cast<std::ptrdiff_t>(i) * data.step_model.nv;
    for (int j = 0; j < data.step_model.nv; ++j)
      if (J[j] != 0.0) data.problem.add_row_entry(j, J[j]);
  }
}

/// Contacts of flexes have no two rigid bodies to take a twist from. All rows of a pyramid are carried, so that its
/// edges push and rub as MuJoCo's do; of an elliptic cone the normal alone.
void add_flex_contacts(Data& data) {
  const mjData* d = data.d();
  for (int c = 0; c < data.num_mujoco_contacts; ++c) {
    const mjContact& contact = d->contact[c];
    if (contact.efc_address < 0 || (contact.geom[0] >= 0 && contact.geom[1] >= 0)) continue;
    const bool pyramid = d->efc_type[contact.efc_address] == mjCNSTR_CONTACT_PYRAMIDAL;
    const int rows = pyramid ? 2 * (contact.dim - 1) : 1;
    for (int i = 0; i < rows; ++i) add_efc_row(data, contact.efc_address + i, 0.0, kInf);
  }
}

void add_servo_row(Data& data, int a) {
  const mjModel* m = &data.step_model;
  const mjData* d = data.d();
  const ServoGains& s = data.servo[a];
  const int out = m->actuator_outadr[a], at = d->moment_rowadr[out];
  const double dt = data.dt, conductance = dt * (dt * s.kp + s.kd);
  if (conductance == 0.0 || d->moment_rownnz[out] == 0) return;

  // The tighter of the actuator's own limit and that of its joint, which includes gravity compensation.
  double lo = -kInf, hi = kInf;
  if (m->actuator_forcelimited[a]) lo = m->actuator_forcerange[2 * a], hi = m->actuator_forcerange[2 * a + 1];
  const bool at_joint = m->actuator_trntype[a] == mjTRN_JOINT || m->actuator_trntype[a] == mjTRN_JOINTINPARENT;
  const int j = at_joint ? m->actuator_trnid[2 * a] : -1;
  const double gear = d->actuator_moment[at];
  if (j >= 0 && m->jnt_actfrclimited[j] && gear != 0.0) {
    const double other = data.actuation[m->jnt_dofadr[j]];
    const double x = (m->jnt_actfrcrange[2 * j] - other) / gear, y = (m->jnt_actfrcrange[2 * j + 1] - other) / gear;
    lo = std::max(lo, std::min(x, y)), hi = std::max(lo, std::min(hi, std::max(x, y)));
  }

  const double vhat = dt * (s.force + s.kd * d->actuator_velocity[out]) / conductance;
  data.problem.add_row(1.0 / conductance, vhat, dt * lo, dt * hi);
  data.row_sources.push_back({.actuator = a});
  for (int e = at; e < at + d->moment_rownnz[out]; ++e)
    data.problem.add_row_entry(d->moment_colind[e], d->actuator_moment[e]);
}

}  // namespace

void assemble_rows(Data& data) {
  const mjModel* m = &data.step_model;
  const mjData* d = data.d();
  data.row_sources.clear();
  for (int i = 0; i < d->nefc; ++i) {
    switch (d->efc_type[i]) {
      case mjCNSTR_EQUALITY: add_efc_row(data, i, -kInf, kInf); break;
      case mjCNSTR_FRICTION_DOF:
      case mjCNSTR_FRICTION_TENDON:
        add_efc_row(data, i, -data.dt * d->efc_frictionloss[i], data.dt * d->efc_frictionloss[i]);
        break;
      case mjCNSTR_LIMIT_JOINT:
      case mjCNSTR_LIMIT_TENDON: add_efc_row(data, i, 0.0, kInf); break;
      default: break;  // contacts are patches of one point (patches.cpp)
    }
  }
  assemble_friction_rows(data);
  if (m->nflex > 0) add_flex_contacts(data);
  for (int a = 0; a < m->nactuator; ++a)
    if (data.actuator_mode[a] == ActuatorMode::kRow) add_servo_row(data, a);
}

}  // namespace patchfield
