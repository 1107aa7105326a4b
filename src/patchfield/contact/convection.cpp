// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/contact/convection.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "patchfield/contact/convection_kernels.h"

namespace patchfield {
namespace {

// Draws the pattern towards the share of the bodies' own motion that explains most, in units of the matrix' trace: it
// decides where the pattern does not vary (a flat patch that slides within itself), and keeps noise out of directions
// that are hardly seen.
constexpr double kRidge = 1e-3;
// Bodies that move by less than this in a step [m] are at rest: nothing is computed, and a begins there from zero.
constexpr double kStill = 1e-9;

Vec3 motion_at(const Vec6& twist, const Vec3& r) { return twist.tail<3>() + twist.head<3>().cross(r); }

/// The share of the bodies' own motion that explains most.
double carried(const RateFit& fit) { return fit.tt > 0.0 ? std::clamp(-fit.tc / fit.tt, 0.0, 1.0) : 0.0; }

/// The best U, drawn towards U0.
Vec6 best_pattern(RateFit& fit, const Vec6& U0) {
  const double ridge = kRidge * fit.qq.trace();
  if (!(ridge > 0.0)) return U0;
  Vec6 step = fit.qc;
  step.noalias() += fit.qq * U0;
  fit.qq.diagonal().array() += ridge;
  const Eigen::LLT<Eigen::Ref<Mat6>> in_place(fit.qq);
  in_place.solveInPlace(step);
  return U0 - step;
}

Vec6 twist_of_pattern(const ContactPoints& p, const Vec6& V, double arm) {
  if (!(arm > 0.0)) return Vec6::Zero();
  RateFit fit = fit_rates(p, V, arm);
  Vec6 U = carried(fit) * V;
  U.head<3>() *= arm;
  U = best_pattern(fit, U);
  U.head<3>() /= arm;
  return U;
}

/// The part of V that slides: across the direction in which the patch pushes, and about it.
Vec6 sliding_part(const PatchShape& shape, const Vec6& V) {
  const Vec3 push = shape.push.normalized();  // zero stays zero
  Vec6 out;
  out << V.head<3>().dot(push) * push, V.tail<3>() - V.tail<3>().dot(push) * push;
  return out;
}

}  // namespace

const char* to_string(PressureRate rate) { return rate == PressureRate::kPaper ? "paper" : "convected"; }

double convected_rate(const ContactPoints& p, int i, const Vec6& V, const Vec6& U) {
  const Vec3 r(p.rx[i], p.ry[i], p.rz[i]), n(p.nx[i], p.ny[i], p.nz[i]), t(p.tx[i], p.ty[i], p.tz[i]);
  const Vec3 v = motion_at(V, r);
  return -p.g[i] * n.dot(v) + t.dot(motion_at(U, r) - p.share_B[i] * v);
}

Vec6 pattern_twist(const ContactPoints& p, const Vec6& V) { return twist_of_pattern(p, V, shape_of(p).arm); }

void find_convection(const ContactPoints& p, const Vec6& V, double dt, Convection& out) {
  const PatchShape shape = shape_of(p);
  const double moved = dt * (V.tail<3>().norm() + shape.arm * V.head<3>().norm());
  if (moved <= kStill || shape.is_level) {
    out.pattern.assign(p.size(), 0.0), out.sliding.assign(p.size(), 0.0);
    return;
  }
  PatternMotion motion{.V = V, .U = twist_of_pattern(p, V, shape.arm), .S = sliding_part(shape, V)};
  // A pattern that leaves its own place within the step, relative to both bodies, cannot be followed from here.
  const double travel = dt * std::min(motion.U.tail<3>().norm(), (motion.U - V).tail<3>().norm());
  motion.follows =
      std::min(moved / kStill - 1.0, 1.0) * (travel > shape.arm ? std::clamp(2.0 - travel / shape.arm, 0.0, 1.0) : 1.0);
  out.pattern.resize(p.size()), out.sliding.resize(p.size());
  convection_speeds(p, motion, out.pattern.data(), out.sliding.data());
}

void carry_along(const Convection& convection, double dt, ContactPoints& p) {
  soften(convection.sliding.data(), dt, p);
}

}  // namespace patchfield
