// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Four doubles as one value on every instruction set: one AVX2 register or two of SSE2 or NEON.
// Only operations that round once per lane: the same bits everywhere. Included once per target.

#if defined(PATCHFIELD_SOLVER_LANES4_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PATCHFIELD_SOLVER_LANES4_INL_H_
#undef PATCHFIELD_SOLVER_LANES4_INL_H_
#else
#define PATCHFIELD_SOLVER_LANES4_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace patchfield {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, 4>;
constexpr int kWidth = static_cast<int>(hn::MaxLanes(D()));
constexpr int kParts = 4 / kWidth;

struct Lanes4 {
  hn::Vec<D> part[kParts];
};
struct Mask4 {
  hn::Mask<D> part[kParts];
};

#define PATCHFIELD_LANES4_BINARY(name, op)                                       \
  HWY_INLINE Lanes4 name(const Lanes4& a, const Lanes4& b) {                     \
    Lanes4 out;                                                                  \
    for (int i = 0; i < kParts; ++i) out.part[i] = hn::op(a.part[i], b.part[i]); \
    return out;                                                                  \
  }
PATCHFIELD_LANES4_BINARY(operator+, Add)
PATCHFIELD_LANES4_BINARY(operator-, Sub)
PATCHFIELD_LANES4_BINARY(operator*, Mul)
PATCHFIELD_LANES4_BINARY(operator/, Div)
PATCHFIELD_LANES4_BINARY(larger, Max)
PATCHFIELD_LANES4_BINARY(smaller, Min)
#undef PATCHFIELD_LANES4_BINARY

HWY_INLINE Lanes4 load(const double* x) {
  Lanes4 out;
  for (int i = 0; i < kParts; ++i) out.part[i] = hn::LoadU(D(), x + i * kWidth);
  return out;
}
HWY_INLINE void store(const Lanes4& a, double* x) {
  for (int i = 0; i < kParts; ++i) hn::StoreU(a.part[i], D(), x + i * kWidth);
}
HWY_INLINE Lanes4 all(double x) {
  Lanes4 out;
  for (int i = 0; i < kParts; ++i) out.part[i] = hn::Set(D(), x);
  return out;
}
HWY_INLINE Lanes4 root(const Lanes4& a) {
  Lanes4 out;
  for (int i = 0; i < kParts; ++i) out.part[i] = hn::Sqrt(a.part[i]);
  return out;
}
HWY_INLINE Mask4 operator<(const Lanes4& a, const Lanes4& b) {
  Mask4 out;
  for (int i = 0; i < kParts; ++i) out.part[i] = hn::Lt(a.part[i], b.part[i]);
  return out;
}
HWY_INLINE Mask4 operator<=(const Lanes4& a, const Lanes4& b) {
  Mask4 out;
  for (int i = 0; i < kParts; ++i) out.part[i] = hn::Le(a.part[i], b.part[i]);
  return out;
}
HWY_INLINE Mask4 operator&(const Mask4& a, const Mask4& b) {
  Mask4 out;
  for (int i = 0; i < kParts; ++i) out.part[i] = hn::And(a.part[i], b.part[i]);
  return out;
}
HWY_INLINE Lanes4 choose(const Mask4& m, const Lanes4& yes, const Lanes4& no) {
  Lanes4 out;
  for (int i = 0; i < kParts; ++i) out.part[i] = hn::IfThenElse(m.part[i], yes.part[i], no.part[i]);
  return out;
}
HWY_INLINE Lanes4 or_zero(const Mask4& m, const Lanes4& yes) {
  Lanes4 out;
  for (int i = 0; i < kParts; ++i) out.part[i] = hn::IfThenElseZero(m.part[i], yes.part[i]);
  return out;
}
HWY_INLINE double sum(const Lanes4& a) {
  double x[4];
  store(a, x);
  return (x[0] + x[1]) + (x[2] + x[3]);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace patchfield
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
