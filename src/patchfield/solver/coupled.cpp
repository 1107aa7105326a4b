// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// TAMSI and Lagged: Newton on the momentum balance with the normal impulse implicit in the friction, so that a root
// obeys ‖γ_t‖ ≤ μγ_n at every point. Not the gradient of any cost, so nothing guarantees convergence. In order, until
// one works:
//
//   1  where little changes (at rest, in steady sliding), a few steps of Newton from v₀, limited by the transitions of
//      friction (TALS)
//   2  rounds of: freeze the friction bounds μγ_n, solve the convex problem that remains, try Newton from there.
//      A fixed point of the freezing is a root.
//   3  the step cut into 2, 4, … sub-steps of 1 and 2, signed distances advanced by δt(v_n − a) in between
//   4  at the finest cut, a sub-step that still fails is done with bounds that only shrink: convex in each round, and
//      inside the cone at the end, though some points may have less friction than Coulomb allows
//
// 3 and 4 are counted in the report.

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "patchfield/solver/methods.h"

namespace patchfield {
namespace {

// A patch with thousands of points always has some whose slip turns around (near its centre of rotation);
// waiting for each of them would take as many iterations. So much of a patch's friction may change freely.
constexpr double kFreeShare = 0.1;
constexpr int kBins = 32;
constexpr double kLooseTolerance = 3e-2;
constexpr int kTrialIterations = 8;
// Newton from v₀ is tried if the residual there is this share of its scale or less. From farther away the convex
// problem is the better start: forty things that fall take 13.7 iterations per step of 10 ms instead of 17.2.
constexpr double kNear = 1e-2;
constexpr int kMaxHalvings = 10;
// Rounds of shrinking bounds, and how far a bound may exceed μγ_n at the end of them.
constexpr int kShrinkRounds = 30;
constexpr double kConeTolerance = 5e-4;
constexpr double kSlack = 0.01;

/// γ_n implicit in friction, and the same law with the bound μγ_n given.
struct Laws {
  PointLaw coupled, frozen;
};
constexpr Laws kTamsiLaws{PointLaw::kTamsi, PointLaw::kTamsiFrozen};
constexpr Laws kLaggedLaws{PointLaw::kLaggedCoupled, PointLaw::kLagged};

/// Largest α ∈ (0, 1] for which v_t + α Δ_t does not leave, cross or circle the stiction disc too quickly.
double transition_limit(const Vec3& v, const Vec3& delta, double vs, double tan_turn) {
  const double delta2 = delta.squaredNorm(), v2 = v.squaredNorm(), end2 = (v + delta).squaredNorm();
  if (delta2 <= 1e-12 * vs * vs) return 1.0;
  if (v2 < vs * vs) {
    // From deep inside: not beyond half the disc, where the slope of s still tells the way.
    return v2 < 1e-4 * vs * vs && end2 > vs * vs ? 0.5 * vs / std::sqrt(end2) : 1.0;
  }
  if (end2 < vs * vs) return 1.0;
  // Crosses the disc: stop at the point nearest to its centre.
  const double along = v.dot(delta), nearest = -along / delta2;
  if (nearest > 0.0 && nearest < 1.0 && v2 + nearest * along < vs * vs) return nearest;
  // Turns: with Δ = (Δ∥, Δ⊥) relative to v, the turn reaches θ at α = |v| tan θ/(Δ⊥ − tan θ Δ∥).
  const double speed = std::sqrt(v2), parallel = along / speed;
  const double perpendicular = std::sqrt(std::max(delta2 - parallel * parallel, 0.0));
  const double closing = perpendicular - tan_turn * parallel;
  return closing > speed * tan_turn ? speed * tan_turn / closing : 1.0;
}

/// TALS over one patch, O(points): all but kFreeShare of its friction keeps within its limits.
double patch_limit(const Island& island, const IslandPatch& patch, PointLaw law, double tan_turn) {
  PointResults at;
  const double vs = patch.law.stiction_speed;
  const Vec3 w = patch.dV.head<3>(), v_o = patch.dV.tail<3>();
  // No point can leave the disc of stiction: bodies at rest, most often.
  const double turns = patch.V.head<3>().norm() + w.norm(), moves = patch.V.tail<3>().norm() + v_o.norm();
  if (moves + patch.reach * turns < vs) return 1.0;
  std::array<double, kBins> weight{};
  std::array<double, kBins> lowest;
  lowest.fill(1.0);
  double total = 0.0;
  for (int b = 0; b < patch.num_blocks; ++b) {
    const PointBlock& block = island.blocks[patch.first_block + b];
    point_results(law, patch.law, block, patch.V, at);
    for (int lane = 0; lane < std::min(4, patch.num_points - 4 * b); ++lane) {
      if (at.gn[lane] == 0.0) continue;
      const Vec3 n(block.nx[lane], block.ny[lane], block.nz[lane]), r(block.rx[lane], block.ry[lane], block.rz[lane]);
      const Vec3 dvc = v_o + w.cross(r), vt(at.vtx[lane], at.vty[lane], at.vtz[lane]);
      const double limit = transition_limit(vt, dvc - n.dot(dvc) * n, vs, tan_turn);
      total += at.gn[lane];
      if (limit == 1.0) continue;
      const int bin = std::min(static_cast<int>(limit * kBins), kBins - 1);
      weight[bin] += at.gn[lane];
      lowest[bin] = std::min(lowest[bin], limit);
    }
  }
  double passed = 0.0;
  for (int bin = 0; bin < kBins; ++bin) {
    passed += weight[bin];
    if (passed > kFreeShare * total) return lowest[bin];
  }
  return 1.0;
}

double transition_aware_step(const Island& island, PointLaw law, const SolverOptions& options) {
  const double tan_turn = std::tan(options.tamsi_max_turn);
  double alpha = 1.0;
  for (const IslandPatch& patch : island.patches)
    if (patch.law.mu > 0.0) alpha = std::min(alpha, patch_limit(island, patch, law, tan_turn));
  return alpha;
}

enum class Search {
  kTrial,   ///< From v₀: the residual may rise for a while, as it does when a contact starts to slide. Gives up soon.
  kInsist,  ///< From near the solution: a smaller residual in every step, by halving it.
};

/// One island and how to solve it.
struct Coupled {
  Island& island;
  const SolverOptions& options;
  Laws laws;
  CoupledScratch& scratch;
  IslandOutcome& outcome;

  bool newton(Search search);
  void move_to(double alpha, bool likely_last);
  void freeze_bounds();
  bool convex_rounds();
  bool solve_part();
  bool shrink_bounds(double slack);
  SolverStatus solve_shrinking();
  bool solve_cut(int parts, bool finest);
  SolverStatus solve();
};

/// Evaluates without Hessians first where the step is likely the last.
void Coupled::move_to(double alpha, bool likely_last) {
  for (int i = 0; i < island.v.size(); ++i) island.v[i] = scratch.v[i] + alpha * island.dv[i];
  if (likely_last) island.evaluate_gradient(laws.coupled);
  if (!likely_last || !(island.residual <= island.converged_bound(options))) island.evaluate(laws.coupled);
}

/// Newton from island.v; a trial finds the island evaluated there.
bool Coupled::newton(Search search) {
  const bool trial = search == Search::kTrial;
  const int max_iterations = trial ? std::min(options.tamsi_iterations, kTrialIterations) : options.tamsi_iterations;
  if (!trial) island.evaluate(laws.coupled);
  const double first = island.residual;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    // One step at least from v₀, as in minimize().
    const double share = trial && iteration == 0 ? 0.01 : 1.0;
    if (island.residual <= share * island.converged_bound(options)) return true;
    if (trial && iteration >= 2 && island.residual > first * std::pow(0.5, iteration)) return false;
    if (!island.factor(Factorization::kLu)) return false;
    island.solve_step();
    island.prepare_line();
    ++outcome.iterations, ++outcome.factorizations;
    if (!(island.step_error() < 0.1)) return false;  // pivots too small, or NaN
    double alpha = transition_aware_step(island, laws.coupled, options);
    const double before = island.residual;
    scratch.v = island.v;
    move_to(alpha, trial && iteration == 0);
    for (int halvings = 0; !trial && !(island.residual < (1.0 - 1e-4 * alpha) * before); ++halvings) {
      if (halvings == kMaxHalvings) return false;
      alpha *= 0.5;
      ++outcome.line_search_evaluations;
      move_to(alpha, false);
    }
  }
  return island.residual <= island.converged_bound(options);
}

void Coupled::freeze_bounds() {
  island.for_each_patch([&](IslandPatch& patch) {
    PointResults results;
    for (int b = patch.first_block; b < patch.first_block + patch.num_blocks; ++b) {
      point_results(laws.coupled, patch.law, island.blocks[b], patch.V, results);
      for (int lane = 0; lane < 4; ++lane) island.blocks[b].c2[lane] = patch.law.mu * results.gn[lane];
    }
  });
}

/// Freezing and Newton in turn. (Freezing twice before each Newton takes an iteration more on average.)
bool Coupled::convex_rounds() {
  island.update_twists();
  double tolerance = kLooseTolerance;
  for (int round = 0; round < std::max(options.lag_iterations, 1); ++round, tolerance *= 0.1) {
    freeze_bounds();
    const SolverStatus status =
        minimize(island, laws.frozen, options, std::max(tolerance, options.relative_tolerance), outcome);
    if (status == SolverStatus::kSingular) return false;
    scratch.predicted = island.v;
    if (newton(Search::kInsist)) return true;
    island.v = scratch.predicted;
    island.update_twists();
  }
  return false;
}

/// The whole step or one part of it, from island.v.
bool Coupled::solve_part() {
  scratch.start = island.v;
  island.evaluate(laws.coupled);
  if (island.residual <= kNear * island.scale && newton(Search::kTrial)) return true;
  island.v = scratch.start;
  return convex_rounds();
}

/// Bounds above μγ_n come down to (1 − slack) of it; true if there were none.
bool Coupled::shrink_bounds(double slack) {
  bool inside = true;
  PointResults results;
  for (const IslandPatch& patch : island.patches)
    for (int b = patch.first_block; b < patch.first_block + patch.num_blocks; ++b) {
      point_results(laws.frozen, patch.law, island.blocks[b], patch.V, results);
      for (int lane = 0; lane < 4; ++lane) {
        double& bound = island.blocks[b].c2[lane];
        const double limit = patch.law.mu * results.gn[lane];
        if (bound <= (1.0 + kConeTolerance) * limit) continue;
        inside = false;
        bound = (1.0 - slack) * limit;
      }
    }
  return inside;
}

/// Convex problems with bounds that only shrink, from those of the frictionless solution on. Some slack, more in each
/// round, ends the chase after a γ_n that shrinks along with its bound.
SolverStatus Coupled::solve_shrinking() {
  ++outcome.fallbacks;
  outcome.law = laws.frozen;
  for (PointBlock& block : island.blocks)
    for (double& bound : block.c2) bound = 0.0;
  SolverStatus status = minimize(island, laws.frozen, options, options.relative_tolerance, outcome);
  freeze_bounds();
  for (int round = 0; round < kShrinkRounds && status != SolverStatus::kSingular; ++round) {
    status = minimize(island, laws.frozen, options, options.relative_tolerance, outcome);
    if (shrink_bounds(kSlack * round)) return status;
  }
  // v is the last round's, and shrink_bounds() has changed the bounds since.
  island.evaluate(laws.frozen);
  return std::max(status, SolverStatus::kMaxIterations);
}

/// The island's step cut into equal parts. The balance of the whole step still holds, A(v − v₀) = δt·k + Jᵀ Σγ, with
/// the impulses of all parts: each part gets its share of the free motion v* − v₀ and the same A, and a row its share
/// of the bounds and of 1/R.
class CutStep {
 public:
  CutStep(Island& island, CoupledScratch& scratch, int parts) : island_(island), scratch_(scratch), parts_(parts) {
    scratch.v_star = island.v_star;
    scratch.phi0.resize(4 * island.num_blocks());
    for (int b = 0; b < island.num_blocks(); ++b) std::copy_n(island.blocks[b].c1, 4, scratch.phi0.data() + 4 * b);
    for (IslandPatch& patch : island.patches) patch.law.dt /= parts;
    scale_rows(parts);
    scratch.impulses.assign(island.num_blocks(), PointResults{});
    scratch.patch_wrench.assign(island.patches.size(), Vec6::Zero());
    scratch.row_gamma.assign(island.rows.size(), 0.0);
  }
  ~CutStep() {
    island_.v_star = scratch_.v_star;
    for (int b = 0; b < island_.num_blocks(); ++b) std::copy_n(scratch_.phi0.data() + 4 * b, 4, island_.blocks[b].c1);
    for (IslandPatch& patch : island_.patches) patch.law.dt *= parts_;
    scale_rows(1.0 / parts_);
  }
  CutStep(const CutStep&) = delete;
  CutStep& operator=(const CutStep&) = delete;

  void begin_part() {
    for (int i = 0; i < island_.v.size(); ++i)
      island_.v_star[i] = island_.v[i] + (scratch_.v_star[i] - island_.v0[i]) / parts_;
  }

  /// Adds up the impulses of the part and advances the signed distances, φ₀ ← φ₀ + δt(v_n − a).
  void end_part(PointLaw law) {
    PointResults results;
    for (int p = 0; p < island_.patches.size(); ++p) {
      const IslandPatch& patch = island_.patches[p];
      scratch_.patch_wrench[p] += patch.sums.F;
      for (int b = patch.first_block; b < patch.first_block + patch.num_blocks; ++b) {
        PointBlock& block = island_.blocks[b];
        point_results(law, patch.law, block, patch.V, results);
        PointResults& sum = scratch_.impulses[b];
        for (int lane = 0; lane < 4; ++lane) {
          sum.gx[lane] += results.gx[lane], sum.gy[lane] += results.gy[lane], sum.gz[lane] += results.gz[lane];
          sum.gn[lane] += results.gn[lane];
          block.c1[lane] += patch.law.dt * (results.vn[lane] - block.c3[lane]);
        }
      }
    }
    for (int r = 0; r < island_.rows.size(); ++r) scratch_.row_gamma[r] += island_.rows[r].gamma;
  }

 private:
  void scale_rows(double parts) {
    for (IslandRow& row : island_.rows) row.R *= parts, row.lo /= parts, row.hi /= parts;
  }

  Island& island_;
  CoupledScratch& scratch_;
  int parts_;
};

/// False if a part failed; at the finest cut shrinking bounds stand in for it.
bool Coupled::solve_cut(int parts, bool finest) {
  CutStep cut(island, scratch, parts);
  island.v = island.v0;
  for (int part = 0; part < parts; ++part) {
    cut.begin_part();
    ++outcome.substeps;
    outcome.law = laws.coupled;
    if (!solve_part()) {
      if (!finest) return false;
      island.v = scratch.start;
      if (solve_shrinking() != SolverStatus::kConverged) return false;
    }
    cut.end_part(outcome.law);
  }
  return true;
}

SolverStatus Coupled::solve() {
  scratch.impulses_used = false;
  outcome.law = laws.coupled;
  if (solve_part()) return SolverStatus::kConverged;
  for (int parts = 2; parts <= options.tamsi_max_substeps; parts *= 2) {
    const bool finest = 2 * parts > options.tamsi_max_substeps;
    if (!solve_cut(parts, finest)) continue;
    scratch.impulses_used = true;
    return SolverStatus::kConverged;
  }
  island.v = island.v0;
  return solve_shrinking();
}

}  // namespace

SolverStatus solve_tamsi(Island& island, const SolverOptions& options, CoupledScratch& scratch,
                         IslandOutcome& outcome) {
  return Coupled{island, options, kTamsiLaws, scratch, outcome}.solve();
}

SolverStatus solve_lagged(Island& island, const SolverOptions& options, CoupledScratch& scratch,
                          IslandOutcome& outcome) {
  if (options.lag_iterations > 0) return Coupled{island, options, kLaggedLaws, scratch, outcome}.solve();
  return solve_explicit(island, options, outcome);
}

}  // namespace patchfield
