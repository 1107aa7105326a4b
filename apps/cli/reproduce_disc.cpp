// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "reproduce_disc.h"

#include <cmath>
#include <numbers>

#include "patchfield/core/check.h"

namespace patchfield::cli {
namespace {

constexpr int kRotations = 32;

std::vector<DiscPoint> rotated(std::span<const DiscPoint> points, double angle) {
  std::vector<DiscPoint> out(points.begin(), points.end());
  const double c = std::cos(angle), s = std::sin(angle);
  for (DiscPoint& p : out) p = {c * p.x - s * p.y, s * p.x + c * p.y, p.weight};
  return out;
}

}  // namespace

DiscFriction disc_friction(std::span<const DiscPoint> points, double eps) {
  DiscFriction sum;
  for (const DiscPoint& p : points) {
    const double ux = eps - p.y, uy = p.x, norm = std::hypot(ux, uy);
    if (norm == 0.0) continue;  // the instantaneous centre of rotation itself
    sum.force += p.weight * ux / norm;
    sum.torque += p.weight * (p.x * uy - p.y * ux) / norm;
  }
  return sum;
}

double sliding_ratio(std::span<const DiscPoint> points, double turn) {
  PATCHFIELD_ASSERT(!points.empty() && turn >= 0.0);
  std::vector<std::vector<DiscPoint>> turned;
  const int n = turn > 0.0 ? kRotations : 1;
  for (int i = 0; i < n; ++i) turned.push_back(rotated(points, turn * i / n));
  // Spinning alone F/ε < 2T, so ε grows; sliding alone it falls.
  const auto excess = [&](double eps) {
    double sum = 0.0;
    for (const std::vector<DiscPoint>& at : turned) {
      const DiscFriction f = disc_friction(at, eps);
      sum += f.force / eps - 2.0 * f.torque;
    }
    return sum;
  };
  double lo = 1e-3, hi = 1e3;
  PATCHFIELD_ASSERT(excess(lo) < 0.0 && excess(hi) > 0.0);
  while (hi - lo > 1e-12 * hi) {
    const double middle = 0.5 * (lo + hi);
    (excess(middle) < 0.0 ? lo : hi) = middle;
    if (middle == lo && middle == hi) break;
  }
  return 0.5 * (lo + hi);
}

std::vector<DiscPoint> fan_points(int n) {
  std::vector<DiscPoint> points;
  const double radius = 2.0 / 3.0 * std::cos(std::numbers::pi / n);
  for (int i = 0; i < n; ++i) {
    const double angle = 2.0 * std::numbers::pi * (i + 0.5) / n;
    points.push_back({radius * std::cos(angle), radius * std::sin(angle), 1.0 / n});
  }
  return points;
}

std::vector<DiscPoint> polar_points(int rings) {
  std::vector<DiscPoint> points;
  for (int i = 0; i < rings; ++i) {
    const double radius = (i + 0.5) / rings;
    const int n = 4 * (i + 1) + 4 * i;  // cells of equal area, 4·rings² of them
    for (int k = 0; k < n; ++k) {
      const double angle = 2.0 * std::numbers::pi * (k + 0.5) / n;
      points.push_back({radius * std::cos(angle), radius * std::sin(angle), 1.0 / (4.0 * rings * rings)});
    }
  }
  return points;
}

}  // namespace patchfield::cli
