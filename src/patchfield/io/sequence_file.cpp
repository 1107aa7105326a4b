// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/sequence_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "patchfield/control/se3_path.h"
#include "patchfield/io/file_bytes.h"
#include "patchfield/io/yaml_reading.h"

namespace patchfield {
namespace {

constexpr double kDegree = M_PI / 180.0;

/// Refuses keys that are not among these.
void check_keys(const YamlValue& map, const std::vector<std::string>& known) {
  for (const YamlValue& entry : map.entries())
    if (std::find(known.begin(), known.end(), entry.name()) == known.end())
      fail(entry.place(), "{} has no key {}. Did you mean {}?", map.name(), entry.name(),
           nearest_name(entry.name(), known));
}

double finite(const YamlValue& value) {
  const double x = value.number();
  if (!std::isfinite(x)) fail(value.place(), "{} = {} must be finite", value.name(), x);
  return x;
}

double positive(const YamlValue& value, const char* unit) {
  const double x = finite(value);
  if (!(x > 0.0)) fail(value.place(), "{} = {} {} must be above 0", value.name(), x, unit);
  return x;
}

double not_negative(const YamlValue& value, const char* unit) {
  const double x = finite(value);
  if (!(x >= 0.0)) fail(value.place(), "{} = {} {} must be 0 or more", value.name(), x, unit);
  return x;
}

bool truth(const YamlValue& value) {
  const std::string text = value.text();
  if (text == "true") return true;
  if (text == "false") return false;
  fail(value.place(), "{} = {}: give true or false", value.name(), text);
}

std::vector<std::string> texts(const YamlValue& list) {
  std::vector<std::string> all;
  for (const YamlValue& item : list.items()) all.push_back(item.text());
  return all;
}

Vec3 finite_vector(const YamlValue& value) {
  const Vec3 x = value.vector();
  if (!x.allFinite()) fail(value.place(), "{} must be three finite numbers", value.name());
  return x;
}

TipPose read_pose(const YamlValue& pose, bool is_via) {
  std::vector<std::string> keys = {"pos", "rpy", "relative", "axes", "frame"};
  if (is_via) keys.emplace_back("at");
  check_keys(pose, keys);
  TipPose out;
  const bool relative = pose.has("relative");
  if (relative && (pose.has("pos") || pose.has("frame")))
    fail(pose.place(), "{} has relative beside pos or frame: give one way to say where", pose.name());
  if (pose.has("axes") && !relative) fail(pose.at("axes").place(), "axes go with relative: leave them out");
  if (!relative && !pose.has("pos"))
    fail(pose.place(), "{} needs pos: [x, y, z], or relative: [dx, dy, dz]", pose.name());
  if (relative) {
    const std::string axes = pose.has("axes") ? pose.at("axes").text() : "world";
    if (axes != "world" && axes != "tip") fail(pose.at("axes").place(), "axes = {}: give world or tip", axes);
    out.kind = axes == "tip" ? TipPose::Kind::kRelativeTip : TipPose::Kind::kRelativeWorld;
  } else if (pose.has("frame")) {
    out.kind = TipPose::Kind::kFrame;
    out.frame = pose.at("frame").text();
  }
  out.p = finite_vector(pose.at(relative ? "relative" : "pos"));
  if (pose.has("rpy")) out.R = rotation_rpy(kDegree * finite_vector(pose.at("rpy")));
  if (is_via) out.at = positive(pose.at("at"), "s");
  return out;
}

GripTarget read_grip(const YamlValue& grip) {
  if (!grip.is_map()) return {.force = finite(grip)};
  check_keys(grip, {"force", "patches"});
  return {.force = finite(grip.at("force")),
          .patches = grip.has("patches") ? texts(grip.at("patches")) : std::vector<std::string>()};
}

GuardSettings read_guard(const YamlValue& until) {
  check_keys(until, {"patches", "force", "torque", "force_below", "torque_below", "every", "for"});
  GuardSettings guard;
  guard.patches = texts(until.at("patches"));
  if (guard.patches.empty())
    fail(until.at("patches").place(), "patches is empty: name at least one, as \"blade/stove\"");
  int thresholds = 0;
  for (const char* key : {"force", "torque", "force_below", "torque_below"}) {
    if (!until.has(key)) continue;
    const std::string name = key;
    guard.torque = name.starts_with("torque"), guard.below = name.ends_with("below");
    guard.threshold = positive(until.at(key), guard.torque ? "N·m" : "N");
    ++thresholds;
  }
  if (thresholds != 1)
    fail(until.place(), "until needs one of force, torque, force_below and torque_below, not {}", thresholds);
  if (until.has("every")) guard.every = truth(until.at("every"));
  if (until.has("for")) guard.hold = not_negative(until.at("for"), "s");
  return guard;
}

void read_path(const YamlValue& phase, Phase& out) {
  if (phase.has("via") && !phase.has("pose"))
    fail(phase.at("via").place(), "via leads nowhere: the phase needs a pose");
  double last = 0.0;
  if (phase.has("via"))
    for (const YamlValue& via : phase.at("via").items()) {
      out.path.push_back(read_pose(via, true));
      const double at = out.path.back().at;
      if (!(at > last && at < out.duration))
        fail(via.at("at").place(), "at = {} s must lie between {} s and the duration {} s", at, last, out.duration);
      last = at;
    }
  if (!phase.has("pose")) return;
  out.path.push_back(read_pose(phase.at("pose"), false));
  out.path.back().at = out.duration;
}

Phase read_phase(const YamlValue& phase) {
  check_keys(phase, {"name", "pose", "via", "duration", "grip", "until", "timeout"});
  Phase out;
  out.place = to_string(phase.place());
  out.name = phase.at("name").text();
  out.duration = positive(phase.at("duration"), "s");
  read_path(phase, out);
  if (phase.has("grip")) out.grip = read_grip(phase.at("grip"));
  if (phase.has("until")) out.until = read_guard(phase.at("until"));
  out.timeout = out.duration;
  if (!phase.has("timeout")) return out;
  const YamlValue timeout = phase.at("timeout");
  if (!out.until) fail(timeout.place(), "timeout goes with until: leave it out, or add a guard");
  out.timeout = positive(timeout, "s");
  if (out.timeout < out.duration)
    fail(timeout.place(), "timeout = {} s must not be shorter than the duration {} s", out.timeout, out.duration);
  return out;
}

TrackingOptions read_tracking(const YamlValue& control) {
  check_keys(control, {"law", "frequency", "damping", "kp", "kd"});
  TrackingOptions out;
  const std::string law = control.at("law").text();
  if (law == "pd") {
    out.law = TrackingLaw::kPd;
    out.kp = control.at("kp").numbers(), out.kd = control.at("kd").numbers();
  } else if (law != "computed_torque") {
    fail(control.at("law").place(), "law = {}: give computed_torque or pd", law);
  }
  for (const char* key : {"frequency", "damping", "kp", "kd"})
    if (control.has(key) && (law == "pd") != (std::string(key).front() == 'k'))
      fail(control.at(key).place(), "{} does not belong to law {}", key, law);
  if (control.has("frequency")) out.frequency = positive(control.at("frequency"), "rad/s");
  if (control.has("damping")) out.damping = not_negative(control.at("damping"), "");
  return out;
}

GripperSettings read_gripper(const YamlValue& file) {
  GripperSettings out;
  if (file.has("fingers"))
    for (const YamlValue& finger : file.at("fingers").entries()) {
      const double sign = finger.number();
      if (std::abs(sign) != 1.0)
        fail(finger.place(), "{} = {}: give 1 if positive ctrl closes the finger, else -1", finger.name(), sign);
      out.fingers.emplace_back(finger.name(), sign);
    }
  if (!file.has("centering")) return out;
  const YamlValue centering = file.at("centering");
  check_keys(centering, {"stiffness", "damping"});
  out.stiffness = not_negative(centering.at("stiffness"), "N/m");
  out.damping = not_negative(centering.at("damping"), "N·s/m");
  return out;
}

}  // namespace

Sequence read_sequence_text(const std::string& text, const std::string& name) {
  const YamlValue file = YamlValue::parse(text, name);
  check_keys(file, {"tip", "joints", "fingers", "centering", "start", "control", "phases"});
  Sequence out;
  out.place = name;
  out.tip = file.at("tip").text();
  if (file.has("joints")) out.joints = texts(file.at("joints"));
  if (file.has("start")) out.start = file.at("start").text();
  if (file.has("control")) out.tracking = read_tracking(file.at("control"));
  out.gripper = read_gripper(file);
  for (const YamlValue& phase : file.at("phases").items()) out.phases.push_back(read_phase(phase));
  if (out.phases.empty()) fail(file.at("phases").place(), "phases is empty: a sequence needs at least one");
  for (const Phase& phase : out.phases)
    if (phase.grip && out.gripper.fingers.empty())
      throw InputError(phase.place + ": grip needs fingers: {actuator: sign that closes} at the top of the file");
  return out;
}

Sequence read_sequence(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw InputError("no sequence file " + path + ". Give the path of a YAML file with phases (docs/sequences.md)");
  return read_sequence_text(read_file_bytes(path), path);
}

}  // namespace patchfield
