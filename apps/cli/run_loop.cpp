// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "run_loop.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <ctime>

#include <fmt/format.h>

namespace patchfield::cli {
namespace {

volatile std::sig_atomic_t interrupt_signal = 0;
volatile std::sig_atomic_t interrupt_count = 0;

void on_interrupt(int signal) {
  interrupt_signal = signal;
  interrupt_count = interrupt_count + 1;
  if (interrupt_count < 3) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double thread_cpu_seconds() {
  timespec t = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// "qvel[3] = nan", or empty if all is finite.
std::string find_bad_value(const Data& data) {
  const mjModel* m = data.m();
  const mjData* d = data.d();
  const auto find = [](const char* name, const mjtNum* x, mjtSize n) -> std::string {
    for (mjtSize i = 0; i < n; ++i)
      if (!std::isfinite(x[i])) return fmt::format("{}[{}] = {}", name, i, x[i]);
    return {};
  };
  for (const std::string& bad :
       {find("qvel", d->qvel, m->nv), find("qpos", d->qpos, m->nq), find("act", d->act, m->na)})
    if (!bad.empty()) return bad;
  return {};
}

void count_step(const Data& data, const StepReport& r, RunStats& stats) {
  ++stats.steps;
  stats.faces.add(r.faces), stats.waiting_faces.add(r.waiting_faces), stats.patches.add(r.patches),
      stats.points.add(r.points);
  stats.point_contacts.add(r.point_contacts), stats.rows.add(r.rows), stats.iterations.add(r.solver.iterations);
  stats.dropped_faces += r.dropped_faces, stats.grazing_faces += r.grazing_faces;
  stats.look_ahead_pairs += r.look_ahead_pairs, stats.split_steps += r.split_steps;
  stats.repeated_solves += r.repeated_solves, stats.rescued_pairs += r.rescued_pairs;
  stats.substeps += r.solver.substeps, stats.fallbacks += r.solver.fallbacks;
  stats.inner_steps.add(r.steps);
  stats.rejected_steps += r.rejected_steps, stats.at_minimum += r.steps_at_minimum;
  stats.shortest_step = stats.steps == 1 ? r.smallest_step : std::min(stats.shortest_step, r.smallest_step);
  stats.worst_error = std::max(stats.worst_error, r.largest_error);
  ++stats.statuses[static_cast<std::size_t>(r.solver.status)];
  if (r.solver.status != SolverStatus::kConverged)
    stats.worst_residual = std::max(stats.worst_residual, r.solver.residual);
  if (data.options.surface.max_face_size > 0.0)
    for (int i = 0; i < data.num_patches; ++i)
      stats.oversized_faces += data.patches[static_cast<std::size_t>(i)]->surface.oversized;
  StageTimes& t = stats.times;
  t.dynamics += r.times.dynamics, t.geometry += r.times.geometry, t.assembly += r.times.assembly;
  t.solver += r.times.solver, t.output += r.times.output;
}

}  // namespace

const char* to_string(RunEnd end) {
  switch (end) {
    case RunEnd::kDone: return "done";
    case RunEnd::kInterrupted: return "interrupted";
    case RunEnd::kDiverged: return "diverged";
  }
  return "?";
}

long RunStats::unconverged() const {
  long n = 0;
  for (std::size_t s = 1; s < statuses.size(); ++s) n += statuses[s];
  return n;
}

void catch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction action = {};
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

int interrupted_by() { return interrupt_signal; }

RunStats run_steps(Data& data, double dt, long steps, const RunSinks& sinks, Progress& progress) {
  RunStats stats;
  stats.start = present_energy(data);
  const double begin = data.d()->time;
  const double cpu_start = thread_cpu_seconds();
  const auto start = std::chrono::steady_clock::now();
  const auto timed = [](const void* sink, double& seconds, const auto& write) {
    if (sink == nullptr) return;
    const auto from = std::chrono::steady_clock::now();
    write();
    seconds += seconds_since(from);
  };
  double last_good = begin;
  while (stats.steps < steps) {
    if (interrupt_signal != 0) {
      stats.end = RunEnd::kInterrupted, stats.signal = interrupt_signal;
      break;
    }
    if (sinks.player != nullptr) sinks.player->before_step(data, dt);
    if (sinks.stop_with_player && sinks.player->finished()) break;
    timed(sinks.log, stats.log_time, [&] { sinks.log->begin_step(data); });
    const StepReport report = step(data, dt);
    stats.bad_value = find_bad_value(data);
    if (!stats.bad_value.empty()) {
      stats.end = RunEnd::kDiverged;
      break;
    }
    timed(sinks.log, stats.log_time, [&] { sinks.log->end_step(data, report); });
    timed(sinks.recorder, stats.record_time, [&] {
      if (sinks.player != nullptr) {
        sinks.recorder->signal("phase", sinks.player->phase() + 1);
        sinks.recorder->signal("grip force [N]", sinks.player->grip());
      }
      sinks.recorder->after_step(data, report);
    });
    count_step(data, report, stats);
    last_good = data.d()->time;
    progress.update(last_good - begin);
  }
  stats.wall = seconds_since(start);
  stats.cpu = thread_cpu_seconds() - cpu_start;
  stats.simulated = last_good - begin;
  return stats;
}

}  // namespace patchfield::cli
