// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "figures.h"

#include <regex>

#include <gtest/gtest.h>

#include "patchfield/core/check.h"

namespace patchfield::cli {
namespace {

std::vector<double> numbers(const std::string& svg, const std::string& pattern) {
  std::vector<double> out;
  const std::regex expression(pattern);
  for (std::sregex_iterator it(svg.begin(), svg.end(), expression), end; it != end; ++it)
    out.push_back(std::stod((*it)[1]));
  return out;
}

// On logarithmic axes a power law is a straight line: equal steps in x and in y.
TEST(DrawPlot, PowerLawIsStraightOnLogarithmicAxes) {
  const std::string svg = draw_plot({.title = "a < b",
                                     .x = {.label = "x", .log = true},
                                     .y = {.label = "y", .log = true},
                                     .series = {{.name = "s", .x = {1, 10, 100}, .y = {1e-4, 1e-2, 1}}}});
  const std::vector<double> x = numbers(svg, R"re(<circle cx="([\d.]+)")re"),
                            y = numbers(svg, R"re(<circle cx="[\d.]+" cy="([\d.]+)")re");
  ASSERT_EQ(x.size(), 4u);  // three points and the legend
  EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.2);
  EXPECT_NEAR(y[1] - y[0], y[2] - y[1], 0.2);
  EXPECT_GT(x[1], x[0]);
  EXPECT_LT(y[1], y[0]);  // larger is higher
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  EXPECT_NE(svg.find("10⁻⁴"), std::string::npos);
}

TEST(DrawPlot, RefusesWhatItCannotDraw) {
  EXPECT_THROW(draw_plot({.title = "empty", .x = {}, .y = {}, .series = {}}), InputError);
  EXPECT_THROW(draw_plot({.title = "log of zero",
                          .x = {},
                          .y = {.label = "y", .log = true},
                          .series = {{.name = "", .x = {1, 2}, .y = {0, 1}}}}),
               InputError);
}

}  // namespace
}  // namespace patchfield::cli
