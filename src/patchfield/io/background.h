// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Tasks one after the other on a thread of their own, so that packing and writing do not hold up a simulation.

#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace patchfield {

class Background {
 public:
  /// Tasks that hold more than this wait for those before them [bytes]: memory stays bounded and nothing is lost.
  explicit Background(std::size_t capacity = 64 << 20);
  /// Does what still waits; trouble is then lost. Call drain() first to hear of it.
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// `bytes`: what the task holds. Throws what an earlier task has thrown; later tasks are then dropped.
  void run(std::size_t bytes, std::function<void()> task);
  /// Waits until all is done; throws what a task has thrown.
  void drain();

 private:
  struct Task {
    std::size_t bytes;
    std::function<void()> work;
  };
  void work();
  void rethrow();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  std::size_t capacity_, held_ = 0;
  bool busy_ = false, ending_ = false;
  std::exception_ptr trouble_;
  std::thread thread_;
};

}  // namespace patchfield
