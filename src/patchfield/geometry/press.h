// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// How deep does a load press a body onto a rigid plane, and how stiff must it be to go no deeper?
//
//        ↓ f           The plane is moved into the body until ∫p dA over the contact surface is f. The real
//     ( body )         geometry is asked, so this holds for any shape. Closed forms that it must agree with:
//   ═══╧══════╧═══        flat foot of area S   δ = f·H/(E·S)     H: foundation depth
//       δ                 sphere                δ = √(f/(π·E))    for δ ≪ R
//
// The pressure is p = E·e with e from the shape alone, so f(δ) is proportional to E: one query gives the modulus.

#pragma once

#include <optional>

#include "patchfield/geometry/geometry.h"

namespace patchfield {

class Press {
 public:
  /// Presses `body`, which must be compliant and no half space, along the unit vector `direction` of its own frame.
  Press(const Geometry& body, const Vec3& direction);

  /// The force of the plane when it is `depth` inside the body [N].
  double force(double depth) const;
  /// The depth at which the plane carries `load` > 0 [m]; nothing if no depth up to the body's deepest point does.
  std::optional<double> depth(double load) const;
  /// By what to multiply all pressures so that `load` presses `depth` deep; nothing if no pressure could.
  std::optional<double> stiffening(double load, double depth) const;

 private:
  const Geometry& body_;
  Pose X_WB_;         ///< Turns `direction` to −z and puts the body's lowest point at z = 0.
  double thickness_;  ///< From there to its highest point [m].
  Geometry plane_;
};

/// How far inside the surface the pressure is highest [m]. For compliant bodies with a mesh.
double foundation_depth(const Geometry& body);

/// The highest pressure of the field: the modulus [Pa]. For compliant bodies with a mesh.
double peak_pressure(const Geometry& body);

}  // namespace patchfield
