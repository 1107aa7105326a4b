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
  /// At most this many tasks wait; the next one waits for its place, so that memory stays bounded and nothing is lost.
  explicit Background(std::size_t capacity = 32);
  /// Does what still waits; trouble is then lost. Call drain() first to hear of it.
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// Throws what an earlier task has thrown; later tasks are then dropped.
  void run(std::function<void()> task);
  /// Waits until all is done; throws what a task has thrown.
  void drain();

 private:
  void work();
  void rethrow();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::size_t capacity_;
  bool busy_ = false, ending_ = false;
  std::exception_ptr trouble_;
  std::thread thread_;
};

}  // namespace patchfield
