// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The MJCF texts that give geoms a material, shared by the scenes.

#pragma once

#include <string>
#include <string_view>

#include "scenes/scenes.h"

namespace patchfield::scenes {

/// The text that makes a geom compliant. A cube is meshed without a resolution (`round` = false).
std::string compliant(std::string_view geom, const Material& m, bool round);

/// A rigid side with the same friction, so that the pair has that friction, and no dissipation of its own.
std::string rigid(std::string_view geom, const Material& m);

}  // namespace patchfield::scenes
