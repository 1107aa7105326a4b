// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// YAML nodes that know their file and line, with typed reading. All throw InputError.

#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "patchfield/core/types.h"
#include "patchfield/io/diagnostics.h"

namespace patchfield {

class YamlValue {
 public:
  YamlValue(const YAML::Node& node, std::string file, std::string name)
      : node_(node), file_(std::move(file)), name_(std::move(name)) {}
  /// Throws InputError with the line if the text is not YAML.
  static YamlValue parse(const std::string& text, const std::string& file);

  Place place() const;
  const std::string& name() const { return name_; }
  std::string tag() const;  ///< "!Rpy", or empty.
  bool is_map() const { return node_.IsMap(); }

  bool has(const std::string& key) const;
  YamlValue at(const std::string& key) const;  ///< Required.
  std::vector<YamlValue> items() const;        ///< Of a list.
  std::vector<YamlValue> entries() const;      ///< Of a map: values, named by their keys.
  /// Warns about keys that are not among these.
  void expect_keys(std::initializer_list<std::string_view> known, Diagnostics& diagnostics) const;

  std::string text() const;
  double number() const;
  std::vector<double> numbers() const;
  Vec3 vector() const;

 private:
  YAML::Node node_;
  std::string file_, name_;
};

}  // namespace patchfield
