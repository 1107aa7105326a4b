// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// MuJoCo's own handlers write MUJOCO_LOG.TXT into the current folder; ours tell the person who is there.

#pragma once

#include <string>
#include <vector>

namespace patchfield::cli {

/// From here on warnings are collected, and an error, after which MuJoCo must not be returned to, ends the program.
void catch_mujoco_messages();

/// The warnings since the last call, each once.
std::vector<std::string> take_mujoco_warnings();

}  // namespace patchfield::cli
