// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/solver/methods.h"

namespace patchfield {

SolverStatus solve_tamsi(Island& island, const SolverOptions& options, IslandImpulses&, IslandOutcome& outcome) {
  return solve_lagged(island, options, outcome);
}

}  // namespace patchfield
