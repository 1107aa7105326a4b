// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Whole steps of the scenes at rest, per solver and tessellation.
// Faces, the force that carries the bodies and the speed that is left are reported beside the time.
//
//   build/release/bench/steps/step_bench --benchmark_filter=stack --benchmark_format=csv

#include <benchmark/benchmark.h>

#include "bench/steps/step_timing.h"
#include "scenes/scenes.h"

namespace patchfield::bench {
namespace {

constexpr double kStep = 2e-3;

/// Weight of everything that can move freely [N].
double weight(const mjModel* m) {
  double mass = 0.0;
  for (int b = 1; b < m->nbody; ++b) mass += m->body_mass[b];
  return -mass * m->opt.gravity[2];
}

/// Vertical force from what cannot move onto what can [N].
double support(const Data& data) {
  std::vector<std::string> moving;
  for (int g = 0; g < data.m()->ngeom; ++g)
    if (data.m()->body_treeid[data.m()->geom_bodyid[g]] >= 0) moving.push_back(data.model.geom(g).name);
  return force_on(data, moving).z();
}

void BM_Step(benchmark::State& state, const char* scene, SolverKind solver, Tessellation tessellation) {
  SimOptions options;
  options.solver.kind = solver;
  options.surface.tessellation = tessellation;
  Data data(Model::parse(scenes::by_name(scene)), options);
  settle(data, kStep, 2.0);

  StepReport report;
  StageTimes sum;
  double iterations = 0.0;
  for (auto _ : state) {
    report = step(data, kStep);
    sum.geometry += report.times.geometry;
    sum.solver += report.times.solver;
    sum.dynamics += report.times.dynamics;
    iterations += report.solver.iterations;
  }
  const auto mean = [](double x) { return benchmark::Counter(x, benchmark::Counter::kAvgIterations); };
  state.counters["faces"] = report.faces;
  state.counters["points"] = report.points;
  state.counters["support_to_weight"] = support(data) / weight(data.m());
  state.counters["max_speed"] = max_speed(data);
  state.counters["newton"] = mean(iterations);
  state.counters["us_dynamics"] = mean(1e6 * sum.dynamics);
  state.counters["us_geometry"] = mean(1e6 * sum.geometry);
  state.counters["us_solver"] = mean(1e6 * sum.solver);
}

void register_all() {
  for (const std::string_view scene : scenes::names())
    for (const SolverKind solver : {SolverKind::kTamsi, SolverKind::kSap, SolverKind::kLagged})
      for (const Tessellation tessellation : {Tessellation::kPolygon, Tessellation::kTriangle}) {
        const std::string name = std::string(scene) + "/" + to_string(solver) +
                                 (tessellation == Tessellation::kPolygon ? "/polygon" : "/triangle");
        benchmark::RegisterBenchmark(name.c_str(), BM_Step, scene.data(), solver, tessellation)
            ->Unit(benchmark::kMicrosecond);
      }
}

const bool kRegistered = (register_all(), true);

}  // namespace
}  // namespace patchfield::bench

BENCHMARK_MAIN();
