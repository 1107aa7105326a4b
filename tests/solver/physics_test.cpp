// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Laws of mechanics that every solver must reproduce, on blocks and balls that need no geometry.

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "patchfield/solver/solver.h"
#include "solver/clutter.h"
#include "solver/problems.h"

namespace patchfield {
namespace {

using testing::FreeBody;

constexpr double kGravity = 9.81;

class Physics : public ::testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Physics, ::testing::Values(SolverKind::kSap, SolverKind::kLagged, SolverKind::kTamsi),
                         [](const auto& p) { return to_string(p.param); });

SolverOptions options_of(SolverKind kind) {
  SolverOptions o;
  o.kind = kind;
  return o;
}

/// A cube of side 0.1 m and 1 kg on the plane z = 0; 4×4 points under its foot. Its inertia is so large that it only
/// translates.
struct Block {
  FreeBody body;
  double k = 1e4;  ///< Of the whole foot [N/m].
  PatchMaterial material{.mu = 0.5, .tau = 0.0, .hunt_crossley = 0.0};
  ContactProblem problem;
  ContactSolver solver;
  ContactSolution solution;

  Block() {
    body.inertia = 1e4 * Mat3::Identity();
    body.center = {0, 0, 0.05};
  }
  SolverReport step(const SolverOptions& options, double dt, const Vec3& force) {
    problem.clear();
    problem.dt = dt;
    testing::add_body(problem, body, force);
    if (body.center.z() < 0.05 + 1e-3) {
      const Vec3 o = body.center - Vec3(0, 0, 0.05);
      const int patch = problem.add_patch(0, -1, material);
      testing::set_jacobian(problem, patch, 0, body, o, 1.0);
      for (int i = 0; i < 16; ++i)
        problem.add_point({0.025 * (i % 4) - 0.0375, 0.025 * (i / 4) - 0.0375, 0}, {0, 0, 1}, k / 16,
                          body.center.z() - 0.05);
    }
    const SolverReport report = solver.solve(problem, options, solution);
    body.v = Eigen::Map<const Vec3>(solution.v.data());
    body.w = Eigen::Map<const Vec3>(solution.v.data() + 3);
    body.center += dt * body.v;
    return report;
  }
};

TEST_P(Physics, WeightIsCarriedAtRest) {
  for (const double k : {1e3, 1e5}) {
    Block block;
    block.k = k;
    block.material.tau = 0.05, block.material.hunt_crossley = 20.0;
    for (int i = 0; i < 2000; ++i)
      ASSERT_EQ(block.step(options_of(GetParam()), 5e-3, {0, 0, -kGravity}).status, SolverStatus::kConverged);
    EXPECT_LT(block.body.v.norm(), 1e-9);
    EXPECT_NEAR(block.solution.patch_wrench[0][5] / 5e-3, kGravity, 1e-5 * kGravity);
    EXPECT_NEAR(block.body.center.z(), 0.05 - kGravity / k, 1e-5 * kGravity / k);
  }
}

// v(t) = v₀ − μgt until it stops; then it stays.
TEST_P(Physics, SlidingBlockDeceleratesByMuG) {
  Block block;
  block.material.tau = 1e-3, block.material.hunt_crossley = 5.0;
  const double dt = 1e-3, mu = 0.5, v0 = 1.0;
  block.body.center.z() = 0.05 - kGravity / block.k;
  block.body.v = {v0, 0, 0};
  const int stop = static_cast<int>(v0 / (mu * kGravity) / dt);
  for (int i = 1; i <= stop + 100; ++i) {
    block.step(options_of(GetParam()), dt, {0, 0, -kGravity});
    const double expected = std::max(0.0, v0 - mu * kGravity * dt * i);
    // SAP first rises to its gliding gap μ(δt + τ)v₀ = 1 mm, as much as it sinks in, and bounces on the way.
    EXPECT_NEAR(block.body.v.x(), expected, GetParam() == SolverKind::kSap ? 0.05 : 1e-3) << i;
  }
  EXPECT_LT(std::abs(block.body.v.x()), 1e-4);
}

// tan θ < μ sticks (creep below v_s), tan θ > μ slides with g(sin θ − μ cos θ).
TEST_P(Physics, SlopeSticksBelowAndSlidesAboveTheFrictionAngle) {
  const double dt = 1e-3, mu = 0.5;
  for (const double tan : {0.1, 0.45, 0.55, 1.0}) {
    const double theta = std::atan(tan);
    const Vec3 weight = kGravity * Vec3(std::sin(theta), 0, -std::cos(theta));
    Block block;
    block.material.tau = 1e-3, block.material.hunt_crossley = 5.0;
    block.body.center.z() = 0.05 - kGravity * std::cos(theta) / block.k;
    const int steps = 500;
    for (int i = 0; i < steps; ++i) block.step(options_of(GetParam()), dt, weight);
    if (tan < mu) {
      EXPECT_LT(block.body.v.x(), 2.5e-4) << tan;
      EXPECT_EQ(block.solution.stick[5], tan < 0.2 || GetParam() != SolverKind::kLagged) << tan;
    } else {
      const double a = kGravity * (std::sin(theta) - mu * std::cos(theta));
      // SAP's gliding gap grows with the speed: μ(δt + τ)‖v_t‖ over 0.5 s.
      EXPECT_NEAR(block.body.v.x(), a * steps * dt, GetParam() == SolverKind::kSap ? 0.05 * a * steps * dt : 2e-3)
          << tan;
      EXPECT_EQ(block.solution.stick[5], 0);
    }
  }
}

// A block that lands while it slides: it loses no more than μ times the impulse of the landing, ∫(f_n − mg) + mg,
// from the first step in contact on. (Lagged with the friction of the overlap alone stops it dead.)
TEST_P(Physics, LandingBlockFeelsFrictionOfTheLandingImpulse) {
  if (GetParam() == SolverKind::kSap) GTEST_SKIP() << "SAP couples friction and separation";
  for (const double k : {1e4, 1e6, 1e8}) {
    Block block;
    block.k = k;
    block.material = {.mu = 0.2, .tau = 0.0, .hunt_crossley = 100.0};
    block.body.center.z() = 0.0504;
    block.body.v = {2.0, 0, -0.5};
    double normal = 0.0;
    for (int i = 0; i < 20; ++i) {
      block.step(options_of(GetParam()), 1e-3, {0, 0, -kGravity});
      if (block.problem.num_patches() > 0) normal += block.solution.patch_wrench[0][5];
    }
    EXPECT_NEAR(2.0 - block.body.v.x(), 0.2 * normal, 0.02 * 0.2 * normal) << k;
    EXPECT_GT(normal, 0.5);
  }
}

/// A brick of 20×14×10 cm and 1 kg whose eight corners touch the plane z = 0, thrown with spin.
struct Tumbler {
  Vec3 half{0.1, 0.07, 0.05};
  Mat3 R_WB = (Eigen::AngleAxisd(0.3, Vec3::UnitX()) * Eigen::AngleAxisd(0.4, Vec3::UnitY())).toRotationMatrix();
  FreeBody body;
  double k = 1e5;
  PatchMaterial material{.mu = 0.5, .tau = 2e-3, .hunt_crossley = 5.0};
  ContactProblem problem;
  ContactSolver solver;
  ContactSolution solution;

  Tumbler() {
    body.center = {0, 0, 0.15};
    body.v = {2.0, 0.5, -1.0};
    body.w = {3.0, -2.0, 5.0};
  }
  SolverReport step(const SolverOptions& options, double dt) {
    const Vec3 sq = half.cwiseProduct(half);
    const Vec3 moments = body.mass / 3.0 * Vec3(sq.y() + sq.z(), sq.z() + sq.x(), sq.x() + sq.y());
    body.inertia = R_WB * moments.asDiagonal() * R_WB.transpose();
    problem.clear();
    problem.dt = dt;
    testing::add_body(problem, body, {0, 0, -kGravity});
    const int patch = problem.add_patch(0, -1, material);
    testing::set_jacobian(problem, patch, 0, body, body.center, 1.0);
    for (int i = 0; i < 8; ++i) {
      const Vec3 r =
          R_WB * Vec3(i & 1 ? half.x() : -half.x(), i & 2 ? half.y() : -half.y(), i & 4 ? half.z() : -half.z());
      problem.add_point(r, {0, 0, 1}, k, body.center.z() + r.z());
    }
    const SolverReport report = solver.solve(problem, options, solution);
    body.v = Eigen::Map<const Vec3>(solution.v.data());
    body.w = Eigen::Map<const Vec3>(solution.v.data() + 3);
    body.center += dt * body.v;
    if (body.w.norm() > 0.0) R_WB = Eigen::AngleAxisd(dt * body.w.norm(), body.w.normalized()) * R_WB;
    return report;
  }
};

// Friction turns the brick, that shifts the normal impulses, and they bound the friction: ‖γ_t‖ ≤ μγ_n at every corner
// of every step, no friction where nothing presses, and momentum accounts for all of it. (One refresh of the bound is
// enough for a block that only translates; here it gave 3 times too much.)
TEST_P(Physics, TumblingBrickStaysInsideTheCone) {
  for (const double dt : {1e-4, 1e-3, 5e-3, 1e-2}) {
    Tumbler brick;
    int pressing = 0;
    for (int i = 0; i < 0.6 / dt; ++i) {
      const Vec3 before = brick.body.v;
      ASSERT_EQ(brick.step(options_of(GetParam()), dt).status, SolverStatus::kConverged) << dt << " " << i;
      Vec3 sum = Vec3::Zero();
      for (int c = 0; c < 8; ++c) {
        const ContactSolution& s = brick.solution;
        const double gt = std::hypot(s.gx[c], s.gy[c]);
        EXPECT_LE(gt, 1.001 * 0.5 * s.gn[c] + 1e-15) << "δt = " << dt << ", step " << i;
        pressing += gt > 0.0;
        sum += Vec3(s.gx[c], s.gy[c], s.gz[c]);
      }
      EXPECT_LT((brick.body.v - before - sum - dt * Vec3(0, 0, -kGravity)).norm(), 1e-5);
    }
    EXPECT_GT(pressing, 20);
  }
}

// At its fixed point Lagged is TAMSI but for the shape of stiction.
TEST(AllSolvers, LaggedAndTamsiThrowTheBrickEquallyFar) {
  for (const double dt : {1e-3, 5e-3, 1e-2}) {
    Tumbler lagged, tamsi;
    for (int i = 0; i < 0.4 / dt; ++i)
      lagged.step(options_of(SolverKind::kLagged), dt), tamsi.step(options_of(SolverKind::kTamsi), dt);
    EXPECT_LT((lagged.body.center - tamsi.body.center).norm(), 1e-4) << dt;
    EXPECT_GT(tamsi.body.center.x(), 0.1);
  }
}

// Balls in a heap, every point of every patch.
TEST_P(Physics, ClutterStaysInsideTheCone) {
  for (const double dt : {1e-3, 1e-2}) {
    testing::BallClutter clutter(30);
    clutter.modulus = 1e6;
    ContactProblem p;
    ContactSolver solver;
    ContactSolution s;
    int pressing = 0;
    for (int i = 0; i < 0.5 / dt; ++i) {
      clutter.fill(dt, p);
      solver.solve(p, options_of(GetParam()), s);
      for (int patch = 0; patch < p.num_patches(); ++patch)
        for (int k = p.patch_first[patch]; k < p.patch_first[patch] + p.patch_count[patch]; ++k) {
          const Vec3 n(p.nx[k], p.ny[k], p.nz[k]), g(s.gx[k], s.gy[k], s.gz[k]);
          const double gt = (g - s.gn[k] * n).norm();
          pressing += s.gn[k] > 0.0;
          EXPECT_LE(gt, 1.001 * p.patch_material[patch].mu * s.gn[k] + 1e-16);
        }
      clutter.advance(dt, s);
    }
    EXPECT_GT(pressing, 1000);
  }
}

// Two free bodies collide: what one loses the other gains, linear and angular, whatever the solver's tolerance.
TEST_P(Physics, CollisionConservesMomentum) {
  testing::Random random(3);
  ContactSolver solver;
  ContactSolution s;
  for (int trial = 0; trial < 50; ++trial) {
    ContactProblem p;
    p.dt = 1e-3;
    FreeBody a, b;
    a.mass = 0.3, a.center = random.vector(0.1), a.v = random.vector(1), a.w = random.vector(3);
    b.mass = 2.0, b.inertia = 0.02 * Mat3::Identity(), b.center = random.vector(0.1), b.v = random.vector(1),
    b.w = random.vector(3);
    testing::add_body(p, a), testing::add_body(p, b);
    const int patch = p.add_patch(1, 0, {.mu = 0.8, .tau = 0.01, .hunt_crossley = 3.0});
    const Vec3 o = random.vector(0.1);
    testing::set_jacobian(p, patch, 0, b, o, 1.0);
    testing::set_jacobian(p, patch, 1, a, o, -1.0);
    for (int i = 0; i < 30; ++i) p.add_point(random.vector(0.02), random.direction(), 1e5, random.uniform(-1e-3, 0));
    ASSERT_EQ(solver.solve(p, options_of(GetParam()), s).status, SolverStatus::kConverged);
    auto v = [&](int i) { return Vec3(Eigen::Map<const Vec3>(s.v.data() + 3 * i)); };
    const Vec3 linear = a.mass * (v(0) - a.v) + b.mass * (v(2) - b.v);
    const Vec3 angular = a.inertia * (v(1) - a.w) + a.center.cross(a.mass * (v(0) - a.v)) + b.inertia * (v(3) - b.w) +
                         b.center.cross(b.mass * (v(2) - b.v));
    EXPECT_GT((v(0) - a.v).norm(), 1e-3);
    EXPECT_LT(linear.norm(), 1e-12);
    EXPECT_LT(angular.norm(), 1e-12);
  }
}

// The three solvers differ by O(δt): a ball that bounces off a wall while it slides. Elastic and undamped, so that
// the laws are the same.
TEST(AllSolvers, AgreeAsTheStepVanishes) {
  auto run = [](SolverKind kind, double dt) {
    testing::BallClutter clutter(1);
    clutter.modulus = 1e5;
    clutter.material = {.mu = 0.3, .tau = 0.0, .hunt_crossley = 0.0};
    clutter.balls[0].center = {0, 0, 0.052};
    clutter.balls[0].v = {1.0, 0.3, -1.0};
    clutter.balls[0].w = {3.0, -5.0, 2.0};
    SolverOptions options = options_of(kind);
    options.sigma = 1e-5, options.beta = 0.0;
    options.stiction_speed = 1e-5, options.relative_tolerance = 1e-10;
    ContactProblem p;
    ContactSolver solver;
    ContactSolution s;
    const int steps = static_cast<int>(std::lround(0.06 / dt));
    for (int i = 0; i < steps; ++i) {
      clutter.fill(dt, p);
      EXPECT_EQ(solver.solve(p, options, s).status, SolverStatus::kConverged);
      clutter.advance(dt, s);
    }
    Vec6 v;
    v << clutter.balls[0].v, clutter.balls[0].w * clutter.radius;
    EXPECT_GT(v[2], 0.3) << "it must have bounced";
    return v;
  };
  // SAP's gap shrinks with δt. Lagged and TAMSI differ by the shape of their stiction alone, a few v_s.
  std::vector<double> sap_gap;
  for (const double dt : {4e-4, 2e-4, 1e-4, 5e-5}) {
    const Vec6 tamsi = run(SolverKind::kTamsi, dt);
    sap_gap.push_back((run(SolverKind::kSap, dt) - tamsi).norm());
    EXPECT_LT((run(SolverKind::kLagged, dt) - tamsi).norm(), 5e-5);
  }
  EXPECT_LT(sap_gap.back(), 0.005);
  for (int i = 0; i < 3; ++i) EXPECT_LT(sap_gap[i + 1], 0.6 * sap_gap[i]) << "first order";
}

// Clutter comes to rest, and its kinetic energy never exceeds what it fell with.
TEST_P(Physics, ClutterConvergesEveryStepAndComesToRest) {
  for (const int n : {40, 100}) {
    testing::BallClutter clutter(n);
    const double dt = 5e-3;
    clutter.modulus = 1e6;
    ContactProblem p;
    ContactSolver solver;
    ContactSolution s;
    int substeps = 0, fallbacks = 0;
    double height = 0.0;
    for (const FreeBody& b : clutter.balls) height = std::max(height, b.center.z());
    const double energy = n * clutter.mass * (kGravity * height + 0.6);
    for (int i = 0; i < 300; ++i) {
      clutter.fill(dt, p);
      const SolverReport report = solver.solve(p, options_of(GetParam()), s);
      EXPECT_EQ(report.status, SolverStatus::kConverged) << "step " << i << " residual " << report.residual;
      substeps += report.substeps, fallbacks += report.fallbacks;
      clutter.advance(dt, s);
      EXPECT_LT(clutter.kinetic_energy(), energy);
    }
    EXPECT_LT(clutter.kinetic_energy(), 5e-3);
    EXPECT_LE(fallbacks, 2);
    EXPECT_LE(substeps, 20);
  }
}

// Rows. One velocity, mass 2, pushed by f.
struct Slider {
  ContactProblem p;
  ContactSolver solver;
  ContactSolution s;
  explicit Slider(double v0, double f, double dt = 1e-2) {
    p.dt = dt;
    p.add_tree(1);
    p.A[0] = 2.0, p.v0[0] = v0, p.v_star[0] = v0 + dt * f / 2.0;
  }
  double solve(SolverKind kind) {
    EXPECT_EQ(solver.solve(p, options_of(kind), s).status, SolverStatus::kConverged);
    return s.v[0];
  }
};

TEST_P(Physics, EqualityHolds) {
  Slider slider(0.3, 50.0);
  slider.p.add_row(1e-9, 0.1);
  slider.p.add_row_entry(0, 1.0);
  EXPECT_NEAR(slider.solve(GetParam()), 0.1, 1e-8);
}

TEST_P(Physics, LimitStopsOneWayOnly) {
  for (const double v : {-1.0, 1.0}) {
    Slider slider(v, 0.0);
    slider.p.add_row(1e-9, 0.0, 0.0, ContactProblem::kInf);  // v ≥ 0
    slider.p.add_row_entry(0, 1.0);
    EXPECT_NEAR(slider.solve(GetParam()), std::max(v, 0.0), 1e-8);
    EXPECT_NEAR(slider.s.row_gamma[0], v < 0 ? 2.0 : 0.0, 1e-6);
  }
}

TEST_P(Physics, FrictionLossHoldsBelowItsBoundAndYieldsAbove) {
  const double dt = 1e-2, loss = 3.0;
  for (const double f : {-5.0, -2.9, 0.0, 2.9, 5.0}) {
    Slider slider(0.0, f, dt);
    slider.p.add_row(1e-9, 0.0, -loss * dt, loss * dt);
    slider.p.add_row_entry(0, 1.0);
    const double expected = std::abs(f) <= loss ? 0.0 : dt * (f - std::copysign(loss, f)) / 2.0;
    EXPECT_NEAR(slider.solve(GetParam()), expected, 1e-8) << f;
  }
}

// u = clamp(−k_p(q + δt v) − k_d v, ±u_max) as a row: 1/R = δt(δt k_p + k_d), v̂ = −k_p q/(δt k_p + k_d).
TEST_P(Physics, ImplicitActuatorRespectsItsEffortLimit) {
  const double dt = 1e-2, kp = 400.0, kd = 30.0, q = 0.2;
  for (const double u_max : {1e3, 20.0}) {
    Slider slider(0.5, 0.0, dt);
    slider.p.add_row(1.0 / (dt * (dt * kp + kd)), -kp * q / (dt * kp + kd), -dt * u_max, dt * u_max);
    slider.p.add_row_entry(0, 1.0);
    const double v = slider.solve(GetParam()), u = std::clamp(-kp * (q + dt * v) - kd * v, -u_max, u_max);
    EXPECT_NEAR(2.0 * (v - 0.5), dt * u, 1e-9);
    EXPECT_NEAR(slider.s.row_gamma[0], dt * u, 1e-9);
  }
}

// A chain of bodies pulled taut: rows between neighbours make one island, and the pull reaches the last link.
TEST_P(Physics, ChainMovesAsOneBody) {
  const int n = 50;
  ContactProblem p;
  p.dt = 1e-2;
  for (int i = 0; i < n; ++i) {
    p.add_tree(1);
    p.A[i] = 1.0;
    p.v_star[i] = i == 0 ? 1.0 : 0.0;
  }
  for (int i = 0; i + 1 < n; ++i) {
    p.add_row(1e-8, 0.0);
    p.add_row_entry(i, 1.0);
    p.add_row_entry(i + 1, -1.0);
  }
  ContactSolver solver;
  ContactSolution s;
  const SolverReport report = solver.solve(p, options_of(GetParam()), s);
  EXPECT_EQ(report.status, SolverStatus::kConverged);
  EXPECT_EQ(report.islands, 1);
  EXPECT_GT(report.sparse_factorizations, 0);
  for (int i = 0; i < n; ++i) EXPECT_NEAR(s.v[i], 1.0 / n, 1e-5);
}

}  // namespace
}  // namespace patchfield
