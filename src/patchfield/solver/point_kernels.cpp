// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/solver/point_kernels.h"

// AVX-512 brings masks but no shorter path for four lanes; SSSE3 and SSE4 nothing for doubles.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "patchfield/solver/point_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "patchfield/core/vec4x3-inl.h"
#include "patchfield/solver/point_laws-inl.h"

HWY_BEFORE_NAMESPACE();
namespace patchfield {
namespace HWY_NAMESPACE {
namespace {

/// Where the points are and how they move.
struct Motion {
  Vec4x3 r, n, vt;
  Lanes4 vn, vr2;
  HWY_INLINE Motion(const PointBlock& b, const Twist4& V)
      : r{load(b.rx), load(b.ry), load(b.rz)}, n{load(b.nx), load(b.ny), load(b.nz)} {
    const Vec4x3 vc = V.at(r);
    vn = dot(n, vc);
    vt = {vc.x - vn * n.x, vc.y - vn * n.y, vc.z - vn * n.z};
    vr2 = dot(vt, vt);
  }
};

HWY_INLINE Vec4x3 impulse(const LawValues& law, const Motion& m) {
  return {law.gn * m.n.x - law.ct * m.vt.x, law.gn * m.n.y - law.ct * m.vt.y, law.gn * m.n.z - law.ct * m.vt.z};
}

/// H = [[r]× G [r]×ᵀ, [r]× G; ·, G]: lower triangle of the ωω part, the ωv part, lower triangle of the vv part.
struct SymmetricSums {
  Lanes4 ww[6], wv[9], vv[6];

  /// G = a I + b n nᵀ + t qᵀ + q tᵀ with q = ½c t + e n.
  HWY_INLINE void add(const LawValues& k, const Motion& m) {
    const Lanes4 half_c = all(0.5) * k.c;
    add(k, m, {half_c * m.vt.x + k.e * m.n.x, half_c * m.vt.y + k.e * m.n.y, half_c * m.vt.z + k.e * m.n.z});
  }
  /// The same with q = ½(rest t − a lean u) + e n.
  HWY_INLINE void add(const LawValues& k, const Motion& m, const DualBlock& dual) {
    const Lanes4 along = all(0.5) * k.rest, lean = all(0.5) * k.a * k.lean;
    add(k, m,
        {along * m.vt.x - lean * load(dual.ux) + k.e * m.n.x, along * m.vt.y - lean * load(dual.uy) + k.e * m.n.y,
         along * m.vt.z - lean * load(dual.uz) + k.e * m.n.z});
  }

  HWY_INLINE void add(const LawValues& k, const Motion& m, const Vec4x3& q) {
    const Vec4x3 &n = m.n, &t = m.vt;
    const Vec4x3 p{k.b * n.x, k.b * n.y, k.b * n.z};
    const Lanes4 tqx = t.x * q.x, tqy = t.y * q.y, tqz = t.z * q.z;
    const Lanes4 xx = k.a + (n.x * p.x + (tqx + tqx)), xy = n.x * p.y + (t.x * q.y + t.y * q.x);
    const Lanes4 yy = k.a + (n.y * p.y + (tqy + tqy)), xz = n.x * p.z + (t.x * q.z + t.z * q.x);
    const Lanes4 zz = k.a + (n.z * p.z + (tqz + tqz)), yz = n.y * p.z + (t.y * q.z + t.z * q.y);
    const Lanes4 g[6] = {xx, xy, xz, yy, yz, zz};
    for (int i = 0; i < 6; ++i) vv[i] = vv[i] + g[i];
    // K = [r]× G, column by column; then row i of K crossed with r gives row i of [r]× G [r]×ᵀ.
    const Vec4x3 kx = cross(m.r, {xx, xy, xz}), ky = cross(m.r, {xy, yy, yz}), kz = cross(m.r, {xz, yz, zz});
    const Lanes4 K[9] = {kx.x, kx.y, kx.z, ky.x, ky.y, ky.z, kz.x, kz.y, kz.z};
    for (int i = 0; i < 9; ++i) wv[i] = wv[i] + K[i];
    ww[0] = ww[0] + (m.r.y * kz.x - m.r.z * ky.x);
    ww[1] = ww[1] + (m.r.y * kz.y - m.r.z * ky.y);
    ww[2] = ww[2] + (m.r.y * kz.z - m.r.z * ky.z);
    ww[3] = ww[3] + (m.r.z * kx.y - m.r.x * kz.y);
    ww[4] = ww[4] + (m.r.z * kx.z - m.r.x * kz.z);
    ww[5] = ww[5] + (m.r.x * ky.z - m.r.y * kx.z);
  }

  HWY_INLINE void write(Mat6& H) const {
    static constexpr int kRow[6] = {0, 1, 2, 1, 2, 2}, kCol[6] = {0, 0, 0, 1, 1, 2};
    for (int i = 0; i < 6; ++i) {
      H(kRow[i], kCol[i]) = H(kCol[i], kRow[i]) = sum(ww[i]);
      H(3 + kRow[i], 3 + kCol[i]) = H(3 + kCol[i], 3 + kRow[i]) = sum(vv[i]);
    }
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) H(i, 3 + j) = H(3 + j, i) = sum(wv[3 * j + i]);
  }
};

/// What the coupled laws add: Σ f (Bᵀv_t)(Bᵀn̂)ᵀ.
struct CouplingSums {
  Lanes4 M[36];

  HWY_INLINE void add(const LawValues& k, const Motion& m) {
    const Vec4x3 rt = cross(m.r, m.vt), rn = cross(m.r, m.n);
    const Lanes4 t[6] = {k.f * rt.x, k.f * rt.y, k.f * rt.z, k.f * m.vt.x, k.f * m.vt.y, k.f * m.vt.z};
    const Lanes4 n[6] = {rn.x, rn.y, rn.z, m.n.x, m.n.y, m.n.z};
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i) M[6 * j + i] = M[6 * j + i] + t[i] * n[j];
  }
  HWY_INLINE void add_to(Mat6& H) const {
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i) H(i, j) += sum(M[6 * j + i]);
  }
};

enum class Hessian { kNone, kTrue, kCoupled, kDual };

template <class Law, Hessian kind>
HWY_NOINLINE void SumPointsOf(const PatchLaw& patch, const PointBlock* blocks, const DualBlock* duals, int num_blocks,
                              const Vec6& twist, PatchSums& out) {
  constexpr bool kCoupled = kind == Hessian::kCoupled;
  const Law law(patch);
  const Twist4 V(twist);
  SymmetricSums H;
  CouplingSums C;
  const Lanes4 zero = all(0.0);
  for (int i = 0; i < 6; ++i) H.ww[i] = H.vv[i] = zero;
  for (int i = 0; i < 9; ++i) H.wv[i] = zero;
  if (kCoupled)
    for (int i = 0; i < 36; ++i) C.M[i] = zero;
  Vec4x3 force{zero, zero, zero}, moment = force;
  Lanes4 cost = zero;
  for (int i = 0; i < num_blocks; ++i) {
    const Motion m(blocks[i], V);
    if (law.is_idle(blocks[i], m.vn, m.vr2)) continue;
    const LawValues values = law(blocks[i], m.vn, m.vr2);
    const Vec4x3 gamma = impulse(values, m), rg = cross(m.r, gamma);
    cost = cost + values.cost;
    force = {force.x + gamma.x, force.y + gamma.y, force.z + gamma.z};
    moment = {moment.x + rg.x, moment.y + rg.y, moment.z + rg.z};
    if (kind == Hessian::kDual) H.add(values, m, duals[i]);
    else if (kind != Hessian::kNone) H.add(values, m);
    if (kCoupled) C.add(values, m);
  }
  out.cost = sum(cost);
  out.F << sum(moment.x), sum(moment.y), sum(moment.z), sum(force.x), sum(force.y), sum(force.z);
  if (kind != Hessian::kNone) H.write(out.H);
  if (kCoupled) C.add_to(out.H);
}

template <class Law>
HWY_NOINLINE LineSums SumAlongOf(const PatchLaw& patch, const PointBlock* blocks, int num_blocks, const Vec6& twist,
                                 const Vec6& dtwist) {
  const Law law(patch);
  const Twist4 V(twist), dV(dtwist);
  Lanes4 slope = all(0.0), curvature = slope;
  for (int i = 0; i < num_blocks; ++i) {
    const Motion m(blocks[i], V);
    if (law.is_idle(blocks[i], m.vn, m.vr2)) continue;
    const LawValues k = law(blocks[i], m.vn, m.vr2);
    const Vec4x3 dv = dV.at(m.r);
    const Lanes4 dn = dot(m.n, dv), dt = dot(m.vt, dv);
    slope = slope + (k.ct * dt - k.gn * dn);
    curvature = curvature + (k.a * dot(dv, dv) + k.b * dn * dn + dt * (k.c * dt + (k.e + k.e + k.f) * dn));
  }
  return {sum(slope), sum(curvature)};
}

template <class Law>
HWY_NOINLINE void PointResultsOf(const PatchLaw& patch, const PointBlock* blocks, int num_blocks, const Vec6& twist,
                                 PointResults* out) {
  const Law law(patch);
  const Twist4 V(twist);
  for (int i = 0; i < num_blocks; ++i, ++out) {
    const Motion m(blocks[i], V);
    const LawValues k = law(blocks[i], m.vn, m.vr2);
    const Vec4x3 gamma = impulse(k, m);
    store(gamma.x, out->gx), store(gamma.y, out->gy), store(gamma.z, out->gz);
    store(k.gn, out->gn), store(m.vn, out->vn);
    store(m.vt.x, out->vtx), store(m.vt.y, out->vty), store(m.vt.z, out->vtz);
    store(k.stick, out->stick);
  }
}

template <class Law>
HWY_NOINLINE void UpdateDualsOf(const PatchLaw& patch, const PointBlock* blocks, int num_blocks, const Vec6& twist,
                                const Vec6& dtwist, DualBlock* duals) {
  const Law law(patch);
  const Twist4 V(twist), dV(dtwist);
  for (int i = 0; i < num_blocks; ++i) {
    const Motion m(blocks[i], V);
    const LawValues k = law(blocks[i], m.vn, m.vr2);
    const Vec4x3 dv = dV.at(m.r);
    const Lanes4 dn = dot(m.n, dv), turn = dot(m.vt, dv) * k.lean;
    // u ← (v_t + Δ_t − u lean v_t·Δ_t)/reach, and back into the unit disc.
    const Lanes4 inv_reach = all(1.0) / larger(k.reach, all(kTinySpeed));
    const Vec4x3 u{(m.vt.x + (dv.x - dn * m.n.x) - turn * load(duals[i].ux)) * inv_reach,
                   (m.vt.y + (dv.y - dn * m.n.y) - turn * load(duals[i].uy)) * inv_reach,
                   (m.vt.z + (dv.z - dn * m.n.z) - turn * load(duals[i].uz)) * inv_reach};
    const Lanes4 shrink = all(1.0) / larger(root(dot(u, u)), all(1.0));
    store(shrink * u.x, duals[i].ux), store(shrink * u.y, duals[i].uy), store(shrink * u.z, duals[i].uz);
  }
}

template <class Law>
void SumPointsMaybeDual(const PatchLaw& patch, const PointBlock* blocks, const DualBlock* duals, int n, const Vec6& V,
                        PatchSums& out) {
  if (duals != nullptr) SumPointsOf<Law, Hessian::kDual>(patch, blocks, duals, n, V, out);
  else SumPointsOf<Law, Hessian::kTrue>(patch, blocks, duals, n, V, out);
}

void SumPoints(PointLaw law, const PatchLaw& patch, const PointBlock* blocks, const DualBlock* duals, int n,
               const Vec6& V, PatchSums& out) {
  switch (law) {
    case PointLaw::kSap: return SumPointsMaybeDual<SapLaw>(patch, blocks, duals, n, V, out);
    case PointLaw::kLagged: return SumPointsMaybeDual<LaggedLaw>(patch, blocks, duals, n, V, out);
    case PointLaw::kLaggedCoupled:
      return SumPointsOf<LaggedCoupledLaw, Hessian::kCoupled>(patch, blocks, nullptr, n, V, out);
    case PointLaw::kTamsi: return SumPointsOf<TamsiLaw, Hessian::kCoupled>(patch, blocks, nullptr, n, V, out);
    case PointLaw::kTamsiFrozen: return SumPointsMaybeDual<TamsiFrozenLaw>(patch, blocks, duals, n, V, out);
  }
}

void SumImpulses(PointLaw law, const PatchLaw& patch, const PointBlock* blocks, int n, const Vec6& V, PatchSums& out) {
  constexpr auto kNone = Hessian::kNone;
  switch (law) {
    case PointLaw::kSap: return SumPointsOf<SapLaw, kNone>(patch, blocks, nullptr, n, V, out);
    case PointLaw::kLagged: return SumPointsOf<LaggedLaw, kNone>(patch, blocks, nullptr, n, V, out);
    case PointLaw::kLaggedCoupled: return SumPointsOf<LaggedCoupledLaw, kNone>(patch, blocks, nullptr, n, V, out);
    case PointLaw::kTamsi: return SumPointsOf<TamsiLaw, kNone>(patch, blocks, nullptr, n, V, out);
    case PointLaw::kTamsiFrozen: return SumPointsOf<TamsiFrozenLaw, kNone>(patch, blocks, nullptr, n, V, out);
  }
}

void UpdateDuals(PointLaw law, const PatchLaw& patch, const PointBlock* blocks, int n, const Vec6& V, const Vec6& dV,
                 DualBlock* duals) {
  switch (law) {
    case PointLaw::kSap: return UpdateDualsOf<SapLaw>(patch, blocks, n, V, dV, duals);
    case PointLaw::kLagged: return UpdateDualsOf<LaggedLaw>(patch, blocks, n, V, dV, duals);
    case PointLaw::kLaggedCoupled:
    case PointLaw::kTamsi: return;
    case PointLaw::kTamsiFrozen: return UpdateDualsOf<TamsiFrozenLaw>(patch, blocks, n, V, dV, duals);
  }
}

LineSums SumPointsAlong(PointLaw law, const PatchLaw& patch, const PointBlock* blocks, int n, const Vec6& V,
                        const Vec6& dV) {
  switch (law) {
    case PointLaw::kSap: return SumAlongOf<SapLaw>(patch, blocks, n, V, dV);
    case PointLaw::kLagged: return SumAlongOf<LaggedLaw>(patch, blocks, n, V, dV);
    case PointLaw::kLaggedCoupled: return SumAlongOf<LaggedCoupledLaw>(patch, blocks, n, V, dV);
    case PointLaw::kTamsi: return SumAlongOf<TamsiLaw>(patch, blocks, n, V, dV);
    case PointLaw::kTamsiFrozen: return SumAlongOf<TamsiFrozenLaw>(patch, blocks, n, V, dV);
  }
  return {};
}

void ResultsOfPoints(PointLaw law, const PatchLaw& patch, const PointBlock* blocks, int n, const Vec6& V,
                     PointResults* out) {
  switch (law) {
    case PointLaw::kSap: return PointResultsOf<SapLaw>(patch, blocks, n, V, out);
    case PointLaw::kLagged: return PointResultsOf<LaggedLaw>(patch, blocks, n, V, out);
    case PointLaw::kLaggedCoupled: return PointResultsOf<LaggedCoupledLaw>(patch, blocks, n, V, out);
    case PointLaw::kTamsi: return PointResultsOf<TamsiLaw>(patch, blocks, n, V, out);
    case PointLaw::kTamsiFrozen: return PointResultsOf<TamsiFrozenLaw>(patch, blocks, n, V, out);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace patchfield
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace patchfield {

HWY_EXPORT(SumPoints);
HWY_EXPORT(SumImpulses);
HWY_EXPORT(UpdateDuals);
HWY_EXPORT(SumPointsAlong);
HWY_EXPORT(ResultsOfPoints);

void sum_points(PointLaw law, const PatchLaw& patch, const PointBlock* blocks, const DualBlock* duals, int n,
                const Vec6& V, PatchSums& out) {
  HWY_DYNAMIC_DISPATCH(SumPoints)(law, patch, blocks, duals, n, V, out);
}

void sum_impulses(PointLaw law, const PatchLaw& patch, const PointBlock* blocks, int n, const Vec6& V, PatchSums& out) {
  HWY_DYNAMIC_DISPATCH(SumImpulses)(law, patch, blocks, n, V, out);
}

void update_duals(PointLaw law, const PatchLaw& patch, const PointBlock* blocks, int n, const Vec6& V, const Vec6& dV,
                  DualBlock* duals) {
  HWY_DYNAMIC_DISPATCH(UpdateDuals)(law, patch, blocks, n, V, dV, duals);
}

LineSums sum_points_along(PointLaw law, const PatchLaw& patch, const PointBlock* blocks, int n, const Vec6& V,
                          const Vec6& dV) {
  return HWY_DYNAMIC_DISPATCH(SumPointsAlong)(law, patch, blocks, n, V, dV);
}

void point_results(PointLaw law, const PatchLaw& patch, const PointBlock* blocks, int n, const Vec6& V,
                   PointResults* out) {
  HWY_DYNAMIC_DISPATCH(ResultsOfPoints)(law, patch, blocks, n, V, out);
}

}  // namespace patchfield
#endif  // HWY_ONCE
