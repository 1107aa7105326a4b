// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/core/column.h"

#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "patchfield/core/types.h"

namespace patchfield {
namespace {

template <class T>
std::vector<T> values_of(const Column<T>& column) {
  return {column.begin(), column.end()};
}

TEST(Column, GrowsLikeAVector) {
  Column<int> column;
  std::vector<int> expected;
  for (int i = 0; i < 1000; ++i) {
    column.push_back(i * i);
    expected.push_back(i * i);
    ASSERT_EQ(column.size(), i + 1);
    ASSERT_EQ(column.back(), i * i);
  }
  EXPECT_EQ(values_of(column), expected);
  EXPECT_GE(column.capacity(), column.size());
}

// SIMD loads rely on it, whatever the size of T is.
TEST(Column, MemoryStaysAlignedThroughGrowth) {
  Column<char> bytes;
  Column<Vec3> points;
  for (int i = 0; i < 300; ++i) {
    bytes.push_back('x');
    points.push_back(Vec3(i, 0, 0));
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % Column<char>::kAlignment, 0u);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(points.data()) % Column<Vec3>::kAlignment, 0u);
  }
}

// The warm step: same memory, no allocation, whatever happens up to the high-water mark.
TEST(Column, ClearAndRefillKeepTheMemory) {
  Column<double> column(500);
  const double* memory = column.data();
  const int capacity = column.capacity();
  for (int round = 0; round < 3; ++round) {
    column.clear();
    EXPECT_TRUE(column.empty());
    for (int i = 0; i < 400; ++i) column.push_back(i);
    column.resize(10);
    column.assign(500, 2.5);
  }
  EXPECT_EQ(column.data(), memory);
  EXPECT_EQ(column.capacity(), capacity);
  EXPECT_EQ(std::accumulate(column.begin(), column.end(), 0.0), 1250.0);
}

// push_back(column[0]) hands over a reference into the memory that growing gives back.
TEST(Column, PushesItsOwnElementWhileGrowing) {
  Column<Vec3> column;
  column.push_back(Vec3(1, 2, 3));
  while (column.size() < column.capacity()) column.push_back(Vec3::Zero());
  const int full = column.size();
  column.push_back(column[0]);
  ASSERT_GT(column.capacity(), full);
  EXPECT_EQ(column.back(), Vec3(1, 2, 3));
}

TEST(Column, CopyIsDeepAndKeepsTheTargetsMemoryWhenItFits) {
  const Column<int> source{1, 2, 3};
  Column<int> target(100);
  const int* memory = target.data();
  target = source;
  EXPECT_EQ(values_of(target), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(target.data(), memory);
  target[0] = 9;
  EXPECT_EQ(source[0], 1);

  Column<int> copy(source);
  EXPECT_NE(copy.data(), source.data());
  EXPECT_EQ(values_of(copy), values_of(source));

  const Column<int>& same = copy;
  copy = same;
  EXPECT_EQ(values_of(copy), (std::vector<int>{1, 2, 3}));

  target = Column<int>();
  EXPECT_TRUE(target.empty());
}

TEST(Column, MoveHandsOverTheMemory) {
  Column<int> source{1, 2, 3};
  const int* memory = source.data();
  Column<int> taken(std::move(source));
  EXPECT_EQ(taken.data(), memory);

  Column<int> other{7};
  other = std::move(taken);
  EXPECT_EQ(other.data(), memory);
  EXPECT_EQ(values_of(other), (std::vector<int>{1, 2, 3}));
}

TEST(Column, IsASpan) {
  const Column<double> column(4, 0.25);
  const std::span<const double> view = column;
  EXPECT_EQ(view.size(), 4u);
  EXPECT_EQ(std::accumulate(view.begin(), view.end(), 0.0), 1.0);
  EXPECT_TRUE(std::span<const double>(Column<double>()).empty());
}

}  // namespace
}  // namespace patchfield
