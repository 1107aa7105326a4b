// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The continuous model (theory.md §6): the same surfaces at the level of accelerations, integrated with error control.
//
//   q̇ = N(q) v,   v̇ = M⁻¹(k + Jᵀf(q, v))                                                        [E19]
//   per point  f_n = A p_c (1 − d v_n)₊,  f_t = −μ f_n s(‖v_t‖/v_s) v_t/‖v_t‖,  s(x) = x(2 − x) below 1, else 1
//
// A reference for step(), not a replacement: patches as stiff as steel ring at tens of kilohertz, and error control
// follows that until it has died away. By CVODE's variable-order BDF with a dense Jacobian. Limits, equalities and
// MuJoCo's own contacts take part with MuJoCo's forces. Inputs (ctrl, applied forces) are constant while advancing.

#pragma once

#include <memory>
#include <string>

#include "patchfield/sim/data.h"

namespace patchfield {

struct ContinuousOptions {
  double accuracy = 1e-4;        ///< Local error, relative to the motion's scale; in (0, 0.1].
  double stiction_speed = 1e-4;  ///< v_s [m/s] > 0.
  /// Triangles, as in [E19]: forces stay continuous while polygons come and go.
  SurfaceOptions surface = {.tessellation = Tessellation::kTriangle};
  Quadrature quadrature = Quadrature::kCentroid;
  long max_steps = 10'000'000;  ///< Per call of advance().
  int threads = 1;
};

/// Sums since restart().
struct ContinuousStatistics {
  long steps = 0;
  long evaluations = 0;  ///< Of v̇; those for Jacobians are not counted: they need no geometry.
  long jacobians = 0;
  long newton_iterations = 0;
  long newton_failures = 0;
  long error_test_failures = 0;
  double last_step = 0.0;  ///< [s]
  int last_order = 0;
};

struct ContinuousReport {
  bool ok = true;       ///< The time was reached.
  std::string message;  ///< What stopped the integration if not.
  double time = 0.0;    ///< Reached [s].
};

class ContinuousSimulation {
 public:
  /// Starts in the model's initial state. Throws InputError for options out of range.
  explicit ContinuousSimulation(const Model& model, const ContinuousOptions& options = {});
  ~ContinuousSimulation();
  ContinuousSimulation(ContinuousSimulation&&) noexcept;
  ContinuousSimulation& operator=(ContinuousSimulation&&) noexcept;

  /// State and inputs are those of data().d(); after changing them call restart(). After advance() its patches and
  /// accelerations are those of the time reached; the members about a discrete step are not filled.
  Data& data();
  const Data& data() const;

  /// Forgets the past: the next advance() begins with small steps at the present state.
  void restart();

  /// Integrates until `time` [s], which must lie ahead (InputError). The state there is interpolated.
  ContinuousReport advance(double time);

  ContinuousStatistics statistics() const;

 private:
  struct Integrator;
  std::unique_ptr<Integrator> integrator_;
};

}  // namespace patchfield
