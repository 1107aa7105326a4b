// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The coin of [PFC] on its way to rest: ε₀ and a speed → ε* = v/(ωR), by any solver or by the continuous model.
//
// ε is read at the last step with v + ωR > 10μg·δt: nearer to rest there are too few steps left, and slip speeds
// come close to the stiction speed.

#pragma once

#include <vector>

#include "patchfield/sim/continuous.h"
#include "patchfield/sim/step.h"
#include "reproduce_disc.h"
#include "scenes/scenes.h"

namespace patchfield::cli {

/// How the coin's face becomes contact points.
struct CoinSetup {
  int segments = 152;          ///< Around the rim.
  double max_face_size = 0.0;  ///< In R; 0: one face per segment, as in the paper.
  Quadrature quadrature = Quadrature::kCentroid;
  Tessellation tessellation = Tessellation::kPolygon;
  double stiction_speed = 1e-4;      ///< v_s [m/s]
  double relative_tolerance = 1e-6;  ///< Of the solver: SolverOptions'.
  double hunt_crossley = 3e4;        ///< d [s/m]: see scenes::coin.
  double relaxation_time = 0.0;      ///< τ [s], read by SAP.
  PressureRate pressure_rate = SimOptions{}.pressure_rate;
};

/// Speeds of the coin.
struct CoinMotion {
  double time = 0.0;  ///< [s]
  double v = 0.0;     ///< Of its centre [m/s].
  double wR = 0.0;    ///< ωR about its axis [m/s].
  double eps() const { return v / wR; }
};

/// What became of one coin.
struct CoinRun {
  double eps = 0.0;              ///< ε* as read.
  std::vector<CoinMotion> path;  ///< Thinned to about 30 per decade of speed.
  long steps = 0;
  int faces = 0, points = 0;
  double cpu_seconds = 0.0;
  int unconverged = 0, substeps = 0, fallbacks = 0;  ///< Of all steps.
};

inline constexpr double kCoinMu = 0.2, kCoinGravity = 9.81;

/// The model of a coin, shared by its runs.
class CoinModel {
 public:
  explicit CoinModel(const CoinSetup& setup);

  const CoinSetup& setup() const { return setup_; }
  const scenes::Coin& coin() const { return coin_; }
  const Model& model() const { return model_; }
  double radius() const { return coin_.radius; }
  SimOptions sim_options(SolverKind solver) const;
  ContinuousOptions continuous_options(double accuracy) const;

  /// v = ε₀ωR along x, √(v² + (ωR)²) = speed, at the static penetration.
  void launch(double eps0, double speed, mjData* d) const;
  CoinMotion motion(const mjData* d) const;

  /// Where the points of the first contact surface are, for sliding_ratio().
  std::vector<DiscPoint> points() const;

 private:
  CoinSetup setup_;
  scenes::Coin coin_;
  Model model_;
};

/// Until it may be read, at constant δt.
CoinRun slide(const CoinModel& coin, SolverKind solver, double eps0, double speed, double dt);

/// From `speed` down to `end_speed` (v + ωR) with δt = (v + ωR)/(μg·steps_left): the motion looks the same at every
/// speed, so the same number of steps goes into each decade of it.
CoinRun slide_to(const CoinModel& coin, SolverKind solver, double eps0, double speed, double end_speed,
                 double steps_left);

/// By the continuous model, down to the speed at which slide() with this δt would be read.
CoinRun slide_continuously(const CoinModel& coin, double accuracy, double eps0, double speed, double dt);

/// v and ωR at every multiple of `every` up to `duration` [s].
std::vector<CoinMotion> record(const CoinModel& coin, SolverKind solver, double eps0, double speed, double dt,
                               double every, double duration);
std::vector<CoinMotion> record_continuously(const CoinModel& coin, double accuracy, double eps0, double speed,
                                            double every, double duration);

/// √(Σ (Δv)² + (ΔωR)²)/√(Σ v² + (ωR)²) over two records of equal times.
double relative_difference(const std::vector<CoinMotion>& record, const std::vector<CoinMotion>& reference);

/// Slope of log(error) over log(size), least squares.
double fitted_order(const std::vector<double>& sizes, const std::vector<double>& errors);

}  // namespace patchfield::cli
