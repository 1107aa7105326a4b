// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "reproduce_pancake_study.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "reproduce_tasks.h"

namespace patchfield::cli {
namespace {

// Faces per step: from about 230 to 1,600 with five of them, to 2,100 with all.
constexpr double kRefinements[] = {1.0, 1.5, 2.0, 2.7, 3.4, 4.0};
constexpr int kVariations = 32;

/// Numbers in [−1, 1) that fill the space evenly: Halton's sequence.
double halton(int i, int base) {
  double share = 1.0, sum = 0.0;
  for (int k = i + 1; k > 0; k /= base) share /= base, sum += share * (k % base);
  return 2.0 * sum - 1.0;
}

std::vector<double> refinements(const PancakeStudyOptions& options) {
  const int n = options.quick ? 1 : std::clamp(options.refinements, 1, static_cast<int>(std::size(kRefinements)));
  return {kRefinements, kRefinements + n};
}

std::vector<PancakeSetup> outcome_setups(const PancakeStudyOptions& options) {
  std::vector<PancakeSetup> all;
  const std::vector<double> steps =
      options.quick ? std::vector<double>{5e-3} : std::vector<double>{1e-3, 2e-3, 5e-3, 1e-2};
  for (const SolverKind solver : {SolverKind::kLagged, SolverKind::kTamsi, SolverKind::kSap})
    for (const Tessellation tessellation : {Tessellation::kPolygon, Tessellation::kTriangle})
      for (const double refinement : refinements(options))
        for (const double dt : steps)
          if (!options.solver || *options.solver == solver)
            all.push_back({.solver = solver, .tessellation = tessellation, .dt = dt, .refinement = refinement});
  if (options.quick && !options.solver) all.resize(2);  // Lagged alone, both tessellations
  return all;
}

double cost_of(const PancakeSetup& s) {
  const double faces = s.refinement * s.refinement * (s.tessellation == Tessellation::kTriangle ? 4.0 : 1.0);
  return (0.5 + faces) / s.dt;
}

/// Runs all setups into `runs`, `threads` at a time.
void run_all(const std::vector<PancakeSetup>& setups, const Sequence& sequence, int threads,
             std::vector<PancakeRun>& runs) {
  runs.resize(setups.size());
  std::vector<StudyTask> tasks;
  for (std::size_t i = 0; i < setups.size(); ++i)
    tasks.push_back({name_of(setups[i]), cost_of(setups[i]), [&, i] { runs[i] = run_pancake(setups[i], sequence); }});
  run_tasks(std::move(tasks), threads);
}

void run_variations(int n, const Sequence& sequence, int threads, std::vector<PancakeVariation>& variations) {
  variations.resize(static_cast<std::size_t>(n));
  std::vector<StudyTask> tasks;
  for (int i = 0; i < n; ++i)
    tasks.push_back({fmt::format("variation {}", i + 1), 1.0, [&, i] {
                       PancakeVariation& v = variations[static_cast<std::size_t>(i)];
                       v.setup = vary(i);
                       v.outcome = run_pancake(v.setup, sequence).outcome;
                     }});
  run_tasks(std::move(tasks), threads);
}

}  // namespace

PancakeSetup as_in_the_paper() {
  return {.solver = SolverKind::kSap, .quadrature = Quadrature::kCentroid, .pressure_rate = PressureRate::kPaper};
}

PancakeSetup vary(int i) {
  PancakeSetup setup;
  const scenes::PancakeOptions usual;
  setup.scene.pancake_x = usual.pancake_x + 0.01 * halton(i, 2);
  setup.scene.pancake_y = usual.pancake_y + 0.01 * halton(i, 3);
  setup.scene.pancake_mass = usual.pancake_mass * (1.0 + 0.2 * halton(i, 5));
  setup.scene.pancake_modulus = usual.pancake_modulus * (1.0 + 0.5 * halton(i, 7));
  setup.scene.friction = usual.friction * (1.0 + 0.2 * halton(i, 11));
  setup.scene.stove_height = usual.stove_height + 3e-3 * halton(i, 13);
  setup.gains = 1.0 + 0.2 * halton(i, 17);
  return setup;
}

double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y) {
  PATCHFIELD_ASSERT(x.size() == y.size());
  const auto n = static_cast<double>(x.size());
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

PancakeStudy study_pancake(const PancakeStudyOptions& options) {
  std::filesystem::create_directories(options.folder);
  const Sequence sequence = pancake_sequence();
  PancakeStudy study;
  study.page = options.folder / "pancake.html", study.points_page = options.folder / "pancake_points.html";

  // The two on pages
  const PancakeSetup usual = {.dt = options.quick ? 5e-3 : 2e-3};
  const PancakeSetup points = {.dt = 2e-3, .engine = PancakeEngine::kPoints};
  run_tasks({{"the flip", 2.0, [&] { study.flip = run_pancake(usual, sequence, study.page); }},
             {"the same with points", 1.0, [&] { study.points = run_pancake(points, sequence, study.points_page); }}},
            options.threads);

  // Timed, one at a time
  std::vector<PancakeSetup> scaling, triangles;
  for (const PancakeSetup& base : {usual, as_in_the_paper()})
    for (const double refinement : refinements(options)) {
      PancakeSetup setup = base;
      setup.refinement = refinement;
      scaling.push_back(setup);
      setup.tessellation = Tessellation::kTriangle;
      if (refinement == 1.0) triangles.push_back(setup);
    }
  if (options.quick) scaling.resize(1), triangles.resize(1);
  run_all(scaling, sequence, 1, study.scaling);
  run_all(triangles, sequence, 1, study.triangles);

  run_all(outcome_setups(options), sequence, options.threads, study.outcomes);
  run_variations(options.quick ? 4 : kVariations, sequence, options.threads, study.variations);
  return study;
}

}  // namespace patchfield::cli
