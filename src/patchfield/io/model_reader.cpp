// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/model_reader.h"

#include <cmath>

namespace patchfield {

double positive(double value, const char* what, const Place& place) {
  if (!(value > 0.0) || !std::isfinite(value)) fail(place, "the {} is {}; it must be positive and finite", what, value);
  return value;
}

std::optional<LinkShape> read_mesh_reference(const std::string& uri, const Vec3& scale, bool convex, bool is_visual,
                                             const Place& place, ReadContext& context) {
  if (!scale.allFinite() || scale.cwiseAbs().minCoeff() == 0.0)
    fail(place, "the mesh's scale ({}, {}, {}) must not be zero", scale.x(), scale.y(), scale.z());
  try {
    return MeshFile{context.packages.resolve_existing(uri, place), scale, convex};
  } catch (const InputError& error) {
    if (!is_visual) throw;
    context.diagnostics.warn(place, "this visual is not shown: {}", without_place(error, place));
    return std::nullopt;
  }
}

void set_limits(double lower, double upper, const Joint& joint, Diagnostics& diagnostics, Motion& motion) {
  if (lower > upper)
    fail(joint.place, "joint \"{}\" has the lower limit {} above the upper limit {}: swap them", joint.name, lower,
         upper);
  motion.lower = lower;
  motion.upper = upper;
  if (lower < upper) return;
  // MuJoCo wants a range. A micrometre or microradian is none to anybody's eye.
  constexpr double kLocked = 1e-6;
  motion.upper = lower + kLocked;
  diagnostics.warn(joint.place, "joint \"{}\" is locked by equal limits: it keeps a coordinate and 1e-6 of play",
                   joint.name);
}

std::vector<Motion> motions_of_type(const std::string& type, const Place& place) {
  const Motion hinge{.kind = MotionKind::kHinge}, slide{.kind = MotionKind::kSlide};
  if (type == "fixed" || type == "weld") return {};
  if (type == "revolute" || type == "continuous") return {hinge};
  if (type == "prismatic") return {slide};
  if (type == "ball") return {{.kind = MotionKind::kBall}};
  if (type == "floating" || type == "quaternion_floating" || type == "rpy_floating")
    return {{.kind = MotionKind::kFree}};
  std::vector<Motion> motions;
  if (type == "universal" || type == "revolute2") {
    motions = {hinge, hinge};
    motions[0].suffix = "_1", motions[1].suffix = "_2";
    motions[0].axis = Vec3::UnitX(), motions[1].axis = Vec3::UnitY();
  } else if (type == "planar") {
    motions = {slide, slide, hinge};
    motions[0].suffix = "_x", motions[1].suffix = "_y", motions[2].suffix = "_theta";
    motions[0].axis = Vec3::UnitX(), motions[1].axis = Vec3::UnitY();
  } else if (type == "screw") {
    motions = {hinge, slide};
    motions[1].suffix = "_slide";
  } else {
    fail(place,
         "joint type \"{}\" cannot be expressed. There are fixed, revolute, continuous, prismatic, ball, universal, "
         "revolute2, screw, planar and floating",
         type);
  }
  return motions;
}

}  // namespace patchfield
