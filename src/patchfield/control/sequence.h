// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A manipulation task as data: phases with poses of an arm's tip, a grip force, and a guard that may end them early.
//
//   phase    reach ───────► close ─────► lift ───► …
//   ends by  time           guard        time            a guarded phase that outlasts its time-out is reported
//
// io/sequence_file.h reads it from YAML (docs/sequences.md has the format); control/sequence_player.h plays it.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "patchfield/control/grip.h"
#include "patchfield/core/types.h"

namespace patchfield {

/// A pose of the tip, given in one of several ways.
struct TipPose {
  enum class Kind : std::uint8_t {
    kWorld,          ///< In the world frame.
    kFrame,          ///< In the frame of a site, where that is when the phase begins.
    kRelativeWorld,  ///< From the pose before: shifted and turned about the world's axes.
    kRelativeTip,    ///< From the pose before: shifted and turned about the tip's own axes.
  };
  Kind kind = Kind::kWorld;
  Vec3 p = Vec3::Zero();                 ///< Position or shift [m].
  std::optional<Mat3> R = std::nullopt;  ///< Orientation or turn; none: keeps the orientation of the pose before.
  std::string frame = {};                ///< Site of kFrame.
  double at = 0.0;                       ///< From the start of the phase [s].
};

/// Closing force per finger at the end of a phase; it grows linearly from that of the phase before.
struct GripTarget {
  double force = 0.0;                     ///< [N]; negative opens.
  std::vector<std::string> patches = {};  ///< If given, the measured normal force of these is made equal to it.
};

struct Phase {
  std::string name;
  double duration = 0.0;      ///< Of its motion [s] > 0.
  std::vector<TipPose> path;  ///< Keyframes, the last at `duration`; empty: the tip stays.
  std::optional<GripTarget> grip = std::nullopt;
  std::optional<GuardSettings> until = std::nullopt;
  double timeout = 0.0;    ///< Of a guarded phase [s] ≥ duration.
  std::string place = {};  ///< "pancake.yaml:12", for errors.
};

struct Sequence {
  std::string tip;                  ///< Site that poses refer to.
  std::vector<std::string> joints;  ///< Of the arm; empty: all joints with motors between the tip and the world.
  GripperSettings gripper;
  std::string start;  ///< Keyframe of the model; empty: its initial state.
  TrackingOptions tracking;
  std::vector<Phase> phases;
  std::string place;  ///< File, for errors.

  /// With all phases at their full duration [s]; time-outs and guards change it.
  double duration() const {
    double sum = 0.0;
    for (const Phase& phase : phases) sum += phase.duration;
    return sum;
  }
  /// Time after which every phase has ended, whatever its guard does [s].
  double longest_duration() const {
    double sum = 0.0;
    for (const Phase& phase : phases) sum += phase.until ? phase.timeout : phase.duration;
    return sum;
  }
};

}  // namespace patchfield
