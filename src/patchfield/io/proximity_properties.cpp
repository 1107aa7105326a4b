// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/proximity_properties.h"

#include <algorithm>
#include <cmath>

namespace patchfield {
namespace {

/// A property as a number: the attribute `value` or the text.
double property_value(const XmlElement& element) {
  if (const std::optional<double> value = element.number_attribute("value")) return *value;
  if (element.text().empty())
    fail(element.place(), "{} needs a number, between its tags (SDF) or as value=\"…\" (URDF)", element.label());
  return element.number();
}

std::optional<double> read_value(const XmlElement& properties, const std::string& name, bool may_be_zero,
                                 const char* unit) {
  const std::optional<XmlElement> element = properties.child(name);
  if (!element) return std::nullopt;
  const double value = property_value(*element);
  if (!std::isfinite(value) || value < 0.0 || (value == 0.0 && !may_be_zero))
    fail(element->place(), "{} = {} [{}] must be {} and finite", element->label(), value, unit,
         may_be_zero ? "zero or positive" : "positive");
  return value;
}

enum class Kind { kNone, kRigid, kCompliant };

Kind read_kind(const XmlElement& properties) {
  if (const auto old = properties.child("drake:soft_hydroelastic"))
    fail(old->place(), "<drake:soft_hydroelastic> is the old name; write <drake:compliant_hydroelastic/>");
  const auto compliant = properties.child("drake:compliant_hydroelastic");
  const auto rigid = properties.child("drake:rigid_hydroelastic");
  if (compliant && rigid)
    fail(std::max(compliant->place().line, rigid->place().line) == rigid->place().line ? rigid->place()
                                                                                       : compliant->place(),
         "both <drake:compliant_hydroelastic/> and <drake:rigid_hydroelastic/>: keep one");
  return compliant ? Kind::kCompliant : rigid ? Kind::kRigid : Kind::kNone;
}

/// The friction that discrete solvers use: the dynamic coefficient. One given fills both.
std::optional<double> choose_mu(std::optional<double> mu_static, std::optional<double> mu_dynamic, const Place& place,
                                Diagnostics& diagnostics) {
  if (!mu_static && !mu_dynamic) return std::nullopt;
  const double dynamic = mu_dynamic ? *mu_dynamic : *mu_static;
  if (mu_static && *mu_static < dynamic)
    fail(place, "mu_dynamic = {} is above mu_static = {}; it must not be", dynamic, *mu_static);
  if (mu_static && *mu_static > dynamic)
    diagnostics.warn(place, "mu_static = {} is not used: the solvers know one coefficient, mu_dynamic = {}", *mu_static,
                     dynamic);
  return dynamic;
}

std::optional<double> legacy_mu(const LegacyFriction& legacy, const Place& place, Diagnostics& diagnostics) {
  for (const std::optional<double>& mu : {legacy.mu_static, legacy.mu_dynamic})
    if (mu && !(*mu >= 0.0 && std::isfinite(*mu))) fail(place, "friction {} must be zero or positive and finite", *mu);
  std::optional<double> dynamic = legacy.mu_dynamic;
  if (dynamic && legacy.mu_static && *dynamic > *legacy.mu_static) {
    diagnostics.warn(place, "friction: mu2 is above mu; the smaller is used");
    dynamic = legacy.mu_static;
  }
  return choose_mu(legacy.mu_static, dynamic, place, diagnostics);
}

bool is_round(const LinkShape& shape) {
  return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Cylinder>(shape) ||
         std::holds_alternative<Capsule>(shape) || std::holds_alternative<Ellipsoid>(shape);
}

/// A surface mesh that is to be filled with tetrahedra takes the hint as their size.
bool is_meshed(const Collision& collision) {
  const MeshFile* mesh = std::get_if<MeshFile>(&collision.shape);
  return mesh != nullptr && collision.contact && collision.contact->compliant && !mesh->convex &&
         mesh->file.extension() != ".vtk";
}

void explain_unused(const XmlElement& properties, const Collision& collision, Diagnostics& diagnostics) {
  const GeomSettings& said = *collision.contact;
  const Place place = properties.place();
  if (said.resolution && !is_round(collision.shape) && !is_meshed(collision))
    diagnostics.warn(place, "mesh_resolution_hint has no effect on this shape: only round shapes are meshed by it");
  if (said.slab_thickness && !std::holds_alternative<PlanePatch>(collision.shape))
    diagnostics.warn(place, "slab_thickness has no effect on this shape: it is for planes");
  if (!said.compliant && (said.modulus || said.margin || said.slab_thickness))
    diagnostics.warn(place,
                     "this collision is rigid: hydroelastic_modulus, hydroelastic_margin and slab_thickness are "
                     "ignored. Add <drake:compliant_hydroelastic/> if it shall give way");
}

/// Leaves out what Model would warn of again, without a line.
void drop_unused(const Collision& collision, GeomSettings& said) {
  if (!is_round(collision.shape) && !is_meshed(collision)) said.resolution.reset();
  if (!std::holds_alternative<PlanePatch>(collision.shape)) said.slab_thickness.reset();
  if (!said.compliant) said.modulus.reset(), said.margin.reset(), said.slab_thickness.reset();
}

}  // namespace

void read_proximity_properties(const XmlElement& collision_element, const LegacyFriction& legacy,
                               Diagnostics& diagnostics, Collision& collision) {
  const std::optional<XmlElement> properties = collision_element.child("drake:proximity_properties");
  if (!properties) {
    collision.mu = legacy_mu(legacy, collision_element.place(), diagnostics).value_or(collision.mu);
    return;
  }
  const Kind kind = read_kind(*properties);
  GeomSettings& said = collision.contact.emplace();
  said.compliant = kind == Kind::kCompliant;
  said.modulus = read_value(*properties, "drake:hydroelastic_modulus", false, "Pa");
  said.resolution = read_value(*properties, "drake:mesh_resolution_hint", false, "m");
  said.margin = read_value(*properties, "drake:hydroelastic_margin", true, "m");
  said.slab_thickness = read_value(*properties, "patchfield:slab_thickness", false, "m");
  const auto other_slab = read_value(*properties, "drake:slab_thickness", false, "m");
  if (!said.slab_thickness) said.slab_thickness = other_slab;
  said.hunt_crossley = read_value(*properties, "drake:hunt_crossley_dissipation", true, "s/m");
  // Drake's default, not ours: an annotated model keeps its meaning.
  said.relaxation_time = read_value(*properties, "drake:relaxation_time", true, "s").value_or(0.1);
  const auto mu_static = read_value(*properties, "drake:mu_static", true, "-");
  const auto mu_dynamic = read_value(*properties, "drake:mu_dynamic", true, "-");
  if (const auto k = properties->child("drake:point_contact_stiffness")) {
    read_value(*properties, "drake:point_contact_stiffness", false, "N/m");
    diagnostics.warn(
        k->place(), "point_contact_stiffness is not used: pairs without a pressure field have MuJoCo's point contacts");
  }
  const auto mu = choose_mu(mu_static, mu_dynamic, properties->place(), diagnostics);
  collision.mu = mu ? *mu : legacy_mu(legacy, properties->place(), diagnostics).value_or(collision.mu);
  said.mu = collision.mu;
  if (const MeshFile* mesh = std::get_if<MeshFile>(&collision.shape)) said.hull = mesh->convex;
  if (std::holds_alternative<ConvexHull>(collision.shape)) said.hull = true;
  explain_unused(*properties, collision, diagnostics);
  drop_unused(collision, said);
}

}  // namespace patchfield
