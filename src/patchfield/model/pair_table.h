// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Which geoms may touch, and how: computed once per model.
//
// MuJoCo's filters hold for patches too: contype and conaffinity, <exclude>, bodies welded together, parent
// and child, and <pair>, which overrides all of them. Pairs of bodies that cannot move are left out.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <mujoco/mujoco.h>

namespace patchfield {

enum class PairKind : std::uint8_t {
  kNone,   ///< Filtered.
  kPatch,  ///< Contact surface with a pressure field.
  kPoint,  ///< MuJoCo's own contact points, as compliant points of the same solve.
};

std::string_view to_string(PairKind kind);

/// Symmetric table over geoms, one byte per pair.
class PairTable {
 public:
  PairTable() = default;
  explicit PairTable(int num_geoms)
      : n_(num_geoms), kind_(static_cast<std::size_t>(num_geoms) * static_cast<std::size_t>(num_geoms)) {}

  int num_geoms() const { return n_; }
  PairKind operator()(int g1, int g2) const { return kind_[at(g1, g2)]; }
  void set(int g1, int g2, PairKind kind) { kind_[at(g1, g2)] = kind_[at(g2, g1)] = kind; }
  int count(PairKind kind) const;

 private:
  std::size_t at(int g1, int g2) const {
    return static_cast<std::size_t>(g1) * static_cast<std::size_t>(n_) + static_cast<std::size_t>(g2);
  }
  int n_ = 0;
  std::vector<PairKind> kind_;
};

/// Would MuJoCo look for contact between these two?
bool may_collide(const mjModel* m, int g1, int g2);

/// Index of the <pair> of two geoms, or −1.
int explicit_pair(const mjModel* m, int g1, int g2);

}  // namespace patchfield
