// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/sim/step.h"

#include <cmath>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/sim/stages.h"
#include "patchfield/sim/step_parts.h"

namespace patchfield {
namespace {

void check_finite(const mjtNum* values, mjtSize n, const char* name) {
  for (mjtSize i = 0; i < n; ++i)
    if (!std::isfinite(values[i]))
      throw InputError(
          fmt::format("{}[{}] = {} is not finite. Nothing was stepped: restore a good state, or reset the "
                      "data",
                      name, i, values[i]));
}

}  // namespace

void check_step(const Data& data, double dt) {
  if (!(dt > 0.0 && dt <= kLargestStep))
    throw InputError(fmt::format("time step {} s: give one above 0 and up to {} s; 1e-3 is usual", dt, kLargestStep));
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
    report.dropped_faces += patch.surface.dropped.total() + patch.report.too_small + patch.report.softening;
  }
  report.points = data.problem.num_points();
  report.point_contacts = data.point_contacts.size();
  report.rows = data.problem.num_rows();
  report.solver = data.solver_report;
  return report;
}

void prepare_step(Data& data, bool control, StageTimes& times) {
  Stopwatch watch;
  // where everything is                                              q₀ → X_WG, M₀
  update_positions(data);
  times.dynamics += watch.lap();

  // geometry and contact: where bodies touch, as compliant points     X_WG → S∩ → k, φ₀
  find_patches(data);
  times.geometry += watch.lap();

  // forces at the start of the step                                   v₀ → k₀
  update_velocities(data);
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
  data.solver_report = data.solver.solve(data.problem, data.options.solver, data.solution, &data.threads);
  times.solver += watch.lap();
}

void finish_step(Data& data, bool sensors, StageTimes& times) {
  Stopwatch watch;
  // the next configuration                                            q = q₀ + δt·N₀·v
  report_actuation(data);
  turn_free_bodies(data);
  write_forces(data);
  if (sensors) write_sensors(data);
  advance(data);
  times.output += watch.lap();
}

namespace {

/// Advances by data.dt, as one solve.
StepReport take_part(Data& data) {
  StageTimes times;
  prepare_step(data, true, times);
  solve_step(data, times);
  finish_step(data, true, times);
  StepReport report = describe_step(data);
  report.smallest_step = data.dt;
  report.times = times;
  return report;
}

}  // namespace

StepReport step(Data& data, double dt) {
  check_step(data, dt);
  if (data.options.accuracy > 0.0) return controlled_step(data, dt);
  data.dt = dt;
  return take_part(data);
}

StepReport step(Data& data) { return step(data, data.m()->opt.timestep); }

}  // namespace patchfield
