// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Four doubles as one value on every instruction set that Highway dispatches to. Only operations that round once per
// lane, and no fused multiply-add: the same bits everywhere (tests/core/lanes4_test.cpp). Included once per target.
//
// With 32-byte registers it is Highway's vector. Below that it is the compiler's own vector type, which it splits
// into two registers of SSE2 or NEON: Highway 1.0 has no SSE2 target, and an array of four one-lane
// vectors took g++ with a sanitizer more than five minutes to compile.

#if defined(PATCHFIELD_CORE_LANES4_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PATCHFIELD_CORE_LANES4_INL_H_
#undef PATCHFIELD_CORE_LANES4_INL_H_
#else
#define PATCHFIELD_CORE_LANES4_INL_H_
#endif

#include <cmath>
#include <cstdint>
#include <cstring>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace patchfield {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_MAX_BYTES >= 32

using D = hn::FixedTag<double, 4>;
struct Lanes4 {
  hn::Vec<D> v;
};
struct Mask4 {
  hn::Mask<D> m;
};

HWY_INLINE Lanes4 load(const double* x) { return {hn::LoadU(D(), x)}; }
HWY_INLINE void store(const Lanes4& a, double* x) { hn::StoreU(a.v, D(), x); }
HWY_INLINE Lanes4 all(double x) { return {hn::Set(D(), x)}; }
HWY_INLINE Lanes4 operator+(const Lanes4& a, const Lanes4& b) { return {hn::Add(a.v, b.v)}; }
HWY_INLINE Lanes4 operator-(const Lanes4& a, const Lanes4& b) { return {hn::Sub(a.v, b.v)}; }
HWY_INLINE Lanes4 operator*(const Lanes4& a, const Lanes4& b) { return {hn::Mul(a.v, b.v)}; }
HWY_INLINE Lanes4 operator/(const Lanes4& a, const Lanes4& b) { return {hn::Div(a.v, b.v)}; }
HWY_INLINE Lanes4 root(const Lanes4& a) { return {hn::Sqrt(a.v)}; }
HWY_INLINE Lanes4 magnitude(const Lanes4& a) { return {hn::Abs(a.v)}; }
HWY_INLINE Mask4 operator<(const Lanes4& a, const Lanes4& b) { return {hn::Lt(a.v, b.v)}; }
HWY_INLINE Mask4 operator<=(const Lanes4& a, const Lanes4& b) { return {hn::Le(a.v, b.v)}; }
HWY_INLINE Mask4 operator&(const Mask4& a, const Mask4& b) { return {hn::And(a.m, b.m)}; }
/// Bit i is set where lane i is true.
HWY_INLINE unsigned bits(const Mask4& mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(D(), mask.m, bytes);
  return bytes[0] & 15u;
}
HWY_INLINE Lanes4 choose(const Mask4& m, const Lanes4& yes, const Lanes4& no) {
  return {hn::IfThenElse(m.m, yes.v, no.v)};
}
/// `a` where the two are equal. x86 returns the second operand if it finds no order.
HWY_INLINE Lanes4 larger(const Lanes4& a, const Lanes4& b) { return {hn::Max(b.v, a.v)}; }
HWY_INLINE Lanes4 smaller(const Lanes4& a, const Lanes4& b) { return {hn::Min(b.v, a.v)}; }
HWY_INLINE Lanes4 with_fourth(const Lanes4& a, double x) {
  return {hn::ConcatUpperLower(D(), hn::OddEven(hn::Set(D(), x), a.v), a.v)};
}
/// ((a₀ + a₁) + a₂) + a₃ of each argument.
HWY_INLINE Lanes4 row_sums(const Lanes4& a, const Lanes4& b, const Lanes4& c, const Lanes4& d) {
  const auto ab_even = hn::InterleaveLower(D(), a.v, b.v), ab_odd = hn::InterleaveUpper(D(), a.v, b.v);
  const auto cd_even = hn::InterleaveLower(D(), c.v, d.v), cd_odd = hn::InterleaveUpper(D(), c.v, d.v);
  const auto t0 = hn::ConcatLowerLower(D(), cd_even, ab_even), t2 = hn::ConcatUpperUpper(D(), cd_even, ab_even);
  const auto t1 = hn::ConcatLowerLower(D(), cd_odd, ab_odd), t3 = hn::ConcatUpperUpper(D(), cd_odd, ab_odd);
  return {hn::Add(hn::Add(hn::Add(t0, t1), t2), t3)};
}

#else

typedef double Double4 __attribute__((vector_size(32)));
typedef long long Bits4 __attribute__((vector_size(32)));
struct Lanes4 {
  Double4 v;
};
struct Mask4 {
  Bits4 m;
};

HWY_INLINE Lanes4 load(const double* x) { return {Double4{x[0], x[1], x[2], x[3]}}; }
HWY_INLINE void store(const Lanes4& a, double* x) { std::memcpy(x, &a.v, sizeof(a.v)); }
HWY_INLINE Lanes4 all(double x) { return {Double4{x, x, x, x}}; }
HWY_INLINE Lanes4 operator+(const Lanes4& a, const Lanes4& b) { return {a.v + b.v}; }
HWY_INLINE Lanes4 operator-(const Lanes4& a, const Lanes4& b) { return {a.v - b.v}; }
HWY_INLINE Lanes4 operator*(const Lanes4& a, const Lanes4& b) { return {a.v * b.v}; }
HWY_INLINE Lanes4 operator/(const Lanes4& a, const Lanes4& b) { return {a.v / b.v}; }
HWY_INLINE Lanes4 root(const Lanes4& a) {
  return {Double4{std::sqrt(a.v[0]), std::sqrt(a.v[1]), std::sqrt(a.v[2]), std::sqrt(a.v[3])}};
}
HWY_INLINE Lanes4 magnitude(const Lanes4& a) {
  return {Double4{std::fabs(a.v[0]), std::fabs(a.v[1]), std::fabs(a.v[2]), std::fabs(a.v[3])}};
}
HWY_INLINE Mask4 operator<(const Lanes4& a, const Lanes4& b) { return {a.v < b.v}; }
HWY_INLINE Mask4 operator<=(const Lanes4& a, const Lanes4& b) { return {a.v <= b.v}; }
HWY_INLINE Mask4 operator&(const Mask4& a, const Mask4& b) { return {a.m & b.m}; }
HWY_INLINE unsigned bits(const Mask4& mask) {  // a true lane has all its bits set
  return static_cast<unsigned>((mask.m[0] & 1) | (mask.m[1] & 2) | (mask.m[2] & 4) | (mask.m[3] & 8));
}
HWY_INLINE Lanes4 choose(const Mask4& m, const Lanes4& yes, const Lanes4& no) { return {m.m ? yes.v : no.v}; }
HWY_INLINE Lanes4 larger(const Lanes4& a, const Lanes4& b) { return choose(a < b, b, a); }
HWY_INLINE Lanes4 smaller(const Lanes4& a, const Lanes4& b) { return choose(b < a, b, a); }
HWY_INLINE Lanes4 with_fourth(const Lanes4& a, double x) { return {Double4{a.v[0], a.v[1], a.v[2], x}}; }
HWY_INLINE Lanes4 row_sums(const Lanes4& a, const Lanes4& b, const Lanes4& c, const Lanes4& d) {
  const auto sum = [](const Lanes4& r) { return ((r.v[0] + r.v[1]) + r.v[2]) + r.v[3]; };
  return {Double4{sum(a), sum(b), sum(c), sum(d)}};
}

#endif

HWY_INLINE Lanes4 or_zero(const Mask4& m, const Lanes4& yes) { return choose(m, yes, all(0.0)); }
HWY_INLINE double sum(const Lanes4& a) {
  double x[4];
  store(a, x);
  return (x[0] + x[1]) + (x[2] + x[3]);
}

}  // namespace HWY_NAMESPACE
}  // namespace patchfield
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
