// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The vocabulary of vectors, poses and typed indices.
//
// Frames are in the names: p_WC is the position of C measured and expressed in W,
// X_WB the pose of B in W, so that p_WC = X_WB * p_BC. SI units, radians.

#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace patchfield {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using VecX = Eigen::VectorXd;
using MatX = Eigen::MatrixXd;

/// A rigid motion: rotation R (orthonormal, det +1) and translation p [m].
struct Pose {
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();

  Vec3 operator*(const Vec3& x) const { return R * x + p; }
  Pose operator*(const Pose& other) const { return {R * other.R, R * other.p + p}; }
  Pose inverse() const { return {R.transpose(), -(R.transpose() * p)}; }

  static Pose translation(double x, double y, double z) { return {Mat3::Identity(), {x, y, z}}; }
  bool is_finite() const { return R.allFinite() && p.allFinite(); }
};

/// An index that cannot be mistaken for one of another kind.
template <class Tag>
struct Index {
  int value = -1;
  constexpr Index() = default;
  constexpr explicit Index(int i) : value(i) {}
  constexpr bool is_valid() const { return value >= 0; }
  friend constexpr auto operator<=>(Index, Index) = default;
};
using BodyIndex = Index<struct BodyTag>;
using GeometryIndex = Index<struct GeometryTag>;

}  // namespace patchfield
