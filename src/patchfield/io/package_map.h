// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// URIs of models → files.
//
//   package://NAME/path   the folder given for NAME, else a package.xml that names it, looked for upwards from the
//   model
//                         and among its neighbours, else ROS_PACKAGE_PATH
//   model://NAME/path     the same, and Gazebo's GZ_SIM_RESOURCE_PATH, GAZEBO_MODEL_PATH, SDF_PATH
//   file:///path, path    as it is, or relative to the model's folder

#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "patchfield/io/diagnostics.h"

namespace patchfield {

class PackageMap {
 public:
  explicit PackageMap(std::map<std::string, std::string> given = {});

  /// `place` is where the URI was read: its file is the starting point of the search. Throws InputError with what was
  /// tried. The file itself need not exist.
  std::filesystem::path resolve(const std::string& uri, const Place& place);

  /// As resolve(), and the file must exist.
  std::filesystem::path resolve_existing(const std::string& uri, const Place& place);

 private:
  std::filesystem::path find_package(const std::string& name, bool gazebo, const std::string& uri, const Place& place);
  std::optional<std::filesystem::path> search_upwards(const std::string& name, const std::filesystem::path& folder);

  std::map<std::string, std::string> given_;
  std::map<std::pair<std::string, std::string>, std::filesystem::path> found_;  ///< By (name, folder of the model).
};

/// Name in the folder's package.xml, if there is one.
std::optional<std::string> package_name(const std::filesystem::path& folder);

}  // namespace patchfield
