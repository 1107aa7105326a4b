// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/sdf_links.h"

#include <algorithm>

#include "patchfield/io/proximity_properties.h"

namespace patchfield {
namespace {

class LinkReader {
 public:
  LinkReader(const XmlElement& element, std::string name, SdfScope& scope, ReadContext& context)
      : element_(element), name_(std::move(name)), scope_(scope), context_(context) {}

  Link read() {
    link_.name = scope_.prefix() + name_;
    link_.place = element_.place();
    element_.attribute("name");
    X_SL_ = scope_.pose(name_, link_.place);
    link_.X_WL = scope_.world_pose() * X_SL_;
    link_.is_static = scope_.is_static;
    link_.gravity = element_.child_boolean("gravity").value_or(true);
    if (element_.child_boolean("kinematic").value_or(false))
      context_.diagnostics.warn(link_.place, "<kinematic> is not honoured: forces move the link");
    read_inertial();
    for (const XmlElement& visual : element_.children("visual")) read_visual(visual);
    for (const XmlElement& collision : element_.children("collision")) read_collision(collision);
    return std::move(link_);
  }

 private:
  /// Pose of something on the link, relative to the link unless it says otherwise.
  Pose pose_on_link(const XmlElement& owner) {
    const SdfPose written = read_sdf_pose(owner);
    if (written.relative_to.empty() || written.relative_to == name_) return written.pose;
    return X_SL_.inverse() * scope_.resolve(written, name_, owner.place());
  }

  void read_inertial() {
    const auto element = element_.child("inertial");
    if (!element) {
      // What SDF prescribes.
      link_.inertial = Inertial{.place = link_.place, .mass = 1.0, .inertia = Mat3::Identity()};
      if (!link_.is_static)
        context_.diagnostics.warn(
            link_.place, "link \"{}\" has no <inertial>: 1 kg and 1 kg·m² about every axis, as SDF has it", link_.name);
      return;
    }
    const std::string automatic = element->attribute("auto").value_or("false");
    if (automatic == "true" || automatic == "1") {
      link_.inertia_from_shapes = true;
      density_ = element->child_number("density");
      return;
    }
    Inertial inertial{.place = element->place(), .mass = element->child_number("mass").value_or(1.0)};
    inertial.X_LI = pose_on_link(*element);
    inertial.inertia = Mat3::Identity();
    if (const auto I = element->child("inertia")) {
      const auto entry = [&](const char* name, double usual) { return I->child_number(name).value_or(usual); };
      inertial.inertia = inertia_matrix(entry("ixx", 1.0), entry("iyy", 1.0), entry("izz", 1.0), entry("ixy", 0.0),
                                        entry("ixz", 0.0), entry("iyz", 0.0));
    } else if (!link_.is_static) {
      context_.diagnostics.warn(inertial.place, "link \"{}\" has no <inertia>: 1 kg·m² about every axis, as SDF has it",
                                link_.name);
    }
    link_.inertial = inertial;
  }

  void read_visual(const XmlElement& element) {
    element.attribute("name");
    Pose X_GS;
    const auto shape = read_sdf_shape(element.required_child("geometry"), true, context_, X_GS);
    Visual visual{element.place(), pose_on_link(element) * X_GS, shape.value_or(Sphere{1.0})};
    if (const auto material = element.child("material"))
      if (const auto diffuse = material->child("diffuse")) read_color(*diffuse, visual);
    if (const auto transparency = element.child_number("transparency"))
      visual.rgba[3] *= static_cast<float>(1.0 - *transparency);
    if (shape) link_.visuals.push_back(std::move(visual));
  }

  static void read_color(const XmlElement& diffuse, Visual& visual) {
    const std::string text = diffuse.text();
    const bool has_alpha = std::count(text.begin(), text.end(), ' ') >= 3;
    const std::vector<double> x = diffuse.numbers(has_alpha ? 4 : 3);
    for (std::size_t i = 0; i < x.size(); ++i) visual.rgba[i] = static_cast<float>(x[i]);
  }

  void read_collision(const XmlElement& element) {
    Pose X_GS;
    const auto shape = read_sdf_shape(element.required_child("geometry"), false, context_, X_GS);
    Collision collision{element.attribute("name").value_or(""), element.place(), pose_on_link(element) * X_GS,
                        shape.value_or(Sphere{1.0})};
    LegacyFriction legacy;
    if (const auto surface = element.child("surface")) read_surface(*surface, legacy, collision);
    read_proximity_properties(element, legacy, context_.diagnostics, collision);
    collision.density = element.child_number("density");
    if (!collision.density) collision.density = density_;
    if (collision.density) positive(*collision.density, "density", collision.place);
    if (shape) link_.collisions.push_back(std::move(collision));
  }

  static void read_surface(const XmlElement& surface, LegacyFriction& legacy, Collision& collision) {
    if (const auto friction = surface.child("friction"))
      if (const auto ode = friction->child("ode")) {
        legacy.mu_static = ode->child_number("mu");
        legacy.mu_dynamic = ode->child_number("mu2");
      }
    if (const auto contact = surface.child("contact"))
      if (const auto mask = contact->child("collide_bitmask")) collision.mask = read_mask(*mask);
  }

  static int read_mask(const XmlElement& element) {
    const std::string text = element.text();
    try {
      std::size_t used = 0;
      const int mask = std::stoi(text, &used, 0);  // decimal or 0x…
      if (used == text.size() && mask >= 0) return mask;
    } catch (const std::exception&) {
      // falls through to the message
    }
    fail(element.place(), "collide_bitmask \"{}\" must be a number such as 0xffff", text);
  }

  const XmlElement& element_;
  std::string name_;
  SdfScope& scope_;
  ReadContext& context_;
  Pose X_SL_;
  Link link_;
  std::optional<double> density_;  ///< For collisions without their own.
};

}  // namespace

Link read_sdf_link(const XmlElement& element, const std::string& name, SdfScope& scope, ReadContext& context) {
  return LinkReader(element, name, scope, context).read();
}

}  // namespace patchfield
