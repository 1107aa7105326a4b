// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/contact/convection_kernels.h"

#include <algorithm>
#include <cmath>

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "patchfield/contact/convection_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "patchfield/core/vec4x3-inl.h"

HWY_BEFORE_NAMESPACE();
namespace patchfield {
namespace HWY_NAMESPACE {
namespace {

/// Four doubles from i on, or fewer at the end and `rest` for the others.
HWY_INLINE Lanes4 take(const Column<double>& c, int i, double rest) {
  const int lanes = c.size() - i;
  if (lanes >= 4) return load(c.data() + i);
  double x[4] = {rest, rest, rest, rest};
  std::copy_n(c.data() + i, lanes, x);
  return load(x);
}

/// Lanes without a point have no area, and g = 1.
struct Points4 {
  Vec4x3 r, n, t;
  Lanes4 area, g, share_B;
  HWY_INLINE Points4(const ContactPoints& p, int i)
      : r{take(p.rx, i, 0.0), take(p.ry, i, 0.0), take(p.rz, i, 0.0)},
        n{take(p.nx, i, 0.0), take(p.ny, i, 0.0), take(p.nz, i, 0.0)},
        t{take(p.tx, i, 0.0), take(p.ty, i, 0.0), take(p.tz, i, 0.0)}, area(take(p.area, i, 0.0)), g(take(p.g, i, 1.0)),
        share_B(take(p.share_B, i, 0.0)) {}
};

HWY_INLINE double largest(const Lanes4& a) {
  double x[4];
  store(a, x);
  return std::max(std::max(x[0], x[1]), std::max(x[2], x[3]));
}

void Shape(const ContactPoints& p, PatchShape& out) {
  Lanes4 second = all(0.0), area = second, steepest2 = second;
  Vec4x3 push{second, second, second};
  for (int i = 0; i < p.size(); i += 4) {
    const Points4 at(p, i);
    second = second + at.area * dot(at.r, at.r);
    area = area + at.area;
    steepest2 = larger(steepest2, dot(at.t, at.t) / (at.g * at.g));
    push = {push.x + at.area * at.n.x, push.y + at.area * at.n.y, push.z + at.area * at.n.z};
  }
  const double total = sum(area);
  out.arm = total > 0.0 ? std::sqrt(sum(second) / total) : 0.0;
  out.steepest = std::sqrt(largest(steepest2));
  out.push = {sum(push.x), sum(push.y), sum(push.z)};
}

void Fit(const ContactPoints& p, const Vec6& twist, double arm, RateFit& out) {
  const Twist4 V(twist);
  const Lanes4 zero = all(0.0), inv_arm = all(1.0 / arm);
  Lanes4 qq[21], qc[6], q_sum[6];
  std::fill_n(qq, 21, zero), std::fill_n(qc, 6, zero), std::fill_n(q_sum, 6, zero);
  Lanes4 tt = zero, tc = zero, t_sum = zero, c_sum = zero, area = zero;
  for (int i = 0; i < p.size(); i += 4) {
    const Points4 at(p, i);
    const Vec4x3 v = V.at(at.r), rt = cross(at.r, at.t);
    const Lanes4 tau = dot(at.t, v), c = zero - at.g * dot(at.n, v) - at.share_B * tau;
    const Lanes4 q[6] = {rt.x * inv_arm, rt.y * inv_arm, rt.z * inv_arm, at.t.x, at.t.y, at.t.z};
    int k = 0;
    for (int row = 0; row < 6; ++row) {
      const Lanes4 weighted = at.area * q[row];
      for (int col = 0; col <= row; ++col, ++k) qq[k] = qq[k] + weighted * q[col];
      qc[row] = qc[row] + weighted * c;
      q_sum[row] = q_sum[row] + weighted;
    }
    const Lanes4 weighted = at.area * tau;
    tt = tt + weighted * tau, tc = tc + weighted * c;
    t_sum = t_sum + weighted, c_sum = c_sum + at.area * c;
    area = area + at.area;
  }
  const double inv_area = 1.0 / sum(area), t_mean = sum(t_sum) * inv_area, c_mean = sum(c_sum) * inv_area;
  for (int row = 0, k = 0; row < 6; ++row) {
    const double mean = sum(q_sum[row]) * inv_area;
    for (int col = 0; col <= row; ++col, ++k) out.qq(row, col) = out.qq(col, row) = sum(qq[k]) - mean * sum(q_sum[col]);
    out.qc[row] = sum(qc[row]) - sum(q_sum[row]) * c_mean;
  }
  out.tt = sum(tt) - sum(t_sum) * t_mean;
  out.tc = sum(tc) - sum(t_sum) * c_mean;
}

/// The nearest to x of 0 and `most`, or between them.
HWY_INLINE Lanes4 between_zero_and(const Lanes4& most, const Lanes4& x) {
  const Lanes4 zero = all(0.0);
  return choose(zero < most, smaller(larger(x, zero), most), smaller(larger(x, most), zero));
}

void Speeds(const ContactPoints& p, const PatternMotion& motion, double* a_out, double* b_out) {
  const Twist4 V(motion.V), U(motion.U), S(motion.S);
  const Lanes4 follows = all(motion.follows), zero = all(0.0), one = all(1.0), two = all(2.0);
  for (int i = 0; i < p.size(); i += 4) {
    const Points4 at(p, i);
    const Vec4x3 v = V.at(at.r), u = U.at(at.r);
    const Vec4x3 beside{u.x - at.share_B * v.x, u.y - at.share_B * v.y, u.z - at.share_B * v.z};
    const Lanes4 vn = dot(at.n, v), a = dot(at.t, beside) / at.g;
    // Only where the pattern does move along: a wall that the body runs into presses and dissipates.
    const Lanes4 slides = between_zero_and(vn, dot(at.n, S.at(at.r)));
    const Mask4 still = magnitude(slides) <= zero;
    const Lanes4 moves = smaller(larger(two * a / choose(still, one, slides), zero), one);
    double a4[4], b4[4];
    store(follows * between_zero_and(two * vn, a), a4);
    store(choose(still, zero, moves * slides), b4);
    const int lanes = std::min(4, p.size() - i);
    std::copy_n(a4, lanes, a_out + i), std::copy_n(b4, lanes, b_out + i);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace patchfield
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace patchfield {

HWY_EXPORT(Shape);
HWY_EXPORT(Fit);
HWY_EXPORT(Speeds);

PatchShape shape_of(const ContactPoints& points) {
  PatchShape out;
  HWY_DYNAMIC_DISPATCH(Shape)(points, out);
  return out;
}

RateFit fit_rates(const ContactPoints& points, const Vec6& V, double arm) {
  RateFit out;
  HWY_DYNAMIC_DISPATCH(Fit)(points, V, arm, out);
  return out;
}

void convection_speeds(const ContactPoints& points, const PatternMotion& motion, double* a, double* b) {
  HWY_DYNAMIC_DISPATCH(Speeds)(points, motion, a, b);
}

}  // namespace patchfield
#endif  // HWY_ONCE
