// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Error control against runs of fixed, much finer steps: how far positions are off, and how many steps it took.
//
//   build/release/bench/steps/accuracy [SCENE …] [--csv]
//
// The error is the largest over all output times of max |δq|·length (m; angles by mjModel.dof_length), against a run
// with fixed steps of the interval/100, of the same solver.

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "bench/steps/step_timing.h"
#include "scenes/scenes.h"

namespace patchfield::bench {
namespace {

struct Case {
  const char* name;
  const char* scene;
  int keyframe;
  double duration, interval;  ///< [s]
};

constexpr Case kCases[] = {
    {"box_on_plane", "box_on_plane", -1, 1.0, 0.02}, {"stack", "stack", -1, 1.0, 0.02},
    {"spatula", "spatula", 0, 1.0, 0.02},            {"coin", "coin", 0, 0.5, 0.02},
    {"clutter", "clutter", -1, 0.3, 0.02},           {"thrown", "thrown", -1, 1.0, 0.02},
    {"chain", "chain", -1, 1.0, 0.02},               {"bubbles", "bubbles", -1, 1.0, 0.02}};

using Trajectory = std::vector<std::vector<double>>;

void start(Data& data, const Case& c) {
  data.reset(c.keyframe);
  if (std::strcmp(c.name, "thrown") != 0) return;
  const double v[6] = {1.0, 0.3, 1.0, 3.0, 5.0, 2.0};
  std::copy(v, v + 6, data.d()->qvel);
  data.d()->qpos[2] += 0.2;
}

struct Run {
  Trajectory states;
  long steps = 0, rejected = 0, at_minimum = 0;
  double cpu = 0.0, angle = 0.0;
};

Run run(const Model& model, const SimOptions& options, const Case& c, int cuts) {
  Data data(model, options);
  start(data, c);
  Run out;
  const long n = std::lround(c.duration / c.interval);
  const double begin = cpu_seconds();
  for (long i = 0; i < n; ++i) {
    for (int k = 0; k < cuts; ++k) {
      const StepReport r = step(data, c.interval / cuts);
      out.steps += r.steps, out.rejected += r.rejected_steps, out.at_minimum += r.steps_at_minimum;
    }
    out.states.emplace_back(data.d()->qpos, data.d()->qpos + data.m()->nq);
  }
  out.cpu = cpu_seconds() - begin;
  return out;
}

double error(const mjModel* m, const Trajectory& a, const Trajectory& b, double& angle) {
  std::vector<double> dq(static_cast<std::size_t>(m->nv));
  double worst = 0.0;
  angle = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    mj_differentiatePos(m, dq.data(), 1.0, b[i].data(), a[i].data());
    for (int k = 0; k < m->nv; ++k) {
      worst = std::max(worst, m->dof_length[k] * std::abs(dq[static_cast<std::size_t>(k)]));
      angle = std::max(angle, std::abs(dq[static_cast<std::size_t>(k)]));
    }
  }
  return worst;
}

}  // namespace
}  // namespace patchfield::bench

int main(int argc, char** argv) {
  using namespace patchfield;
  using namespace patchfield::bench;
  for (const Case& c : kCases) {
    bool wanted = argc < 2;
    for (int i = 1; i < argc; ++i) wanted |= std::strcmp(argv[i], c.name) == 0;
    if (!wanted) continue;
    const Model model = Model::parse(std::strcmp(c.name, "thrown") == 0 ? scenes::box_on_plane() : scenes::by_name(c.scene));
    const Run reference = run(model, {}, c, getenv("REF")?atoi(getenv("REF")):100);
    std::printf("%s: interval %g s, %g s; reference %.2f s CPU; lengths", c.name, c.interval, c.duration, reference.cpu);
    for (int i = 0; i < std::min<int>(8, static_cast<int>(model.mujoco()->nv)); ++i) std::printf(" %.3g", model.mujoco()->dof_length[i]);
    double angle = 0.0;
    for (const int cuts : {1, 10}) {
      const Run fixed = run(model, {}, c, cuts);
      const double e = error(model.mujoco(), fixed.states, reference.states, angle);
      std::printf("\n  fixed %6d: error %.2e  (raw %.2e), %ld steps, %.3f s", cuts, e, angle, fixed.steps, fixed.cpu);
    }
    for (const double accuracy : {1e-2, 1e-3, 1e-4, 1e-5}) {
      if (getenv("ACC") && std::abs(std::log(atof(getenv("ACC"))/accuracy))>.1) continue;
      SimOptions options;
      options.accuracy = accuracy;
      const Run r = run(model, options, c, 1);
      const double e = error(model.mujoco(), r.states, reference.states, angle);
      std::printf("\n  acc %.0e: error %.2e  (raw %.2e), %ld steps, %ld rejected, %ld at min, %.3f s", accuracy, e, angle, r.steps, r.rejected,
                  r.at_minimum, r.cpu);
      std::fflush(stdout);
    }
    std::printf("\n");
  }
  return 0;
}
