// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/directives.h"

#include <algorithm>
#include <cmath>

#include "patchfield/io/file_bytes.h"
#include "patchfield/io/filter_groups.h"
#include "patchfield/io/sdf_reader.h"
#include "patchfield/io/spec_joints.h"
#include "patchfield/io/urdf_reader.h"
#include "patchfield/io/yaml_reading.h"

namespace patchfield {
namespace {

constexpr int kDeepestNesting = 32;

Mat3 read_rotation(const YamlValue& rotation, Diagnostics& diagnostics) {
  const std::string tag = rotation.tag();
  if (tag == "!Identity") return Mat3::Identity();
  if (tag == "!AngleAxis") {
    rotation.expect_keys({"angle_deg", "axis"}, diagnostics);
    const Vec3 axis = unit_axis(rotation.at("axis").vector(), rotation.place());
    return Eigen::AngleAxisd(rotation.at("angle_deg").number() * M_PI / 180.0, axis).toRotationMatrix();
  }
  if (!tag.empty() && tag != "!Rpy")
    fail(rotation.place(), "the rotation {} is not read; there are !Rpy, !AngleAxis and !Identity", tag);
  rotation.expect_keys({"deg"}, diagnostics);
  return rotation_from_rpy(rotation.at("deg").vector() * (M_PI / 180.0));
}

class DirectivesReader {
 public:
  explicit DirectivesReader(ReadContext& context) : context_(context) {}

  void read_file(const std::string& text, const std::string& file, const std::string& prefix, int depth) {
    const YamlValue root = YamlValue::parse(text, file);
    root.expect_keys({"directives"}, context_.diagnostics);
    for (const YamlValue& item : root.at("directives").items()) {
      const std::vector<YamlValue> entries = item.entries();
      if (entries.size() != 1) fail(item.place(), "a directive is one key, such as add_model, with its values");
      read_directive(entries.front(), prefix, depth);
    }
  }

  void finish() {
    apply_filter_groups(groups_, context_.assembly);
    // Last, because a pose may be relative to what later welds and joint positions move.
    for (const auto& [link, base, X_BL] : free_poses_) {
      Link& target = context_.assembly.links[static_cast<std::size_t>(link)];
      target.X_WL = start_pose(base.link, 0) * base.X_LF * X_BL;
    }
  }

 private:
  struct FreePose {
    int link;
    Frame base;
    Pose X_BL;
  };

  void read_directive(const YamlValue& directive, const std::string& prefix, int depth) {
    const std::string& kind = directive.name();
    if (kind == "add_model") add_model(directive, prefix);
    else if (kind == "add_weld") add_weld(directive, prefix);
    else if (kind == "add_frame") add_frame(directive, prefix);
    else if (kind == "add_collision_filter_group") add_filter_group(directive, prefix);
    else if (kind == "add_directives") add_directives(directive, prefix, depth);
    else if (kind != "add_model_instance")  // that only opens a name for frames
      fail(directive.place(),
           "the directive {} is unknown; there are add_model, add_model_instance, add_weld, add_frame, "
           "add_collision_filter_group and add_directives",
           kind);
  }

  void add_model(const YamlValue& directive, const std::string& prefix) {
    directive.expect_keys({"name", "file", "default_joint_positions", "default_free_body_pose"}, context_.diagnostics);
    const YamlValue file = directive.at("file");
    const std::string path = context_.packages.resolve_existing(file.text(), file.place()).string();
    const Placement placement{prefix + directive.at("name").text() + "::"};
    const std::unique_ptr<XmlDocument> document = XmlDocument::load(path);
    const std::string root(document->root().name());
    const std::string scene = context_.assembly.name;
    if (root == "robot") read_urdf(*document, placement, context_);
    else if (root == "sdf") read_sdf(*document, placement, context_);
    else fail(file.place(), "{} has the root <{}>; directives take SDF and URDF models", path, root);
    context_.assembly.name = scene;
    if (directive.has("default_joint_positions"))
      for (const YamlValue& joint : directive.at("default_joint_positions").entries())
        set_joint_position(joint, placement.prefix);
    if (directive.has("default_free_body_pose"))
      for (const YamlValue& link : directive.at("default_free_body_pose").entries())
        set_free_pose(link, placement.prefix, prefix);
  }

  void set_joint_position(const YamlValue& value, const std::string& prefix) {
    Joint* joint = context_.assembly.find_joint(prefix + value.name());
    if (joint == nullptr) fail(value.place(), "there is no joint \"{}{}\"", prefix, value.name());
    const std::vector<double> positions = value.numbers();
    const bool scalar = std::all_of(joint->motions.begin(), joint->motions.end(), [](const Motion& motion) {
      return motion.kind == MotionKind::kHinge || motion.kind == MotionKind::kSlide;
    });
    if (!scalar) fail(value.place(), "joint \"{}\" is a ball or floats: its position cannot be set here", joint->name);
    if (positions.size() != joint->motions.size())
      fail(value.place(), "joint \"{}\" has {} positions, and {} are given", joint->name, joint->motions.size(),
           positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) joint->motions[i].initial_position = positions[i];
  }

  void set_free_pose(const YamlValue& value, const std::string& model_prefix, const std::string& prefix) {
    const int link = context_.assembly.find_link(model_prefix + value.name());
    if (link < 0) fail(value.place(), "there is no link \"{}{}\"", model_prefix, value.name());
    for (const Joint& joint : context_.assembly.joints)
      if (joint.child == link)
        fail(value.place(), "link \"{}\" hangs on joint \"{}\": only a free link has a default_free_body_pose",
             value.name(), joint.name);
    const Frame base = value.has("base_frame") ? find_frame(value.at("base_frame"), prefix) : Frame{};
    free_poses_.push_back({link, base, read_transform(value)});
  }

  Pose read_transform(const YamlValue& transform) {
    transform.expect_keys({"base_frame", "translation", "rotation"}, context_.diagnostics);
    Pose X;
    if (transform.has("translation")) X.p = transform.at("translation").vector();
    if (transform.has("rotation")) X.R = read_rotation(transform.at("rotation"), context_.diagnostics);
    return X;
  }

  /// A link is a frame, too.
  Frame find_frame(const YamlValue& value, const std::string& prefix) {
    const std::string text = value.text();
    if (text == "world") return {text, kWorld, {}};
    const std::string name = prefix + text;
    for (const Frame& frame : context_.assembly.frames)
      if (frame.name == name) return frame;
    const int link = context_.assembly.find_link(name);
    if (link == kNoLink) fail(value.place(), "there is no frame or link \"{}\"; write MODEL::LINK or world", name);
    return {name, link, {}};
  }

  void add_weld(const YamlValue& directive, const std::string& prefix) {
    directive.expect_keys({"parent", "child", "X_PC"}, context_.diagnostics);
    const Frame parent = find_frame(directive.at("parent"), prefix), child = find_frame(directive.at("child"), prefix);
    Joint weld;
    weld.name = fmt::format("{}_welds_to_{}", parent.name, child.name);
    weld.place = directive.place();
    weld.parent = parent.link;
    weld.child = child.link;
    weld.X_PJ = parent.X_LF;
    if (directive.has("X_PC")) weld.X_PJ = weld.X_PJ * read_transform(directive.at("X_PC"));
    weld.X_CJ = child.X_LF;
    if (weld.child != kWorld && context_.assembly.links[static_cast<std::size_t>(weld.child)].is_static)
      fail(directive.place(), "\"{}\" is static, so it is welded where it stands", child.name);
    context_.assembly.joints.push_back(std::move(weld));
  }

  void add_frame(const YamlValue& directive, const std::string& prefix) {
    directive.expect_keys({"name", "X_PF"}, context_.diagnostics);
    const YamlValue transform = directive.at("X_PF");
    Frame frame = find_frame(transform.at("base_frame"), prefix);
    frame.X_LF = frame.X_LF * read_transform(transform);
    frame.name = prefix + directive.at("name").text();
    context_.assembly.frames.push_back(std::move(frame));
  }

  void add_filter_group(const YamlValue& directive, std::string prefix) {
    directive.expect_keys({"name", "members", "member_groups", "ignored_collision_filter_groups", "model_namespace"},
                          context_.diagnostics);
    if (directive.has("model_namespace")) prefix += directive.at("model_namespace").text() + "::";
    const auto names = [&](const char* key) {
      std::vector<std::string> all;
      if (directive.has(key))
        for (const YamlValue& item : directive.at(key).items()) all.push_back(prefix + item.text());
      return all;
    };
    groups_.push_back({prefix + directive.at("name").text(), directive.place(), names("members"),
                       names("member_groups"), names("ignored_collision_filter_groups")});
  }

  void add_directives(const YamlValue& directive, std::string prefix, int depth) {
    directive.expect_keys({"file", "model_namespace"}, context_.diagnostics);
    if (depth >= kDeepestNesting)
      fail(directive.place(), "directives nest more than {} deep: does a file add itself?", kDeepestNesting);
    if (directive.has("model_namespace")) prefix += directive.at("model_namespace").text() + "::";
    const YamlValue file = directive.at("file");
    const std::string path = context_.packages.resolve_existing(file.text(), file.place()).string();
    read_file(read_file_bytes(path), path, prefix, depth + 1);
  }

  /// Of a link in the world, at the initial joint positions.
  Pose start_pose(int link, std::size_t depth) {
    if (link == kWorld || depth > context_.assembly.links.size()) return {};
    for (const Joint& joint : context_.assembly.joints) {
      if (joint.child != link) continue;
      Pose X = start_pose(joint.parent, depth + 1) * joint.X_PJ;
      for (const Motion& motion : joint.motions) X = X * motion_pose(motion, motion.initial_position);
      return X * joint.X_CJ.inverse();
    }
    return context_.assembly.links[static_cast<std::size_t>(link)].X_WL;
  }

  ReadContext& context_;
  std::vector<FilterGroup> groups_;
  std::vector<FreePose> free_poses_;
};

}  // namespace

void read_directives(const std::string& text, const std::string& file, ReadContext& context) {
  context.assembly.name = std::filesystem::path(file).stem().stem().string();
  DirectivesReader reader(context);
  reader.read_file(text, file, "", 0);
  reader.finish();
}

}  // namespace patchfield
