// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/control/contact_force.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "patchfield/control/arm.h"
#include "patchfield/core/check.h"

namespace patchfield {
namespace {

constexpr double kRounding = 1e-9;  // [s] sums of steps

void add(const Vec3& force, const Vec3& moment_O, const Vec3& p_WO, const Vec3& p_W, ContactForce& sum) {
  sum.force += force;
  sum.torque += moment_O + (p_WO - p_W).cross(force);
}

}  // namespace

PatchSelector::PatchSelector(const mjModel* m, const std::string& pair) {
  const std::size_t slash = pair.find('/');
  if (pair.empty() || slash == 0 || slash + 1 == pair.size() || pair.find('/', slash + 1) < pair.size())
    throw InputError(fmt::format(
        "patches: \"{}\" is no pair of geoms. Write \"geomA/geomB\", or \"geom\" for all its patches", pair));
  first_ = find_name(m, mjOBJ_GEOM, pair.substr(0, slash), "patches");
  if (slash != pair.npos) second_ = find_name(m, mjOBJ_GEOM, pair.substr(slash + 1), "patches");
}

double PatchSelector::sign(int geom_A, int geom_B) const {
  if (second_ < 0) return geom_B == first_ ? 1.0 : geom_A == first_ ? -1.0 : 0.0;
  return geom_A == first_ && geom_B == second_ ? 1.0 : geom_A == second_ && geom_B == first_ ? -1.0 : 0.0;
}

ContactForce PatchSelector::measure(const Data& data, const Vec3& p_W) const {
  ContactForce sum;
  if (!(data.dt > 0.0)) return sum;
  const auto add_wrench = [&](int index, double sign, const Vec3& p_WO) {
    const Vec6 wrench = data.solution.patch_wrench[index] * (sign / data.dt);
    add(wrench.tail<3>(), wrench.head<3>(), p_WO, p_W, sum);
  };
  for (int i = 0; i < data.num_patches; ++i) {
    const Patch& patch = *data.patches[static_cast<std::size_t>(i)];
    const double s = patch.index >= 0 ? sign(patch.geom_A, patch.geom_B) : 0.0;
    if (s != 0.0) add_wrench(patch.index, s, patch.p_WO);
  }
  for (const PointContact& point : data.point_contacts) {
    const mjContact& c = data.d()->contact[point.contact];
    if (const double s = sign(c.geom[0], c.geom[1]); s != 0.0) add_wrench(point.index, s, Vec3(c.pos));
  }
  return sum;
}

ContactForce PatchSelector::measure(const mjModel* m, const mjData* d, const Vec3& p_W) const {
  ContactForce sum;
  for (int i = 0; i < d->ncon; ++i) {
    const mjContact& c = d->contact[i];
    const double s = sign(c.geom[0], c.geom[1]);
    if (s == 0.0 || c.efc_address < 0) continue;
    mjtNum wrench[6];
    mj_contactForce(m, d, i, wrench);
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> frame(c.frame);
    add(s * (frame.transpose() * Vec3(wrench)), s * (frame.transpose() * Vec3(wrench + 3)), Vec3(c.pos), p_W, sum);
  }
  return sum;
}

Guard::Guard(const mjModel* m, const GuardSettings& settings) : settings_(settings) {
  if (settings.patches.empty()) throw InputError("until: patches is empty. Name at least one, as \"blade/stove\"");
  if (!(settings.threshold > 0.0 && std::isfinite(settings.threshold)))
    throw InputError(fmt::format("until: the threshold {} must be above 0 and finite", settings.threshold));
  if (!(settings.hold >= 0.0 && std::isfinite(settings.hold)))
    throw InputError(fmt::format("until: for = {} s must be 0 or more", settings.hold));
  for (const std::string& pair : settings.patches) selectors_.emplace_back(m, pair);
}

template <class Measure>
bool Guard::evaluate(const Measure& measure, double dt) {
  value_ = 0.0;
  bool first = true;
  for (const PatchSelector& selector : selectors_) {
    const ContactForce f = measure(selector);
    const double size = settings_.torque ? f.torque.norm() : f.force.norm();
    if (!settings_.every) value_ += size;
    else value_ = first ? size : settings_.below ? std::max(value_, size) : std::min(value_, size);
    first = false;
  }
  const bool passes = settings_.below ? value_ < settings_.threshold : value_ > settings_.threshold;
  passed_for_ = passes ? passed_for_ + dt : 0.0;
  return passes && passed_for_ >= settings_.hold - kRounding;
}

bool Guard::update(const Data& data, const Vec3& p_W, double dt) {
  return evaluate([&](const PatchSelector& s) { return s.measure(data, p_W); }, dt);
}

bool Guard::update(const mjModel* m, const mjData* d, const Vec3& p_W, double dt) {
  return evaluate([&](const PatchSelector& s) { return s.measure(m, d, p_W); }, dt);
}

}  // namespace patchfield
