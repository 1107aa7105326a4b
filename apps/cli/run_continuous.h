// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// patchfield run --integrator cvode: the continuous model with error control instead of steps.

#pragma once

#include "run_options.h"

namespace patchfield::cli {

/// Simulates, prints the summary, writes the log of states. Returns the exit code.
int run_continuous(const RunOptions& options, const Model& model);

}  // namespace patchfield::cli
