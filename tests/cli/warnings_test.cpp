// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "warnings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace patchfield::cli {
namespace {

TEST(GroupWarnings, KeepsTheFirstOfManyOfAKindAndCountsTheOthers) {
  std::vector<std::string> warnings = {"geom \"a\": something else"};
  for (int i = 0; i < 279; ++i) warnings.push_back(fmt::format("geoms \"x{}\" and \"y{}\": {} Pa", i, i + 1, 1000 * i));
  const std::vector<std::string> grouped = group_warnings(warnings);
  ASSERT_EQ(grouped.size(), 2U);
  EXPECT_EQ(grouped[0], warnings[0]);
  EXPECT_EQ(grouped[1], "geoms \"x0\" and \"y1\": 0 Pa (and 278 more of this kind)");
}

TEST(GroupWarnings, LeavesAFewAsTheyAre) {
  const std::vector<std::string> warnings = {"geom \"a\": 1", "mesh \"b\"", "geom \"c\": 2", "geom \"d\": 3"};
  EXPECT_EQ(group_warnings(warnings), (std::vector<std::string>{warnings[0], warnings[2], warnings[3], warnings[1]}));
}

}  // namespace
}  // namespace patchfield::cli
