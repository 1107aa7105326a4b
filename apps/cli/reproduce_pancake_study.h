// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The pancake study: which runs there are, what is measured alone and what on all threads.

#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "reproduce_pancake.h"

namespace patchfield::cli {

struct PancakeStudyOptions {
  bool quick = false;
  int refinements = 5;                              ///< Of the meshes, 1 to 6: the coarsest so many.
  std::optional<SolverKind> solver = std::nullopt;  ///< Only this one in the table of outcomes.
  int threads = 1;                                  ///< For the runs that are not timed.
  std::filesystem::path folder;
};

/// What a variation changed; see vary().
struct PancakeVariation {
  PancakeSetup setup;
  PancakeOutcome outcome;
};

struct PancakeStudy {
  PancakeRun flip;                    ///< The default run, on the replay page.
  PancakeRun points;                  ///< With MuJoCo's own contacts, on its page.
  std::vector<PancakeRun> scaling;    ///< Timed one at a time: Lagged as usual, SAP as in the paper.
  std::vector<PancakeRun> triangles;  ///< Timed: counterparts of the first of either solver, with triangles.
  std::vector<PancakeRun> outcomes;   ///< Solver × δt × refinement × tessellation.
  std::vector<PancakeVariation> variations;
  std::filesystem::path page, points_page;
};

/// Variation i of 32, the same each time: pancake ± 1 cm and ± 20 % mass, modulus ± 50 %, friction ± 20 %, stove
/// height ± 3 mm, gains ± 20 %.
PancakeSetup vary(int i);

PancakeStudy study_pancake(const PancakeStudyOptions& options);

/// Exponent of y ∝ x^e through the points, by least squares of logarithms.
double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y);

/// The setups with the paper's choices: SAP, one point per face, its pressure rate.
PancakeSetup as_in_the_paper();

}  // namespace patchfield::cli
