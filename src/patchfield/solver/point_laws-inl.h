// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The contact laws at four points: v_n, v_t → impulse, potential and the coefficients of G
// (point_kernels.h). Included once per target.

#if defined(PATCHFIELD_SOLVER_POINT_LAWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PATCHFIELD_SOLVER_POINT_LAWS_INL_H_
#undef PATCHFIELD_SOLVER_POINT_LAWS_INL_H_
#else
#define PATCHFIELD_SOLVER_POINT_LAWS_INL_H_
#endif

#include "patchfield/core/lanes4-inl.h"
#include "patchfield/solver/point_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace patchfield {
namespace HWY_NAMESPACE {
namespace {

// Each law also tells when a block is idle, i.e. when none of its points has an impulse or a stiffness: points that
// wait and are not reached. Then it is left out, which is exact and costs a tenth.

/// Impulse γ = γ_n n̂ − c_t v_t and, as in point_kernels.h, G by a, b, c, e, f.
struct LawValues {
  Lanes4 gn, ct, cost;
  Lanes4 a, b, c, e, f;
  Lanes4 stick;  ///< 1 where the point sticks.
  // With duals u ≈ v_t/reach: c v_t v_tᵀ becomes rest v_t v_tᵀ − ½ a lean (u v_tᵀ + v_t uᵀ).
  Lanes4 rest, lean, reach;
};

// Slip speeds below this are zero: their direction is noise, and its square must not underflow.
constexpr double kTinySpeed = 1e-40;

/// γ = P(y), y = R⁻¹(v̂ − v_c), the projection in the norm of R on the friction cone [SAP]. With
/// u = v̂_n − v_n, v_r = ‖v_t‖ and g = 1/(R_n + μ²R_t), theory.md §5 becomes, free of μ̂ = μR_t/R_n,
///   stick  v_r/R_t < μ u/R_n:  γ_n = u/R_n,            c_t = 1/R_t,      cost ½(u²/R_n + v_r²/R_t)
///   slip   u + μ v_r > 0:      γ_n = g(u + μ v_r),     c_t = μγ_n/v_r,   cost ½γ_n²/g
///   G_slip = g(n̂ − μt̂)(n̂ − μt̂)ᵀ + c_t(I − n̂n̂ᵀ − t̂t̂ᵀ), t̂ = v_t/v_r.
/// Stick needs u > 0, which the strict inequality implies. With ≤ a frictionless point at v_t = 0 would stick whatever
/// u is: it would pull where u < 0, and have a tangential stiffness of 1/R_t everywhere. A slipping point obeys [PFC
/// eq:scheme_mdp_multiplier, eq:scheme_mdp_cone]; a sticking one creeps at R_t γ_t.
struct SapLaw {
  Lanes4 mu;
  HWY_INLINE explicit SapLaw(const PatchLaw& patch) : mu(all(patch.mu)) {}

  HWY_INLINE bool is_idle(const PointBlock& block, const Lanes4& vn, const Lanes4& vr2) const {
    return bits(all(0.0) < load(block.c0) - vn + mu * root(vr2)) == 0;
  }

  HWY_INLINE LawValues operator()(const PointBlock& block, const Lanes4& vn, const Lanes4& vr2) const {
    const Lanes4 zero = all(0.0), half = all(0.5);
    const Lanes4 u = load(block.c0) - vn, inv_Rn = load(block.c1), inv_Rt = load(block.c2);
    const Lanes4 vr = root(vr2), inv_vr = all(1.0) / larger(vr, all(kTinySpeed));
    const Lanes4 push = u + mu * vr;
    const Mask4 sticks = vr * inv_Rt < mu * (u * inv_Rn);
    const Lanes4 g = or_zero(zero < push, load(block.c3));
    const Lanes4 gn_slip = g * push;

    LawValues out;
    out.gn = choose(sticks, u * inv_Rn, gn_slip);
    out.ct = choose(sticks, inv_Rt, mu * gn_slip * inv_vr);
    out.cost = half * choose(sticks, u * out.gn + vr2 * inv_Rt, gn_slip * push);
    out.a = out.ct;
    out.b = choose(sticks, inv_Rn, g) - out.a;
    out.c = choose(sticks, zero, (g * mu * mu - out.a) * inv_vr * inv_vr);
    out.e = choose(sticks, zero, zero - g * mu * inv_vr);
    out.f = zero;
    out.stick = or_zero(sticks & (zero < out.gn), all(1.0));
    out.rest = choose(sticks, zero, g * mu * mu * inv_vr * inv_vr);
    out.lean = choose(sticks, zero, inv_vr);
    out.reach = choose(sticks, mu * out.gn / larger(inv_Rt, all(1e-300)), vr);
    return out;
  }
};

/// Hunt–Crossley, implicit in v_n: γ_n = δt k x y, x = (−φ₀ − δt(v_n − a))₊, y = (1 − d(v_n − b))₊. Both factors fall
/// with v_n, so it is the slope of a convex potential, N(v_n) = ∫ γ_n from v_n to where γ_n ends. Without dissipation
/// and convection, d = a = 0, it is [PFC eq:elastic_force].
struct HuntCrossley {
  Lanes4 dt, d, inv_dt, inv_d;
  HWY_INLINE explicit HuntCrossley(const PatchLaw& p)
      : dt(all(p.dt)), d(all(p.hunt_crossley)), inv_dt(all(1.0 / p.dt)),
        inv_d(all(p.hunt_crossley > 0.0 ? 1.0 / p.hunt_crossley : 1e300)) {}

  struct Values {
    Lanes4 gn, slope, cost;  ///< γ_n, −dγ_n/dv_n ≥ 0, N.
  };
  HWY_INLINE bool is_idle(const PointBlock& block, const Lanes4& vn) const {
    return bits(all(0.0) < all(0.0) - load(block.c1) - dt * (vn - load(block.c3))) == 0;
  }
  HWY_INLINE Values operator()(const PointBlock& block, const Lanes4& vn) const {
    const Lanes4 k = load(block.c0), phi0 = load(block.c1), a = load(block.c3), b = load(block.c4);
    const Lanes4 zero = all(0.0);
    const Lanes4 x = zero - phi0 - dt * (vn - a), y = all(1.0) - d * (vn - b);
    const Mask4 touches = (zero < x) & (zero < y);
    const Lanes4 k_dt = dt * k;
    Values out;
    out.gn = or_zero(touches, k_dt * x * y);
    out.slope = or_zero(touches, k_dt * (dt * y + d * x));
    // N = γ_n s − ½ slope s² + ⅙ γ_n″ s³ exactly, s = how far v_n is from the end of the contact.
    const Lanes4 s = smaller(a - phi0 * inv_dt, inv_d + b) - vn;
    const Lanes4 cubic = all(1.0 / 3.0) * k_dt * dt * d;
    out.cost = or_zero(touches, s * (out.gn - s * (all(0.5) * out.slope - s * cubic)));
    return out;
  }
};

/// γ_t = −μγ_n v_t/√(‖v_t‖² + v_s²).
/// kFrozen: μγ_n is a given number, and γ_t the slope of μγ_n(√(‖v_t‖² + v_s²) − v_s) [ICF].
/// Otherwise γ_n is implicit in it, and ∂γ_t/∂v_n has no mirror image in ∂γ_n/∂v_t, hence f.
template <bool kFrozen>
struct LaggedLawOf {
  HuntCrossley normal;
  Lanes4 mu, vs, vs2;
  HWY_INLINE explicit LaggedLawOf(const PatchLaw& p)
      : normal(p), mu(all(p.mu)), vs(all(p.stiction_speed)), vs2(all(p.stiction_speed * p.stiction_speed)) {}

  HWY_INLINE bool is_idle(const PointBlock& block, const Lanes4& vn, const Lanes4& /*vr2*/) const {
    return normal.is_idle(block, vn) && (!kFrozen || bits(all(0.0) < load(block.c2)) == 0);
  }

  HWY_INLINE LawValues operator()(const PointBlock& block, const Lanes4& vn, const Lanes4& vr2) const {
    const Lanes4 zero = all(0.0);
    const HuntCrossley::Values n = normal(block, vn);
    const Lanes4 bound = kFrozen ? load(block.c2) : mu * n.gn;
    const Lanes4 soft = root(vr2 + vs2), inv_soft = all(1.0) / soft;
    LawValues out;
    out.gn = n.gn;
    out.ct = bound * inv_soft;
    out.cost = kFrozen ? n.cost + bound * (vr2 / (soft + vs)) : zero;
    out.a = out.ct;
    out.b = n.slope - out.a;
    out.c = zero - out.a * inv_soft * inv_soft;
    out.e = zero;
    out.f = kFrozen ? zero : zero - mu * n.slope * inv_soft;
    out.stick = or_zero((zero < n.gn) & (vr2 < vs2), all(1.0));
    out.rest = zero;
    out.lean = inv_soft;
    out.reach = soft;
    return out;
  }
};

/// γ_t = −μγ_n s(x) v_t/‖v_t‖, x = ‖v_t‖/v_s, s = x(2 − x) below 1, else 1 [TAMSI].
/// kFrozen: μγ_n is a given number, and γ_t the slope of μγ_n v_s S(x), S = x² − x³/3 below 1, else x − 1/3.
/// Otherwise γ_n is implicit in it, and ∂γ_t/∂v_n = μ·slope·s·t̂ has no mirror image in ∂γ_n/∂v_t, hence f.
template <bool kFrozen>
struct TamsiLawOf {
  HuntCrossley normal;
  Lanes4 mu, vs, inv_vs;
  HWY_INLINE explicit TamsiLawOf(const PatchLaw& p)
      : normal(p), mu(all(p.mu)), vs(all(p.stiction_speed)), inv_vs(all(1.0 / p.stiction_speed)) {}

  HWY_INLINE bool is_idle(const PointBlock& block, const Lanes4& vn, const Lanes4& /*vr2*/) const {
    return normal.is_idle(block, vn) && (!kFrozen || bits(all(0.0) < load(block.c2)) == 0);
  }

  HWY_INLINE LawValues operator()(const PointBlock& block, const Lanes4& vn, const Lanes4& vr2) const {
    const Lanes4 zero = all(0.0);
    const HuntCrossley::Values n = normal(block, vn);
    const Lanes4 vr = root(vr2), inv_vr = all(1.0) / larger(vr, all(kTinySpeed)), x = vr * inv_vs;
    const Mask4 sticks = vr < vs;
    const Lanes4 s_over_vr = choose(sticks, (all(2.0) - x) * inv_vs, inv_vr);
    const Lanes4 bound = kFrozen ? load(block.c2) : mu * n.gn;
    LawValues out;
    out.gn = n.gn;
    out.ct = bound * s_over_vr;
    out.cost = zero;
    if (kFrozen)
      out.cost = n.cost + bound * choose(sticks, vr * x * (all(1.0) - x * all(1.0 / 3.0)), vr - vs * all(1.0 / 3.0));
    out.a = out.ct;
    out.b = n.slope - out.a;
    // t̂t̂ᵀ part: μγ_n s′/v_s − a, divided by ‖v_t‖².
    out.c = zero - bound * inv_vr * choose(sticks, inv_vs * inv_vs, inv_vr * inv_vr);
    out.e = zero;
    out.f = kFrozen ? zero : zero - mu * n.slope * s_over_vr;
    out.stick = or_zero((zero < n.gn) & sticks, all(1.0));
    out.rest = or_zero(sticks, out.c);
    out.lean = choose(sticks, zero, inv_vr);
    out.reach = choose(sticks, vs / (all(2.0) - x), vr);
    return out;
  }
};
using LaggedLaw = LaggedLawOf<true>;
using LaggedCoupledLaw = LaggedLawOf<false>;
using TamsiLaw = TamsiLawOf<false>;
using TamsiFrozenLaw = TamsiLawOf<true>;

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace patchfield
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
