// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/solver/solver.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/solver/islands.h"
#include "patchfield/solver/methods.h"

namespace patchfield {
namespace {

// Islands with fewer blocks than this are solved side by side, the others one by one with all threads.
constexpr int kLargeIsland = 512;

// x·0 is 0 for a number and NaN for the rest. Four sums, which do not wait for each other.
bool all_finite(const Column<double>& x) {
  double sum[4] = {};
  const double* from = x.data();
  int i = 0;
  for (; i + 4 <= x.size(); i += 4)
    for (int lane = 0; lane < 4; ++lane) sum[lane] += from[i + lane] * 0.0;
  for (; i < x.size(); ++i) sum[0] += from[i] * 0.0;
  return (sum[0] + sum[1]) + (sum[2] + sum[3]) == 0.0;
}

bool is_usable(const ContactProblem& p) {
  PATCHFIELD_ASSERT(p.convection.size() == p.num_points() && p.sliding.size() == p.num_points());
  if (!(p.dt > 0.0) || !std::isfinite(p.dt)) return false;
  for (const Column<double>* c : {&p.A, &p.v0, &p.v_star, &p.J, &p.rx, &p.ry, &p.rz, &p.nx, &p.ny, &p.nz, &p.k, &p.phi0,
                                  &p.convection, &p.sliding, &p.row_value, &p.row_R, &p.row_vhat})
    if (!all_finite(*c)) return false;
  double smallest = 1.0;
  for (int t = 0; t < p.num_trees(); ++t)
    for (int i = 0; i < p.tree_size(t); ++i)
      smallest = std::min(smallest, p.A[p.A_start[t] + i * (p.tree_size(t) + 1)]);
  for (const double k : p.k) smallest = std::min(smallest, k);
  for (const double R : p.row_R) smallest = std::min(smallest, R);
  if (!(smallest > 0.0)) return false;
  for (const PatchMaterial& m : p.patch_material) {
    const double sum = m.mu + m.tau + m.hunt_crossley;
    if (!std::isfinite(sum) || m.mu < 0.0 || m.tau < 0.0 || m.hunt_crossley < 0.0) return false;
  }
  for (int r = 0; r < p.num_rows(); ++r)
    if (!(p.row_lo[r] <= p.row_hi[r]) || p.row_lo[r] == ContactProblem::kInf || p.row_hi[r] == -ContactProblem::kInf)
      return false;
  return true;
}

/// No impulses at the points from `first` on.
void clear_points(int first, int count, ContactSolution& out) {
  for (Column<double>* c : {&out.gx, &out.gy, &out.gz, &out.gn, &out.vn, &out.vtx, &out.vty, &out.vtz})
    std::fill_n(c->data() + first, count, 0.0);
  std::fill_n(out.stick.data() + first, count, static_cast<unsigned char>(0));
}

// No contact, no rows: v₀ for the whole problem. Points are left to clear_points(), since islands write theirs.
void give_up(const ContactProblem& problem, ContactSolution& out) {
  for (int i = 0; i < out.v.size(); ++i) out.v[i] = std::isfinite(problem.v0[i]) ? problem.v0[i] : 0.0;
  std::fill(out.patch_wrench.begin(), out.patch_wrench.end(), Vec6::Zero());
  std::fill(out.patch_twist.begin(), out.patch_twist.end(), Vec6::Zero());
  std::fill(out.row_gamma.begin(), out.row_gamma.end(), 0.0);
}

/// Everything that one island needs, kept from step to step.
struct IslandWork {
  Island island;
  SapCoefficients sap;
  CoupledScratch coupled;
  IslandOutcome outcome;

  void solve(const ContactProblem& problem, const IslandMembers& members, std::span<const int> tree_local,
             const SolverOptions& options, ThreadPool* threads, ContactSolution& out);
  void write_velocities(const ContactProblem& problem, const Column<double>& v, ContactSolution& out);
  void write(const ContactProblem& problem, PointLaw law, ContactSolution& out);
  void write_points(const ContactProblem& problem, PointLaw law, const IslandPatch& patch, ContactSolution& out);
};

void IslandWork::solve(const ContactProblem& problem, const IslandMembers& members, std::span<const int> tree_local,
                       const SolverOptions& options, ThreadPool* threads, ContactSolution& out) {
  outcome = {};
  coupled.impulses_used = false;
  island.load(problem, members, tree_local, options, threads);
  switch (options.kind) {
    case SolverKind::kSap:
      outcome.law = PointLaw::kSap;
      outcome.status = sap.set(problem, options, island)
                           ? minimize(island, PointLaw::kSap, options, options.relative_tolerance, outcome)
                           : SolverStatus::kSingular;
      break;
    case SolverKind::kLagged: outcome.status = solve_lagged(island, options, coupled, outcome); break;
    case SolverKind::kTamsi: outcome.status = solve_tamsi(island, options, coupled, outcome); break;
  }
  const PointLaw law = outcome.law;
  // An unusable v (singular inertia, overflow) is replaced by the start of the step. No impulses account for that, so
  // none are written: give_up() has left zeros for patches and rows.
  bool finite = std::isfinite(island.residual) && outcome.status != SolverStatus::kSingular;
  for (const double x : island.v) finite = finite && std::isfinite(x);
  if (!finite) {
    if (outcome.status == SolverStatus::kConverged) outcome.status = SolverStatus::kStalled;
    outcome.residual = 1.0;
    write_velocities(problem, island.v0, out);
    for (const IslandPatch& patch : island.patches)
      clear_points(problem.patch_first[patch.index], patch.num_points, out);
    return;
  }
  outcome.residual = island.residual / std::max(island.scale, 1e-300);
  outcome.cost = is_coupled(law) ? 0.0 : island.cost;
  write(problem, law, out);
}

void IslandWork::write_velocities(const ContactProblem& problem, const Column<double>& v, ContactSolution& out) {
  for (int t = 0; t < island.trees.size(); ++t)
    std::copy(v.data() + island.start[t], v.data() + island.start[t + 1],
              out.v.data() + problem.tree_start[island.trees[t]]);
}

void IslandWork::write(const ContactProblem& problem, PointLaw law, ContactSolution& out) {
  write_velocities(problem, island.v, out);
  for (int r = 0; r < island.rows.size(); ++r)
    out.row_gamma[island.rows[r].index] = coupled.impulses_used ? coupled.row_gamma[r] : island.rows[r].gamma;
  for (int p = 0; p < island.patches.size(); ++p) {
    const IslandPatch& patch = island.patches[p];
    out.patch_wrench[patch.index] = coupled.impulses_used ? coupled.patch_wrench[p] : patch.sums.F;
    out.patch_twist[patch.index] = patch.V;
  }
  island.for_each_patch([&](const IslandPatch& patch) { write_points(problem, law, patch, out); });
}

void IslandWork::write_points(const ContactProblem& problem, PointLaw law, const IslandPatch& patch,
                              ContactSolution& out) {
  constexpr int kBatch = 8;
  PointResults results[kBatch];
  for (int b = 0; b < patch.num_blocks; ++b) {
    const int block = patch.first_block + b;
    if (b % kBatch == 0)
      point_results(law, patch.law, &island.blocks[block], std::min(kBatch, patch.num_blocks - b), patch.V, results);
    const PointResults& motion = results[b % kBatch];
    const PointResults& impulses = coupled.impulses_used ? coupled.impulses[block] : motion;
    const int at = problem.patch_first[patch.index] + 4 * b, lanes = std::min(4, patch.num_points - 4 * b);
    copy_lanes(impulses.gx, lanes, &out.gx[at]), copy_lanes(impulses.gy, lanes, &out.gy[at]);
    copy_lanes(impulses.gz, lanes, &out.gz[at]), copy_lanes(impulses.gn, lanes, &out.gn[at]);
    copy_lanes(motion.vn, lanes, &out.vn[at]), copy_lanes(motion.vtx, lanes, &out.vtx[at]);
    copy_lanes(motion.vty, lanes, &out.vty[at]), copy_lanes(motion.vtz, lanes, &out.vtz[at]);
    for (int lane = 0; lane < lanes; ++lane) out.stick[at + lane] = motion.stick[lane] != 0.0;
  }
}

void add_to_report(const IslandWork& work, SolverReport& report) {
  const IslandOutcome& o = work.outcome;
  report.status = std::max(report.status, o.status);
  report.iterations = std::max(report.iterations, o.iterations);
  report.total_iterations += o.iterations;
  report.line_search_evaluations += o.line_search_evaluations;
  report.residual = std::max(report.residual, o.residual);
  report.cost += o.cost;
  report.unconverged_islands += o.status != SolverStatus::kConverged;
  report.substeps += o.substeps;
  report.fallbacks += o.fallbacks;
  (work.island.system.is_dense() ? report.dense_factorizations : report.sparse_factorizations) += o.factorizations;
  report.symbolic_analyses += work.island.analyzed_anew;
}

}  // namespace

struct ContactSolver::Workspace {
  Islands islands;
  std::vector<std::unique_ptr<IslandWork>> work;
  Column<int> small, large;
};

ContactSolver::ContactSolver() : workspace_(std::make_unique<Workspace>()) {}
ContactSolver::~ContactSolver() = default;
ContactSolver::ContactSolver(ContactSolver&&) noexcept = default;
ContactSolver& ContactSolver::operator=(ContactSolver&&) noexcept = default;

SolverReport ContactSolver::solve(const ContactProblem& problem, const SolverOptions& options,
                                  ContactSolution& solution, ThreadPool* threads) {
  SolverReport report;
  solution.resize(problem);
  give_up(problem, solution);
  if (!is_usable(problem)) {
    report.status = SolverStatus::kBadInput;
    clear_points(0, problem.num_points(), solution);
    return report;
  }
  std::copy(problem.v_star.begin(), problem.v_star.end(), solution.v.begin());

  Workspace& w = *workspace_;
  w.islands.find(problem, options.islands);
  report.islands = w.islands.size();
  while (static_cast<int>(w.work.size()) < report.islands) w.work.push_back(std::make_unique<IslandWork>());

  w.small.clear(), w.large.clear();
  for (int i = 0; i < report.islands; ++i) {
    int points = 0;
    for (const int p : w.islands.members(i).patches) points += problem.patch_count[p];
    (points < 4 * kLargeIsland ? w.small : w.large).push_back(i);
  }
  auto solve_island = [&](int i, ThreadPool* inner) {
    w.work[i]->solve(problem, w.islands.members(i), w.islands.tree_local(), options, inner, solution);
  };
  for (const int i : w.large) solve_island(i, threads);
  if (threads != nullptr && threads->num_threads() > 1)
    threads->for_each(w.small.size(), [&](int s) { solve_island(w.small[s], nullptr); });
  else
    for (const int i : w.small) solve_island(i, nullptr);
  for (int i = 0; i < report.islands; ++i) add_to_report(*w.work[i], report);
  return report;
}

void check_options(const SolverOptions& o) {
  const auto require = [](bool good, const char* name, double value, const char* fix) {
    if (!good) throw InputError(fmt::format("solver option {} = {}: {}", name, value, fix));
  };
  const auto positive = [&](const char* name, double value, const char* fix) {
    require(value > 0.0 && std::isfinite(value), name, value, fix);
  };
  const auto at_least = [&](int least, const char* name, int value, const char* fix) {
    require(value >= least, name, value, fix);
  };
  at_least(1, "max_iterations", o.max_iterations, "must be positive; 100 is usual");
  require(o.relative_tolerance >= 0.0 && o.relative_tolerance < 1.0, "relative_tolerance", o.relative_tolerance,
          "must be in [0, 1); 1e-6 is usual");
  require(o.absolute_tolerance >= 0.0 && std::isfinite(o.absolute_tolerance), "absolute_tolerance",
          o.absolute_tolerance, "must be a number of sqrt(J) that is not negative; 1e-14 is usual");
  require(o.relative_tolerance + o.absolute_tolerance > 0.0, "relative_tolerance", o.relative_tolerance,
          "is zero and so is absolute_tolerance: nothing would ever converge; 1e-6 is usual");
  positive("stiction_speed", o.stiction_speed, "must be a positive number of m/s; 1e-5 is usual");
  positive("sigma", o.sigma, "must be positive; 1e-3 is usual");
  require(o.beta >= 0.0 && std::isfinite(o.beta), "beta", o.beta, "must not be negative; 0.01 is usual");
  at_least(0, "lag_iterations", o.lag_iterations, "must not be negative; 5 is usual");
  at_least(1, "tamsi_iterations", o.tamsi_iterations, "must be positive; 40 is usual");
  require(o.tamsi_max_turn > 0.0 && o.tamsi_max_turn < 0.5 * std::numbers::pi, "tamsi_max_turn", o.tamsi_max_turn,
          "must be between 0 and pi/2 rad; 1.047 is usual");
  at_least(1, "tamsi_max_substeps", o.tamsi_max_substeps, "must be positive; 4 is usual, 1 never cuts a step");
}

const char* to_string(SolverKind kind) {
  switch (kind) {
    case SolverKind::kTamsi: return "tamsi";
    case SolverKind::kSap: return "sap";
    case SolverKind::kLagged: return "lagged";
  }
  return "unknown";
}

const char* to_string(SolverStatus status) {
  switch (status) {
    case SolverStatus::kConverged: return "converged";
    case SolverStatus::kStalled: return "stalled";
    case SolverStatus::kMaxIterations: return "max iterations";
    case SolverStatus::kSingular: return "singular";
    case SolverStatus::kBadInput: return "bad input";
  }
  return "unknown";
}

}  // namespace patchfield
