// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/sdf_writer.h"

#include <cmath>
#include <set>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/io/sdf_writer_parts.h"

namespace patchfield {
namespace {

constexpr int kFixedToWorld = 0;  // MuJoCo's weld id of the world

class SdfWriter {
 public:
  SdfWriter(const Model& model, const std::string& stem)
      : model_(model), m_(model.mujoco()), data_(mj_makeData(m_)), geoms_(model, stem, out_) {
    // Links are placed at zero joint positions, free ones where the model starts.
    mju_copy(data_->qpos, m_->qpos0, m_->nq);
    for (int j = 0; j < m_->njnt; ++j)
      if (is_scalar_joint(m_, j)) data_->qpos[m_->jnt_qposadr[j]] = 0.0;
    mj_kinematics(m_, data_.get());
    name_links();
  }

  SdfExport write() {
    const std::string name = m_->names[0] == 0 ? "model" : std::string(m_->names);
    out_.text = fmt::format(
        "<?xml version=\"1.0\"?>\n<sdf version=\"1.9\" xmlns:drake=\"drake.mit.edu\">\n  <model name=\"{}\">\n",
        escaped(name));
    for (int b = 0; b < m_->nbody; ++b) write_body(b);
    for (int b = 1; b < m_->nbody; ++b) write_joint_of(b);
    write_sites();
    write_filters();
    out_.text += "  </model>\n</sdf>\n";
    append_unsaid(m_, out_.unsaid);
    return std::move(out_);
  }

 private:
  struct DeleteData {
    void operator()(mjData* d) const { mj_deleteData(d); }
  };
  struct LinkOfGeoms {
    std::string name;
    std::vector<int> geoms;
  };

  bool stands(int body) const { return m_->body_weldid[body] == kFixedToWorld; }
  std::string body_label(int body) const { return name_or(m_, mjOBJ_BODY, body, "body"); }
  std::string link_of(int body) const { return stands(body) ? "world" : name_of_body_[static_cast<std::size_t>(body)]; }

  /// In SDF links, joints and frames share their names; in MuJoCo each kind has its own. Joints keep theirs.
  void name_links() {
    for (int j = 0; j < m_->njnt; ++j)
      if (m_->jnt_type[j] != mjJNT_FREE) names_.insert(name_or(m_, mjOBJ_JOINT, j, "joint"));
    for (int b = 0; b < m_->nbody; ++b) {
      name_of_body_.push_back(stands(b) ? "world" : unique(body_label(b)));
      if (!stands(b) && name_of_body_.back() != body_label(b))
        renamed_ += fmt::format("{}{}", renamed_.empty() ? "" : ", ", body_label(b));
    }
    if (!renamed_.empty())
      out_.unsaid.push_back(fmt::format("bodies {} are called NAME_link: joints have their names", renamed_));
  }

  std::vector<int> geoms_of(int body) const {
    std::vector<int> geoms;
    for (int i = 0; i < m_->body_geomnum[body]; ++i) geoms.push_back(m_->body_geomadr[body] + i);
    return geoms;
  }

  std::string unique(std::string name) {
    while (!names_.insert(name).second) name += "_link";
    return name;
  }

  /// Standing geoms get links of their own, in which case X_WL is the world's frame.
  void write_body(int body) {
    if (!stands(body)) {
      links_.push_back({link_of(body), geoms_of(body)});
      write_link(links_.back(), body);
      return;
    }
    for (const int geom : geoms_of(body)) {
      links_.push_back({unique(name_or(m_, mjOBJ_GEOM, geom, "geom")), {geom}});
      write_link(links_.back(), body);
      out_.text += fmt::format(
          "    <joint name=\"{0}_to_world\" type=\"fixed\"><parent>world</parent><child>{0}</child></joint>\n",
          escaped(links_.back().name));
    }
  }

  void write_link(const LinkOfGeoms& link, int body) {
    out_.text += fmt::format("    <link name=\"{}\">\n      <pose>{}</pose>\n", escaped(link.name),
                             pose_text(data_->xpos + 3 * body, data_->xquat + 4 * body));
    if (stands(body)) {
      // Of no consequence for what stands; without it readers assume 1 kg and say so.
      out_.text += inertial_text(kZero, kNoTurn, 1.0, kOnes);
    } else {
      if (m_->body_mass[body] <= 0.0 && m_->body_jntnum[body] == 0)
        out_.unsaid.push_back(
            fmt::format("body \"{}\" has no mass; SDF readers refuse that, so it is given 1e-9 kg", link.name));
      const double mass = std::max(m_->body_mass[body], 1e-9);
      const mjtNum* I = m_->body_inertia + 3 * body;
      const mjtNum least[3] = {std::max(I[0], 1e-15), std::max(I[1], 1e-15), std::max(I[2], 1e-15)};
      out_.text += inertial_text(m_->body_ipos + 3 * body, m_->body_iquat + 4 * body, mass, least);
      if (m_->body_gravcomp[body] == 1.0) out_.text += "      <gravity>false</gravity>\n";
      else if (m_->body_gravcomp[body] != 0.0)
        out_.unsaid.push_back(fmt::format("gravity compensation {} of body \"{}\": SDF knows 0 and 1",
                                          m_->body_gravcomp[body], link.name));
    }
    for (const int geom : link.geoms) geoms_.write(geom, stands(body));
    out_.text += "    </link>\n";
  }

  void write_joint_of(int body) {
    if (stands(body)) return;
    const std::string child = link_of(body), parent = link_of(m_->body_parentid[body]);
    if (m_->body_jntnum[body] > 1)
      throw InputError(
          fmt::format("body \"{}\" has {} joints; an SDF link has one. Put a body between them in the model", child,
                      m_->body_jntnum[body]));
    if (m_->body_jntnum[body] == 0) {
      out_.text +=
          fmt::format("    <joint name=\"{0}_weld\" type=\"fixed\"><parent>{1}</parent><child>{0}</child></joint>\n",
                      escaped(child), escaped(parent));
      return;
    }
    out_.text += joint_text(m_, m_->body_jntadr[body], parent, child, out_.unsaid);
  }

  void write_sites() {
    for (int s = 0; s < m_->nsite; ++s) {
      const int body = m_->site_bodyid[s];
      const std::string name = name_or(m_, mjOBJ_SITE, s, "site");
      if (stands(body) || !names_.insert(name).second) {
        out_.unsaid.push_back(
            fmt::format("site \"{}\" has no frame: it stands in the world, or a link has its name", name));
        continue;
      }
      out_.text += fmt::format("    <frame name=\"{}\" attached_to=\"{}\"><pose>{}</pose></frame>\n", escaped(name),
                               escaped(link_of(body)), pose_text(m_->site_pos + 3 * s, m_->site_quat + 4 * s));
    }
  }

  /// Neither can meet, or a joint or a weld connects them, which SDF readers filter by themselves.
  bool is_filtered(const LinkOfGeoms& a, const LinkOfGeoms& b, bool& partly) const {
    int met = 0, apart = 0;
    for (const int g : a.geoms)
      for (const int h : b.geoms) {
        if (!geoms_.collides(g) || !geoms_.collides(h)) continue;
        ++(model_.pairs()(g, h) == PairKind::kNone ? apart : met);
      }
    partly = met > 0 && apart > 0;
    return met == 0 && apart > 0;
  }

  bool connected(const LinkOfGeoms& a, const LinkOfGeoms& b) const {
    const int i = m_->geom_bodyid[a.geoms.front()], j = m_->geom_bodyid[b.geoms.front()];
    if (m_->body_weldid[i] == m_->body_weldid[j]) return true;
    return !stands(i) && !stands(j) && (m_->body_parentid[i] == j || m_->body_parentid[j] == i);
  }

  void write_filters() {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      std::string ignored;
      for (std::size_t k = i + 1; k < links_.size(); ++k) {
        if (links_[i].geoms.empty() || links_[k].geoms.empty() || connected(links_[i], links_[k])) continue;
        bool partly = false;
        if (is_filtered(links_[i], links_[k], partly))
          ignored += fmt::format("<drake:ignored_collision_filter_group>only_{}</drake:ignored_collision_filter_group>",
                                 escaped(links_[k].name));
        if (partly)
          out_.unsaid.push_back(
              fmt::format("only some geoms of \"{}\" and \"{}\" may meet; SDF filters whole links, so all do",
                          links_[i].name, links_[k].name));
      }
      groups_ += fmt::format(
          "    <drake:collision_filter_group "
          "name=\"only_{0}\"><drake:member>{0}</drake:member>{1}</drake:collision_filter_group>\n",
          escaped(links_[i].name), ignored);
      any_filter_ = any_filter_ || !ignored.empty();
    }
    if (any_filter_) out_.text += groups_;
  }

  const Model& model_;
  const mjModel* m_;
  std::unique_ptr<mjData, DeleteData> data_;
  SdfExport out_;
  SdfGeomWriter geoms_;
  std::vector<LinkOfGeoms> links_;
  std::set<std::string> names_;            ///< Of links, joints and frames.
  std::vector<std::string> name_of_body_;  ///< The link's.
  std::string renamed_;
  std::string groups_;
  bool any_filter_ = false;
};

}  // namespace

SdfExport write_sdf(const Model& model, const std::string& stem) { return SdfWriter(model, stem).write(); }

}  // namespace patchfield
