// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "patchfield/io/sdf_links.h"

namespace patchfield {
namespace {

double size_of(const XmlElement& shape, const char* name) {
  const XmlElement element = shape.required_child(name);
  return positive(element.number(), name, element.place());
}

LinkShape read_box(const XmlElement& box) {
  const XmlElement size = box.required_child("size");
  const Vec3 s = size.vector();
  for (int i = 0; i < 3; ++i) positive(s[i], "box size", size.place());
  return Box{s.x(), s.y(), s.z()};
}

/// SDF has <radii>, Drake's tag <a>, <b>, <c>.
LinkShape read_ellipsoid(const XmlElement& ellipsoid) {
  const auto radii = ellipsoid.child("radii");
  if (!radii) return Ellipsoid{size_of(ellipsoid, "a"), size_of(ellipsoid, "b"), size_of(ellipsoid, "c")};
  const Vec3 r = radii->vector();
  for (int i = 0; i < 3; ++i) positive(r[i], "radius", radii->place());
  return Ellipsoid{r.x(), r.y(), r.z()};
}

/// The tip is up. The hull of its tip and 64 corners: 0.2 % less volume than the round one.
LinkShape read_cone(const XmlElement& cone) {
  constexpr int kSegments = 64;
  const double radius = size_of(cone, "radius"), half = size_of(cone, "length") / 2.0;
  ConvexHull hull{{{0.0, 0.0, half}}};
  for (int i = 0; i < kSegments; ++i) {
    const double angle = 2.0 * M_PI * i / kSegments;
    hull.points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), -half);
  }
  return hull;
}

LinkShape read_plane(const XmlElement& plane, Pose& X_GS) {
  if (const auto normal = plane.child("normal")) X_GS.R = rotation_from_z(normal->vector(), normal->place());
  PlanePatch patch;
  if (const auto size = plane.child("size")) {
    const std::vector<double> s = size->numbers(2);
    patch = {positive(s[0], "plane size", size->place()), positive(s[1], "plane size", size->place())};
  }
  return patch;
}

std::optional<LinkShape> read_mesh(const XmlElement& mesh, bool is_visual, ReadContext& context) {
  const auto scale = mesh.child("scale");
  return read_mesh_reference(mesh.required_child("uri").text(), scale ? scale->vector() : Vec3::Ones(),
                             mesh.child("drake:declare_convex").has_value(), is_visual, mesh.place(), context);
}

}  // namespace

std::optional<LinkShape> read_sdf_shape(const XmlElement& geometry, bool is_visual, ReadContext& context, Pose& X_GS) {
  if (const auto box = geometry.child("box")) return read_box(*box);
  if (const auto sphere = geometry.child("sphere")) return Sphere{size_of(*sphere, "radius")};
  if (const auto c = geometry.child("cylinder")) return Cylinder{size_of(*c, "radius"), size_of(*c, "length")};
  for (const char* tag : {"capsule", "drake:capsule"})
    if (const auto c = geometry.child(tag)) return Capsule{size_of(*c, "radius"), size_of(*c, "length")};
  for (const char* tag : {"ellipsoid", "drake:ellipsoid"})
    if (const auto ellipsoid = geometry.child(tag)) return read_ellipsoid(*ellipsoid);
  if (const auto cone = geometry.child("cone")) return read_cone(*cone);
  if (const auto plane = geometry.child("plane")) return read_plane(*plane, X_GS);
  if (const auto mesh = geometry.child("mesh")) return read_mesh(*mesh, is_visual, context);
  if (geometry.child("empty")) return std::nullopt;
  for (const XmlElement& other : geometry.peek_children()) {
    other.mark_all_read();
    context.diagnostics.warn(other.place(), "the shape <{}> has no counterpart here and is left out", other.name());
    return std::nullopt;
  }
  fail(geometry.place(), "<geometry> is empty; give it a <box>, <sphere>, <cylinder>, <mesh>, …");
}

}  // namespace patchfield
