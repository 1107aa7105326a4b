// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/sdf_scope.h"

#include <cmath>

namespace patchfield {
namespace {

/// How long a chain of frames on frames may get: far beyond any model, well within the stack.
constexpr int kLongestChain = 500;

Pose parse_pose(const XmlElement& element) {
  const std::string text = element.text();
  const std::string format = element.attribute("rotation_format").value_or("euler_rpy");
  const std::string degrees = element.attribute("degrees").value_or("false");
  if (text.empty()) return {};
  Pose pose;
  if (format == "quat_xyzw") {
    const std::vector<double> x = element.numbers(7);
    const Eigen::Quaterniond q(x[6], x[3], x[4], x[5]);
    if (!(q.norm() > 1e-6)) fail(element.place(), "the quaternion of <pose> is zero; no rotation is 0 0 0 1");
    pose = {q.normalized().toRotationMatrix(), {x[0], x[1], x[2]}};
  } else if (format == "euler_rpy") {
    const std::vector<double> x = element.numbers(6);
    const double unit = degrees == "true" || degrees == "1" ? M_PI / 180.0 : 1.0;
    pose = {rotation_from_rpy(unit * Vec3(x[3], x[4], x[5])), {x[0], x[1], x[2]}};
  } else {
    fail(element.place(), "rotation_format=\"{}\" is unknown; there are euler_rpy and quat_xyzw", format);
  }
  if (!pose.is_finite()) fail(element.place(), "<pose> is not finite");
  return pose;
}

std::pair<std::string, std::string> split_scope(const std::string& name) {
  const std::size_t colons = name.find("::");
  if (colons == std::string::npos) return {name, ""};
  return {name.substr(0, colons), name.substr(colons + 2)};
}

}  // namespace

SdfPose read_sdf_pose(const XmlElement& owner) {
  const std::optional<XmlElement> element = owner.child("pose");
  if (!element) return {};
  std::string relative_to = element->attribute("relative_to").value_or("");
  // Versions 1.5 and 1.6 called it frame.
  if (relative_to.empty()) relative_to = element->attribute("frame").value_or("");
  return {parse_pose(*element), relative_to};
}

SdfScope::Node& SdfScope::add(const std::string& name, Node node) {
  if (name.empty()) fail(node.element.place(), "{} needs a name", node.element.label());
  const Place place = node.element.place();
  const auto [entry, is_new] = nodes_.emplace(name, std::move(node));
  if (!is_new)
    fail(place,
         "the name \"{}\" is taken already, in line {}: links, joints, frames and models of one model share names",
         name, entry->second.element.place().line);
  names_.push_back(name);
  return entry->second;
}

SdfScope::Node* SdfScope::find(const std::string& name) {
  const auto found = nodes_.find(name);
  return found != nodes_.end() ? &found->second : nullptr;
}

Pose SdfScope::world_pose() {
  if (!X_WS_) X_WS_ = parent_->world_pose() * parent_->pose(name_, element_.place());
  return *X_WS_;
}

Pose SdfScope::resolve(const SdfPose& pose_as_written, const std::string& usual, const Place& place) {
  const std::string& base = pose_as_written.relative_to.empty() ? usual : pose_as_written.relative_to;
  return pose(base, place) * pose_as_written.pose;
}

Pose SdfScope::pose(const std::string& name, const Place& place) {
  if (name.empty() || name == "__model__" || name == "__root__") return {};
  if (name == "world" && find("world") == nullptr) return world_pose().inverse();
  if (const auto known = poses_.find(name); known != poses_.end()) return known->second;
  const auto [first, rest] = split_scope(name);
  Node* node = find(first);
  if (node == nullptr || (!rest.empty() && node->kind != Kind::kModel))
    fail(place, "there is no frame \"{}\" in {}: no link, joint, frame or model is called so", name, element_.label());
  if (open_.size() > kLongestChain) fail(place, "more than {} frames stand on each other", kLongestChain);
  if (!open_.insert(name).second) fail(place, "the pose of \"{}\" is relative to itself, through other frames", name);
  const Pose X = rest.empty() ? compute_pose(name, *node) : pose(first, place) * node->scope->pose(rest, place);
  open_.erase(name);
  return poses_[name] = X;
}

Pose SdfScope::compute_pose(const std::string& name, Node& node) {
  const Place place = node.element.place();
  switch (node.kind) {
    case Kind::kLink: return resolve(read_sdf_pose(node.element), "", place);
    case Kind::kFrame:
      return resolve(read_sdf_pose(node.element), node.element.attribute("attached_to").value_or(""), place);
    case Kind::kJoint: {
      const char* tag = node.element.name() == "drake:joint" ? "drake:child" : "child";
      return resolve(read_sdf_pose(node.element), node.element.required_child(tag).text(), place);
    }
    case Kind::kAlias: return world_pose().inverse() * node.alias->world_pose() * node.alias->pose(name, place);
    case Kind::kModel: break;
  }
  const Pose X_SP = resolve(read_sdf_pose(node.pose_owner.value_or(node.element)), "", place);
  return X_SP * node.scope->pose(node.placement_frame, place).inverse();
}

int SdfScope::first_link(int depth) {
  if (!canonical_link.empty()) return link_of(canonical_link, element_.place(), depth + 1);
  for (const std::string& name : names_)
    if (find(name)->kind == Kind::kLink) return find(name)->link;
  for (const std::string& name : names_) {
    Node* node = find(name);
    if (node->kind != Kind::kModel) continue;
    const int link = node->scope->first_link(depth + 1);
    if (link != kNoLink) return link;
  }
  return kNoLink;
}

int SdfScope::link_of(const std::string& name, const Place& place, int depth) {
  if (depth > kLongestChain) fail(place, "\"{}\" is attached to itself, through other frames", name);
  if (name.empty() || name == "__model__") {
    const int link = parent_ == nullptr ? kWorld : first_link(depth);
    if (link == kNoLink) fail(place, "{} has no link to attach to", element_.label());
    return link;
  }
  if (name == "world" && find("world") == nullptr) return kWorld;
  const auto [first, rest] = split_scope(name);
  Node* node = find(first);
  if (node == nullptr || (!rest.empty() && node->kind != Kind::kModel))
    fail(place, "there is no link or frame \"{}\" in {}", name, element_.label());
  if (!rest.empty()) return node->scope->link_of(rest, place, depth + 1);
  switch (node->kind) {
    case Kind::kLink: return node->link;
    case Kind::kFrame: return link_of(node->element.attribute("attached_to").value_or(""), place, depth + 1);
    case Kind::kJoint: {
      const char* tag = node->element.name() == "drake:joint" ? "drake:child" : "child";
      return link_of(node->element.required_child(tag).text(), place, depth + 1);
    }
    case Kind::kAlias: return node->alias->link_of(name, place, depth + 1);
    case Kind::kModel: break;
  }
  return node->scope->link_of("", place, depth + 1);
}

}  // namespace patchfield
