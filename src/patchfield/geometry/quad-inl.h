// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Quads in and out of four lanes. Included once per target.

#if defined(PATCHFIELD_GEOMETRY_QUAD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PATCHFIELD_GEOMETRY_QUAD_INL_H_
#undef PATCHFIELD_GEOMETRY_QUAD_INL_H_
#else
#define PATCHFIELD_GEOMETRY_QUAD_INL_H_
#endif

#include <algorithm>

#include "patchfield/core/lanes4-inl.h"
#include "patchfield/geometry/element_tree.h"

HWY_BEFORE_NAMESPACE();
namespace patchfield {
namespace HWY_NAMESPACE {

HWY_INLINE Lanes4 load(const Quad& q) { return load(q.v); }
HWY_INLINE void store(const Lanes4& a, Quad& q) { store(a, q.v); }
/// Of the first three lanes.
HWY_INLINE double smallest3(const Lanes4& a) {
  Quad q;
  store(a, q);
  return std::min(std::min(q.v[0], q.v[1]), q.v[2]);
}
HWY_INLINE double largest3(const Lanes4& a) {
  Quad q;
  store(a, q);
  return std::max(std::max(q.v[0], q.v[1]), q.v[2]);
}
/// columns·x for a matrix of three columns and the first three entries of x.
HWY_INLINE Lanes4 combine(const Quad columns[3], const Quad& x) {
  return load(columns[0]) * all(x.v[0]) + load(columns[1]) * all(x.v[1]) + load(columns[2]) * all(x.v[2]);
}

}  // namespace HWY_NAMESPACE
}  // namespace patchfield
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
