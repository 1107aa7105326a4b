// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/core/parallel.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "patchfield/core/check.h"

namespace patchfield {
namespace {

TEST(ThreadPool, RefusesNonsenseAndNamesTheRange) {
  for (const int n : {-1, 0, 1025}) {
    try {
      ThreadPool pool(n);
      FAIL() << n;
    } catch (const InputError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("threads = " + std::to_string(n)), std::string::npos) << text;
      EXPECT_NE(text.find("1 to 1024"), std::string::npos) << text;
    }
  }
}

TEST(ThreadPool, CallsEveryIndexExactlyOnce) {
  for (const int threads : {1, 2, 8}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.num_threads(), threads);
    for (const int n : {0, 1, 2, 3, 1000}) {
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(n));
      pool.for_each(n, [&](int i) { ++calls[static_cast<std::size_t>(i)]; });
      for (const std::atomic<int>& c : calls) ASSERT_EQ(c.load(), 1) << threads << " threads, n = " << n;
    }
  }
}

TEST(ThreadPool, OneThreadRunsInlineAndInOrder) {
  ThreadPool pool(1);
  std::vector<int> order;
  std::set<std::thread::id> ids;
  pool.for_each(100, [&](int i) {
    order.push_back(i);
    ids.insert(std::this_thread::get_id());
  });
  std::vector<int> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
  EXPECT_EQ(ids, std::set<std::thread::id>{std::this_thread::get_id()});
}

// Four bodies that wait for each other can only meet when four threads exist, however few cores
// there are. Without the pool's global_control, oneTBB stops at the number of cores.
TEST(ThreadPool, FourThreadsReallyRunAtOnce) {
  ThreadPool pool(4);
  std::mutex mutex;
  std::condition_variable arrived;
  int waiting = 0;
  std::atomic<int> met{0};
  pool.for_each(4, [&](int) {
    std::unique_lock lock(mutex);
    ++waiting;
    arrived.notify_all();
    if (arrived.wait_for(lock, std::chrono::seconds(20), [&] { return waiting == 4; })) ++met;
  });
  EXPECT_EQ(met.load(), 4);
}

// The pattern of every reduction here: fixed chunks in parallel, partial sums added in chunk order.
// The terms differ by twelve orders of magnitude, so another order of addition gives other bits.
TEST(ThreadPool, ChunkedSumHasTheSameBitsForAnyNumberOfThreads) {
  constexpr int kChunks = 64, kPerChunk = 500;
  const auto sum_with = [&](int threads) {
    ThreadPool pool(threads);
    std::vector<double> partial(kChunks);
    pool.for_each(kChunks, [&](int c) {
      double s = 0;
      for (int i = c * kPerChunk; i < (c + 1) * kPerChunk; ++i) s += std::sin(i) * std::pow(10.0, i % 13 - 6);
      partial[static_cast<std::size_t>(c)] = s;
    });
    return std::accumulate(partial.begin(), partial.end(), 0.0);
  };
  const double one = sum_with(1);
  for (const int threads : {2, 3, 8}) EXPECT_EQ(sum_with(threads), one) << threads << " threads";
}

TEST(ThreadPool, AnExceptionLeavesAndThePoolStaysUsable) {
  for (const int threads : {1, 4}) {
    ThreadPool pool(threads);
    std::atomic<int> running{0};
    const auto work = [&](int i) {
      ++running;
      if (i == 37) {
        --running;
        throw std::domain_error("37");
      }
      --running;
    };
    EXPECT_THROW(pool.for_each(100, work), std::domain_error);
    EXPECT_EQ(running.load(), 0) << "a call was still running when the exception left";

    std::atomic<int> calls{0};
    pool.for_each(100, [&](int) { ++calls; });
    EXPECT_EQ(calls.load(), 100);
  }
}

}  // namespace
}  // namespace patchfield
