// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Thin and fast bodies dropped onto floors: the matrix of issue "thin and fast bodies hold".
//
//   15 bodies × 3 attitudes × 4 floors × 5 speeds × 4 time steps × 3 solvers = 10,800 runs
//
// thin_test.cpp runs a tenth of them, thin_matrix.cpp all.

#pragma once

#include <string>
#include <vector>

#include "patchfield/sim/step.h"

namespace patchfield::thin {

struct Body {
  std::string name;
  std::string geom;        ///< Attributes of the <geom>.
  std::string compliance;  ///< Its text.
  double half_height;      ///< Lying flat [m].
  double half_length;      ///< Standing on its edge [m].
  double area;             ///< Footprint lying flat [m²].
  double modulus;          ///< 0 for a rigid one.
  double mass;             ///< [kg]
};

enum class Attitude { kFlat, kTilted, kEdgeOn };
enum class Floor { kRigidPlane, kCompliantPlane, kRigidBox, kTwin };

struct Case {
  Body body;
  Attitude attitude;
  Floor floor;
  double speed, dt;
  SolverKind solver;
  std::string name() const;
};

/// What became of it.
struct Outcome {
  bool fell = false;  ///< Its center ended below the floor.
  bool finite = true;
  double gain = 0.0;         ///< Energy above its running minimum plus what was stored, over the energy at the start.
  double speed_1s = 0.0;     ///< Largest velocity after 1 s [m/s]; turning counts with the half length.
  double speed_end = 0.0;    ///< The same after 5 s, or when it was below 1e-7 for 20 steps.
  double depth_error = 0.0;  ///< Of the resting depth, relative; 0 where the body does not lie flat on a floor.
  int steps = 0, look_ahead = 0, split = 0, rescued = 0;
};

std::vector<Case> all_cases();
std::string model_xml(const Case& c);
Outcome run_case(const Case& c);

/// Empty if everything holds; else what does not.
std::string verdict(const Outcome& outcome);

}  // namespace patchfield::thin
