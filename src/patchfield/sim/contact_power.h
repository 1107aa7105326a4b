// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Power that one contact point loses at the end of the step.
//
// Friction takes −f_t·v_t. Of the normal force, the elastic part k(−φ)₊ with φ = φ₀ + δt(v_n − a) is stored and given
// back; what the force lacks of it while separating, or has beyond it while approaching, is lost: (f_e − f_n)·v_n.

#pragma once

#include <algorithm>

#include "patchfield/sim/data.h"

namespace patchfield {

struct ContactPower {
  double normal = 0.0, friction = 0.0;  ///< [W], lost if positive.
};

inline ContactPower contact_power(const Data& data, int point) {
  const ContactProblem& p = data.problem;
  const ContactSolution& s = data.solution;
  const double elastic = p.k[point] * std::max(0.0, -(p.phi0[point] + data.dt * (s.vn[point] - p.convection[point])));
  const double slip = s.gx[point] * s.vtx[point] + s.gy[point] * s.vty[point] + s.gz[point] * s.vtz[point];
  return {(elastic - s.gn[point] / data.dt) * s.vn[point], -slip / data.dt};
}

}  // namespace patchfield
