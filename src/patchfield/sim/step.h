// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// One step of a simulation, in place of mj_step:  q, v, inputs  →  q, v, forces, patches.

#pragma once

#include "patchfield/sim/data.h"

namespace patchfield {

/// Wall-clock time of the stages [s].
struct StageTimes {
  double dynamics = 0.0;  ///< MuJoCo's functions, inertia, free motion.
  double geometry = 0.0;  ///< Broad phase, contact surfaces, points.
  double assembly = 0.0;  ///< Patches and rows of the problem.
  double solver = 0.0;
  double output = 0.0;  ///< Sensors, integration.
  double total() const { return dynamics + geometry + assembly + solver + output; }
};

/// What happened in the step. Trouble is here, not in exceptions.
struct StepReport {
  int patches = 0;         ///< With at least one point.
  int faces = 0;           ///< That press.
  int waiting_faces = 0;   ///< In the skirt of a margin: they may push within the step.
  int points = 0;          ///< Of patches and MuJoCo's contacts.
  int point_contacts = 0;  ///< Of MuJoCo.
  int rows = 0;
  int dropped_faces = 0;  ///< By geometry or contact: too small, softening, …
  int grazing_faces = 0;
  int look_ahead_pairs = 0;  ///< Pairs that approach faster than their fields resolve: faces wait ahead of them.
  int split_steps = 0;       ///< Number of solves beyond the first that the step was split into.
  int repeated_solves = 0;   ///< Solves done again because a body was thrown at another within the step.
  int rescued_pairs = 0;     ///< Pairs that overlapped beyond what their fields carry and were pushed apart.
  SolverReport solver = {};
  StageTimes times = {};

  // With SimOptions::accuracy; the counts above are those of the last step of the interval.
  int steps = 1;               ///< Steps taken in the interval.
  int rejected_steps = 0;      ///< Steps repeated with a shorter δt, because their error was too large.
  int steps_at_minimum = 0;    ///< Steps of SimOptions::min_step accepted with a larger error than asked for.
  double smallest_step = 0.0;  ///< Shortest of the steps taken [s].
  double largest_error = 0.0;  ///< Largest estimated error of the steps taken [m].
};

/// Advances by dt [s]. [PFC eq:scheme_momentum … eq:scheme_q_update]
/// Throws InputError, leaving the state untouched, if dt or the state cannot be used.
StepReport step(Data& data, double dt);

/// With the model's own time step.
StepReport step(Data& data);

}  // namespace patchfield
