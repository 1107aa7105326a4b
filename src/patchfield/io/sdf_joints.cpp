// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "patchfield/io/sdf_links.h"

namespace patchfield {
namespace {

/// SDF's way to write "no limit".
constexpr double kNoLimit = 1e16;

class JointReader {
 public:
  JointReader(const XmlElement& element, const std::string& name, SdfScope& scope, ReadContext& context)
      : element_(element), name_(name), scope_(scope), context_(context) {}

  Joint read() {
    joint_.name = scope_.prefix() + name_;
    joint_.place = element_.place();
    element_.attribute("name");
    is_drakes_ = element_.name() == "drake:joint";
    type_ = element_.required_attribute("type");
    joint_.motions = motions_of_type(type_, joint_.place);
    read_ends();
    if (const auto axis = element_.child("axis")) read_axis(*axis, 0);
    if (const auto axis = element_.child("axis2")) read_axis(*axis, 1);
    if (type_ == "screw") read_screw();
    read_drake_tags();
    return std::move(joint_);
  }

 private:
  Place place_of(const char* tag) const { return element_.required_child(tag).place(); }

  Pose world_pose_of(int link) const {
    return link == kWorld ? Pose() : context_.assembly.links[static_cast<std::size_t>(link)].X_WL;
  }

  void read_ends() {
    const char* parent = is_drakes_ ? "drake:parent" : "parent";
    const char* child = is_drakes_ ? "drake:child" : "child";
    joint_.parent = scope_.link_of(element_.required_child(parent).text(), place_of(parent));
    joint_.child = scope_.link_of(element_.required_child(child).text(), place_of(child));
    X_WJ_ = scope_.world_pose() * scope_.pose(name_, joint_.place);
    joint_.X_PJ = world_pose_of(joint_.parent).inverse() * X_WJ_;
    joint_.X_CJ = world_pose_of(joint_.child).inverse() * X_WJ_;
  }

  void read_axis(const XmlElement& axis, std::size_t index) {
    if (index >= joint_.motions.size() || type_ == "ball" || type_ == "planar" || type_ == "floating") {
      axis.mark_all_read();  // says nothing about such a joint
      return;
    }
    const Vec3 direction = read_direction(axis);
    Motion& motion = joint_.motions[index];
    motion.axis = direction;
    if (type_ == "screw") joint_.motions[1].axis = direction;
    if (const auto limit = axis.child("limit")) read_limit(*limit, motion);
    if (const auto dynamics = axis.child("dynamics")) read_dynamics(*dynamics, motion);
    motion.initial_position = axis.child_number("initial_position").value_or(0.0);
    if (const auto mimic = axis.child("mimic")) read_mimic(*mimic, motion);
  }

  /// In the joint's frame.
  Vec3 read_direction(const XmlElement& axis) {
    const auto xyz = axis.child("xyz");
    const bool in_model = axis.child_boolean("use_parent_model_frame").value_or(false);
    if (!xyz) return Vec3::UnitZ();
    std::string frame = xyz->attribute("expressed_in").value_or("");
    if (frame.empty() && in_model) frame = "__model__";
    const Vec3 direction = unit_axis(xyz->vector(), xyz->place());
    if (frame.empty()) return direction;
    return X_WJ_.R.transpose() * (scope_.world_pose().R * (scope_.pose(frame, xyz->place()).R * direction));
  }

  void read_limit(const XmlElement& limit, Motion& motion) {
    double lower = limit.child_number("lower").value_or(-kNoLimit);
    double upper = limit.child_number("upper").value_or(kNoLimit);
    if (lower <= -kNoLimit) lower = -INFINITY;
    if (upper >= kNoLimit) upper = INFINITY;
    if (type_ != "continuous") set_limits(lower, upper, joint_, context_.diagnostics, motion);
    else if (std::isfinite(lower) || std::isfinite(upper))
      context_.diagnostics.warn(limit.place(),
                                "limits of a continuous joint are ignored; make it revolute to keep them");
    motion.limit_stiffness = limit.child_number("stiffness");
    motion.limit_dissipation = limit.child_number("dissipation");
    for (const auto& value : {motion.limit_stiffness, motion.limit_dissipation})
      if (value && !(*value >= 0.0)) fail(limit.place(), "stiffness and dissipation of a limit must not be negative");
    // −1 is SDF's word for unlimited.
    if (const auto velocity = limit.child_number("velocity"); velocity && *velocity >= 0.0 && std::isfinite(*velocity))
      context_.diagnostics.warn(limit.place(), "velocity limits have no counterpart in MuJoCo and are ignored");
    if (limit.child_number("drake:acceleration"))
      context_.diagnostics.warn(limit.place(), "acceleration limits have no counterpart in MuJoCo and are ignored");
    if (const auto effort = limit.child_number("effort"); effort && *effort != 0.0) {
      motion.has_actuator = true;
      motion.effort = *effort < 0.0 ? INFINITY : *effort;
    }
  }

  void read_dynamics(const XmlElement& dynamics, Motion& motion) const {
    motion.damping = dynamics.child_number("damping").value_or(0.0);
    motion.friction = dynamics.child_number("friction").value_or(0.0);
    motion.spring_stiffness = dynamics.child_number("spring_stiffness").value_or(0.0);
    motion.spring_reference = dynamics.child_number("spring_reference").value_or(0.0);
    for (const double value : {motion.damping, motion.friction, motion.spring_stiffness})
      if (!(value >= 0.0) || !std::isfinite(value))
        fail(dynamics.place(), "joint \"{}\": damping, friction and spring_stiffness must not be negative",
             joint_.name);
  }

  /// q = multiplier·(q_other − reference) + offset.
  void read_mimic(const XmlElement& mimic, Motion& motion) {
    if (const auto axis = mimic.attribute("axis"); axis && *axis != "axis")
      context_.diagnostics.warn(mimic.place(), "<mimic axis=\"{}\">: only the first axis can be followed", *axis);
    Mimic coupling{scope_.prefix() + mimic.required_attribute("joint")};
    coupling.multiplier = mimic.child_number("multiplier").value_or(1.0);
    coupling.offset = mimic.child_number("offset").value_or(0.0) -
                      coupling.multiplier * mimic.child_number("reference").value_or(0.0);
    set_mimic(std::move(coupling), motion);
  }

  static void set_mimic(Mimic coupling, Motion& motion) {
    motion.initial_position = coupling.offset;
    motion.mimic = std::move(coupling);
  }

  void read_screw() {
    if (const auto pitch = element_.child("screw_thread_pitch")) {
      joint_.screw_lead = pitch->number() / (2.0 * M_PI);
    } else if (const auto old = element_.child("thread_pitch")) {
      // The older tag counts radians per metre, left-handed.
      if (old->number() == 0.0) fail(old->place(), "thread_pitch must not be zero");
      joint_.screw_lead = -1.0 / old->number();
    } else {
      fail(joint_.place, "a screw joint needs <screw_thread_pitch> [m per turn]");
    }
  }

  void read_drake_tags() {
    if (joint_.motions.empty()) return;
    Motion& motion = joint_.motions.front();
    const double ratio = element_.child_number("drake:gear_ratio").value_or(1.0);
    const double rotor = element_.child_number("drake:rotor_inertia").value_or(0.0);
    if (!(rotor >= 0.0))
      fail(joint_.place, "joint \"{}\": rotor_inertia = {} must not be negative", joint_.name, rotor);
    motion.armature = ratio * ratio * rotor;
    if (const auto gains = element_.child("drake:controller_gains")) {
      motion.servo = PositionGains{gains->required_number_attribute("p"), gains->required_number_attribute("d")};
      motion.has_actuator = true;
    }
    if (const auto mimic = element_.child("drake:mimic"))
      set_mimic({scope_.prefix() + mimic->required_attribute("joint"),
                 mimic->number_attribute("multiplier").value_or(1.0), mimic->number_attribute("offset").value_or(0.0)},
                motion);
    if (const auto damping = element_.child("drake:damping")) {
      const std::vector<double> d = damping->numbers(joint_.motions.size());
      for (std::size_t i = 0; i < d.size(); ++i) joint_.motions[i].damping = d[i];
    }
  }

  const XmlElement& element_;
  const std::string& name_;
  SdfScope& scope_;
  ReadContext& context_;
  bool is_drakes_ = false;
  std::string type_;
  Pose X_WJ_;
  Joint joint_;
};

}  // namespace

Joint read_sdf_joint(const XmlElement& element, const std::string& name, SdfScope& scope, ReadContext& context) {
  return JointReader(element, name, scope, context).read();
}

}  // namespace patchfield
