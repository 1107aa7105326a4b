// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/broad_phase.h"

#include <algorithm>

namespace patchfield {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool overlap_yz(const Aabb& a, const Aabb& b) {
  return a.lower[1] <= b.upper[1] && b.lower[1] <= a.upper[1] && a.lower[2] <= b.upper[2] && b.lower[2] <= a.upper[2];
}

bool is_empty(const Aabb& box) { return !(box.lower.array() <= box.upper.array()).all(); }

// A half space is bounded in the world only along an axis that its normal is parallel to.
Aabb half_space_box(double reach, const Pose& X_WG) {
  Aabb box{Vec3::Constant(-kInfinity), Vec3::Constant(kInfinity)};
  const Vec3 n = X_WG.R.col(2);
  for (int axis = 0; axis < 3; ++axis) {
    if (std::abs(n[axis]) < 1.0 - 1e-15) continue;
    if (n[axis] > 0.0) box.upper[axis] = X_WG.p[axis] + reach;
    else box.lower[axis] = X_WG.p[axis] - reach;
  }
  return box;
}

}  // namespace

Aabb world_box(const Geometry& geometry, const Pose& X_WG) {
  if (geometry.half_space()) return half_space_box(geometry.half_space()->margin, X_WG);
  const Aabb& local = geometry.bounds();
  const Vec3 center = X_WG * Vec3(0.5 * (local.lower + local.upper));
  const Vec3 half = X_WG.R.cwiseAbs() * (0.5 * (local.upper - local.lower));
  return {center - half, center + half};
}

std::span<const IndexPair> BroadPhase::find_pairs(std::span<const Aabb> boxes) {
  const int n = static_cast<int>(boxes.size());
  if (order_.size() != n) {
    order_.resize(n);
    for (int i = 0; i < n; ++i) order_[i] = i;
  }
  const auto before = [&](int a, int b) {
    return boxes[a].lower[0] < boxes[b].lower[0] || (boxes[a].lower[0] == boxes[b].lower[0] && a < b);
  };
  for (int i = 1; i < n; ++i) {
    const int moving = order_[i];
    int j = i;
    for (; j > 0 && before(moving, order_[j - 1]); --j) order_[j] = order_[j - 1];
    order_[j] = moving;
  }

  pairs_.clear();
  for (int i = 0; i < n; ++i) {
    const int a = order_[i];
    if (is_empty(boxes[a])) continue;
    for (int j = i + 1; j < n && boxes[order_[j]].lower[0] <= boxes[a].upper[0]; ++j) {
      const int b = order_[j];
      if (!is_empty(boxes[b]) && overlap_yz(boxes[a], boxes[b])) pairs_.push_back({std::min(a, b), std::max(a, b)});
    }
  }
  std::sort(pairs_.begin(), pairs_.end(), [](const IndexPair& p, const IndexPair& q) {
    return p.first < q.first || (p.first == q.first && p.second < q.second);
  });
  return pairs_;
}

}  // namespace patchfield
