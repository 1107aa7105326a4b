// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Boxes of many bodies → the pairs that overlap: sweep and prune along x.
//
// The order of the last call is kept and repaired by insertion, which is linear while bodies
// move little between steps. A dynamic tree was the alternative: it wins for thousands of
// bodies in the plane, and costs more than the contact itself for the hundreds we meet.

#pragma once

#include <span>

#include "patchfield/geometry/geometry.h"

namespace patchfield {

/// Box of a posed geometry in the world; infinite where a half space is.
Aabb world_box(const Geometry& geometry, const Pose& X_WG);

struct IndexPair {
  int first, second;  ///< first < second
  friend bool operator==(const IndexPair&, const IndexPair&) = default;
};

class BroadPhase {
 public:
  /// Overlapping (touching included) pairs of `boxes`, sorted by (first, second), valid until the
  /// next call. Boxes that are empty (lower > upper) meet nothing.
  std::span<const IndexPair> find_pairs(std::span<const Aabb> boxes);

 private:
  Column<int> order_;
  Column<IndexPair> pairs_;
};

}  // namespace patchfield
