// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/load_model.h"

#include <algorithm>
#include <filesystem>

#include "patchfield/io/directives.h"
#include "patchfield/io/file_bytes.h"
#include "patchfield/io/sdf_reader.h"
#include "patchfield/io/spec_builder.h"
#include "patchfield/io/urdf_reader.h"

namespace patchfield {
namespace {

bool ends_with(const std::string& path, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view e) { return path.ends_with(e); });
}

class Importer {
 public:
  Importer(const std::string& path, const LoadOptions& options)
      : path_(path), options_(options), packages_(options.packages) {}

  ImportedModel import_text(const std::string& text, bool is_file) {
    ReadContext context{assembly_, packages_, diagnostics_};
    if (ends_with(path_, {".yaml", ".yml"})) {
      read_directives(text, path_, context);
    } else {
      const std::unique_ptr<XmlDocument> document = XmlDocument::parse(text, path_);
      const std::string root(document->root().name());
      if (root == "mujoco") return import_mjcf(text, is_file);
      if (root == "robot") read_urdf(*document, {}, context);
      else if (root == "sdf") read_sdf(*document, {}, context);
      else fail(document->root().place(), "the root element <{}> is none of <mujoco>, <sdf> and <robot> (URDF)", root);
    }
    const BuildOptions build{options_.fixed_base, options_.time_step};
    MjModelPtr model = build_model(assembly_, path_, build, diagnostics_);
    return {std::move(model), diagnostics_.take()};
  }

 private:
  /// From the file where there is one, so that MuJoCo finds its includes and meshes.
  ImportedModel import_mjcf(const std::string& text, bool is_file) const {
    MjModelPtr model = is_file ? load_mjcf(path_) : parse_mjcf(text, path_);
    if (options_.time_step) model->opt.timestep = *options_.time_step;
    return {std::move(model), {}};
  }

  const std::string& path_;
  const LoadOptions& options_;
  PackageMap packages_;
  Assembly assembly_;
  Diagnostics diagnostics_;
};

void check_extension(const std::string& path) {
  if (ends_with(path, {".xacro"}))
    throw InputError(fmt::format("{} is a xacro: expand it first, as in `xacro {} > model.urdf`", path, path));
  if (!ends_with(path, {".sdf", ".world", ".urdf", ".xml", ".mjcf", ".yaml", ".yml"}))
    throw InputError(
        fmt::format("{}: unknown kind of model. There are .xml and .mjcf (MuJoCo), .sdf and .world, .urdf, and "
                    ".dmd.yaml (directives)",
                    path));
}

}  // namespace

ImportedModel import_model(const std::string& path, const LoadOptions& options) {
  check_extension(path);
  return Importer(path, options).import_text(read_file_bytes(path), true);
}

ImportedModel import_model_text(const std::string& text, const std::string& path, const LoadOptions& options) {
  check_extension(path);
  return Importer(path, options).import_text(text, false);
}

}  // namespace patchfield
