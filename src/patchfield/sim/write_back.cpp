// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The solved step → mjData, so that MuJoCo's sensors, viewer and learning stack see it as their own.
//
// As after mj_step, sensors and forces are those of the start of the step, q and v those of its end.

#include <algorithm>

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
    if (data.row_sources[r].efc < 0) continue;
    const double force = data.solution.row_gamma[r] / data.dt;
    for (int e = p.row_start[r]; e < p.row_start[r + 1]; ++e)
      d->qfrc_constraint[p.row_dof[e]] += force * p.row_value[e];
  }
}

/// efc_force of MuJoCo's own constraints and contacts (normal, tangents).
void write_efc_forces(Data& data) {
  mjData* d = data.d();
  std::fill(d->efc_force, d->efc_force + d->nefc, 0.0);
  for (int r = 0; r < data.row_sources.size(); ++r)
    if (data.row_sources[r].efc >= 0) d->efc_force[data.row_sources[r].efc] = data.solution.row_gamma[r] / data.dt;
  for (const PointContact& point : data.point_contacts) {
    const mjContact& c = d->contact[point.contact];
    const Vec3 force = data.solution.patch_wrench[point.index].tail<3>() / data.dt;
    for (int i = 0; i < std::min(c.dim, 3); ++i) d->efc_force[c.efc_address + i] = vec3(c.frame + 3 * i).dot(force);
  }
}

/// Adds the force of a patch to cfrc_ext of a body, and to what its ancestors' joints must carry.
void add_external(const mjModel* m, mjData* d, int body, const Vec3& p_WO, const Vec6& wrench) {
  const Vec3 from_com = p_WO - vec3(d->subtree_com + 3 * m->body_rootid[body]);
  Vec6 about_com = wrench;
  about_com.head<3>() += from_com.cross(wrench.tail<3>());
  Eigen::Map<Vec6>(d->cfrc_ext + 6 * body) += about_com;
  for (int b = body; b > 0; b = m->body_parentid[b]) Eigen::Map<Vec6>(d->cfrc_int + 6 * b) -= about_com;
}

/// MuJoCo's own pass knows point contacts only; patches are added to its result.
void write_body_forces(Data& data) {
  const mjModel* m = &data.step_model;
  mjData* d = data.d();
  mj_rnePostConstraint(m, d);
  for (int i = 0; i < data.num_patches; ++i) {
    const Patch& patch = *data.patches[static_cast<std::size_t>(i)];
    if (patch.index < 0) continue;
    const Vec6 wrench = data.solution.patch_wrench[patch.index] / data.dt;
    add_external(m, d, m->geom_bodyid[patch.geom_A], patch.p_WO, -wrench);
    add_external(m, d, m->geom_bodyid[patch.geom_B], patch.p_WO, wrench);
  }
  d->flg_rnepost = true;
}

/// A touch sensor sums the normal forces inside its site; MuJoCo has summed those of point contacts.
void add_touch(Data& data, int sensor) {
  const mjModel* m = &data.step_model;
  mjData* d = data.d();
  const int site = m->sensor_objid[sensor], body = m->site_bodyid[site];
  double sum = 0.0;
  for (int i = 0; i < data.num_patches; ++i) {
    const Patch& patch = *data.patches[static_cast<std::size_t>(i)];
    if (patch.index < 0) continue;
    if (m->geom_bodyid[patch.geom_A] != body && m->geom_bodyid[patch.geom_B] != body) continue;
    const int first = data.problem.patch_first[patch.index];
    for (int k = 0; k < patch.points.size(); ++k) {
      const double force = data.solution.gn[first + k] / data.dt;
      if (force == 0.0) continue;
      const Vec3 x = patch.p_WO + Vec3(patch.points.rx[k], patch.points.ry[k], patch.points.rz[k]);
      if (mj_insideSite(m, d, site, x.data())) sum += force;
    }
  }
  d->sensordata[m->sensor_adr[sensor]] += sum;
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
    d->qfrc_smooth[i] = data.force[i] - data.bias_change[i];  // MuJoCo's: with the bias of the start
  }
  write_constraint_forces(data);
  if (d->nefc > 0) write_efc_forces(data);
}

void write_sensors(Data& data) {
  const mjModel* m = &data.step_model;
  const bool sensors = m->nsensor > 0 && (m->opt.disableflags & mjDSBL_SENSOR) == 0;
  if (data.needs_body_forces && (sensors || data.options.body_forces)) write_body_forces(data);
  if (!sensors) return;
  mj_sensorAcc(m, data.d());
  for (int i = 0; i < m->nsensor; ++i)
    if (m->sensor_type[i] == mjSENS_TOUCH) add_touch(data, i);
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
  mj_Euler(&data.step_model, d);
  std::copy(data.v_end.begin(), data.v_end.end(), d->qvel);
  place_free_bodies(data, d->qpos);
}

}  // namespace patchfield
