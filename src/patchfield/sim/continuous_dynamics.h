// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// y = (q, v, activations)  →  ẏ and ∂ẏ/∂y of the continuous model. Knows no integrator.
//
// The Jacobian serves Newton's method alone. Its smooth part is a finite difference of MuJoCo's functions with the
// contact forces held; that of the contact is the slope of the discrete model, p_c → p_c − g n̂·δ for a motion δ of the
// point [PFC eq:pressure_rate_approximation]. (Differencing the geometry as well was the other choice: a stiff
// body's overlap can be 10⁻¹⁰ m, and no one increment suits both that and coordinates of metres.)

#pragma once

#include <vector>

#include "patchfield/sim/continuous.h"

namespace patchfield {

class ContinuousDynamics {
 public:
  ContinuousDynamics(const Model& model, const ContinuousOptions& options);

  Data& data() { return data_; }
  const Data& data() const { return data_; }
  int size() const { return nq_ + nv_ + na_; }

  void read_state(double* y) const;                ///< mjData → y
  void write_state(double time, const double* y);  ///< y → mjData, quaternions normalised

  /// ẏ(t, y). False if y is not finite. Leaves mjData and the patches at (t, y).
  bool derivative(double time, const double* y, double* ydot);

  /// ∂ẏ/∂y at (t, y), column-major, size() × size(). Leaves mjData at (t, y).
  bool jacobian(double time, const double* y, double* J);

  /// Local error that is allowed for each entry of y.
  void tolerances(const double* y, double* tolerance) const;

 private:
  void update_smooth();  ///< Everything of mjData at its state but contact.
  void accelerate();     ///< v̇ with the contact forces held in contact_force_.
  void add_contact_forces();
  void add_kinematic_jacobian(const double* y, double* J) const;
  bool add_smooth_jacobian(double time, const double* y, double* J);
  void add_contact_jacobian(const double* y, double* J);
  void position_rates(const double* q, const double* v, double* qdot) const;

  ContinuousOptions options_;
  Data data_;
  int nq_, nv_, na_;
  double length_;                      ///< Of the model's parts [m].
  std::vector<double> contact_force_;  ///< Jᵀf
  std::vector<double> passive_force_;  ///< MuJoCo's, while it sees contact beside it.
  std::vector<double> work_, rates_, rates0_;
};

}  // namespace patchfield
