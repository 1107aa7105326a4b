// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Series of numbers → a plot as SVG, and SVG → PNG. Enough for the figures of the studies, and no more.
//
//   ┌──────────────┐   linear or logarithmic axes, lines and markers, horizontal lines,
//   │  ○──○╲       │   dashed reference slopes (order 1, order 2), a legend below.
//   │       ○──○   │   Colours of Okabe and Ito, safe for colour-blind readers.
//   └──────────────┘

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace patchfield::cli {

enum class Marker { kNone, kCircle, kSquare, kDiamond, kTriangle };

struct Series {
  std::string name;  ///< In the legend; not listed if empty.
  std::vector<double> x = {}, y = {};
  Marker marker = Marker::kCircle;
  bool line = true;
  bool dashed = false;
  int color = 0;  ///< 0 … 6
};

/// A horizontal line with a word beside it.
struct Level {
  double y = 0.0;
  std::string name;
  int color = 0;
  double label_dy = -6.0;  ///< Of the word, in pixels down.
};

/// A vertical line with a word beside it: an event.
struct Event {
  double x = 0.0;
  std::string name;
};

/// y ∝ x^order through a point.
struct ReferenceSlope {
  double order = 1.0, x = 1.0, y = 1.0;
  double to_x = 10.0;  ///< Drawn from x to here.
  std::string name;
};

struct Axis {
  std::string label;
  bool log = false;
  std::optional<std::pair<double, double>> range = std::nullopt;  ///< By default that of the series, with some air.
  std::vector<double> ticks = {};                                 ///< By default round numbers.
};

struct Plot {
  std::string title;
  Axis x, y;
  std::vector<Series> series = {};
  std::vector<Level> levels = {};
  std::vector<Event> events = {};
  std::vector<ReferenceSlope> slopes = {};
};

/// Throws InputError if there is nothing to draw or a logarithmic axis meets a number that is not positive.
std::string draw_plot(const Plot& plot);

/// Writes a text file, making its folders. Throws InputError.
void write_text(const std::filesystem::path& path, const std::string& text);

/// `picture.svg` → `picture.png` with librsvg's rsvg-convert. False if that is not installed.
bool rasterise(const std::filesystem::path& svg, const std::filesystem::path& png);

}  // namespace patchfield::cli
