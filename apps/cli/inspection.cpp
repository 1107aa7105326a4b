// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "inspection.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/press.h"
#include "patchfield/io/mesh_file.h"
#include "patchfield/io/volume_maker.h"
#include "patchfield/model/geom_shapes.h"

namespace patchfield::cli {
namespace {

// Models --------------------------------------------------------------------------------------

std::string what_was_read(const mjModel* m, int g, const GeomSettings& said) {
  const mjtNum* s = m->geom_size + 3 * g;
  switch (m->geom_type[g]) {
    case mjGEOM_SPHERE: return fmt::format("sphere r {:.4g}", s[0]);
    case mjGEOM_CAPSULE: return fmt::format("capsule r {:.4g} l {:.4g}", s[0], 2 * s[1]);
    case mjGEOM_CYLINDER: return fmt::format("cylinder r {:.4g} l {:.4g}", s[0], 2 * s[1]);
    case mjGEOM_ELLIPSOID: return fmt::format("ellipsoid {:.4g} {:.4g} {:.4g}", s[0], s[1], s[2]);
    case mjGEOM_BOX: return fmt::format("box {:.4g} {:.4g} {:.4g}", 2 * s[0], 2 * s[1], 2 * s[2]);
    case mjGEOM_MESH: {
      const char* mesh = mj_id2name(m, mjOBJ_MESH, m->geom_dataid[g]);
      const char* kind = said.hull ? ", its hull" : !said.volume.empty() ? ", VTK" : "";
      return fmt::format("mesh {}{}", mesh != nullptr ? mesh : "", kind);
    }
    default: return geom_type_name(m->geom_type[g]);
  }
}

void describe_geometry(const Geom& geom, GeomRow& row) {
  if (!geom.geometry) {
    row.became = "points only";
    return;
  }
  const Geometry& geometry = *geom.geometry;
  row.num_tets = static_cast<int>(geometry.volume().mesh.tets.size());
  row.num_triangles = static_cast<int>(geometry.surface().triangles.size());
  const std::string soft = geom.soft_geometry ? fmt::format(", soft {:.3g} Pa on rigid ones", geom.soft_modulus) : "";
  if (geometry.half_space()) row.became = geom.compliant ? "soft half space" : "half space";
  else if (geom.compliant) row.became = fmt::format("{} tetrahedra", row.num_tets);
  else row.became = fmt::format("{} triangles{}", row.num_triangles, soft);
  row.repairs = geometry.repairs();
  if (!geom.compliant) row.repairs.num_degenerate = geometry.tree().num_degenerate;
  if (!geom.compliant) return;
  row.modulus = geom.material.modulus;
  row.depth = geometry.half_space() ? row.modulus.value() / geometry.half_space()->slope : foundation_depth(geometry);
}

LoadAnswers ask(const Geometry& body, const Vec3& direction, double weight, const InspectOptions& options) {
  LoadAnswers answers;
  const Press press(body, direction);
  if (weight > 0.0) {
    answers.weight = weight;
    answers.depth_by_weight = press.depth(weight);
  }
  answers.depth_by_press = press.depth(options.load);
  if (options.allowed_depth) {
    const std::optional<double> factor = press.stiffening(options.load, *options.allowed_depth);
    if (factor) answers.suggested_modulus = *factor * peak_pressure(body);
  }
  return answers;
}

/// The weight of a body, of all that is welded to it and of all that hangs on it; zero for what cannot move.
double weight_of(const mjModel* m, int body) {
  const int root = m->body_weldid[body];
  return root == 0 ? 0.0 : m->body_subtreemass[root] * mju_norm3(m->opt.gravity);
}

GeomRow describe(const Model& model, const mjData* d, int g, const InspectOptions& options) {
  const mjModel* m = model.mujoco();
  const Geom& geom = model.geom(g);
  GeomRow row;
  row.geom = g;
  row.name = geom.name;
  const char* body = mj_id2name(m, mjOBJ_BODY, m->geom_bodyid[g]);
  row.body = body != nullptr ? body : fmt::format("body {}", m->geom_bodyid[g]);
  row.read = what_was_read(m, g, geom.settings);
  row.compliant = geom.compliant;
  row.mu = geom.material.mu;
  row.hunt_crossley = geom.material.hunt_crossley;
  row.relaxation_time = geom.material.relaxation_time;
  row.margin = geom.margin;
  row.resolution = geom.resolution;
  row.has_default_dissipation = !geom.settings.hunt_crossley;
  for (int other = 0; other < model.num_geoms(); ++other) {
    row.num_patches += model.pairs()(g, other) == PairKind::kPatch;
    row.num_points += model.pairs()(g, other) == PairKind::kPoint;
  }
  describe_geometry(geom, row);
  if (geom.compliant && geom.ladder != nullptr)
    row.resolved_speed = (geom.ladder->depth() + geom.ladder->margin()) / m->opt.timestep;
  if (geom.compliant && !geom.geometry->half_space()) {
    // Down, as the geom lies in the initial state.
    const Vec3 gravity = Eigen::Map<const Vec3>(m->opt.gravity);
    const Vec3 down_W = gravity.norm() > 0.0 ? Vec3(gravity.normalized()) : Vec3(0, 0, -1);
    const Mat3 R_WG = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(d->geom_xmat + 9 * g);
    row.loads = ask(*geom.geometry, R_WG.transpose() * down_W, weight_of(m, m->geom_bodyid[g]), options);
    if (m->body_weldid[m->geom_bodyid[g]] != 0) row.motion = ask_motion(model, d, g, options);
  }
  return row;
}

std::vector<PairRow> list_pairs(const Model& model) {
  std::vector<PairRow> rows;
  for (int a = 0; a < model.num_geoms(); ++a)
    for (int b = a + 1; b < model.num_geoms(); ++b) {
      const PairKind kind = model.pairs()(a, b);
      if (kind == PairKind::kNone) continue;
      const bool both = model.geom(a).compliant && model.geom(b).compliant;
      const char* word = kind == PairKind::kPoint ? "point" : both ? "compliant" : "rigid";
      rows.push_back({model.geom(a).name, model.geom(b).name, word});
    }
  return rows;
}

// Meshes --------------------------------------------------------------------------------------

void describe_size(const std::vector<Vec3>& vertices, MeshInspection& out) {
  out.lower = out.upper = vertices[0];
  for (const Vec3& v : vertices) out.lower = out.lower.cwiseMin(v), out.upper = out.upper.cwiseMax(v);
  const double size = (out.upper - out.lower).norm();
  if (size > 10.0)
    out.warnings.push_back(
        fmt::format("it is {:.3g} m large: are its coordinates millimetres? Then scale it by 0.001", size));
  if (size < 1e-3) out.warnings.push_back(fmt::format("it is {:.3g} m large: is its scale right?", size));
}

void judge_surface(const SurfaceQuality& q, MeshInspection& out) {
  if (q.num_open_edges > 0)
    out.warnings.push_back(fmt::format("{} open edges: the surface has holes", q.num_open_edges));
  if (q.num_crowded_edges > 0)
    out.warnings.push_back(fmt::format("{} edges with more than two triangles", q.num_crowded_edges));
  if (q.num_misoriented_edges > 0)
    out.warnings.push_back(
        fmt::format("{} edges whose triangles disagree about the outside: a rigid body would push the wrong way there",
                    q.num_misoriented_edges));
  if (q.enclosed_volume < 0.0) out.warnings.push_back("it is inside out: a rigid body would pull instead of push");
  out.rigid_verdict = q.num_misoriented_edges > 0 || q.enclosed_volume < 0.0
                          ? "no: its triangles must be counter-clockwise seen from outside. Recompute the normals"
                          : "yes";
}

void describe_volume(const TetMesh& mesh, const std::vector<double>& pressures, const InspectOptions& options,
                     MeshInspection& out) {
  out.works_compliant = true;
  out.compliant_verdict = "yes";
  out.tets = measure(mesh);
  Compliance compliance;
  compliance.vertex_pressures = pressures;
  const Geometry geometry = Geometry::compliant(mesh, compliance);
  out.modulus = peak_pressure(geometry);
  out.repairs = geometry.repairs();
  out.loads = ask(geometry, {0, 0, -1}, 0.0, options);
  if (out.tets.num_voids > 0)
    out.warnings.push_back(
        fmt::format("{} tetrahedra have all corners on the surface and get a vertex inside; thin "
                    "parts are better meshed by patchfield mesh",
                    out.tets.num_voids));
}

}  // namespace

ModelInspection inspect(const Model& model, const InspectOptions& options) {
  const mjModel* m = model.mujoco();
  const std::unique_ptr<mjData, void (*)(mjData*)> d(mj_makeData(m), mj_deleteData);
  mj_kinematics(m, d.get());
  ModelInspection out;
  for (int g = 0; g < model.num_geoms(); ++g) {
    const bool touches = m->geom_contype[g] != 0 || m->geom_conaffinity[g] != 0 || model.geom(g).geometry.has_value();
    if (touches) out.geoms.push_back(describe(model, d.get(), g, options));
    else ++out.num_visual;
  }
  out.pairs = list_pairs(model);
  return out;
}

MeshInspection inspect_mesh(const std::string& path, const TetrahedralizeOptions& mesher,
                            const InspectOptions& options) {
  MeshInspection out;
  TriangleMesh surface;
  VolumeFile volume;
  out.is_volume = std::filesystem::path(path).extension() == ".vtk";
  if (out.is_volume) {
    volume = read_vtk_volume(path);
    surface = boundary(volume.mesh).surface;
    if (volume.was_flipped) out.warnings.push_back("all of its tetrahedra were negative and have been re-oriented");
  } else {
    surface = read_surface_mesh(path);
  }
  out.num_vertices = static_cast<int>(out.is_volume ? volume.mesh.vertices.size() : surface.vertices.size());
  out.num_triangles = static_cast<int>(surface.triangles.size());
  out.pressure_name = volume.pressure_name;
  out.surface = measure(surface);
  describe_size(surface.vertices, out);
  judge_surface(out.surface, out);
  try {
    if (out.is_volume) describe_volume(volume.mesh, volume.vertex_pressures, options, out);
    else describe_volume(VolumeMaker(mesher).fill(surface, mesher.resolution, path), {}, options, out);
  } catch (const InputError& error) {
    out.compliant_verdict = fmt::format("no: {}", error.what());
  }
  return out;
}

}  // namespace patchfield::cli
