// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/contact/material.h"

#include <cmath>

namespace patchfield {

PairMaterial combine(const SurfaceMaterial& A, const SurfaceMaterial& B) {
  PairMaterial pair;
  const double mu_sum = A.mu + B.mu;
  pair.mu = mu_sum > 0.0 ? 2.0 * A.mu * B.mu / mu_sum : 0.0;
  pair.tau = A.relaxation_time + B.relaxation_time;

  const bool A_is_rigid = std::isinf(A.modulus), B_is_rigid = std::isinf(B.modulus);
  if (A_is_rigid && B_is_rigid) pair.hunt_crossley = 0.0;
  else if (A_is_rigid) pair.hunt_crossley = B.hunt_crossley;
  else if (B_is_rigid) pair.hunt_crossley = A.hunt_crossley;
  else pair.hunt_crossley = (B.modulus * A.hunt_crossley + A.modulus * B.hunt_crossley) / (A.modulus + B.modulus);
  return pair;
}

}  // namespace patchfield
