// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A step in two halves and as a whole → what both tell of the limit: x = x_h + (x_h − x_w), Richardson's extrapolation
// of a scheme of order one.
//
// Overlaps of micrometres carry the load where ε is a millimetre: the change must not be felt there, or it would store
// energy in contacts. A tree is extrapolated only if this changes no overlap of its contacts by more than a tenth of
// the deepest of its patch, and lets no point touch that did not; nor are trees that are connected, by contacts or
// rows, to one that is not. So impacts are left to the two halves, and what slides, flies and swings is extrapolated.

#include <algorithm>
#include <cmath>

#include "patchfield/sim/step_parts.h"

namespace patchfield {
namespace {

constexpr double kNoticed = 0.1;  // share of the deepest overlap

/// How the change of q moves B relative to A at the patch.
Vec6 relative_change(const ContactProblem& p, int patch, const Column<double>& change) {
  Vec6 V = Vec6::Zero();
  const auto add = [&](int tree, const double* J) {
    for (int i = 0; i < p.tree_size(tree); ++i) V += Eigen::Map<const Vec6>(J + 6 * i) * change[p.tree_start[tree] + i];
  };
  add(p.patch_tree0[patch], p.J.data() + p.patch_J0[patch]);
  if (p.patch_tree1[patch] >= 0) add(p.patch_tree1[patch], p.J.data() + p.patch_J1[patch]);
  return V;
}

bool is_noticed(const Data& data, int patch) {
  const ContactProblem& p = data.problem;
  const Vec6 V = relative_change(p, patch, data.error_control.change);
  double deepest = 0.0, largest = 0.0;
  for (int i = p.patch_first[patch]; i < p.patch_first[patch] + p.patch_count[patch]; ++i) {
    const Vec3 r(p.rx[i], p.ry[i], p.rz[i]), nhat(p.nx[i], p.ny[i], p.nz[i]);
    const double phi = p.phi0[i] + data.dt * (data.solution.vn[i] - p.convection[i]);
    const double change = nhat.dot(V.tail<3>() + V.head<3>().cross(r));
    deepest = std::max(deepest, -phi);
    if (phi < 0.0 || phi + change < 0.0) largest = std::max(largest, std::abs(change));
  }
  return largest > kNoticed * deepest;
}

/// Marks both if one is marked; true if that changed anything.
bool join(Column<unsigned char>& stays, int a, int b) {
  if (a < 0 || b < 0 || stays[a] == stays[b]) return false;
  stays[a] = stays[b] = 1;
  return true;
}

/// Carries the marks along contacts and rows.
bool spread(const Data& data, Column<unsigned char>& stays) {
  const ContactProblem& p = data.problem;
  bool any = false;
  for (int k = 0; k < p.num_patches(); ++k) any |= join(stays, p.patch_tree0[k], p.patch_tree1[k]);
  for (int r = 0; r < p.num_rows(); ++r)
    for (int e = p.row_start[r] + 1; e < p.row_start[r + 1]; ++e)
      any |= join(stays, data.m()->dof_treeid[p.row_dof[e - 1]], data.m()->dof_treeid[p.row_dof[e]]);
  return any;
}

}  // namespace

void extrapolate(Data& data) {
  const mjModel* m = data.m();
  const ContactProblem& p = data.problem;
  Column<unsigned char>& stays = data.error_control.stays;
  stays.assign(p.num_trees(), 0);
  for (int k = 0; k < p.num_patches(); ++k) {
    if (!is_noticed(data, k)) continue;
    stays[p.patch_tree0[k]] = 1;
    if (p.patch_tree1[k] >= 0) stays[p.patch_tree1[k]] = 1;
  }
  while (spread(data, stays)) {
  }
  Column<double>& change = data.error_control.change;
  for (int i = 0; i < m->nv; ++i) {
    if (stays[m->dof_treeid[i]] != 0) change[i] = 0.0;
    else data.d()->qvel[i] += data.v_end[i] - data.error_control.v_whole[i];
  }
  mj_integratePos(m, data.d()->qpos, change.data(), 1.0);
}

}  // namespace patchfield
