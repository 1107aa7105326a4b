// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Plays a Sequence on a simulation: before each step, motor commands from the state and the last step's contact forces.
//
//   SequencePlayer player(sequence, data.model);
//   player.reset(data);                       // to the sequence's keyframe
//   while (!player.finished()) {
//     player.before_step(data, dt);           // writes data.d()->ctrl
//     step(data, dt);
//   }
//   for (const SequenceEvent& event : player.events()) …
//
//   path at the end of the step ─► inverse kinematics ─► q*, q̇*, q̈* ─► joint tracking ─► ctrl of the arm
//   grip command ─► gripper ─► ctrl of the fingers          contact forces of the last step ─► guard ─► next phase
//
// Commands are continuous over the ends of phases in pose, velocity and acceleration, also where a guard cut a motion
// short. A function of the state and of what was played before, so the same bits each time. Warm steps allocate
// nothing.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "patchfield/control/inverse_kinematics.h"
#include "patchfield/control/sequence.h"

namespace patchfield {

enum class PhaseEnd : std::uint8_t {
  kTime,     ///< Its duration was over.
  kGuard,    ///< Its guard ended it.
  kTimeout,  ///< Its guard did not pass within the time-out.
};

const char* to_string(PhaseEnd end);

/// One phase that was played.
struct SequenceEvent {
  int phase = 0;
  double begin = 0.0;  ///< Simulated time at which the phase began [s].
  double end = 0.0;    ///< Simulated time at which the phase ended [s]; below `begin` while it runs.
  PhaseEnd ended_by = PhaseEnd::kTime;
  double guard_value = 0.0;     ///< Force [N] or torque [N·m] that the guard compared with its threshold last.
  double tip_error = 0.0;       ///< Largest position error that inverse kinematics left [m]: out of reach.
  double tip_angle = 0.0;       ///< Largest orientation error that inverse kinematics left [rad].
  double tracking_error = 0.0;  ///< Largest difference of a joint from its command [rad or m].
  int saturated = 0;            ///< Number of steps with a motor at its limit.
};

class SequencePlayer {
 public:
  /// Throws InputError, with the place in the file, for names that the model does not have, numbers out of range, and
  /// keyframes that the arm does not reach: by number and name, with the distance that is left.
  SequencePlayer(const Sequence& sequence, const Model& model);
  ~SequencePlayer();
  SequencePlayer(SequencePlayer&&) noexcept;
  SequencePlayer& operator=(SequencePlayer&&) noexcept;

  /// To the start of the sequence, with `data` at its keyframe. Change the state of other bodies after this.
  void reset(Data& data);
  /// The same from the present state of `d`.
  void restart(const mjData* d);

  /// Writes ctrl for the next step, of length dt [s], from the contact forces of the last one. After the last
  /// phase it holds the pose and the grip.
  void before_step(Data& data, double dt);
  /// The same for a step by mj_step(): forces are those of MuJoCo's own contacts.
  void before_step(mjData* d, double dt);

  bool finished() const;
  int start_keyframe() const;          ///< Index of the sequence's keyframe in the model, or −1.
  int phase() const;                   ///< Index of the running phase; the number of phases after the last.
  double grip() const;                 ///< Commanded closing force per finger [N].
  const FrameMotion& command() const;  ///< Of the tip at the end of the next step.
  const Sequence& sequence() const;
  const std::vector<SequenceEvent>& events() const;  ///< One per phase begun, in order.

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// "  1.50 s  close: ended by guard at 5.2 after 0.31 s", one line per event.
std::string describe(const Sequence& sequence, const SequenceEvent& event);

}  // namespace patchfield
