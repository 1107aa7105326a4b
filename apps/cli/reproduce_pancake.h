// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The paper's pancake flip: one run of the task, and whether it succeeded, by numbers.
//
//   scene:pancake + models/pancake.yaml ─► SequencePlayer, step() ─► faces over time, times, events ─► PancakeOutcome
//
// Success: the pancake is turned by 180° ± 15°, lies on the stove within its rim, is slower than 1 mm/s for the last
// half second, and the spatula slipped in the grip by less than 10 mm and 10°.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "patchfield/control/sequence_player.h"
#include "patchfield/sim/step.h"
#include "scenes/scenes.h"

namespace patchfield::cli {

/// Who finds and solves contacts.
enum class PancakeEngine {
  kPatches,  ///< step()
  kPoints,   ///< mj_step(): MuJoCo's own contacts, no patches.
};

struct PancakeSetup {
  SolverKind solver = SolverKind::kLagged;
  Tessellation tessellation = Tessellation::kPolygon;
  double dt = 2e-3;         ///< [s]
  double refinement = 1.0;  ///< Of the meshes.
  Quadrature quadrature = SimOptions{}.quadrature;
  PressureRate pressure_rate = SimOptions{}.pressure_rate;
  PancakeEngine engine = PancakeEngine::kPatches;
  scenes::PancakeOptions scene = {};  ///< Its refinement is not read.
  double gains = 1.0;                 ///< Multiplies stiffness and damping of the arm's control.
};

/// Bounds of success.
inline constexpr double kTurnWanted = 180.0, kTurnTolerance = 15.0;  // [°]
inline constexpr double kRestSpeed = 1e-3, kRestTime = 0.5;          // [m/s, s]
inline constexpr double kSlipDistance = 10e-3, kSlipAngle = 10.0;    // [m, °]

struct PancakeOutcome {
  double turn = 0.0;         ///< Angle between the pancake's axis at the start and at the end [°].
  double offset = 0.0;       ///< Of its center from that of the stove, horizontally [m].
  double room = 0.0;         ///< From its edge to the rim of the stove [m]; negative beyond it.
  double height = 0.0;       ///< Of its center above the stove [m].
  double speed = 0.0;        ///< Of its fastest point in the last half second [m/s].
  double slip = 0.0;         ///< Largest shift of the spatula in the grip since it was grasped [m].
  double slip_angle = 0.0;   ///< Largest turn of the spatula in the grip since then [°].
  double blade_depth = 0.0;  ///< Deepest point of the blade below the top of the stove [m].
  int timeouts = 0;          ///< Phases whose guard did not pass in time.
  bool diverged = false;

  bool success() const;
  std::string reason() const;  ///< "turned by 12°, not 180°"; empty after a success.
};

/// Mean time per step of the stages [s]. Each step's is cut to twice the median of its neighbors: other programs
/// interrupt some.
struct PancakeTimes {
  double geometry = 0.0, solver = 0.0, total = 0.0;
};

struct PancakeRun {
  PancakeSetup setup;
  PancakeOutcome outcome;
  std::vector<SequenceEvent> events;
  std::vector<std::string> phases;  ///< Their names.
  std::vector<double> time, faces;  ///< Mean of every 20 ms [s].
  PancakeTimes times;
  double mean_faces = 0.0;        ///< That press.
  double mean_constraints = 0.0;  ///< Points of the solver, waiting ones included.
  double duration = 0.0;          ///< Simulated [s].
  double cpu = 0.0, wall = 0.0;   ///< Of control and steps [s].
  long steps = 0, unconverged = 0;
  std::uint64_t recording_bytes = 0;

  double real_time_factor() const { return wall > 0.0 ? duration / wall : 0.0; }
  double cpu_real_time_factor() const { return cpu > 0.0 ? duration / cpu : 0.0; }
};

/// The sequence of models/pancake.yaml, part of the program.
Sequence pancake_sequence();

/// Plays the task; if `recording` is not empty, writes it there (.pfr or .html).
PancakeRun run_pancake(const PancakeSetup& setup, const Sequence& sequence,
                       const std::filesystem::path& recording = {});

/// "lagged, 2 ms, polygon, refinement 1"
std::string name_of(const PancakeSetup& setup);

}  // namespace patchfield::cli
