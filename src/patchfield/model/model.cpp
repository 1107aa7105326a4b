// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/model/model.h"

#include <algorithm>

#include <fmt/format.h>

#include "patchfield/contact/dissipation.h"
#include "patchfield/core/check.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/tessellate.h"
#include "patchfield/model/geom_shapes.h"
#include "patchfield/model/mjcf.h"

namespace patchfield {

/// Makes the parts of a Model, in this order. Throws InputError.
class ModelBuilder {
 public:
  ModelBuilder(std::shared_ptr<const mjModel> mujoco, const ModelOptions& options)
      : m_(mujoco.get()), options_(options), parts_(std::make_shared<Model::Parts>()) {
    parts_->mujoco = std::move(mujoco);
    parts_->warnings = options.import_warnings;
  }

  Model build() {
    check_model();
    name_geoms();
    read_texts();
    read_options();
    classify_pairs();
    make_geometries();
    silence_patch_geoms();
    warn_about_points();
    Model model;
    model.parts_ = parts_;
    return model;
  }

 private:
  Geom& geom(int i) { return parts_->geoms[static_cast<std::size_t>(i)]; }
  GeomSettings& settings(int i) { return geom(i).settings; }
  bool is_plane(int g) const { return m_->geom_type[g] == mjGEOM_PLANE; }

  template <class... Args>
  void warn(fmt::format_string<Args...> text, Args&&... args) {
    parts_->warnings.push_back(fmt::format(text, std::forward<Args>(args)...));
  }

  void check_model() const {
    if (m_->nbody < 2) throw InputError("the model has no bodies: there is only the world. Add a <body> with a joint");
    if (m_->nv < 1)
      throw InputError(
          fmt::format("the model has {} bodies but no joint, so nothing can move. Add a <freejoint/> or "
                      "a <joint/> to a body",
                      m_->nbody - 1));
    if (!(options_.default_modulus > 0.0 && std::isfinite(options_.default_modulus)))
      throw InputError(fmt::format("default_modulus = {} [Pa] must be positive and finite", options_.default_modulus));
  }

  void name_geoms() {
    parts_->geoms.resize(static_cast<std::size_t>(m_->ngeom));
    for (int g = 0; g < m_->ngeom; ++g) geom(g).name = geom_name(m_, g);
  }

  int find_geom(const std::string& name, const std::string& where) const {
    const int g = mj_name2id(m_, mjOBJ_GEOM, name.c_str());
    if (g >= 0) return g;
    std::string names;
    for (int i = 0, listed = 0; i < m_->ngeom && listed < 20; ++i) {
      const char* other = mj_id2name(m_, mjOBJ_GEOM, i);
      if (other == nullptr || *other == '\0') continue;
      names += (listed++ > 0 ? ", " : "") + std::string(other);
    }
    throw InputError(fmt::format("{}: the model has no geom named \"{}\". {}", where, name,
                                 names.empty() ? "None of its geoms has a name: add name=\"…\" to the <geom>"
                                               : "Its named geoms are: " + names));
  }

  void read_texts() {
    for (int i = 0; i < m_->ntext; ++i) {
      const std::string name = mj_id2name(m_, mjOBJ_TEXT, i);
      if (!name.starts_with(kTextPrefix)) continue;
      const std::string where = fmt::format("text \"{}\"", name);
      const int g = find_geom(name.substr(kTextPrefix.size()), where);
      settings(g) = parse_geom_settings(m_->text_data + m_->text_adr[i], where);
    }
  }

  void read_options() {
    for (const auto& [name, value] : options_.geoms) {
      const std::string where = fmt::format("settings of geom \"{}\"", name);
      check_geom_settings(value, where);
      settings(find_geom(name, where)) = value;
    }
    for (int g = 0; g < m_->ngeom; ++g) {
      const GeomSettings& said = settings(g);
      geom(g).compliant = said.compliant;
      check_shape(g);
      geom(g).material = {.mu = said.mu.value_or(m_->geom_friction[3 * g]),
                          .relaxation_time = said.relaxation_time.value_or(SurfaceMaterial{}.relaxation_time),
                          .hunt_crossley = said.hunt_crossley.value_or(SurfaceMaterial{}.hunt_crossley)};
      if (said.compliant) geom(g).material.modulus = said.modulus.value_or(Compliance{}.modulus);
    }
  }

  /// A compliant mesh becomes tetrahedra, unless its convex hull is good enough.
  bool needs_volume(int g) { return settings(g).compliant && m_->geom_type[g] == mjGEOM_MESH && !settings(g).hull; }

  void check_shape(int g) {
    const GeomSettings& said = settings(g);
    const int type = m_->geom_type[g];
    const std::string& name = geom(g).name;
    if (said.compliant && !has_shape(m_, g))
      throw InputError(
          fmt::format("geom \"{}\" is a {}, which has no pressure field here: make it rigid, or use a "
                      "primitive or a mesh",
                      name, geom_type_name(type)));
    if (needs_volume(g) && !options_.make_volume)
      throw InputError(
          fmt::format("geom \"{}\" is a mesh of triangles, and a compliant body needs tetrahedra: load the model "
                      "through io, which fills it (ModelOptions::make_volume), add the word hull to use its convex "
                      "hull, or say rigid",
                      name));
    if (!said.volume.empty() && !needs_volume(g))
      warn("geom \"{}\": volume has an effect only on a compliant mesh that is not a hull", name);
    if (said.foundation_depth && !needs_volume(g))
      warn("geom \"{}\": foundation_depth has an effect only on a compliant mesh that is not a hull", name);
    const bool round = type >= mjGEOM_SPHERE && type <= mjGEOM_CYLINDER;
    if (said.resolution && !round && !needs_volume(g))
      warn("geom \"{}\": resolution has no effect on a {}", name, geom_type_name(type));
    if (said.slab_thickness && type != mjGEOM_PLANE)
      warn("geom \"{}\": slab_thickness has no effect on a {}", name, geom_type_name(type));
    if (said.hull && type != mjGEOM_MESH) warn("geom \"{}\": hull has no effect on a {}", name, geom_type_name(type));
    if (said.compliant && said.hunt_crossley && restitution(*said.hunt_crossley, kDropSpeed) < kLeastRestitution)
      warn(
          "geom \"{}\": hunt_crossley = {:g} s/m is more than a material has: after a drop of 10 cm less than 1 % of "
          "the speed comes back, and the surface recovers at {:.2g} mm/s at most. docs/materials.md has values",
          name, *said.hunt_crossley, 1e3 / *said.hunt_crossley);
    if (!said.compliant && (said.modulus || said.margin || said.slab_thickness))
      warn("geom \"{}\" is rigid: modulus, margin and slab_thickness are ignored", name);
  }

  void classify_pairs() {
    const int n = static_cast<int>(m_->ngeom);
    parts_->pairs = PairTable(n);
    for (int g1 = 0; g1 < n; ++g1)
      for (int g2 = g1 + 1; g2 < n; ++g2) {
        if (!may_collide(m_, g1, g2)) continue;
        const PairKind kind = classify(g1, g2);
        parts_->pairs.set(g1, g2, kind);
        parts_->has_patches |= kind == PairKind::kPatch;
        parts_->has_points |= kind == PairKind::kPoint;
        const int pair = explicit_pair(m_, g1, g2);
        if (pair >= 0) parts_->pair_mu[{g1, g2}] = m_->pair_friction[5 * pair];
      }
  }

  PairKind classify(int g1, int g2) {
    for (const auto& [a, b] : {std::pair{g1, g2}, std::pair{g2, g1}})
      if (geom(a).compliant && !has_shape(m_, b)) {
        warn("geoms \"{}\" and \"{}\" meet by points: a {} has no shape for patches", geom(a).name, geom(b).name,
             geom_type_name(m_->geom_type[b]));
        return PairKind::kPoint;
      }
    if (geom(g1).compliant || geom(g2).compliant) return PairKind::kPatch;
    switch (options_.rigid_rigid) {
      case RigidRigid::kPoint: return PairKind::kPoint;
      case RigidRigid::kError:
        throw InputError(
            fmt::format("geoms \"{}\" and \"{}\" are both rigid and may touch: make one compliant, exclude "
                        "the pair, or choose the policy point or compliant for rigid pairs",
                        geom(g1).name, geom(g2).name));
      case RigidRigid::kCompliant: break;
    }
    const int soft = softer_candidate(g1, g2);
    if (soft < 0) {
      warn("geoms \"{}\" and \"{}\" meet by points: neither can be given a pressure field", geom(g1).name,
           geom(g2).name);
      return PairKind::kPoint;
    }
    if (geom(soft).soft_modulus == 0.0) geom(soft).soft_modulus = options_.default_modulus;
    return PairKind::kPatch;
  }

  /// The side of two rigid geoms that gets the default modulus: a primitive, and rather one that moves.
  int softer_candidate(int g1, int g2) const {
    const auto meshable = [&](int g) { return m_->geom_type[g] >= mjGEOM_SPHERE && m_->geom_type[g] <= mjGEOM_BOX; };
    const auto moves = [&](int g) { return m_->body_treeid[m_->geom_bodyid[g]] >= 0; };
    if (!has_shape(m_, g1) || !has_shape(m_, g2)) return -1;
    if (meshable(g1) && meshable(g2)) return moves(g2) ? g2 : g1;
    if (meshable(g2)) return g2;
    return meshable(g1) ? g1 : -1;
  }

  void make_geometries() {
    for (int g = 0; g < m_->ngeom; ++g) {
      bool used = geom(g).compliant;
      for (int other = 0; other < m_->ngeom && !used; ++other) used = parts_->pairs(g, other) == PairKind::kPatch;
      if (used) make_geometry(g);
    }
  }

  void make_geometry(int g) {
    const GeomSettings& said = settings(g);
    std::optional<Shape> shape = geom_shape(m_, g, said.hull);
    PATCHFIELD_ASSERT(shape.has_value());
    Compliance compliance;
    compliance.modulus = said.modulus.value_or(compliance.modulus);
    compliance.resolution = said.resolution;
    compliance.margin = said.margin.value_or(kDefaultMargin);
    compliance.slab_thickness = said.slab_thickness.value_or(compliance.slab_thickness);
    compliance.foundation_depth = said.foundation_depth;
    Geom& out = geom(g);
    if (said.compliant) out.margin = compliance.margin;
    if (default_resolution(*shape) && !std::holds_alternative<TriangleMesh>(*shape))
      out.resolution = said.resolution ? said.resolution : default_resolution(*shape);
    try {
      if (needs_volume(g)) shape = fill(g, std::get<TriangleMesh>(*shape), compliance);
      out.geometry =
          said.compliant ? Geometry::compliant(*shape, compliance) : Geometry::rigid(*shape, compliance.resolution);
      if (out.soft_modulus > 0.0) {
        compliance.modulus = out.soft_modulus;
        out.soft_geometry = Geometry::compliant(*shape, compliance);
      }
    } catch (const InputError& error) {
      throw InputError(fmt::format("geom \"{}\": {}", out.name, error.what()));
    }
    const std::optional<Geometry>& soft = out.soft_geometry ? out.soft_geometry : out.geometry;
    if (!soft->is_rigid() && !soft->half_space()) {
      out.ladder = std::make_shared<const FieldLadder>(*std::move(shape), compliance, *soft);
      parts_->least_depth = std::min(parts_->least_depth, out.ladder->depth() + out.ladder->margin());
    }
    // Of a rigid geom with a soft twin, the twin is the larger: it has the skirt.
    bound(out.soft_geometry ? *out.soft_geometry : *out.geometry, out);
  }

  /// The tetrahedra of a mesh geom, in the geom's frame; pressures of their own go to `compliance`.
  TetMesh fill(int g, const TriangleMesh& surface, Compliance& compliance) {
    const Pose X_MeshFile = mesh_pose(m_, g);
    const mjtNum* scale = m_->mesh_scale + 3 * m_->geom_dataid[g];
    const VolumeRequest request{.geom = geom(g).name,
                                .file = settings(g).volume,
                                .scale = {scale[0], scale[1], scale[2]},
                                .surface = transformed(X_MeshFile.inverse(), surface),
                                .resolution = settings(g).resolution};
    Volume volume = options_.make_volume(request);
    if (request.file.empty())
      geom(g).resolution = request.resolution ? request.resolution : default_resolution(request.surface);
    compliance.vertex_pressures = std::move(volume.vertex_pressures);
    if (!compliance.vertex_pressures.empty()) {
      const auto& p = compliance.vertex_pressures;
      geom(g).material.modulus = *std::max_element(p.begin(), p.end());
      if (settings(g).modulus)
        warn(
            "geom \"{}\": modulus has no effect: the vertices of its volume have pressures of their own, up to {:g} Pa",
            geom(g).name, geom(g).material.modulus);
    }
    TetMesh mesh = transformed(X_MeshFile, std::move(volume.mesh));
    require_same_place(surface, mesh);
    return mesh;
  }

  /// Tetrahedra of another scale or place than the mesh that they belong to would move and weigh like one body and
  /// touch like another.
  static void require_same_place(const TriangleMesh& surface, const TetMesh& mesh) {
    constexpr double kTolerance = 0.05;  // of the size: a mesher may round a corner off
    const auto box = [](const std::vector<Vec3>& vertices) {
      Aabb out;
      for (const Vec3& v : vertices) out.lower = out.lower.cwiseMin(v), out.upper = out.upper.cwiseMax(v);
      return out;
    };
    const Aabb a = box(surface.vertices), b = box(mesh.vertices);
    const double apart = std::max((a.lower - b.lower).cwiseAbs().maxCoeff(), (a.upper - b.upper).cwiseAbs().maxCoeff());
    if (apart <= kTolerance * (a.upper - a.lower).norm()) return;
    throw InputError(
        fmt::format("its tetrahedra do not lie where its triangles are: the boxes differ by {:.3g} m. Give the mesh "
                    "and the volume the same coordinates, without refpos or refquat.",
                    apart));
  }

  static void bound(const Geometry& geometry, Geom& out) {
    out.box = geometry.bounds();
    out.size = out.radius = std::numeric_limits<double>::infinity();
    if (geometry.half_space()) return;
    out.size = (out.box.upper - out.box.lower).norm();
    out.radius = 0.0;
    for (const Vec3& v : geometry.is_rigid() ? geometry.surface().vertices : geometry.volume().mesh.vertices)
      out.radius = std::max(out.radius, v.norm());
  }

  /// A geom all of whose contacts are patches needs no contact from MuJoCo.
  void silence_patch_geoms() {
    CollisionMasks& masks = parts_->point_masks;
    masks.geom_contype.assign(m_->geom_contype, m_->geom_contype + m_->ngeom);
    masks.geom_conaffinity.assign(m_->geom_conaffinity, m_->geom_conaffinity + m_->ngeom);
    masks.body_contype.assign(static_cast<std::size_t>(m_->nbody), 0);
    masks.body_conaffinity.assign(static_cast<std::size_t>(m_->nbody), 0);
    for (int g = 0; g < m_->ngeom; ++g) {
      bool points = false, patches = false;
      for (int other = 0; other < m_->ngeom; ++other) {
        points |= parts_->pairs(g, other) == PairKind::kPoint;
        patches |= parts_->pairs(g, other) == PairKind::kPatch;
      }
      const auto i = static_cast<std::size_t>(g);
      const auto body = static_cast<std::size_t>(m_->geom_bodyid[g]);
      // Flexes are MuJoCo's own: geoms that they may touch keep their masks.
      if (patches && !points && m_->nflex == 0) masks.geom_contype[i] = masks.geom_conaffinity[i] = 0;
      masks.body_contype[body] |= masks.geom_contype[i];
      masks.body_conaffinity[body] |= masks.geom_conaffinity[i];
    }
  }

  void warn_about_points() {
    if (m_->nflex > 0) parts_->has_points = true;
    bool torsion = false;
    for (int g = 0; g < m_->ngeom; ++g) {
      for (int other = 0; other < m_->ngeom; ++other)
        torsion |= parts_->pairs(g, other) == PairKind::kPoint && m_->geom_condim[g] > 3;
      if (m_->geom_type[g] == mjGEOM_HFIELD || m_->geom_type[g] == mjGEOM_SDF)
        warn("geom \"{}\" is a {}: it has point contacts only", geom(g).name, geom_type_name(m_->geom_type[g]));
    }
    if (torsion)
      warn(
          "point contacts of geoms with condim 4 or 6 are carried without torsional and rolling friction; a compliant "
          "geom has it from its patch");
    if (m_->flg_surfacevel) warn("geom surfacevel is not carried");
    if (m_->flg_adhesion) warn("adhesion acts on point contacts only");
  }

  /// A skirt of 0.1 mm: contact is foreseen one step before it happens.
  static constexpr double kDefaultMargin = 1e-4;

  /// Even slow-recovery foam gives back a few percent of the height of a drop, a tenth of the speed or more. One
  /// percent of the speed of a 10 cm drop is d = 71 s/m.
  static constexpr double kDropSpeed = 1.4007;  // [m/s] √(2·9.81·0.1)
  static constexpr double kLeastRestitution = 0.01;

  const mjModel* m_;
  const ModelOptions& options_;
  std::shared_ptr<Model::Parts> parts_;
};

Model Model::load(const std::string& path, const ModelOptions& options) {
  return adopt(load_mjcf(path).release(), options);
}

Model Model::parse(const std::string& xml, const ModelOptions& options) {
  return adopt(parse_mjcf(xml, "model text").release(), options);
}

Model Model::adopt(mjModel* m, const ModelOptions& options) {
  return ModelBuilder(std::shared_ptr<const mjModel>(m, DeleteMjModel()), options).build();
}

Model Model::borrow(const mjModel* m, const ModelOptions& options) {
  return ModelBuilder(std::shared_ptr<const mjModel>(m, [](const mjModel*) {}), options).build();
}

PatchPair Model::patch_pair(int g1, int g2) const {
  PATCHFIELD_ASSERT_HOT(parts_->pairs(g1, g2) == PairKind::kPatch);
  const Geom &A = geom(g1), &B = geom(g2);
  PatchPair pair{&*A.geometry, &*B.geometry, {}, std::min(A.size, B.size)};
  SurfaceMaterial mat_A = A.material, mat_B = B.material;
  if (!A.compliant && !B.compliant) {
    // The same choice as in softer_candidate: the later geom, unless only the earlier has a soft twin.
    const int tree_B = mujoco()->body_treeid[mujoco()->geom_bodyid[g2]];
    const bool soften_B = B.soft_geometry && (tree_B >= 0 || !A.soft_geometry);
    if (soften_B) pair.B = &*B.soft_geometry, mat_B.modulus = B.soft_modulus;
    else pair.A = &*A.soft_geometry, mat_A.modulus = A.soft_modulus;
  }
  pair.material = combine(mat_A, mat_B);
  if (!pair.A->is_rigid()) pair.ladder_A = A.ladder.get();
  if (!pair.B->is_rigid()) pair.ladder_B = B.ladder.get();
  if (!parts_->pair_mu.empty()) {
    const auto found = parts_->pair_mu.find({std::min(g1, g2), std::max(g1, g2)});
    if (found != parts_->pair_mu.end()) pair.material.mu = found->second;
  }
  return pair;
}

}  // namespace patchfield
