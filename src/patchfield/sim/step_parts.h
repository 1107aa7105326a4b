// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The parts of a step, for step() and for error control, which takes some of them more than once.

#pragma once

#include <chrono>

#include "patchfield/sim/step.h"

namespace patchfield {

/// Seconds since the last call.
class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// step.cpp
/// Kinematics, inertia and contact surfaces for a step of data.dt. If data.parts > 1 and data.may_split, the bodies are
/// too fast for it, and there are no patches.
void find_contacts(Data& data, StageTimes& times);
/// Forces of the start of the step. `control`: call MuJoCo's control callback.
void find_forces(Data& data, bool control, StageTimes& times);
/// The problem of a step of data.dt, and its solution.
void solve_step(Data& data, StageTimes& times);
/// The solution → mjData, advanced by data.dt.
void finish_step(Data& data, bool sensors, StageTimes& times);
/// Counts of the step just solved.
StepReport describe_step(const Data& data);

// error_control.cpp
/// An interval with error control: SimOptions::accuracy > 0.
StepReport controlled_step(Data& data, double interval);

// extrapolation.cpp
/// Moves the state at the end of two half steps on by its distance from that of the whole step, which is in
/// data.error_control (change, v_whole). The problem and the solution are those of the second half.
void extrapolate(Data& data);

// unforeseen.cpp
struct Overlap {
  double depth = 0.0;  ///< Beyond what the step foresaw [m].
  double speed = 0.0;  ///< Approach of the bodies there [m/s] > 0.
};
/// The largest overlap at the end of the step just solved that its problem did not foresee. Pairs that cannot have
/// approached by more than `tolerance` [m] are left out.
Overlap unforeseen_overlap(Data& data, double tolerance);

}  // namespace patchfield
