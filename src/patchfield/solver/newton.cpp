// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Newton's method on a strongly convex, once differentiable cost, with a line search exact enough to converge
// from anywhere [SAP, §4].

#include <algorithm>
#include <cmath>

#include "patchfield/solver/methods.h"

namespace patchfield {
namespace {

// A step is good when the slope of the cost along it has fallen to this part of what it was. 1 % is as good as
// exact for the number of iterations, and usually the full step passes at no cost of its own.
constexpr double kSlopeReduction = 0.01;
constexpr int kMaxLineEvaluations = 40;
constexpr double kMaxStep = 20.0;
// Iterations without a smaller residual after which rounding is to blame.
constexpr int kPatience = 12;

double dot(const Column<double>& a, const Column<double>& b) {
  double sum = 0.0;
  for (int i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void advance(Island& island, double alpha) {
  for (int i = 0; i < island.v.size(); ++i) island.v[i] += alpha * island.dv[i];
}

// Root of the slope along dv. The island stands at the full step, α = 1, and `alpha` there is counted from it:
// slope(−1) = slope0 < 0, slope(0) = slope1. Newton, kept inside the bracket by bisection.
double find_step(Island& island, PointLaw law, double slope0, double slope1, IslandOutcome& outcome) {
  island.prepare_line();
  const double target = kSlopeReduction * std::abs(slope0);
  double lo = -1.0, hi = kMaxStep;
  double alpha = slope0 / (slope1 - slope0);         // secant, counted from −1 …
  if (slope1 > 0.0) alpha = -1.0 - alpha, hi = 0.0;  // … to the full step
  else alpha = 0.0, lo = 0.0;
  for (int i = 0; i < kMaxLineEvaluations; ++i) {
    const LineSums line = island.evaluate_line(law, alpha);
    ++outcome.line_search_evaluations;
    if (std::abs(line.slope) <= target) break;
    if (line.slope < 0.0) lo = alpha;
    else hi = alpha;
    const double newton = alpha - line.slope / line.curvature;
    alpha = newton > lo && newton < hi ? newton : 0.5 * (lo + hi);
    if (hi - lo < 1e-12) break;
  }
  return alpha;
}

}  // namespace

SolverStatus minimize(Island& island, PointLaw law, const SolverOptions& options, double relative_tolerance,
                      IslandOutcome& outcome) {
  island.stop_duals();
  island.evaluate(law);
  double best = island.residual;
  int since_best = 0;
  for (int iteration = 0;; ++iteration) {
    // One step at least: a body that creeps at the tolerance would otherwise never be slowed down.
    const double bound = options.absolute_tolerance + relative_tolerance * island.scale;
    if (island.residual <= (iteration == 0 ? 0.01 * bound : bound)) return SolverStatus::kConverged;
    if (!std::isfinite(island.residual)) return SolverStatus::kStalled;
    if (iteration == options.max_iterations) return SolverStatus::kMaxIterations;
    if (since_best > kPatience) return SolverStatus::kStalled;

    if (!island.factor(Factorization::kCholesky)) return SolverStatus::kSingular;
    island.solve_step();
    ++outcome.factorizations;
    ++outcome.iterations;
    const double cost0 = island.cost, slope0 = dot(island.gradient, island.dv);
    if (!(slope0 < 0.0)) return SolverStatus::kStalled;

    if (island.uses_duals()) island.update_duals(law);

    // The full step first: near the solution it is right, and its gradient and Hessian are the next iteration's.
    advance(island, 1.0);
    island.evaluate(law);
    const double slope1 = dot(island.gradient, island.dv);
    const bool good =
        std::abs(slope1) <= kSlopeReduction * std::abs(slope0) && island.cost <= cost0 + 1e-10 * std::abs(cost0);
    if (!good && island.residual > options.absolute_tolerance + relative_tolerance * island.scale) {
      advance(island, find_step(island, law, slope0, slope1, outcome));
      // A quadratic model that fails does so because of friction.
      if (!island.uses_duals()) island.start_duals();
      island.evaluate(law);
    }
    since_best = island.residual < best ? 0 : since_best + 1;
    best = std::min(best, island.residual);
  }
}

}  // namespace patchfield
