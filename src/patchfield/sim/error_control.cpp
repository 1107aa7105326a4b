// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Error control: an output interval T in as few steps as the accuracy ε asked for allows.
//
//     whole    q₀, v₀ ── δt ──────────────────► q_w, v_w      one solve      same geometry, inertia and constraints:
//     halves   q₀, v₀ ── δt/2 ──► ── δt/2 ────► q_h, v_h      two solves     only what depends on δt is built again
//
// Three measures of what a step of δt may have got wrong, all in metres, ‖x‖ = max_i l_i|x_i| over the degrees of
// freedom, l = 1 for those that shift and mjModel.dof_length, about the radius of what they turn, for those that turn:
//
//     e₁ = ½δt‖v_w − v₀‖     q = q₀ + δt·v instead of the mean velocity. Known after one solve. An impact counts with
//     all
//                            of its change of speed, also where an implicit step hides it in both runs.
//     e₂ = ‖q_h − q_w‖       as in CENIC [Kurtz, Castro 2025]: sees geometry and forces of the middle of the step
//     e₃                     overlap at the end of the step beyond what it foresaw (unforeseen.cpp): bodies that met in
//                            its second half, which e₂ cannot see
//
// All must be at most ε. The next step is δt·0.9·√(ε/e): the scheme has order one, so e grows as δt².
//
// The result is extrapolated, 2·(halves) − whole, which cancels the first-order error in smooth motion, except in trees
// whose contacts would notice it (extrapolation.cpp). Error at ε = 1e-3 with and without (bench/steps/accuracy): coin
// 3.1e-4 and 4.6e-3 m, thrown box 1.8e-2 and 2.7e-2, at the same cost.
//
// A step in which nothing moves by more than ε, and e₁ ≤ ε·δt/(1 s), needs one solve: at rest an interval costs what a
// step without error control costs.
//
// Each interval begins with a step as long as itself and remembers nothing of the one before: a step() remains a
// function of mjData. A wrong first guess costs one solve, since e₁ refuses it.

#include "patchfield/sim/error_control.h"

#include <algorithm>
#include <cmath>

#include "patchfield/sim/stages.h"
#include "patchfield/sim/step_parts.h"

namespace patchfield {
namespace {

constexpr int kState = mjSTATE_FULLPHYSICS;
constexpr double kSafety = 0.9;         // of the step that would just do
constexpr double kMostGrowth = 5.0;     // from one step to the next
constexpr double kMostShrinking = 0.1;  // from one attempt to the next
constexpr double kPerSecond = 1.0;      // [1/s]: errors of steps of one solve add up to at most ε in this time
constexpr double kLanding = 0.1;        // share of ε by which bodies that meet overlap after a repeated step
constexpr double kRounding = 1e-9;      // relative, of lengths of steps

/// ‖x‖ [m]; NaN if any is.
double norm(const mjModel* m, const double* x) {
  double largest = 0.0;
  for (int i = 0; i < m->nv; ++i) {
    const double length = m->dof_length[i] * std::abs(x[i]);
    if (!(length <= largest)) largest = length;
    if (std::isnan(largest)) break;
  }
  return largest;
}

/// The worst of both, and the sum of their work.
void add(const SolverReport& one, SolverReport& sum) {
  sum.status = std::max(sum.status, one.status);
  sum.iterations = std::max(sum.iterations, one.iterations);
  sum.total_iterations += one.total_iterations;
  sum.line_search_evaluations += one.line_search_evaluations;
  sum.residual = std::max(sum.residual, one.residual);
  sum.cost = one.cost;
  sum.islands = one.islands;
  sum.unconverged_islands += one.unconverged_islands;
  sum.substeps += one.substeps, sum.fallbacks += one.fallbacks;
  sum.dense_factorizations += one.dense_factorizations;
  sum.sparse_factorizations += one.sparse_factorizations;
  sum.symbolic_analyses += one.symbolic_analyses;
}

/// One output interval under way.
class Interval {
 public:
  Interval(Data& data, double length, bool control)
      : data_(data), memory_(data.error_control), accuracy_(data.options.accuracy), least_(data.options.min_step),
        most_(data.options.max_step > 0.0 ? std::min(data.options.max_step, length) : length), remaining_(length),
        control_(control) {}
  StepReport run();

 private:
  double fit(double h) const;
  bool attempt(double h);
  void start(double h);
  void retime(double h);
  bool is_still(double h, double error) const;
  void take_halves(double h);
  void finish(bool sensors);
  void accept(double h, double error);
  bool refuse(double h, double error);
  bool refuse_landing(double h, const Overlap& overlap);
  bool refuse_speed(double h);
  void restore();
  void end_of_step(Column<double>& q);
  void keep_history();

  Data& data_;
  ErrorControl& memory_;
  const double accuracy_, least_, most_;
  double remaining_;
  bool control_;              ///< MuJoCo's control callback has yet to be called.
  double next_ = 0.0;         ///< Step to try next [s].
  bool prepared_ = false;     ///< All that does not depend on δt is that of the start of the step.
  bool first_ = true;         ///< No step of the interval has been accepted yet.
  bool has_history_ = false;  ///< memory_.history is that of this interval.
  StepReport sum_;
};

StepReport Interval::run() {
  const double end = data_.d()->time + remaining_;
  sum_.steps = 0;
  sum_.smallest_step = next_ = remaining_;
  while (remaining_ > 0.0) {
    const double h = fit(next_);
    if (!attempt(h)) continue;
    remaining_ = h == remaining_ ? 0.0 : remaining_ - h;
    first_ = prepared_ = false;
  }
  data_.d()->time = end;  // as one step has it: not a sum of parts
  StepReport report = describe_step(data_);
  report.solver = sum_.solver, report.times = sum_.times;
  report.steps = sum_.steps, report.rejected_steps = sum_.rejected_steps;
  report.steps_at_minimum = sum_.steps_at_minimum;
  report.smallest_step = sum_.smallest_step, report.largest_error = sum_.largest_error;
  return report;
}

/// A step within the limits that leaves nothing tiny of the interval. A shorter one asked for is a shorter one given,
/// down to fit(least_): attempts come to an end.
double Interval::fit(double h) const {
  h = std::clamp(h, std::min(least_, most_), most_);
  if (h >= remaining_ * (1.0 - kRounding)) return remaining_;
  if (2.0 * h <= remaining_) return h;
  return remaining_ >= 2.0 * least_ || remaining_ > most_ ? 0.5 * remaining_ : remaining_;
}

/// True if the step was accepted; next_ is the step to try after it, or instead.
bool Interval::attempt(double h) {
  const bool shortest = !(fit(least_) < h);  // there is none to try instead: accepted whatever it is worth
  start(h);
  if (data_.parts > 1 && !shortest) return refuse_speed(h);
  solve_step(data_, sum_.times);

  memory_.change.resize(data_.solution.v.size());
  for (int i = 0; i < memory_.change.size(); ++i) memory_.change[i] = data_.solution.v[i] - data_.problem.v0[i];
  double error = 0.5 * h * norm(data_.m(), memory_.change.data());
  if (is_still(h, error)) {
    finish(true);
    accept(h, error);
    return true;
  }
  if (!shortest && !(error <= accuracy_)) return refuse(h, error);

  take_halves(h);
  mj_differentiatePos(data_.m(), memory_.change.data(), 1.0, memory_.q_whole.data(), memory_.q_halves.data());
  const double apart = norm(data_.m(), memory_.change.data());
  if (!(apart <= error)) error = apart;
  if (!shortest) {
    if (!(error <= accuracy_)) return refuse(h, error);
    const Overlap overlap = unforeseen_overlap(data_, accuracy_);
    if (overlap.depth > accuracy_) return refuse_landing(h, overlap);
  }
  finish(true);
  extrapolate(data_);
  accept(h, error);
  return true;
}

/// Everything up to the solve. After a refusal that left the start in place, only what depends on δt.
void Interval::start(double h) {
  if (prepared_) {
    retime(h);
    return;
  }
  const mjModel* m = data_.m();
  memory_.start.resize(mj_stateSize(m, kState));
  mj_getState(m, data_.d(), memory_.start.data(), kState);
  data_.dt = h;
  data_.knows_end = false;
  prepare_step(data_, h, control_, sum_.times);
  control_ = false;
  prepared_ = true;
}

void Interval::retime(double h) {
  Stopwatch watch;
  data_.dt = h;
  retime_constraints(data_);
  if (data_.m()->na > 0) update_actuation(data_);  // activations of the end of the step may act early
  sum_.times.dynamics += watch.lap();
  retime_patches(data_);
  sum_.times.geometry += watch.lap();
}

/// Nothing moves by more than ε, and what this step may be off is no more than its share of ε per second.
bool Interval::is_still(double h, double error) const {
  const double speed = std::max(norm(data_.m(), data_.solution.v.data()), norm(data_.m(), data_.problem.v0.data()));
  return error <= accuracy_ * h * kPerSecond && h * speed <= accuracy_;
}

/// From the whole step, just solved, to the second half, solved.
void Interval::take_halves(double h) {
  end_of_step(memory_.q_whole);
  memory_.v_whole.resize(data_.v_end.size());
  std::copy(data_.v_end.begin(), data_.v_end.end(), memory_.v_whole.data());
  retime(0.5 * h);
  solve_step(data_, sum_.times);
  finish(false);
  prepare_step(data_, data_.dt, false, sum_.times);
  prepared_ = false;
  solve_step(data_, sum_.times);
  end_of_step(memory_.q_halves);
}

void Interval::finish(bool sensors) {
  add(data_.solver_report, sum_.solver);
  finish_step(data_, sensors, sum_.times);
  keep_history();
}

void Interval::accept(double h, double error) {
  ++sum_.steps;
  sum_.steps_at_minimum += !(error <= accuracy_);
  sum_.smallest_step = std::min(sum_.smallest_step, h);
  sum_.largest_error = std::max(sum_.largest_error, error);
  const double factor = kSafety * std::sqrt(accuracy_ / error);  // ∞ for no error
  next_ = h * std::clamp(factor, kMostShrinking, kMostGrowth);
  if (!(next_ > 0.0)) next_ = least_;  // the error is not a number
}

bool Interval::refuse(double h, double error) {
  ++sum_.rejected_steps;
  if (!prepared_) restore();
  const double factor = kSafety * std::sqrt(accuracy_ / error);
  next_ = h * (std::isfinite(factor) ? std::clamp(factor, kMostShrinking, kSafety) : kMostShrinking);
  return false;
}

/// Bodies met in the second half: again to where they have just met.
bool Interval::refuse_landing(double h, const Overlap& overlap) {
  ++sum_.rejected_steps;
  restore();
  const double factor = 1.0 - (overlap.depth - kLanding * accuracy_) / (overlap.speed * h);
  next_ = h * std::clamp(factor, kMostShrinking, kSafety);
  return false;
}

/// Bodies are too fast for the skirts of their fields (look_ahead.h). The start stays prepared: what was found with a
/// longer step looks further ahead than the shorter one needs.
bool Interval::refuse_speed(double h) {
  ++sum_.rejected_steps;
  next_ = h / data_.parts;
  data_.parts = 1;
  return false;
}

void Interval::restore() {
  mj_setState(data_.m(), data_.d(), memory_.start.data(), kState);
  has_history_ = has_history_ && !first_;
}

/// q at the end of the step just solved, without taking it.
void Interval::end_of_step(Column<double>& q) {
  const mjModel* m = data_.m();
  const mjData* d = data_.d();
  turn_free_bodies(data_);
  q.resize(static_cast<int>(m->nq));
  std::copy(d->qpos, d->qpos + m->nq, q.data());
  mj_integratePos(m, q.data(), data_.v_end.data(), data_.dt);
  place_free_bodies(data_, q.data());
}

/// Delayed inputs and sensors are sampled once per interval, as without error control: more samples would push old ones
/// out of MuJoCo's buffers too early.
void Interval::keep_history() {
  const mjModel* m = data_.m();
  if (m->nhistory == 0) return;
  memory_.history.resize(static_cast<int>(m->nhistory));
  if (has_history_) mj_setState(m, data_.d(), memory_.history.data(), mjSTATE_HISTORY);
  else mj_getState(m, data_.d(), memory_.history.data(), mjSTATE_HISTORY);
  has_history_ = true;
}

}  // namespace

StepReport controlled_step(Data& data, double interval, bool control) {
  return Interval(data, interval, control).run();
}

}  // namespace patchfield
