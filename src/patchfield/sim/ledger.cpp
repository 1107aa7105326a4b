// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/sim/ledger.h"

#include "patchfield/sim/body_motion.h"
#include "patchfield/sim/contact_power.h"

namespace patchfield {
namespace {

double dot(const mjtNum* a, const double* b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// vᵀMv with MuJoCo's sparse lower rows.
double quadratic(const mjModel* m, const mjData* d, const double* v) {
  double sum = 0.0;
  for (int i = 0; i < m->nv; ++i)
    for (int e = 0; e < m->M_rownnz[i]; ++e) {
      const int j = m->M_colind[m->M_rowadr[i] + e];
      sum += (i == j ? 1.0 : 2.0) * d->M[m->M_rowadr[i] + e] * v[i] * v[j];
    }
  return sum;
}

Vec6 patch_twist(const ContactProblem& p, int patch, const double* v) {
  Vec6 twist = Vec6::Zero();
  const auto add = [&](int tree, const double* J) {
    for (int i = 0; i < p.tree_size(tree); ++i) twist += Eigen::Map<const Vec6>(J + 6 * i) * v[p.tree_start[tree] + i];
  };
  add(p.patch_tree0[patch], p.J.data() + p.patch_J0[patch]);
  if (p.patch_tree1[patch] >= 0) add(p.patch_tree1[patch], p.J.data() + p.patch_J1[patch]);
  return twist;
}

struct Momentum {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};

Momentum momentum(const mjModel* m, const mjData* d, const double* v) {
  Momentum sum;
  for (int b = 1; b < m->nbody; ++b) {
    const Vec6 twist = body_twist(m, d, b, v);
    const Vec3 com = vec3(d->xipos + 3 * b), w = twist.head<3>();
    const Vec3 p = m->body_mass[b] * point_velocity(m, d, b, com, v);
    const Mat3 R = mat3(d->ximat + 9 * b);
    sum.linear += p;
    sum.angular += com.cross(p) + R * (vec3(m->body_inertia + 3 * b).asDiagonal() * (R.transpose() * w));
  }
  return sum;
}

}  // namespace

EnergyLedger energy_ledger(const Data& data) {
  EnergyLedger e;
  if (data.dt == 0.0) return e;
  const mjModel* m = &data.step_model;
  const mjData* d = data.d();
  const ContactProblem& p = data.problem;
  const int nv = static_cast<int>(m->nv);
  const double *v = data.solution.v.data(), *v0 = p.v0.data(), dt = data.dt;
  std::vector<double> mean(static_cast<std::size_t>(nv));
  for (int i = 0; i < nv; ++i) mean[static_cast<std::size_t>(i)] = 0.5 * (v[i] + v0[i]);

  e.kinetic_start = 0.5 * quadratic(m, d, v0);
  e.kinetic_end = 0.5 * quadratic(m, d, v);
  for (int b = 1; b < m->nbody; ++b)
    e.potential_start -= m->body_mass[b] * vec3(m->opt.gravity).dot(vec3(d->xipos + 3 * b));

  e.work_bias = dt * (dot(data.bias_change.data(), mean.data(), nv) - dot(d->qfrc_bias, mean.data(), nv));
  e.work_actuators = dt * dot(d->qfrc_actuator, mean.data(), nv);
  // k holds passive − bias + applied + explicit actuation.
  const double smooth = dt * dot(data.force.data(), mean.data(), nv);
  const double passive = dt * dot(d->qfrc_passive, mean.data(), nv);
  e.work_applied = smooth - passive - e.work_bias - dt * dot(data.actuation.data(), mean.data(), nv);

  for (int k = 0; k < p.num_patches(); ++k)
    e.work_contact += data.solution.patch_wrench[k].dot(patch_twist(p, k, mean.data()));
  for (int r = 0; r < p.num_rows(); ++r)
    for (int i = p.row_start[r]; data.row_sources[r].actuator < 0 && i < p.row_start[r + 1]; ++i)
      e.work_rows += data.solution.row_gamma[r] * p.row_value[i] * mean[static_cast<std::size_t>(p.row_dof[i])];

  // What A has beyond M acts as −(A − M)(v − v₀) − δt²K·v₀: all of it is passive or of servos, and those of
  // servos are in qfrc_actuator already. So the passive part follows from the balance of the free motion.
  double implicit = 0.0;
  for (int i = 0; i < nv; ++i) {
    const int t = m->dof_treeid[i], n = p.tree_size(t), first = p.tree_start[t];
    double change = data.rhs[i] - dt * data.force[i];
    for (int j = 0; j < n; ++j) change -= p.A[p.A_start[t] + (i - first) * n + j] * (v[first + j] - v0[first + j]);
    implicit += change * mean[static_cast<std::size_t>(i)];
  }
  std::vector<double> dv(static_cast<std::size_t>(nv)), Mdv(static_cast<std::size_t>(nv));
  for (int i = 0; i < nv; ++i) dv[static_cast<std::size_t>(i)] = v[i] - v0[i];
  mj_mulM(m, d, Mdv.data(), dv.data());
  implicit += dot(Mdv.data(), mean.data(), nv);
  double servos = 0.0;  // implicit part of the folded servos, and the rows
  for (int i = 0; i < nv; ++i)
    servos += dt * (d->qfrc_actuator[i] - data.actuation[i]) * mean[static_cast<std::size_t>(i)];
  for (int r = 0; r < p.num_rows(); ++r)
    for (int i = p.row_start[r]; data.row_sources[r].actuator >= 0 && i < p.row_start[r + 1]; ++i)
      servos -= data.solution.row_gamma[r] * p.row_value[i] * mean[static_cast<std::size_t>(p.row_dof[i])];
  e.work_passive = passive + implicit - servos;

  for (int i = 0; i < p.num_points(); ++i) {
    const ContactPower lost = contact_power(data, i);
    e.lost_friction += dt * lost.friction;
    e.lost_normal += dt * lost.normal;
  }
  for (int i = 0; i < nv; ++i) e.lost_damping += dt * data.damping[i] * v[i] * v[i];
  return e;
}

MomentumLedger momentum_ledger(const Data& data) {
  MomentumLedger ledger;
  if (data.dt == 0.0) return ledger;
  const mjModel* m = &data.step_model;
  const mjData* d = data.d();
  const Momentum start = momentum(m, d, data.problem.v0.data()), end = momentum(m, d, data.solution.v.data());
  ledger.linear_start = start.linear, ledger.angular_start = start.angular;
  ledger.linear_end = end.linear, ledger.angular_end = end.angular;
  const auto add = [&](int geom_A, int geom_B, int patch) {
    const Vec3 impulse = data.solution.patch_wrench[patch].tail<3>();
    const bool A_moves = m->body_treeid[m->geom_bodyid[geom_A]] >= 0;
    const bool B_moves = m->body_treeid[m->geom_bodyid[geom_B]] >= 0;
    if (B_moves && !A_moves) ledger.contact_impulse += impulse;
    if (A_moves && !B_moves) ledger.contact_impulse -= impulse;
  };
  for (int i = 0; i < data.num_patches; ++i) {
    const Patch& patch = *data.patches[static_cast<std::size_t>(i)];
    if (patch.index >= 0) add(patch.geom_A, patch.geom_B, patch.index);
  }
  for (const PointContact& c : data.point_contacts)
    add(d->contact[c.contact].geom[0], d->contact[c.contact].geom[1], c.index);
  for (int b = 1; b < m->nbody; ++b)
    if (m->body_treeid[b] >= 0) ledger.gravity_impulse += data.dt * m->body_mass[b] * vec3(m->opt.gravity);
  return ledger;
}

Energy present_energy(Data& data) {
  const mjModel* m = data.m();
  mjData* d = data.d();
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_tendon(m, d);
  mj_makeM(m, d);
  mj_energyPos(m, d);
  mj_energyVel(m, d);
  return {d->energy[1], d->energy[0]};
}

}  // namespace patchfield
