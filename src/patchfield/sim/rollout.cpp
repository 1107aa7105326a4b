// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/sim/rollout.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/sim/mujoco_errors.h"
#include "patchfield/sim/step.h"

namespace patchfield {
namespace {

constexpr int kState = mjSTATE_FULLPHYSICS;
constexpr std::chrono::milliseconds kAskEvery(5);

void check_size(const char* name, std::size_t size, std::size_t expected) {
  if (size != expected) throw InputError(fmt::format("{}: {} numbers instead of {}", name, size, expected));
}

void check_finite(const char* name, std::span<const double> values, std::size_t row) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw InputError(fmt::format("{}: number {} of rollout {} is {}", name, i % row, i / row, values[i]));
}

/// The sizes that follow from the model.
struct Sizes {
  std::size_t n, steps, state, control, sensors;

  Sizes(const mjModel* m, const RolloutArrays& a)
      : n(static_cast<std::size_t>(a.num_rollouts)), steps(static_cast<std::size_t>(a.num_steps)),
        state(static_cast<std::size_t>(mj_stateSize(m, kState))), control(static_cast<std::size_t>(m->nu)),
        sensors(static_cast<std::size_t>(m->nsensordata)) {}

  void check(const RolloutArrays& a) const {
    if (a.num_rollouts < 0 || a.num_steps < 0)
      throw InputError(fmt::format("{} rollouts of {} steps: give none or more", a.num_rollouts, a.num_steps));
    check_size("initial states", a.initial.size(), n * state);
    if (!a.controls.empty()) check_size("controls", a.controls.size(), n * steps * control);
    check_size("states", a.states.size(), n * steps * state);
    if (!a.sensordata.empty()) check_size("sensordata", a.sensordata.size(), n * steps * sensors);
    check_finite("initial states", a.initial, state);
    check_finite("controls", a.controls, std::max<std::size_t>(1, steps * control));
  }
};

class Rollout {
 public:
  Rollout(const Model& model, const SimOptions& sim, const RolloutOptions& options, const RolloutArrays& arrays)
      : model_(model), sim_(sim), options_(options), arrays_(arrays), size_(model.mujoco(), arrays) {
    size_.check(arrays);
    sim_.threads = 1;  // rollouts are the parallel unit
  }

  RolloutReport run() {
    const auto worker = [this](bool caller) {
      Data data(model_, sim_);
      guard_mujoco(data.d(), [&] {
        for (std::size_t i = next_++; i < size_.n && !stopped_; i = next_++) run_one(data, i, caller);
      });
    };
    std::vector<std::thread> others;
    const int threads = std::min(options_.threads, arrays_.num_rollouts);
    std::exception_ptr error;
    std::mutex mutex;
    std::condition_variable ended;
    int running = std::max(threads - 1, 0);
    const auto guarded = [&](const auto& work) {
      try {
        work();
      } catch (...) {
        const std::lock_guard lock(mutex);
        error = std::current_exception();
        stopped_ = true;
      }
    };
    const auto other = [&] {
      guarded([&] { worker(false); });
      const std::lock_guard lock(mutex);
      --running;
      ended.notify_one();
    };
    for (int i = 1; i < threads; ++i) others.emplace_back(other);
    guarded([&] { worker(true); });
    // The others may still have long to go, and only this thread may ask.
    if (options_.stop)
      guarded([&] {
        std::unique_lock lock(mutex);
        while (!stopped_ && !ended.wait_for(lock, kAskEvery, [&] { return running == 0; })) {
          lock.unlock();
          if (options_.stop()) stopped_ = true;
          lock.lock();
        }
      });
    for (std::thread& t : others) t.join();
    if (error) std::rethrow_exception(error);
    return {diverged_, unconverged_, stopped_};
  }

 private:
  void run_one(Data& data, std::size_t i, bool caller) {
    const mjModel* m = data.m();
    mjData* d = data.d();
    mj_resetData(m, d);
    mj_setState(m, d, arrays_.initial.data() + i * size_.state, kState);
    const double dt = options_.time_step > 0.0 ? options_.time_step : m->opt.timestep;
    for (std::size_t t = 0; t < size_.steps; ++t) {
      if (caller && options_.stop && options_.stop()) stopped_ = true;
      if (stopped_) return;
      const std::size_t row = i * size_.steps + t;
      if (!arrays_.controls.empty()) std::copy_n(arrays_.controls.data() + row * size_.control, size_.control, d->ctrl);
      if (options_.before_step) options_.before_step(static_cast<int>(i), data, dt);
      if (!take_step(data, dt)) return fill_rest(i, t);
      mj_getState(m, d, arrays_.states.data() + row * size_.state, kState);
      if (!arrays_.sensordata.empty())
        std::copy_n(d->sensordata, size_.sensors, arrays_.sensordata.data() + row * size_.sensors);
    }
  }

  /// False if the result is not finite.
  bool take_step(Data& data, double dt) {
    const StepReport report = step(data, dt);
    unconverged_ += report.solver.status != SolverStatus::kConverged;
    const auto finite = [](const mjtNum* x, mjtSize n) {
      return std::all_of(x, x + n, [](double v) { return std::isfinite(v); });
    };
    return finite(data.d()->qpos, data.m()->nq) && finite(data.d()->qvel, data.m()->nv) &&
           finite(data.d()->act, data.m()->na);
  }

  void fill_rest(std::size_t i, std::size_t t) {
    ++diverged_;
    const auto fill = [&](std::span<double> out, std::size_t width) {
      if (out.empty()) return;
      std::fill(out.begin() + static_cast<std::ptrdiff_t>((i * size_.steps + t) * width),
                out.begin() + static_cast<std::ptrdiff_t>((i + 1) * size_.steps * width),
                std::numeric_limits<double>::quiet_NaN());
    };
    fill(arrays_.states, size_.state);
    fill(arrays_.sensordata, size_.sensors);
  }

  const Model& model_;
  SimOptions sim_;
  const RolloutOptions& options_;
  const RolloutArrays& arrays_;
  Sizes size_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<int> diverged_ = 0;
  std::atomic<long> unconverged_ = 0;
};

}  // namespace

int rollout_state_size(const Model& model) { return mj_stateSize(model.mujoco(), kState); }

RolloutReport rollout(const Model& model, const SimOptions& sim, const RolloutOptions& options,
                      const RolloutArrays& arrays) {
  if (options.threads < 1 || options.threads > 1024)
    throw InputError(fmt::format("threads = {}: give a number from 1 to 1024", options.threads));
  return Rollout(model, sim, options, arrays).run();
}

}  // namespace patchfield
