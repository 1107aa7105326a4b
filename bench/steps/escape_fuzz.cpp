// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Random bodies thrown about in closed boxes: does any get out, is anything not finite? Six walls of 5 cm around half a
// meter, rigid or compliant, one to four bodies of any shape down to 0.5 mm, up to 100 m/s, δt up to 10 ms.
//
//   build/release/bench/steps/escape_fuzz [seconds] [first seed] [largest speed]

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/sim/step.h"

namespace patchfield::bench {
namespace {

constexpr double kHalf = 0.25, kWall = 0.05;

struct Random {
  std::mt19937_64 engine;
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); }
  double log_uniform(double a, double b) { return std::exp(uniform(std::log(a), std::log(b))); }
  int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }
};

std::string random_geom(Random& r, bool compliant, int i) {
  constexpr const char* kTypes[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};
  const int type = r.below(5);
  const double a = r.log_uniform(5e-3, 5e-2), b = r.log_uniform(5e-4, 3e-2), c = r.log_uniform(5e-3, 5e-2);
  std::string size = fmt::format("{} {} {}", a, c, b);
  if (type == 0) size = fmt::format("{}", a);
  if (type == 1 || type == 3) size = fmt::format("{} {}", a, b);
  return fmt::format(R"(<geom name="b{}" type="{}" size="{}" density="{}"/>)", i, kTypes[type], size,
                     compliant ? 1000.0 : 3000.0);
}

std::string wall(int axis, int side) {
  double pos[3] = {0, 0, 0}, size[3];
  for (double& s : size) s = kHalf + 2.0 * kWall;
  pos[axis] = side * (kHalf + kWall), size[axis] = kWall;
  return fmt::format(R"(<geom name="w{}{}" type="box" pos="{} {} {}" size="{} {} {}"/>)", axis, side > 0 ? 1 : 0,
                     pos[0], pos[1], pos[2], size[0], size[1], size[2]);
}

struct Scene {
  std::string xml, what;
  double dt, speed;
  SolverKind solver;
  int bodies;
};

Scene random_scene(unsigned seed, double largest_speed) {
  Random r{std::mt19937_64(seed)};
  Scene s;
  s.dt = r.log_uniform(1e-3, 1e-2), s.speed = r.log_uniform(0.5, largest_speed);
  s.solver = static_cast<SolverKind>(r.below(3));
  s.bodies = 1 + r.below(4);
  const bool soft_walls = r.below(2) == 0;
  std::string world, texts;
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {-1, 1}) {
      world += wall(axis, side);
      if (soft_walls)
        texts += fmt::format(R"(<text name="patchfield:w{}{}" data="compliant modulus=1e8"/>)", axis, side > 0 ? 1 : 0);
    }
  for (int i = 0; i < s.bodies; ++i) {
    const bool compliant = !soft_walls || r.below(2) == 0;
    world += fmt::format(R"(<body pos="{} {} {}" euler="{} {} {}"><freejoint/>{}</body>)", -0.15 + 0.1 * i,
                         r.uniform(-.1, .1), r.uniform(-.1, .1), r.uniform(0, 180), r.uniform(0, 180),
                         r.uniform(0, 180), random_geom(r, compliant, i));
    if (compliant)
      texts += fmt::format(R"(<text name="patchfield:b{}" data="compliant modulus={}"/>)", i, r.log_uniform(1e6, 1e9));
  }
  s.xml = "<mujoco><worldbody>" + world + "</worldbody><custom>" + texts + "</custom></mujoco>";
  s.what = fmt::format("seed {}: {} bodies, {} walls, {:.3g} m/s, {:.2g} ms, {}", seed, s.bodies,
                       soft_walls ? "soft" : "rigid", s.speed, 1e3 * s.dt, to_string(s.solver));
  return s;
}

/// "", "escaped" or "not finite".
std::string run(const Scene& s, unsigned seed, StepReport& sum) {
  SimOptions options;
  options.solver.kind = s.solver;
  Data data(Model::parse(s.xml), options);
  Random r{std::mt19937_64(seed + 1000003u)};
  for (int i = 0; i < s.bodies; ++i)
    for (int k = 0; k < 6; ++k) data.d()->qvel[6 * i + k] = r.uniform(-1, 1) * (k < 3 ? s.speed : 2.0 * s.speed);
  for (int n = 0; n < static_cast<int>(0.3 / s.dt); ++n) {
    try {
      const StepReport report = step(data, s.dt);
      sum.look_ahead_pairs += report.look_ahead_pairs, sum.split_steps += report.split_steps;
      sum.rescued_pairs += report.rescued_pairs, sum.repeated_solves += report.repeated_solves;
    } catch (const InputError&) {
      return "not finite";
    }
    for (int i = 0; i < s.bodies; ++i)
      for (int k = 0; k < 3; ++k)
        if (!(std::abs(data.d()->qpos[7 * i + k]) < kHalf + kWall)) return fmt::format("escaped after {} steps", n + 1);
  }
  return "";
}

}  // namespace
}  // namespace patchfield::bench

int main(int argc, char** argv) {
  using namespace patchfield::bench;
  const double seconds = argc > 1 ? std::atof(argv[1]) : 60.0;
  const auto first = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1u;
  const double speed = argc > 3 ? std::atof(argv[3]) : 100.0;
  const auto begin = std::chrono::steady_clock::now();
  patchfield::StepReport sum;
  int runs = 0, bad = 0;
  for (unsigned seed = first; std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < seconds;
       ++seed) {
    const Scene scene = random_scene(seed, speed);
    const std::string trouble = run(scene, seed, sum);
    ++runs;
    if (trouble.empty()) continue;
    ++bad;
    fmt::print("{}: {}\n", scene.what, trouble);
  }
  fmt::print(
      "{} scenes, {} with a body that got out or is not finite; {} look-ahead pairs, {} split, {} repeated, {} "
      "rescued\n",
      runs, bad, sum.look_ahead_pairs, sum.split_steps, sum.repeated_solves, sum.rescued_pairs);
  return bad == 0 ? 0 : 1;
}
