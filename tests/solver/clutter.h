// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Balls that fall into a bin, as a sequence of contact problems: impacts, stacking, rolling and sliding. Contacts are
// what a pressure field of modulus E gives for balls: a disc of radius √(Rδ), pressure falling off to its rim.

#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "patchfield/solver/solver.h"
#include "solver/problems.h"

namespace patchfield::testing {

class BallClutter {
 public:
  double radius = 0.05, mass = 0.3, half_width = 0.2, modulus = 1e6, gravity = 9.81;
  PatchMaterial material{.mu = 0.5, .tau = 0.01, .hunt_crossley = 5.0};
  int points_per_patch = 12;
  std::vector<FreeBody> balls;

  explicit BallClutter(int n, unsigned seed = 1) {
    Random random(seed);
    for (int i = 0; i < n; ++i) {
      FreeBody b;
      b.mass = mass;
      b.inertia = 0.4 * mass * radius * radius * Mat3::Identity();
      b.center = {0.11 * (i % 3 - 1), 0.11 * (i / 3 % 3 - 1), 0.06 + 0.11 * (i / 9)};
      b.center += random.vector(0.004);
      b.v = random.vector(0.1) + Vec3(0, 0, -1.0);
      b.w = random.vector(5.0);
      balls.push_back(b);
    }
  }

  /// The problem of the next step.
  void fill(double dt, ContactProblem& problem) const {
    problem.clear();
    problem.dt = dt;
    const int n = static_cast<int>(balls.size());
    for (const FreeBody& b : balls) add_body(problem, b, {0, 0, -gravity * b.mass});
    for (int i = 0; i < n; ++i) {
      const Vec3& c = balls[i].center;
      add_contact(problem, -1, i, {0, 0, 1}, radius - c.z(), 2 * (radius - c.z()));
      for (int axis = 0; axis < 2; ++axis)
        for (const double side : {-1.0, 1.0}) {
          Vec3 normal = Vec3::Zero();
          normal[axis] = -side;
          const double overlap = radius - (half_width - side * c[axis]);
          add_contact(problem, -1, i, normal, overlap, 2 * overlap);
        }
      for (int j = 0; j < i; ++j) {
        const Vec3 d = c - balls[j].center;
        if (d.norm() < 2 * radius)
          add_contact(problem, j, i, d.normalized(), 2 * radius - d.norm(), 2 * radius - d.norm());
      }
    }
  }

  void advance(double dt, const ContactSolution& solution) {
    for (int i = 0; i < static_cast<int>(balls.size()); ++i) {
      balls[i].v = Eigen::Map<const Vec3>(solution.v.data() + 6 * i);
      balls[i].w = Eigen::Map<const Vec3>(solution.v.data() + 6 * i + 3);
      balls[i].center += dt * balls[i].v;
    }
  }

  double kinetic_energy() const {
    double sum = 0.0;
    for (const FreeBody& b : balls) sum += 0.5 * b.mass * b.v.squaredNorm() + 0.5 * b.w.dot(b.inertia * b.w);
    return sum;
  }

 private:
  // Normal from A into B; A = −1 is the bin. `reach` sets the disc: a² = R·reach.
  void add_contact(ContactProblem& problem, int A, int B, const Vec3& normal, double overlap, double reach) const {
    if (overlap <= 0.0) return;
    const int patch = problem.add_patch(B, A, material);
    const Vec3 o = balls[B].center - (radius - 0.5 * overlap) * normal;
    set_jacobian(problem, patch, 0, balls[B], o, 1.0);
    if (A >= 0) set_jacobian(problem, patch, 1, balls[A], o, -1.0);
    const double a = std::sqrt(radius * reach), area = std::numbers::pi * a * a;
    const Vec3 x = normal.unitOrthogonal(), y = normal.cross(x);
    for (int i = 0; i < points_per_patch; ++i) {
      // Equal areas on a spiral.
      const double rho = std::sqrt((i + 0.5) / points_per_patch), angle = 2.399963 * i;
      problem.add_point(a * rho * (std::cos(angle) * x + std::sin(angle) * y), normal,
                        modulus / radius * area / points_per_patch, -overlap * (1.0 - rho * rho));
    }
  }
};

}  // namespace patchfield::testing
