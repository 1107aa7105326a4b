// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What an MJCF says that a step of ours does not follow → one warning that lists it.

#pragma once

#include <functional>
#include <string>

#include <mujoco/mujoco.h>

#include "patchfield/model/pair_table.h"

namespace patchfield {

/// Attributes of the model with another value than MuJoCo's default and without effect here, as one sentence; empty if
/// there are none. `name` gives a geom's name, `compliant` tells whether it has a pressure field.
std::string unheard_attributes(const mjModel* m, const PairTable& pairs, const std::function<std::string(int)>& name,
                               const std::function<bool(int)>& compliant);

}  // namespace patchfield
