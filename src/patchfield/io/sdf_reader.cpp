// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/sdf_reader.h"

#include <cstdlib>

#include "patchfield/io/filter_groups.h"
#include "patchfield/io/sdf_links.h"
#include "patchfield/io/sdf_scope.h"

namespace patchfield {
namespace {

namespace fs = std::filesystem;
using Kind = SdfScope::Kind;
using Node = SdfScope::Node;

/// Models in models, and files that include files.
constexpr int kDeepestNesting = 32;

/// The model file of a folder: what its model.config says for the newest version, else model.sdf.
fs::path model_file(const fs::path& folder, const Place& place) {
  std::error_code error;
  const fs::path config = folder / "model.config";
  if (fs::is_regular_file(config, error)) {
    const std::unique_ptr<XmlDocument> document = XmlDocument::load(config);
    std::string best;
    double newest = -1.0;
    for (const XmlElement& sdf : document->root().children("sdf")) {
      const double version = sdf.number_attribute("version").value_or(0.0);
      if (version > newest) newest = version, best = sdf.text();
    }
    if (!best.empty()) return folder / best;
  }
  if (fs::is_regular_file(folder / "model.sdf", error)) return folder / "model.sdf";
  fail(place, "the folder {} has neither a model.config that names an <sdf> nor a model.sdf", folder.string());
}

class SdfReader {
 public:
  SdfReader(XmlDocument& document, const Placement& placement, ReadContext& context)
      : document_(document), placement_(placement), context_(context) {}

  void read() {
    XmlElement root = document_.root();
    if (root.name() != "sdf") fail(root.place(), "this is no SDF: its root is <{}>, not <sdf>", root.name());
    check_version(root);
    const std::vector<XmlElement> worlds = root.children("world");
    if (worlds.size() > 1) fail(worlds[1].place(), "one file has one <world>; this is a second");
    SdfScope top(worlds.empty() ? root : worlds.front(), placement_.prefix, nullptr, "");
    top.set_world_pose(placement_.X_WM);
    if (!worlds.empty()) read_world(worlds.front());
    // A lone model gives its members their plain names.
    const bool one_model = worlds.empty() && root.children("model").size() + root.children("include").size() == 1;
    collect(top, 0, one_model);
    if (top.names().empty()) fail(root.place(), "there is no <model> in this file");
    add_links(top);
    add_members(top);
    apply_filter_groups(groups_, context_.assembly);
    document_.report_unread(context_.diagnostics);
    for (const auto& included : included_) included->report_unread(context_.diagnostics);
  }

 private:
  void check_version(const XmlElement& root) {
    const std::string version = root.required_attribute("version");
    const bool known = version.starts_with("1.") && version.size() <= 4 && std::atoi(version.c_str() + 2) >= 5 &&
                       std::atoi(version.c_str() + 2) <= 12;
    if (!known) context_.diagnostics.warn(root.place(), "SDF version {} is read as if it were 1.11", version);
  }

  void read_world(const XmlElement& world) {
    if (const auto name = world.attribute("name"); name && placement_.prefix.empty()) context_.assembly.name = *name;
    if (const auto gravity = world.child("gravity")) context_.assembly.gravity = gravity->vector();
    const auto physics = world.child("physics");
    if (!physics) return;
    physics->attribute("name"), physics->attribute("type"), physics->attribute("default");
    if (const auto gravity = physics->child("gravity")) context_.assembly.gravity = gravity->vector();
    if (const auto step = physics->child("max_step_size"))
      context_.assembly.time_step = positive(step->number(), "max_step_size", step->place());
  }

  /// Names of a scope and of the models within it.
  void collect(SdfScope& scope, int depth, bool plain_names) {
    const XmlElement& element = scope.element();
    if (depth > kDeepestNesting)
      fail(element.place(), "models and includes nest more than {} deep: does a file include itself?", kDeepestNesting);
    for (const XmlElement& link : element.children("link"))
      scope.add(link.required_attribute("name"), {Kind::kLink, link});
    for (const char* tag : {"joint", "drake:joint"})
      for (const XmlElement& joint : element.children(tag))
        scope.add(joint.required_attribute("name"), {Kind::kJoint, joint});
    for (const XmlElement& frame : element.children("frame"))
      scope.add(frame.required_attribute("name"), {Kind::kFrame, frame});
    for (const XmlElement& model : element.children("model"))
      add_model(model, std::nullopt, model.required_attribute("name"), scope, depth, plain_names);
    for (const XmlElement& include : element.children("include")) add_include(include, scope, depth, plain_names);
  }

  void add_model(const XmlElement& model, const std::optional<XmlElement>& include, const std::string& name,
                 SdfScope& scope, int depth, bool plain_names) {
    const bool merge = include && include->attribute("merge").value_or("false") == "true";
    if (plain_names && placement_.prefix.empty()) context_.assembly.name = name;
    const std::string prefix = plain_names || merge ? scope.prefix() : scope.prefix() + name + "::";
    Node node{Kind::kModel, model};
    node.placement_frame = model.attribute("placement_frame").value_or("");
    if (include && include->has_child("pose")) {
      node.pose_owner = include;
      node.placement_frame = include->child_text("placement_frame").value_or("");
    }
    const std::string key = merge ? "_merged__" + name + "__model__" : name;
    node.scope = std::make_unique<SdfScope>(model, prefix, &scope, key);
    SdfScope& inner = *node.scope;
    inner.canonical_link = model.attribute("canonical_link").value_or("");
    const std::optional<bool> is_static = model.child_boolean("static");
    const std::optional<bool> included_static = include ? include->child_boolean("static") : std::nullopt;
    inner.is_static = scope.is_static || included_static.value_or(is_static.value_or(false));
    inner.no_self_collision = !model.child_boolean("self_collide").value_or(true);
    model.attribute("name");
    scope.add(key, std::move(node));
    collect(inner, depth + 1, false);
    if (!merge) return;
    for (const std::string& member : inner.names()) {
      Node alias{Kind::kAlias, inner.find(member)->element};
      alias.alias = &inner;
      scope.add(member, std::move(alias));
    }
  }

  void add_include(const XmlElement& include, SdfScope& scope, int depth, bool plain_names) {
    const XmlElement uri = include.required_child("uri");
    if (uri.text() == "model://sun") {  // in nearly every world of Gazebo's, and on nobody's disk
      context_.diagnostics.warn(include.place(), "model://sun is a light and is left out");
      return;
    }
    fs::path file = context_.packages.resolve_existing(uri.text(), uri.place());
    std::error_code error;
    if (fs::is_directory(file, error)) file = model_file(file, uri.place());
    if (file.extension() == ".urdf")
      fail(uri.place(), "an <include> of a URDF is not read: put both files into a .dmd.yaml, with add_model");
    if (depth >= kDeepestNesting)
      fail(include.place(), "includes nest more than {} deep: does a file include itself?", kDeepestNesting);
    included_.push_back(XmlDocument::load(file));
    XmlElement root = included_.back()->root();
    if (root.name() != "sdf") fail(root.place(), "this is no SDF: its root is <{}>, not <sdf>", root.name());
    check_version(root);
    if (!root.has_child("model") && (root.has_child("light") || root.has_child("actor"))) {
      context_.diagnostics.warn(include.place(), "{} has no <model> and is left out", uri.text());
      return;
    }
    const XmlElement model = root.required_child("model");
    const std::string own_name = model.required_attribute("name");
    add_model(model, include, include.child_text("name").value_or(own_name), scope, depth, plain_names);
  }

  void add_links(SdfScope& scope) {
    const std::size_t first = context_.assembly.links.size();
    for (const std::string& name : scope.names()) {
      Node* node = scope.find(name);
      if (node->kind == Kind::kLink) {
        node->link = static_cast<int>(context_.assembly.links.size());
        context_.assembly.links.push_back(read_sdf_link(node->element, name, scope, context_));
        read_self_collide(scope, *node);
      } else if (node->kind == Kind::kModel) {
        add_links(*node->scope);
      }
    }
    if (!scope.no_self_collision) return;
    for (std::size_t a = first; a < context_.assembly.links.size(); ++a)
      for (std::size_t b = first; b < a; ++b)
        context_.assembly.filtered.emplace_back(static_cast<int>(a), static_cast<int>(b));
  }

  void read_self_collide(const SdfScope& scope, const Node& node) {
    const auto self_collide = node.element.child_boolean("self_collide");
    if (self_collide && *self_collide == scope.no_self_collision)
      context_.diagnostics.warn(node.element.place(), "<self_collide> of a link is not read; that of the model is");
  }

  /// Joints, frames and filters, once all links are there.
  void add_members(SdfScope& scope) {
    for (const std::string& name : scope.names()) {
      Node* node = scope.find(name);
      if (node->kind == Kind::kJoint)
        context_.assembly.joints.push_back(read_sdf_joint(node->element, name, scope, context_));
      if (node->kind == Kind::kFrame) add_frame(scope, name, node->element.place());
      if (node->kind == Kind::kModel) add_members(*node->scope);
    }
    for (const XmlElement& group : scope.element().children("drake:collision_filter_group")) add_group(scope, group);
  }

  void add_frame(SdfScope& scope, const std::string& name, const Place& place) {
    scope.find(name)->element.attribute("name");
    const int link = scope.link_of(name, place);
    const Pose X_WL = link == kWorld ? Pose() : context_.assembly.links[static_cast<std::size_t>(link)].X_WL;
    const Pose X_WF = scope.world_pose() * scope.pose(name, place);
    context_.assembly.frames.push_back({scope.prefix() + name, link, X_WL.inverse() * X_WF});
  }

  void add_group(const SdfScope& scope, const XmlElement& element) {
    if (element.attribute("ignore") == "true") return;
    const auto names = [&](const char* tag) {
      std::vector<std::string> all;
      for (const XmlElement& entry : element.children(tag)) all.push_back(scope.prefix() + entry.text());
      return all;
    };
    groups_.push_back({scope.prefix() + element.required_attribute("name"), element.place(), names("drake:member"),
                       names("drake:member_collision_filter_group"), names("drake:ignored_collision_filter_group")});
  }

  XmlDocument& document_;
  const Placement& placement_;
  ReadContext& context_;
  std::vector<std::unique_ptr<XmlDocument>> included_;
  std::vector<FilterGroup> groups_;
};

}  // namespace

void read_sdf(XmlDocument& document, const Placement& placement, ReadContext& context) {
  SdfReader(document, placement, context).read();
}

}  // namespace patchfield
