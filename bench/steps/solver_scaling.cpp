// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// How the solver's time grows: with the faces of a patch, and with the robot that carries it.
//
//   free ball, 6 dofs                    the same ball under a slider and 29 hinges, 30 dofs
//        ( )                                     ▯─o─o─o─ … ─o─( )      same total weight, so the same patch
//      ───────                                  ───────
//
// The ball's mesh is refined from about 100 to 10,000 faces. It is shaken, so that every step has Newton
// iterations to do; times are divided by them, since their number is the scene's business, not the kernel's.
//
//   build/release/bench/steps/solver_scaling [--json FILE]
//
// Printed per solver and robot: time per step and per iteration, the exponent of it over faces, and the price of one
// more face (slope between the first and the last row), which must not depend on the robot.

#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/steps/step_timing.h"
#include "patchfield/core/check.h"

namespace patchfield::bench {
namespace {

constexpr double kMass = 0.5;     // of everything that moves [kg]
constexpr double kRadius = 0.05;  // [m]
constexpr double kStep = 2e-3;    // [s]
constexpr int kHinges = 29;

std::string model(const std::string& bodies, double resolution) {
  return fmt::format(R"(<mujoco><option timestep="{}"/><worldbody>
  <geom name="floor" type="plane" size="1 1 .1"/>
{}</worldbody><custom>
  <text name="patchfield:ball" data="compliant modulus=1e4 resolution={:.9g} mu=0.5 hunt_crossley=20 relaxation_time=0.01"/>
  <text name="patchfield:floor" data="rigid mu=0.5 relaxation_time=0"/>
</custom></mujoco>)",
                     kStep, bodies, resolution);
}

std::string free_ball(double resolution) {
  return model(fmt::format(R"(<body name="ball" pos="0 0 {0}"><freejoint/>
  <geom name="ball" type="sphere" size="{0}" mass="{1}"/></body>)",
                           kRadius, kMass),
               resolution);
}

/// The ball hangs under a vertical slider by short links, which springs keep straight; a quarter of the mass is theirs.
std::string robot(double resolution) {
  constexpr double kLink = 0.02;  // [m]
  const double link_mass = 0.25 * kMass / kHinges;
  std::string open, close;
  for (int i = 0; i < kHinges; ++i) {
    open += fmt::format(R"(<body pos="0 0 -{}"><joint type="hinge" axis="{}" stiffness="20" damping=".5"/>
  <inertial pos="0 0 0" mass="{}" diaginertia="1e-5 1e-5 1e-5"/>
)",
                        kLink, i % 2 == 0 ? "1 0 0" : "0 1 0", link_mass);
    close += "</body>";
  }
  return model(fmt::format(R"(<body pos="0 0 {}"><joint type="slide" axis="0 0 1"/>
  <inertial pos="0 0 0" mass="{}" diaginertia="1e-4 1e-4 1e-4"/>
{}<body name="ball"><geom name="ball" type="sphere" size="{}" mass="{}"/></body>{}</body>)",
                           kRadius + kHinges * kLink, 0.25 * kMass, open, kRadius, 0.5 * kMass, close),
               resolution);
}

struct Row {
  int faces = 0, points = 0;
  double solver_us = 0.0, iterations = 0.0, per_iteration_us = 0.0;
};

Row measure(const std::string& mjcf, SolverKind solver) {
  SimOptions options;
  options.solver.kind = solver;
  options.quadrature = Quadrature::kCentroid;  // one point per face
  Data data(Model::parse(mjcf), options);
  const double weight = kMass * 9.81;
  const Shaking shaking{
      .body = mj_name2id(data.m(), mjOBJ_BODY, "ball"), .force_W = Vec3(0.05, 0.0, 0.3) * weight, .frequency = 10.0};
  settle(data, kStep, 0.5, shaking);
  const Timing t = time_steps(data, kStep, 0.15, shaking);
  PATCHFIELD_ASSERT(t.last.patches == 1 && t.unconverged == 0);
  Row row;
  row.faces = t.last.faces, row.points = t.last.points;
  row.solver_us = t.stages_us.solver, row.iterations = t.iterations;
  // A step with n iterations looks at all points n + 1 times.
  row.per_iteration_us = row.solver_us / (1.0 + row.iterations);
  return row;
}

double exponent(const std::vector<Row>& rows) {
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  const double n = static_cast<double>(rows.size());
  for (const Row& r : rows) {
    const double x = std::log(r.faces), y = std::log(r.per_iteration_us);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

nlohmann::json run(SolverKind solver, const char* name, std::string (*scene)(double)) {
  fmt::print("\n{}, {}\n{:>8} {:>12} {:>10} {:>16} {:>14}\n", to_string(solver), name, "faces", "solver µs", "Newton",
             "µs per pass", "ns/face/pass");
  std::vector<Row> rows;
  nlohmann::json out = nlohmann::json::array();
  for (const int segments : {36, 64, 120, 208, 376}) {
    rows.push_back(measure(scene(2.0 * M_PI * kRadius / segments * (1 + 1e-9)), solver));
    const Row& r = rows.back();
    fmt::print("{:>8} {:>12.1f} {:>10.2f} {:>16.2f} {:>14.1f}\n", r.faces, r.solver_us, r.iterations,
               r.per_iteration_us, 1e3 * r.per_iteration_us / r.faces);
    std::fflush(stdout);
    out.push_back({{"faces", r.faces},
                   {"solver_us", r.solver_us},
                   {"iterations", r.iterations},
                   {"us_per_pass", r.per_iteration_us}});
  }
  const Row &first = rows.front(), &last = rows.back();
  const double slope = 1e3 * (last.per_iteration_us - first.per_iteration_us) / (last.faces - first.faces);
  fmt::print("grows as faces^{:.3f}; one more face costs {:.2f} ns per pass\n", exponent(rows), slope);
  return {{"solver", to_string(solver)},
          {"robot", name},
          {"rows", out},
          {"exponent", exponent(rows)},
          {"ns_per_face", slope}};
}

}  // namespace
}  // namespace patchfield::bench

int main(int argc, char** argv) {
  using namespace patchfield;
  try {
    const bool to_file = argc == 3 && std::string(argv[1]) == "--json";
    if (argc != 1 && !to_file) throw InputError("usage: solver_scaling [--json FILE]");
    nlohmann::json all = nlohmann::json::array();
    for (const SolverKind solver : {SolverKind::kTamsi, SolverKind::kSap, SolverKind::kLagged}) {
      all.push_back(bench::run(solver, "free ball, 6 dofs", bench::free_ball));
      all.push_back(bench::run(solver, "robot, 30 dofs", bench::robot));
    }
    if (to_file) std::ofstream(argv[2]) << all.dump(1) << "\n";
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "solver_scaling: {}\n", error.what());
    return 1;
  }
}
