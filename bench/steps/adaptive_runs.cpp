// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Runs scenes described in JSON with error control, or with fixed steps: our half of bench/peers/adaptive.py and of
// bench/steps/accuracy.py.
//
//   stdin    a JSON list of jobs
//            [{"mjcf": TEXT or "scene": NAME of scenes/scenes.h,
//              "solver": "tamsi" | "sap" | "lagged",  "stiction_speed": 1e-5,
//              "accuracy": ε,                         m; 0: fixed steps
//              "interval": T, "duration": s,          output times
//              "cuts": n,                             fixed steps of T/n
//              "keyframe": k, "ctrl": […], "qvel": […], "lift": m added to qpos[2],
//              "min_time_s": 0.0}, …]                 CPU time to spend on timing; all but the model may be missing
//   stdout   a JSON list of results
//            [{"cpu_s": CPU seconds of one run, the least, "steps": n, "rejected": n, "at_minimum": n, "unconverged":
//            n,
//              "qpos": [[…], …] at the output times, "interval_steps": [n, …],
//              "lengths": dof_length, "joints": [{"type", "qpos", "dof"}, …]}, …]
//   errors   a line on stderr and exit code 1.

#include <algorithm>
#include <cmath>
#include <exception>
#include <iostream>

#include <nlohmann/json.hpp>

#include "bench/steps/step_timing.h"
#include "patchfield/core/check.h"
#include "scenes/scenes.h"

namespace patchfield::bench {
namespace {

using Json = nlohmann::json;

Model read_model(const Json& job) {
  if (job.contains("mjcf")) return Model::parse(job.at("mjcf").get<std::string>());
  const auto name = job.at("scene").get<std::string>();
  const std::string text = scenes::by_name(name);
  if (text.empty()) throw InputError("scene '" + name + "' is unknown; see scenes/scenes.h");
  return Model::parse(text);
}

SimOptions read_options(const Json& job) {
  SimOptions options;
  const std::string solver = job.value("solver", "lagged");
  for (const SolverKind kind : {SolverKind::kTamsi, SolverKind::kSap, SolverKind::kLagged})
    if (solver == to_string(kind)) options.solver.kind = kind;
  options.solver.stiction_speed = job.value("stiction_speed", options.solver.stiction_speed);
  options.accuracy = job.value("accuracy", 0.0);
  return options;
}

void copy(const std::vector<double>& from, mjtNum* to, mjtSize n, const char* name) {
  if (static_cast<mjtSize>(from.size()) > n) throw InputError(std::string(name) + " has more values than the model");
  std::copy(from.begin(), from.end(), to);
}

void start(const Json& job, Data& data) {
  data.reset(job.value("keyframe", -1));
  copy(job.value("ctrl", std::vector<double>{}), data.d()->ctrl, data.m()->nu, "ctrl");
  copy(job.value("qvel", std::vector<double>{}), data.d()->qvel, data.m()->nv, "qvel");
  if (job.contains("lift")) data.d()->qpos[2] += job.at("lift").get<double>();
}

struct Run {
  double cpu = 0.0;
  long steps = 0, rejected = 0, at_minimum = 0, unconverged = 0;
  std::vector<int> interval_steps;
  std::vector<std::vector<double>> qpos;
};

Run run(const Json& job, Data& data) {
  const double interval = job.value("interval", 0.01);
  const long n = std::lround(job.value("duration", 1.0) / interval);
  const int cuts = job.value("cuts", 1);
  start(job, data);
  Run out;
  for (long i = 0; i < n; ++i) {
    int steps = 0;
    const double begin = cpu_seconds();
    for (int k = 0; k < cuts; ++k) {
      const StepReport r = step(data, interval / cuts);
      steps += r.steps, out.rejected += r.rejected_steps, out.at_minimum += r.steps_at_minimum;
      out.unconverged += r.solver.status != SolverStatus::kConverged;
    }
    out.cpu += cpu_seconds() - begin;
    out.steps += steps;
    out.interval_steps.push_back(steps);
    out.qpos.emplace_back(data.d()->qpos, data.d()->qpos + data.m()->nq);
  }
  return out;
}

Json joints(const mjModel* m) {
  Json list = Json::array();
  for (int j = 0; j < m->njnt; ++j)
    list.push_back({{"type", m->jnt_type[j]}, {"qpos", m->jnt_qposadr[j]}, {"dof", m->jnt_dofadr[j]}});
  return list;
}

Json run_job(const Json& job) {
  Data data(read_model(job), read_options(job));
  Run best = run(job, data);
  for (double spent = best.cpu; spent < job.value("min_time_s", 0.0);) {
    const Run again = run(job, data);
    spent += again.cpu;
    best.cpu = std::min(best.cpu, again.cpu);
  }
  const mjModel* m = data.m();
  return {{"cpu_s", best.cpu},
          {"steps", best.steps},
          {"rejected", best.rejected},
          {"at_minimum", best.at_minimum},
          {"unconverged", best.unconverged},
          {"interval_steps", best.interval_steps},
          {"qpos", best.qpos},
          {"lengths", std::vector<double>(m->dof_length, m->dof_length + m->nv)},
          {"joints", joints(m)}};
}

}  // namespace
}  // namespace patchfield::bench

int main() {
  try {
    nlohmann::json results = nlohmann::json::array();
    for (const auto& job : nlohmann::json::parse(std::cin)) results.push_back(patchfield::bench::run_job(job));
    std::cout << results.dump() << "\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "adaptive_runs: " << error.what() << "\n";
    return 1;
  }
}
