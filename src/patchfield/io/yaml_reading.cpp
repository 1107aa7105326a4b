// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/yaml_reading.h"

#include <algorithm>

#include "patchfield/io/xml_document.h"

namespace patchfield {

YamlValue YamlValue::parse(const std::string& text, const std::string& file) {
  try {
    return {YAML::Load(text), file, "the file"};
  } catch (const YAML::Exception& error) {
    fail({file, error.mark.line + 1}, "this is not well-formed YAML: {}", error.msg);
  }
}

Place YamlValue::place() const { return {file_, node_.Mark().line + 1}; }

std::string YamlValue::tag() const {
  const std::string tag = node_.Tag();
  return tag == "?" || tag == "!" ? "" : tag;
}

bool YamlValue::has(const std::string& key) const { return node_.IsMap() && node_[key].IsDefined(); }

YamlValue YamlValue::at(const std::string& key) const {
  if (!node_.IsMap()) fail(place(), "{} must be a map with the key {}", name_, key);
  if (!has(key)) fail(place(), "{} needs the key {}", name_, key);
  return {node_[key], file_, key};
}

std::vector<YamlValue> YamlValue::items() const {
  if (!node_.IsSequence()) fail(place(), "{} must be a list", name_);
  std::vector<YamlValue> all;
  for (std::size_t i = 0; i < node_.size(); ++i) all.emplace_back(node_[i], file_, fmt::format("{}[{}]", name_, i));
  return all;
}

std::vector<YamlValue> YamlValue::entries() const {
  if (!node_.IsMap()) fail(place(), "{} must be a map", name_);
  std::vector<YamlValue> all;
  for (const auto& entry : node_) {
    if (!entry.first.IsScalar()) fail({file_, entry.first.Mark().line + 1}, "{}: keys must be names", name_);
    all.emplace_back(entry.second, file_, entry.first.Scalar());
  }
  return all;
}

void YamlValue::expect_keys(std::initializer_list<std::string_view> known, Diagnostics& diagnostics) const {
  for (const YamlValue& entry : entries())
    if (std::find(known.begin(), known.end(), entry.name()) == known.end())
      diagnostics.warn(entry.place(), "{} of {} is not read", entry.name(), name_);
}

std::string YamlValue::text() const {
  if (!node_.IsScalar()) fail(place(), "{} must be a text", name_);
  return node_.Scalar();
}

double YamlValue::number() const { return parse_numbers(text(), 1, name_, place()).front(); }

std::vector<double> YamlValue::numbers() const {
  if (node_.IsScalar()) return {number()};
  std::vector<double> all;
  for (const YamlValue& item : items()) all.push_back(item.number());
  return all;
}

Vec3 YamlValue::vector() const {
  if (!tag().empty()) fail(place(), "{} has the tag {}: random values are not read, give three numbers", name_, tag());
  const std::vector<double> x = numbers();
  if (x.size() != 3) fail(place(), "{} has {} numbers and needs 3", name_, x.size());
  return {x[0], x[1], x[2]};
}

}  // namespace patchfield
