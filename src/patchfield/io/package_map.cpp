// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/package_map.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "patchfield/core/percent.h"
#include "patchfield/io/xml_document.h"

namespace patchfield {
namespace {

namespace fs = std::filesystem;

/// Folders of an environment variable such as ROS_PACKAGE_PATH=/opt/a:/opt/b.
std::vector<fs::path> folders_of(const char* variable) {
  std::vector<fs::path> folders;
  const char* value = std::getenv(variable);
  std::string_view rest = value != nullptr ? value : "";
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) folders.emplace_back(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return folders;
}

/// The folder itself, its child of that name, or any package below it, as ROS searches.
std::optional<fs::path> search_below(const std::string& name, const fs::path& folder) {
  constexpr int kDeepest = 6;
  std::error_code error;
  if (package_name(folder) == name) return folder;
  if (fs::is_directory(folder / name, error)) return folder / name;
  const auto options = fs::directory_options::skip_permission_denied;
  for (auto it = fs::recursive_directory_iterator(folder, options, error); it != fs::recursive_directory_iterator();
       it.increment(error)) {
    if (error) break;
    if (!it->is_directory(error)) continue;
    if (it->path().filename().string().starts_with('.') || it.depth() >= kDeepest) it.disable_recursion_pending();
    const std::optional<std::string> found = package_name(it->path());
    if (found == name) return it->path();
    if (found) it.disable_recursion_pending();  // packages do not nest
  }
  return std::nullopt;
}

fs::path folder_of(const Place& place) {
  std::error_code error;
  const fs::path absolute = fs::absolute(place.file, error);
  return error ? fs::path(".") : absolute.parent_path().lexically_normal();
}

}  // namespace

std::optional<std::string> package_name(const fs::path& folder) {
  std::error_code error;
  const fs::path file = folder / "package.xml";
  if (!fs::is_regular_file(file, error)) return std::nullopt;
  try {
    const std::unique_ptr<XmlDocument> document = XmlDocument::load(file);
    return document->root().child_text("name");
  } catch (const InputError&) {
    return std::nullopt;  // a broken package.xml names no package
  }
}

PackageMap::PackageMap(std::map<std::string, std::string> given) : given_(std::move(given)) {
  std::error_code error;
  for (const auto& [name, folder] : given_)
    if (!fs::is_directory(folder, error))
      throw InputError(fmt::format("package {}: there is no folder {}", name, folder));
}

std::optional<fs::path> PackageMap::search_upwards(const std::string& name, const fs::path& folder) {
  std::error_code error;
  for (fs::path at = folder;; at = at.parent_path()) {
    if (package_name(at) == name) return at;
    if (package_name(at / name) == name || fs::is_regular_file(at / name / "model.config", error)) return at / name;
    if (at == at.parent_path()) break;
  }
  // Copies without their package.xml are common: then the name of a folder above must do.
  for (fs::path at = folder; at != at.parent_path(); at = at.parent_path())
    if (at.filename() == name) return at;
  return std::nullopt;
}

fs::path PackageMap::find_package(const std::string& name, bool gazebo, const std::string& uri, const Place& place) {
  if (const auto given = given_.find(name); given != given_.end()) return given->second;
  const fs::path folder = folder_of(place);
  const auto key = std::pair(name, folder.string());
  if (const auto known = found_.find(key); known != found_.end()) return known->second;

  std::optional<fs::path> found = search_upwards(name, folder);
  std::vector<const char*> variables = {"ROS_PACKAGE_PATH"};
  if (gazebo) variables.insert(variables.end(), {"GZ_SIM_RESOURCE_PATH", "GAZEBO_MODEL_PATH", "SDF_PATH"});
  for (const char* variable : variables)
    for (const fs::path& root : folders_of(variable))
      if (!found) found = search_below(name, root);
  if (!found)
    fail(place,
         "{}: no package {}. Looked for a package.xml that names it, upwards from {}, and in {}. Give its folder with "
         "--package {}=FOLDER",
         uri, name, folder.string(), fmt::join(variables, ", "), name);
  return found_[key] = *found;
}

fs::path PackageMap::resolve(const std::string& uri, const Place& place) {
  if (uri.empty()) fail(place, "the URI is empty; give a path or package://NAME/path");
  const std::size_t scheme_end = uri.find("://");
  if (scheme_end == std::string::npos) {
    const fs::path path = decode_percent(uri);
    return path.is_absolute() ? path : (folder_of(place) / path).lexically_normal();
  }
  const std::string scheme = uri.substr(0, scheme_end);
  std::string rest = decode_percent(uri.substr(scheme_end + 3));
  if (scheme == "file") return fs::path(rest).is_absolute() ? fs::path(rest) : folder_of(place) / rest;
  if (scheme != "package" && scheme != "model")
    fail(place, "{}: {}:// is not read. Download the model and give package://NAME/path or a path", uri, scheme);
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const fs::path folder = find_package(rest.substr(0, slash), scheme == "model", uri, place);
  rest.erase(0, slash + 1);
  return rest.empty() ? folder : (folder / rest).lexically_normal();
}

fs::path PackageMap::resolve_existing(const std::string& uri, const Place& place) {
  fs::path path = resolve(uri, place);
  std::error_code error;
  if (!fs::exists(path, error)) fail(place, "{}: there is no file {}", uri, path.string());
  return path;
}

}  // namespace patchfield
