// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The solved step → mjData, so that MuJoCo's sensors, viewer and learning stack see it as their own.
//
// As after mj_step, sensors and forces are those of the start of the step, q and v those of its end.

#include <algorithm>
#include <cstring>

#include "patchfield/sim/body_motion.h"
#include "patchfield/sim/stages.h"

namespace patchfield {
namespace {

/// qfrc_constraint = JᵀΓ/δt of contacts and MuJoCo's rows; servo rows are actuation.
void write_constraint_forces(Data& data) {
  const ContactProblem& p = data.problem;
  mjData* d = data.d();
  std::fill(d->qfrc_constraint, d->qfrc_constraint + p.num_velocities(), 0.0);
  const auto add = [&](int tree, const double* J, const Vec6& wrench) {
    const int first = p.tree_start[tree];
    for (int i = 0; i < p.tree_size(tree); ++i)
      d->qfrc_constraint[first + i] += Eigen::Map<const Vec6>(J + 6 * i).dot(wrench) / data.dt;
  };
  for (int k = 0; k < p.num_patches(); ++k) {
    add(p.patch_tree0[k], p.J.data() + p.patch_J0[k], data.solution.patch_wrench[k]);
    if (p.patch_tree1[k] >= 0) add(p.patch_tree1[k], p.J.data() + p.patch_J1[k], data.solution.patch_wrench[k]);
  }
  for (int r = 0; r < p.num_rows(); ++r) {
    if (data.row_sources[r].actuator >= 0) continue;
    const double force = data.solution.row_gamma[r] / data.dt;
    for (int e = p.row_start[r]; e < p.row_start[r + 1]; ++e)
      d->qfrc_constraint[p.row_dof[e]] += force * p.row_value[e];
  }
}

/// Adds the force of a patch to cfrc_ext of a body, and to what its ancestors' joints must carry. As in MuJoCo, the
/// world has no external force, but takes what its children bring.
void add_external(const mjModel* m, mjData* d, int body, const Vec3& p_WO, const Vec6& wrench) {
  if (body == 0) return;
  const Vec3 from_com = p_WO - vec3(d->subtree_com + 3 * m->body_rootid[body]);
  Vec6 about_com = wrench;
  about_com.head<3>() += from_com.cross(wrench.tail<3>());
  Eigen::Map<Vec6>(d->cfrc_ext + 6 * body) += about_com;
  for (int b = body;; b = m->body_parentid[b]) {
    Eigen::Map<Vec6>(d->cfrc_int + 6 * b) -= about_com;
    if (b == 0) return;
  }
}

/// MuJoCo's own pass knows point contacts only; patches are added to its result.
void write_body_forces(Data& data) {
  const mjModel* m = &data.step_model;
  mjData* d = data.d();
  mj_rnePostConstraint(m, d);
  for (int i = 0; i < data.num_patches; ++i) {
    const Patch& patch = *data.patches[static_cast<std::size_t>(i)];
    if (patch.index < 0 || patch.contact >= 0) continue;
    const Vec6 wrench = data.solution.patch_wrench[patch.index] / data.dt;
    add_external(m, d, m->geom_bodyid[patch.geom_A], patch.p_WO, -wrench);
    add_external(m, d, m->geom_bodyid[patch.geom_B], patch.p_WO, wrench);
  }
  d->flg_rnepost = true;
}

/// Does a force at x, along the outward normal of the sensor's body, count? MuJoCo's rule: its ray meets the site.
bool is_felt(const mjModel* m, const mjData* d, int site, const Vec3& x, const Vec3& outward) {
  return mju_rayGeom(d->site_xpos + 3 * site, d->site_xmat + 9 * site, m->site_size + 3 * site, x.data(),
                     outward.data(), m->site_type[site], nullptr) >= 0.0;
}

/// The normal forces that a touch sensor feels: MuJoCo's own point contacts, and each point of the patches.
double touch_force(const Data& data, int sensor) {
  const mjModel* m = &data.step_model;
  const mjData* d = data.d();
  const int site = m->sensor_objid[sensor], body = m->site_bodyid[site];
  double sum = 0.0;
  for (int c = 0; c < data.num_mujoco_contacts; ++c) {
    const mjContact& contact = d->contact[c];
    if (contact.efc_address < 0 || contact.geom[0] < 0 || contact.geom[1] < 0) continue;
    const bool on_A = m->geom_bodyid[contact.geom[0]] == body;
    if (!on_A && m->geom_bodyid[contact.geom[1]] != body) continue;
    mjtNum force[6];
    mj_contactForce(m, d, c, force);
    const Vec3 outward = (m->geom_bodyid[contact.geom[1]] == body ? -1.0 : 1.0) * vec3(contact.frame);
    if (force[0] > 0.0 && is_felt(m, d, site, vec3(contact.pos), outward)) sum += force[0];
  }
  for (int i = 0; i < data.num_patches; ++i) {
    const Patch& patch = *data.patches[static_cast<std::size_t>(i)];
    if (patch.index < 0) continue;
    const bool on_B = m->geom_bodyid[patch.geom_B] == body;
    if (!on_B && m->geom_bodyid[patch.geom_A] != body) continue;
    const ContactPoints& p = patch.points;
    const int first = data.problem.patch_first[patch.index];
    for (int k = 0; k < p.size(); ++k) {
      const double force = data.solution.gn[first + k] / data.dt;
      if (force == 0.0) continue;
      const Vec3 outward = (on_B ? -1.0 : 1.0) * Vec3(p.nx[k], p.ny[k], p.nz[k]);
      if (is_felt(m, d, site, patch.p_WO + Vec3(p.rx[k], p.ry[k], p.rz[k]), outward)) sum += force;
    }
  }
  const double cutoff = m->sensor_cutoff[sensor];
  return cutoff > 0.0 ? std::min(sum, cutoff) : sum;
}

/// MuJoCo has summed its own contacts, or read an old sample; where a sample is taken now, patches belong to it.
void write_touch(Data& data, int sensor) {
  const mjModel* m = &data.step_model;
  mjData* d = data.d();
  if (m->sensor_history[2 * sensor] > 0) {
    if (m->sensor_delay[sensor] > 0.0) return;
    const double interval = m->sensor_interval[2 * sensor], last = d->history[m->sensor_historyadr[sensor]];
    if (interval > 0.0 && last + interval > d->time) return;
  }
  d->sensordata[m->sensor_adr[sensor]] = touch_force(data, sensor);
}

/// A delayed sensor is computed while MuJoCo advances: the sample that it has just stored for `time` is replaced. The
/// buffer is (time of the last sample, cursor, times, values).
void store_delayed_touch(Data& data, int sensor, double time) {
  const mjModel* m = &data.step_model;
  const int n = m->sensor_history[2 * sensor];
  mjtNum* times = data.d()->history + m->sensor_historyadr[sensor] + 2;
  for (int i = 0; i < n; ++i)
    if (times[i] == time) times[n + i] = touch_force(data, sensor);
}

template <class F>
void for_each_touch(const Data& data, const F& f) {
  const mjModel* m = &data.step_model;
  if (data.num_patches == 0 || (m->opt.disableflags & mjDSBL_SENSOR) != 0) return;
  for (int i = 0; i < m->nsensor; ++i)
    if (m->sensor_type[i] == mjSENS_TOUCH) f(i);
}

}  // namespace

void write_forces(Data& data) {
  mjData* d = data.d();
  const ContactProblem& p = data.problem;
  for (int i = 0; i < p.num_velocities(); ++i) {
    const double turned = data.v_end[i] - data.solution.v[i];
    d->qacc[i] = (data.v_end[i] - p.v0[i]) / data.dt;
    d->qacc_smooth[i] = (p.v_star[i] + turned - p.v0[i]) / data.dt;
    d->qacc_warmstart[i] = d->qacc[i];
    // MuJoCo's: with the bias of the start, and with all actuators
    d->qfrc_smooth[i] = data.force[i] - data.bias_change[i] + d->qfrc_actuator[i] - data.actuation[i];
  }
  // v* lacks the servos that are rows
  if (std::any_of(data.actuator_mode.begin(), data.actuator_mode.end(),
                  [](ActuatorMode mode) { return mode == ActuatorMode::kRow; }))
    mj_solveM(&data.step_model, d, d->qacc_smooth, d->qfrc_smooth, 1);
  write_constraint_forces(data);
  if (d->nefc > 0) write_constraint_rows(data);
  std::memset(d->solver_niter, 0, sizeof(d->solver_niter));
  std::memset(d->solver_nnz, 0, sizeof(d->solver_nnz));
  d->solver_niter[0] = data.solver_report.iterations;  // of the island that took most
}

void write_sensors(Data& data) {
  const mjModel* m = &data.step_model;
  const bool sensors = m->nsensor > 0 && (m->opt.disableflags & mjDSBL_SENSOR) == 0;
  data.d()->flg_rnepost = false;
  if (data.needs_body_forces && (sensors || data.options.body_forces)) write_body_forces(data);
  if (!sensors) return;
  mj_sensorAcc(m, data.d());
  for_each_touch(data, [&](int i) { write_touch(data, i); });
}

void place_free_bodies(const Data& data, mjtNum* q) {
  for (const FreeBody& b : data.free_bodies) {
    std::copy(b.quat, b.quat + 4, q + b.qpos);
    if (!b.com.isZero(0.0)) Eigen::Map<Vec3>(q + b.qpos - 3) = b.origin;
  }
}

void advance(Data& data) {
  mjData* d = data.d();
  // MuJoCo's own Euler advances activations, plugins, histories, positions and time with qacc. Its v₀ + δt·qacc
  // differs from our v by rounding: keep ours.
  const double time = d->time;
  mj_Euler(&data.step_model, d);
  if (data.step_model.nhistory > 0)
    for_each_touch(data, [&](int i) {
      if (data.step_model.sensor_delay[i] > 0.0) store_delayed_touch(data, i, time);
    });
  std::copy(data.v_end.begin(), data.v_end.end(), d->qvel);
  place_free_bodies(data, d->qpos);
}

}  // namespace patchfield
