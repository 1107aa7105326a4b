// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "bench/steps/step_timing.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numbers>

#include "patchfield/core/check.h"

namespace patchfield::bench {
namespace {

void shake(Data& data, const Shaking& shaking) {
  if (shaking.body < 0) return;
  const double phase = std::cos(2.0 * std::numbers::pi * shaking.frequency * data.d()->time);
  for (int i = 0; i < 3; ++i) data.d()->xfrc_applied[6 * shaking.body + i] = phase * shaking.force_W[i];
}

/// The state to come back to; time too, for the phase of the shaking.
class SavedState {
 public:
  explicit SavedState(const Data& data)
      : state_(static_cast<std::size_t>(mj_stateSize(data.m(), mjSTATE_INTEGRATION))) {
    mj_getState(data.m(), data.d(), state_.data(), mjSTATE_INTEGRATION);
  }
  void restore(Data& data) const { mj_setState(data.m(), data.d(), state_.data(), mjSTATE_INTEGRATION); }

 private:
  std::vector<mjtNum> state_;
};

double median(std::vector<double>& x) {
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return *middle;
}

}  // namespace

double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void settle(Data& data, double dt, double duration, const Shaking& shaking) {
  const long n = std::lround(duration / dt);
  for (long i = 0; i < n; ++i) {
    shake(data, shaking);
    step(data, dt);
  }
}

Timing time_steps(Data& data, double dt, double min_cpu_s, const Shaking& shaking) {
  constexpr int kBatch = 100;  // steps between two looks at the clock
  const SavedState start_state(data);
  // Medians of the stages: their wall clock also runs while another process has the core.
  constexpr double StageTimes::* kStages[] = {&StageTimes::dynamics, &StageTimes::geometry, &StageTimes::assembly,
                                              &StageTimes::solver, &StageTimes::output};
  std::vector<double> samples[std::size(kStages)];
  Timing t;
  double spent = 0.0;
  do {
    StageTimes times[kBatch];
    if (t.steps % kRepeat == 0) start_state.restore(data);
    const double start = cpu_seconds();
    for (StageTimes& stage : times) {
      shake(data, shaking);
      t.last = step(data, dt);
      stage = t.last.times;
      t.iterations += t.last.solver.iterations;
      t.line_search += t.last.solver.line_search_evaluations;
      t.unconverged += t.last.solver.status != SolverStatus::kConverged;
    }
    spent += cpu_seconds() - start;
    t.steps += kBatch;
    for (std::size_t s = 0; s < std::size(kStages); ++s)
      for (const StageTimes& stage : times) samples[s].push_back(1e6 * (stage.*kStages[s]));
  } while (spent < min_cpu_s);
  t.us = 1e6 * spent / static_cast<double>(t.steps);
  t.iterations /= static_cast<double>(t.steps);
  t.line_search /= static_cast<double>(t.steps);
  for (std::size_t s = 0; s < std::size(kStages); ++s) t.stages_us.*kStages[s] = median(samples[s]);
  return t;
}

double max_speed(const Data& data) {
  double v = 0.0;
  for (int i = 0; i < data.m()->nv; ++i) v = std::max(v, std::abs(data.d()->qvel[i]));
  return v;
}

Vec3 force_on(const Data& data, const std::vector<std::string>& geoms) {
  std::vector<bool> chosen(static_cast<std::size_t>(data.model.num_geoms()), false);
  for (const std::string& name : geoms) {
    const int id = mj_name2id(data.m(), mjOBJ_GEOM, name.c_str());
    if (id < 0) throw InputError("no geom is called '" + name + "' in this scene");
    chosen[static_cast<std::size_t>(id)] = true;
  }
  StepResults results;
  collect_results(data, results);
  Vec3 force = Vec3::Zero();
  for (int p = 0; p < results.patches.size(); ++p) {
    const bool A = chosen[static_cast<std::size_t>(results.patches.geom_A[p])];
    const bool B = chosen[static_cast<std::size_t>(results.patches.geom_B[p])];
    if (A != B) force += (B ? 1.0 : -1.0) * results.patches.force_W[p];
  }
  return force;
}

}  // namespace patchfield::bench
