// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/contact/convection_kernels.h"

#include <algorithm>
#include <array>
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

constexpr int kColumns = 12;
using Starts = std::array<const double*, kColumns>;

Starts starts(const ContactPoints& p) {
  return {p.rx.data(), p.ry.data(), p.rz.data(), p.nx.data(),   p.ny.data(), p.nz.data(),
          p.tx.data(), p.ty.data(), p.tz.data(), p.area.data(), p.g.data(),  p.share_B.data()};
}

/// Four points from i on.
struct Points4 {
  Vec4x3 r, n, t;
  Lanes4 area, g, share_B;
  HWY_INLINE Points4(const Starts& c, int i)
      : r{load(c[0] + i), load(c[1] + i), load(c[2] + i)}, n{load(c[3] + i), load(c[4] + i), load(c[5] + i)},
        t{load(c[6] + i), load(c[7] + i), load(c[8] + i)}, area(load(c[9] + i)), g(load(c[10] + i)),
        share_B(load(c[11] + i)) {}
};

/// The points after the last four. Lanes without a point have no area, and g = 1.
struct Tail {
  double x[kColumns][4] = {};
  Starts columns;
  Tail(const Starts& from, int first, int lanes) {
    std::fill_n(x[10], 4, 1.0);
    for (int c = 0; c < kColumns; ++c) {
      std::copy_n(from[c] + first, lanes, x[c]);
      columns[c] = x[c];
    }
  }
};

/// Calls body(points, index of the first, how many) for four points at a time.
template <class Body>
HWY_INLINE void for_each_four(const ContactPoints& p, const Body& body) {
  const Starts columns = starts(p);
  const int n = p.size();
  int i = 0;
  for (; i + 4 <= n; i += 4) body(Points4(columns, i), i, 4);
  if (i < n) body(Points4(Tail(columns, i, n - i).columns, 0), i, n - i);
}

void Shape(const ContactPoints& p, PatchShape& out) {
  Lanes4 second = all(0.0), area = second, tilted = second;
  Vec4x3 push{second, second, second};
  const Lanes4 level2 = all(kLevel * kLevel), one = all(1.0);
  for_each_four(p, [&](const Points4& at, int, int) {
    second = second + at.area * dot(at.r, at.r);
    area = area + at.area;
    tilted = choose(level2 * at.g * at.g < dot(at.t, at.t), one, tilted);
    push = {push.x + at.area * at.n.x, push.y + at.area * at.n.y, push.z + at.area * at.n.z};
  });
  const double total = sum(area);
  out.arm = total > 0.0 ? std::sqrt(sum(second) / total) : 0.0;
  out.is_level = sum(tilted) == 0.0;
  out.push = {sum(push.x), sum(push.y), sum(push.z)};
}

void Fit(const ContactPoints& p, const Vec6& twist, double arm, RateFit& out) {
  const Twist4 V(twist);
  const Lanes4 zero = all(0.0);
  Lanes4 qq[21], qc[6], q_sum[6];
  std::fill_n(qq, 21, zero), std::fill_n(qc, 6, zero), std::fill_n(q_sum, 6, zero);
  Lanes4 tt = zero, tc = zero, t_sum = zero, c_sum = zero, area = zero;
  for_each_four(p, [&](const Points4& at, int, int) {
    const Vec4x3 v = V.at(at.r), rt = cross(at.r, at.t);
    const Lanes4 tau = dot(at.t, v), c = zero - at.g * dot(at.n, v) - at.share_B * tau;
    const Lanes4 q[6] = {rt.x, rt.y, rt.z, at.t.x, at.t.y, at.t.z};
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
  });
  const double inv_area = 1.0 / sum(area), t_mean = sum(t_sum) * inv_area, c_mean = sum(c_sum) * inv_area;
  double sums[6];
  for (int row = 0, k = 0; row < 6; ++row) {
    // r×t is in units of the arm.
    const double scale = row < 3 ? 1.0 / arm : 1.0, total = scale * sum(q_sum[row]), mean = total * inv_area;
    sums[row] = total;
    for (int col = 0; col <= row; ++col, ++k)
      out.qq(row, col) = out.qq(col, row) = scale * (col < 3 ? 1.0 / arm : 1.0) * sum(qq[k]) - mean * sums[col];
    out.qc[row] = scale * sum(qc[row]) - total * c_mean;
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
  for_each_four(p, [&](const Points4& at, int i, int lanes) {
    const Vec4x3 v = V.at(at.r), u = U.at(at.r);
    const Vec4x3 beside{u.x - at.share_B * v.x, u.y - at.share_B * v.y, u.z - at.share_B * v.z};
    const Lanes4 vn = dot(at.n, v), a = dot(at.t, beside) / at.g;
    // Only where the pattern does move along: a wall that the body runs into presses and dissipates.
    const Lanes4 slides = between_zero_and(vn, dot(at.n, S.at(at.r)));
    const Mask4 still = magnitude(slides) <= zero;
    const Lanes4 moves = smaller(larger(two * a / choose(still, one, slides), zero), one);
    const Lanes4 a_limited = follows * between_zero_and(two * vn, a), b = choose(still, zero, moves * slides);
    if (lanes == 4) {
      store(a_limited, a_out + i), store(b, b_out + i);
      return;
    }
    double a4[4], b4[4];
    store(a_limited, a4), store(b, b4);
    std::copy_n(a4, lanes, a_out + i), std::copy_n(b4, lanes, b_out + i);
  });
}

HWY_INLINE void soften_four(const double* b, double dt, double* k, double* phi0) {
  const Lanes4 slid = all(dt) * magnitude(load(b)), depth = magnitude(load(phi0));
  const Lanes4 softer = larger(depth / larger(depth + slid, all(1e-300)), all(kLeastStiffness));
  const Lanes4 share = choose(slid <= all(0.0), all(1.0), softer);
  store(load(k) * share, k), store(load(phi0) / share, phi0);
}

void Soften(const double* b, double dt, ContactPoints& p) {
  const int n = p.size();
  int i = 0;
  for (; i + 4 <= n; i += 4) soften_four(b + i, dt, p.k.data() + i, p.phi0.data() + i);
  if (i == n) return;
  double rest[3][4] = {};
  std::copy_n(b + i, n - i, rest[0]), std::copy_n(p.k.data() + i, n - i, rest[1]);
  std::copy_n(p.phi0.data() + i, n - i, rest[2]);
  soften_four(rest[0], dt, rest[1], rest[2]);
  std::copy_n(rest[1], n - i, p.k.data() + i), std::copy_n(rest[2], n - i, p.phi0.data() + i);
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
HWY_EXPORT(Soften);

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

void soften(const double* b, double dt, ContactPoints& points) { HWY_DYNAMIC_DISPATCH(Soften)(b, dt, points); }

}  // namespace patchfield
#endif  // HWY_ONCE
