// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Cost of the solvers: per face, per Newton iteration, and for a pile of bodies. The physics is printed beside the time
// (iterations, force or energy): a change that alters it is not a speed-up.
//
//   build/release/bench/kernels/solver_bench --benchmark_filter=Patch

#include <benchmark/benchmark.h>

#include "patchfield/solver/solver.h"
#include "solver/clutter.h"
#include "solver/problems.h"

namespace patchfield {
namespace {

SolverOptions options_of(const benchmark::State& state) {
  SolverOptions options;
  options.kind = static_cast<SolverKind>(state.range(0));
  return options;
}

// One body of 1 kg that slides and turns on a patch of n faces.
void BM_Patch(benchmark::State& state) {
  const int n = static_cast<int>(state.range(1));
  ContactProblem problem;
  problem.dt = 2e-3;
  testing::FreeBody body;
  body.v = {0.3, 0, -0.02}, body.w = {0.1, 0, 1};
  testing::add_body(problem, body, {0, 0, -9.81});
  const int patch = problem.add_patch(0, -1, {.mu = 0.5, .tau = 0.01, .hunt_crossley = 5.0});
  testing::set_jacobian(problem, patch, 0, body, {0, 0, -0.05}, 1.0);
  testing::Random random(2);
  for (int i = 0; i < n; ++i) {
    const double x = random.uniform(-0.05, 0.05), y = random.uniform(-0.05, 0.05);
    problem.add_point({x, y, 0}, {0, 0, 1}, 1e5 / n, -1e-4 * (1 + 10 * x));
  }
  ContactSolver solver;
  ContactSolution solution;
  SolverReport report = solver.solve(problem, options_of(state), solution);
  for (auto _ : state) report = solver.solve(problem, options_of(state), solution);
  state.SetLabel(to_string(options_of(state).kind));
  state.counters["iterations"] = report.iterations;
  state.counters["force_N"] = solution.patch_wrench[0][5] / problem.dt;
  state.counters["per_face_iteration"] =
      benchmark::Counter(static_cast<double>(n) * report.iterations * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(BM_Patch)->ArgNames({"solver", "faces"})->ArgsProduct({{0, 1, 2}, {30, 100, 1000, 10000}});

// n balls that have just fallen into a bin: the same ten steps again and again.
void BM_Clutter(benchmark::State& state) {
  testing::BallClutter start(static_cast<int>(state.range(1)));
  const double dt = 2e-3;
  ContactProblem problem;
  ContactSolver solver;
  ContactSolution solution;
  for (int i = 0; i < 150; ++i) {
    start.fill(dt, problem);
    solver.solve(problem, {}, solution);
    start.advance(dt, solution);
  }
  int iterations = 0, points = 0, substeps = 0, fallbacks = 0;
  double energy = 0.0;
  for (auto _ : state) {
    testing::BallClutter clutter = start;
    iterations = points = 0;
    for (int i = 0; i < 10; ++i) {
      state.PauseTiming();
      clutter.fill(dt, problem);
      points += problem.num_points();
      state.ResumeTiming();
      const SolverReport report = solver.solve(problem, options_of(state), solution);
      iterations += report.iterations, substeps += report.substeps, fallbacks += report.fallbacks;
      clutter.advance(dt, solution);
    }
    energy = clutter.kinetic_energy();
  }
  state.SetLabel(to_string(options_of(state).kind));
  state.counters["points"] = points / 10;
  state.counters["iterations"] = iterations / 10.0;
  state.counters["substeps"] = substeps;
  state.counters["fallbacks"] = fallbacks;
  state.counters["energy_J"] = energy;
  state.counters["per_step"] = benchmark::Counter(10.0 * static_cast<double>(state.iterations()),
                                                  benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(BM_Clutter)
    ->ArgNames({"solver", "bodies"})
    ->ArgsProduct({{0, 1, 2}, {40, 100}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace patchfield

BENCHMARK_MAIN();
