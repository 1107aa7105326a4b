// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>

#include <spawn.h>
#include <sys/wait.h>

#include <fmt/format.h>

#include "patchfield/core/check.h"

extern char** environ;

namespace patchfield::cli {
namespace {

constexpr double kWidth = 720, kHeight = 460, kLeft = 92, kRight = 24, kTop = 46, kBottom = 62, kLegendRow = 22;
constexpr std::array<const char*, 7> kColors = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                "#E69F00", "#56B4E9", "#444444"};

const char* color(int i) { return kColors[static_cast<std::size_t>(i) % kColors.size()]; }

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '&') out += "&amp;";
    else out += c;
  }
  return out;
}

std::string text_at(double x, double y, const std::string& text, const char* anchor, double size = 14,
                    const char* extra = "") {
  return fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}" font-size="{}" {}>{}</text>)"
                     "\n",
                     x, y, anchor, size, extra, escaped(text));
}

std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
  return fmt::format(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" {}/>)"
                     "\n",
                     x1, y1, x2, y2, style);
}

/// Numbers of one axis → pixels.
class Scale {
 public:
  Scale(const Axis& axis, double lo, double hi, double from, double to) : axis_(axis), from_(from), to_(to) {
    if (axis.range) {
      std::tie(lo, hi) = *axis.range;
    } else if (axis.log) {
      const double air = std::pow(hi / lo, 0.06);
      lo /= air, hi *= air;
    } else {
      const double air = 0.06 * (hi > lo ? hi - lo : std::abs(hi) + 1.0);
      lo -= air, hi += air;
    }
    lo_ = lo, hi_ = hi;
    if (axis.log && !(lo > 0.0))
      throw InputError(fmt::format("figure: the logarithmic axis \"{}\" meets {}", axis.label, lo));
  }

  double operator()(double value) const {
    const double t = axis_.log ? std::log(value / lo_) / std::log(hi_ / lo_) : (value - lo_) / (hi_ - lo_);
    return from_ + t * (to_ - from_);
  }
  bool holds(double value) const { return value >= lo_ * (1 - 1e-12) && value <= hi_ * (1 + 1e-12); }

  std::vector<double> ticks() const {
    std::vector<double> out;
    if (!axis_.ticks.empty()) {
      out = axis_.ticks;
    } else if (axis_.log) {
      for (int e = static_cast<int>(std::floor(std::log10(lo_))); std::pow(10.0, e) <= hi_; ++e)
        out.push_back(std::pow(10.0, e));
    } else {
      const double rough = (hi_ - lo_) / 6.0, power = std::pow(10.0, std::floor(std::log10(rough)));
      const double step = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
      for (double t = std::ceil(lo_ / step) * step; t <= hi_ + 1e-9 * step; t += step) out.push_back(t);
    }
    std::erase_if(out, [&](double t) { return !holds(t); });
    return out;
  }

  /// 10⁻³ where only powers of ten are marked, plain numbers elsewhere.
  std::string label(double tick) const {
    if (!axis_.log || !axis_.ticks.empty()) return fmt::format("{:g}", std::abs(tick) < 1e-12 ? 0.0 : tick);
    static constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const int exponent = static_cast<int>(std::lround(std::log10(tick)));
    if (exponent >= 0 && exponent <= 2) return fmt::format("{:g}", tick);
    std::string out = exponent < 0 ? "10⁻" : "10";
    for (const char c : std::to_string(std::abs(exponent))) out += kDigits[c - '0'];
    return out;
  }

 private:
  const Axis& axis_;
  double from_, to_, lo_ = 0.0, hi_ = 1.0;
};

struct Extent {
  double lo = std::numeric_limits<double>::infinity(), hi = -std::numeric_limits<double>::infinity();
  void add(double v) { lo = std::min(lo, v), hi = std::max(hi, v); }
};

std::string marker_at(Marker marker, double x, double y, const char* fill) {
  constexpr double r = 4.5;
  switch (marker) {
    case Marker::kNone: return "";
    case Marker::kCircle: return fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="{}" fill="{}"/>)", x, y, r, fill);
    case Marker::kSquare:
      return fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{}" height="{}" fill="{}"/>)", x - r, y - r, 2 * r,
                         2 * r, fill);
    case Marker::kDiamond:
      return fmt::format(R"(<path d="M{:.1f} {:.1f}l{} {}l{} {}l{} {}z" fill="{}"/>)", x, y - 6, 6, 6, -6, 6, -6, -6,
                         fill);
    case Marker::kTriangle:
      return fmt::format(R"(<path d="M{:.1f} {:.1f}l{} {}l{} {}z" fill="{}"/>)", x, y - 6, 5.5, 10, -11, 0, fill);
  }
  return "";
}

std::string draw_axes(const Plot& plot, const Scale& X, const Scale& Y) {
  const double right = kWidth - kRight, bottom = kHeight - kBottom;
  std::string out;
  for (const double t : X.ticks()) {
    out += line(X(t), kTop, X(t), bottom, R"(stroke="#e4e4e4")");
    out += text_at(X(t), bottom + 20, X.label(t), "middle", 13);
  }
  for (const double t : Y.ticks()) {
    out += line(kLeft, Y(t), right, Y(t), R"(stroke="#e4e4e4")");
    out += text_at(kLeft - 8, Y(t) + 4.5, Y.label(t), "end", 13);
  }
  out += fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" fill="none" stroke="#777"/>)"
                     "\n",
                     kLeft, kTop, right - kLeft, bottom - kTop);
  out += text_at(0.5 * (kLeft + right), bottom + 44, plot.x.label, "middle", 15);
  const double middle = 0.5 * (kTop + bottom);
  out += text_at(24, middle, plot.y.label, "middle", 15,
                 fmt::format(R"svg(transform="rotate(-90 24 {})")svg", middle).c_str());
  return out + text_at(0.5 * kWidth, 27, plot.title, "middle", 17, R"(font-weight="bold")");
}

std::string draw_series(const Series& s, const Scale& X, const Scale& Y) {
  std::string path, markers;
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    if (!X.holds(s.x[i]) || !Y.holds(s.y[i])) continue;
    const double x = X(s.x[i]), y = Y(s.y[i]);
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
    markers += marker_at(s.marker, x, y, color(s.color));
  }
  std::string out;
  if (s.line && !path.empty())
    out = fmt::format(R"(<path d="{}" fill="none" stroke="{}" stroke-width="2"{}/>)"
                      "\n",
                      path, color(s.color), s.dashed ? R"( stroke-dasharray="6 4")" : "");
  return out + markers + "\n";
}

double end_of(const ReferenceSlope& slope) { return slope.y * std::pow(slope.to_x / slope.x, slope.order); }

std::string draw_references(const Plot& plot, const Scale& X, const Scale& Y) {
  std::string out;
  for (const Level& level : plot.levels) {
    const std::string style =
        fmt::format(R"(stroke="{}" stroke-width="1.5" stroke-dasharray="2 3")", color(level.color));
    out += line(kLeft, Y(level.y), kWidth - kRight, Y(level.y), style);
    out += text_at(kWidth - kRight - 6, Y(level.y) + level.label_dy, level.name, "end", 13,
                   fmt::format(R"(fill="{}")", color(level.color)).c_str());
  }
  for (const Event& event : plot.events) {
    const double x = X(event.x);
    out += line(x, kTop, x, kHeight - kBottom, R"(stroke="#bbb" stroke-width="1")");
    out += text_at(
        0.0, 0.0, event.name, "start", 11,
        fmt::format(R"x(fill="#777" transform="translate({:.1f} {:.1f}) rotate(90)")x", x + 3, kTop + 4).c_str());
  }
  for (const ReferenceSlope& slope : plot.slopes) {
    const double y2 = end_of(slope);
    out += line(X(slope.x), Y(slope.y), X(slope.to_x), Y(y2),
                R"(stroke="#888" stroke-width="1.5" stroke-dasharray="7 4")");
    const bool rises = y2 > slope.y;  // the word goes below the line, on its free side
    out += text_at(0.5 * (X(slope.x) + X(slope.to_x)) + (rises ? 8 : -8), 0.5 * (Y(slope.y) + Y(y2)) + 18, slope.name,
                   rises ? "start" : "end", 13, R"(fill="#666")");
  }
  return out;
}

std::vector<const Series*> listed(const Plot& plot) {
  std::vector<const Series*> out;
  for (const Series& s : plot.series)
    if (!s.name.empty()) out.push_back(&s);
  return out;
}

/// Two entries per row below the plot.
std::string draw_legend(const std::vector<const Series*>& entries) {
  std::string out;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Series& s = *entries[i];
    const double x = kLeft + (i % 2 == 0 ? 0.0 : 0.5 * (kWidth - kLeft - kRight));
    const std::size_t row = i / 2;
    const double y = kHeight + kLegendRow * static_cast<double>(row);
    if (s.line)
      out += line(x, y, x + 30, y,
                  fmt::format(R"(stroke="{}" stroke-width="2"{})", color(s.color),
                              s.dashed ? R"( stroke-dasharray="6 4")" : ""));
    out += marker_at(s.marker, x + 15, y, color(s.color)) + text_at(x + 38, y + 4.5, s.name, "start", 13.5);
  }
  return out;
}

}  // namespace

std::string draw_plot(const Plot& plot) {
  Extent ex, ey;
  for (const Series& s : plot.series) {
    PATCHFIELD_ASSERT(s.x.size() == s.y.size());
    for (const double x : s.x) ex.add(x);
    for (const double y : s.y) ey.add(y);
  }
  for (const Level& level : plot.levels) ey.add(level.y);
  for (const ReferenceSlope& slope : plot.slopes) ey.add(slope.y), ey.add(end_of(slope));
  if (!(ex.lo <= ex.hi && ey.lo <= ey.hi))
    throw InputError(fmt::format("figure \"{}\" has nothing to draw", plot.title));
  const Scale X(plot.x, ex.lo, ex.hi, kLeft, kWidth - kRight), Y(plot.y, ey.lo, ey.hi, kHeight - kBottom, kTop);

  const std::vector<const Series*> entries = listed(plot);
  const std::size_t rows = (entries.size() + 1) / 2;
  const double height = kHeight + kLegendRow * static_cast<double>(rows);
  std::string svg = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" font-family="DejaVu Sans, Arial, sans-serif" fill="#222">
<rect width="100%" height="100%" fill="white"/>
)",
      kWidth, height);
  svg += draw_axes(plot, X, Y) + draw_references(plot, X, Y);
  for (const Series& s : plot.series) svg += draw_series(s, X, Y);
  return svg + draw_legend(entries) + "</svg>\n";
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::error_code failed;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), failed);
  std::ofstream file(path);
  file << text;
  if (failed || !file.flush()) throw InputError(fmt::format("cannot write {}. Is the folder writable?", path.string()));
}

bool rasterise(const std::filesystem::path& svg, const std::filesystem::path& png) {
  std::string words[] = {"rsvg-convert", "--zoom=2", "--output", png.string(), svg.string()};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), words[4].data(), nullptr};
  pid_t pid = 0;
  if (posix_spawnp(&pid, argv[0], nullptr, nullptr, argv, environ) != 0) return false;
  int status = 0;
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace patchfield::cli
