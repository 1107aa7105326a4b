// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The paper's pressure law and the convected one, side by side on things that pile up, rest, slide and are held:
// the second half of the table in docs/convected.md; bench/python/everyday_motions.py prints the first.
//
//   build/release/bench/steps/pressure_laws [clutter] [stack] [coin] [spatula] [order]
//
// Energy is compared as in tests/sim/conservation_test.cpp: with what was there at any time before, in motion and
// stored in contact, relative to the range of energies that the motion goes through.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/steps/step_timing.h"
#include "patchfield/sim/continuous.h"
#include "patchfield/sim/ledger.h"
#include "reproduce_coin.h"
#include "reproduce_spatula.h"
#include "scenes/scenes.h"

namespace patchfield::bench {
namespace {

constexpr PressureRate kLaws[] = {PressureRate::kPaper, PressureRate::kConvected};

SimOptions with(SolverKind kind, PressureRate law) {
  SimOptions options;
  options.solver.kind = kind;
  options.pressure_rate = law;
  return options;
}

void print_row(const std::string& what, const std::function<std::string(PressureRate)>& measure) {
  fmt::print("| {} |", what);
  for (const PressureRate law : kLaws) {
    fmt::print(" {} |", measure(law));
    std::fflush(stdout);
  }
  fmt::print("\n");
}

/// ½kφ₀² of all points.
double stored_energy(const Data& data) {
  double sum = 0.0;
  for (int i = 0; i < data.problem.num_points(); ++i) {
    const double depth = std::max(0.0, -data.problem.phi0[i]);
    sum += 0.5 * data.problem.k[i] * depth * depth;
  }
  return sum;
}

struct Outcome {
  double rise = 0.0, iterations = 0.0, speed = 0.0, us = 0.0;
  int unconverged = 0;
};

Outcome watch(const std::string& scene, SolverKind kind, PressureRate law, double dt, double duration) {
  Data data(Model::parse(scenes::by_name(scene)), with(kind, law));
  const Vec3 gravity = Eigen::Map<const Vec3>(data.m()->opt.gravity);
  const int n = static_cast<int>(std::lround(duration / dt));
  double lowest = 1e300, highest = -1e300;
  Outcome out;
  for (int i = 0; i < n; ++i) {
    const double start = cpu_seconds();
    const StepReport report = step(data, dt);
    out.us += 1e6 * (cpu_seconds() - start) / n;
    out.iterations += static_cast<double>(report.solver.iterations) / n;
    out.unconverged += report.solver.status != SolverStatus::kConverged;
    const EnergyLedger e = energy_ledger(data);
    const double fall = 0.5 * dt * gravity.dot(momentum_ledger(data).linear_start);  // conservation_test.cpp says why
    const double motion = e.kinetic_start + e.potential_start + fall;
    lowest = std::min(lowest, motion + stored_energy(data)), highest = std::max(highest, motion);
    out.rise = std::max(out.rise, motion - lowest);
  }
  out.rise /= std::max(highest - lowest, 1e-300);
  out.speed = max_speed(data);
  return out;
}

void clutter() {
  for (const char* scene : {"clutter:40", "clutter:100"})
    for (const double dt : {2e-3, 1e-2})
      print_row(fmt::format("{}, {:g} ms, 2 s: energy rise; iterations; unconverged; µs", scene, 1e3 * dt),
                [&](PressureRate law) {
                  const Outcome o = watch(scene, SolverKind::kLagged, law, dt, 2.0);
                  return fmt::format("{:.0e}; {:.1f}; {}; {:.0f}", o.rise, o.iterations, o.unconverged, o.us);
                });
}

void stack() {
  for (const SolverKind kind : {SolverKind::kLagged, SolverKind::kTamsi, SolverKind::kSap})
    for (const double dt : {2e-3, 1e-2})
      print_row(fmt::format("stack, {}, {:g} ms: energy rise; speed after 5 s [m/s]", to_string(kind), 1e3 * dt),
                [&](PressureRate law) {
                  const Outcome o = watch("stack", kind, law, dt, 5.0);
                  return fmt::format("{:.0e}; {:.0e}", o.rise, o.speed);
                });
}

/// ε* of the ring from three starts, and the order in δt against the continuous model.
void coin() {
  using namespace cli;
  for (const SolverKind kind : {SolverKind::kTamsi, SolverKind::kLagged}) {
    print_row(fmt::format("coin, {}: ε* from ε₀ = 0.2, 1, 5 (0.64426)", to_string(kind)), [&](PressureRate law) {
      const CoinModel model({.pressure_rate = law});
      std::string text;
      for (const double eps0 : {0.2, 1.0, 5.0})
        text += fmt::format("{}{:.5f}", text.empty() ? "" : ", ", slide(model, kind, eps0, 10.0, 1e-3).eps);
      return text;
    });
    print_row(fmt::format("coin, {}: order in δt", to_string(kind)), [&](PressureRate law) {
      const CoinModel model({.relative_tolerance = 1e-8, .pressure_rate = law});
      const auto reference = record_continuously(model, 1e-8, 1.0, 1.0, 1e-2, 0.3);
      std::vector<double> sizes, errors;
      for (const double dt : {1e-4, 2e-4, 5e-4, 1e-3}) {
        sizes.push_back(dt);
        errors.push_back(relative_difference(record(model, kind, 1.0, 1.0, dt, 1e-2, 0.3), reference));
      }
      return fmt::format("{:.3f}", fitted_order(sizes, errors));
    });
  }
}

void spatula() {
  for (const SolverKind kind : {SolverKind::kLagged, SolverKind::kTamsi, SolverKind::kSap})
    print_row(
        fmt::format("spatula, {}, 2 ms: pitch after 30 s [°]; drift [mrad]", to_string(kind)), [&](PressureRate law) {
          const cli::SpatulaRun run = cli::run_spatula({.solver = kind, .pressure_rate = law});
          return fmt::format("{:.1f}; {:.2f}", run.pitch.back() * 180.0 / 3.14159265358979, 1e3 * run.worst_drift());
        });
}

/// A ball that slides, rolls and spins on a rigid plane, far from its mesh's facets: all six velocities after 0.1 s.
Vec6 ball_motion(Data& data, const std::function<void()>& advance) {
  const double start[6] = {0.5, 0.1, 0.0, 0.0, 3.0, 2.0};
  std::copy(start, start + 6, data.d()->qvel);
  advance();
  return Eigen::Map<const Vec6>(data.d()->qvel);
}

void order() {
  const Model model = Model::parse(
      R"(<mujoco><worldbody><geom name="floor" type="plane" size="5 5 .1"/><body pos="0 0 .0496"><freejoint/>
      <geom name="b" type="sphere" size=".05" mass=".5"/></body></worldbody><custom>
      <text name="patchfield:b" data="compliant modulus=1e7 resolution=.004 mu=.3 hunt_crossley=1"/>
      <text name="patchfield:floor" data="rigid mu=.3 relaxation_time=0"/></custom></mujoco>)");
  ContinuousSimulation reference(model, {.accuracy = 1e-7, .stiction_speed = 1e-5, .quadrature = Quadrature::kMoments});
  const Vec6 exact = ball_motion(reference.data(), [&] {
    reference.restart();
    reference.advance(0.1);
  });
  const std::vector<double> steps = {1.25e-4, 2.5e-4, 5e-4, 1e-3, 2e-3, 4e-3};
  std::vector<double> errors[2];
  for (std::size_t i = 0; i < steps.size(); ++i)
    print_row(fmt::format("ball that slides and spins, {:g} ms: speeds off by, after 0.1 s [m/s]", 1e3 * steps[i]),
              [&](PressureRate law) {
                SimOptions options = with(SolverKind::kLagged, law);
                options.surface.tessellation = Tessellation::kTriangle;
                options.quadrature = Quadrature::kMoments;
                Data data(model, options);
                Vec6 off = ball_motion(data, [&] { settle(data, steps[i], 0.1); }) - exact;
                off.tail<3>() *= 0.05;
                errors[law == PressureRate::kConvected].push_back(off.norm());
                return fmt::format("{:.1e}", off.norm());
              });
  print_row("order of it", [&](PressureRate law) {
    return fmt::format("{:.2f}", cli::fitted_order(steps, errors[law == PressureRate::kConvected]));
  });
}

}  // namespace
}  // namespace patchfield::bench

int main(int argc, char** argv) {
  using namespace patchfield::bench;
  const std::pair<std::string, void (*)()> parts[] = {
      {"clutter", clutter}, {"stack", stack}, {"coin", coin}, {"spatula", spatula}, {"order", order}};
  fmt::print("| motion | paper | convected |\n|---|---|---|\n");
  for (const auto& [name, run] : parts)
    if (argc == 1 || std::find(argv + 1, argv + argc, name) != argv + argc) run();
  return 0;
}
