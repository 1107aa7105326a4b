// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// URDF → links and joints. A link called "world" is the ground; other roots move freely. Effort limits that are not
// zero, and transmissions, become actuators.

#pragma once

#include "patchfield/io/model_reader.h"

namespace patchfield {

/// Reads the <robot> of the document into the assembly. Throws InputError with file and line.
void read_urdf(XmlDocument& document, const Placement& placement, ReadContext& context);

}  // namespace patchfield
