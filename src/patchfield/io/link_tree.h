// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Links and joints, a graph → bodies, a tree that hangs on the world: what MuJoCo wants.
//
//   - A link that nothing holds is a root and moves freely, unless it is static.
//   - A joint may be walked from its child to its parent (reversed): then M(q) becomes M(q)⁻¹ and every coordinate
//     keeps its sign.
//   - A joint between two links that already hang on the tree closes a loop.
//   - A moving link without mass, shapes and frames is no body: its joint goes to the link behind it.

#pragma once

#include <vector>

#include "patchfield/io/assembly.h"

namespace patchfield {

struct TreeJoint {
  int joint;
  bool reversed;
};

/// One body.
struct TreeNode {
  int link;
  int parent;                     ///< Link, or kWorld.
  std::vector<TreeJoint> joints;  ///< From the parent outwards. Empty for a static link and for a free root.
  bool is_free = false;
  bool moves = false;  ///< Relative to the world.
};

struct LinkTree {
  std::vector<TreeNode> nodes;    ///< Parents before children.
  std::vector<int> loop_joints;   ///< Joints.
  std::vector<int> node_of_link;  ///< −1: merged into the one behind.
};

/// `fixed_roots`: links that nothing holds are welded to the world. Throws InputError: a loop without a root, a moving
/// link without mass.
LinkTree make_link_tree(const Assembly& assembly, bool fixed_roots, Diagnostics& diagnostics);

}  // namespace patchfield
