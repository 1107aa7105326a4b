// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/sim/continuous_dynamics.h"

#include <algorithm>
#include <cmath>

#include "patchfield/sim/body_motion.h"
#include "patchfield/sim/stages.h"

namespace patchfield {
namespace {

// Pulls quaternions back to unit length [1/s]. Nothing depends on their length; this only keeps it from drifting off.
constexpr double kNormRate = 10.0;
// Finite differences of smooth forces.
constexpr double kIncrement = 1e-7;

SimOptions sim_options(const ContinuousOptions& options) {
  SimOptions sim;
  sim.surface = options.surface;
  sim.quadrature = options.quadrature;
  sim.threads = options.threads;
  return sim;
}

/// Calls body(q, v) with the addresses of each quaternion and of its angular velocity.
template <class Body>
void for_each_quaternion(const mjModel* m, const Body& body) {
  for (int j = 0; j < m->njnt; ++j) {
    if (m->jnt_type[j] == mjJNT_FREE) body(m->jnt_qposadr[j] + 3, m->jnt_dofadr[j] + 3);
    if (m->jnt_type[j] == mjJNT_BALL) body(m->jnt_qposadr[j], m->jnt_dofadr[j]);
  }
}

/// Calls body(q, v, n) for each run of n coordinates whose rates are velocities.
template <class Body>
void for_each_plain_coordinate(const mjModel* m, const Body& body) {
  for (int j = 0; j < m->njnt; ++j) {
    if (m->jnt_type[j] == mjJNT_BALL) continue;
    body(m->jnt_qposadr[j], m->jnt_dofadr[j], m->jnt_type[j] == mjJNT_FREE ? 3 : 1);
  }
}

/// The 4×3 matrix E with q̇ = ½ E ω, ω in the body's frame. EᵀE = |q|²·1, so ω = 2 Eᵀq̇/|q|².
Eigen::Matrix<double, 4, 3> rate_matrix(const double* q) {
  Eigen::Matrix<double, 4, 3> E;
  E << -q[1], -q[2], -q[3],  //
      q[0], -q[3], q[2],     //
      q[3], q[0], -q[1],     //
      -q[2], q[1], q[0];
  return E;
}

/// One patch as the law sees it: the relative twist at o, B minus A.
struct PatchState {
  Vec3 omega, v_o;
  double mu, d, stiction_speed;
};

/// Force on B at one point, and what its derivatives need.
struct PointForce {
  Vec3 nhat, v_t;
  double fn, vn;
  double elastic;   ///< k(−φ₀)₊ = A p_c
  double damping;   ///< (1 − d v_n)₊
  double s_over_v;  ///< s(‖v_t‖/v_s)/‖v_t‖
  double slope;     ///< ds/d‖v_t‖
  Vec3 force;
};

PointForce point_force(const PatchState& patch, const ContactPoints& p, int i) {
  PointForce out;
  out.nhat = {p.nx[i], p.ny[i], p.nz[i]};
  const Vec3 v = patch.v_o + patch.omega.cross(Vec3(p.rx[i], p.ry[i], p.rz[i]));
  out.vn = out.nhat.dot(v);
  out.v_t = v - out.vn * out.nhat;
  out.elastic = p.k[i] * std::max(-p.phi0[i], 0.0);
  out.damping = std::max(1.0 - patch.d * out.vn, 0.0);
  out.fn = out.elastic * out.damping;
  const double speed = out.v_t.norm(), x = speed / patch.stiction_speed;
  out.s_over_v = x < 1.0 ? (2.0 - x) / patch.stiction_speed : 1.0 / speed;
  out.slope = x < 1.0 ? 2.0 * (1.0 - x) / patch.stiction_speed : 0.0;
  out.force = out.fn * (out.nhat - patch.mu * out.s_over_v * out.v_t);
  return out;
}

PatchState patch_state(const Data& data, const Patch& patch, double stiction_speed) {
  const mjModel* m = &data.step_model;
  const mjData* d = data.d();
  const int A = m->geom_bodyid[patch.geom_A], B = m->geom_bodyid[patch.geom_B];
  return {body_twist(m, d, B, d->qvel).head<3>() - body_twist(m, d, A, d->qvel).head<3>(),
          point_velocity(m, d, B, patch.p_WO, d->qvel) - point_velocity(m, d, A, patch.p_WO, d->qvel),
          patch.pair.material.mu, patch.pair.material.hunt_crossley, stiction_speed};
}

Vec6 at_origin(const Vec3& r, const Vec3& u) {
  Vec6 w;
  w << r.cross(u), u;
  return w;
}

/// ∂F/∂δ and ∂F/∂V of the patch's wrench F on B about o, for a small displacement δ = (rotation, translation) and
/// the twist V. Areas and normals are held.
void patch_slopes(const PatchState& state, const ContactPoints& points, Mat6& by_position, Mat6& by_velocity) {
  by_position.setZero(), by_velocity.setZero();
  for (int i = 0; i < points.size(); ++i) {
    const PointForce f = point_force(state, points, i);
    if (f.elastic == 0.0) continue;
    const Vec3 r(points.rx[i], points.ry[i], points.rz[i]);
    const Vec6 along = at_origin(r, f.nhat - state.mu * f.s_over_v * f.v_t), normal = at_origin(r, f.nhat);
    by_position -= points.k[i] * f.damping * along * normal.transpose();
    if (f.damping > 0.0) by_velocity -= f.elastic * state.d * along * normal.transpose();

    // f_t = −μ f_n (s/‖v_t‖) v_t: across v_t it changes with s/‖v_t‖, along it with ds/d‖v_t‖.
    const double speed = f.v_t.norm(), across = state.mu * f.fn * f.s_over_v;
    Eigen::Matrix<double, 6, 3> Bt;
    Mat3 G = across * (Mat3::Identity() - f.nhat * f.nhat.transpose());
    if (speed > 0.0) {
      const Vec3 that = f.v_t / speed;
      G += (state.mu * f.fn * f.slope - across) * that * that.transpose();
    }
    for (int c = 0; c < 3; ++c) Bt.col(c) = at_origin(r, Vec3::Unit(c));
    by_velocity -= Bt * G * Bt.transpose();
  }
}

}  // namespace

ContinuousDynamics::ContinuousDynamics(const Model& model, const ContinuousOptions& options)
    : options_(options), data_(model, sim_options(options)), nq_(static_cast<int>(model.mujoco()->nq)),
      nv_(static_cast<int>(model.mujoco()->nv)), na_(static_cast<int>(model.mujoco()->na)),
      length_(model.mujoco()->stat.meansize), contact_force_(static_cast<std::size_t>(nv_)),
      passive_force_(static_cast<std::size_t>(nv_)) {
  data_.dt = model.mujoco()->opt.timestep;  // MuJoCo's own constraints bound their stiffness by it
}

void ContinuousDynamics::read_state(double* y) const {
  const mjData* d = data_.d();
  std::copy(d->qpos, d->qpos + nq_, y);
  std::copy(d->qvel, d->qvel + nv_, y + nq_);
  std::copy(d->act, d->act + na_, y + nq_ + nv_);
}

void ContinuousDynamics::write_state(double time, const double* y) {
  mjData* d = data_.d();
  std::copy(y, y + nq_, d->qpos);
  std::copy(y + nq_, y + nq_ + nv_, d->qvel);
  std::copy(y + nq_ + nv_, y + size(), d->act);
  mj_normalizeQuat(data_.m(), d->qpos);
  d->time = time;
}

void ContinuousDynamics::update_smooth() {
  update_positions(data_);
  update_constraints(data_);
  const mjModel* m = &data_.step_model;
  if (m->opt.solver == mjSOL_PGS) mj_projectConstraint(m, data_.d());
  update_velocities(data_);
}

void ContinuousDynamics::accelerate() {
  const mjModel* m = &data_.step_model;
  mjData* d = data_.d();
  mj_fwdActuation(m, d);
  // MuJoCo sees contact as a passive force. Its own are found again for each state, so that nothing adds up, and the
  // caller's qfrc_applied is not touched, not even if MuJoCo gives up in between.
  std::copy(d->qfrc_passive, d->qfrc_passive + nv_, passive_force_.begin());
  for (int i = 0; i < nv_; ++i) d->qfrc_passive[i] += contact_force_[static_cast<std::size_t>(i)];
  mj_fwdAcceleration(m, d);
  mj_fwdConstraint(m, d);
  std::copy(passive_force_.begin(), passive_force_.end(), d->qfrc_passive);
}

void ContinuousDynamics::add_contact_forces() {
  const mjModel* m = &data_.step_model;
  std::fill(contact_force_.begin(), contact_force_.end(), 0.0);
  for (int p = 0; p < data_.num_patches; ++p) {
    const Patch& patch = *data_.patches[static_cast<std::size_t>(p)];
    if (patch.points.size() == 0) continue;
    const PatchState state = patch_state(data_, patch, options_.stiction_speed);
    Vec6 wrench = Vec6::Zero();
    for (int i = 0; i < patch.points.size(); ++i)
      wrench += at_origin({patch.points.rx[i], patch.points.ry[i], patch.points.rz[i]},
                          point_force(state, patch.points, i).force);
    for (const auto& [geom, sign] : {std::pair{patch.geom_A, -1.0}, std::pair{patch.geom_B, 1.0}}) {
      const Vec3 torque = sign * wrench.head<3>(), force = sign * wrench.tail<3>();
      mj_applyFT(m, data_.d(), force.data(), torque.data(), patch.p_WO.data(), m->geom_bodyid[geom],
                 contact_force_.data());
    }
  }
}

void ContinuousDynamics::position_rates(const double* q, const double* v, double* qdot) const {
  const mjModel* m = data_.m();
  for_each_plain_coordinate(m, [&](int iq, int iv, int n) { std::copy(v + iv, v + iv + n, qdot + iq); });
  for_each_quaternion(m, [&](int iq, int iv) {
    const Eigen::Map<const Eigen::Vector4d> quat(q + iq);
    Eigen::Map<Eigen::Vector4d> rate(qdot + iq);
    rate = 0.5 * rate_matrix(q + iq) * vec3(v + iv) + kNormRate * (1.0 - quat.squaredNorm()) * quat;
  });
}

bool ContinuousDynamics::derivative(double time, const double* y, double* ydot) {
  for (int i = 0; i < size(); ++i)
    if (!std::isfinite(y[i])) return false;
  write_state(time, y);
  update_smooth();
  find_patches(data_);
  add_contact_forces();
  accelerate();
  const mjData* d = data_.d();
  position_rates(y, y + nq_, ydot);
  std::copy(d->qacc, d->qacc + nv_, ydot + nq_);
  std::copy(d->act_dot, d->act_dot + na_, ydot + nq_ + nv_);
  return true;
}

void ContinuousDynamics::add_kinematic_jacobian(const double* y, double* J) const {
  Eigen::Map<MatX> out(J, size(), size());
  for_each_plain_coordinate(data_.m(), [&](int iq, int iv, int n) {
    for (int i = 0; i < n; ++i) out(iq + i, nq_ + iv + i) = 1.0;
  });
  for_each_quaternion(data_.m(), [&](int iq, int iv) {
    const auto w = vec3(y + nq_ + iv);
    const Eigen::Map<const Eigen::Vector4d> quat(y + iq);
    Eigen::Matrix4d turn;
    turn << 0, -w[0], -w[1], -w[2], w[0], 0, w[2], -w[1], w[1], -w[2], 0, w[0], w[2], w[1], -w[0], 0;
    out.block<4, 4>(iq, iq) = 0.5 * turn - 2.0 * kNormRate * quat * quat.transpose();
    out.block<4, 4>(iq, iq).diagonal().array() += kNormRate * (1.0 - quat.squaredNorm());
    out.block<4, 3>(iq, nq_ + iv) = 0.5 * rate_matrix(y + iq);
  });
}

bool ContinuousDynamics::add_smooth_jacobian(double time, const double* y, double* J) {
  const int n = size();
  work_.assign(y, y + n);
  const auto rates = [&](std::vector<double>& out) {
    write_state(time, work_.data());
    update_smooth();
    accelerate();
    out.assign(data_.d()->qacc, data_.d()->qacc + nv_);
    out.insert(out.end(), data_.d()->act_dot, data_.d()->act_dot + na_);
  };
  rates(rates0_);
  for (int j = 0; j < n; ++j) {
    const double scale = j < nq_ ? length_ : std::abs(y[j]) + 1.0, h = kIncrement * std::max(scale, 1e-3);
    work_[static_cast<std::size_t>(j)] = y[j] + h;
    rates(rates_);
    work_[static_cast<std::size_t>(j)] = y[j];
    for (int i = 0; i < nv_ + na_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (!std::isfinite(rates_[at])) return false;
      J[static_cast<std::ptrdiff_t>(j) * n + nq_ + i] += (rates_[at] - rates0_[at]) / h;
    }
  }
  return true;
}

void ContinuousDynamics::add_contact_jacobian(const double* y, double* J) {
  const mjModel* m = &data_.step_model;
  mjData* d = data_.d();
  MatX by_position = MatX::Zero(nv_, nv_), by_velocity = MatX::Zero(nv_, nv_), J_patch(6, nv_);
  for (int p = 0; p < data_.num_patches; ++p) {
    const Patch& patch = *data_.patches[static_cast<std::size_t>(p)];
    if (patch.points.size() == 0) continue;
    J_patch.setZero();
    for (const auto& [geom, sign] : {std::pair{patch.geom_A, -1.0}, std::pair{patch.geom_B, 1.0}}) {
      const int body = m->geom_bodyid[geom], tree = m->body_treeid[body];
      if (tree >= 0) add_body_jacobian(m, d, body, patch.p_WO, sign, J_patch.col(m->tree_dofadr[tree]).data());
    }
    Mat6 K, D;
    patch_slopes(patch_state(data_, patch, options_.stiction_speed), patch.points, K, D);
    by_position += J_patch.transpose() * K * J_patch;
    by_velocity += J_patch.transpose() * D * J_patch;
  }
  for (MatX* slope : {&by_position, &by_velocity})
    for (int j = 0; j < nv_; ++j) mj_solveM(m, d, slope->col(j).data(), slope->col(j).data(), 1);

  // Columns of q: a change of q is a small motion of the dofs, δ = N⁺ δq.
  Eigen::Map<MatX> out(J, size(), size());
  out.block(nq_, nq_, nv_, nv_) += by_velocity;
  for_each_plain_coordinate(
      m, [&](int iq, int iv, int n) { out.block(nq_, iq, nv_, n) += by_position.middleCols(iv, n); });
  for_each_quaternion(m, [&](int iq, int iv) {
    const double norm2 = Eigen::Map<const Eigen::Vector4d>(y + iq).squaredNorm();
    out.block(nq_, iq, nv_, 4) += by_position.middleCols(iv, 3) * (2.0 / norm2) * rate_matrix(y + iq).transpose();
  });
}

bool ContinuousDynamics::jacobian(double time, const double* y, double* J) {
  std::fill(J, J + static_cast<std::ptrdiff_t>(size()) * size(), 0.0);
  rates_.resize(static_cast<std::size_t>(size()));
  if (!derivative(time, y, rates_.data())) return false;
  add_kinematic_jacobian(y, J);
  add_contact_jacobian(y, J);
  if (!add_smooth_jacobian(time, y, J)) return false;
  write_state(time, y);
  return true;
}

void ContinuousDynamics::tolerances(const double* y, double* tolerance) const {
  const mjModel* m = data_.m();
  const double a = options_.accuracy, v_s = options_.stiction_speed;
  // Runs of coordinates of one kind share the size of the largest, so that the choice of axes does not matter.
  const auto set = [&](int first, int n, double floor) {
    const double* at = y + first;
    double norm = 0.0;
    for (int i = 0; i < n; ++i) norm = std::max(norm, std::abs(at[i]));
    for (int i = 0; i < n; ++i) tolerance[first + i] = a * (norm + floor);
  };
  for (int j = 0; j < m->njnt; ++j) {
    const int type = m->jnt_type[j], q = m->jnt_qposadr[j], v = nq_ + m->jnt_dofadr[j];
    const bool turns = type == mjJNT_HINGE || type == mjJNT_BALL;
    if (!turns) std::fill_n(tolerance + q, type == mjJNT_FREE ? 3 : 1, a * length_);
    if (type == mjJNT_FREE || type == mjJNT_BALL) std::fill_n(tolerance + q + (type == mjJNT_FREE ? 3 : 0), 4, a);
    if (type == mjJNT_HINGE) tolerance[q] = a;
    if (!turns) set(v, type == mjJNT_FREE ? 3 : 1, v_s);
    if (type != mjJNT_SLIDE) set(type == mjJNT_FREE ? v + 3 : v, type == mjJNT_HINGE ? 1 : 3, v_s / length_);
  }
  set(nq_ + nv_, na_, 1.0);
}

}  // namespace patchfield
