// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "view_simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/io/recording_bytes.h"
#include "patchfield/io/recording_frame.h"
#include "patchfield/io/recording_model.h"
#include "patchfield/sim/step.h"
#include "view_pull.h"

namespace patchfield::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

/// A simulation that falls behind the clock by more than this stops chasing it [s].
constexpr double kMostLag = 0.1;
constexpr double kStatusPeriod = 0.25;

bool is_finite(const Data& data) {
  const mjModel* m = data.m();
  const mjData* d = data.d();
  const auto good = [](const mjtNum* x, mjtSize n) {
    return std::all_of(x, x + n, [](mjtNum v) { return std::isfinite(v); });
  };
  return good(d->qpos, m->nq) && good(d->qvel, m->nv) && good(d->act, m->na);
}

}  // namespace

/// What the thread does; lives on it.
class LiveSimulation::Loop {
 public:
  Loop(LiveSimulation& owner, LiveListener listener)
      : owner_(owner), listener_(std::move(listener)), data_(*owner.data_), encoder_(data_.m()) {}

  void run() {
    show_state();
    for (;;) {
      const Orders orders = take_orders();
      if (orders.end) return;
      if (orders.reset) reset(orders.keyframe);
      const bool go = status_.problem.empty() && (!orders.paused || orders.steps > 0);
      if (go) advance(orders);
      const bool stands = !go || orders.paused || !status_.problem.empty();
      status_.paused = stands;
      report(stands);
    }
  }

 private:
  /// Waits until there is something to do: an order, or the time of the next step.
  Orders take_orders() {
    std::unique_lock lock(owner_.mutex_);
    Orders& orders = owner_.orders_;
    const auto ordered = [&] { return orders.end || orders.reset || orders.steps > 0; };
    const bool stuck = !status_.problem.empty();
    if (orders.paused || stuck) {
      owner_.changed_.wait(lock, [&] { return ordered() || (!orders.paused && !stuck); });
      restart_clock();
    } else {
      const auto due = wall_start_ + std::chrono::duration_cast<Clock::duration>(
                                         std::chrono::duration<double>(data_.d()->time - time_start_));
      owner_.changed_.wait_until(lock, due, [&] { return ordered() || orders.paused; });
    }
    const Orders taken = orders;
    orders.reset = false;
    if (orders.steps > 0) --orders.steps;
    return taken;
  }

  void restart_clock() {
    wall_start_ = rate_wall_ = Clock::now();
    time_start_ = rate_time_ = data_.d()->time;
  }

  void reset(std::optional<int> keyframe) {
    if (keyframe && *keyframe < data_.m()->nkey) keyframe_ = *keyframe;
    data_.reset(keyframe_);
    status_.problem.clear();
    restart_clock();
    show_state();
  }

  void advance(const Orders& orders) {
    apply_pull(data_, orders.spring, owner_.options_.time_step);
    try {
      step(data_, owner_.options_.time_step);
    } catch (const InputError& error) {
      status_.problem = error.what();
      return;
    }
    if (!is_finite(data_)) {
      status_.problem =
          fmt::format("The state is not finite after {:.3f} s. Reset, or try a smaller time step.", data_.d()->time);
      return;
    }
    const auto now = Clock::now();
    if (orders.steps > 0 || now >= next_frame_) {
      show_step();
      next_frame_ = std::max(next_frame_ + frame_period(), now);
    }
    // Behind: the clock is set back instead of a burst of steps later.
    const double lag = seconds(now - wall_start_) - (data_.d()->time - time_start_);
    if (lag > kMostLag)
      wall_start_ += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(lag - kMostLag));
  }

  Clock::duration frame_period() const {
    return std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(1.0 / owner_.options_.frames_per_second));
  }

  void show_step() {
    collect_results(data_, results_);
    publish(encoder_.encode(data_, results_, {}, data_.d()->time - data_.dt));
  }

  /// The state as it is, without patches: nobody has stepped from it.
  void show_state() {
    if (!is_finite(data_)) return;
    mj_kinematics(data_.m(), data_.d());
    publish(encoder_.encode_resting(data_, {}));
  }

  void publish(const RawFrame& frame) {
    listener_.frame(std::make_shared<const std::string>(make_chunk("FRAM", pack_frame(frame, packer_))));
  }

  void report(bool now) {
    const auto wall = Clock::now();
    const double elapsed = seconds(wall - rate_wall_);
    if (!now && elapsed < kStatusPeriod) return;
    if (elapsed > 0.0) status_.real_time_factor = (data_.d()->time - rate_time_) / elapsed;
    status_.time = data_.d()->time;
    rate_wall_ = wall, rate_time_ = data_.d()->time;
    listener_.status(status_);
  }

  LiveSimulation& owner_;
  LiveListener listener_;
  Data& data_;
  FrameEncoder encoder_;
  BlockPacker packer_{0};
  StepResults results_;
  LiveStatus status_;
  int keyframe_ = owner_.options_.keyframe;
  Clock::time_point wall_start_ = Clock::now(), rate_wall_ = wall_start_, next_frame_ = wall_start_;
  double time_start_ = data_.d()->time, rate_time_ = time_start_;
};

LiveSimulation::LiveSimulation(std::unique_ptr<Data> data, const LiveOptions& options)
    : header_(recording_prefix() + make_chunk("HEAD", encode_model(*data, options.title, options.frames_per_second))),
      data_(std::move(data)), options_(options) {}

LiveSimulation::~LiveSimulation() { stop(); }

void LiveSimulation::stop() {
  order([](Orders& o) { o.end = true; });
  if (thread_.joinable()) thread_.join();
}

void LiveSimulation::start(LiveListener listener) {
  if (thread_.joinable()) return;
  thread_ = std::thread([this, heard = std::move(listener)] { Loop(*this, heard).run(); });
}

void LiveSimulation::order(const std::function<void(Orders&)>& change) {
  {
    const std::lock_guard lock(mutex_);
    change(orders_);
  }
  changed_.notify_all();
}

void LiveSimulation::pause(bool paused) {
  order([&](Orders& o) { o.paused = paused; });
}
void LiveSimulation::step_once() {
  order([](Orders& o) { o.paused = true, o.steps = std::min(o.steps + 1, 100); });
}
void LiveSimulation::reset(std::optional<int> keyframe) {
  order([&](Orders& o) {
    o.reset = true;
    o.keyframe = keyframe;
  });
}
void LiveSimulation::pull(const std::optional<PullSpring>& spring) {
  order([&](Orders& o) { o.spring = spring; });
}

}  // namespace patchfield::cli
