// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The pieces of sdf_writer.cpp: poses, inertias, joints, geoms, and the list of what SDF cannot say.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <mujoco/mujoco.h>

#include "patchfield/io/sdf_writer.h"

namespace patchfield {

inline constexpr mjtNum kZero[3] = {0, 0, 0}, kOnes[3] = {1, 1, 1}, kNoTurn[4] = {1, 0, 0, 0};

/// The name of an object, or `kind` and its number.
std::string name_or(const mjModel* m, mjtObj type, int id, const char* kind);
/// As the text of an XML attribute.
std::string escaped(std::string_view text);
/// "x y z roll pitch yaw", to the last bit.
std::string pose_text(const mjtNum* pos, const mjtNum* quat);
std::string inertial_text(const mjtNum* pos, const mjtNum* quat, double mass, const mjtNum* moments);

inline bool is_scalar_joint(const mjModel* m, int j) {
  return m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE;
}

/// The <joint>, or nothing for a free one.
std::string joint_text(const mjModel* m, int j, const std::string& parent, const std::string& child,
                       std::vector<std::string>& unsaid);

/// What no other piece has reported: keyframes, tendons, sensors, …
void append_unsaid(const mjModel* m, std::vector<std::string>& unsaid);

/// Collisions and visuals.
class SdfGeomWriter {
 public:
  SdfGeomWriter(const Model& model, const std::string& stem, SdfExport& out);
  /// Appends the geom to the text. Planes are for links that stand.
  void write(int geom, bool stands);
  /// May it meet anything?
  bool collides(int geom) const { return collides_[static_cast<std::size_t>(geom)]; }

 private:
  std::string shape_text(int geom, bool stands);
  std::string mesh_text(int geom);
  std::string proximity_text(int geom) const;

  const Model& model_;
  const mjModel* m_;
  std::string stem_;
  SdfExport& out_;
  std::vector<bool> collides_;
};

}  // namespace patchfield
