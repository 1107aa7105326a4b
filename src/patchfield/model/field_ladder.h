// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// One compliant shape with skirts of several widths, for steps in which bodies come closer than their fields resolve.
//
//   rung      0            1       2       3   …
//   margin    the user's   H       4H      16H … up to the longest way through the shape       H: foundation depth
//
// The rungs above 0 are made when a step first needs them and kept for all simulations of the model: most models never
// do. A rung depends on the shape alone, so results do not depend on who made it or when; std::call_once makes it safe
// from any thread, and a warm step allocates nothing.

#pragma once

#include <array>
#include <memory>
#include <mutex>

#include "patchfield/geometry/geometry.h"

namespace patchfield {

class FieldLadder {
 public:
  /// `base` is Geometry::compliant(shape, compliance).
  FieldLadder(Shape shape, Compliance compliance, const Geometry& base);
  FieldLadder(const FieldLadder&) = delete;
  FieldLadder& operator=(const FieldLadder&) = delete;

  double depth() const { return depth_; }             ///< H: from the surface to where the pressure is highest [m].
  double modulus() const { return modulus_; }         ///< E: the highest pressure [Pa].
  double slope() const { return modulus_ / depth_; }  ///< E/H [Pa/m]
  double margin() const { return compliance_.margin; }
  double widest() const;  ///< The largest margin that can be asked for [m].
  bool is_convex() const { return convex_; }
  bool fills_its_box() const { return boxlike_; }  ///< A box, ball, cylinder, capsule or ellipsoid.

  /// The narrowest rung whose margin is `margin` or more; the widest if there is none.
  const Geometry& at_least(double margin) const;
  /// The zero level as rigid triangles, of the same resolution.
  const Geometry& surface() const;

 private:
  static constexpr int kMaxRungs = 12;
  static constexpr double kFactor = 4.0;
  struct Rung {
    std::once_flag once;
    std::optional<Geometry> geometry;
  };
  const Geometry& make(int rung) const;

  Shape shape_;
  Compliance compliance_;
  Geometry base_;
  double depth_ = 0.0, modulus_ = 0.0, size_ = 0.0;
  bool convex_ = false, boxlike_ = false;
  int num_rungs_ = 0;  ///< Without the base.
  mutable std::array<Rung, kMaxRungs> rungs_;
  mutable Rung surface_;
};

}  // namespace patchfield
