// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// [TAMSI]: Newton on the momentum balance with the normal impulse implicit in the friction. Not the gradient of any
// cost, so nothing guarantees convergence. In order, until one works:
//
//   1  a few steps of Newton from v₀, limited by the transitions of friction (TALS); enough where little changes
//   2  rounds of: freeze the friction bounds μγ_n, solve the convex problem that remains, try Newton from there.
//      A fixed point of the freezing is TAMSI's own solution.
//   3  the step cut into 2, 4, … sub-steps of 1 and 2, signed distances advanced by δt(v_n − a) in between
//   4  at the finest cut, a sub-step that still fails is done by Lagged, which always converges
//
// 3 and 4 are counted in the report.

#include <algorithm>
#include <array>
#include <cmath>

#include "patchfield/solver/methods.h"

namespace patchfield {
namespace {

// A patch with thousands of points always has some whose slip turns around (near its centre of rotation);
// waiting for each of them would take as many iterations. So much of a patch's friction may change freely.
constexpr double kFreeShare = 0.1;
constexpr int kBins = 32;
constexpr int kConvexRounds = 5;
constexpr double kLooseTolerance = 1e-2;
constexpr int kTrialIterations = 8;
constexpr int kMaxHalvings = 10;

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
double patch_limit(const Island& island, const IslandPatch& patch, double tan_turn) {
  PointResults at;
  const double vs = patch.law.stiction_speed;
  const Vec3 w = patch.dV.head<3>(), v_o = patch.dV.tail<3>();
  std::array<double, kBins> weight{};
  std::array<double, kBins> lowest;
  lowest.fill(1.0);
  double total = 0.0;
  for (int b = 0; b < patch.num_blocks; ++b) {
    const PointBlock& block = island.blocks[patch.first_block + b];
    point_results(PointLaw::kTamsi, patch.law, block, patch.V, at);
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

double transition_aware_step(const Island& island, const SolverOptions& options) {
  const double tan_turn = std::tan(options.tamsi_max_turn);
  double alpha = 1.0;
  for (const IslandPatch& patch : island.patches)
    if (patch.law.mu > 0.0) alpha = std::min(alpha, patch_limit(island, patch, tan_turn));
  return alpha;
}

bool is_converged(const Island& island, const SolverOptions& options) {
  return island.residual <= island.converged_bound(options);
}

void move_to(Island& island, const Column<double>& from, double alpha) {
  for (int i = 0; i < island.v.size(); ++i) island.v[i] = from[i] + alpha * island.dv[i];
  island.evaluate(PointLaw::kTamsi);
}

enum class Search {
  kTrial,   ///< From v₀: the residual may rise for a while, as it does when a contact starts to slide. Gives up soon.
  kInsist,  ///< From near the solution: a smaller residual in every step, by halving it.
};

/// Newton from island.v.
bool newton(Island& island, const SolverOptions& options, Search search, TamsiScratch& scratch,
            IslandOutcome& outcome) {
  const bool trial = search == Search::kTrial;
  const int max_iterations = trial ? std::min(options.tamsi_iterations, kTrialIterations) : options.tamsi_iterations;
  island.evaluate(PointLaw::kTamsi);
  const double first = island.residual;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    // One step at least, as in minimize().
    if (island.residual <= (iteration == 0 ? 0.01 : 1.0) * island.converged_bound(options)) return true;
    if (trial && iteration >= 2 && island.residual > first * std::pow(0.5, iteration)) return false;
    if (!island.factor(Factorization::kLu)) return false;
    island.solve_step();
    island.prepare_line();
    ++outcome.iterations, ++outcome.factorizations;
    if (!(island.step_error() < 0.1)) return false;  // pivots too small, or NaN
    double alpha = transition_aware_step(island, options);
    const double before = island.residual;
    scratch.v = island.v;
    move_to(island, scratch.v, alpha);
    for (int halvings = 0; !trial && !(island.residual < (1.0 - 1e-4 * alpha) * before); ++halvings) {
      if (halvings == kMaxHalvings) return false;
      alpha *= 0.5;
      ++outcome.line_search_evaluations;
      move_to(island, scratch.v, alpha);
    }
  }
  return is_converged(island, options);
}

void freeze_bounds(Island& island) {
  island.for_each_patch([&](IslandPatch& patch) {
    PointResults results;
    for (int b = patch.first_block; b < patch.first_block + patch.num_blocks; ++b) {
      point_results(PointLaw::kTamsi, patch.law, island.blocks[b], patch.V, results);
      for (int lane = 0; lane < 4; ++lane) island.blocks[b].c2[lane] = patch.law.mu * results.gn[lane];
    }
  });
}

/// Freezing and Newton in turn. Newton wants to start near the solution: twice frozen is better than once, and
/// costs less than its own steps.
bool convex_rounds(Island& island, const SolverOptions& options, TamsiScratch& scratch, IslandOutcome& outcome) {
  island.update_twists();
  double tolerance = kLooseTolerance;
  for (int round = 0; round < kConvexRounds; ++round, tolerance *= 0.1) {
    for (int freeze = 0; freeze < 2; ++freeze) {
      freeze_bounds(island);
      const SolverStatus status =
          minimize(island, PointLaw::kTamsiFrozen, options, std::max(tolerance, options.relative_tolerance), outcome);
      if (status == SolverStatus::kSingular) return false;
    }
    scratch.predicted = island.v;
    if (newton(island, options, Search::kInsist, scratch, outcome)) return true;
    island.v = scratch.predicted;
    island.update_twists();
  }
  return false;
}

/// The whole step or one part of it, from island.v.
bool solve_part(Island& island, const SolverOptions& options, TamsiScratch& scratch, IslandOutcome& outcome) {
  scratch.start = island.v;
  if (newton(island, options, Search::kTrial, scratch, outcome)) return true;
  island.v = scratch.start;
  return convex_rounds(island, options, scratch, outcome);
}

/// The island's step cut into equal parts. The balance of the whole step still holds, A(v − v₀) = δt·k + Jᵀ Σγ, with
/// the impulses of all parts: each part gets its share of the free motion v* − v₀ and the same A, and a row its share
/// of the bounds and of 1/R.
class CutStep {
 public:
  CutStep(Island& island, TamsiScratch& scratch, int parts) : island_(island), scratch_(scratch), parts_(parts) {
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
  TamsiScratch& scratch_;
  int parts_;
};

/// False if a part failed; Lagged stands in for it at the finest cut.
bool solve_cut(Island& island, const SolverOptions& options, int parts, bool finest, TamsiScratch& scratch,
               IslandOutcome& outcome) {
  CutStep cut(island, scratch, parts);
  island.v = island.v0;
  for (int part = 0; part < parts; ++part) {
    cut.begin_part();
    ++outcome.substeps;
    PointLaw law = PointLaw::kTamsi;
    if (!solve_part(island, options, scratch, outcome)) {
      if (!finest) return false;
      island.v = scratch.start;
      law = PointLaw::kLagged;
      ++outcome.fallbacks;
      if (solve_lagged(island, options, outcome) != SolverStatus::kConverged) return false;
    }
    cut.end_part(law);
  }
  return true;
}

}  // namespace

SolverStatus solve_tamsi(Island& island, const SolverOptions& options, TamsiScratch& scratch, IslandOutcome& outcome) {
  scratch.impulses_used = false;
  if (solve_part(island, options, scratch, outcome)) return SolverStatus::kConverged;
  for (int parts = 2; parts <= options.tamsi_max_substeps; parts *= 2) {
    const bool finest = 2 * parts > options.tamsi_max_substeps;
    if (!solve_cut(island, options, parts, finest, scratch, outcome)) continue;
    scratch.impulses_used = true;
    return SolverStatus::kConverged;
  }
  island.v = island.v0;
  ++outcome.fallbacks;
  return solve_lagged(island, options, outcome);
}

}  // namespace patchfield
