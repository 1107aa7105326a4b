// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Names of SDF → poses and links.
//
// A <world> or <model> is a scope. Its links, joints, frames and nested models are frames that poses may be relative
// to; "__model__" is the scope's own, "a::b" is b of the nested model a. Poses are resolved when asked for:
//
//   <pose relative_to="F">  X_SN = X_SF · pose     default F: the scope; of a frame what it is attached to; of a joint
//                                                   its child
//   nested model            X_SM = X_SF · pose · X_MP⁻¹     with P its placement frame

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "patchfield/io/assembly.h"
#include "patchfield/io/xml_document.h"

namespace patchfield {

/// A <pose> as written.
struct SdfPose {
  Pose pose;
  std::string relative_to;  ///< Empty: the default.
};

/// The <pose> of an element; identity if it has none.
SdfPose read_sdf_pose(const XmlElement& owner);

class SdfScope {
 public:
  enum class Kind { kLink, kJoint, kFrame, kModel, kAlias };

  struct Node {
    Kind kind;
    XmlElement element;
    int link = kNoLink;                         ///< Of a link: its index in the assembly, once it is there.
    std::unique_ptr<SdfScope> scope = nullptr;  ///< Of a model.
    std::optional<XmlElement> pose_owner = {};  ///< Of a model: the <include> if that has a pose.
    std::string placement_frame = {};           ///< Of a model.
    SdfScope* alias = nullptr;                  ///< Of a merged model's member: where it is.
  };

  SdfScope(XmlElement element, std::string prefix, SdfScope* parent, std::string name)
      : element_(element), prefix_(std::move(prefix)), parent_(parent), name_(std::move(name)) {}

  const XmlElement& element() const { return element_; }
  const std::string& prefix() const { return prefix_; }
  SdfScope* parent() const { return parent_; }
  bool is_static = false;
  bool no_self_collision = false;
  std::string canonical_link;  ///< As written; empty: the first one.

  /// Throws InputError if the name is taken.
  Node& add(const std::string& name, Node node);
  Node* find(const std::string& name);
  const std::vector<std::string>& names() const { return names_; }

  /// Pose of a frame in this scope's own.
  Pose pose(const std::string& name, const Place& place);
  /// Pose of this scope in the world; the top scope's is given.
  Pose world_pose();
  void set_world_pose(const Pose& X_WS) { X_WS_ = X_WS; }
  /// X of an element's <pose> in this scope; `usual` is what it is relative to when it does not say.
  Pose resolve(const SdfPose& pose, const std::string& usual, const Place& place);
  /// The link that a frame moves with, or kWorld.
  int link_of(const std::string& name, const Place& place, int depth = 0);

 private:
  Pose compute_pose(const std::string& name, Node& node);
  int first_link(int depth);

  XmlElement element_;
  std::string prefix_;
  SdfScope* parent_;
  std::string name_;  ///< In the parent; empty at the top.
  std::map<std::string, Node> nodes_;
  std::vector<std::string> names_;  ///< In the order of the file.
  std::map<std::string, Pose> poses_;
  std::set<std::string> open_;  ///< Being resolved.
  std::optional<Pose> X_WS_;
};

}  // namespace patchfield
