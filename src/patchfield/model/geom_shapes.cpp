// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/model/geom_shapes.h"

#include <fmt/format.h>

namespace patchfield {
namespace {

TriangleMesh mesh_triangles(const mjModel* m, int mesh) {
  TriangleMesh out;
  const float* vertex = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  for (int i = 0; i < m->mesh_vertnum[mesh]; ++i, vertex += 3)
    out.vertices.push_back({vertex[0], vertex[1], vertex[2]});
  const int* face = m->mesh_face + 3 * m->mesh_faceadr[mesh];
  for (int i = 0; i < m->mesh_facenum[mesh]; ++i, face += 3) out.triangles.push_back({face[0], face[1], face[2]});
  return out;
}

}  // namespace

std::string geom_name(const mjModel* m, int geom) {
  const char* name = mj_id2name(m, mjOBJ_GEOM, geom);
  return name != nullptr && *name != '\0' ? std::string(name) : fmt::format("geom {}", geom);
}

const char* geom_type_name(int type) {
  switch (type) {
    case mjGEOM_PLANE: return "plane";
    case mjGEOM_HFIELD: return "hfield";
    case mjGEOM_SPHERE: return "sphere";
    case mjGEOM_CAPSULE: return "capsule";
    case mjGEOM_ELLIPSOID: return "ellipsoid";
    case mjGEOM_CYLINDER: return "cylinder";
    case mjGEOM_BOX: return "box";
    case mjGEOM_MESH: return "mesh";
    case mjGEOM_SDF: return "sdf";
  }
  return "unknown";
}

bool has_shape(const mjModel* m, int geom) {
  const int type = m->geom_type[geom];
  return type == mjGEOM_PLANE || (type >= mjGEOM_SPHERE && type <= mjGEOM_MESH);
}

Pose mesh_pose(const mjModel* m, int geom) {
  const int mesh = m->geom_dataid[geom];
  const mjtNum *q = m->mesh_quat + 4 * mesh, *p = m->mesh_pos + 3 * mesh;
  // MuJoCo keeps the pose of the new frame in the old one.
  const Pose X_FileMesh{Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix(), {p[0], p[1], p[2]}};
  return X_FileMesh.inverse();
}

std::optional<Shape> geom_shape(const mjModel* m, int geom, bool hull) {
  const mjtNum* size = m->geom_size + 3 * geom;
  switch (m->geom_type[geom]) {
    case mjGEOM_PLANE: return HalfSpace{};
    case mjGEOM_SPHERE: return Sphere{size[0]};
    case mjGEOM_CAPSULE: return Capsule{size[0], 2.0 * size[1]};
    case mjGEOM_ELLIPSOID: return Ellipsoid{size[0], size[1], size[2]};
    case mjGEOM_CYLINDER: return Cylinder{size[0], 2.0 * size[1]};
    case mjGEOM_BOX: return Box{2.0 * size[0], 2.0 * size[1], 2.0 * size[2]};
    case mjGEOM_MESH: {
      TriangleMesh mesh = mesh_triangles(m, m->geom_dataid[geom]);
      if (hull) return ConvexHull{std::move(mesh.vertices)};
      return mesh;
    }
  }
  return std::nullopt;
}

}  // namespace patchfield
