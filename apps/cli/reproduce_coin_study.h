// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The paper's accuracy study with the sliding and spinning coin, and what lies beyond it: all numbers, no words.
// docs/coin.md explains them; reproduce_coin_report.h writes them down.

#pragma once

#include <array>
#include <vector>

#include "reproduce_coin.h"

namespace patchfield::cli {

inline constexpr std::array<double, 8> kCoinEps0 = {0.1, 0.2, 0.5, 0.653, 1.0, 2.0, 5.0, 10.0};

/// ε* over ε₀.
struct CoinSweep {
  std::vector<double> eps0;
  std::vector<CoinRun> runs;
};

/// Errors of records of v and ωR over a size (δt, or 1/segments).
struct CoinConvergence {
  std::vector<double> size, error;
  double order = 0.0;
};

/// The semi-analytic ε* of the coin's face, cut into ever smaller faces.
struct CoinRefinement {
  std::vector<double> size;  ///< Largest face, in R; 0: not cut.
  std::vector<int> faces;
  std::vector<double> centroid, moments;  ///< ε* by quadrature.
};

/// SAP's first step.
struct CoinGlide {
  double dt = 0.0, speed = 0.0;  ///< [s], [m/s]
  double gap = 0.0;              ///< Height above the plane after one step [m].
  double predicted = 0.0;        ///< μ·δt·mean ‖v_t‖ [m]
  double tilt = 0.0;             ///< After 100 steps [rad].
  double contact = 0.0;          ///< Share of the first 100 steps with contact.
};

struct CoinStudy {
  double eps_disc = 0.0;               ///< Of the disc itself.
  double eps_semianalytic = 0.0;       ///< Of the fan as it lies.
  double eps_semianalytic_mean = 0.0;  ///< Of the fan, mean over a turn.
  double eps_continuous = 0.0;         ///< Of the fan by the continuous model, ε₀ = 1.
  double eps_triangles_semianalytic = 0.0, eps_triangles_continuous = 0.0;  ///< The same with triangle tessellation.
  CoinSweep tamsi, lagged, continuous;                                      ///< Fan of 152.
  CoinSweep refined, refined_lagged;                                        ///< Cut faces.
  CoinConvergence dt_tamsi, dt_lagged, dx;
  CoinRefinement refinement;
  std::vector<CoinGlide> sap;
};

/// quick: fewer initial ratios beyond the paper and for the continuous model; every number is still there.
CoinStudy study_coin(bool quick, int threads);

/// CPU time of a step and error at δt = 1 ms, for bench/peers/coin.py.
struct CoinTiming {
  double us_per_step = 0.0, error = 0.0;
};
CoinTiming time_coin(SolverKind solver, double cpu_seconds);

}  // namespace patchfield::cli
