// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/broad_phase.h"

#include <vector>

#include <gtest/gtest.h>

#include "support/random.h"

namespace patchfield {
namespace {

bool overlap(const Aabb& a, const Aabb& b) {
  return (a.lower.array() <= b.upper.array()).all() && (b.lower.array() <= a.upper.array()).all();
}

std::vector<IndexPair> all_pairs(const std::vector<Aabb>& boxes) {
  std::vector<IndexPair> pairs;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(boxes.size()); ++j)
      if (overlap(boxes[i], boxes[j])) pairs.push_back({i, j});
  return pairs;
}

TEST(BroadPhase, EqualsTheDoubleLoopWhileBoxesMove) {
  Random random(1);
  BroadPhase broad_phase;
  std::vector<Aabb> boxes(200);
  std::vector<Vec3> velocity;
  for (Aabb& box : boxes) {
    const Vec3 center = random.vector(1.0), half = Vec3::Constant(0.05) + random.vector(0.04);
    box = {center - half, center + half};
    velocity.push_back(random.vector(0.05));
  }
  boxes[7] = {Vec3::Constant(-INFINITY), Vec3(INFINITY, INFINITY, 0.0)};  // a half space
  boxes[8] = boxes[9];                                                    // equal keys
  for (int step = 0; step < 50; ++step) {
    const auto found = broad_phase.find_pairs(boxes);
    ASSERT_EQ(std::vector<IndexPair>(found.begin(), found.end()), all_pairs(boxes)) << step;
    for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i].lower += velocity[i], boxes[i].upper += velocity[i];
  }
}

TEST(BroadPhase, EmptyBoxesMeetNothing) {
  BroadPhase broad_phase;
  std::vector<Aabb> boxes(3);
  EXPECT_TRUE(broad_phase.find_pairs(boxes).empty());
  boxes[0] = boxes[2] = {Vec3::Zero(), Vec3::Ones()};
  const auto pairs = broad_phase.find_pairs(boxes);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0], (IndexPair{0, 2}));
}

TEST(WorldBox, HoldsEveryVertex) {
  Random random(2);
  for (int i = 0; i < 50; ++i) {
    const Geometry g = random.compliant(0.03);
    const Pose X = random.pose(1.0);
    const Aabb box = world_box(g, X);
    for (const Vec3& v : g.volume().mesh.vertices) {
      const Vec3 x = X * v;
      EXPECT_TRUE(((x - box.lower).array() >= -1e-12).all() && ((box.upper - x).array() >= -1e-12).all());
    }
  }
}

TEST(WorldBox, OfALevelHalfSpaceEndsAtItsSurface) {
  const Aabb box = world_box(Geometry::rigid(HalfSpace{}), Pose::translation(1, 2, 3));
  EXPECT_EQ(box.upper[2], 3.0);
  EXPECT_EQ(box.lower[2], -INFINITY);
  EXPECT_EQ(box.upper[0], INFINITY);
}

}  // namespace
}  // namespace patchfield
