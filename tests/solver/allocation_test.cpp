// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A warm solver allocates nothing. Counts every malloc and aligned_alloc of the program (glibc, no sanitizer).

#include <atomic>
#include <cstdlib>

#include <gtest/gtest.h>

#include "patchfield/solver/solver.h"
#include "solver/clutter.h"
#include "solver/problems.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PATCHFIELD_COUNTS_ALLOCATIONS
namespace {
std::atomic<long> allocations{0};
}
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}
#endif

namespace patchfield {
namespace {

#ifdef PATCHFIELD_COUNTS_ALLOCATIONS

TEST(Allocation, IsSeenByTheCounter) {
  const long before = allocations;
  Column<double> column(1000);
  EXPECT_GT(allocations - before, 0);
}

TEST(Allocation, NoneWhenWarm) {
  testing::BallClutter clutter(30);
  clutter.modulus = 1e6;
  ContactProblem problem;
  ContactSolution solution;
  // Let the balls meet first; then every solver takes the same problem three times.
  {
    ContactSolver solver;
    for (int step = 0; step < 60; ++step) {
      clutter.fill(5e-3, problem);
      solver.solve(problem, {}, solution);
      clutter.advance(5e-3, solution);
    }
    clutter.fill(5e-3, problem);
  }
  for (const SolverKind kind : {SolverKind::kSap, SolverKind::kLagged, SolverKind::kTamsi}) {
    ContactSolver solver;
    SolverOptions options;
    options.kind = kind;
    solver.solve(problem, options, solution);
    const long before = allocations;
    clutter.fill(5e-3, problem);
    const SolverReport report = solver.solve(problem, options, solution);
    EXPECT_EQ(allocations - before, 0) << to_string(kind);
    EXPECT_GT(report.iterations, 1);
    EXPECT_EQ(report.symbolic_analyses, 0);
  }
}

// Also when TAMSI cuts the step.
TEST(Allocation, NoneWhenWarmAndCut) {
  SolverOptions options;
  options.kind = SolverKind::kTamsi;
  options.tamsi_iterations = 2;  // too few: the step must be cut
  const ContactProblem problem =
      testing::random_problem(3, {.bodies = 12, .patches = 30, .stiffness = 1e7, .speed = 2.0, .rows = 4});
  ContactSolver solver;
  ContactSolution solution;
  solver.solve(problem, options, solution);
  const long before = allocations;
  const SolverReport report = solver.solve(problem, options, solution);
  EXPECT_EQ(allocations - before, 0);
  EXPECT_GT(report.substeps, 0);
}

#else
TEST(Allocation, IsNotCountedHere) { GTEST_SKIP() << "needs glibc without sanitizers"; }
#endif

}  // namespace
}  // namespace patchfield
