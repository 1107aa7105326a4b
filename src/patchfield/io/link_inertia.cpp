// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/link_inertia.h"

#include <cmath>

#include <Eigen/Eigenvalues>

namespace patchfield {
namespace {

/// Relative size of what rounding in a file may do to A + B ≥ C.
constexpr double kRounding = 1e-5;

PrincipalInertia diagonalise(const Inertial& inertial) {
  const Mat3& I = inertial.inertia;
  if (I.isDiagonal(0.0)) return {inertial.X_LI.R, I.diagonal()};  // as written, to the last bit
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(I);
  Mat3 axes = solver.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(2) *= -1.0;
  return {inertial.X_LI.R * axes, solver.eigenvalues()};
}

}  // namespace

PrincipalInertia principal_inertia(const Inertial& inertial, const std::string& link, Diagnostics& diagnostics) {
  if (!(inertial.mass >= 0.0) || !std::isfinite(inertial.mass))
    fail(inertial.place, "link \"{}\" has the mass {} kg; it must be positive", link, inertial.mass);
  if (!inertial.inertia.allFinite() || !inertial.X_LI.is_finite())
    fail(inertial.place, "link \"{}\": its inertia is not finite", link);
  PrincipalInertia principal = diagonalise(inertial);

  Vec3& moments = principal.moments;
  const double largest = moments.maxCoeff();
  if (moments.minCoeff() < -kRounding * std::abs(largest))
    fail(inertial.place,
         "link \"{}\" has a negative moment of inertia: its principal moments are {}, {}, {} kg·m². Check the signs, "
         "and "
         "that the inertia is about the centre of mass",
         link, moments[0], moments[1], moments[2]);
  moments = moments.cwiseMax(0.0);

  for (int i = 0; i < 3; ++i) {
    double& C = moments[i];
    const double sum = moments[(i + 1) % 3] + moments[(i + 2) % 3];
    if (C <= sum) continue;
    if (C > sum * (1.0 + kRounding))
      fail(inertial.place,
           "link \"{}\": no body has the principal moments of inertia {}, {}, {} kg·m², because the largest is above "
           "the "
           "sum of the others. Check the inertia, also its axes and units",
           link, moments[0], moments[1], moments[2]);
    diagnostics.warn(inertial.place,
                     "link \"{}\": its largest moment of inertia is above the sum of the others by rounding; lowered "
                     "from {} to {} kg·m²",
                     link, C, sum);
    C = sum;
  }
  return principal;
}

}  // namespace patchfield
