// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/model/mjcf.h"

#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "patchfield/core/check.h"

namespace patchfield {
namespace {

/// MuJoCo names a file that it cannot open, but not where it looked.
[[noreturn]] void fail(const std::string& path, std::string_view error) {
  std::string where;
  if (error.find("opening file") != std::string_view::npos)
    where = fmt::format("; paths in a model start at its folder, here {}, or at the compiler's meshdir or assetdir",
                        std::filesystem::absolute(path).lexically_normal().parent_path().string());
  throw InputError(fmt::format("{}: {}{}", path, error, where));
}

}  // namespace

MjModelPtr load_mjcf(const std::string& path) {
  char error[1024] = "";
  MjModelPtr model(mj_loadXML(path.c_str(), nullptr, error, sizeof(error)));
  if (model == nullptr) fail(path, error);
  return model;
}

MjModelPtr parse_mjcf(const std::string& xml, const std::string& name) {
  char error[1024] = "";
  const MjSpecPtr spec(mj_parseXMLString(xml.c_str(), nullptr, error, sizeof(error)));
  if (spec == nullptr) fail(name, error);
  MjModelPtr model(mj_compile(spec.get(), nullptr));
  if (model == nullptr) fail(name, mjs_getError(spec.get()));
  return model;
}

}  // namespace patchfield
