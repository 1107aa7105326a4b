// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What holds for every solver: derivatives, independence of order, structure and threads, bad input.

#include "patchfield/solver/solver.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "patchfield/solver/islands.h"
#include "patchfield/solver/methods.h"
#include "solver/clutter.h"
#include "solver/problems.h"
#include "solver/reference.h"

namespace patchfield {
namespace {

using testing::Random;
using testing::random_problem;
using testing::RandomOptions;
using testing::Reference;
using testing::vector_of;

SolverOptions tight(SolverKind kind) {
  SolverOptions o;
  o.kind = kind;
  o.relative_tolerance = 1e-11;
  o.max_iterations = 500;
  return o;
}

PointLaw law_of(SolverKind kind) {
  return kind == SolverKind::kSap      ? PointLaw::kSap
         : kind == SolverKind::kLagged ? PointLaw::kLaggedCoupled
                                       : PointLaw::kTamsi;
}

class EverySolver : public ::testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, EverySolver,
                         ::testing::Values(SolverKind::kSap, SolverKind::kLagged, SolverKind::kTamsi),
                         [](const auto& p) { return to_string(p.param); });

// Through everything: patches, rows, maps to trees, assembly, factorisation. Along the Newton step dv = −H⁻¹g the
// gradient must change at the rate H dv = −g, and the cost at the rate g·dv.
TEST_P(EverySolver, GradientAndHessianAreDerivatives) {
  SolverOptions options = tight(GetParam());
  options.stiction_speed = 0.1;  // smooth enough for differences
  options.sigma = 1.0;
  const PointLaw law = law_of(GetParam());
  int checked = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const ContactProblem problem = random_problem(seed, {.bodies = 4,
                                                         .patches = 6,
                                                         .points = 3,
                                                         .stiffness = 300.0,
                                                         .speed = 0.2,
                                                         .convection = seed < 20 ? 0.0 : 0.1,
                                                         .rows = 3});
    options.linear_algebra = seed % 2 ? LinearAlgebra::kDense : LinearAlgebra::kSparse;
    Islands islands;
    islands.find(problem, false);
    Island island;
    island.load(problem, islands.members(0), islands.tree_local(), options, nullptr);
    if (GetParam() == SolverKind::kSap) {
      SapCoefficients sap;
      ASSERT_TRUE(sap.set(problem, options, island));
    }
    const Column<double> v = island.v;
    island.evaluate(law);
    const VecX g = vector_of(island.gradient);
    ASSERT_TRUE(island.factor(is_coupled(law) ? Factorization::kLu : Factorization::kCholesky));
    island.solve_step();
    island.prepare_line();
    EXPECT_LT(island.step_error(), 1e-9);
    const VecX dv = vector_of(island.dv);

    const double h = 1e-6 / dv.norm();
    auto at = [&](double t) {
      for (int i = 0; i < v.size(); ++i) island.v[i] = v[i] + t * dv[i];
      island.evaluate(law);
      return vector_of(island.gradient);
    };
    const VecX plus = at(h);
    const double cost_plus = island.cost;
    const VecX minus = at(-h);
    const double cost_minus = island.cost;
    const VecX one_sided_jump = (plus - g) / h - (g - minus) / h;
    if (one_sided_jump.norm() > 1e-3 * g.norm()) continue;  // a kink inside the stencil
    ++checked;
    EXPECT_LT(((plus - minus) / (2 * h) + g).norm(), 1e-5 * g.norm()) << seed;
    if (is_coupled(law)) continue;
    EXPECT_NEAR((cost_plus - cost_minus) / (2 * h), g.dot(dv), 1e-5 * std::abs(g.dot(dv))) << seed;
  }
  EXPECT_GT(checked, 20);
}

// The balance of a slow code that shares nothing with the solvers.
TEST(Lagged, ExplicitModelSatisfiesTheMomentumBalanceOfTheReference) {
  SolverOptions options = tight(SolverKind::kLagged);
  options.lag_iterations = 0;
  ContactSolver solver;
  ContactSolution solution;
  for (unsigned seed = 0; seed < 40; ++seed) {
    RandomOptions r{.bodies = 1 + static_cast<int>(seed % 6),
                    .patches = 2 + static_cast<int>(seed % 9),
                    .rows = static_cast<int>(seed % 4)};
    r.stiffness = std::pow(10.0, 2.0 + seed % 4);
    r.convection = seed % 2 ? 0.2 : 0.0;
    ContactProblem problem = random_problem(seed, r);
    testing::set_convected(problem, seed % 4 == 1 ? 1.0 : 0.3);
    ASSERT_EQ(solver.solve(problem, options, solution).status, SolverStatus::kConverged) << seed;
    Reference reference(problem, options);
    for (auto& c : reference.points) {
      const double vn0 = c.n.dot(c.J * reference.v0);
      c.gn0 = problem.dt * c.k * std::max(-c.phi0, 0.0) * std::max(1.0 - c.d * (vn0 - c.a_d), 0.0);
    }
    const VecX g = reference.gradient(vector_of(solution.v),
                                      [&](const auto& c, const VecX& x) { return reference.lagged_impulse(c, x); });
    EXPECT_LT(g.norm(), 1e-8 * (reference.A * reference.v_star).norm()) << seed;
  }
}

// At default settings but for the tolerance: the friction bound is that of the normal impulse at the end.
class CoupledSolver : public ::testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, CoupledSolver, ::testing::Values(SolverKind::kLagged, SolverKind::kTamsi),
                         [](const auto& p) { return to_string(p.param); });

TEST_P(CoupledSolver, SatisfiesTheMomentumBalanceOfTheReference) {
  const SolverOptions options = tight(GetParam());
  ContactSolver solver;
  ContactSolution solution;
  int whole = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    RandomOptions r{.bodies = 1 + static_cast<int>(seed % 6),
                    .patches = 2 + static_cast<int>(seed % 9),
                    .rows = static_cast<int>(seed % 4)};
    r.stiffness = std::pow(10.0, 2.0 + seed % 4);
    r.convection = seed % 2 ? 0.2 : 0.0;
    ContactProblem problem = random_problem(seed, r);
    testing::set_convected(problem, seed % 4 == 1 ? 1.0 : 0.3);
    const SolverReport report = solver.solve(problem, options, solution);
    ASSERT_EQ(report.status, SolverStatus::kConverged) << seed;
    if (report.substeps > 0 || report.fallbacks > 0) continue;
    ++whole;
    const Reference reference(problem, options);
    const VecX g = reference.gradient(vector_of(solution.v), [&](const auto& c, const VecX& x) {
      return GetParam() == SolverKind::kTamsi ? reference.tamsi_impulse(c, x) : reference.lagged_fixed_point(c, x);
    });
    EXPECT_LT(g.norm(), 1e-8 * (reference.A * reference.v_star).norm()) << seed;
  }
  EXPECT_GE(whole, 38) << "the rest was cut and proves nothing";
}

// Whatever a solver had to do, the impulses it reports account for the velocities, A(v − v*) = Jᵀγ, and obey Coulomb.
TEST_P(CoupledSolver, ReportedImpulsesBalanceEvenWhenTheStepIsCut) {
  ContactSolver solver;
  ContactSolution s;
  int cut = 0, fallbacks = 0;
  for (const int iterations : {40, 3, 2, 1}) {
    SolverOptions options = tight(GetParam());
    options.tamsi_iterations = iterations;
    for (unsigned seed = 0; seed < 30; ++seed) {
      const ContactProblem p =
          random_problem(seed, {.bodies = 6, .patches = 14, .stiffness = 1e6, .speed = 1.0, .rows = 3});
      const SolverReport report = solver.solve(p, options, s);
      EXPECT_EQ(report.status, SolverStatus::kConverged);
      cut += report.substeps, fallbacks += report.fallbacks;
      VecX momentum = testing::dense_inertia(p) * (vector_of(s.v) - vector_of(p.v_star));
      const double scale = momentum.norm();
      for (int patch = 0; patch < p.num_patches(); ++patch) {
        Vec3 force = Vec3::Zero();
        for (int i = p.patch_first[patch]; i < p.patch_first[patch] + p.patch_count[patch]; ++i) {
          const Vec3 g(s.gx[i], s.gy[i], s.gz[i]), n(p.nx[i], p.ny[i], p.nz[i]);
          momentum -= testing::point_jacobian(p, patch, i).transpose() * g;
          force += g;
          EXPECT_NEAR(g.dot(n), s.gn[i], 1e-9 * scale);
          EXPECT_LE((g - s.gn[i] * n).norm(), 1.001 * p.patch_material[patch].mu * s.gn[i] + 1e-12 * scale);
        }
        EXPECT_LT((force - s.patch_wrench[patch].tail<3>()).norm(), 1e-9 * scale);
      }
      for (int r = 0; r < p.num_rows(); ++r)
        for (int e = p.row_start[r]; e < p.row_start[r + 1]; ++e)
          momentum[p.row_dof[e]] -= p.row_value[e] * s.row_gamma[r];
      EXPECT_LT(momentum.norm(), 1e-7 * scale) << iterations << " " << seed;
    }
  }
  EXPECT_GT(cut, 50);
  EXPECT_GT(fallbacks, 10);
}

// Patches and points in another order, trees too: the same velocities.
TEST_P(EverySolver, SolutionDoesNotDependOnTheOrderOfContacts) {
  ContactSolver solver;
  ContactSolution a, b;
  for (unsigned seed = 0; seed < 10; ++seed) {
    const ContactProblem p = random_problem(seed, {.bodies = 5, .patches = 9, .points = 6, .speed = 0.1});
    ContactProblem q;
    q.dt = p.dt;
    const int n = p.num_trees();
    for (int t = n - 1; t >= 0; --t) {
      q.add_tree(6);
      std::copy_n(p.A.data() + p.A_start[t], 36, q.A.data() + q.A_start[n - 1 - t]);
      std::copy_n(p.v0.data() + 6 * t, 6, q.v0.data() + 6 * (n - 1 - t));
      std::copy_n(p.v_star.data() + 6 * t, 6, q.v_star.data() + 6 * (n - 1 - t));
    }
    for (int patch = p.num_patches() - 1; patch >= 0; --patch) {
      const int t0 = p.patch_tree0[patch], t1 = p.patch_tree1[patch];
      const int to = q.add_patch(n - 1 - t0, t1 < 0 ? -1 : n - 1 - t1, p.patch_material[patch]);
      std::copy_n(p.J.data() + p.patch_J0[patch], 36, q.J.data() + q.patch_J0[to]);
      if (t1 >= 0) std::copy_n(p.J.data() + p.patch_J1[patch], 36, q.J.data() + q.patch_J1[to]);
      for (int i = p.patch_first[patch] + p.patch_count[patch] - 1; i >= p.patch_first[patch]; --i)
        q.add_point({p.rx[i], p.ry[i], p.rz[i]}, {p.nx[i], p.ny[i], p.nz[i]}, p.k[i], p.phi0[i], p.convection[i],
                    p.sliding[i]);
    }
    EXPECT_EQ(solver.solve(p, tight(GetParam()), a).status, SolverStatus::kConverged);
    EXPECT_EQ(solver.solve(q, tight(GetParam()), b).status, SolverStatus::kConverged);
    for (int t = 0; t < n; ++t)
      for (int i = 0; i < 6; ++i) EXPECT_NEAR(a.v[6 * t + i], b.v[6 * (n - 1 - t) + i], 1e-7);
  }
}

TEST_P(EverySolver, DenseAndSparseAgree) {
  ContactSolver solver;
  ContactSolution a, b;
  SolverOptions dense = tight(GetParam()), sparse = dense;
  dense.linear_algebra = LinearAlgebra::kDense;
  sparse.linear_algebra = LinearAlgebra::kSparse;
  for (unsigned seed = 0; seed < 10; ++seed) {
    const ContactProblem p = random_problem(seed, {.bodies = 15, .patches = 25, .rows = 6});
    const SolverReport ra = solver.solve(p, dense, a), rb = solver.solve(p, sparse, b);
    EXPECT_EQ(ra.sparse_factorizations, 0);
    EXPECT_GT(rb.sparse_factorizations, 0);
    EXPECT_LT((vector_of(a.v) - vector_of(b.v)).norm(), 1e-7 * vector_of(a.v).norm());
  }
}

TEST_P(EverySolver, IslandsAndOneSystemAgree) {
  ContactSolver solver;
  ContactSolution a, b;
  SolverOptions separate = tight(GetParam()), together = separate;
  together.islands = false;
  int compared = 0;
  for (unsigned seed = 0; seed < 10; ++seed) {
    const ContactProblem p = random_problem(seed, {.bodies = 12, .patches = 10, .ground_share = 0.6});
    const SolverReport ra = solver.solve(p, separate, a), rb = solver.solve(p, together, b);
    EXPECT_GT(ra.islands, 1);
    EXPECT_EQ(rb.islands, 1);
    if (ra.substeps + rb.substeps > 0) continue;
    ++compared;
    EXPECT_LT((vector_of(a.v) - vector_of(b.v)).norm(), 1e-7 * vector_of(a.v).norm());
  }
  EXPECT_GE(compared, 8) << "a step that was cut differs by O(δt) and proves nothing";
}

TEST_P(EverySolver, UntouchedTreesFollowTheirFreeMotion) {
  ContactProblem p = random_problem(1, {.bodies = 3, .patches = 0});
  ContactSolver solver;
  ContactSolution s;
  const SolverReport report = solver.solve(p, tight(GetParam()), s);
  EXPECT_EQ(report.islands, 0);
  EXPECT_EQ(vector_of(s.v), vector_of(p.v_star));
}

// A step of clutter (one large island), separate pairs (many small ones) and one big patch: the same bits.
TEST_P(EverySolver, SameBitsForAnyNumberOfThreads) {
  ContactProblem problems[3];
  {
    testing::BallClutter clutter(40);
    clutter.points_per_patch = 60;
    ContactSolver solver;
    ContactSolution s;
    for (int step = 0; step < 50; ++step) {
      clutter.fill(5e-3, problems[0]);
      solver.solve(problems[0], {}, s);
      clutter.advance(5e-3, s);
    }
    clutter.fill(5e-3, problems[0]);
  }
  problems[1] = random_problem(5, {.bodies = 60, .patches = 40});
  problems[2] = random_problem(6, {.bodies = 2, .patches = 2, .points = 5000, .stiffness = 10.0});
  SolverOptions options;
  options.kind = GetParam();
  for (const ContactProblem& problem : problems) {
    std::vector<ContactSolution> solutions(3);
    int i = 0;
    for (const int threads : {1, 2, 8}) {
      ThreadPool pool(threads);
      ContactSolver solver;
      solver.solve(problem, options, solutions[i++], &pool);
    }
    for (int k = 1; k < 3; ++k) {
      const ContactSolution &a = solutions[0], &b = solutions[k];
      EXPECT_EQ(std::memcmp(a.v.data(), b.v.data(), sizeof(double) * a.v.size()), 0);
      EXPECT_EQ(std::memcmp(a.gx.data(), b.gx.data(), sizeof(double) * a.gx.size()), 0);
      EXPECT_EQ(std::memcmp(a.patch_wrench.data(), b.patch_wrench.data(), sizeof(Vec6) * a.patch_wrench.size()), 0);
    }
  }
}

// A second solve with a warm workspace, and one by a workspace that did something else before: the same bits.
TEST_P(EverySolver, HistoryOfTheWorkspaceLeavesNoTrace) {
  const ContactProblem p = random_problem(7, {.bodies = 20, .patches = 40, .rows = 3});
  const ContactProblem other = random_problem(8, {.bodies = 33, .patches = 70, .points = 20});
  SolverOptions options;
  options.kind = GetParam();
  ContactSolver fresh, used;
  ContactSolution a, b;
  fresh.solve(p, options, a);
  used.solve(other, options, b);
  used.solve(p, options, b);
  EXPECT_EQ(std::memcmp(a.v.data(), b.v.data(), sizeof(double) * a.v.size()), 0);
}

TEST_P(EverySolver, BadNumbersAreReportedAndLeaveTheVelocities) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = ContactProblem::kInf;
  SolverOptions options;
  options.kind = GetParam();
  ContactSolver solver;
  ContactSolution s;
  for (const double bad : {nan, inf}) {
    for (int what = 0; what < 12; ++what) {
      ContactProblem p = random_problem(1, {.bodies = 3, .patches = 4, .rows = 3});
      Column<double>* columns[12] = {&p.A,    &p.v_star,     &p.J,       &p.rx,    &p.nz,       &p.k,
                                     &p.phi0, &p.convection, &p.sliding, &p.row_R, &p.row_vhat, &p.row_value};
      (*columns[what])[columns[what]->size() / 2] = bad;
      EXPECT_EQ(solver.solve(p, options, s).status, SolverStatus::kBadInput) << what;
      EXPECT_EQ(vector_of(s.v), vector_of(p.v0));
    }
    ContactProblem p = random_problem(1, {.bodies = 3, .patches = 4});
    p.v0[4] = bad;
    EXPECT_EQ(solver.solve(p, options, s).status, SolverStatus::kBadInput);
    EXPECT_TRUE(vector_of(s.v).allFinite());
    p.dt = bad;
    EXPECT_EQ(solver.solve(p, options, s).status, SolverStatus::kBadInput);
  }
  ContactProblem p = random_problem(1, {.bodies = 3, .patches = 4});
  p.dt = 0.0;
  EXPECT_EQ(solver.solve(p, options, s).status, SolverStatus::kBadInput);
  p.dt = 1e-3, p.k[2] = -1.0;
  EXPECT_EQ(solver.solve(p, options, s).status, SolverStatus::kBadInput);
}

// Nothing accounts for velocities that stay what they were, so no impulse may be reported; another island is not hurt.
TEST_P(EverySolver, IndefiniteInertiaIsReportedWithoutImpulses) {
  ContactProblem p = random_problem(1, {.bodies = 2, .patches = 3, .ground_share = 1.0, .stiffness = 1e3});
  const auto tree_of_patch = [&](int patch) { return p.patch_tree0[patch]; };
  p.add_row(1e-2, 0.5);
  p.add_row_entry(6, 1.0);
  // Positive on the diagonal, indefinite all the same.
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) p.A[p.A_start[1] + 6 * i + j] = i == j ? 1.0 : 2.0;
  SolverOptions options;
  options.kind = GetParam();
  ContactSolver solver;
  ContactSolution s;
  EXPECT_EQ(solver.solve(p, options, s).status, SolverStatus::kSingular);
  EXPECT_EQ(vector_of(s.v).tail<6>(), vector_of(p.v0).tail<6>());
  EXPECT_NE(vector_of(s.v).head<6>(), vector_of(p.v0).head<6>());
  int singular = 0, sound = 0;
  for (int patch = 0; patch < p.num_patches(); ++patch) {
    const bool stopped = tree_of_patch(patch) == 1;
    ++(stopped ? singular : sound);
    if (!stopped) continue;
    EXPECT_EQ(s.patch_wrench[patch], Vec6(Vec6::Zero()));
    for (int i = p.patch_first[patch]; i < p.patch_first[patch] + p.patch_count[patch]; ++i)
      EXPECT_EQ(Vec3(s.gx[i], s.gy[i], s.gz[i]), Vec3(Vec3::Zero()));
  }
  EXPECT_EQ(s.row_gamma[0], 0.0);
  EXPECT_GT(singular, 0);
  EXPECT_GT(sound, 0);
}

// Numbers that are legal but absurd: an answer, finite, whatever the status.
TEST_P(EverySolver, ExtremeProblemsStayFinite) {
  ContactSolver solver;
  ContactSolution s;
  SolverOptions options;
  options.kind = GetParam();
  for (unsigned seed = 0; seed < 30; ++seed) {
    Random random(seed);
    RandomOptions r{.bodies = 4, .patches = 6};
    r.dt = std::pow(10.0, random.uniform(-6, 2));
    r.stiffness = std::pow(10.0, random.uniform(-6, 14));
    r.speed = std::pow(10.0, random.uniform(-6, 6));
    ContactProblem p = random_problem(seed, r);
    solver.solve(p, options, s);
    EXPECT_TRUE(vector_of(s.v).allFinite()) << seed;
    EXPECT_TRUE(vector_of(s.gx).allFinite()) << seed;
  }
}

TEST_P(CoupledSolver, HardProblemsConvergeOrAreCutAndCounted) {
  ContactSolver solver;
  ContactSolution s;
  SolverOptions options;
  options.kind = GetParam();
  int cut = 0, fallbacks = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const ContactProblem p =
        random_problem(seed, {.bodies = 20, .patches = 45, .points = 12, .stiffness = 1e7, .speed = 2.0});
    const SolverReport report = solver.solve(p, options, s);
    EXPECT_EQ(report.status, SolverStatus::kConverged) << seed;
    cut += report.substeps > 0;
    fallbacks += report.fallbacks;
  }
  EXPECT_GT(cut, 0) << "not hard enough to test anything";
  EXPECT_LE(fallbacks, 10);
}

}  // namespace
}  // namespace patchfield
