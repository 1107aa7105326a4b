// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Four doubles as one value, on every instruction set that Highway dispatches to.
//
// Only operations that round once per lane, and no fused multiply-add: the same bits on SSE2,
// AVX2 and NEON (tests/geometry/simd_test.cpp). Include between HWY_BEFORE_NAMESPACE and its end, once per target.

#if defined(PATCHFIELD_GEOMETRY_SIMD4_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PATCHFIELD_GEOMETRY_SIMD4_INL_H_
#undef PATCHFIELD_GEOMETRY_SIMD4_INL_H_
#else
#define PATCHFIELD_GEOMETRY_SIMD4_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "patchfield/geometry/element_tree.h"

HWY_BEFORE_NAMESPACE();
namespace patchfield {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_MAX_BYTES >= 32
using D4 = hn::FixedTag<double, 4>;
struct V4 {
  hn::Vec<D4> v;
};
HWY_INLINE V4 load4(const double* x) { return {hn::Load(D4(), x)}; }
HWY_INLINE V4 set4(double x) { return {hn::Set(D4(), x)}; }
HWY_INLINE void store4(V4 a, double* x) { hn::Store(a.v, D4(), x); }
HWY_INLINE V4 operator+(V4 a, V4 b) { return {hn::Add(a.v, b.v)}; }
HWY_INLINE V4 operator-(V4 a, V4 b) { return {hn::Sub(a.v, b.v)}; }
HWY_INLINE V4 operator*(V4 a, V4 b) { return {hn::Mul(a.v, b.v)}; }
HWY_INLINE V4 operator/(V4 a, V4 b) { return {hn::Div(a.v, b.v)}; }
HWY_INLINE V4 min4(V4 a, V4 b) { return {hn::Min(a.v, b.v)}; }
HWY_INLINE V4 max4(V4 a, V4 b) { return {hn::Max(a.v, b.v)}; }
HWY_INLINE V4 abs4(V4 a) { return {hn::Abs(a.v)}; }
HWY_INLINE V4 if_less(V4 a, V4 b, V4 yes, V4 no) { return {hn::IfThenElse(hn::Lt(a.v, b.v), yes.v, no.v)}; }
HWY_INLINE V4 with_fourth(V4 a, double x) {
  return {hn::ConcatUpperLower(D4(), hn::OddEven(hn::Set(D4(), x), a.v), a.v)};
}
/// ((a₀ + a₁) + a₂) + a₃ of each argument.
HWY_INLINE V4 row_sums(V4 a, V4 b, V4 c, V4 d) {
  const auto ab_even = hn::InterleaveLower(D4(), a.v, b.v), ab_odd = hn::InterleaveUpper(D4(), a.v, b.v);
  const auto cd_even = hn::InterleaveLower(D4(), c.v, d.v), cd_odd = hn::InterleaveUpper(D4(), c.v, d.v);
  const auto t0 = hn::ConcatLowerLower(D4(), cd_even, ab_even), t2 = hn::ConcatUpperUpper(D4(), cd_even, ab_even);
  const auto t1 = hn::ConcatLowerLower(D4(), cd_odd, ab_odd), t3 = hn::ConcatUpperUpper(D4(), cd_odd, ab_odd);
  return {hn::Add(hn::Add(hn::Add(t0, t1), t2), t3)};
}
/// Bit i is set where a_i < b_i.
HWY_INLINE unsigned less_bits(V4 a, V4 b) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(D4(), hn::Lt(a.v, b.v), bits);
  return bits[0] & 15u;
}
#else
// Plain loops of four: the compiler makes two SSE2 or NEON instructions of each.
struct V4 {
  double v[4];
};
template <class Op>
HWY_INLINE V4 each(const Op& op) {
  return {{op(0), op(1), op(2), op(3)}};
}
HWY_INLINE V4 load4(const double* x) { return {{x[0], x[1], x[2], x[3]}}; }
HWY_INLINE V4 set4(double x) { return {{x, x, x, x}}; }
HWY_INLINE void store4(V4 a, double* x) {
  for (int i = 0; i < 4; ++i) x[i] = a.v[i];
}
HWY_INLINE V4 operator+(V4 a, V4 b) {
  return each([&](int i) { return a.v[i] + b.v[i]; });
}
HWY_INLINE V4 operator-(V4 a, V4 b) {
  return each([&](int i) { return a.v[i] - b.v[i]; });
}
HWY_INLINE V4 operator*(V4 a, V4 b) {
  return each([&](int i) { return a.v[i] * b.v[i]; });
}
HWY_INLINE V4 operator/(V4 a, V4 b) {
  return each([&](int i) { return a.v[i] / b.v[i]; });
}
HWY_INLINE V4 min4(V4 a, V4 b) {
  return each([&](int i) { return a.v[i] < b.v[i] ? a.v[i] : b.v[i]; });
}
HWY_INLINE V4 max4(V4 a, V4 b) {
  return each([&](int i) { return a.v[i] > b.v[i] ? a.v[i] : b.v[i]; });
}
HWY_INLINE V4 abs4(V4 a) {
  return each([&](int i) { return a.v[i] < 0.0 ? -a.v[i] : a.v[i]; });
}
HWY_INLINE V4 if_less(V4 a, V4 b, V4 yes, V4 no) {
  return each([&](int i) { return a.v[i] < b.v[i] ? yes.v[i] : no.v[i]; });
}
HWY_INLINE V4 with_fourth(V4 a, double x) { return {{a.v[0], a.v[1], a.v[2], x}}; }
HWY_INLINE V4 row_sums(V4 a, V4 b, V4 c, V4 d) {
  const auto sum = [](const V4& r) { return ((r.v[0] + r.v[1]) + r.v[2]) + r.v[3]; };
  return {{sum(a), sum(b), sum(c), sum(d)}};
}
HWY_INLINE unsigned less_bits(V4 a, V4 b) {
  unsigned bits = 0u;
  for (int i = 0; i < 4; ++i) bits |= (a.v[i] < b.v[i] ? 1u : 0u) << i;
  return bits;
}
#endif

HWY_INLINE V4 load4(const Quad& q) { return load4(q.v); }
HWY_INLINE void store4(V4 a, Quad& q) { store4(a, q.v); }
/// Of the first three lanes.
HWY_INLINE double smallest3(V4 a) {
  Quad q;
  store4(a, q);
  return std::min(std::min(q.v[0], q.v[1]), q.v[2]);
}
HWY_INLINE double largest3(V4 a) {
  Quad q;
  store4(a, q);
  return std::max(std::max(q.v[0], q.v[1]), q.v[2]);
}
/// columns·x + constant, for a matrix of three columns and the first three entries of x.
HWY_INLINE V4 combine(const Quad columns[3], const Quad& x) {
  return load4(columns[0]) * set4(x.v[0]) + load4(columns[1]) * set4(x.v[1]) + load4(columns[2]) * set4(x.v[2]);
}

}  // namespace HWY_NAMESPACE
}  // namespace patchfield
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
