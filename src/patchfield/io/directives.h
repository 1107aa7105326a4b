// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Model directives (.dmd.yaml): several models in one scene.
//
//   directives:
//   - add_model: {name: gripper, file: package://drake_models/…/gripper.sdf}
//   - add_weld: {parent: world, child: gripper::gripper, X_PC: {translation: [0, 0, 0.3]}}
//
// Known are add_model (with default_joint_positions and default_free_body_pose), add_model_instance, add_weld,
// add_frame, add_collision_filter_group and add_directives. Members of a model are "gripper::finger".

#pragma once

#include <string>

#include "patchfield/io/model_reader.h"

namespace patchfield {

/// Reads the text of a directives file; `file` names it. Throws InputError with file and line.
void read_directives(const std::string& text, const std::string& file, ReadContext& context);

}  // namespace patchfield
