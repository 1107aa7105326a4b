// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/model/pair_table.h"

#include <algorithm>

namespace patchfield {
namespace {

bool excluded(const mjModel* m, int b1, int b2) {
  const int signature = (std::min(b1, b2) << 16) + std::max(b1, b2);
  return std::find(m->exclude_signature, m->exclude_signature + m->nexclude, signature) !=
         m->exclude_signature + m->nexclude;
}

/// Bodies without joints in between are one, and a body does not collide with its parent unless that is the world.
bool welded_or_parent(const mjModel* m, int b1, int b2) {
  const int w1 = m->body_weldid[b1], w2 = m->body_weldid[b2];
  if (w1 == w2) return true;
  if ((m->opt.disableflags & mjDSBL_FILTERPARENT) != 0 || w1 == 0 || w2 == 0) return false;
  const int parent1 = m->body_weldid[m->body_parentid[w1]], parent2 = m->body_weldid[m->body_parentid[w2]];
  return w1 == parent2 || w2 == parent1;
}

}  // namespace

std::string_view to_string(PairKind kind) {
  switch (kind) {
    case PairKind::kNone: return "none";
    case PairKind::kPatch: return "patch";
    case PairKind::kPoint: return "point";
  }
  return "?";
}

int PairTable::count(PairKind kind) const {
  int total = 0;
  for (int i = 0; i < n_; ++i)
    for (int j = i + 1; j < n_; ++j) total += (*this)(i, j) == kind;
  return total;
}

int explicit_pair(const mjModel* m, int g1, int g2) {
  for (int i = 0; i < m->npair; ++i)
    if ((m->pair_geom1[i] == g1 && m->pair_geom2[i] == g2) || (m->pair_geom1[i] == g2 && m->pair_geom2[i] == g1))
      return i;
  return -1;
}

bool may_collide(const mjModel* m, int g1, int g2) {
  const int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2];
  if (m->body_treeid[b1] < 0 && m->body_treeid[b2] < 0) return false;
  // MuJoCo has no contact between two planes, or a plane and a height field.
  const auto is_ground = [&](int g) { return m->geom_type[g] == mjGEOM_PLANE || m->geom_type[g] == mjGEOM_HFIELD; };
  if (is_ground(g1) && is_ground(g2)) return false;
  if (explicit_pair(m, g1, g2) >= 0) return true;
  const bool masks_meet =
      (m->geom_contype[g1] & m->geom_conaffinity[g2]) != 0 || (m->geom_contype[g2] & m->geom_conaffinity[g1]) != 0;
  return masks_meet && !welded_or_parent(m, b1, b2) && !excluded(m, b1, b2);
}

}  // namespace patchfield
