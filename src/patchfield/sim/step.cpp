// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/sim/step.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/sim/stages.h"

namespace patchfield {
namespace {

void check_finite(const mjtNum* values, mjtSize n, const char* name) {
  double sum = 0.0;  // 0·x is NaN for any x that is not finite
  for (mjtSize i = 0; i < n; ++i) sum += 0.0 * values[i];
  if (sum == 0.0) return;
  for (mjtSize i = 0; i < n; ++i)
    if (!std::isfinite(values[i]))
      throw InputError(
          fmt::format("{}[{}] = {} is not finite. Nothing was stepped: restore a good state, or reset the "
                      "data",
                      name, i, values[i]));
}

/// Seconds since the last call.
class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

StepReport make_report(const Data& data) {
  StepReport report;
  for (int i = 0; i < data.num_patches; ++i) {
    const Patch& patch = *data.patches[static_cast<std::size_t>(i)];
    report.patches += patch.index >= 0;
    report.faces += patch.report.faces - patch.report.waiting;
    report.waiting_faces += patch.report.waiting;
    report.grazing_faces += patch.report.grazing;
    report.dropped_faces += patch.surface.dropped.total() + patch.report.too_small + patch.report.softening;
  }
  report.points = data.problem.num_points();
  report.point_contacts = data.point_contacts.size();
  report.rows = data.problem.num_rows();
  report.solver = data.solver_report;
  return report;
}

}  // namespace

void check_step(const Data& data, double dt) {
  if (!(dt > 0.0 && dt <= kLargestStep))
    throw InputError(fmt::format("time step {} s: give one above 0 and up to {} s; 1e-3 is usual", dt, kLargestStep));
  data.model.require_unchanged();
  const mjModel* m = data.m();
  const mjData* d = data.d();
  check_finite(d->qpos, m->nq, "qpos");
  check_finite(d->qvel, m->nv, "qvel");
  check_finite(d->act, m->na, "act");
  check_finite(d->ctrl, m->nu, "ctrl");
  check_finite(d->qfrc_applied, m->nv, "qfrc_applied");
  check_finite(d->xfrc_applied, 6 * m->nbody, "xfrc_applied");
  check_finite(d->mocap_pos, 3 * m->nmocap, "mocap_pos");
  check_finite(d->mocap_quat, 4 * m->nmocap, "mocap_quat");
}

namespace {

/// What positions and velocities alone decide.
void find_state(Data& data, double dt, Stopwatch& watch, StageTimes& times) {
  data.dt = dt;
  data.prepared.clear();

  // where everything is                                              q₀ → X_WG, M₀
  update_positions(data);
  times.dynamics = watch.lap();

  // geometry and contact: where bodies touch, as compliant points     X_WG → S∩ → k, φ₀
  find_patches(data);
  times.geometry = watch.lap();

  // MuJoCo's own constraints, bias and passive forces                 q₀, v₀ → J, a_ref, k
  update_constraints(data);
  update_velocities(data);
}

/// Forces and velocities of the step. Throws InputError if the model has a number that is not finite.
void find_motion(Data& data, Stopwatch& watch, StageTimes& times) {
  // everything but contact: forces, implicit servos, free motion      v₀ → A, v*
  update_actuation(data);
  assemble_dynamics(data);
  times.dynamics += watch.lap();

  // the problem: patches, MuJoCo's contacts, limits and equalities
  assemble_contacts(data);
  assemble_rows(data);
  times.assembly = watch.lap();

  // solver: momentum balance with compliant contact and friction      → v, γ
  data.solver_report = solve_problem(data);
  if (data.solver_report.status == SolverStatus::kBadInput) report_bad_numbers(data);
  times.solver = watch.lap();

  report_actuation(data);
  turn_free_bodies(data);
  write_forces(data);
  write_sensors(data);
}

StepReport finish(const Data& data, Stopwatch& watch, StageTimes& times) {
  StepReport report = make_report(data);
  times.output = watch.lap();
  report.times = times;
  return report;
}

void write_state(const Data& data, double dt, Column<double>& out) {
  const mjModel* m = data.m();
  const mjData* d = data.d();
  out.clear();
  out.push_back(dt), out.push_back(d->time);
  for (int i = 0; i < m->nq; ++i) out.push_back(d->qpos[i]);
  for (int i = 0; i < m->nv; ++i) out.push_back(d->qvel[i]);
  for (int i = 0; i < 3 * m->nmocap; ++i) out.push_back(d->mocap_pos[i]);
  for (int i = 0; i < 4 * m->nmocap; ++i) out.push_back(d->mocap_quat[i]);
}

bool is_prepared(Data& data, double dt) {
  if (data.prepared.empty()) return false;
  write_state(data, dt, data.scratch);
  return std::equal(data.prepared.begin(), data.prepared.end(), data.scratch.begin(), data.scratch.end());
}

}  // namespace

StepReport step(Data& data, double dt) {
  check_step(data, dt);
  StageTimes times;
  Stopwatch watch;
  find_state(data, dt, watch, times);
  call_control(data);
  find_motion(data, watch, times);

  // the next configuration                                            q = q₀ + δt·N₀·v
  advance(data);
  return finish(data, watch, times);
}

StepReport forward(Data& data, double dt) {
  check_step(data, dt);
  StageTimes times;
  Stopwatch watch;
  find_state(data, dt, watch, times);
  call_control(data);
  find_motion(data, watch, times);
  return finish(data, watch, times);
}

void step1(Data& data, double dt) {
  check_step(data, dt);
  StageTimes times;
  Stopwatch watch;
  find_state(data, dt, watch, times);
  call_control(data);
  write_state(data, dt, data.prepared);
}

StepReport step2(Data& data, double dt) {
  check_step(data, dt);
  StageTimes times;
  Stopwatch watch;
  if (!is_prepared(data, dt)) find_state(data, dt, watch, times);
  data.prepared.clear();
  find_motion(data, watch, times);
  advance(data);
  return finish(data, watch, times);
}

StepReport step(Data& data) { return step(data, data.m()->opt.timestep); }

}  // namespace patchfield
