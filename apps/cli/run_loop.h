// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Steps a simulation to its end, to Ctrl-C or to a state that is not finite, and counts what happens on the way.

#pragma once

#include <array>
#include <string>
#include <vector>

#include "patchfield/control/sequence_player.h"
#include "patchfield/io/recording.h"
#include "patchfield/io/step_log.h"
#include "patchfield/sim/ledger.h"
#include "patchfield/sim/step.h"
#include "progress.h"

namespace patchfield::cli {

enum class RunEnd { kDone, kInterrupted, kDiverged };

const char* to_string(RunEnd end);

/// Sum and largest of a count per step.
struct Tally {
  long sum = 0;
  int max = 0;
  void add(int x) { sum += x, max = x > max ? x : max; }
  double mean(long n) const { return n > 0 ? static_cast<double>(sum) / static_cast<double>(n) : 0.0; }
};

struct RunStats {
  RunEnd end = RunEnd::kDone;
  int signal = 0;            ///< That interrupted the run.
  long steps = 0;            ///< With a good result.
  double simulated = 0.0;    ///< [s]
  double wall = 0.0;         ///< All of the loop, log and recording included [s].
  double cpu = 0.0;          ///< Of it, CPU time of the simulating thread: other programs disturb it less [s].
  double log_time = 0.0;     ///< Of it, for the log [s].
  double record_time = 0.0;  ///< Of it, for the recording [s].
  StageTimes times;          ///< Of it, within steps [s].
  Tally faces, waiting_faces, patches, points, point_contacts, rows, iterations;
  long dropped_faces = 0, grazing_faces = 0;
  long look_ahead_pairs = 0, split_steps = 0, repeated_solves = 0, rescued_pairs = 0;
  long oversized_faces = 0;  ///< Longer than --max-face-size even after the most halvings.
  long substeps = 0, fallbacks = 0;
  Tally inner_steps;                              ///< Of error control: steps per time step.
  long rejected_steps = 0, at_minimum = 0;        ///< Of error control.
  double shortest_step = 0.0, worst_error = 0.0;  ///< Of error control [s, m].
  std::array<long, static_cast<std::size_t>(SolverStatus::kBadInput) + 1> statuses = {};  ///< Steps by SolverStatus.
  double worst_residual = 0.0;                                                            ///< Of the unconverged steps.
  Energy start, final;
  double max_speed = 0.0;  ///< Largest |q̇| of the final state [m/s or rad/s].
  std::string bad_value;   ///< What was not finite, after RunEnd::kDiverged.

  long unconverged() const;
};

/// Who wants to know about every step; any may be null. They are fed, not finished.
struct RunSinks {
  StepLog* log = nullptr;
  Recorder* recorder = nullptr;
  SequencePlayer* player = nullptr;  ///< Writes ctrl before each step.
  bool stop_with_player = false;     ///< The run ends when it has finished.
};

/// Takes `steps` steps of dt, or fewer if the sinks say so.
RunStats run_steps(Data& data, double dt, long steps, const RunSinks& sinks, Progress& progress);

/// From here on Ctrl-C and SIGTERM only ask run_steps() to stop, so that what was computed can be written. The third
/// one ends the program at once.
void catch_interrupts();

/// The signal that asked to stop, or 0.
int interrupted_by();

}  // namespace patchfield::cli
