// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A model file that people have → a Model.
//
//   .sdf .world   SDF       .urdf   URDF       .dmd.yaml   directives: several models in one scene
//   .xml .mjcf    by their root: <mujoco>, <robot> or <sdf>
//
// The MuJoCo model alone carries everything: what touches how is in its <custom> texts.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "patchfield/io/diagnostics.h"
#include "patchfield/model/mjcf.h"
#include "patchfield/model/model.h"

namespace patchfield {

struct LoadOptions {
  ModelOptions model = {};
  std::map<std::string, std::string> packages = {};  ///< Folder of package://NAME, by name.
  bool fixed_base = false;                           ///< Roots of SDF and URDF models are welded to the world.
  std::optional<double> time_step = std::nullopt;    ///< Becomes the model's [s].
};

struct ImportedModel {
  MjModelPtr mujoco;
  std::vector<Diagnostic> warnings;  ///< What was not understood or has no counterpart.
};

/// All throw InputError that names file, line, what was read and the cure.
ImportedModel import_model(const std::string& path, const LoadOptions& options = {});

/// The text of a file of that kind; `path` names it in messages and is where relative URIs start.
ImportedModel import_model_text(const std::string& text, const std::string& path, const LoadOptions& options = {});

/// Model::warnings() begins with those of the import.
Model load_model(const std::string& path, const LoadOptions& options = {});

}  // namespace patchfield
