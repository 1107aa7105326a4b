// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Contact problems for the solver's tests and benchmarks: free bodies with velocities (v, ω) of their centre of
// mass, expressed in W, and patches between them.

#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "patchfield/solver/contact_problem.h"

namespace patchfield::testing {

/// The same numbers with every standard library, unlike std::uniform_real_distribution.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double lo, double hi) { return lo + (hi - lo) * (engine_() / 4294967296.0); }
  int integer(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  Vec3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Vec3 direction() {
    for (;;) {
      const Vec3 x = vector(1.0);
      if (x.squaredNorm() > 0.01 && x.squaredNorm() < 1.0) return x.normalized();
    }
  }

 private:
  std::mt19937 engine_;
};

struct FreeBody {
  double mass = 1.0;
  Mat3 inertia = 0.01 * Mat3::Identity();
  Vec3 center = Vec3::Zero();
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();  ///< At the start of the step.
};

/// Adds the body as a tree; `force` acts at its centre during the step.
inline int add_body(ContactProblem& problem, const FreeBody& body, const Vec3& force = Vec3::Zero()) {
  const int t = problem.add_tree(6);
  Eigen::Map<Mat6> A(problem.A.data() + problem.A_start[t]);
  A.setZero();
  A.topLeftCorner<3, 3>() = body.mass * Mat3::Identity();
  A.bottomRightCorner<3, 3>() = body.inertia;
  double* v0 = problem.v0.data() + problem.tree_start[t];
  double* v_star = problem.v_star.data() + problem.tree_start[t];
  Eigen::Map<Vec6>(v0) << body.v, body.w;
  Eigen::Map<Vec6>(v_star) << body.v + problem.dt / body.mass * force, body.w;
  return t;
}

/// Writes the Jacobian of term s of the patch: sign·(twist of the body at o).
inline void set_jacobian(ContactProblem& problem, int patch, int s, const FreeBody& body, const Vec3& o, double sign) {
  const int at = s == 0 ? problem.patch_J0[patch] : problem.patch_J1[patch];
  Eigen::Map<Mat6> J(problem.J.data() + at);
  const Vec3 r = o - body.center;
  J.setZero();
  J.topRightCorner<3, 3>() = sign * Mat3::Identity();
  J.bottomLeftCorner<3, 3>() = sign * Mat3::Identity();
  Mat3 cross;  // v_o = v + ω×r = v − [r]× ω
  cross << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  J.bottomRightCorner<3, 3>() = -sign * cross;
}

struct RandomOptions {
  int bodies = 3;
  int patches = 4;
  int points = 7;
  double dt = 1e-3;
  double ground_share = 0.4;  ///< Patches against the fixed world.
  double stiffness = 1e4;     ///< Typical, per point.
  double speed = 0.3;
  double mu_max = 1.0;
  double convection = 0.0;  ///< Largest |a| [m/s].
  int rows = 0;
};

/// Bodies scattered in a cube, patches at random places with normals about one direction, points that overlap, just
/// touch or are apart.
inline ContactProblem random_problem(unsigned seed, const RandomOptions& options) {
  Random random(seed);
  ContactProblem problem;
  problem.dt = options.dt;
  std::vector<FreeBody> bodies(options.bodies);
  for (FreeBody& b : bodies) {
    b.mass = random.uniform(0.2, 2.0);
    const Mat3 S = Mat3::NullaryExpr([&](auto, auto) { return random.uniform(-1, 1); });
    b.inertia = b.mass * (4e-4 * Mat3::Identity() + 4e-4 * S * S.transpose());
    b.center = random.vector(0.2);
    b.v = random.vector(options.speed);
    b.w = random.vector(10.0 * options.speed);
    add_body(problem, b, b.mass * Vec3(0, 0, -9.81) + random.vector(1.0));
  }
  for (int p = 0; p < options.patches; ++p) {
    const int a = random.integer(options.bodies);
    int b = options.bodies > 1 ? random.integer(options.bodies - 1) : 0;
    if (b >= a) ++b;
    const bool ground = options.bodies == 1 || random.uniform(0, 1) < options.ground_share;
    const PatchMaterial material{.mu = random.uniform(0.0, options.mu_max),
                                 .tau = random.uniform(0.0, 0.02),
                                 .hunt_crossley = random.integer(3) == 0 ? 0.0 : random.uniform(0.0, 10.0)};
    const int patch = problem.add_patch(a, ground ? -1 : b, material);
    const Vec3 o = bodies[a].center + 0.1 * random.direction();
    set_jacobian(problem, patch, 0, bodies[a], o, 1.0);
    if (!ground) set_jacobian(problem, patch, 1, bodies[b], o, -1.0);
    const Vec3 n = random.direction();
    for (int i = 0; i < options.points; ++i)
      problem.add_point(random.vector(0.03), (n + random.vector(0.2)).normalized(),
                        options.stiffness * random.uniform(0.1, 1.0), random.uniform(-1e-3, 3e-4),
                        options.convection == 0.0 ? 0.0 : random.uniform(-options.convection, options.convection));
  }
  for (int r = 0; r < options.rows; ++r) {
    const int kind = r % 3;
    const double b = random.uniform(1e-4, 1e-2), inf = ContactProblem::kInf;
    problem.add_row(random.uniform(1e-3, 0.1), random.uniform(-0.1, 0.1),
                    kind == 0   ? -inf
                    : kind == 1 ? 0.0
                                : -b,
                    kind == 2 ? b : inf);
    const int n = problem.num_velocities(), first = random.integer(n), second = random.integer(n);
    problem.add_row_entry(std::min(first, second), random.uniform(0.5, 2.0));
    if (first != second) problem.add_row_entry(std::max(first, second), random.uniform(-1.0, 1.0));
  }
  return problem;
}

/// Lets dissipation see this share of the convection speeds.
inline void set_convected(ContactProblem& problem, double share) {
  for (int i = 0; i < problem.num_points(); ++i) problem.sliding[i] = share * problem.convection[i];
}

}  // namespace patchfield::testing
