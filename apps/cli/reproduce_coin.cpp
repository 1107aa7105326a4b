// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "reproduce_coin.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/geometry/query.h"

namespace patchfield::cli {
namespace {

constexpr double kThinning = 0.926;  // 30 points per decade
constexpr long kMaxSteps = 10'000'000;

double thread_cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

scenes::Coin make_coin(const CoinSetup& setup) {
  return scenes::coin(setup.segments, {.modulus = 1e9,
                                       .mu = kCoinMu,
                                       .hunt_crossley = setup.hunt_crossley,
                                       .relaxation_time = setup.relaxation_time,
                                       .margin = 0.0});
}

SurfaceOptions surface_options(const CoinSetup& setup, double radius) {
  return {.tessellation = setup.tessellation, .max_face_size = setup.max_face_size * radius};
}

/// Keeps a motion for the figures if it is slow enough to be the next one.
void keep(const CoinMotion& motion, CoinRun& run) {
  if (!run.path.empty()) {
    const CoinMotion& last = run.path.back();
    if (motion.v + motion.wR > kThinning * (last.v + last.wR)) return;
  }
  run.path.push_back(motion);
}

void count(const StepReport& report, CoinRun& run) {
  ++run.steps;
  run.faces = std::max(run.faces, report.faces);
  run.points = std::max(run.points, report.points);
  run.unconverged += report.solver.status != SolverStatus::kConverged;
  run.substeps += report.solver.substeps;
  run.fallbacks += report.solver.fallbacks;
}

/// Steps with δt = dt(motion) until v + ωR ≤ end(δt).
template <class StepSize, class End>
CoinRun slide_until(const CoinModel& coin, SolverKind solver, double eps0, double speed, const StepSize& dt,
                    const End& end) {
  Data data(coin.model(), coin.sim_options(solver));
  coin.launch(eps0, speed, data.d());
  CoinRun run;
  CoinMotion now = coin.motion(data.d());
  keep(now, run);
  const double start = thread_cpu_seconds();
  for (;;) {
    const double h = dt(now);
    count(step(data, h), run);
    // The plane is the same everywhere. Metres away from its origin, rounding would be seen in an overlap of 10⁻¹⁰ m.
    data.d()->qpos[0] = data.d()->qpos[1] = 0.0;
    now = coin.motion(data.d());
    if (!(now.v + now.wR > end(h)) || run.steps == kMaxSteps) break;
    run.eps = now.eps();
    keep(now, run);
  }
  run.cpu_seconds = thread_cpu_seconds() - start;
  return run;
}

}  // namespace

CoinModel::CoinModel(const CoinSetup& setup)
    : setup_(setup), coin_(make_coin(setup)), model_(Model::parse(coin_.mjcf)) {}

SimOptions CoinModel::sim_options(SolverKind solver) const {
  SimOptions options;
  options.solver.kind = solver;
  options.solver.stiction_speed = setup_.stiction_speed;
  options.solver.relative_tolerance = setup_.relative_tolerance;
  options.surface = surface_options(setup_, coin_.radius);
  options.quadrature = setup_.quadrature;
  options.pressure_rate = setup_.pressure_rate;
  return options;
}

ContinuousOptions CoinModel::continuous_options(double accuracy) const {
  ContinuousOptions options;
  options.accuracy = accuracy;
  options.stiction_speed = setup_.stiction_speed;
  options.surface = surface_options(setup_, coin_.radius);
  options.quadrature = setup_.quadrature;
  return options;
}

void CoinModel::launch(double eps0, double speed, mjData* d) const {
  const double wR = speed / std::hypot(eps0, 1.0);
  std::fill(d->qvel, d->qvel + 6, 0.0);
  d->qvel[0] = eps0 * wR;
  d->qvel[5] = wR / coin_.radius;
}

CoinMotion CoinModel::motion(const mjData* d) const {
  return {d->time, std::hypot(d->qvel[0], d->qvel[1]), std::abs(d->qvel[5]) * coin_.radius};
}

std::vector<DiscPoint> CoinModel::points() const {
  const int coin_geom = mj_name2id(model_.mujoco(), mjOBJ_GEOM, "coin");
  const int floor = mj_name2id(model_.mujoco(), mjOBJ_GEOM, "floor");
  const Pose X_WC = Pose::translation(0, 0, 0.5 * coin_.thickness - coin_.penetration);
  const ContactSurface surface = contact_surface(*model_.geom(floor).geometry, {}, *model_.geom(coin_geom).geometry,
                                                 X_WC, surface_options(setup_, coin_.radius));
  ContactPoints found;
  append_contacts(surface, Vec3::Zero(), {.quadrature = setup_.quadrature}, found);
  std::vector<DiscPoint> points;
  double force = 0.0;
  for (int i = 0; i < found.size(); ++i) {
    const double f = -found.k[i] * found.phi0[i];
    force += f;
    points.push_back({found.rx[i] / coin_.radius, found.ry[i] / coin_.radius, f});
  }
  for (DiscPoint& p : points) p.weight /= force;
  return points;
}

CoinRun slide(const CoinModel& coin, SolverKind solver, double eps0, double speed, double dt) {
  return slide_until(
      coin, solver, eps0, speed, [&](const CoinMotion&) { return dt; },
      [&](double h) { return 10.0 * kCoinMu * kCoinGravity * h; });
}

CoinRun slide_to(const CoinModel& coin, SolverKind solver, double eps0, double speed, double end_speed,
                 double steps_left) {
  return slide_until(
      coin, solver, eps0, speed,
      [&](const CoinMotion& m) { return std::min((m.v + m.wR) / (kCoinMu * kCoinGravity * steps_left), kLargestStep); },
      [&](double) { return end_speed; });
}

CoinRun slide_continuously(const CoinModel& coin, double accuracy, double eps0, double speed, double dt) {
  ContinuousSimulation sim(coin.model(), coin.continuous_options(accuracy));
  coin.launch(eps0, speed, sim.data().d());
  sim.restart();
  CoinRun run;
  const double start = thread_cpu_seconds(), deceleration = kCoinMu * kCoinGravity, end = 10.0 * deceleration * dt;
  for (CoinMotion now = coin.motion(sim.data().d()); now.v + now.wR > end; now = coin.motion(sim.data().d())) {
    run.eps = now.eps();
    keep(now, run);
    // v + ωR loses at most 3μg·t, hence it cannot skip the end by more than a few per cent.
    const double ahead = 0.02 * (now.v + now.wR) / deceleration;
    const ContinuousReport report = sim.advance(now.time + ahead);
    if (!report.ok)
      throw InputError(fmt::format("the continuous coin stopped at {} s: {}", report.time, report.message));
  }
  run.steps = sim.statistics().steps;
  run.cpu_seconds = thread_cpu_seconds() - start;
  for (int i = 0; i < sim.data().num_patches; ++i) {
    run.faces += sim.data().patches[static_cast<std::size_t>(i)]->report.faces;
    run.points += sim.data().patches[static_cast<std::size_t>(i)]->points.size();
  }
  return run;
}

std::vector<CoinMotion> record(const CoinModel& coin, SolverKind solver, double eps0, double speed, double dt,
                               double every, double duration) {
  Data data(coin.model(), coin.sim_options(solver));
  coin.launch(eps0, speed, data.d());
  const long samples = std::lround(duration / every), steps = std::lround(every / dt);
  PATCHFIELD_ASSERT(steps >= 1 && std::abs(static_cast<double>(steps) * dt - every) < 1e-9 * every);
  std::vector<CoinMotion> out;
  for (long i = 0; i < samples; ++i) {
    for (long k = 0; k < steps; ++k) step(data, dt);
    out.push_back(coin.motion(data.d()));
  }
  return out;
}

std::vector<CoinMotion> record_continuously(const CoinModel& coin, double accuracy, double eps0, double speed,
                                            double every, double duration) {
  ContinuousSimulation sim(coin.model(), coin.continuous_options(accuracy));
  coin.launch(eps0, speed, sim.data().d());
  sim.restart();
  std::vector<CoinMotion> out;
  for (long i = 1; i <= std::lround(duration / every); ++i) {
    const ContinuousReport report = sim.advance(every * static_cast<double>(i));
    if (!report.ok)
      throw InputError(fmt::format("the continuous coin stopped at {} s: {}", report.time, report.message));
    out.push_back(coin.motion(sim.data().d()));
  }
  return out;
}

double relative_difference(const std::vector<CoinMotion>& record, const std::vector<CoinMotion>& reference) {
  PATCHFIELD_ASSERT(record.size() == reference.size());
  double difference = 0.0, norm = 0.0;
  for (std::size_t i = 0; i < record.size(); ++i) {
    PATCHFIELD_ASSERT(std::abs(record[i].time - reference[i].time) < 1e-9);
    const double dv = record[i].v - reference[i].v, dw = record[i].wR - reference[i].wR;
    difference += dv * dv + dw * dw;
    norm += reference[i].v * reference[i].v + reference[i].wR * reference[i].wR;
  }
  return std::sqrt(difference / norm);
}

double fitted_order(const std::vector<double>& sizes, const std::vector<double>& errors) {
  PATCHFIELD_ASSERT(sizes.size() == errors.size() && sizes.size() >= 2);
  double mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0;
  const auto n = static_cast<double>(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) mx += std::log(sizes[i]) / n, my += std::log(errors[i]) / n;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double x = std::log(sizes[i]) - mx;
    xx += x * x, xy += x * (std::log(errors[i]) - my);
  }
  return xy / xx;
}

}  // namespace patchfield::cli
