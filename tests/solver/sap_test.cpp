// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include <gtest/gtest.h>

#include "patchfield/solver/solver.h"
#include "solver/problems.h"
#include "solver/reference.h"

namespace patchfield {
namespace {

using testing::random_problem;
using testing::RandomOptions;
using testing::Reference;

SolverOptions sap_options() {
  SolverOptions o;
  o.kind = SolverKind::kSap;
  o.relative_tolerance = 1e-11;
  return o;
}

// The gradient that a slow, point-by-point code computes vanishes at the solver's v.
TEST(Sap, SatisfiesTheMomentumBalanceOfTheReference) {
  ContactSolver solver;
  ContactSolution solution;
  for (unsigned seed = 0; seed < 60; ++seed) {
    RandomOptions r{.bodies = 1 + static_cast<int>(seed % 6),
                    .patches = 2 + static_cast<int>(seed % 9),
                    .rows = static_cast<int>(seed % 4)};
    r.stiffness = std::pow(10.0, 2.0 + seed % 6);
    r.convection = seed % 2 ? 0.2 : 0.0;
    ContactProblem problem = random_problem(seed, r);
    testing::set_convected(problem, seed % 4 == 1 ? 1.0 : 0.3);
    if (seed % 3 == 0) problem.patch_material[0].mu = 0.0;
    const SolverReport report = solver.solve(problem, sap_options(), solution);
    EXPECT_EQ(report.status, SolverStatus::kConverged) << seed << " residual " << report.residual;
    const Reference reference(problem, sap_options());
    const VecX v = testing::vector_of(solution.v);
    const VecX momentum = reference.A * reference.v_star;
    EXPECT_LT(reference.sap_gradient(v).norm(), 1e-8 * momentum.norm()) << seed;
  }
}

TEST(Sap, FindsTheMinimumOfAGeneralPurposeMethod) {
  ContactSolver solver;
  ContactSolution solution;
  for (unsigned seed = 100; seed < 115; ++seed) {
    const ContactProblem problem = random_problem(seed, {.bodies = 3, .patches = 4, .points = 5, .rows = 2});
    const SolverReport report = solver.solve(problem, sap_options(), solution);
    ASSERT_EQ(report.status, SolverStatus::kConverged);
    const Reference reference(problem, sap_options());
    const VecX v = testing::vector_of(solution.v);
    const VecX slow = testing::minimize_slowly(
        reference.v0, reference.A.inverse(), [&](const VecX& x) { return reference.sap_cost(x); },
        [&](const VecX& x) { return reference.sap_gradient(x); }, 3000);
    EXPECT_NEAR(report.cost, reference.sap_cost(v), 1e-10 * std::abs(report.cost) + 1e-14);
    EXPECT_LE(report.cost, reference.sap_cost(slow) * (1 + 1e-12) + 1e-15) << "the slow method found a lower cost";
    EXPECT_LT((v - slow).norm(), 1e-6 * (1 + v.norm())) << seed;
  }
}

// γ in the cone; where it slips, friction opposes the slip with all that the cone allows.
TEST(Sap, ImpulsesObeyTheConeAndDissipateMost) {
  ContactSolver solver;
  ContactSolution s;
  int slipping = 0, sticking = 0;
  for (unsigned seed = 200; seed < 220; ++seed) {
    const ContactProblem problem =
        random_problem(seed, {.bodies = 4, .patches = 8, .speed = seed % 2 ? 0.3 : 0.003, .mu_max = 2.0});
    solver.solve(problem, sap_options(), s);
    for (int p = 0; p < problem.num_patches(); ++p) {
      const double mu = problem.patch_material[p].mu;
      for (int i = problem.patch_first[p]; i < problem.patch_first[p] + problem.patch_count[p]; ++i) {
        const Vec3 n(problem.nx[i], problem.ny[i], problem.nz[i]), g(s.gx[i], s.gy[i], s.gz[i]),
            vt(s.vtx[i], s.vty[i], s.vtz[i]);
        const Vec3 gt = g - s.gn[i] * n;
        EXPECT_GE(s.gn[i], 0.0);
        EXPECT_LE(gt.norm(), mu * s.gn[i] * (1 + 1e-9) + 1e-16);
        if (s.gn[i] == 0.0) continue;
        if (s.stick[i]) {
          ++sticking;
        } else if (mu > 0.0) {
          ++slipping;
          EXPECT_NEAR(gt.norm(), mu * s.gn[i], 1e-9 * s.gn[i]);
          EXPECT_NEAR(gt.dot(vt), -gt.norm() * vt.norm(), 1e-9 * gt.norm() * vt.norm());
        }
      }
    }
  }
  EXPECT_GT(slipping, 50);
  EXPECT_GT(sticking, 10);
}

// A block of 1 kg on four stiff points, τ = 0: after the step the springs carry the weight.
TEST(Sap, BlockAtRestStaysAtRest) {
  ContactProblem problem;
  problem.dt = 1e-3;
  const testing::FreeBody block;
  testing::add_body(problem, block, {0, 0, -9.81});
  const int patch = problem.add_patch(0, -1, {.mu = 0.5, .tau = 0.01, .hunt_crossley = 0});
  const Vec3 o(0, 0, -0.05);
  testing::set_jacobian(problem, patch, 0, block, o, 1.0);
  const double k = 1e4;
  for (const double x : {-0.05, 0.05})
    for (const double y : {-0.05, 0.05}) problem.add_point({x, y, 0}, {0, 0, 1}, k, -9.81 / (4 * k));
  ContactSolver solver;
  ContactSolution s;
  const SolverReport report = solver.solve(problem, sap_options(), s);
  EXPECT_EQ(report.status, SolverStatus::kConverged);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(s.v[i], 0.0, 1e-12);
  EXPECT_NEAR(s.patch_wrench[0][5], 9.81e-3, 1e-12);
  EXPECT_EQ(s.stick[0], 1);
}

}  // namespace
}  // namespace patchfield
