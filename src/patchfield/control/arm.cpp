// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/control/arm.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "patchfield/core/check.h"

namespace patchfield {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string name_of(const mjModel* m, mjtObj type, int id) {
  const char* name = mj_id2name(m, type, id);
  return name != nullptr ? name : fmt::format("#{}", id);
}

const char* kind_of(mjtObj type) {
  switch (type) {
    case mjOBJ_SITE: return "site";
    case mjOBJ_JOINT: return "joint";
    case mjOBJ_ACTUATOR: return "actuator";
    case mjOBJ_GEOM: return "geom";
    case mjOBJ_BODY: return "body";
    case mjOBJ_KEY: return "keyframe";
    default: return "object";
  }
}

int num_of(const mjModel* m, mjtObj type) {
  switch (type) {
    case mjOBJ_SITE: return static_cast<int>(m->nsite);
    case mjOBJ_JOINT: return static_cast<int>(m->njnt);
    case mjOBJ_ACTUATOR: return static_cast<int>(m->nu);
    case mjOBJ_GEOM: return static_cast<int>(m->ngeom);
    case mjOBJ_BODY: return static_cast<int>(m->nbody);
    case mjOBJ_KEY: return static_cast<int>(m->nkey);
    default: return 0;
  }
}

int edit_distance(const std::string& a, const std::string& b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
    }
  }
  return row[b.size()];
}

/// The motor of a joint, or −1.
int actuator_of(const mjModel* m, int joint) {
  for (int u = 0; u < m->nu; ++u)
    if (m->actuator_trntype[u] == mjTRN_JOINT && m->actuator_trnid[2 * u] == joint) return u;
  return -1;
}

/// Does the joint move the body?
bool moves(const mjModel* m, int joint, int body) {
  for (int b = body; b > 0; b = m->body_parentid[b])
    if (m->jnt_bodyid[joint] == b) return true;
  return false;
}

/// From the root to the tip.
std::vector<int> actuated_joints(const mjModel* m, int body) {
  std::vector<int> joints;
  for (int j = 0; j < m->njnt; ++j)
    if (moves(m, j, body) && actuator_of(m, j) >= 0) joints.push_back(j);
  return joints;
}

void add_joint(const mjModel* m, int joint, Arm& arm) {
  const std::string name = name_of(m, mjOBJ_JOINT, joint);
  if (m->jnt_type[joint] != mjJNT_HINGE && m->jnt_type[joint] != mjJNT_SLIDE)
    throw InputError(fmt::format("joint {} of the arm is neither a hinge nor a slide: leave it out", name));
  arm.joints.push_back(joint);
  arm.qpos.push_back(m->jnt_qposadr[joint]);
  arm.dofs.push_back(m->jnt_dofadr[joint]);
  const bool limited = m->jnt_limited[joint] != 0;
  arm.lower.push_back(limited ? m->jnt_range[2 * joint] : -kInfinity);
  arm.upper.push_back(limited ? m->jnt_range[2 * joint + 1] : kInfinity);
  const int actuator = actuator_of(m, joint);
  if (actuator < 0)
    throw InputError(fmt::format("joint {} of the arm has no actuator: add a <motor joint=\"{}\"/>", name, name));
  arm.motors.push_back(find_motor(m, name_of(m, mjOBJ_ACTUATOR, actuator)));
}

}  // namespace

bool Motor::apply(double force, mjData* d) const {
  const double cut = std::clamp(force, lowest, highest);
  d->ctrl[actuator] = cut / factor;
  return cut != force;
}

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  std::string nearest;
  int least = std::numeric_limits<int>::max();
  for (const std::string& candidate : candidates)
    if (const int distance = edit_distance(name, candidate); distance < least) least = distance, nearest = candidate;
  return nearest;
}

int find_name(const mjModel* m, mjtObj type, const std::string& name, const std::string& what) {
  const int id = mj_name2id(m, type, name.c_str());
  if (id >= 0) return id;
  std::vector<std::string> names;
  for (int i = 0; i < num_of(m, type); ++i)
    if (const char* other = mj_id2name(m, type, i); other != nullptr && *other != '\0') names.emplace_back(other);
  if (names.empty())
    throw InputError(fmt::format("{}: the model has no {} with a name, so not \"{}\"", what, kind_of(type), name));
  throw InputError(fmt::format("{}: the model has no {} \"{}\". Did you mean \"{}\"?", what, kind_of(type), name,
                               nearest_name(name, names)));
}

Motor find_motor(const mjModel* m, const std::string& actuator) {
  Motor motor;
  motor.actuator = find_name(m, mjOBJ_ACTUATOR, actuator, "motor");
  const int u = motor.actuator;
  const bool direct = m->actuator_trntype[u] == mjTRN_JOINT && m->actuator_gaintype[u] == mjGAIN_FIXED &&
                      m->actuator_biastype[u] == mjBIAS_NONE && m->actuator_dyntype[u] == mjDYN_NONE;
  motor.factor = direct ? m->actuator_gear[6 * u] * m->actuator_gainprm[mjNGAIN * u] : 0.0;
  if (motor.factor == 0.0)
    throw InputError(
        fmt::format("actuator {} is no motor: its force must be ctrl times a gain on a joint. Use <motor>", actuator));
  const int joint = m->actuator_trnid[2 * u];
  if (m->jnt_type[joint] != mjJNT_HINGE && m->jnt_type[joint] != mjJNT_SLIDE)
    throw InputError(fmt::format("actuator {} pushes a joint that is neither a hinge nor a slide", actuator));
  motor.dof = m->jnt_dofadr[joint], motor.qpos = m->jnt_qposadr[joint];
  motor.lowest = -kInfinity, motor.highest = kInfinity;
  const auto limit = [&](double a, double b) {
    motor.lowest = std::max(motor.lowest, std::min(a, b)), motor.highest = std::min(motor.highest, std::max(a, b));
  };
  const double gear = m->actuator_gear[6 * u];
  if (m->actuator_forcelimited[u] != 0)
    limit(gear * m->actuator_forcerange[2 * u], gear * m->actuator_forcerange[2 * u + 1]);
  if (m->actuator_ctrllimited[u] != 0)
    limit(motor.factor * m->actuator_ctrlrange[2 * u], motor.factor * m->actuator_ctrlrange[2 * u + 1]);
  if (m->jnt_actfrclimited[joint] != 0) limit(m->jnt_actfrcrange[2 * joint], m->jnt_actfrcrange[2 * joint + 1]);
  return motor;
}

Arm find_arm(const mjModel* m, const std::string& site, const std::vector<std::string>& joints) {
  Arm arm;
  arm.site = find_name(m, mjOBJ_SITE, site, "tip");
  const int body = m->site_bodyid[arm.site];
  std::vector<int> ids;
  for (const std::string& name : joints) {
    ids.push_back(find_name(m, mjOBJ_JOINT, name, "joints"));
    if (!moves(m, ids.back(), body))
      throw InputError(
          fmt::format("joints: {} does not move the site {}: it is not between it and the world", name, site));
  }
  if (joints.empty()) ids = actuated_joints(m, body);
  if (ids.empty())
    throw InputError(
        fmt::format("tip: no joint with a motor moves the site {}. Name a site at the end of an arm", site));
  if (ids.size() > kMaxArmJoints)
    throw InputError(
        fmt::format("an arm of {} joints: at most {} are supported; name them in joints", ids.size(), kMaxArmJoints));
  std::sort(ids.begin(), ids.end());
  for (const int joint : ids) add_joint(m, joint, arm);
  return arm;
}

}  // namespace patchfield
