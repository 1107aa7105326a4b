// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/spec_builder.h"

#include <cmath>
#include <set>

#include "patchfield/io/link_inertia.h"
#include "patchfield/io/link_tree.h"
#include "patchfield/io/spec_geoms.h"
#include "patchfield/io/spec_joints.h"
#include "patchfield/model/pair_friction.h"

namespace patchfield {
namespace {

void check_names(const Assembly& assembly) {
  std::set<std::string> links = {"world"}, joints;
  for (const Link& link : assembly.links) {
    if (link.name.empty()) fail(link.place, "a link needs a name");
    if (!links.insert(link.name).second)
      fail(link.place, "a second link is called \"{}\": names must differ{}", link.name,
           link.name == "world" ? ", and \"world\" is the ground" : "");
  }
  for (const Joint& joint : assembly.joints) {
    if (joint.name.empty()) fail(joint.place, "a joint needs a name");
    if (!joints.insert(joint.name).second)
      fail(joint.place, "a second joint is called \"{}\": names must differ", joint.name);
    if (joint.parent == joint.child)
      fail(joint.place, "joint \"{}\" connects a link to itself; give it two links", joint.name);
  }
}

/// Infinities are fine in limits and efforts only. Inertias come first: a negative mass is no missing mass.
void check_numbers(const Assembly& assembly) {
  Diagnostics unheard;  // what is mended is told when it is written
  for (const Link& link : assembly.links)
    if (link.inertial) principal_inertia(*link.inertial, link.name, unheard);
  if (assembly.gravity && !assembly.gravity->allFinite()) throw InputError("gravity is not finite");
  for (const Link& link : assembly.links) {
    if (!link.X_WL.is_finite()) fail(link.place, "link \"{}\": its pose is not finite", link.name);
    for (const Collision& collision : link.collisions)
      if (!collision.X_LG.is_finite()) fail(collision.place, "the pose of this collision is not finite");
    for (const Visual& visual : link.visuals)
      if (!visual.X_LG.is_finite()) fail(visual.place, "the pose of this visual is not finite");
  }
  for (const Joint& joint : assembly.joints) {
    bool finite = joint.X_PJ.is_finite() && joint.X_CJ.is_finite() && std::isfinite(joint.screw_lead.value_or(0.0));
    for (const Motion& m : joint.motions) {
      const Mimic mimic = m.mimic.value_or(Mimic{});
      const PositionGains gains = m.servo.value_or(PositionGains{});
      for (const double value : {m.damping, m.friction, m.spring_stiffness, m.spring_reference, m.armature,
                                 m.initial_position, m.limit_stiffness.value_or(0.0), m.limit_dissipation.value_or(0.0),
                                 mimic.multiplier, mimic.offset, gains.p, gains.d})
        finite = finite && std::isfinite(value);
    }
    if (!finite) fail(joint.place, "joint \"{}\" has a number that is not finite", joint.name);
  }
}

class SpecBuilder {
 public:
  SpecBuilder(const Assembly& assembly, const std::string& file, const BuildOptions& options, Diagnostics& diagnostics)
      : assembly_(assembly), file_(file), diagnostics_(diagnostics),
        tree_(make_link_tree(assembly, options.fixed_roots, diagnostics)), spec_(mj_makeSpec()),
        geoms_(spec_.get(), assembly, diagnostics), joints_(spec_.get(), assembly) {
    set_options(options);
  }

  MjModelPtr build() {
    for (const TreeNode& node : tree_.nodes) write_body(node);
    write_frames();
    joints_.write_couplings();
    joints_.write_actuators();
    for (const int j : tree_.loop_joints) write_loop(assembly_.joints[static_cast<std::size_t>(j)]);
    write_filters();
    return compile();
  }

 private:
  void set_options(const BuildOptions& options) {
    mjs_setString(spec_->modelname, assembly_.name.c_str());
    spec_->compiler.degree = 0;
    spec_->compiler.fusestatic = 0;
    // The links that a joint connects are written as <exclude>s.
    spec_->option.disableflags |= mjDSBL_FILTERPARENT;
    mjsText* rule = mjs_addText(spec_.get());  // these formats combine friction as Drake does
    mjs_setName(rule->element, std::string(kRuleText).c_str());
    mjs_setString(rule->data, std::string(kHarmonicText).c_str());
    if (assembly_.gravity) copy(*assembly_.gravity, spec_->option.gravity);
    if (assembly_.time_step) spec_->option.timestep = *assembly_.time_step;
    if (options.time_step) spec_->option.timestep = *options.time_step;
  }

  const Link& link(int i) const { return assembly_.links[static_cast<std::size_t>(i)]; }
  mjsBody* body(int link_index) const {
    return mjs_findBody(spec_.get(), link_index == kWorld ? "world" : link(link_index).name.c_str());
  }
  bool is_body(int link_index) const {
    return link_index != kWorld && tree_.node_of_link[static_cast<std::size_t>(link_index)] >= 0;
  }

  void write_body(const TreeNode& node) {
    const Link& l = link(node.link);
    mjsBody* out = mjs_addBody(body(node.parent), nullptr);
    mjs_setName(out->element, l.name.c_str());
    mjs_setString(out->info, to_string(l.place).c_str());
    const Pose X_PB = node.joints.empty() ? l.X_WL : joints_.write(node, out);
    copy(X_PB.p, out->pos);
    copy_rotation(X_PB.R, out->quat);
    if (node.is_free) mjs_setName(mjs_addFreeJoint(out)->element, (l.name + "_free").c_str());
    out->gravcomp = l.gravity ? 0.0 : 1.0;
    if (!l.inertia_from_shapes) write_inertia(l, out);
    geoms_.write(l, node.moves, out);
  }

  void write_inertia(const Link& l, mjsBody* out) {
    out->explicitinertial = 1;
    const Inertial none{.place = l.place};
    const Inertial& inertial = l.inertial ? *l.inertial : none;
    const PrincipalInertia principal = principal_inertia(inertial, l.name, diagnostics_);
    out->mass = inertial.mass;
    copy(inertial.X_LI.p, out->ipos);
    copy_rotation(principal.R_LI, out->iquat);
    copy(principal.moments, out->inertia);
  }

  void write_frames() {
    std::set<std::string> names;
    for (const Frame& frame : assembly_.frames) {
      if (!names.insert(frame.name).second || (frame.link != kWorld && !is_body(frame.link))) continue;
      mjsSite* site = mjs_addSite(body(frame.link), nullptr);
      mjs_setName(site->element, frame.name.c_str());
      copy(frame.X_LF.p, site->pos);
      copy_rotation(frame.X_LF.R, site->quat);
      site->group = 4;
    }
  }

  void write_loop(const Joint& joint) {
    joints_.write_loop(joint);
    diagnostics_.warn(joint.place,
                      "joint \"{}\" closes a loop of links: it is held by points that MuJoCo keeps together, has no "
                      "coordinate and no limits",
                      joint.name);
  }

  void write_filters() {
    std::set<std::pair<int, int>> pairs;
    const auto add = [&](int a, int b) {
      if (!is_body(a) || !is_body(b) || a == b || link(a).collisions.empty() || link(b).collisions.empty()) return;
      if (!pairs.insert(std::minmax(a, b)).second) return;
      mjsExclude* exclude = mjs_addExclude(spec_.get());
      mjs_setString(exclude->bodyname1, link(a).name.c_str());
      mjs_setString(exclude->bodyname2, link(b).name.c_str());
    };
    for (const Joint& joint : assembly_.joints) add(joint.parent, joint.child);
    for (const auto& [a, b] : assembly_.filtered) add(a, b);
  }

  MjModelPtr compile() {
    MjModelPtr model(mj_compile(spec_.get(), nullptr));
    if (model == nullptr)
      throw InputError(fmt::format("{}: MuJoCo refuses the model: {}", file_, mjs_getError(spec_.get())));
    for (int i = 0; i < mjs_numWarnings(spec_.get()); ++i)
      diagnostics_.warn({file_, 0}, "MuJoCo: {}", mjs_getWarning(spec_.get(), i));
    joints_.set_limit_penalties(model.get());
    return model;
  }

  const Assembly& assembly_;
  const std::string& file_;
  Diagnostics& diagnostics_;
  LinkTree tree_;
  MjSpecPtr spec_;
  GeomWriter geoms_;
  JointWriter joints_;
};

}  // namespace

MjModelPtr build_model(const Assembly& assembly, const std::string& file, const BuildOptions& options,
                       Diagnostics& diagnostics) {
  check_names(assembly);
  check_numbers(assembly);
  return SpecBuilder(assembly, file, options, diagnostics).build();
}

}  // namespace patchfield
