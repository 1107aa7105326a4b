// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Collision filter groups of SDF, URDF and directives → pairs of links that do not collide.

#pragma once

#include <string>
#include <vector>

#include "patchfield/io/assembly.h"

namespace patchfield {

/// All names are scoped already.
struct FilterGroup {
  std::string name;
  Place place;
  std::vector<std::string> links;          ///< Members.
  std::vector<std::string> member_groups;  ///< Whose members are members.
  std::vector<std::string> ignored;        ///< Groups that the members do not collide with; may be its own.
};

/// Appends to assembly.filtered. Throws InputError for a link or group that is not there.
void apply_filter_groups(const std::vector<FilterGroup>& groups, Assembly& assembly);

}  // namespace patchfield
