// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// SDF 1.5 … 1.11 → links and joints: models, worlds, nested models, includes.
//
// Names of a file with one model stay as they are; in a world they begin with the model's, "table::top". Links of a
// model that nothing holds move freely, those of a static model do not.

#pragma once

#include "patchfield/io/model_reader.h"

namespace patchfield {

/// Reads the <sdf> of the document into the assembly. Throws InputError with file and line.
void read_sdf(XmlDocument& document, const Placement& placement, ReadContext& context);

}  // namespace patchfield
