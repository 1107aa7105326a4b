// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/link_tree.h"

#include <algorithm>
#include <deque>

#include <Eigen/Eigenvalues>

namespace patchfield {
namespace {

/// MuJoCo's smallest mass and inertia of a moving body (mjMINVAL).
constexpr double kSmallest = 1e-15;

class TreeMaker {
 public:
  TreeMaker(const Assembly& assembly, bool fixed_roots, Diagnostics& diagnostics)
      : assembly_(assembly), fixed_roots_(fixed_roots), diagnostics_(diagnostics) {
    tree_.node_of_link.assign(assembly.links.size(), -1);
    used_.assign(assembly.joints.size(), false);
    joints_of_.resize(assembly.links.size());
    is_child_.assign(assembly.links.size(), false);
  }

  LinkTree make() {
    list_joints();
    place_what_the_world_holds();
    place_free_roots();
    for (std::size_t j = 0; j < used_.size(); ++j)
      if (!used_[j]) tree_.loop_joints.push_back(static_cast<int>(j));
    merge_massless();
    check_masses();
    return std::move(tree_);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  const Link& link(int i) const { return assembly_.links[at(i)]; }
  const Joint& joint(int i) const { return assembly_.joints[at(i)]; }
  bool is_held(int i) const { return i == kWorld || link(i).is_static; }
  bool is_placed(int i) const { return i == kWorld || tree_.node_of_link[at(i)] >= 0; }

  void list_joints() {
    for (std::size_t j = 0; j < assembly_.joints.size(); ++j) {
      const Joint& joint = assembly_.joints[j];
      // Joints of a static model move nothing.
      if (is_held(joint.parent) && is_held(joint.child)) used_[j] = true;
      for (const int end : {joint.parent, joint.child})
        if (end == kWorld) joints_of_world_.push_back(static_cast<int>(j));
        else joints_of_[at(end)].push_back(static_cast<int>(j));
      if (joint.child != kWorld) is_child_[at(joint.child)] = true;
    }
  }

  TreeNode& place(int link, int parent, std::vector<TreeJoint> joints) {
    tree_.node_of_link[at(link)] = static_cast<int>(tree_.nodes.size());
    const bool hinged =
        std::any_of(joints.begin(), joints.end(), [&](const TreeJoint& t) { return !joint(t.joint).motions.empty(); });
    const bool parent_moves = parent != kWorld && tree_.nodes[at(tree_.node_of_link[at(parent)])].moves;
    tree_.nodes.push_back({link, parent, std::move(joints), false, hinged || parent_moves});
    return tree_.nodes.back();
  }

  /// Breadth first, so that a loop closes at its far end.
  void grow(std::deque<int> open) {
    while (!open.empty()) {
      const int near = open.front();
      open.pop_front();
      for (const int j : near == kWorld ? joints_of_world_ : joints_of_[at(near)]) {
        if (used_[at(j)]) continue;
        const bool reversed = joint(j).child == near;
        const int far = reversed ? joint(j).parent : joint(j).child;
        if (is_placed(far)) continue;
        used_[at(j)] = true;
        place(far, near, {{j, reversed}});
        open.push_back(far);
      }
    }
  }

  void place_what_the_world_holds() {
    std::deque<int> held = {kWorld};
    for (int i = 0; i < static_cast<int>(assembly_.links.size()); ++i)
      if (link(i).is_static) {
        place(i, kWorld, {});
        held.push_back(i);
      }
    grow(std::move(held));
  }

  void place_free_roots() {
    for (int i = 0; i < static_cast<int>(assembly_.links.size()); ++i) {
      if (is_placed(i) || is_child_[at(i)]) continue;
      TreeNode& root = place(i, kWorld, {});
      root.is_free = root.moves = !fixed_roots_;
      grow({i});
    }
    for (int i = 0; i < static_cast<int>(assembly_.links.size()); ++i)
      if (!is_placed(i)) fail_with_loop(i);
  }

  /// Every unplaced link is the child of a joint: walk to parents until one comes again.
  [[noreturn]] void fail_with_loop(int start) const {
    std::vector<int> path = {start};
    for (;;) {
      const int here = path.back();
      const auto& joints = joints_of_[at(here)];
      const auto up = std::find_if(joints.begin(), joints.end(), [&](int j) { return joint(j).child == here; });
      const int parent = joint(*up).parent;
      const auto seen = std::find(path.begin(), path.end(), parent);
      path.push_back(parent);
      if (seen == path.end() - 1) continue;
      std::string names;
      for (auto it = path.rbegin(); it != path.rend(); ++it) {
        names += (names.empty() ? "" : " → ") + link(*it).name;
        if (it != path.rbegin() && *it == parent) break;
      }
      fail(joint(*up).place,
           "the links form a loop, {}, and none of them is the root: turn one joint around or drop it", names);
    }
  }

  bool has_mass(int i) const {
    const Link& candidate = link(i);
    if (candidate.inertia_from_shapes) return !candidate.collisions.empty();
    if (!candidate.inertial || !(candidate.inertial->mass > kSmallest)) return false;
    const Eigen::SelfAdjointEigenSolver<Mat3> principal(candidate.inertial->inertia, Eigen::EigenvaluesOnly);
    return principal.eigenvalues().minCoeff() > kSmallest;
  }

  bool is_welded(const TreeNode& node) const {
    return !node.is_free && std::all_of(node.joints.begin(), node.joints.end(),
                                        [&](const TreeJoint& t) { return joint(t.joint).motions.empty(); });
  }

  /// Itself, or a link welded to it, directly or through others. Children come later in the list.
  std::vector<bool> carries_mass() const {
    std::vector<bool> carries(tree_.nodes.size());
    for (std::size_t n = tree_.nodes.size(); n-- > 0;) {
      const TreeNode& node = tree_.nodes[n];
      if (has_mass(node.link)) carries[n] = true;
      if (carries[n] && is_welded(node) && node.parent != kWorld)
        carries[at(tree_.node_of_link[at(node.parent)])] = true;
    }
    return carries;
  }

  bool is_bare(int i) const {
    const Link& l = link(i);
    if (!l.collisions.empty() || !l.visuals.empty() || (l.inertial && l.inertial->mass != 0.0)) return false;
    for (const Frame& frame : assembly_.frames)
      if (frame.link == i) return false;
    return std::none_of(tree_.loop_joints.begin(), tree_.loop_joints.end(),
                        [&](int j) { return joint(j).parent == i || joint(j).child == i; });
  }

  void merge_massless() {
    const std::vector<bool> carries = carries_mass();
    std::vector<bool> gone(tree_.nodes.size(), false);
    for (std::size_t n = 0; n < tree_.nodes.size(); ++n) {
      TreeNode& node = tree_.nodes[n];
      if (carries[n] || node.joints.empty() || is_welded(node) || !is_bare(node.link)) continue;
      std::vector<TreeNode*> behind;
      for (TreeNode& other : tree_.nodes)
        if (other.parent == node.link) behind.push_back(&other);
      if (behind.size() != 1) continue;
      behind.front()->parent = node.parent;
      behind.front()->joints.insert(behind.front()->joints.begin(), node.joints.begin(), node.joints.end());
      gone[n] = true;
      diagnostics_.warn(link(node.link).place,
                        "link \"{}\" moves and has neither mass nor shape: it is no body of its own, its joint is one "
                        "of \"{}\"",
                        link(node.link).name, link(behind.front()->link).name);
    }
    remove(gone);
  }

  void remove(const std::vector<bool>& gone) {
    std::vector<TreeNode> kept;
    for (std::size_t n = 0; n < tree_.nodes.size(); ++n) {
      TreeNode& node = tree_.nodes[n];
      tree_.node_of_link[at(node.link)] = gone[n] ? -1 : static_cast<int>(kept.size());
      if (!gone[n]) kept.push_back(std::move(node));
    }
    tree_.nodes = std::move(kept);
  }

  void check_masses() const {
    const std::vector<bool> carries = carries_mass();
    for (std::size_t n = 0; n < tree_.nodes.size(); ++n) {
      const TreeNode& node = tree_.nodes[n];
      if (carries[n] || (!node.is_free && is_welded(node))) continue;
      const Link& l = link(node.link);
      fail(l.inertial ? l.inertial->place : l.place,
           "link \"{}\" moves but {}: give it a mass and an inertia above zero, weld it to a link that has them, or "
           "make "
           "it static",
           l.name, !l.inertial || l.inertial->mass == 0.0 ? "has no mass" : "its inertia is zero about an axis");
    }
  }

  const Assembly& assembly_;
  bool fixed_roots_;
  Diagnostics& diagnostics_;
  LinkTree tree_;
  std::vector<bool> used_, is_child_;
  std::vector<std::vector<int>> joints_of_;
  std::vector<int> joints_of_world_;
};

}  // namespace

LinkTree make_link_tree(const Assembly& assembly, bool fixed_roots, Diagnostics& diagnostics) {
  return TreeMaker(assembly, fixed_roots, diagnostics).make();
}

}  // namespace patchfield
