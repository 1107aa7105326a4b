// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/contact/convection.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

namespace patchfield {
namespace {

// Draws the pattern towards the share of the bodies' own motion that explains most, in units of the matrix' trace: it
// decides where the pattern does not vary (a flat patch that slides within itself), and keeps noise out of directions
// that are hardly seen.
constexpr double kRidge = 1e-3;
// Bodies that move by less than this in a step [m] are at rest: nothing is computed, and a begins there from zero.
constexpr double kStill = 1e-9;
// Fields that rise along a face by less than this part of what they rise across it are level: a coin on a table.
constexpr double kLevel = 1e-9;
// The solver needs k > 0, also of a point with φ₀ = 0 that slides.
constexpr double kLeastStiffness = 1e-6;

Vec3 motion_at(const Vec6& twist, const Vec3& r) { return twist.tail<3>() + twist.head<3>().cross(r); }

struct PointFrame {
  Vec3 r, n, t, v;  ///< v: velocity of B relative to A.
  PointFrame(const ContactPoints& p, const Vec6& V, int i)
      : r(p.rx[i], p.ry[i], p.rz[i]), n(p.nx[i], p.ny[i], p.nz[i]), t(p.tx[i], p.ty[i], p.tz[i]), v(motion_at(V, r)) {}
};

/// What decides whether a patch needs any of this.
struct PatchShape {
  double arm = 0.0;  ///< Mean distance of the points from the reference point: makes rotations and shifts comparable.
  double steepest = 0.0;  ///< Largest ‖t‖/g.

  explicit PatchShape(const ContactPoints& p) {
    double sum = 0.0, area = 0.0, steepest2 = 0.0;
    for (int i = 0; i < p.size(); ++i) {
      sum += p.area[i] * (p.rx[i] * p.rx[i] + p.ry[i] * p.ry[i] + p.rz[i] * p.rz[i]);
      area += p.area[i];
      const double t2 = p.tx[i] * p.tx[i] + p.ty[i] * p.ty[i] + p.tz[i] * p.tz[i];
      steepest2 = std::max(steepest2, t2 / (p.g[i] * p.g[i]));
    }
    if (area > 0.0) arm = std::sqrt(sum / area);
    steepest = std::sqrt(steepest2);
  }
};

/// Least squares over the points, weighted by area, each quantity less its mean: of
///     ṗ = c + q·U,  q = (r×t/arm, t),   U = (ω·arm, v_o)     any rigid motion of the pattern
///     ṗ = c + θ·τ,  τ = t·v                                  a share θ of the bodies' own relative motion
/// with c = −g v_n − share_B t·v, the rate at points that move with A.
struct RateFit {
  Mat6 qq = Mat6::Zero();
  Vec6 qc = Vec6::Zero();
  double tt = 0.0, tc = 0.0;

  RateFit(const ContactPoints& p, const Vec6& V, double arm) {
    Vec6 q_mean = Vec6::Zero();
    double area = 0.0, c_mean = 0.0, t_mean = 0.0;
    for (int i = 0; i < p.size(); ++i) {
      const PointFrame at(p, V, i);
      const double weight = p.area[i], tau = at.t.dot(at.v), c = -p.g[i] * at.n.dot(at.v) - p.share_B[i] * tau;
      Vec6 q;
      q << at.r.cross(at.t) / arm, at.t;
      const Vec6 weighted = weight * q;
      qq.selfadjointView<Eigen::Lower>().rankUpdate(q, weight);
      qc += weighted * c;
      q_mean += weighted;
      tt += weight * tau * tau, tc += weight * tau * c;
      c_mean += weight * c, t_mean += weight * tau;
      area += weight;
    }
    qq.selfadjointView<Eigen::Lower>().rankUpdate(q_mean, -1.0 / area);
    qq.triangularView<Eigen::StrictlyUpper>() = qq.transpose();
    qc -= q_mean * (c_mean / area);
    tt -= t_mean * t_mean / area, tc -= t_mean * c_mean / area;
  }

  double carried() const { return tt > 0.0 ? std::clamp(-tc / tt, 0.0, 1.0) : 0.0; }

  /// The best U, drawn towards U0.
  Vec6 pattern(const Vec6& U0) const {
    const double ridge = kRidge * qq.trace();
    if (!(ridge > 0.0)) return U0;
    Mat6 regular = qq;
    regular.diagonal().array() += ridge;
    return U0 - regular.ldlt().solve(qc + qq * U0);
  }
};

/// The part of V that slides: across the direction in which the patch pushes, and about it.
Vec6 sliding_part(const ContactPoints& p, const Vec6& V) {
  Vec3 push = Vec3::Zero();
  for (int i = 0; i < p.size(); ++i) push += p.area[i] * Vec3(p.nx[i], p.ny[i], p.nz[i]);
  push.normalize();  // zero stays zero
  Vec6 out;
  out << V.head<3>().dot(push) * push, V.tail<3>() - V.tail<3>().dot(push) * push;
  return out;
}

/// The nearest to x of 0 and `most`, or between them.
double between_zero_and(double most, double x) {
  return most > 0.0 ? std::clamp(x, 0.0, most) : std::clamp(x, most, 0.0);
}

}  // namespace

const char* to_string(PressureRate rate) { return rate == PressureRate::kPaper ? "paper" : "convected"; }

double convected_rate(const ContactPoints& p, int i, const Vec6& V, const Vec6& U) {
  const PointFrame at(p, V, i);
  return -p.g[i] * at.n.dot(at.v) + at.t.dot(motion_at(U, at.r) - p.share_B[i] * at.v);
}

Vec6 pattern_twist(const ContactPoints& p, const Vec6& V) {
  const double arm = PatchShape(p).arm;
  if (!(arm > 0.0)) return Vec6::Zero();
  const RateFit fit(p, V, arm);
  Vec6 U = fit.carried() * V;
  U.head<3>() *= arm;
  U = fit.pattern(U);
  U.head<3>() /= arm;
  return U;
}

void find_convection(const ContactPoints& p, const Vec6& V, double dt, Convection& out) {
  out.pattern.assign(p.size(), 0.0), out.sliding.assign(p.size(), 0.0);
  const PatchShape shape(p);
  const double moved = dt * (V.tail<3>().norm() + shape.arm * V.head<3>().norm());
  if (moved <= kStill || shape.steepest <= kLevel) return;

  const Vec6 U = pattern_twist(p, V), S = sliding_part(p, V);
  // A pattern that leaves its own place within the step, relative to both bodies, cannot be followed from here.
  const double travel = dt * std::min(U.tail<3>().norm(), (U - V).tail<3>().norm());
  const double follows =
      std::min(moved / kStill - 1.0, 1.0) * (travel > shape.arm ? std::clamp(2.0 - travel / shape.arm, 0.0, 1.0) : 1.0);
  for (int i = 0; i < p.size(); ++i) {
    const PointFrame at(p, V, i);
    const double vn = at.n.dot(at.v), a = at.t.dot(motion_at(U, at.r) - p.share_B[i] * at.v) / p.g[i];
    out.pattern[i] = follows * between_zero_and(2.0 * vn, a);
    // Only where the pattern does move along: a wall that the body runs into presses and dissipates.
    const double slides = between_zero_and(vn, at.n.dot(motion_at(S, at.r)));
    const double moves = slides != 0.0 ? std::clamp(2.0 * a / slides, 0.0, 1.0) : 0.0;
    out.sliding[i] = moves * slides;
  }
}

void carry_along(const Convection& convection, double dt, ContactPoints& p) {
  for (int i = 0; i < p.size(); ++i) {
    const double slid = dt * std::abs(convection.sliding[i]), depth = std::abs(p.phi0[i]);
    if (slid == 0.0) continue;
    const double softer = std::max(depth / (depth + slid), kLeastStiffness);
    p.k[i] *= softer;
    p.phi0[i] /= softer;
  }
}

}  // namespace patchfield
