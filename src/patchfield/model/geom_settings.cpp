// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/model/geom_settings.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/core/percent.h"

namespace patchfield {
namespace {

struct Key {
  std::string_view name;
  std::optional<double> GeomSettings::* value;
  bool may_be_zero;
  std::string_view unit;
};

constexpr Key kKeys[] = {
    {"modulus", &GeomSettings::modulus, false, "Pa"},
    {"resolution", &GeomSettings::resolution, false, "m"},
    {"margin", &GeomSettings::margin, true, "m"},
    {"slab_thickness", &GeomSettings::slab_thickness, false, "m"},
    {"foundation_depth", &GeomSettings::foundation_depth, false, "m"},
    {"mu", &GeomSettings::mu, true, "-"},
    {"relaxation_time", &GeomSettings::relaxation_time, true, "s"},
    {"hunt_crossley", &GeomSettings::hunt_crossley, true, "s/m"},
};

std::string list_keys() {
  std::string list;
  for (const Key& key : kKeys) fmt::format_to(std::back_inserter(list), "{}{}=…", list.empty() ? "" : ", ", key.name);
  return list;
}

double parse_number(std::string_view text, std::string_view word, std::string_view where) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw InputError(fmt::format("{}: \"{}\" needs a number after '=', as in modulus=1e5", where, word));
  return value;
}

void parse_word(std::string_view word, std::string_view where, GeomSettings& settings) {
  if (word == "hull") {
    settings.hull = true;
    return;
  }
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  if (name == "volume") {
    if (equals == std::string_view::npos || equals + 1 == word.size())
      throw InputError(fmt::format("{}: \"{}\" needs a path, as in volume=/models/pad.vtk", where, word));
    if (!settings.volume.empty()) throw InputError(fmt::format("{}: \"volume\" is given twice; keep one", where));
    settings.volume = decode_percent(word.substr(equals + 1));
    return;
  }
  for (const Key& key : kKeys) {
    if (name != key.name) continue;
    if (equals == std::string_view::npos)
      throw InputError(fmt::format("{}: \"{}\" needs a value, as in {}=0.5", where, word, word));
    if (settings.*key.value) throw InputError(fmt::format("{}: \"{}\" is given twice; keep one", where, name));
    settings.*key.value = parse_number(word.substr(equals + 1), word, where);
    return;
  }
  throw InputError(fmt::format("{}: unknown key \"{}\". Known are {}, volume=… and hull", where, name, list_keys()));
}

}  // namespace

GeomSettings parse_geom_settings(std::string_view data, std::string_view where) {
  constexpr std::string_view kSpace = " \t\r\n,";
  GeomSettings settings;
  bool first = true;
  for (std::size_t at = data.find_first_not_of(kSpace); at != std::string_view::npos;) {
    const std::size_t end = data.find_first_of(kSpace, at);
    const std::string_view word = data.substr(at, end == std::string_view::npos ? end : end - at);
    if (!first) {
      parse_word(word, where, settings);
    } else if (word == "compliant" || word == "rigid") {
      settings.compliant = word == "compliant";
    } else {
      throw InputError(fmt::format("{}: begins with \"{}\"; begin with compliant or rigid", where, word));
    }
    first = false;
    at = end == std::string_view::npos ? end : data.find_first_not_of(kSpace, end);
  }
  if (first) throw InputError(fmt::format("{}: is empty; begin with compliant or rigid", where));
  check_geom_settings(settings, where);
  return settings;
}

std::string to_text(const GeomSettings& settings) {
  std::string text = settings.compliant ? "compliant" : "rigid";
  if (settings.hull) text += " hull";
  for (const Key& key : kKeys)
    if (settings.*key.value) text += fmt::format(" {}={}", key.name, *(settings.*key.value));
  if (!settings.volume.empty()) text += " volume=" + encode_percent(settings.volume);
  return text;
}

void check_geom_settings(const GeomSettings& settings, std::string_view where) {
  for (const Key& key : kKeys) {
    const std::optional<double>& value = settings.*key.value;
    if (!value) continue;
    const bool in_range = std::isfinite(*value) && (key.may_be_zero ? *value >= 0.0 : *value > 0.0);
    if (!in_range)
      throw InputError(fmt::format("{}: {} = {} [{}] must be {} and finite", where, key.name, *value, key.unit,
                                   key.may_be_zero ? "zero or positive" : "positive"));
  }
}

}  // namespace patchfield
