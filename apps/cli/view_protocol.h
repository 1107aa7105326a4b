// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Texts of the live stream: commands from a browser, status to it. apps/viewer/src/live.ts has the other end.
//
//   {"type": "reset", "keyframe": 0}       the keyframe may be left out; −1 is the model's initial state
//   {"type": "pause" | "resume" | "step" | "reset" | "release"}
//   {"type": "pull", "body": 3, "point": [x, y, z] in its frame, "target": [x, y, z] in the world}

#pragma once

#include <optional>
#include <string>

#include "view_simulation.h"

namespace patchfield::cli {

enum class CommandKind { kPause, kResume, kStep, kReset, kPull, kRelease };

struct LiveCommand {
  CommandKind kind = CommandKind::kPause;
  PullSpring spring = {};       ///< Of kPull.
  std::optional<int> keyframe;  ///< Of kReset; none: the one it started from.
};

/// Nothing if the text is no command; whatever comes from the network, this does not throw.
std::optional<LiveCommand> parse_command(const std::string& text);

std::string status_json(const LiveStatus& status, int clients);

}  // namespace patchfield::cli
