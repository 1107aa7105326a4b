// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Which solver should be the default? The same motions by all of them, at several steps.
//
//   build/release/bench/steps/solver_choice [SCENE …] [--solver S …] [--dt MS …] [--duration S] [--stiction V] [--tau
//   T]
//
// --tau is the box's relaxation time.
//
// Scenes: names of scenes/scenes.h and "thrown_box", a brick that is thrown with spin onto a rigid floor. Printed per
// scene, solver and step: Newton iterations per step (mean, largest) of the slowest island, steps that did not
// converge, sub-steps, fallbacks, CPU time per step (all of it), the largest ‖f_t‖/(μ f_n) of a face and of a patch,
// the largest velocity at the end, and for the box how far it has gone.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/steps/step_timing.h"
#include "scenes/scenes.h"

namespace patchfield::bench {
namespace {

constexpr const char* kThrownBox = R"(<mujoco><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
  <body pos="0 0 .12" euler="10 15 0"><freejoint/><geom name="box" type="box" size=".1 .07 .05" mass="1"/></body></worldbody>
  <custom><text name="patchfield:box" data="compliant modulus=1e7 mu=.5 hunt_crossley=5{}"/>
  <text name="patchfield:floor" data="rigid mu=.5 relaxation_time=0"/></custom></mujoco>)";

struct Row {
  int steps = 0, largest = 0, unconverged = 0, substeps = 0, fallbacks = 0;
  double iterations = 0.0, cpu_s = 0.0, face = 0.0, patch = 0.0;
};

/// Largest ‖f_t‖/(μ f_n) of faces, and of Σ‖f_t‖/(μ Σ f_n) of patches. Friction without pressure counts as infinite.
void look_at_cone(const Data& data, Row& row) {
  const ContactProblem& p = data.problem;
  const ContactSolution& s = data.solution;
  for (int i = 0; i < p.num_patches(); ++i) {
    double tangential = 0.0, normal = 0.0, strongest = 0.0;
    const int first = p.patch_first[i], last = first + p.patch_count[i];
    for (int k = first; k < last; ++k) strongest = std::max(strongest, s.gn[k]);
    for (int k = first; k < last; ++k) {
      const Vec3 n(p.nx[k], p.ny[k], p.nz[k]), g(s.gx[k], s.gy[k], s.gz[k]);
      const double gt = (g - s.gn[k] * n).norm(), limit = p.patch_material[i].mu * s.gn[k];
      // Rounding of γ_n n̂ − γ is not friction.
      if (gt > 1e-12 * strongest) row.face = std::max(row.face, gt / limit);
      tangential += gt, normal += limit;
    }
    if (tangential > 1e-12 * strongest) row.patch = std::max(row.patch, tangential / normal);
  }
}

void run(const std::string& name, SolverKind kind, double dt, double duration, double stiction, double tau) {
  const bool box = name == "thrown_box";
  const std::string tau_text = tau >= 0.0 ? fmt::format(" relaxation_time={}", tau) : "";
  SimOptions options;
  options.solver.kind = kind;
  if (stiction > 0.0) options.solver.stiction_speed = stiction;
  Data data(Model::parse(box ? fmt::format(kThrownBox, tau_text) : scenes::by_name(name)), options);
  if (box) {
    const double v[6] = {2, .5, -1, 3, -2, 5};
    std::copy(v, v + 6, data.d()->qvel);
    duration = 0.6;
  }
  if (name == "spatula") data.reset(0);
  Row row;
  for (int i = 0; i < std::lround(duration / dt); ++i) {
    const double start = cpu_seconds();
    const StepReport report = step(data, dt);
    row.cpu_s += cpu_seconds() - start;
    ++row.steps;
    row.iterations += report.solver.iterations;
    row.largest = std::max(row.largest, report.solver.iterations);
    row.unconverged += report.solver.status != SolverStatus::kConverged;
    row.substeps += report.solver.substeps, row.fallbacks += report.solver.fallbacks;
    look_at_cone(data, row);
  }
  fmt::print("{:12} {:7} {:5.2f} ms {:5.2f} {:3} it {} unconverged {} sub {} fallbacks {:8.1f} us", name,
             to_string(kind), 1e3 * dt, row.iterations / row.steps, row.largest, row.unconverged, row.substeps,
             row.fallbacks, 1e6 * row.cpu_s / row.steps);
  fmt::print("  cone {:.6f} {:.6f}  v {:.0e}", row.face, row.patch, max_speed(data));
  if (box) fmt::print("  x {:.4f} m", data.d()->qpos[0]);
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace
}  // namespace patchfield::bench

int main(int argc, char** argv) {
  using namespace patchfield;
  std::vector<std::string> names;
  std::vector<SolverKind> kinds;
  std::vector<double> steps;
  double duration = 1.5, stiction = 0.0, tau = -1.0;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&] { return i + 1 < argc ? argv[++i] : ""; };
    if (word == "--dt") steps.push_back(1e-3 * std::atof(next()));
    else if (word == "--duration") duration = std::atof(next());
    else if (word == "--stiction") stiction = std::atof(next());
    else if (word == "--tau") tau = std::atof(next());
    else if (word == "--solver") {
      const std::string kind = next();
      for (const SolverKind k : {SolverKind::kLagged, SolverKind::kTamsi, SolverKind::kSap})
        if (kind == to_string(k)) kinds.push_back(k);
    } else names.push_back(word);
  }
  if (names.empty()) names = {"thrown_box", "stack", "clutter:40", "clutter:100", "chain", "spatula"};
  if (kinds.empty()) kinds = {SolverKind::kLagged, SolverKind::kTamsi, SolverKind::kSap};
  if (steps.empty()) steps = {1e-3, 2e-3, 5e-3, 1e-2};
  for (const std::string& name : names)
    for (const SolverKind kind : kinds)
      for (const double dt : steps) bench::run(name, kind, dt, duration, stiction, tau);
  return 0;
}
