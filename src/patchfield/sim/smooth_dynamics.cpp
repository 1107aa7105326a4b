// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Everything but contact: MuJoCo's kinematics, inertia, bias and passive forces, and the trees of the problem.
//
// The smooth forces k are taken at the start of the step; those of joint dampers, springs and servos are
// followed to its end, −D(v − v₀) − δt·K·v. Put into [PFC eq:scheme_momentum], that is
//     A(v − v₀) = δt·k₀ − δt²·K·v₀ + JᵀΓ,   A = M + δt·D + δt²·K
// so v* = v₀ + A⁻¹(δt·k₀ − δt²·K·v₀). Any D, K ≥ 0 keep the step first-order accurate: where a law is not
// linear its slope is used, where the slope is negative, zero.

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "patchfield/sim/body_motion.h"
#include "patchfield/sim/stages.h"

namespace patchfield {
namespace {

bool disabled(const mjModel* m, int flag) { return (m->opt.disableflags & flag) != 0; }

/// The caller's model with what a step of ours needs. Columns are shared, so edits of the caller's are seen.
void prepare_model(Data& data) {
  mjModel& s = data.step_model;
  s = *data.m();
  s.opt.timestep = data.dt;
  s.opt.integrator = mjINT_EULER;
  s.opt.disableflags |= mjDSBL_EULERDAMP | mjDSBL_ISLAND;  // damping is in A, islands are the solver's
  s.opt.enableflags &= ~(mjENBL_SLEEP | mjENBL_IPC | mjENBL_INVDISCRETE | mjENBL_FWDINV);
  if (!data.model.has_points() && !data.lists_contacts) s.opt.disableflags |= mjDSBL_CONTACT;
  const CollisionMasks& masks = data.model.point_masks();
  s.geom_contype = const_cast<int*>(masks.geom_contype.data());  // MuJoCo does not write to a model
  s.geom_conaffinity = const_cast<int*>(masks.geom_conaffinity.data());
  s.body_contype = const_cast<int*>(masks.body_contype.data());
  s.body_conaffinity = const_cast<int*>(masks.body_conaffinity.data());
}

/// <pair>s escape the masks: forget the contacts that a patch replaces.
void drop_contacts_of_patches(Data& data) {
  mjData* d = data.d();
  int kept = 0;
  for (int i = 0; i < d->ncon; ++i) {
    const mjContact& c = d->contact[i];
    const bool geoms = c.geom[0] >= 0 && c.geom[1] >= 0;
    if (geoms && data.model.pairs()(c.geom[0], c.geom[1]) == PairKind::kPatch) continue;
    if (kept != i) d->contact[kept] = c;
    ++kept;
  }
  d->ncon = kept;
}

/// Slope of a force polynomial a·x + b·x² + c·x³, with |x| for x in even powers if it is odd; not below zero.
double slope(double a, const mjtNum* bc, double x, bool odd) {
  const double s = odd ? std::abs(x) : x;
  return std::max(0.0, a + s * (2.0 * bc[0] + 3.0 * bc[1] * s));
}

int dofs_of(int joint_type) { return joint_type == mjJNT_FREE ? 6 : joint_type == mjJNT_BALL ? 3 : 1; }

/// D and K of joints, per dof. K goes into `stiffness`.
void joint_derivatives(const mjModel* m, const mjData* d, Column<double>& damping, Column<double>& stiffness) {
  const int nv = static_cast<int>(m->nv);
  damping.assign(nv, 0.0);
  stiffness.assign(nv, 0.0);
  const bool springs = !disabled(m, mjDSBL_SPRING), dampers = !disabled(m, mjDSBL_DAMPER);
  for (int i = 0; dampers && i < nv; ++i) {
    damping[i] = slope(m->dof_damping[i], m->dof_dampingpoly + mjNPOLY * i, d->qvel[i], true);
    const int a = m->jnt_actuatorid[m->dof_jntid[i]];  // a motor's own damping, seen through its gear
    if (a < 0 || dofs_of(m->jnt_type[m->dof_jntid[i]]) > 1) continue;
    const double gear = m->actuator_gear[6 * m->actuator_outadr[a]];
    damping[i] += gear * gear * slope(m->actuator_damping[a], m->actuator_dampingpoly + mjNPOLY * a, d->qvel[i], true);
  }
  for (int j = 0; springs && j < m->njnt; ++j) {
    const mjtNum* poly = m->jnt_stiffnesspoly + mjNPOLY * j;
    if (m->jnt_stiffness[j] == 0.0 && poly[0] == 0.0 && poly[1] == 0.0) continue;
    const int n = dofs_of(m->jnt_type[j]), q = m->jnt_qposadr[j];
    const double x = n == 1 ? d->qpos[q] - m->qpos_spring[q] : 0.0;
    for (int i = 0; i < n; ++i) stiffness[m->jnt_dofadr[j] + i] = slope(m->jnt_stiffness[j], poly, x, false);
  }
}

/// Lower rows of MuJoCo's sparse inertia → the symmetric block of a tree.
void write_inertia(const mjModel* m, const mjData* d, int tree, double* A) {
  const int first = m->tree_dofadr[tree], n = m->tree_dofnum[tree];
  for (int i = 0; i < n; ++i) {
    const int row = m->M_rowadr[first + i];
    for (int e = 0; e < m->M_rownnz[first + i]; ++e) {
      const int j = m->M_colind[row + e] - first;
      A[i * n + j] = A[j * n + i] = d->M[row + e];
    }
  }
}

/// All forces at the start of the step that are not contact or rows.
void sum_forces(Data& data) {
  const mjModel* m = &data.step_model;
  const mjData* d = data.d();
  const int nv = static_cast<int>(m->nv);
  data.force.resize(nv);
  for (int i = 0; i < nv; ++i)
    data.force[i] = d->qfrc_passive[i] - d->qfrc_bias[i] + data.bias_change[i] + d->qfrc_applied[i] + data.actuation[i];
  for (int b = 1; b < m->nbody; ++b) {
    const mjtNum* x = d->xfrc_applied + 6 * b;
    if (x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0 && x[3] == 0.0 && x[4] == 0.0 && x[5] == 0.0) continue;
    mj_applyFT(m, data.d(), x, x + 3, d->xipos + 3 * b, b, data.force.data());
  }
}

struct Sparse {
  const int* dof;
  const mjtNum* value;
  int n;
};

/// A += scale·J Jᵀ and, for the stiffness part k of it, rhs −= δt²·k·J(Jᵀv₀). All dofs are of one tree.
void fold(Data& data, const Sparse& J, double d_slope, double k_slope, double* rhs) {
  const double dt = data.dt, scale = dt * (d_slope + dt * k_slope);
  const int tree = data.step_model.dof_treeid[J.dof[0]];
  const int first = data.problem.tree_start[tree], n = data.problem.tree_size(tree);
  double* A = data.problem.A.data() + data.problem.A_start[tree];
  double rate = 0.0;
  for (int i = 0; i < J.n; ++i) rate += J.value[i] * data.problem.v0[J.dof[i]];
  for (int i = 0; i < J.n; ++i) {
    for (int j = 0; j < J.n; ++j) A[(J.dof[i] - first) * n + J.dof[j] - first] += scale * J.value[i] * J.value[j];
    rhs[J.dof[i]] -= dt * dt * k_slope * rate * J.value[i];
  }
}

/// Springs and dampers of tendons along one tree; those between trees stay explicit.
void fold_tendons(Data& data, double* rhs) {
  const mjModel* m = &data.step_model;
  const mjData* d = data.d();
  for (int t = 0; t < m->ntendon; ++t) {
    if (m->tendon_treenum[t] != 1 || m->ten_J_rownnz[t] == 0) continue;
    const mjtNum *rest = m->tendon_lengthspring + 2 * t, length = d->ten_length[t];
    const double x = length > rest[1] ? length - rest[1] : length < rest[0] ? length - rest[0] : 0.0;
    double k = 0.0, b = 0.0;
    if (x != 0.0 && !disabled(m, mjDSBL_SPRING))
      k = slope(m->tendon_stiffness[t], m->tendon_stiffnesspoly + mjNPOLY * t, x, false);
    if (!disabled(m, mjDSBL_DAMPER))
      b = slope(m->tendon_damping[t], m->tendon_dampingpoly + mjNPOLY * t, d->ten_velocity[t], true);
    if (k == 0.0 && b == 0.0) continue;
    const int at = m->ten_J_rowadr[t];
    fold(data, {m->ten_J_colind + at, d->ten_J + at, m->ten_J_rownnz[t]}, b, k, rhs);
  }
}

void fold_servos(Data& data, double* rhs) {
  const mjModel* m = &data.step_model;
  const mjData* d = data.d();
  for (int a = 0; a < m->nactuator; ++a) {
    if (data.actuator_mode[a] != ActuatorMode::kFolded) continue;
    const int out = m->actuator_outadr[a], at = d->moment_rowadr[out];
    if (d->moment_rownnz[out] == 0) continue;
    fold(data, {d->moment_colind + at, d->actuator_moment + at, d->moment_rownnz[out]}, data.servo[a].kd,
         data.servo[a].kp, rhs);
  }
}

/// v* = v₀ + A⁻¹ rhs, tree by tree.
void solve_free_motion(Data& data, const double* rhs) {
  ContactProblem& p = data.problem;
  for (int t = 0; t < p.num_trees(); ++t) {
    const int first = p.tree_start[t], n = p.tree_size(t);
    const double* A = p.A.data() + p.A_start[t];
    bool diagonal = true;
    for (int i = 0; i < n * n && diagonal; ++i) diagonal = i % (n + 1) == 0 || A[i] == 0.0;
    if (diagonal) {
      for (int i = 0; i < n; ++i) p.v_star[first + i] = p.v0[first + i] + rhs[first + i] / A[i * n + i];
      continue;
    }
    data.scratch.resize(n * n);
    std::copy(A, A + n * n, data.scratch.data());
    Eigen::Map<MatX> L(data.scratch.data(), n, n);
    Eigen::LLT<Eigen::Ref<MatX>> factor(L);
    Eigen::Map<VecX> x(p.v_star.data() + first, n);
    if (factor.info() != Eigen::Success) {  // the solver will say so in its report
      x = Eigen::Map<const VecX>(p.v0.data() + first, n);
      continue;
    }
    x = Eigen::Map<const VecX>(rhs + first, n);
    factor.solveInPlace(x);
    x += Eigen::Map<const VecX>(p.v0.data() + first, n);
  }
}

}  // namespace

void update_positions(Data& data) {
  prepare_model(data);
  const mjModel* m = &data.step_model;
  mjData* d = data.d();
  d->flg_energypos = false;  // as in mj_fwdPosition: what is computed on demand is of the last positions
  mj_fwdKinematics(m, d);
  mj_makeM(m, d);
  mj_factorM(m, d);  // for mj_solveM and the like
  mj_collision(m, d);
  if (d->ncon > 0 && data.model.has_patches()) drop_contacts_of_patches(data);
}

void update_constraints(Data& data) {
  const mjModel* m = &data.step_model;
  mjData* d = data.d();
  data.num_mujoco_contacts = d->ncon;
  if (data.lists_contacts) list_patches(data);
  mj_makeConstraint(m, d);
  mj_transmission(m, d);
  if (m->nsensor > 0) mj_sensorPos(m, d);
  if (d->flg_energypos) return;  // by a sensor
  if ((m->opt.enableflags & mjENBL_ENERGY) != 0) mj_energyPos(m, d);
  else d->energy[0] = d->energy[1] = 0.0;
}

void update_velocities(Data& data) {
  const mjModel* m = &data.step_model;
  mjData* d = data.d();
  mj_fwdVelocity(m, d);
  if (m->nsensor > 0) mj_sensorVel(m, d);
  if ((m->opt.enableflags & mjENBL_ENERGY) != 0 && !d->flg_energyvel) mj_energyVel(m, d);
}

void retime_constraints(Data& data) {
  mjModel* m = &data.step_model;
  mjData* d = data.d();
  m->opt.timestep = data.dt;
  if (d->nefc == 0) return;
  mj_makeConstraint(m, d);  // MuJoCo keeps time constants above 2δt
  mj_referenceConstraint(m, d);
}

void assemble_dynamics(Data& data) {
  const mjModel* m = &data.step_model;
  const mjData* d = data.d();
  ContactProblem& p = data.problem;
  const int nv = static_cast<int>(m->nv);

  p.clear();
  p.dt = data.dt;
  for (int t = 0; t < m->ntree; ++t) {
    p.add_tree(m->tree_dofnum[t]);
    write_inertia(m, d, t, p.A.data() + p.A_start[t]);
  }
  std::copy(d->qvel, d->qvel + nv, p.v0.data());
  release_free_bodies(data);
  sum_forces(data);

  // rhs = δt·k₀ − δt²·K·v₀; the column v_star holds K meanwhile
  joint_derivatives(m, d, data.damping, p.v_star);
  Column<double>& rhs = data.rhs;
  rhs.resize(nv);
  for (int i = 0; i < nv; ++i) {
    const int t = m->dof_treeid[i], n = p.tree_size(t), local = i - p.tree_start[t];
    p.A[p.A_start[t] + local * n + local] += data.dt * (data.damping[i] + data.dt * p.v_star[i]);
    rhs[i] = data.dt * (data.force[i] - data.dt * p.v_star[i] * p.v0[i]);
  }
  if (m->ntendon > 0) fold_tendons(data, rhs.data());
  if (m->nactuator > 0) fold_servos(data, rhs.data());
  solve_free_motion(data, rhs.data());
  if (average_tree_bias(data, rhs.data())) solve_free_motion(data, rhs.data());  // it needed a first v*
}

}  // namespace patchfield
