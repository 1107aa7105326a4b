// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/io/sdf_writer_parts.h"

namespace patchfield {
namespace {

std::string tag(const char* name, double value) { return fmt::format("<drake:{0}>{1}</drake:{0}>", name, value); }

}  // namespace

SdfGeomWriter::SdfGeomWriter(const Model& model, const std::string& stem, SdfExport& out)
    : model_(model), m_(model.mujoco()), stem_(stem), out_(out), collides_(static_cast<std::size_t>(m_->ngeom)) {
  for (int g = 0; g < m_->ngeom; ++g)
    for (int h = 0; h < m_->ngeom; ++h)
      if (g != h && model.pairs()(g, h) != PairKind::kNone) collides_[static_cast<std::size_t>(g)] = true;
}

void SdfGeomWriter::write(int geom, bool stands) {
  const std::string shape = shape_text(geom, stands), name = escaped(name_or(m_, mjOBJ_GEOM, geom, "geom"));
  if (shape.empty()) return;
  const std::string pose = pose_text(m_->geom_pos + 3 * geom, m_->geom_quat + 4 * geom);
  const float* c = m_->geom_rgba + 4 * geom;
  out_.text += fmt::format(
      "      <visual name=\"{0}_visual\"><pose>{1}</pose><geometry>{2}</geometry>\n"
      "        <material><diffuse>{3} {4} {5} {6}</diffuse></material></visual>\n",
      name, pose, shape, c[0], c[1], c[2], c[3]);
  if (!collides(geom)) return;
  out_.text += fmt::format(
      "      <collision name=\"{0}\"><pose>{1}</pose><geometry>{2}</geometry>\n"
      "        <drake:proximity_properties>{3}</drake:proximity_properties></collision>\n",
      name, pose, shape, proximity_text(geom));
}

std::string SdfGeomWriter::proximity_text(int geom) const {
  const Geom& g = model_.geom(geom);
  std::string text = g.compliant ? "<drake:compliant_hydroelastic/>" : "<drake:rigid_hydroelastic/>";
  if (g.compliant) text += tag("hydroelastic_modulus", g.material.modulus) + tag("hydroelastic_margin", g.margin);
  if (g.compliant && g.settings.slab_thickness) text += tag("slab_thickness", *g.settings.slab_thickness);
  if (g.resolution) text += tag("mesh_resolution_hint", *g.resolution);
  return text + tag("mu_dynamic", g.material.mu) + tag("hunt_crossley_dissipation", g.material.hunt_crossley) +
         tag("relaxation_time", g.material.relaxation_time);
}

std::string SdfGeomWriter::shape_text(int geom, bool stands) {
  const mjtNum* s = m_->geom_size + 3 * geom;
  switch (m_->geom_type[geom]) {
    case mjGEOM_SPHERE: return fmt::format("<sphere><radius>{}</radius></sphere>", s[0]);
    case mjGEOM_BOX: return fmt::format("<box><size>{} {} {}</size></box>", 2 * s[0], 2 * s[1], 2 * s[2]);
    case mjGEOM_CYLINDER:
      return fmt::format("<cylinder><radius>{}</radius><length>{}</length></cylinder>", s[0], 2 * s[1]);
    case mjGEOM_CAPSULE:
      return fmt::format("<capsule><radius>{}</radius><length>{}</length></capsule>", s[0], 2 * s[1]);
    case mjGEOM_ELLIPSOID: return fmt::format("<ellipsoid><radii>{} {} {}</radii></ellipsoid>", s[0], s[1], s[2]);
    case mjGEOM_PLANE:
      if (stands)
        return fmt::format("<plane><normal>0 0 1</normal><size>{} {}</size></plane>", s[0] > 0 ? 2 * s[0] : 100.0,
                           s[1] > 0 ? 2 * s[1] : 100.0);
      break;
    case mjGEOM_MESH: return mesh_text(geom);
    default: break;
  }
  out_.unsaid.push_back(
      fmt::format("geom \"{}\" has a shape that SDF does not have (height field, SDF or a moving plane)",
                  name_or(m_, mjOBJ_GEOM, geom, "geom")));
  return "";
}

/// The compiled mesh, in the frame that MuJoCo gave it.
std::string SdfGeomWriter::mesh_text(int geom) {
  const GeomSettings& said = model_.geom(geom).settings;
  if (!said.volume.empty())
    throw InputError(
        fmt::format("geom \"{}\" takes its tetrahedra from {}, in a frame that the compiled model no longer "
                    "has. Export the model it was made from",
                    name_or(m_, mjOBJ_GEOM, geom, "geom"), said.volume));
  const int mesh = m_->geom_dataid[geom];
  const std::string file = fmt::format("{}_{}.obj", stem_, name_or(m_, mjOBJ_MESH, mesh, "mesh"));
  std::string& obj = out_.meshes[file];
  if (obj.empty()) {
    for (int v = 0; v < m_->mesh_vertnum[mesh]; ++v) {
      const float* p = m_->mesh_vert + 3 * (m_->mesh_vertadr[mesh] + v);
      obj += fmt::format("v {} {} {}\n", p[0], p[1], p[2]);
    }
    for (int f = 0; f < m_->mesh_facenum[mesh]; ++f) {
      const int* t = m_->mesh_face + 3 * (m_->mesh_faceadr[mesh] + f);
      obj += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    }
  }
  return fmt::format("<mesh>{}<uri>{}</uri></mesh>", said.hull ? "<drake:declare_convex/>" : "", file);
}

}  // namespace patchfield
