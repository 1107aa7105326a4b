// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The convection speed a of a point, φ = φ₀ + δt(v_n − a).

#include <algorithm>

#include <gtest/gtest.h>

#include "patchfield/solver/solver.h"
#include "solver/problems.h"
#include "solver/reference.h"

namespace patchfield {
namespace {

using testing::random_problem;
using testing::set_convected;
using testing::vector_of;

SolverOptions tight(SolverKind kind) {
  SolverOptions o;
  o.kind = kind;
  o.relative_tolerance = 1e-11;
  o.max_iterations = 500;
  return o;
}

class Convection : public ::testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Convection,
                         ::testing::Values(SolverKind::kSap, SolverKind::kLagged, SolverKind::kTamsi),
                         [](const auto& p) { return to_string(p.param); });

// Where dissipation does not see it, a speed a is an overlap of δt·a more: φ₀ − δt·a.
TEST_P(Convection, IsAShiftOfTheSignedDistance) {
  ContactSolver solver;
  ContactSolution a, b;
  int compared = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    ContactProblem with = random_problem(seed, {.bodies = 3, .patches = 5, .points = 6, .convection = 0.3});
    set_convected(with, 0.0);
    // SAP has τ, a dissipation of its own, only where points overlap at the start.
    if (GetParam() == SolverKind::kSap)
      for (PatchMaterial& m : with.patch_material) m.tau = 0.0;
    ContactProblem shifted = with;
    for (int i = 0; i < with.num_points(); ++i) shifted.phi0[i] -= with.dt * with.convection[i];
    std::fill(shifted.convection.begin(), shifted.convection.end(), 0.0);
    const SolverReport ra = solver.solve(with, tight(GetParam()), a), rb = solver.solve(shifted, tight(GetParam()), b);
    ASSERT_EQ(ra.status, SolverStatus::kConverged);
    ASSERT_EQ(rb.status, SolverStatus::kConverged);
    if (ra.substeps + rb.substeps > 0) continue;
    ++compared;
    EXPECT_LT((vector_of(a.v) - vector_of(b.v)).norm(), 1e-7 * vector_of(a.v).norm()) << seed;
    std::fill(with.convection.begin(), with.convection.end(), 0.0);
    solver.solve(with, tight(GetParam()), b);
    EXPECT_GT((vector_of(a.v) - vector_of(b.v)).norm(), 1e-4 * vector_of(a.v).norm()) << "convection must matter";
  }
  EXPECT_GE(compared, 15);
}

// A step that TAMSI cut in two is two steps of half the length, the second with φ₀ + ½δt(v_n − a) of the first.
TEST(TamsiCut, AdvancesTheSignedDistanceWithThePattern) {
  ContactSolver solver;
  ContactSolution whole, half;
  int cut = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    ContactProblem p = random_problem(
        seed, {.bodies = 3, .patches = 6, .points = 5, .stiffness = 1e6, .speed = 1.0, .convection = 0.3});
    set_convected(p, seed % 2);
    SolverOptions options = tight(SolverKind::kTamsi);
    options.islands = false;
    options.tamsi_iterations = 3 + seed % 3;  // so few that some are cut
    const SolverReport report = solver.solve(p, options, whole);
    if (report.substeps != 2 || report.fallbacks != 0) continue;
    options.tamsi_iterations = 40;
    const VecX change = vector_of(p.v_star) - vector_of(p.v0);
    p.dt *= 0.5;
    bool as_one = true;
    Column<double> gn(p.num_points(), 0.0);
    for (int part = 0; part < 2; ++part) {
      for (int i = 0; i < p.num_velocities(); ++i) p.v_star[i] = p.v0[i] + 0.5 * change[i];
      const SolverReport r = solver.solve(p, options, half);
      ASSERT_EQ(r.status, SolverStatus::kConverged);
      as_one = as_one && r.substeps == 0;
      for (int i = 0; i < p.num_points(); ++i) {
        p.phi0[i] += p.dt * (half.vn[i] - p.convection[i]);
        gn[i] += half.gn[i];
      }
      p.v0 = half.v;
    }
    if (!as_one) continue;
    ++cut;
    EXPECT_LT((vector_of(whole.v) - vector_of(half.v)).norm(), 1e-6 * vector_of(half.v).norm()) << seed;
    EXPECT_LT((vector_of(whole.gn) - vector_of(gn)).norm(), 1e-6 * vector_of(gn).norm()) << seed;
  }
  EXPECT_GE(cut, 5);
}

}  // namespace
}  // namespace patchfield
