// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Many simulations of one model, each from its own state with its own controls:
//
//   states₀ (N × S), controls (N × T × U)  →  states (N × T × S), sensordata (N × T × D)
//
// A state is MuJoCo's full physics state (mj_getState with mjSTATE_FULLPHYSICS): time, q, v, activations, … . Rows are
// independent, each on one thread: the same bits for any number of threads, and as from a loop of step().

#pragma once

#include <functional>
#include <span>

#include "patchfield/sim/data.h"

namespace patchfield {

/// Row-major arrays of the caller's.
struct RolloutArrays {
  int num_rollouts = 0;              ///< N
  int num_steps = 0;                 ///< T
  std::span<const double> initial;   ///< N × S
  std::span<const double> controls;  ///< N × T × U, or empty: the model's initial controls.
  std::span<double> states;          ///< N × T × S, after each step.
  std::span<double> sensordata;      ///< N × T × D, or empty.
};

struct RolloutOptions {
  double time_step = 0.0;  ///< [s]; 0: the model's own.
  int threads = 1;
  /// Asked between steps on the calling thread, and while that waits for the others; true ends the rollout early.
  std::function<bool()> stop = {};
  /// Called before each step with the number of the rollout, its data and δt [s], on the thread that runs it: feedback
  /// control. It must only touch what belongs to that rollout. Controls of the arrays are written before it.
  std::function<void(int rollout, Data& data, double dt)> before_step = {};
};

struct RolloutReport {
  int diverged = 0;      ///< Rollouts whose state stopped being finite: NaN from there on.
  long unconverged = 0;  ///< Steps whose solver did not converge.
  bool stopped = false;
};

/// Size S of a state.
int rollout_state_size(const Model& model);

/// Throws InputError if sizes do not fit, or if a state or control is not finite.
RolloutReport rollout(const Model& model, const SimOptions& sim, const RolloutOptions& options,
                      const RolloutArrays& arrays);

}  // namespace patchfield
