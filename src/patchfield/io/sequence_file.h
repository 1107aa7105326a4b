// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A YAML file → a Sequence (control/sequence.h). docs/sequences.md has the format.
//
//   tip: tool
//   fingers: {left: 1, right: -1}
//   phases:
//     - {name: reach, pose: {pos: [.3, .1, .4], rpy: [0, 90, 0]}, duration: 1.5}
//     - {name: close, duration: .5, grip: 15, until: {patches: [left_bubble/handle], force: 5}, timeout: 2}
//
// Names of the model (sites, geoms, …) are checked by whoever plays the sequence; everything else is checked here.

#pragma once

#include <string>

#include "patchfield/control/sequence.h"

namespace patchfield {

/// Throws InputError with file and line for what is no YAML, unknown keys (with the nearest known one), missing keys
/// and numbers out of range.
Sequence read_sequence(const std::string& path);

/// The text of such a file; `name` stands for its path in messages.
Sequence read_sequence_text(const std::string& text, const std::string& name);

}  // namespace patchfield
