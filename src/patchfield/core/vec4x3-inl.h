// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Vectors and twists at four points, one lane each. Included once per target.

#if defined(PATCHFIELD_CORE_VEC4X3_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PATCHFIELD_CORE_VEC4X3_INL_H_
#undef PATCHFIELD_CORE_VEC4X3_INL_H_
#else
#define PATCHFIELD_CORE_VEC4X3_INL_H_
#endif

#include "patchfield/core/lanes4-inl.h"
#include "patchfield/core/types.h"

HWY_BEFORE_NAMESPACE();
namespace patchfield {
namespace HWY_NAMESPACE {

struct Vec4x3 {
  Lanes4 x, y, z;
};
HWY_INLINE Lanes4 dot(const Vec4x3& a, const Vec4x3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
HWY_INLINE Vec4x3 cross(const Vec4x3& a, const Vec4x3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// One twist for all four lanes.
struct Twist4 {
  Vec4x3 w, v;
  HWY_INLINE explicit Twist4(const Vec6& V) : w{all(V[0]), all(V[1]), all(V[2])}, v{all(V[3]), all(V[4]), all(V[5])} {}
  /// v_c = v_o + ω×r
  HWY_INLINE Vec4x3 at(const Vec4x3& r) const {
    const Vec4x3 wr = cross(w, r);
    return {v.x + wr.x, v.y + wr.y, v.z + wr.z};
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace patchfield
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
