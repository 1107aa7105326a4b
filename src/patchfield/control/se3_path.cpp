// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/control/se3_path.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/LU>

#include "patchfield/core/check.h"

namespace patchfield {
namespace {

/// Coefficients c₀ … c₅ in unit time of the quintic whose value, velocity and acceleration are given at both ends of an
/// interval of length h.
std::array<double, 6> quintic(const Derivatives& p, const Derivatives& q, double h) {
  const double c0 = p.x, c1 = h * p.v, c2 = 0.5 * h * h * p.a;
  const double dx = q.x - c0 - c1 - c2, dv = h * q.v - c1 - 2.0 * c2, da = h * h * q.a - 2.0 * c2;
  return {c0, c1, c2, 10.0 * dx - 4.0 * dv + 0.5 * da, -15.0 * dx + 7.0 * dv - da, 6.0 * dx - 3.0 * dv + 0.5 * da};
}

/// At share s of the interval.
Derivatives evaluate(const std::array<double, 6>& c, double h, double s) {
  return {c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5])))),
          (c[1] + s * (2.0 * c[2] + s * (3.0 * c[3] + s * (4.0 * c[4] + s * 5.0 * c[5])))) / h,
          (2.0 * c[2] + s * (6.0 * c[3] + s * (12.0 * c[4] + s * 20.0 * c[5]))) / (h * h)};
}

/// Third and fourth derivative of a quintic at one of its ends, as factors of the six values that define it.
struct EndDerivatives {
  double jerk[6], snap[6];  ///< Of x, v, a at the beginning, then at the end.
};

EndDerivatives end_derivatives(double h, bool at_end) {
  EndDerivatives out = {};
  for (int i = 0; i < 6; ++i) {
    Derivatives p, q;
    double* const given[6] = {&p.x, &p.v, &p.a, &q.x, &q.v, &q.a};
    *given[i] = 1.0;
    const std::array<double, 6> c = quintic(p, q, h);
    const double s = at_end ? 1.0 : 0.0;
    out.jerk[i] = (6.0 * c[3] + 24.0 * c[4] * s + 60.0 * c[5] * s * s) / (h * h * h);
    out.snap[i] = (24.0 * c[4] + 120.0 * c[5] * s) / (h * h * h * h);
  }
  return out;
}

}  // namespace

Derivatives minimum_jerk(double s) {
  return evaluate(quintic({0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, 1.0), 1.0, std::clamp(s, 0.0, 1.0));
}

SplineBasis::SplineBasis(std::span<const double> times) : knots_(1, 0.0) {
  if (times.empty()) throw InputError("a path needs at least one keyframe");
  for (const double t : times) {
    if (!(std::isfinite(t) && t > knots_.back()))
      throw InputError(
          fmt::format("keyframe {} of a path is at {} s: give times above 0 that grow; the one before is "
                      "at {} s",
                      knots_.size(), t, knots_.back()));
    knots_.push_back(t);
  }
  values_.resize(static_cast<std::size_t>(size()) * knots_.size());
  knot(0, 0).v = 1.0;
  knot(1, 0).a = 1.0;
  for (int i = 1; i <= num_keyframes(); ++i)
    for (auto k = static_cast<std::size_t>(i); k < knots_.size(); ++k) knot(1 + i, k).x = 1.0;
  solve();
}

// Least jerk ⇔ jerk and snap are continuous at the inner knots: two equations for the velocity and acceleration there.
void SplineBasis::solve() {
  const int inner = num_keyframes() - 1;
  if (inner == 0) return;
  MatX A = MatX::Zero(2 * inner, 2 * inner), b = MatX::Zero(2 * inner, size());
  for (int k = 1; k <= inner; ++k)
    for (const bool before : {true, false}) {
      const auto first = static_cast<std::size_t>(before ? k - 1 : k);
      const EndDerivatives end = end_derivatives(knots_[first + 1] - knots_[first], before);
      const double sign = before ? 1.0 : -1.0;
      for (int i = 0; i < 6; ++i) {
        const std::size_t at = first + static_cast<std::size_t>(i / 3);
        const int unknown = 2 * (static_cast<int>(at) - 1) + i % 3 - 1;
        const bool is_unknown = i % 3 != 0 && at > 0 && static_cast<int>(at) <= inner;
        for (const int row : {0, 1}) {
          const double factor = sign * (row == 0 ? end.jerk[i] : end.snap[i]);
          if (is_unknown) A(2 * (k - 1) + row, unknown) += factor;
          else
            for (int c = 0; c < size(); ++c) {
              const Derivatives& given = knot(c, at);
              b(2 * (k - 1) + row, c) -= factor * (i % 3 == 0 ? given.x : i % 3 == 1 ? given.v : given.a);
            }
        }
      }
    }
  const MatX x = A.partialPivLu().solve(b);
  for (int c = 0; c < size(); ++c)
    for (int k = 1; k <= inner; ++k)
      knot(c, static_cast<std::size_t>(k)).v = x(2 * (k - 1), c),
              knot(c, static_cast<std::size_t>(k)).a = x(2 * k - 1, c);
}

Derivatives SplineBasis::operator()(int column, double t) const {
  if (t >= knots_.back()) return {knot(column, knots_.size() - 1).x, 0.0, 0.0};
  if (t < 0.0) return {knot(column, 0).x, 0.0, 0.0};
  const auto next = std::upper_bound(knots_.begin(), knots_.end(), t);
  const auto k = static_cast<std::size_t>(next - knots_.begin()) - 1;
  const double h = knots_[k + 1] - knots_[k];
  return evaluate(quintic(knot(column, k), knot(column, k + 1), h), h, (t - knots_[k]) / h);
}

Se3Path::Se3Path(std::span<const double> times) : basis_(times), terms_(static_cast<std::size_t>(basis_.size())) {}

void Se3Path::set(const FrameMotion& start, std::span<const Pose> keyframes) {
  PATCHFIELD_ASSERT(static_cast<int>(keyframes.size()) == basis_.num_keyframes());
  start_ = start.X_WT;
  const Mat3 R_TW = start_.R.transpose();
  terms_[0] = {R_TW * start.w, start.v};
  terms_[1] = {R_TW * start.alpha, start.a};
  const Pose* last = &start_;
  for (std::size_t i = 0; i < keyframes.size(); ++i) {
    terms_[2 + i] = {rotation_log(last->R.transpose() * keyframes[i].R), keyframes[i].p - last->p};
    last = &keyframes[i];
  }
}

FrameMotion Se3Path::at(double t) const {
  FrameMotion motion{.X_WT = start_};
  Vec3 w_T = Vec3::Zero(), alpha_T = Vec3::Zero();  // in the frame itself
  for (std::size_t k = 0; k < terms_.size(); ++k) {
    const Derivatives b = basis_(static_cast<int>(k), t);
    motion.X_WT.p += b.x * terms_[k].shift;
    motion.v += b.v * terms_[k].shift;
    motion.a += b.a * terms_[k].shift;
    // R ← R·E with E = exp(b·φ):  ω ← Eᵀω + ḃφ,  α ← Eᵀα + (Eᵀω)×ḃφ + b̈φ
    const Vec3& turn = terms_[k].turn;
    const Mat3 E = rotation_exp(b.x * turn);
    const Vec3 w_before = E.transpose() * w_T;
    motion.X_WT.R = motion.X_WT.R * E;
    alpha_T = E.transpose() * alpha_T + w_before.cross(b.v * turn) + b.a * turn;
    w_T = w_before + b.v * turn;
  }
  motion.w = motion.X_WT.R * w_T;
  motion.alpha = motion.X_WT.R * alpha_T;
  return motion;
}

Vec3 rotation_log(const Mat3& R) {
  const Eigen::AngleAxisd turn(R);
  return turn.angle() * turn.axis();
}

Mat3 rotation_exp(const Vec3& x) {
  const double angle = x.norm();
  if (angle == 0.0) return Mat3::Identity();
  return Eigen::AngleAxisd(angle, x / angle).toRotationMatrix();
}

Mat3 rotation_rpy(const Vec3& rpy) {
  return (Eigen::AngleAxisd(rpy.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vec3::UnitY()) *
          Eigen::AngleAxisd(rpy.x(), Vec3::UnitX()))
      .toRotationMatrix();
}

}  // namespace patchfield
