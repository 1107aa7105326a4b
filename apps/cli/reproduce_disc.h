// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A disc that slides and spins on a plane, as quadrature points → the ratio ε* = v/(ωR) at which it comes to rest.
//
//        y ↑   • • •          lengths in R. A point at (x, y) slips with u = (ε − y, x) in units of ωR:
//          │ •       •
//          │ •   ○───•──► v     F = Σ w u_x/‖u‖          force against the sliding, over μmg
//            •       •          T = Σ w (x u_y − y u_x)/‖u‖   torque against the spinning, over μmgR
//              • • •
//
// v̇ = −μgF, ω̇ = −μmgR·T/I with I = mR²/2, so ε stays where v̇/v = ω̇/ω, F(ε)/ε = 2T(ε)  (theory.md §7). Points
// turn with the disc: the mean over a turn is what acts on a disc that spins many times before it stops.

#pragma once

#include <span>
#include <vector>

namespace patchfield::cli {

struct DiscPoint {
  double x = 0.0, y = 0.0;  ///< In R.
  double weight = 0.0;      ///< Share of the normal force; Σ w = 1.
};

struct DiscFriction {
  double force = 0.0, torque = 0.0;  ///< F, T
};

DiscFriction disc_friction(std::span<const DiscPoint> points, double eps);

/// Solves F/ε = 2T by bisection. `turn` [rad] > 0: with F and T averaged over rotations of the points by 0 … turn.
double sliding_ratio(std::span<const DiscPoint> points, double turn = 0.0);

/// Centroids of the n triangles about the centre of a regular n-gon, its corner on the x axis: one ring.
std::vector<DiscPoint> fan_points(int n);

/// Midpoints of a polar grid with as many rings as asked for, about square cells: tends to the disc itself.
std::vector<DiscPoint> polar_points(int rings);

}  // namespace patchfield::cli
