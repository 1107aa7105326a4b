// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Coriolis and gyroscopic forces. Taken at the start of the step, as MuJoCo's bias is, they gain energy as (ωδt)² per
// step: a plate that spins at 50 rad/s is lost within seconds. data.bias_change is added to −qfrc_bias.
//
// A free body (a tree of one free joint) and a body on a ball joint: kick, then drift. The problem is solved in frames
// frozen at the start of the step, where the body is two decoupled parts without gyroscopic forces,
//     m(V − V₀) = p,  I(ω⁺ − ω₀) = Γ      V: of the centre of mass; p, Γ: all impulses, of contact too
// Then each body turns freely for δt (gyroscopic.h): ω⁺ → ω, R₀ → R. So with or without contact
//     RIω = R₀Iω₀ + Γ exactly (in the world's frame), and ½ωᵀIω = ½ω⁺ᵀIω⁺
// and a contact that dissipates in the frozen frame does so for the body: spin has nothing to give. The turn is
// δt·ω⁺ + O(δt²), and δt·ω⁺ itself [PFC eq:scheme_q_update] for equal moments or about a principal axis.
// A joint frame that is not at the centre of mass c names the same body: the velocity of its origin is V − R₀(ω⁺×c) in
// the problem and V − R(ω×c) at the end; centrifugal forces are the difference.
//
// Rejected: the mean gyroscopic force of the torque-free body in k, inside the same balance. It keeps the energy as
// well, but the impulse then acts in the frame of the end, turned by ωδt: a heavy top at 150 rad/s and 1 ms went from
// 3.6 to 6.8 J in 5 s.
//
// Other trees: the slope of the bias, c(v₀) + ½∂c/∂v·(v* − v₀), at the poses of the start. c is quadratic in v, so a
// central difference of MuJoCo's recursion is exact, and at rest it is zero. With q₁ = q₀ + δt·v₁ the energy swings and
// hardly drifts (docs/step.md). Rejected: with the poses of the middle of the step it drifts more, not less.

#include <algorithm>

#include <Eigen/Geometry>

#include "patchfield/sim/body_motion.h"
#include "patchfield/sim/gyroscopic.h"
#include "patchfield/sim/stages.h"

namespace patchfield {
namespace {

using MatX_rows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

/// The joint of a tree that is one free or one ball joint and nothing else; −1 for other trees.
int lone_rotation(const mjModel* m, int tree) {
  const int n = m->tree_dofnum[tree], first = m->tree_dofadr[tree], j = m->dof_jntid[first];
  if (n == 3 && m->jnt_type[j] == mjJNT_BALL) return j;
  // Armature along the axes of the world is not a mass that the centre of mass could have.
  return n == 6 && m->jnt_type[j] == mjJNT_FREE && vec3(m->dof_armature + first).isZero(0.0) ? j : -1;
}

/// Share of the radius of gyration below which the frame of a body is at its centre of mass, but for rounding.
constexpr double kCentered = 1e-10;

/// One slide or hinge has no Coriolis force.
bool has_coriolis(const mjModel* m, int tree) { return m->tree_dofnum[tree] > 1 && lone_rotation(m, tree) < 0; }

/// Mass, centre and inertia of the tree are those of all bodies welded to the joint's.
void release_free_body(Data& data, int tree, int joint) {
  const mjModel* m = &data.step_model;
  const mjData* d = data.d();
  const int n = m->tree_dofnum[tree], first = m->tree_dofadr[tree], body = m->jnt_bodyid[joint];
  FreeBody b;
  b.dof = first + n - 3;
  b.qpos = m->jnt_qposadr[joint] + (n == 6 ? 3 : 0);
  const MatX_rows A(data.problem.A.data() + data.problem.A_start[tree], n, n);
  const Vec3 omega = vec3(d->qvel + b.dof), armature = vec3(m->dof_armature + b.dof);
  b.M = A.bottomRightCorner(3, 3), b.I = b.M - Mat3(armature.asDiagonal());
  Eigen::Map<Vec3>(data.bias_change.data() + b.dof) = omega.cross(b.I * omega);  // about the joint
  if (n == 6) {
    const double mass = m->body_subtreemass[body];
    b.R0 = mat3(d->xmat + 9 * body);
    b.com = b.R0.transpose() * (vec3(d->subtree_com + 3 * body) - vec3(d->xpos + 3 * body));
    if (mass * b.com.squaredNorm() < kCentered * kCentered * b.I.trace()) b.com.setZero();
    const Mat3 steiner = mass * (b.com.squaredNorm() * Mat3::Identity() - b.com * b.com.transpose());
    b.M -= steiner, b.I -= steiner;
    Eigen::Map<Vec3>(data.bias_change.data() + first) = mass * (b.R0 * omega.cross(omega.cross(b.com)));
  }
  data.free_bodies.push_back(b);
}

}  // namespace

void release_free_bodies(Data& data) {
  const mjModel* m = &data.step_model;
  data.bias_change.assign(static_cast<int>(m->nv), 0.0);
  data.free_bodies.clear();
  for (int t = 0; t < m->ntree; ++t)
    if (const int joint = lone_rotation(m, t); joint >= 0) release_free_body(data, t, joint);
}

bool average_tree_bias(Data& data, double* rhs) {
  const mjModel* m = &data.step_model;
  mjData* d = data.d();
  bool any = false;
  for (int t = 0; t < m->ntree && !any; ++t) any = has_coriolis(m, t);
  if (!any) return false;

  // MuJoCo's recursion works on mjData: put back what it overwrites. (It cannot give up: the same call succeeded.)
  const ContactProblem& p = data.problem;
  const int nv = static_cast<int>(m->nv), nb = 6 * static_cast<int>(m->nbody);
  data.scratch.resize(nb + 8 * nv);
  double *cvel = data.scratch.data(), *cdof_dot = cvel + nb, *bias[2] = {cdof_dot + 6 * nv, cdof_dot + 7 * nv};
  std::copy(d->cvel, d->cvel + nb, cvel);
  std::copy(d->cdof_dot, d->cdof_dot + 6 * nv, cdof_dot);
  for (const int side : {0, 1}) {
    const double share = side == 0 ? 0.5 : -0.5;
    for (int i = 0; i < nv; ++i) d->qvel[i] = p.v0[i] + share * (p.v_star[i] - p.v0[i]);
    mj_comVel(m, d);
    mj_rne(m, d, 0, bias[side]);
  }
  std::copy(p.v0.begin(), p.v0.end(), d->qvel);
  std::copy(cvel, cvel + nb, d->cvel);
  std::copy(cdof_dot, cdof_dot + 6 * nv, d->cdof_dot);
  for (int i = 0; i < nv; ++i) {
    if (!has_coriolis(m, m->dof_treeid[i])) continue;
    data.bias_change[i] = -0.5 * (bias[0][i] - bias[1][i]);
    data.force[i] += data.bias_change[i];
    rhs[i] += data.dt * data.bias_change[i];
  }
  return true;
}

void turn_free_bodies(Data& data) {
  const mjData* d = data.d();
  const ContactSolution& solution = data.solution;
  data.v_end.resize(solution.v.size());
  std::copy(solution.v.begin(), solution.v.end(), data.v_end.data());
  for (FreeBody& b : data.free_bodies) {
    const Vec3 kicked = vec3(solution.v.data() + b.dof);
    const FreeRotation end = rotate_freely(b.M, b.I, kicked, data.dt);
    Eigen::Map<Vec3>(data.v_end.data() + b.dof) = end.omega;
    std::copy(d->qpos + b.qpos, d->qpos + b.qpos + 4, b.quat);
    mju_normalize4(b.quat);
    mju_quatIntegrate(b.quat, end.turn.data(), 1.0);
    if (b.com.isZero(0.0)) continue;
    mjtNum R[9];
    mju_quat2Mat(R, b.quat);
    const Vec3 V = vec3(solution.v.data() + b.dof - 3) + b.R0 * kicked.cross(b.com);
    Eigen::Map<Vec3>(data.v_end.data() + b.dof - 3) = V - mat3(R) * end.omega.cross(b.com);
    b.origin = vec3(d->qpos + b.qpos - 3) + b.R0 * b.com + data.dt * V - mat3(R) * b.com;
  }
}

}  // namespace patchfield
