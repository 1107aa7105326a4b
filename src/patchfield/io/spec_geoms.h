// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Shapes of links → geoms and meshes of an mjSpec. A mesh file is read once per scale.

#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>

#include <mujoco/mujoco.h>

#include "patchfield/io/assembly.h"

namespace patchfield {

class GeomWriter {
 public:
  GeomWriter(mjSpec* spec, const Assembly& assembly, Diagnostics& diagnostics);

  /// All geoms of the link. `moves`: planes are refused then.
  void write(const Link& link, bool moves, mjsBody* body);

 private:
  void write_collision(const Link& link, const Collision& collision, bool moves, mjsBody* body);
  void write_visual(const Visual& visual, mjsBody* body);
  void set_shape(const LinkShape& shape, const Pose& X_LG, const Place& place, mjsGeom* geom);
  std::string mesh_asset(const MeshFile& mesh, const Place& place);
  std::string hull_asset(const ConvexHull& hull);
  mjsMesh* add_mesh(const TriangleMesh& mesh, const std::string& name, const Vec3& scale);
  std::string geom_name(const Link& link, const Collision& collision);
  std::string unique(const std::string& wanted, std::set<std::string>& taken);

  mjSpec* spec_;
  Diagnostics& diagnostics_;
  std::map<std::string, int> name_count_;  ///< Of collisions, by scoped name.
  std::set<std::string> geom_names_, mesh_names_;
  std::map<std::string, mjsMesh*> assets_;                                         ///< By mesh name.
  std::map<std::tuple<std::string, double, double, double>, std::string> meshes_;  ///< By file and scale.
};

void copy(const Vec3& from, double* to);
void copy_rotation(const Mat3& R, double* quat);

}  // namespace patchfield
