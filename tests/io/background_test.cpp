// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/background.h"

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace patchfield {
namespace {

TEST(Background, DoesEverythingInOrder) {
  std::vector<int> done;
  Background background(100);
  for (int i = 0; i < 1000; ++i) background.run(7, [&done, i] { done.push_back(i); });
  background.drain();
  ASSERT_EQ(done.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(done[static_cast<std::size_t>(i)], i);
}

// The first task stands until it is let go; what comes behind it takes the room that is left, and no more.
TEST(Background, HoldsNoMoreThanItsCapacity) {
  std::promise<void> go;
  std::atomic<int> taken = 0;
  Background background(100);
  background.run(40, [gate = go.get_future().share()] { gate.wait(); });
  std::thread feeder([&] {
    for (int i = 0; i < 5; ++i) {
      background.run(30, [] {});
      ++taken;
    }
  });
  while (taken < 2) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(taken, 2);  // 40 + 2·30 = 100
  go.set_value();
  feeder.join();
  background.run(1000, [] {});  // larger than any place: goes alone
  background.drain();
  EXPECT_EQ(taken, 5);
}

TEST(Background, TellsTroubleAndDropsTheRest) {
  std::atomic<int> after = 0;
  Background background;
  background.run(1, [] { throw std::runtime_error("the disk is full"); });
  EXPECT_THROW(background.drain(), std::runtime_error);
  background.run(1, [&after] { ++after; });  // told once, it goes on
  background.drain();
  EXPECT_EQ(after, 1);
}

TEST(Background, EndsWithItsWorkDone) {
  std::atomic<int> done = 0;
  {
    Background background;
    for (int i = 0; i < 100; ++i) background.run(1, [&done] { ++done; });
  }
  EXPECT_EQ(done, 100);
}

}  // namespace
}  // namespace patchfield
