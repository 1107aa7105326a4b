// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "patchfield/core/types.h"
#include "patchfield/io/sdf_writer_parts.h"

namespace patchfield {
namespace {

struct Drive {
  bool present = false;
  double effort = 0.0;  ///< −1: unlimited.
  double p = 0.0, d = 0.0;
  bool servo = false;
};

/// A motor or a position servo on this joint.
Drive drive_of(const mjModel* m, int joint, std::vector<std::string>& unsaid) {
  Drive drive;
  for (int a = 0; a < m->nu; ++a) {
    if (m->actuator_trntype[a] != mjTRN_JOINT || m->actuator_trnid[2 * a] != joint) continue;
    const std::string name = name_or(m, mjOBJ_ACTUATOR, a, "actuator");
    const mjtNum *gain = m->actuator_gainprm + mjNGAIN * a, *bias = m->actuator_biasprm + mjNBIAS * a;
    const bool direct = m->actuator_dyntype[a] == mjDYN_NONE && m->actuator_gaintype[a] == mjGAIN_FIXED;
    const bool motor = direct && m->actuator_biastype[a] == mjBIAS_NONE;
    const bool servo = direct && m->actuator_biastype[a] == mjBIAS_AFFINE && bias[0] == 0.0 && bias[1] == -gain[0];
    if ((!motor && !servo) || drive.present) {
      unsaid.push_back(fmt::format("actuator \"{}\": SDF has one motor or one position servo per joint", name));
      continue;
    }
    const double gear = m->actuator_gear[6 * a];
    const mjtNum* range = m->actuator_forcerange + 2 * a;
    const bool limited = m->actuator_forcelimited[a] != 0;
    drive = {.present = true, .effort = limited ? std::abs(gear) * std::max(-range[0], range[1]) : -1.0};
    if (limited && range[0] != -range[1])
      unsaid.push_back(
          fmt::format("actuator \"{}\": its force range is not symmetric; the larger side is written", name));
    if (servo) drive.servo = true, drive.p = gear * gear * gain[0], drive.d = -gear * gear * bias[2];
    if (gear != 1.0 || (motor && gain[0] != 1.0))
      unsaid.push_back(
          fmt::format("actuator \"{}\": its gear or gain; in SDF its input is the force on the joint", name));
  }
  return drive;
}

/// <drake:mimic> of a joint equality that is linear: y − y₀ = a₀ + a₁(x − x₀).
std::string mimic_text(const mjModel* m, int joint, std::vector<std::string>& unsaid) {
  for (int e = 0; e < m->neq; ++e) {
    if (m->eq_type[e] != mjEQ_JOINT || m->eq_obj1id[e] != joint) continue;
    const mjtNum* a = m->eq_data + mjNEQDATA * e;
    const int other = m->eq_obj2id[e];
    if (other < 0 || a[2] != 0.0 || a[3] != 0.0 || a[4] != 0.0 || m->eq_active0[e] == 0) {
      unsaid.push_back(
          fmt::format("equality \"{}\": SDF couples two joints linearly", name_or(m, mjOBJ_EQUALITY, e, "equality")));
      continue;
    }
    const double y0 = m->qpos0[m->jnt_qposadr[joint]], x0 = m->qpos0[m->jnt_qposadr[other]];
    return fmt::format("      <drake:mimic joint=\"{}\" multiplier=\"{}\" offset=\"{}\"/>\n",
                       escaped(name_or(m, mjOBJ_JOINT, other, "joint")), a[1], y0 + a[0] - a[1] * x0);
  }
  return "";
}

std::string axis_text(const mjModel* m, int j, const Drive& drive) {
  const int dof = m->jnt_dofadr[j];
  const mjtNum* axis = m->jnt_axis + 3 * j;
  std::string limit;
  if (m->jnt_limited[j] != 0)
    limit = fmt::format("<lower>{}</lower><upper>{}</upper>", m->jnt_range[2 * j], m->jnt_range[2 * j + 1]);
  limit += fmt::format("<effort>{}</effort>", drive.present ? drive.effort : 0.0);
  std::string dynamics = fmt::format("<damping>{}</damping>", m->dof_damping[dof]);
  if (m->dof_frictionloss[dof] != 0.0) dynamics += fmt::format("<friction>{}</friction>", m->dof_frictionloss[dof]);
  if (m->jnt_stiffness[j] != 0.0)
    dynamics += fmt::format("<spring_stiffness>{}</spring_stiffness><spring_reference>{}</spring_reference>",
                            m->jnt_stiffness[j], m->qpos_spring[m->jnt_qposadr[j]]);
  const double start = m->qpos0[m->jnt_qposadr[j]];
  return fmt::format("      <axis><xyz>{} {} {}</xyz><limit>{}</limit><dynamics>{}</dynamics>{}</axis>\n", axis[0],
                     axis[1], axis[2], limit, dynamics,
                     start == 0.0 ? "" : fmt::format("<initial_position>{}</initial_position>", start));
}

}  // namespace

std::string name_or(const mjModel* m, mjtObj type, int id, const char* kind) {
  const char* name = mj_id2name(m, type, id);
  return name != nullptr ? name : fmt::format("{}_{}", kind, id);
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else out += c;
  }
  return out;
}

std::string pose_text(const mjtNum* pos, const mjtNum* quat) {
  const Mat3 R = Eigen::Quaterniond(quat[0], quat[1], quat[2], quat[3]).normalized().toRotationMatrix();
  // R = Rz(yaw)·Ry(pitch)·Rx(roll); at pitch ±90° roll is 0.
  const double pitch = std::atan2(-R(2, 0), std::hypot(R(0, 0), R(1, 0)));
  const bool upright = std::hypot(R(0, 0), R(1, 0)) > 1e-12;
  const double roll = upright ? std::atan2(R(2, 1), R(2, 2)) : 0.0;
  const double yaw = upright ? std::atan2(R(1, 0), R(0, 0)) : std::atan2(-R(0, 1), R(1, 1));
  return fmt::format("{} {} {} {} {} {}", pos[0], pos[1], pos[2], roll, pitch, yaw);
}

std::string inertial_text(const mjtNum* pos, const mjtNum* quat, double mass, const mjtNum* I) {
  return fmt::format(
      "      <inertial><pose>{}</pose><mass>{}</mass><inertia><ixx>{}</ixx><iyy>{}</iyy><izz>{}</izz>"
      "<ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial>\n",
      pose_text(pos, quat), mass, I[0], I[1], I[2]);
}

std::string joint_text(const mjModel* m, int j, const std::string& parent, const std::string& child,
                       std::vector<std::string>& unsaid) {
  const std::string name = name_or(m, mjOBJ_JOINT, j, "joint");
  const int dof = m->jnt_dofadr[j];
  if (m->jnt_type[j] == mjJNT_FREE) {
    if (m->dof_damping[dof] != 0.0 || m->dof_frictionloss[dof] != 0.0 || m->dof_armature[dof] != 0.0)
      unsaid.push_back(fmt::format("damping, friction and armature of the free joint \"{}\"", name));
    return "";
  }
  const Drive drive = is_scalar_joint(m, j) ? drive_of(m, j, unsaid) : Drive{};
  const char* type = m->jnt_type[j] == mjJNT_BALL    ? "ball"
                     : m->jnt_type[j] == mjJNT_SLIDE ? "prismatic"
                     : m->jnt_limited[j] != 0        ? "revolute"
                                                     : "continuous";
  std::string text = fmt::format(
      "    <joint name=\"{}\" type=\"{}\">\n      <parent>{}</parent><child>{}</child>\n      <pose>{}</pose>\n",
      escaped(name), type, escaped(parent), escaped(child), pose_text(m->jnt_pos + 3 * j, kNoTurn));
  if (is_scalar_joint(m, j)) {
    text += axis_text(m, j, drive) + mimic_text(m, j, unsaid);
    if (drive.servo) text += fmt::format("      <drake:controller_gains p=\"{}\" d=\"{}\"/>\n", drive.p, drive.d);
    if (m->dof_armature[dof] != 0.0) {
      text += fmt::format("      <drake:rotor_inertia>{}</drake:rotor_inertia><drake:gear_ratio>1</drake:gear_ratio>\n",
                          m->dof_armature[dof]);
      if (!drive.present)
        unsaid.push_back(fmt::format("armature of joint \"{}\": Drake reads it for driven joints alone", name));
    }
  } else if (m->jnt_limited[j] != 0 || m->dof_damping[dof] != 0.0 || m->jnt_stiffness[j] != 0.0) {
    unsaid.push_back(fmt::format("limits, damping and stiffness of the ball joint \"{}\"", name));
  }
  return text + "    </joint>\n";
}

void append_unsaid(const mjModel* m, std::vector<std::string>& unsaid) {
  const auto count = [&](int n, const char* what) {
    if (n > 0) unsaid.push_back(fmt::format("{} {}", n, what));
  };
  unsaid.push_back(fmt::format("the time step of {} s: a model has none, a simulator has", m->opt.timestep));
  count(m->nkey, "keyframe(s)");
  count(m->ntendon, "tendon(s)");
  count(m->nsensor, "sensor(s)");
  count(m->ncam, "camera(s)");
  count(m->nmocap, "mocap bod(ies), which stand here");
  count(m->nflex, "flex(es)");
  count(m->npair, "explicit <pair>(s): their own friction");
  int other = 0;
  for (int e = 0; e < m->neq; ++e) other += m->eq_type[e] != mjEQ_JOINT;
  count(other, "equalit(ies) that couple no two joints");
  other = 0;
  for (int a = 0; a < m->nu; ++a) other += m->actuator_trntype[a] != mjTRN_JOINT;
  count(other, "actuator(s) that drive no joint");
  if (m->opt.gravity[0] != 0.0 || m->opt.gravity[1] != 0.0 || m->opt.gravity[2] != -9.81)
    unsaid.push_back(fmt::format("gravity {} {} {} m/s²", m->opt.gravity[0], m->opt.gravity[1], m->opt.gravity[2]));
  if (m->opt.density != 0.0 || m->opt.viscosity != 0.0) unsaid.push_back("the fluid around: density, viscosity");
}

}  // namespace patchfield
