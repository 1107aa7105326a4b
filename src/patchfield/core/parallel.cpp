// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/core/parallel.h"

#include <map>
#include <mutex>

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "patchfield/core/check.h"

#if defined(__SANITIZE_THREAD__)
#define PATCHFIELD_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PATCHFIELD_TSAN 1
#endif
#endif
#ifdef PATCHFIELD_TSAN
#include <sanitizer/tsan_interface.h>
#define PATCHFIELD_UNSEEN_BY_TSAN __attribute__((no_sanitize("thread")))
#else
#define PATCHFIELD_UNSEEN_BY_TSAN
#endif

namespace patchfield {

namespace {

// The distribution's oneTBB is not instrumented, so the thread sanitizer cannot see that a task
// happens after what its caller did before, and before what the caller does next. We tell it so,
// and nothing more: races between two tasks stay visible. Without the sanitizer these are empty.
void happens_before([[maybe_unused]] char* edge) {
#ifdef PATCHFIELD_TSAN
  __tsan_release(edge);
#endif
}
void happens_after([[maybe_unused]] char* edge) {
#ifdef PATCHFIELD_TSAN
  __tsan_acquire(edge);
#endif
}

/// One item of the loop. oneTBB hands it to another thread, unseen by the sanitizer.
struct Task {
  void (*call)(const void*, int);
  const void* context;
  char *started, *ended;  ///< Only their addresses count, as names of the two edges.
  PATCHFIELD_UNSEEN_BY_TSAN void operator()(int i) const {
    happens_after(started);
    call(context, i);
    happens_before(ended);
  }
};

}  // namespace

/// oneTBB takes the least of all limits that are in force, so all arenas ask for the same one.
constexpr std::size_t kMostThreads = 1024;

struct ThreadPool::Arena {
  // The machine may have fewer cores than threads asked for: oneTBB would then quietly use
  // fewer, and a test of "1, 2 and 8 threads" would test 1 and 2.
  oneapi::tbb::global_control allow;
  oneapi::tbb::task_arena arena;
  explicit Arena(int n) : allow(oneapi::tbb::global_control::max_allowed_parallelism, kMostThreads), arena(n) {}

  /// One per number of threads, for good: oneTBB 2021.8 loses some kilobytes with each arena that has run.
  static std::shared_ptr<Arena> of(int n) {
    static std::mutex mutex;
    static std::map<int, std::shared_ptr<Arena>>& arenas = *new std::map<int, std::shared_ptr<Arena>>;
    const std::lock_guard lock(mutex);
    std::shared_ptr<Arena>& arena = arenas[n];
    if (arena == nullptr) arena = std::make_shared<Arena>(n);
    return arena;
  }
};

ThreadPool::ThreadPool(int num_threads) : num_threads_(num_threads) {
  if (num_threads < 1 || num_threads > static_cast<int>(kMostThreads))
    throw InputError(fmt::format("threads = {}: give a number from 1 to 1024", num_threads));
  if (num_threads > 1) arena_ = Arena::of(num_threads);
}

ThreadPool::~ThreadPool() = default;

void ThreadPool::run(int n, Call call, const void* context) {
  char started = 0, ended = 0;
  happens_before(&started);
  arena_->arena.execute([&] {
    // One task per item: items are whole contact pairs or fixed chunks, large enough to schedule.
    oneapi::tbb::parallel_for(0, n, Task{call, context, &started, &ended});
  });
  happens_after(&ended);
}

}  // namespace patchfield
