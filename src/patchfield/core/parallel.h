// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Parallel loops whose result does not depend on the number of threads.
//
// Work is cut into chunks of a fixed size, each chunk writes only its own outputs, and
// reductions are done by the caller in chunk order: no atomics on floating point.

#pragma once

#include <functional>
#include <memory>

namespace patchfield {

/// How many threads a simulation may use. 1 runs inline, without touching the scheduler.
class ThreadPool {
 public:
  explicit ThreadPool(int num_threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int num_threads() const { return num_threads_; }

  /// Calls body(i) once for each i in [0, n), in any order and on any thread.
  /// `body` must write only what belongs to i. Exceptions leave after all running calls ended.
  template <class Body>
  void for_each(int n, const Body& body) {
    if (num_threads_ == 1 || n < 2) {
      for (int i = 0; i < n; ++i) body(i);
      return;
    }
    run(n, [](const void* context, int i) { (*static_cast<const Body*>(context))(i); }, &body);
  }

 private:
  using Call = void (*)(const void* context, int i);
  void run(int n, Call call, const void* context);

  struct Arena;
  int num_threads_;
  std::shared_ptr<Arena> arena_;  ///< Shared by all pools of as many threads.
};

}  // namespace patchfield
