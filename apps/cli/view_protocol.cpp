// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "view_protocol.h"

#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

namespace patchfield::cli {
namespace {

using Json = nlohmann::json;

constexpr std::pair<const char*, CommandKind> kCommands[] = {
    {"pause", CommandKind::kPause}, {"resume", CommandKind::kResume}, {"step", CommandKind::kStep},
    {"reset", CommandKind::kReset}, {"pull", CommandKind::kPull},     {"release", CommandKind::kRelease}};

/// Places beyond this are no places [m].
constexpr double kFarthest = 1e6;

std::optional<Vec3> parse_vector(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array() || found->size() != 3) return std::nullopt;
  Vec3 v;
  for (int i = 0; i < 3; ++i) {
    const Json& x = (*found)[static_cast<std::size_t>(i)];
    if (!x.is_number()) return std::nullopt;
    v[i] = x.get<double>();
    if (!(std::abs(v[i]) <= kFarthest)) return std::nullopt;
  }
  return v;
}

std::optional<PullSpring> parse_spring(const Json& json) {
  const auto body = json.find("body");
  const std::optional<Vec3> point = parse_vector(json, "point"), target = parse_vector(json, "target");
  if (body == json.end() || !body->is_number_integer() || !point || !target) return std::nullopt;
  const auto number = body->get<std::int64_t>();
  if (number < 0 || number > 1'000'000) return std::nullopt;
  return PullSpring{static_cast<int>(number), *point, *target};
}

std::optional<int> parse_keyframe(const Json& json) {
  const auto key = json.find("keyframe");
  if (key == json.end() || !key->is_number_integer()) return std::nullopt;
  const auto number = key->get<std::int64_t>();
  if (number < -1 || number > 1'000'000) return std::nullopt;
  return static_cast<int>(number);
}

}  // namespace

std::optional<LiveCommand> parse_command(const std::string& text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  const auto type = json.find("type");
  if (type == json.end() || !type->is_string()) return std::nullopt;
  for (const auto& [word, kind] : kCommands) {
    if (type->get<std::string>() != word) continue;
    if (kind == CommandKind::kReset) return LiveCommand{kind, {}, parse_keyframe(json)};
    if (kind != CommandKind::kPull) return LiveCommand{kind, {}, {}};
    const std::optional<PullSpring> spring = parse_spring(json);
    if (!spring) return std::nullopt;
    return LiveCommand{kind, *spring, {}};
  }
  return std::nullopt;
}

std::string status_json(const LiveStatus& status, int clients) {
  const Json json = {{"paused", status.paused},
                     {"real_time_factor", std::isfinite(status.real_time_factor) ? status.real_time_factor : 0.0},
                     {"time", status.time},
                     {"clients", clients},
                     {"problem", status.problem}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace patchfield::cli
