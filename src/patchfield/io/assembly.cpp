// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/assembly.h"

#include <cmath>

namespace patchfield {

int Assembly::find_link(const std::string& link) const {
  if (link == "world") return kWorld;
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].name == link) return static_cast<int>(i);
  return kNoLink;
}

Joint* Assembly::find_joint(const std::string& joint) {
  for (Joint& candidate : joints)
    if (candidate.name == joint) return &candidate;
  return nullptr;
}

Mat3 rotation_from_rpy(const Vec3& rpy) {
  return (Eigen::AngleAxisd(rpy.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vec3::UnitY()) *
          Eigen::AngleAxisd(rpy.x(), Vec3::UnitX()))
      .toRotationMatrix();
}

Mat3 inertia_matrix(double xx, double yy, double zz, double xy, double xz, double yz) {
  Mat3 I;
  I << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return I;
}

Vec3 unit_axis(const Vec3& axis, const Place& place) {
  const double length = axis.norm();
  if (!(length > 1e-9) || !std::isfinite(length))
    fail(place, "the axis ({}, {}, {}) has no direction; give one such as 0 0 1", axis.x(), axis.y(), axis.z());
  return axis / length;
}

Mat3 rotation_from_z(const Vec3& direction, const Place& place) {
  return Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), unit_axis(direction, place)).toRotationMatrix();
}

}  // namespace patchfield
