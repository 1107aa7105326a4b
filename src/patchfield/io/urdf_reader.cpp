// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/urdf_reader.h"

#include <cmath>
#include <map>
#include <set>

#include "patchfield/io/filter_groups.h"
#include "patchfield/io/proximity_properties.h"

namespace patchfield {
namespace {

using Rgba = std::array<float, 4>;

Pose read_pose(const XmlElement& element) {
  const Vec3 xyz = element.vector_attribute("xyz").value_or(Vec3::Zero());
  const Vec3 rpy = element.vector_attribute("rpy").value_or(Vec3::Zero());
  const Pose pose{rotation_from_rpy(rpy), xyz};
  if (!pose.is_finite()) fail(element.place(), "{} is not finite", element.label());
  return pose;
}

Pose read_origin(const XmlElement& element) {
  const std::optional<XmlElement> origin = element.child("origin");
  return origin ? read_pose(*origin) : Pose();
}

class UrdfReader {
 public:
  UrdfReader(XmlElement robot, const Placement& placement, ReadContext& context)
      : robot_(robot), placement_(placement), context_(context) {}

  void read() {
    robot_.attribute("version");
    for (const XmlElement& material : robot_.children("material")) read_color(material);
    for (const XmlElement& link : robot_.children("link")) read_link(link);
    for (const char* tag : {"joint", "drake:joint"})
      for (const XmlElement& joint : robot_.children(tag)) read_joint(joint);
    for (const XmlElement& transmission : robot_.children("transmission")) read_transmission(transmission);
    for (const XmlElement& frame : robot_.children("frame")) read_frame(frame);
    read_filter_groups();
  }

 private:
  int find_link(const std::string& name, const Place& place) const {
    if (name == "world") return kWorld;
    const int link = context_.assembly.find_link(placement_.prefix + name);
    if (link == kNoLink) fail(place, "there is no link \"{}\"", name);
    return link;
  }

  /// Remembers a named colour; returns it or the one remembered.
  std::optional<Rgba> read_color(const XmlElement& material) {
    const std::string name = material.attribute("name").value_or("");
    if (const auto color = material.child("color")) {
      const std::vector<double> x =
          parse_numbers(color->required_attribute("rgba"), 4, "rgba of " + color->label(), color->place());
      Rgba rgba;
      for (std::size_t i = 0; i < 4; ++i) rgba[i] = static_cast<float>(x[i]);
      colors_.insert_or_assign(name, rgba);
      return rgba;
    }
    const auto known = colors_.find(name);
    return known != colors_.end() ? std::optional(known->second) : std::nullopt;
  }

  void read_link(const XmlElement& element) {
    Link link;
    const std::string name = element.required_attribute("name");
    element.attribute("type");
    link.name = placement_.prefix + name;
    link.place = element.place();
    link.X_WL = placement_.X_WM;
    if (const auto inertial = element.child("inertial")) link.inertial = read_inertial(*inertial);
    for (const XmlElement& visual : element.children("visual")) read_visual(visual, link);
    for (const XmlElement& collision : element.children("collision")) read_collision(collision, link);
    if (name == "world") {
      // The ground itself; shapes on it stand on a static link.
      if (link.collisions.empty() && link.visuals.empty()) return;
      link.name = placement_.prefix + "world_link";
      link.is_static = true;
      link.X_WL = Pose();
    }
    context_.assembly.links.push_back(std::move(link));
  }

  static Inertial read_inertial(const XmlElement& element) {
    Inertial inertial;
    inertial.place = element.place();
    inertial.X_LI = read_origin(element);
    if (const auto mass = element.child("mass")) inertial.mass = mass->required_number_attribute("value");
    if (const auto I = element.child("inertia")) {
      const auto entry = [&](const char* name) { return I->number_attribute(name).value_or(0.0); };
      inertial.inertia =
          inertia_matrix(entry("ixx"), entry("iyy"), entry("izz"), entry("ixy"), entry("ixz"), entry("iyz"));
    }
    return inertial;
  }

  void read_visual(const XmlElement& element, Link& link) {
    element.attribute("name");
    const std::optional<LinkShape> shape = read_shape(element, true);
    Visual visual{element.place(), read_origin(element), shape.value_or(Sphere{1.0})};
    if (const auto material = element.child("material"))
      if (const auto rgba = read_color(*material)) visual.rgba = *rgba;
    if (shape) link.visuals.push_back(std::move(visual));
  }

  void read_collision(const XmlElement& element, Link& link) {
    const std::optional<LinkShape> shape = read_shape(element, false);
    Collision collision{element.attribute("name").value_or(""), element.place(), read_origin(element),
                        shape.value_or(Sphere{1.0})};
    LegacyFriction legacy;
    if (const auto old = element.child("drake_compliance")) {
      legacy.mu_static = old->child_number("static_friction");
      legacy.mu_dynamic = old->child_number("dynamic_friction");
    }
    read_proximity_properties(element, legacy, context_.diagnostics, collision);
    if (shape) link.collisions.push_back(std::move(collision));
  }

  std::optional<LinkShape> read_shape(const XmlElement& owner, bool is_visual) {
    const XmlElement geometry = owner.required_child("geometry");
    const auto size = [](const XmlElement& shape, const char* name) {
      return positive(shape.required_number_attribute(name), name, shape.place());
    };
    if (const auto box = geometry.child("box")) {
      box->required_attribute("size");
      const Vec3 s = *box->vector_attribute("size");
      return Box{positive(s.x(), "box size", box->place()), positive(s.y(), "box size", box->place()),
                 positive(s.z(), "box size", box->place())};
    }
    if (const auto sphere = geometry.child("sphere")) return Sphere{size(*sphere, "radius")};
    if (const auto c = geometry.child("cylinder")) return Cylinder{size(*c, "radius"), size(*c, "length")};
    for (const char* tag : {"capsule", "drake:capsule"})
      if (const auto c = geometry.child(tag)) return Capsule{size(*c, "radius"), size(*c, "length")};
    for (const char* tag : {"ellipsoid", "drake:ellipsoid"})
      if (const auto e = geometry.child(tag)) return Ellipsoid{size(*e, "a"), size(*e, "b"), size(*e, "c")};
    if (const auto mesh = geometry.child("mesh")) return read_mesh(*mesh, is_visual);
    for (const XmlElement& other : geometry.peek_children()) {
      other.mark_read();
      context_.diagnostics.warn(other.place(), "the shape <{}> is unknown and left out", other.name());
      return std::nullopt;
    }
    fail(geometry.place(), "<geometry> is empty; give it a <box>, <sphere>, <cylinder>, … or <mesh>");
  }

  std::optional<LinkShape> read_mesh(const XmlElement& mesh, bool is_visual) {
    Vec3 scale = Vec3::Ones();
    if (const auto text = mesh.attribute("scale")) {
      // One number scales all axes, as many files have it.
      const bool one = text->find_first_of(" \t\r\n") == std::string::npos;
      scale = one ? Vec3::Constant(*mesh.number_attribute("scale")) : *mesh.vector_attribute("scale");
    }
    return read_mesh_reference(mesh.required_attribute("filename"), scale,
                               mesh.child("drake:declare_convex").has_value(), is_visual, mesh.place(), context_);
  }

  void read_joint(const XmlElement& element) {
    Joint joint;
    const std::string name = element.required_attribute("name");
    joint.name = placement_.prefix + name;
    joint.place = element.place();
    const std::string type = element.required_attribute("type");
    const XmlElement parent = element.required_child("parent"), child = element.required_child("child");
    joint.parent = find_link(parent.required_attribute("link"), parent.place());
    joint.child = find_link(child.required_attribute("link"), child.place());
    if (joint.child == kWorld)
      fail(child.place(), "the world cannot be the child of joint \"{}\": swap its links", name);
    if (!children_.insert(joint.child).second)
      fail(child.place(), "link \"{}\" is the child of a second joint, \"{}\": in URDF links form a tree",
           child.required_attribute("link"), name);
    joint.X_PJ = read_origin(element);
    if (joint.parent == kWorld) joint.X_PJ = placement_.X_WM * joint.X_PJ;
    joint.motions = motions_of_type(type, joint.place);
    read_axis(element, type, joint);
    read_limit(element, type, joint);
    read_dynamics(element, joint);
    if (type == "screw") read_screw(element, joint);
    context_.assembly.joints.push_back(std::move(joint));
  }

  static void read_axis(const XmlElement& element, const std::string& type, Joint& joint) {
    const auto axis = element.child("axis");
    const Vec3 xyz = axis ? axis->vector_attribute("xyz").value_or(Vec3::UnitX()) : Vec3::UnitX();
    const Place place = axis ? axis->place() : joint.place;
    if (type == "planar") {
      // The axis is the plane's normal: turn the joint's frame so that its z is that.
      const Mat3 R = rotation_from_z(axis ? xyz : Vec3::UnitZ(), place);
      joint.X_PJ.R = joint.X_PJ.R * R;
      joint.X_CJ.R = R;
    } else if (type == "revolute" || type == "continuous" || type == "prismatic" || type == "screw") {
      for (Motion& motion : joint.motions) motion.axis = unit_axis(xyz, place);
    }
  }

  void read_limit(const XmlElement& element, const std::string& type, Joint& joint) {
    const auto limit = element.child("limit");
    const bool needs_limits = type == "revolute" || type == "prismatic";
    if (!limit) {
      if (needs_limits) context_.diagnostics.warn(joint.place, "<joint type=\"{}\"> has no <limit>: unlimited", type);
      return;
    }
    const auto lower = limit->number_attribute("lower"), upper = limit->number_attribute("upper");
    const auto effort = limit->number_attribute("effort"), velocity = limit->number_attribute("velocity");
    const auto acceleration = limit->number_attribute("drake:acceleration");
    if (joint.motions.empty()) return;
    Motion& motion = joint.motions.front();
    if (needs_limits && (lower || upper))
      set_limits(lower.value_or(0.0), upper.value_or(0.0), joint, context_.diagnostics, motion);
    else if (type == "continuous" && (lower || upper))
      context_.diagnostics.warn(limit->place(),
                                "limits of a continuous joint are ignored; make it revolute to keep them");
    if (velocity && std::isfinite(*velocity))
      context_.diagnostics.warn(limit->place(), "velocity limits have no counterpart in MuJoCo and are ignored");
    if (acceleration && std::isfinite(*acceleration))
      context_.diagnostics.warn(limit->place(), "acceleration limits have no counterpart in MuJoCo and are ignored");
    if (effort && *effort < 0.0) fail(limit->place(), "effort = {} must not be negative", *effort);
    if (effort && *effort != 0.0) {
      motion.has_actuator = true;
      motion.effort = *effort;
    }
  }

  void read_dynamics(const XmlElement& element, Joint& joint) {
    if (const auto dynamics = element.child("dynamics")) {
      const double damping = dynamics->number_attribute("damping").value_or(0.0);
      const double friction = dynamics->number_attribute("friction").value_or(0.0);
      if (!(damping >= 0.0) || !(friction >= 0.0))
        fail(dynamics->place(), "damping and friction of joint \"{}\" must not be negative", joint.name);
      for (Motion& motion : joint.motions) motion.damping = damping, motion.friction = friction;
    }
    if (const auto mimic = element.child("mimic")) {
      Mimic coupling{placement_.prefix + mimic->required_attribute("joint"),
                     mimic->number_attribute("multiplier").value_or(1.0),
                     mimic->number_attribute("offset").value_or(0.0)};
      if (joint.motions.size() != 1) {
        context_.diagnostics.warn(mimic->place(),
                                  "<mimic> of joint \"{}\" is ignored: it is not one hinge or one slide", joint.name);
      } else {
        joint.motions.front().initial_position = coupling.offset;
        joint.motions.front().mimic = std::move(coupling);
      }
    }
  }

  static void read_screw(const XmlElement& element, Joint& joint) {
    const XmlElement pitch = element.required_child("drake:screw_thread_pitch");
    joint.screw_lead = pitch.required_number_attribute("value") / (2.0 * M_PI);
  }

  void read_transmission(const XmlElement& element) {
    element.attribute("name"), element.attribute("type");
    element.child("type");
    const std::vector<XmlElement> joints = element.children("joint");
    const auto actuator = element.child("actuator");
    if (actuator) actuator->child("hardwareInterface");
    if (joints.size() != 1) {
      context_.diagnostics.warn(element.place(), "a transmission with {} joints is not read; one joint each is",
                                joints.size());
      return;
    }
    joints.front().child("hardwareInterface");
    const std::string name = joints.front().required_attribute("name");
    Joint* joint = context_.assembly.find_joint(placement_.prefix + name);
    if (joint == nullptr) fail(joints.front().place(), "there is no joint \"{}\"", name);
    if (joint->motions.size() != 1) return;
    read_actuator(element, actuator, joint->motions.front());
  }

  void read_actuator(const XmlElement& transmission, const std::optional<XmlElement>& actuator, Motion& motion) {
    if (!motion.has_actuator && !limits_effort_to_zero(transmission)) motion.has_actuator = true;
    if (!actuator) return;
    if (const auto name = actuator->attribute("name")) motion.actuator_name = placement_.prefix + *name;
    for (const auto& owner : {*actuator, transmission})
      if (const auto reduction = owner.child("mechanicalReduction"))
        if (reduction->number() != 1.0)
          context_.diagnostics.warn(reduction->place(),
                                    "mechanicalReduction is ignored: efforts are those of the joint");
    const auto value = [&](const char* name) {
      const auto child = actuator->child(name);
      return child ? std::optional(child->required_number_attribute("value")) : std::nullopt;
    };
    const double ratio = value("drake:gear_ratio").value_or(1.0), inertia = value("drake:rotor_inertia").value_or(0.0);
    if (!(inertia >= 0.0)) fail(actuator->place(), "rotor_inertia = {} must not be negative", inertia);
    motion.armature = ratio * ratio * inertia;
  }

  /// True if the joint's own <limit> says effort="0": then it is passive, transmission or not.
  bool limits_effort_to_zero(const XmlElement& transmission) const {
    const std::string name = transmission.required_child("joint").required_attribute("name");
    for (const XmlElement& joint : robot_.children("joint"))
      if (joint.attribute("name") == name)
        if (const auto limit = joint.child("limit")) return limit->number_attribute("effort") == 0.0;
    return false;
  }

  void read_frame(const XmlElement& element) {
    const int link = find_link(element.required_attribute("link"), element.place());
    const Pose X_LF = read_pose(element);
    context_.assembly.frames.push_back(
        {placement_.prefix + element.required_attribute("name"), link, link == kWorld ? placement_.X_WM * X_LF : X_LF});
  }

  void read_filter_groups() {
    std::vector<FilterGroup> groups;
    const auto names = [&](const XmlElement& group, const char* tag, const char* attribute) {
      std::vector<std::string> all;
      for (const XmlElement& entry : group.children(tag))
        all.push_back(placement_.prefix + entry.required_attribute(attribute));
      return all;
    };
    for (const XmlElement& element : robot_.children("drake:collision_filter_group")) {
      if (element.attribute("ignore") == "true") continue;
      groups.push_back({placement_.prefix + element.required_attribute("name"), element.place(),
                        names(element, "drake:member", "link"),
                        names(element, "drake:member_collision_filter_group", "name"),
                        names(element, "drake:ignored_collision_filter_group", "name")});
    }
    apply_filter_groups(groups, context_.assembly);
  }

  XmlElement robot_;
  const Placement& placement_;
  ReadContext& context_;
  std::map<std::string, Rgba> colors_;
  std::set<int> children_;  ///< Links that are a joint's child.
};

}  // namespace

void read_urdf(XmlDocument& document, const Placement& placement, ReadContext& context) {
  XmlElement robot = document.root();
  if (robot.name() != "robot") fail(robot.place(), "this is no URDF: its root is <{}>, not <robot>", robot.name());
  if (const auto name = robot.attribute("name"); name && placement.prefix.empty()) context.assembly.name = *name;
  UrdfReader(robot, placement, context).read();
  document.report_unread(context.diagnostics);
}

}  // namespace patchfield
