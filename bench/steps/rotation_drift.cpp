// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Energy and angular momentum of bodies that turn freely and of arms that swing, beside MuJoCo's Euler integrator, and
// what a step costs. Tables of docs/step.md.
//
//   build/release/bench/steps/rotation_drift

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "patchfield/sim/body_motion.h"
#include "patchfield/sim/ledger.h"
#include "patchfield/sim/step.h"

namespace patchfield::bench {
namespace {

/// Times the kinetic energy of the start: beyond it a motion is called lost.
constexpr double kLost = 100.0;

struct Drift {
  double highest = 0.0, late = 0.0;  ///< Change of energy: largest, and mean over the last fifth [J].
  double momentum = 0.0;             ///< Largest change of the angular momentum about the centre of mass, relative.
  double start = 0.0;                ///< Kinetic energy [J].
  double microseconds = 0.0;         ///< Per step.
  bool lost = false;
};

Vec3 angular_momentum(Data& data) {
  mj_subtreeVel(data.m(), data.d());
  return vec3(data.d()->subtree_angmom);  // of the world: about the centre of mass of everything
}

Drift measure(const std::string& xml, double dt, double duration, bool ours, const double* v) {
  Data data(Model::parse(xml));
  mjModel m = *data.m();
  m.opt.timestep = dt;
  std::copy(v, v + m.nv, data.d()->qvel);
  Drift out;
  out.start = present_energy(data).kinetic;
  const double total = present_energy(data).total();
  mj_forward(&m, data.d());
  const Vec3 L0 = angular_momentum(data);
  const int n = static_cast<int>(std::lround(duration / dt));
  double seconds = 0.0;
  for (int i = 0; i < n && !out.lost; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    if (ours) step(data, dt);
    else mj_step(&m, data.d());
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double gain = present_energy(data).total() - total;
    out.lost = !(gain < kLost * out.start);
    mj_comVel(&m, data.d());
    out.highest = std::max(out.highest, gain);
    out.momentum = std::max(out.momentum, (angular_momentum(data) - L0).norm() / L0.norm());
    if (i >= n - n / 5) out.late += gain / (n / 5);
  }
  out.microseconds = 1e6 * seconds / n;
  return out;
}

void print(const char* name, const std::string& xml, double duration, bool free, const double* v) {
  for (const double dt : {1e-3, 1e-2})
    for (const bool ours : {false, true}) {
      const Drift d = measure(xml, dt, duration, ours, v);
      const std::string L = free ? fmt::format("{:9.1e}", d.momentum) : fmt::format("{:>9}", "");
      if (d.lost) fmt::print("{:14} {:5g} ms  {:10}  lost\n", name, 1e3 * dt, ours ? "patchfield" : "mujoco");
      else
        fmt::print("{:14} {:5g} ms  {:10}  highest {:9.1e}  late {:9.1e}  momentum {}  {:6.2f} us\n", name, 1e3 * dt,
                   ours ? "patchfield" : "mujoco", d.highest / d.start, d.late / d.start, L, d.microseconds);
    }
}

std::string body(const std::string& inside) {
  return R"(<mujoco><option gravity="0 0 0"><flag contact="disable"/></option><worldbody>)" + inside +
         "</worldbody></mujoco>";
}

std::string arm(bool floating) {
  std::string open, close;
  if (floating) open += R"(<body><freejoint/><geom type="box" size=".1 .08 .05" mass="3"/>)", close += "</body>";
  for (int i = 0; i < 7; ++i) {
    open += fmt::format(R"(<body pos="{}"><joint type="hinge" axis="{}" armature=".01"/>
        <geom type="capsule" fromto="0 0 0 .02 0 .18" size=".04" mass="{}"/>)",
                        i == 0 ? "0 0 0" : ".02 0 .18", i % 2 == 0 ? "0 0 1" : "0 1 0", 2.0 - 0.2 * i);
    close += "</body>";
  }
  return body(open + close);
}

void run() {
  fmt::print("energy above the start, of the kinetic energy at the start; 50 rad/s near the middle axis, 5 s\n");
  const double v[6] = {0, 0, 0, 1.5, 50, 1.0};
  const std::string plate = R"(<geom type="box" size=".05 .075 .001" mass=".1"/>)";
  const std::string offset = R"(<geom type="box" size=".05 .075 .001" pos=".1 0 .05" mass=".1"/>)";
  const std::string brick = R"(<geom type="box" size=".2 .1 .05" mass="2"/>)";
  print("plate", body("<body><freejoint/>" + plate + "</body>"), 5.0, true, v);
  print("brick 4:2:1", body("<body><freejoint/>" + brick + "</body>"), 5.0, true, v);
  print("plate off com", body("<body><freejoint/>" + offset + "</body>"), 5.0, true, v);
  print("ball joint", body(R"(<body><joint type="ball"/>)" + offset + "</body>"), 5.0, false, v + 3);
  fmt::print("arms of seven links, swung at 5 rad/s, 3 s\n");
  const double swing[13] = {0, 0, 0, 0, 0, 0, 4, -5, 6, 5, -4, 3, 6};
  print("arm", arm(false), 3.0, false, swing + 6);
  print("floating arm", arm(true), 3.0, true, swing);
}

}  // namespace
}  // namespace patchfield::bench

int main() { patchfield::bench::run(); }
