// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/recording_model.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "patchfield/core/check.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/tessellate.h"
#include "patchfield/io/recording_bytes.h"
#include "patchfield/io/recording_textures.h"
#include "patchfield/model/geom_shapes.h"

namespace patchfield {
namespace {

using Json = nlohmann::ordered_json;

/// Round shapes that never have patches are drawn with this many segments around.
constexpr double kDrawnSegments = 48.0;

std::string name_or_number(const mjModel* m, int kind, int id, const char* what) {
  const char* name = mj_id2name(m, kind, id);
  return name != nullptr && *name != '\0' ? std::string(name) : fmt::format("{} {}", what, id);
}

template <class T>
Json numbers(const T* values, int n) {
  return std::vector<T>(values, values + n);
}

/// Arrays of all meshes, one after the other; the JSON says where each begins.
class Blob {
 public:
  Json add_vertices(const std::vector<Vec3>& vertices) {
    Json where = begin(3 * vertices.size());
    for (const Vec3& v : vertices) bytes_.put_vector(v);
    return where;
  }
  Json add_numbers(const std::vector<double>& values) {
    Json where = begin(values.size());
    for (const double v : values) bytes_.put_float(v);
    return where;
  }
  template <std::size_t N>
  Json add_indices(const std::vector<std::array<int, N>>& elements) {
    Json where = begin(N * elements.size());
    for (const auto& element : elements)
      for (const int i : element) bytes_.put(static_cast<std::uint32_t>(i));
    return where;
  }
  Json add_bytes(const std::string& bytes) {
    Json where = begin(bytes.size());
    bytes_.put_bytes(bytes);
    return where;
  }
  const std::string& bytes() const { return bytes_.bytes(); }

 private:
  Json begin(std::size_t count) const { return {{"at", bytes_.bytes().size()}, {"count", count}}; }
  ByteWriter bytes_;
};

Json encode_surface(const TriangleMesh& surface, Blob& blob) {
  return {{"vertices", blob.add_vertices(surface.vertices)}, {"triangles", blob.add_indices(surface.triangles)}};
}

/// Its boundary is drawn as it is, the margin (a tenth of a millimetre, usually) included.
Json encode_volume(const PressureMesh& volume, Blob& blob) {
  return {{"vertices", blob.add_vertices(volume.mesh.vertices)},
          {"triangles", blob.add_indices(boundary_triangles(volume.mesh))},
          {"tets", blob.add_indices(volume.mesh.tets)},
          {"pressures", blob.add_numbers(volume.pressure)}};
}

/// A geom that contact never looks at, or only as points: its shape all the same.
Json encode_drawn_shape(const mjModel* m, int g, Blob& blob) {
  const std::optional<Shape> shape = geom_shape(m, g, false);
  if (!shape) return nullptr;
  if (const auto* mesh = std::get_if<TriangleMesh>(&*shape)) {
    Json surface = encode_surface(*mesh, blob);
    const std::vector<double> uvs = texture_coordinates(m, g);
    if (uvs.size() == 6 * mesh->triangles.size() && !uvs.empty()) surface["uvs"] = blob.add_numbers(uvs);
    return surface;
  }
  const double radius = std::max(m->geom_rbound[g], 1e-6);
  try {
    return encode_surface(make_surface_mesh(*shape, 2.0 * M_PI * radius / kDrawnSegments), blob);
  } catch (const InputError&) {
    return nullptr;  // a picture must not stop a simulation that runs
  }
}

Json encode_mesh(const Data& data, int g, Blob& blob) {
  const mjModel* m = data.m();
  const Geom& geom = data.model.geom(g);
  const std::optional<Geometry>& used = geom.soft_geometry ? geom.soft_geometry : geom.geometry;
  if (m->geom_type[g] == mjGEOM_PLANE) return nullptr;
  if (!used) return encode_drawn_shape(m, g, blob);
  return used->is_rigid() ? encode_surface(used->surface(), blob) : encode_volume(used->volume(), blob);
}

/// Can anything touch it? If not it is only there to be seen.
bool collides(const Model& model, int g) {
  if (model.geom(g).compliant) return true;
  for (int other = 0; other < model.num_geoms(); ++other)
    if (model.pairs()(g, other) != PairKind::kNone) return true;
  const mjModel* m = model.mujoco();
  return m->geom_contype[g] != 0 || m->geom_conaffinity[g] != 0;
}

Json encode_geom(const Data& data, int g, Blob& blob) {
  const mjModel* m = data.m();
  const int texture = texture_of_geom(m, g);
  Json geom = {{"name", data.model.geom(g).name},
               {"body", m->geom_bodyid[g]},
               {"type", geom_type_name(m->geom_type[g])},
               {"collides", collides(data.model, g)},
               {"group", m->geom_group[g]},
               {"compliant", data.model.geom(g).compliant},
               {"rgba", color_of_geom(m, g)},
               {"position", numbers(m->geom_pos + 3 * g, 3)},
               {"quaternion", numbers(m->geom_quat + 4 * g, 4)},
               {"size", numbers(m->geom_size + 3 * g, 3)},
               {"mesh", encode_mesh(data, g, blob)}};
  if (texture >= 0) geom["texture"] = texture;
  return geom;
}

/// One entry per texture of the model; those that no geom shows are empty.
Json encode_textures(const mjModel* m, Blob& blob) {
  std::vector<bool> used(static_cast<std::size_t>(m->ntex), false);
  for (int g = 0; g < m->ngeom; ++g)
    if (const int texture = texture_of_geom(m, g); texture >= 0) used[static_cast<std::size_t>(texture)] = true;
  Json textures = Json::array();
  for (int t = 0; t < m->ntex; ++t) {
    const RecordedTexture texture = used[static_cast<std::size_t>(t)] ? reduce_texture(m, t) : RecordedTexture{};
    textures.push_back(
        {{"width", texture.width}, {"height", texture.height}, {"pixels", blob.add_bytes(texture.pixels)}});
  }
  return textures;
}

Json encode_keyframes(const mjModel* m) {
  Json names = Json::array();
  for (int k = 0; k < m->nkey; ++k) names.push_back(name_or_number(m, mjOBJ_KEY, k, "keyframe"));
  return names;
}

/// Why no two geoms can have a contact patch, and what to do; empty if some can.
std::string why_no_patches(const Model& model) {
  bool any_compliant = false;
  for (int g = 0; g < model.num_geoms(); ++g) {
    any_compliant = any_compliant || model.geom(g).compliant;
    for (int other = 0; other < g; ++other)
      if (model.pairs()(g, other) == PairKind::kPatch) return {};
  }
  if (!any_compliant)
    return "No geom of this model is compliant. Give one a modulus (docs/materials.md), or run with --rigid-rigid "
           "compliant.";
  return "Filters exclude every pair with a compliant geom: look at contype, conaffinity and <exclude>.";
}

Json encode_bodies(const mjModel* m) {
  // Where bodies that never move are: in a data of its own, since the caller's may be anywhere in a step.
  const std::unique_ptr<mjData, void (*)(mjData*)> at_rest(mj_makeData(m), mj_deleteData);
  mj_kinematics(m, at_rest.get());
  Json bodies = Json::array();
  for (int b = 0; b < m->nbody; ++b)
    bodies.push_back({{"name", b == 0 ? "world" : name_or_number(m, mjOBJ_BODY, b, "body")},
                      {"parent", m->body_parentid[b]},
                      {"position", numbers(at_rest->xpos + 3 * b, 3)},
                      {"quaternion", numbers(at_rest->xquat + 4 * b, 4)}});
  return bodies;
}

Json encode_joints(const mjModel* m) {
  Json joints = Json::array();
  for (const int j : scalar_joints(m))
    joints.push_back(
        {{"name", name_or_number(m, mjOBJ_JOINT, j, "joint")}, {"unit", m->jnt_type[j] == mjJNT_HINGE ? "rad" : "m"}});
  return joints;
}

/// Cameras that stand in the world, and those that keep their distance from a body (mode "track"); others are left out.
Json encode_cameras(const mjModel* m) {
  Json cameras = Json::array();
  for (int c = 0; c < m->ncam; ++c) {
    const bool follows = m->cam_mode[c] == mjCAMLIGHT_TRACK;
    if (!follows && (m->cam_mode[c] != mjCAMLIGHT_FIXED || m->cam_bodyid[c] != 0)) continue;
    const mjtNum* R = m->cam_mat0 + 9 * c;  // looks along −z
    const mjtNum forward[3] = {-R[2], -R[5], -R[8]};
    cameras.push_back({{"name", name_or_number(m, mjOBJ_CAMERA, c, "camera")},
                       {"body", follows ? m->cam_bodyid[c] : 0},
                       {"position", numbers(m->cam_pos0 + 3 * c, 3)},
                       {"forward", numbers(forward, 3)}});
  }
  return cameras;
}

}  // namespace

std::vector<int> moving_bodies(const mjModel* m) {
  std::vector<int> moving;
  std::vector<bool> moves(static_cast<std::size_t>(m->nbody), false);
  for (int b = 1; b < m->nbody; ++b) {
    const auto i = static_cast<std::size_t>(b), parent = static_cast<std::size_t>(m->body_parentid[b]);
    moves[i] = moves[parent] || m->body_dofnum[b] > 0 || m->body_mocapid[b] >= 0;
    if (moves[i]) moving.push_back(b);
  }
  return moving;
}

std::vector<int> scalar_joints(const mjModel* m) {
  std::vector<int> joints;
  for (int j = 0; j < m->njnt; ++j)
    if (m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE) joints.push_back(j);
  return joints;
}

std::string encode_model(const Data& data, const std::string& title, double frames_per_second) {
  const mjModel* m = data.m();
  Blob blob;
  Json geoms = Json::array();
  for (int g = 0; g < m->ngeom; ++g) geoms.push_back(encode_geom(data, g, blob));
  // Last: pixels are not a multiple of four bytes, and arrays of numbers begin at one.
  const Json textures = encode_textures(m, blob);
  const SurfaceOptions& surface = data.options.surface;
  const Json json = {
      {"title", title},
      {"frames_per_second", frames_per_second},
      {"solver", to_string(data.options.solver.kind)},
      {"tessellation", surface.tessellation == Tessellation::kPolygon ? "polygon" : "triangle"},
      {"gravity", numbers(m->opt.gravity, 3)},
      {"center", numbers(m->stat.center, 3)},
      {"extent", m->stat.extent},
      {"bodies", encode_bodies(m)},
      {"moving", moving_bodies(m)},
      {"geoms", geoms},
      {"joints", encode_joints(m)},
      {"textures", textures},
      {"keyframes", encode_keyframes(m)},
      {"no_patches", why_no_patches(data.model)},
      {"cameras", encode_cameras(m)},
  };
  // Names come from files of any encoding: bytes that are no UTF-8 are replaced, not refused.
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  ByteWriter head;
  head.put(static_cast<std::uint32_t>(text.size()));
  head.put_bytes(text);
  head.put_bytes(blob.bytes());
  std::string payload;
  put_block(head.bytes(), payload);
  return payload;
}

}  // namespace patchfield
