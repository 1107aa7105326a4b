// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// One output interval in as many steps as an accuracy asks for: the memory of error_control.cpp, which has the method.

#pragma once

#include "patchfield/contact/discretize.h"
#include "patchfield/geometry/broad_phase.h"

namespace patchfield {

/// Kept by Data and reused: nothing in it outlives an interval.
struct ErrorControl {
  Column<double> start;             ///< MuJoCo's full physics state at the start of the step under way.
  Column<double> history;           ///< Delayed inputs and sensors as one step of the whole interval leaves them.
  Column<double> q_whole, v_whole;  ///< End of the step taken at once …
  Column<double> q_halves;          ///< … and in two halves.
  Column<double> change;            ///< From the first to the second, in coordinates of velocities.
  Column<unsigned char> stays;      ///< Per tree: 1 if it is not extrapolated.

  // A look at the end of a step (unforeseen.cpp).
  Column<Pose> pose;   ///< Per geom.
  Column<Vec6> twist;  ///< Per geom: (ω, v of its origin) [rad/s, m/s].
  Column<Aabb> boxes;
  BroadPhase broad_phase;
  ContactSurface surface;
  ContactPoints points;
};

}  // namespace patchfield
