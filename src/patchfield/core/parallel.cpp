// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/core/parallel.h"

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "patchfield/core/check.h"

namespace patchfield {

struct ThreadPool::Arena {
  // The machine may have fewer cores than threads asked for: oneTBB would then quietly use
  // fewer, and a test of "1, 2 and 8 threads" would test 1 and 2.
  oneapi::tbb::global_control allow;
  oneapi::tbb::task_arena arena;
  explicit Arena(int n)
      : allow(oneapi::tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(n)), arena(n) {}
};

ThreadPool::ThreadPool(int num_threads) : num_threads_(num_threads) {
  if (num_threads < 1 || num_threads > 1024)
    throw InputError(fmt::format("threads = {}: give a number from 1 to 1024", num_threads));
  if (num_threads > 1) arena_ = std::make_unique<Arena>(num_threads);
}

ThreadPool::~ThreadPool() = default;

void ThreadPool::run(int n, Call call, const void* context) {
  arena_->arena.execute([&] {
    // One task per item: items are whole contact pairs or fixed chunks, large enough to schedule.
    oneapi::tbb::parallel_for(0, n, [&](int i) { call(context, i); });
  });
}

}  // namespace patchfield
