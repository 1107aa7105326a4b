// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What the step benchmarks share: bring a scene to its steady state, time its steps, look at the physics.
//
// A step is timed where a simulation spends its life: warm, in contact, settled. What carries the bodies and
// how fast they still move stands beside the time, because a step that lost its contact is fast too.

#pragma once

#include <string>
#include <vector>

#include "patchfield/sim/results.h"
#include "patchfield/sim/step.h"

namespace patchfield::bench {

/// CPU time of this process [s].
double cpu_seconds();

/// A force on one body that swings with time, so that a solver has something to do at each step.
struct Shaking {
  int body = -1;                ///< MuJoCo's body; −1: nothing is shaken.
  Vec3 force_W = Vec3::Zero();  ///< Amplitude [N].
  double frequency = 5.0;       ///< [Hz]
};

struct Timing {
  double us = 0.0;       ///< CPU time per step.
  StageTimes stages_us;  ///< Median wall time of each stage [µs, not s].
  long steps = 0;
  double iterations = 0.0;   ///< Newton iterations per step, mean.
  double line_search = 0.0;  ///< Evaluations per step, mean.
  int unconverged = 0;       ///< Steps whose solver did not converge.
  StepReport last;
};

/// Steps for `duration` [s] of simulated time.
void settle(Data& data, double dt, double duration, const Shaking& shaking = {});

/// A timed run is this many steps long and then starts again from the same state: a ball balancing on a vertex of
/// its mesh would otherwise leave it in the course of a long measurement, and another scene would be timed.
inline constexpr int kRepeat = 500;

/// Steps until `min_cpu_s` of CPU time are spent, at least 100 times.
Timing time_steps(Data& data, double dt, double min_cpu_s, const Shaking& shaking = {});

/// Largest generalised velocity [m/s, rad/s].
double max_speed(const Data& data);

/// Force that the named geoms get from all others, by patches, in the last step [N].
Vec3 force_on(const Data& data, const std::vector<std::string>& geoms);

}  // namespace patchfield::bench
