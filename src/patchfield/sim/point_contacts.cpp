// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// MuJoCo's contacts: its points as patches of one point, our patches as contacts of its mjData.
//
// A contact of MuJoCo has up to six directions: normal, two tangents, spin about the normal, two of rolling. Along each
// of them f = (a_ref − J·a)/R. An elliptic cone has a row per direction. A pyramid has an edge pair J_n ± μ_j·J_j per
// direction j, all with one R: in a stick the sums of the pairs know the normal alone, 2(dim − 1) springs in parallel,
// and the difference of pair j its own direction, so
//     R_n = R/(2(dim − 1)),   R_j = R/(2μ_j²)
// and the depth at rest is MuJoCo's for either cone.
//
// The normal is, as in constraint_rows.cpp, the impulse (v̂ − v_n)/R_n = δt·k(−φ₀ − δt·v_n) of a spring with
// k = 1/(R_n·δt²), φ₀ = −v̂·δt, without dissipation of its own; sliding friction is the solver's exact cone. Spin and
// rolling (condim 4 and 6) are rows with bounds ±μ_j·γ_n. Bounds are numbers to a solver, so they begin with γ_n at v₀,
// which is right at rest, and the problem is solved again while they follow.

#include <algorithm>
#include <cmath>

#include "patchfield/sim/body_motion.h"
#include "patchfield/sim/stages.h"

namespace patchfield {
namespace {

constexpr int kBoundRounds = 5;           // the first solve included
constexpr double kBoundTolerance = 1e-3;  // of the bound
constexpr double kLeastFriction = 1e-5;   // MuJoCo's mjMINMU: pyramids divide by it

bool is_pyramid(const mjData* d, const mjContact& c) { return d->efc_type[c.efc_address] == mjCNSTR_CONTACT_PYRAMIDAL; }

/// Along one direction of a contact; 0 is the normal.
struct ContactLaw {
  double R;
  double speed;  ///< J·v₀
  double aref;

  double vhat(double dt) const { return speed + dt * aref; }
  double impulse(double dt) const { return dt * aref / R; }  ///< At v₀.
};

ContactLaw contact_law(const mjData* d, const mjContact& c, int direction) {
  const mjtNum *R = d->efc_R + c.efc_address, *speed = d->efc_vel + c.efc_address, *aref = d->efc_aref + c.efc_address;
  const int j = direction;
  if (!is_pyramid(d, c)) return {R[j], speed[j], aref[j]};
  if (j == 0) return {R[0] / (2.0 * (c.dim - 1)), 0.5 * (speed[0] + speed[1]), 0.5 * (aref[0] + aref[1])};
  const double mu = c.friction[j - 1];
  const int a = 2 * (j - 1), b = a + 1;
  return {R[0] / (2.0 * mu * mu), (speed[a] - speed[b]) / (2.0 * mu), (aref[a] - aref[b]) / (2.0 * mu)};
}

void add_point_contact(Data& data, int c) {
  const mjModel* m = &data.step_model;
  const mjContact& contact = data.d()->contact[c];
  if (contact.efc_address < 0 || contact.geom[0] < 0 || contact.geom[1] < 0) return;
  const ContactLaw normal = contact_law(data.d(), contact, 0);
  if (!(normal.R > 0.0)) return;
  const bool own = data.model.has_own_mu(contact.geom[0], contact.geom[1]);
  const double mu = contact.dim == 1 ? 0.0
                    : own            ? data.model.pair_mu(contact.geom[0], contact.geom[1])
                                     : contact.friction[0];
  const int index = add_patch(data, m->geom_bodyid[contact.geom[0]], m->geom_bodyid[contact.geom[1]], vec3(contact.pos),
                              {.mu = mu, .tau = 0.0, .hunt_crossley = 0.0});
  if (index < 0) return;
  const double k = 1.0 / (normal.R * data.dt * data.dt);
  data.problem.add_point(Vec3::Zero(), vec3(contact.frame), k, -normal.vhat(data.dt) * data.dt);
  data.point_contacts.push_back({c, index});
}

/// The row of the turning rate about `axis` of the patch's twist.
void add_turning_row(ContactProblem& p, int patch, const Vec3& axis, const ContactLaw& law, double bound) {
  p.add_row(law.R, law.vhat(p.dt), -bound, bound);
  const auto add = [&](int tree, int first) {
    for (int i = 0; tree >= 0 && i < p.tree_size(tree); ++i) {
      const double value = axis.dot(Eigen::Map<const Vec3>(p.J.data() + first + 6 * i));
      if (value != 0.0) p.add_row_entry(p.tree_start[tree] + i, value);
    }
  };
  const bool in_order = p.patch_tree1[patch] < 0 || p.patch_tree0[patch] < p.patch_tree1[patch];
  if (!in_order) add(p.patch_tree1[patch], p.patch_J1[patch]);
  add(p.patch_tree0[patch], p.patch_J0[patch]);
  if (in_order) add(p.patch_tree1[patch], p.patch_J1[patch]);
}

/// Bounds of the friction rows for the impulses just solved; true if a row that is at its bound has to move.
bool follow_bounds(Data& data) {
  bool moved = false;
  ContactProblem& p = data.problem;
  for (const FrictionRow& f : data.friction_rows) {
    const double gn = data.solution.gn[p.patch_first[data.point_contacts[f.point].index]];
    const double before = p.row_hi[f.row], now = f.mu * gn, gamma = std::abs(data.solution.row_gamma[f.row]);
    p.row_hi[f.row] = now, p.row_lo[f.row] = -now;
    const bool at_bound = gamma >= (1.0 - kBoundTolerance) * std::min(before, now);
    moved |= at_bound && std::abs(now - before) > kBoundTolerance * std::max(now, before);
  }
  return moved;
}

/// Force along the directions of a contact → its rows, which give it back by mj_contactForce and by efc_Jᵀ.
void write_rows(mjData* d, const mjContact& c, const Vec6& force) {
  mjtNum* rows = d->efc_force + c.efc_address;
  if (!is_pyramid(d, c)) {
    std::copy(force.data(), force.data() + c.dim, rows);
    return;
  }
  // Each pair carries what its direction needs, and an equal share of the rest of the normal force.
  double rest = force[0];
  for (int j = 1; j < c.dim; ++j) rest -= std::abs(force[j]) / c.friction[j - 1];
  rest /= c.dim - 1;
  for (int j = 1; j < c.dim; ++j) {
    const double along = force[j] / c.friction[j - 1], sum = std::abs(along) + rest;
    rows[2 * (j - 1)] = 0.5 * (sum + along), rows[2 * (j - 1) + 1] = 0.5 * (sum - along);
  }
}

Vec6 in_frame(const mjContact& c, const Vec3& force, const Vec3& moment) {
  Vec6 out;
  out << mat3(c.frame) * force, mat3(c.frame) * moment;
  return out;
}

void write_states(mjData* d) {
  for (int i = 0; i < d->nefc; ++i) {
    const double force = d->efc_force[i];
    int& state = d->efc_state[i];
    switch (d->efc_type[i]) {
      case mjCNSTR_EQUALITY: state = mjCNSTRSTATE_QUADRATIC; break;
      case mjCNSTR_FRICTION_DOF:
      case mjCNSTR_FRICTION_TENDON: {
        const double bound = (1.0 - 1e-12) * d->efc_frictionloss[i];
        state = force >= bound    ? mjCNSTRSTATE_LINEARNEG  // negative is J·a − a_ref, not the force
                : force <= -bound ? mjCNSTRSTATE_LINEARPOS
                                  : mjCNSTRSTATE_QUADRATIC;
        break;
      }
      case mjCNSTR_CONTACT_ELLIPTIC: {  // all rows of a contact have one state
        const mjContact& c = d->contact[d->efc_id[i]];
        const mjtNum* f = d->efc_force + c.efc_address;
        double ratio = 0.0;
        for (int j = 1; j < c.dim; ++j) ratio += std::pow(f[j] / c.friction[j - 1], 2);
        state = f[0] <= 0.0                               ? mjCNSTRSTATE_SATISFIED
                : std::sqrt(ratio) >= (1.0 - 1e-6) * f[0] ? mjCNSTRSTATE_CONE
                                                          : mjCNSTRSTATE_QUADRATIC;
        break;
      }
      default: state = force > 0.0 ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_SATISFIED;
    }
  }
}

/// Rows: the normal and two tangents, as MuJoCo chooses them.
void write_frame(const Vec3& normal, mjtNum* frame) {
  const Vec3 other = std::abs(normal.y()) < 0.5 ? Vec3::UnitY() : Vec3::UnitZ();
  const Vec3 tangent = (other - normal.dot(other) * normal).normalized(), second = normal.cross(tangent);
  std::copy(normal.data(), normal.data() + 3, frame);
  std::copy(tangent.data(), tangent.data() + 3, frame + 3);
  std::copy(second.data(), second.data() + 3, frame + 6);
}

/// What MuJoCo's contact of a patch looks like. Its solref and solimp take no part in the step.
mjContact contact_of(const Patch& patch) {
  mjContact c = {};
  const ContactPoints& points = patch.points;
  Vec3 normal = Vec3::Zero();
  double reach = 0.0, weight = 0.0, lowest = points.phi0[0];
  for (int i = 0; i < points.size(); ++i) {
    const double share = points.k[i] * std::max(-points.phi0[i], 0.0) + 1e-9 * points.k[i];
    normal += share * Vec3(points.nx[i], points.ny[i], points.nz[i]);
    reach += share * Vec3(points.rx[i], points.ry[i], points.rz[i]).squaredNorm();
    weight += share;
    lowest = std::min(lowest, points.phi0[i]);
  }
  const double radius = weight > 0.0 ? std::sqrt(reach / weight) : 0.0, mu = patch.pair.material.mu;
  const double length = normal.norm();
  const Vec3 unit = length > 0.0 ? Vec3(normal / length) : Vec3(points.nx[0], points.ny[0], points.nz[0]);
  write_frame(unit, c.frame);
  std::copy(patch.p_WO.data(), patch.p_WO.data() + 3, c.pos);
  c.dist = lowest;
  c.includemargin = std::max(0.0, lowest);
  const double friction[5] = {mu, mu, mu * radius, radius, radius};
  for (int j = 0; j < 5; ++j) c.friction[j] = std::max(friction[j], kLeastFriction);
  c.solref[0] = 0.02, c.solref[1] = 1.0;
  const double solimp[mjNIMP] = {0.9, 0.95, 0.001, 0.5, 2.0};
  std::copy(solimp, solimp + mjNIMP, c.solimp);
  c.dim = 6;
  c.geom1 = c.geom[0] = patch.geom_A, c.geom2 = c.geom[1] = patch.geom_B;
  for (int side = 0; side < 2; ++side) c.flex[side] = c.elem[side] = c.vert[side] = -1;
  c.efc_address = -1;
  return c;
}

}  // namespace

void assemble_point_contacts(Data& data) {
  data.point_contacts.clear();
  for (int c = 0; c < data.num_mujoco_contacts; ++c) add_point_contact(data, c);
}

void assemble_friction_rows(Data& data) {
  data.friction_rows.clear();
  for (int k = 0; k < data.point_contacts.size(); ++k) {
    const PointContact& point = data.point_contacts[k];
    const mjContact& c = data.d()->contact[point.contact];
    for (int j = 3; j < c.dim; ++j) {
      const ContactLaw law = contact_law(data.d(), c, j);
      if (!(law.R > 0.0)) continue;
      const double mu = c.friction[j - 1], gn = std::max(0.0, contact_law(data.d(), c, 0).impulse(data.dt));
      data.friction_rows.push_back({k, j, data.problem.num_rows(), mu});
      data.row_sources.push_back({});
      add_turning_row(data.problem, point.index, vec3(c.frame + 3 * (j - 3)), law, mu * gn);
    }
  }
}

SolverReport solve_problem(Data& data) {
  const auto solve = [&] { return data.solver.solve(data.problem, data.options.solver, data.solution, &data.threads); };
  SolverReport report = solve();
  for (int round = 1; round < kBoundRounds && !data.friction_rows.empty() && follow_bounds(data); ++round) {
    const int total = report.total_iterations;
    report = solve();
    report.total_iterations += total;
  }
  return report;
}

void list_patches(Data& data) {
  mjData* d = data.d();
  for (int i = 0; i < data.num_patches; ++i) {
    Patch& patch = *data.patches[static_cast<std::size_t>(i)];
    if (patch.points.size() == 0) continue;
    const mjContact contact = contact_of(patch);
    if (mj_addContact(&data.step_model, d, &contact) == 0) patch.contact = d->ncon - 1;
  }
}

void write_constraint_rows(Data& data) {
  mjData* d = data.d();
  std::fill(d->efc_force, d->efc_force + d->nefc, 0.0);
  for (int r = 0; r < data.row_sources.size(); ++r)
    if (data.row_sources[r].efc >= 0) d->efc_force[data.row_sources[r].efc] = data.solution.row_gamma[r] / data.dt;
  int f = 0;
  for (int k = 0; k < data.point_contacts.size(); ++k) {
    const mjContact& c = d->contact[data.point_contacts[k].contact];
    const Vec3 force = data.solution.patch_wrench[data.point_contacts[k].index].tail<3>() / data.dt;
    Vec6 local = in_frame(c, force, Vec3::Zero());
    for (; f < data.friction_rows.size() && data.friction_rows[f].point == k; ++f)
      local[data.friction_rows[f].direction] = data.solution.row_gamma[data.friction_rows[f].row] / data.dt;
    write_rows(d, c, local);
  }
  for (int i = 0; i < data.num_patches; ++i) {
    const Patch& patch = *data.patches[static_cast<std::size_t>(i)];
    if (patch.index < 0 || patch.contact < 0 || d->contact[patch.contact].efc_address < 0) continue;
    const Vec6 wrench = data.solution.patch_wrench[patch.index] / data.dt;
    const mjContact& c = d->contact[patch.contact];
    write_rows(d, c, in_frame(c, wrench.tail<3>(), wrench.head<3>()));
  }
  write_states(d);
  mj_mulJacVec(&data.step_model, d, d->efc_b, d->qacc_smooth);
  for (int i = 0; i < d->nefc; ++i) d->efc_b[i] -= d->efc_aref[i];
}

}  // namespace patchfield
