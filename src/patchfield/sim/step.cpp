// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/sim/step.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/sim/stages.h"
#include "patchfield/sim/step_parts.h"

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

/// Throws within a step are followed this often; what is left is looked at in the next step.
constexpr int kMaxRepeats = 3;

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

StepReport describe_step(const Data& data) {
  StepReport report;
  for (int i = 0; i < data.num_patches; ++i) {
    const Patch& patch = *data.patches[static_cast<std::size_t>(i)];
    report.patches += patch.index >= 0;
    report.faces += patch.report.faces - patch.report.waiting;
    report.waiting_faces += patch.report.waiting;
    report.grazing_faces += patch.report.grazing;
    report.look_ahead_pairs += patch.index >= 0 && patch.reach > 0.0;
    report.rescued_pairs += patch.index >= 0 && patch.rescued;
    report.dropped_faces += patch.surface.dropped.total() + patch.report.too_small + patch.report.softening;
  }
  report.points = data.problem.num_points();
  report.point_contacts = data.point_contacts.size();
  report.rows = data.problem.num_rows();
  report.solver = data.solver_report;
  return report;
}

namespace {

/// What positions and velocities alone decide. Bodies that are too fast for data.dt make it shorter, down to `least`.
void find_state(Data& data, double least, StageTimes& times) {
  Stopwatch watch;
  data.prepared.clear();
  for (const double left = data.dt;; data.dt = std::max(left / data.parts, least)) {
    // where everything is                                            q₀ → X_WG, M₀
    update_positions(data);
    times.dynamics += watch.lap();

    // geometry and contact: where bodies touch, as compliant points   X_WG → S∩ → k, φ₀
    data.may_split = data.dt > least;
    find_patches(data);
    times.geometry += watch.lap();
    if (data.parts == 1 || !data.may_split) break;
  }

  // MuJoCo's own constraints, bias and passive forces                 q₀, v₀ → J, a_ref, k
  update_constraints(data);
  update_velocities(data);
}

}  // namespace

void prepare_step(Data& data, double least, bool control, StageTimes& times) {
  find_state(data, least, times);
  Stopwatch watch;
  if (control) call_control(data);
  update_actuation(data);
  times.dynamics += watch.lap();
}

void solve_step(Data& data, StageTimes& times) {
  Stopwatch watch;
  // everything but contact: forces, implicit servos, free motion      k₀ → A, v*
  assemble_dynamics(data);
  times.dynamics += watch.lap();

  // the problem: patches, MuJoCo's contacts, limits and equalities
  assemble_contacts(data);
  assemble_rows(data);
  times.assembly += watch.lap();

  // solver: momentum balance with compliant contact and friction      → v, γ
  data.solver_report = solve_problem(data);
  if (data.solver_report.status == SolverStatus::kBadInput) report_bad_numbers(data);
  times.solver += watch.lap();
}

namespace {

/// The solution → accelerations, forces and sensors of mjData.
void write_motion(Data& data, bool sensors) {
  report_actuation(data);
  turn_free_bodies(data);
  write_forces(data);
  if (sensors) write_sensors(data);
}

}  // namespace

void finish_step(Data& data, bool sensors, StageTimes& times) {
  Stopwatch watch;
  write_motion(data, sensors);
  // the next configuration                                            q = q₀ + δt·N₀·v
  advance(data);
  times.output += watch.lap();
}

namespace {

/// What has been done of a part before take_part(): control is asked for once per step.
enum class Begun { kNothing, kControl, kState };

/// Advances by `left`, or by less: data.dt says how far. [PFC eq:scheme_momentum … eq:scheme_q_update]
StepReport take_part(Data& data, double left, double least, Begun begun) {
  StageTimes times;
  data.knows_end = false;
  if (begun == Begun::kState) {
    update_actuation(data);
  } else {
    data.dt = left;
    prepare_step(data, least, begun == Begun::kNothing, times);
  }
  solve_step(data, times);

  // A body may be thrown at another within the step: then once more, knowing where the bodies go.
  int repeated = 0;
  for (Stopwatch watch; repeated < kMaxRepeats && needs_wider_look(data); ++repeated) {
    times.geometry += watch.lap();
    data.knows_end = true;
    data.dt = left;
    prepare_step(data, least, false, times);
    solve_step(data, times);
    watch.lap();
  }
  finish_step(data, data.dt == left, times);
  StepReport report = describe_step(data);
  report.repeated_solves = repeated;
  report.smallest_step = data.dt;
  report.times = times;
  return report;
}

SolverReport merge(const SolverReport& a, const SolverReport& b) {
  SolverReport sum = b;
  sum.status = std::max(a.status, b.status), sum.residual = std::max(a.residual, b.residual);
  sum.iterations += a.iterations, sum.total_iterations += a.total_iterations;
  sum.line_search_evaluations += a.line_search_evaluations;
  sum.unconverged_islands += a.unconverged_islands;
  sum.substeps += a.substeps, sum.fallbacks += a.fallbacks;
  sum.dense_factorizations += a.dense_factorizations, sum.sparse_factorizations += a.sparse_factorizations;
  sum.symbolic_analyses += a.symbolic_analyses;
  return sum;
}

/// The report of a step in parts: what was done is summed; what is there is that of the last part, as in mjData.
void add_part(const StepReport& part, StepReport& sum) {
  const StepReport before = sum;
  sum = part;
  sum.smallest_step = std::min(before.smallest_step, part.smallest_step);
  sum.split_steps = before.split_steps + 1;
  sum.look_ahead_pairs += before.look_ahead_pairs, sum.rescued_pairs += before.rescued_pairs;
  sum.repeated_solves += before.repeated_solves;
  sum.dropped_faces += before.dropped_faces, sum.grazing_faces += before.grazing_faces;
  sum.solver = merge(before.solver, part.solver);
  sum.times.dynamics += before.times.dynamics, sum.times.geometry += before.times.geometry;
  sum.times.assembly += before.times.assembly, sum.times.solver += before.times.solver;
  sum.times.output += before.times.output;
}

/// One time step in as many parts as it takes.
StepReport take_step(Data& data, double dt, Begun begun) {
  if (data.options.accuracy > 0.0) return controlled_step(data, dt, begun == Begun::kNothing);
  const double end = data.d()->time + dt, least = dt / kMaxParts;
  StepReport report = take_part(data, dt, least, begun);
  for (double left = dt - data.dt; left > 0.0; left -= data.dt)
    add_part(take_part(data, left, least, Begun::kControl), report);
  if (report.split_steps > 0) data.d()->time = end;
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
  return take_step(data, dt, Begun::kNothing);
}

StepReport forward(Data& data, double dt) {
  check_step(data, dt);
  StageTimes times;
  data.dt = dt;
  data.knows_end = false;
  prepare_step(data, dt, true, times);
  solve_step(data, times);
  Stopwatch watch;
  write_motion(data, true);
  StepReport report = describe_step(data);
  times.output = watch.lap();
  report.times = times;
  return report;
}

void step1(Data& data, double dt) {
  check_step(data, dt);
  StageTimes times;
  data.dt = dt;
  data.knows_end = false;
  find_state(data, dt / kMaxParts, times);
  call_control(data);
  write_state(data, dt, data.prepared);
}

StepReport step2(Data& data, double dt) {
  check_step(data, dt);
  const bool prepared = is_prepared(data, dt);
  data.prepared.clear();
  return take_step(data, dt, prepared ? Begun::kState : Begun::kControl);
}

StepReport step(Data& data) { return step(data, data.m()->opt.timestep); }

}  // namespace patchfield
