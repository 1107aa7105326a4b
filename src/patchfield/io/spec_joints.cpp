// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/spec_joints.h"

#include <algorithm>
#include <cmath>

#include "patchfield/io/spec_geoms.h"

namespace patchfield {
namespace {

mjtJoint joint_type(MotionKind kind) {
  switch (kind) {
    case MotionKind::kHinge: return mjJNT_HINGE;
    case MotionKind::kSlide: return mjJNT_SLIDE;
    case MotionKind::kBall: return mjJNT_BALL;
    case MotionKind::kFree: break;
  }
  return mjJNT_FREE;
}

bool is_scalar(const Motion& motion) { return motion.kind == MotionKind::kHinge || motion.kind == MotionKind::kSlide; }

/// MuJoCo has free joints at the top only; elsewhere the same motion is three slides and a ball.
std::vector<Motion> expanded(const Joint& joint, bool at_top) {
  std::vector<Motion> motions;
  for (const Motion& motion : joint.motions) {
    if (motion.kind != MotionKind::kFree || at_top) {
      motions.push_back(motion);
      continue;
    }
    const char* names[] = {"_x", "_y", "_z"};
    for (int i = 0; i < 3; ++i)
      motions.push_back({.kind = MotionKind::kSlide, .suffix = names[i], .axis = Vec3::Unit(i)});
    motions.push_back({.kind = MotionKind::kBall, .suffix = "_ball", .damping = motion.damping});
  }
  return motions;
}

std::string joint_name(const Joint& joint, const Motion& motion) { return joint.name + motion.suffix; }

}  // namespace

Pose motion_pose(const Motion& motion, double position) {
  Pose M;
  if (motion.kind == MotionKind::kHinge) M.R = Eigen::AngleAxisd(position, motion.axis).toRotationMatrix();
  if (motion.kind == MotionKind::kSlide) M.p = position * motion.axis;
  return M;
}

std::string JointWriter::body_name(int link) const {
  return link == kWorld ? "world" : assembly_.links[static_cast<std::size_t>(link)].name;
}

Pose JointWriter::write(const TreeNode& node, mjsBody* body) {
  struct Placed {
    const Joint* joint;
    Motion motion;
    Pose X_BJ;
    double sign;
  };
  std::vector<Placed> placed;
  Pose X_BP;  // the link at the near end of the joint in hand, in the body's frame
  const bool at_top = node.parent == kWorld && node.joints.size() == 1 && !node.joints.front().reversed;
  for (auto tree_joint = node.joints.rbegin(); tree_joint != node.joints.rend(); ++tree_joint) {
    const Joint& joint = assembly_.joints[static_cast<std::size_t>(tree_joint->joint)];
    const bool reversed = tree_joint->reversed;
    const double sign = reversed ? -1.0 : 1.0;
    Pose Y = X_BP * (reversed ? joint.X_PJ : joint.X_CJ);
    std::vector<Motion> motions = expanded(joint, at_top);
    if (!reversed) std::reverse(motions.begin(), motions.end());
    for (const Motion& motion : motions) {
      placed.push_back({&joint, motion, Y, sign});
      Y = Y * motion_pose(motion, -sign * motion.initial_position);
    }
    X_BP = Y * (reversed ? joint.X_CJ : joint.X_PJ).inverse();
  }
  for (auto it = placed.rbegin(); it != placed.rend(); ++it)
    add_motion(*it->joint, it->motion, it->X_BJ, it->sign, body);
  return X_BP.inverse();
}

void JointWriter::add_motion(const Joint& joint, const Motion& motion, const Pose& X_BJ, double sign, mjsBody* body) {
  mjsJoint* out = mjs_addJoint(body, nullptr);
  out->type = joint_type(motion.kind);
  mjs_setName(out->element, joint_name(joint, motion).c_str());
  mjs_setString(out->info, to_string(joint.place).c_str());
  out->damping[0] = motion.damping;
  out->frictionloss = motion.friction;
  out->armature = motion.armature;
  if (motion.kind == MotionKind::kFree) return;
  copy(X_BJ.p, out->pos);
  if (!is_scalar(motion)) return;
  copy(X_BJ.R * (sign * motion.axis), out->axis);
  out->ref = motion.initial_position;
  out->stiffness[0] = motion.spring_stiffness;
  out->springref = motion.spring_reference;
  if (std::isfinite(motion.lower) || std::isfinite(motion.upper)) {
    // One side alone: the other so far away that it is never met.
    constexpr double kFar = 1e10;
    out->limited = mjLIMITED_TRUE;
    out->range[0] = std::max(motion.lower, -kFar);
    out->range[1] = std::min(motion.upper, kFar);
  }
}

void JointWriter::add_coupling(const std::string& driven, const std::string& driver, double slope, double offset,
                               const Place& place) {
  mjsEquality* equality = mjs_addEquality(spec_, nullptr);
  equality->type = mjEQ_JOINT;
  equality->objtype = mjOBJ_JOINT;
  mjs_setString(equality->name1, driven.c_str());
  mjs_setString(equality->name2, driver.c_str());
  mjs_setString(equality->info, to_string(place).c_str());
  std::fill(equality->data, equality->data + mjNEQDATA, 0.0);
  equality->data[0] = offset;
  equality->data[1] = slope;
}

const Motion& JointWriter::find_driver(const Joint& joint, const Mimic& mimic) const {
  for (const Joint& other : assembly_.joints) {
    if (other.name != mimic.joint) continue;
    if (other.motions.size() != 1 || !is_scalar(other.motions.front()))
      fail(joint.place, "joint \"{}\" mimics \"{}\", which is not one hinge or one slide", joint.name, mimic.joint);
    return other.motions.front();
  }
  fail(joint.place, "joint \"{}\" mimics \"{}\", and there is no such joint", joint.name, mimic.joint);
}

void JointWriter::write_couplings() {
  for (const Joint& joint : assembly_.joints) {
    if (joint.screw_lead) {
      const Motion &turn = joint.motions.at(0), &shift = joint.motions.at(1);
      add_coupling(joint_name(joint, shift), joint_name(joint, turn), *joint.screw_lead, 0.0, joint.place);
    }
    for (const Motion& motion : joint.motions) {
      if (!motion.mimic) continue;
      // MuJoCo counts both from their references: y − y₀ = a₀ + a₁(x − x₀).
      const Motion& driver = find_driver(joint, *motion.mimic);
      const double a1 = motion.mimic->multiplier;
      const double a0 = motion.mimic->offset + a1 * driver.initial_position - motion.initial_position;
      add_coupling(joint_name(joint, motion), motion.mimic->joint + driver.suffix, a1, a0, joint.place);
    }
  }
}

void JointWriter::write_actuators() {
  for (const Joint& joint : assembly_.joints)
    for (const Motion& motion : joint.motions) {
      if (!motion.has_actuator || !is_scalar(motion)) continue;
      const std::string name = joint_name(joint, motion);
      mjsActuator* actuator = mjs_addActuator(spec_, nullptr);
      mjs_setName(actuator->element, (motion.actuator_name.empty() ? name : motion.actuator_name).c_str());
      mjs_setString(actuator->target, name.c_str());
      mjs_setString(actuator->info, to_string(joint.place).c_str());
      actuator->trntype = mjTRN_JOINT;
      double kv = motion.servo ? motion.servo->d : 0.0;
      if (motion.servo) mjs_setToPosition(actuator, motion.servo->p, &kv, nullptr, nullptr, 0.0);
      else mjs_setToMotor(actuator);
      if (!std::isfinite(motion.effort)) continue;
      actuator->forcelimited = mjLIMITED_TRUE;
      actuator->forcerange[0] = -motion.effort, actuator->forcerange[1] = motion.effort;
      if (motion.servo) continue;  // its control is a position
      actuator->ctrllimited = mjLIMITED_TRUE;
      actuator->ctrlrange[0] = -motion.effort, actuator->ctrlrange[1] = motion.effort;
    }
}

void JointWriter::add_connect(const Joint& joint, const Vec3& p_PA) {
  mjsEquality* equality = mjs_addEquality(spec_, nullptr);
  equality->type = mjEQ_CONNECT;
  equality->objtype = mjOBJ_BODY;
  mjs_setString(equality->name1, body_name(joint.parent).c_str());
  mjs_setString(equality->name2, body_name(joint.child).c_str());
  mjs_setString(equality->info, to_string(joint.place).c_str());
  std::fill(equality->data, equality->data + mjNEQDATA, 0.0);
  copy(p_PA, equality->data);
}

void JointWriter::write_loop(const Joint& joint) {
  const auto needs = [&](const char* what) {
    fail(joint.place, "joint \"{}\" closes a loop of links, which only {} can: cut the loop at another joint",
         joint.name, what);
  };
  const bool hinge = joint.motions.size() == 1 && joint.motions.front().kind == MotionKind::kHinge;
  const bool ball = joint.motions.size() == 1 && joint.motions.front().kind == MotionKind::kBall;
  if (!joint.motions.empty() && !hinge && !ball) needs("a weld, a ball or a hinge");
  add_connect(joint, joint.X_PJ.p);
  // Two points hold an axis, three a body. A decimetre apart they are as stiff in turning as in shifting.
  constexpr double kArm = 0.1;
  if (hinge) add_connect(joint, joint.X_PJ * Vec3(kArm * joint.motions.front().axis));
  for (int i = 0; joint.motions.empty() && i < 2; ++i) add_connect(joint, joint.X_PJ * Vec3(kArm * Vec3::Unit(i)));
}

/// A limit's stiffness K and dissipation c as an implicit spring and damper over one step:
///     f = −K(r + δt·v) − c·v,  v = v₀ + δt·a   ⇔   f = (a_ref − a)/R,  1/R = Kδt² + cδt,
///     a_ref = −R·K·r − R(Kδt + c)·v₀,
/// which is MuJoCo's constraint with R = Â(1 − d)/d, Â the inverse inertia seen by the joint, and direct solref.
/// MuJoCo keeps d ≤ 0.9999: the stiffest limit is 10⁴/(Â·δt²).
void JointWriter::set_limit_penalties(mjModel* m) const {
  for (const Joint& joint : assembly_.joints)
    for (const Motion& motion : joint.motions) {
      const int id = mj_name2id(m, mjOBJ_JOINT, joint_name(joint, motion).c_str());
      if (!motion.limit_stiffness || id < 0 || !m->jnt_limited[id]) continue;
      const double dt = m->opt.timestep, A = m->dof_invweight0[m->jnt_dofadr[id]];
      double K = *motion.limit_stiffness;
      if (!(K > 0.0) || !std::isfinite(K) || !(A > 0.0)) continue;
      double c = motion.limit_dissipation.value_or(2.0 * std::sqrt(K / A));
      constexpr double kMostImpedance = 0.9999, kLeastImpedance = 1e-4;
      const double wanted = A * (K * dt * dt + c * dt);  // d/(1 − d)
      const double d = std::clamp(wanted / (1.0 + wanted), kLeastImpedance, kMostImpedance);
      const double R = A * (1.0 - d) / d;
      const double softening = std::min(1.0, 1.0 / (R * (K * dt * dt + c * dt)));
      K *= softening, c *= softening;
      // MuJoCo divides the stiffness by d (d(r)/d_max²) and the damping by d.
      m->jnt_solref[mjNREF * id] = -R * K * d;
      m->jnt_solref[mjNREF * id + 1] = -R * (K * dt + c) * d;
      m->jnt_solimp[mjNIMP * id] = m->jnt_solimp[mjNIMP * id + 1] = d;
    }
}

}  // namespace patchfield
