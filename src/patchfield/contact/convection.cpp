// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/contact/convection.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

namespace patchfield {
namespace {

// Directions in which the pattern does not vary (a flat patch that slides within itself) leave u open; they also do
// not matter there. This much of the matrix' trace keeps u at zero in them.
constexpr double kRidge = 1e-9;

Vec3 motion_at(const Vec6& twist, const Vec3& r) { return twist.tail<3>() + twist.head<3>().cross(r); }

struct PointFrame {
  Vec3 r, n, t, v;  ///< v: velocity of B relative to A.
  PointFrame(const ContactPoints& p, const Vec6& V, int i)
      : r(p.rx[i], p.ry[i], p.rz[i]), n(p.nx[i], p.ny[i], p.nz[i]), t(p.tx[i], p.ty[i], p.tz[i]), v(motion_at(V, r)) {}
};

/// Mean distance of the points from the reference point: makes rotations and translations comparable.
double mean_arm(const ContactPoints& p) {
  double sum = 0.0, area = 0.0;
  for (int i = 0; i < p.size(); ++i) {
    sum += p.area[i] * (p.rx[i] * p.rx[i] + p.ry[i] * p.ry[i] + p.rz[i] * p.rz[i]);
    area += p.area[i];
  }
  return area > 0.0 ? std::sqrt(sum / area) : 0.0;
}

/// Least squares over the points, weighted by area, each quantity less its mean: of
///     ṗ = c + q·U,  q = (r×t/arm, t),   U = (ω·arm, v_o)     any rigid motion of the pattern
///     ṗ = c + θ·τ,  τ = t·v                                  a share θ of the bodies' own relative motion
/// with c = −g v_n − share_B t·v, the rate at points that move with A.
struct RateFit {
  Mat6 qq = Mat6::Zero();
  Vec6 qc = Vec6::Zero();
  double cc = 0.0, tt = 0.0, tc = 0.0, paper = 0.0;  ///< paper: ⟨(g v_n)²⟩

  RateFit(const ContactPoints& p, const Vec6& V, double arm) {
    Vec6 q_mean = Vec6::Zero();
    double area = 0.0, c_mean = 0.0, t_mean = 0.0, paper_mean = 0.0;
    for (int i = 0; i < p.size(); ++i) {
      const PointFrame at(p, V, i);
      const double weight = p.area[i], tau = at.t.dot(at.v), rate = p.g[i] * at.n.dot(at.v);
      const double c = -rate - p.share_B[i] * tau;
      Vec6 q;
      q << at.r.cross(at.t) / arm, at.t;
      const Vec6 weighted = weight * q;
      qq.noalias() += weighted * q.transpose();
      qc += weighted * c;
      q_mean += weighted;
      cc += weight * c * c, tt += weight * tau * tau, tc += weight * tau * c, paper += weight * rate * rate;
      c_mean += weight * c, t_mean += weight * tau, paper_mean += weight * rate;
      area += weight;
    }
    qq -= q_mean * q_mean.transpose() / area;
    qc -= q_mean * (c_mean / area);
    cc -= c_mean * c_mean / area, tt -= t_mean * t_mean / area, tc -= t_mean * c_mean / area;
    paper -= paper_mean * paper_mean / area;
  }

  Vec6 pattern(double arm) const {
    const double ridge = kRidge * qq.trace();
    if (!(ridge > 0.0)) return Vec6::Zero();
    Mat6 regular = qq;
    regular.diagonal().array() += ridge;
    Vec6 U = -regular.ldlt().solve(qc);
    U.head<3>() /= arm;
    return U;
  }

  /// How much of the variance that the best pattern explains is explained by one that a body carries, 0 ≤ θ ≤ 1.
  double sliding_share(const Vec6& U, double arm) const {
    Vec6 scaled = U;
    scaled.head<3>() *= arm;
    const double left_by_pattern = cc + scaled.dot(2.0 * qc + qq * scaled);
    const double theta = tt > 0.0 ? std::clamp(-tc / tt, 0.0, 1.0) : 0.0;
    const double left_by_bodies = cc + theta * (2.0 * tc + theta * tt);
    const double explained = paper - left_by_pattern;
    return explained > 0.0 ? std::clamp((paper - left_by_bodies) / explained, 0.0, 1.0) : 0.0;
  }
};

}  // namespace

const char* to_string(PressureRate rate) { return rate == PressureRate::kPaper ? "paper" : "convected"; }

double convected_rate(const ContactPoints& p, int i, const Vec6& V, const Vec6& U) {
  const PointFrame at(p, V, i);
  return -p.g[i] * at.n.dot(at.v) + at.t.dot(motion_at(U, at.r) - p.share_B[i] * at.v);
}

PatternMotion find_pattern(const ContactPoints& p, const Vec6& V) {
  const double arm = mean_arm(p);
  if (!(arm > 0.0)) return {};
  const RateFit fit(p, V, arm);
  PatternMotion out;
  out.U = fit.pattern(arm);
  out.sliding = fit.sliding_share(out.U, arm);
  return out;
}

double convection_speeds(const ContactPoints& p, const Vec6& V, Column<double>& convection) {
  convection.resize(p.size());
  const PatternMotion pattern = find_pattern(p, V);
  for (int i = 0; i < p.size(); ++i) {
    const PointFrame at(p, V, i);
    const double vn = at.n.dot(at.v), a = at.t.dot(motion_at(pattern.U, at.r) - p.share_B[i] * at.v) / p.g[i];
    convection[i] = vn > 0.0 ? std::clamp(a, 0.0, 2.0 * vn) : std::clamp(a, 2.0 * vn, 0.0);
  }
  return pattern.sliding;
}

}  // namespace patchfield
