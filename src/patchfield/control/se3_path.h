// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Timed keyframes of a rigid frame → a smooth motion through them, with velocity and acceleration.
//
//   X₀ ──●──╮             position: the minimum-jerk curve, ∫‖d³p/dt³‖²dt least among all curves through the
//   t₀   X₁ ╰──● X₂       keyframes: a quintic spline, four times continuously differentiable
//        t₁    t₂         rotation: the same scalar splines, applied to products of turns
//
// A minimum-jerk spline is linear in what it interpolates: x(t) = x₀ + v₀·h_v(t) + a₀·h_a(t) + Σ (x_i −
// x_{i−1})·B_i(t), where B_i is the spline through 0, …, 0, 1, …, 1 (first 1 at t_i), and h_v, h_a vanish at all
// keyframes but begin with unit velocity and unit acceleration. A rotation takes the same form as a product,
//   R(t) = R₀ · exp(h_v ω₀) · exp(h_a α₀) · Π exp(B_i(t)·log(R_{i−1}ᵀR_i)),
// which meets every R_i exactly whatever the sum of the turns is, as long as each turn is below 180°.
// (Tried first: a spline of rotation vectors about R₀. It ends where the total turn reaches 180°, which a flip does.)
//
// The end is at rest; before t₀ and after the last keyframe the motion stands still.

#pragma once

#include <span>
#include <vector>

#include "patchfield/core/types.h"

namespace patchfield {

/// Value and first two derivatives.
struct Derivatives {
  double x = 0.0, v = 0.0, a = 0.0;
};

/// The minimum-jerk profile from 0 to 1 in unit time, 10s³ − 15s⁴ + 6s⁵, at rest at both ends. s is cut to [0, 1].
Derivatives minimum_jerk(double s);

/// Minimum-jerk splines in time, one per column, all over the same knots.
class SplineBasis {
 public:
  /// Knots at 0 < times[0] < times[1] < … [s]. Throws InputError unless they are finite and grow.
  explicit SplineBasis(std::span<const double> times);

  int num_keyframes() const { return static_cast<int>(knots_.size()) - 1; }
  int size() const { return num_keyframes() + 2; }
  double end() const { return knots_.back(); }

  /// Column 0 is h_v, 1 is h_a, 1 + i is B_i with i from 1.
  Derivatives operator()(int column, double t) const;

 private:
  Derivatives& knot(int column, std::size_t k) { return values_[static_cast<std::size_t>(column) * knots_.size() + k]; }
  const Derivatives& knot(int column, std::size_t k) const {
    return values_[static_cast<std::size_t>(column) * knots_.size() + k];
  }
  void solve();

  std::vector<double> knots_;
  std::vector<Derivatives> values_;  ///< size() × knots
};

/// How a frame T moves in the world.
struct FrameMotion {
  Pose X_WT = {};
  Vec3 w = Vec3::Zero(), v = Vec3::Zero();      ///< Angular [rad/s] and of the origin [m/s].
  Vec3 alpha = Vec3::Zero(), a = Vec3::Zero();  ///< Angular [rad/s²] and of the origin [m/s²].
};

class Se3Path {
 public:
  /// The motion reaches keyframe i at times[i] > 0 [s]. At least one.
  explicit Se3Path(std::span<const double> times);

  /// From `start`, with its velocity and acceleration, through the keyframes, one per time. Allocates nothing.
  void set(const FrameMotion& start, std::span<const Pose> keyframes);

  int num_keyframes() const { return basis_.num_keyframes(); }
  double duration() const { return basis_.end(); }
  FrameMotion at(double t) const;

 private:
  struct Term {
    Vec3 turn = Vec3::Zero(), shift = Vec3::Zero();
  };
  SplineBasis basis_;
  Pose start_ = {};
  std::vector<Term> terms_;
};

/// Rotation vector of R, of length 0 to π.
Vec3 rotation_log(const Mat3& R);
/// The turn by ‖x‖ about x.
Mat3 rotation_exp(const Vec3& x);
/// Rz(yaw)·Ry(pitch)·Rx(roll), angles in radians.
Mat3 rotation_rpy(const Vec3& rpy);

}  // namespace patchfield
