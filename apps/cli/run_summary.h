// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What a run says at its end, for people and as JSON: the same numbers.

#pragma once

#include <string>
#include <vector>

#include "run_loop.h"
#include "run_options.h"

namespace patchfield::cli {

/// Text of several lines. docs/cli.md explains each.
std::string summary_text(const RunOptions& options, const Data& data, double time_step, const RunStats& stats,
                         const SequencePlayer* player = nullptr);

/// One object; `warnings` are those of the model and the run.
std::string summary_json(const RunOptions& options, const Data& data, double time_step, const RunStats& stats,
                         const std::vector<std::string>& warnings, const SequencePlayer* player = nullptr);

/// What the run should not keep to itself: steps without convergence, faces that stayed large, the end before the end.
std::vector<std::string> run_warnings(const RunOptions& options, const RunStats& stats);

}  // namespace patchfield::cli
