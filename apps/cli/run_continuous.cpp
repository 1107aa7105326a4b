// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "run_continuous.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "patchfield/io/npz_writer.h"
#include "patchfield/sim/continuous.h"
#include "patchfield/sim/ledger.h"
#include "progress.h"
#include "run_loop.h"

namespace patchfield::cli {
namespace {

double accuracy_of(const RunOptions& options) {
  return options.sim.accuracy > 0.0 ? options.sim.accuracy : ContinuousOptions{}.accuracy;
}

/// States at the grid of output times.
class StateLog {
 public:
  StateLog(const std::string& path, const mjModel* m)
      : npz_(path), time_(npz_.add_column<double>("time")), qpos_(npz_.add_column<double>("qpos", {m->nq})),
        qvel_(npz_.add_column<double>("qvel", {m->nv})) {}

  void add(const mjData* d) {
    npz_.append(time_, d->time);
    npz_.append(qpos_, d->qpos, 1);
    npz_.append(qvel_, d->qvel, 1);
  }
  void finish() { npz_.finish(); }

 private:
  NpzWriter npz_;
  NpzColumn<double> time_, qpos_, qvel_;
};

struct Outcome {
  ContinuousReport report;
  ContinuousStatistics statistics;
  Energy start, end;
  double begin = 0.0, wall = 0.0, max_speed = 0.0;
  int signal = 0;
  double simulated() const { return report.time - begin; }
  const char* ended() const { return !report.ok ? "failed" : signal != 0 ? "interrupted" : "done"; }
};

/// Output times lie one time step apart; CVODE's own steps are as long as the accuracy allows.
Outcome integrate(const RunOptions& options, ContinuousSimulation& sim, double interval, long intervals) {
  std::unique_ptr<StateLog> log;
  if (!options.log.empty()) log = std::make_unique<StateLog>(options.log, sim.data().m());
  Outcome out;
  out.start = present_energy(sim.data());
  out.begin = out.report.time = sim.data().d()->time;
  if (log != nullptr) log->add(sim.data().d());
  Progress progress(static_cast<double>(intervals) * interval, !options.quiet);
  const auto start = std::chrono::steady_clock::now();
  for (long i = 1; i <= intervals && out.signal == 0; ++i) {
    out.report = sim.advance(out.begin + static_cast<double>(i) * interval);
    if (!out.report.ok) break;
    if (log != nullptr && i % options.log_every == 0) log->add(sim.data().d());
    progress.update(out.report.time - out.begin);
    out.signal = interrupted_by();
  }
  out.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (log != nullptr) log->finish();
  out.statistics = sim.statistics();
  out.end = present_energy(sim.data());
  for (int i = 0; i < sim.data().m()->nv; ++i)
    out.max_speed = std::max(out.max_speed, std::abs(sim.data().d()->qvel[i]));
  return out;
}

std::string text(const RunOptions& options, const Outcome& o) {
  const ContinuousStatistics& s = o.statistics;
  return fmt::format(
      "{}: continuous model, CVODE, accuracy {:g}\n"
      "  simulated         {:g} s in {} steps ({})\n"
      "  wall time         {:.3f} s, {:.2f} times real time\n"
      "  evaluations       {} of the accelerations, {} Jacobians, {} Newton iterations\n"
      "  refused steps     {} by the error test, {} by Newton\n"
      "  last step         {:.3g} s, order {}\n"
      "  energy            {:.6g} J → {:.6g} J (kinetic {:.3g} → {:.3g})\n"
      "  final max |v|     {:.3g} m/s or rad/s\n",
      options.model, accuracy_of(options), o.simulated(), s.steps, o.ended(), o.wall,
      o.wall > 0.0 ? o.simulated() / o.wall : 0.0, s.evaluations, s.jacobians, s.newton_iterations,
      s.error_test_failures, s.newton_failures, s.last_step, s.last_order, o.start.total(), o.end.total(),
      o.start.kinetic, o.end.kinetic, o.max_speed);
}

std::string json(const RunOptions& options, const Outcome& o, const std::vector<std::string>& warnings) {
  const ContinuousStatistics& s = o.statistics;
  nlohmann::ordered_json json;
  json["model"] = options.model;
  json["integrator"] = "cvode";
  json["accuracy"] = accuracy_of(options);
  json["ended"] = o.ended();
  json["simulated_time"] = o.simulated();
  json["wall_time"] = o.wall;
  json["real_time_factor"] = o.wall > 0.0 ? o.simulated() / o.wall : 0.0;
  json["steps"] = s.steps;
  json["evaluations"] = s.evaluations;
  json["jacobians"] = s.jacobians;
  json["newton_iterations"] = s.newton_iterations;
  json["newton_failures"] = s.newton_failures;
  json["error_test_failures"] = s.error_test_failures;
  json["last_step"] = s.last_step;
  json["last_order"] = s.last_order;
  json["energy_start"] = {{"kinetic", o.start.kinetic}, {"potential", o.start.potential}, {"total", o.start.total()}};
  json["energy_end"] = {{"kinetic", o.end.kinetic}, {"potential", o.end.potential}, {"total", o.end.total()}};
  json["final_max_speed"] = o.max_speed;
  json["warnings"] = warnings;
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

int run_continuous(const RunOptions& options, const Model& model) {
  ContinuousOptions continuous;
  continuous.accuracy = accuracy_of(options);
  continuous.surface.max_face_size = options.sim.surface.max_face_size;
  if (options.sim.quadrature != Quadrature::kAutomatic) continuous.quadrature = options.sim.quadrature;
  continuous.threads = options.sim.threads;
  ContinuousSimulation sim(model, continuous);
  sim.data().reset(find_keyframe(options, model.mujoco()));
  sim.restart();
  const double interval = options.time_step.value_or(model.mujoco()->opt.timestep);
  catch_interrupts();
  const Outcome outcome = integrate(options, sim, interval, num_steps(options.duration, interval));

  std::vector<std::string> warnings = model.warnings();
  if (!outcome.report.ok) {
    warnings.push_back(
        fmt::format("the integration stopped at {:g} s: {}. Try a looser --accuracy, or more dissipation",
                    outcome.report.time, outcome.report.message));
    fmt::print(stderr, "patchfield: warning: {}\n", warnings.back());
  }
  if (options.json) fmt::print("{}\n", json(options, outcome, warnings));
  else if (!options.quiet) fmt::print("{}", text(options, outcome));
  if (!outcome.report.ok) return 1;
  return outcome.signal == 0 ? 0 : 128 + outcome.signal;
}

}  // namespace patchfield::cli
