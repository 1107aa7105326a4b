// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A simulation that runs at the pace of the clock on the wall, on a thread of its own, and hands out frames.
//
//   commands (any thread) ──► mailbox ──► thread: pull, step, wait ──► publish(chunk), report(status)
//
// It waits for nobody: whoever takes the frames must not block (view_server.h drops what cannot be sent).

#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "patchfield/sim/data.h"

namespace patchfield::cli {

/// A spring from a point of a body to a place in the world.
struct PullSpring {
  int body = -1;
  Vec3 p_BC = Vec3::Zero();
  Vec3 p_WTarget = Vec3::Zero();
};

struct LiveStatus {
  bool paused = false;
  double real_time_factor = 0.0;  ///< Simulated time over time on the wall, over the last second.
  double time = 0.0;              ///< Simulated [s].
  std::string problem;            ///< Why it cannot go on, or empty.
};

struct LiveOptions {
  double time_step = 2e-3;  ///< [s]
  int keyframe = -1;
  std::string title;
  double frames_per_second = 60.0;  ///< On the wall.
};

/// Called from the simulation's thread; must return at once.
struct LiveListener {
  std::function<void(std::shared_ptr<const std::string> chunk)> frame;
  std::function<void(const LiveStatus&)> status;
};

class LiveSimulation {
 public:
  /// Takes the data, whose state the simulation starts from. Nothing moves before start().
  LiveSimulation(std::unique_ptr<Data> data, const LiveOptions& options);
  ~LiveSimulation();
  LiveSimulation(const LiveSimulation&) = delete;
  LiveSimulation& operator=(const LiveSimulation&) = delete;

  /// What a recording begins with; a stream, too.
  std::string header() const { return header_; }

  void start(LiveListener listener);
  /// Ends the thread; nobody hears of it after this.
  void stop();
  void pause(bool paused);
  /// One step, then pause.
  void step_once();
  /// To a keyframe, which later resets then mean; none: the one before. A number that the model does not have is
  /// ignored.
  void reset(std::optional<int> keyframe = {});
  /// Replaces the spring; nothing: lets go. A body that cannot move is ignored.
  void pull(const std::optional<PullSpring>& spring);

 private:
  struct Orders {
    bool paused = false, reset = false, end = false;
    int steps = 0;
    std::optional<int> keyframe;
    std::optional<PullSpring> spring;
  };
  class Loop;
  void order(const std::function<void(Orders&)>& change);

  std::string header_;
  std::unique_ptr<Data> data_;
  LiveOptions options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Orders orders_;
  std::thread thread_;
};

}  // namespace patchfield::cli
