// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/load_model.h"

#include "patchfield/io/volume_maker.h"

namespace patchfield {

Model load_model(const std::string& path, const LoadOptions& options) {
  ImportedModel imported = import_model(path, options);
  ModelOptions model_options = options.model;
  if (!model_options.make_volume) model_options.make_volume = VolumeMaker();
  for (const Diagnostic& warning : imported.warnings) model_options.import_warnings.push_back(to_string(warning));
  try {
    return Model::adopt(imported.mujoco.release(), model_options);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace patchfield
