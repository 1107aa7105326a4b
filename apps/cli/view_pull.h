// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A hand on a body: a critically damped spring between a point C of the body and a target T.
//
//   f = m_C·(ω²(p_WT − p_WC) − 2ω·v_WC),   m_C = 1/body_invweight0, MuJoCo's inertia of the body as its joints let it
//   move
//
// so that every body, light or heavy, follows the pointer in the same time 1/ω.

#pragma once

#include <optional>

#include "view_simulation.h"

namespace patchfield::cli {

/// Writes the force into xfrc_applied of the body, and zeros into all others. A mocap body goes where it is pulled to.
/// Ignores a body that does not exist or cannot move. `time_step` bounds ω, since the force is explicit.
void apply_pull(Data& data, const std::optional<PullSpring>& spring, double time_step);

}  // namespace patchfield::cli
