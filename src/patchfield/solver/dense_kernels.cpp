// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/solver/dense_kernels.h"

#include <cmath>
#include <utility>

// AVX-512 gains little on panels this narrow; SSSE3 and SSE4 have nothing for doubles that SSE2 lacks.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "patchfield/solver/dense_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace patchfield {
namespace HWY_NAMESPACE {
namespace {

// y[i] −= a·x[i]. Plain loops: the compiler vectorises them for each target, lane by lane, same bits.
inline void subtract_multiple(double* HWY_RESTRICT y, const double* HWY_RESTRICT x, double a, int n) {
  for (int i = 0; i < n; ++i) y[i] -= a * x[i];
}

// y −= X a over four columns of X at a time: y is loaded and stored once instead of four times.
inline void subtract_columns(double* HWY_RESTRICT y, const double* X, int ldx, const double* a, int lda, int n, int k) {
  int j = 0;
  for (; j + 4 <= k; j += 4) {
    const double* HWY_RESTRICT x0 = X + static_cast<long>(j) * ldx;
    const double* HWY_RESTRICT x1 = x0 + ldx;
    const double* HWY_RESTRICT x2 = x1 + ldx;
    const double* HWY_RESTRICT x3 = x2 + ldx;
    const double a0 = a[j * lda], a1 = a[(j + 1) * lda], a2 = a[(j + 2) * lda], a3 = a[(j + 3) * lda];
    for (int i = 0; i < n; ++i) y[i] = (((y[i] - a0 * x0[i]) - a1 * x1[i]) - a2 * x2[i]) - a3 * x3[i];
  }
  for (; j < k; ++j) subtract_multiple(y, X + static_cast<long>(j) * ldx, a[j * lda], n);
}

bool CholeskyPanel(double* P, int n, int m, int ld) {
  const int rows = n + m;
  for (int j = 0; j < n; ++j) {
    // Left-looking: column j minus what the columns before it contribute.
    double* column = P + static_cast<long>(j) * ld;
    subtract_columns(column + j, P + j, ld, P + j, ld, rows - j, j);
    const double d = column[j];
    if (!(d > 0.0) || !(d < 1e300)) return false;  // also catches NaN
    const double root = std::sqrt(d), inverse = 1.0 / root;
    column[j] = root;
    for (int i = j + 1; i < rows; ++i) column[i] *= inverse;
  }
  return true;
}

bool LuPanel(double* P, int n, int m, int ld, double* Q, int ldq, int* pivots) {
  const int rows = n + m;
  for (int j = 0; j < n; ++j) {
    double* column = P + static_cast<long>(j) * ld;
    int pivot = j;
    for (int i = j + 1; i < n; ++i)
      if (std::abs(column[i]) > std::abs(column[pivot])) pivot = i;
    pivots[j] = pivot;
    if (!(std::abs(column[pivot]) > 1e-300) || !(std::abs(column[pivot]) < 1e300)) return false;
    if (pivot != j) {
      for (int c = 0; c < n; ++c) std::swap(P[j + static_cast<long>(c) * ld], P[pivot + static_cast<long>(c) * ld]);
      for (int i = 0; i < m; ++i) std::swap(Q[i + static_cast<long>(j) * ldq], Q[i + static_cast<long>(pivot) * ldq]);
    }
    const double inverse = 1.0 / column[j];
    for (int i = j + 1; i < rows; ++i) column[i] *= inverse;
    for (int c = j + 1; c < n; ++c) {
      double* other = P + static_cast<long>(c) * ld;
      subtract_multiple(other + j + 1, column + j + 1, other[j], rows - j - 1);
      subtract_multiple(Q + static_cast<long>(c) * ldq, Q + static_cast<long>(j) * ldq, column[c], m);
    }
  }
  return true;
}

// out = or += Σ_k t_k s_k over kColumns columns at once: out is written once.
template <int kColumns, bool kAdd>
HWY_INLINE void combine_columns(const double* S, int lds, const double* T, int ldt, double* HWY_RESTRICT out, int n) {
  double t[kColumns];
  const double* s[kColumns];
  for (int k = 0; k < kColumns; ++k) t[k] = T[static_cast<long>(k) * ldt], s[k] = S + static_cast<long>(k) * lds;
  for (int i = 0; i < n; ++i) {
    double sum = t[0] * s[0][i];
    for (int k = 1; k < kColumns; ++k) sum += t[k] * s[k][i];
    out[i] = kAdd ? out[i] + sum : sum;
  }
}

void OuterProductLower(const double* S, int lds, const double* T, int ldt, int m, int n, double* U, int ldu) {
  for (int c = 0; c < m; ++c) {
    double* out = U + c + static_cast<long>(c) * ldu;
    const double* s = S + c;
    const double* t = T + c;
    // Six first: the velocities of a free body.
    int k = 0;
    if (n >= 6) combine_columns<6, false>(s, lds, t, ldt, out, m - c), k = 6;
    else combine_columns<1, false>(s, lds, t, ldt, out, m - c), k = 1;
    for (; k + 6 <= n; k += 6)
      combine_columns<6, true>(s + static_cast<long>(k) * lds, lds, t + static_cast<long>(k) * ldt, ldt, out, m - c);
    for (; k + 2 <= n; k += 2)
      combine_columns<2, true>(s + static_cast<long>(k) * lds, lds, t + static_cast<long>(k) * ldt, ldt, out, m - c);
    for (; k < n; ++k)
      combine_columns<1, true>(s + static_cast<long>(k) * lds, lds, t + static_cast<long>(k) * ldt, ldt, out, m - c);
  }
}

// H x for a 6×6 matrix, column by column.
HWY_INLINE void multiply6(const double* HWY_RESTRICT H, const double* HWY_RESTRICT x, double* HWY_RESTRICT y) {
  for (int i = 0; i < 6; ++i) y[i] = H[i] * x[0];
  for (int k = 1; k < 6; ++k)
    for (int i = 0; i < 6; ++i) y[i] += H[i + 6 * k] * x[k];
}

void AddCongruence(const double* Ja, int na, const double* H, const double* Jb, int nb, double* C, int ldc) {
  // Eight columns of Ja at a time, transposed, so that the entries of a column of C lie side by side.
  double rows[6][8];
  for (int first = 0; first < na; first += 8) {
    const int width = na - first < 8 ? na - first : 8;
    for (int r = 0; r < 8; ++r)
      for (int k = 0; k < 6; ++k) rows[k][r] = r < width ? Ja[6 * (first + r) + k] : 0.0;
    for (int c = 0; c < nb; ++c) {
      double HJ[6], sum[8];
      multiply6(H, Jb + 6 * c, HJ);
      for (int r = 0; r < 8; ++r) sum[r] = rows[0][r] * HJ[0];
      for (int k = 1; k < 6; ++k)
        for (int r = 0; r < 8; ++r) sum[r] += rows[k][r] * HJ[k];
      double* to = C + first + static_cast<long>(c) * ldc;
      for (int r = 0; r < width; ++r) to[r] += sum[r];
    }
  }
}

double DotProduct(const double* x, const double* y, int n) {
  double sum[4] = {};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; ++k) sum[k] += x[i + k] * y[i + k];
  for (; i < n; ++i) sum[0] += x[i] * y[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace patchfield
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace patchfield {

HWY_EXPORT(CholeskyPanel);
HWY_EXPORT(LuPanel);
HWY_EXPORT(OuterProductLower);
HWY_EXPORT(AddCongruence);
HWY_EXPORT(DotProduct);

bool cholesky_panel(double* P, int n, int m, int ld) { return HWY_DYNAMIC_DISPATCH(CholeskyPanel)(P, n, m, ld); }

bool lu_panel(double* P, int n, int m, int ld, double* Q, int ldq, int* pivots) {
  return HWY_DYNAMIC_DISPATCH(LuPanel)(P, n, m, ld, Q, ldq, pivots);
}

void outer_product_lower(const double* S, int lds, const double* T, int ldt, int m, int n, double* U, int ldu) {
  HWY_DYNAMIC_DISPATCH(OuterProductLower)(S, lds, T, ldt, m, n, U, ldu);
}

void add_congruence(const double* Ja, int na, const double* H, const double* Jb, int nb, double* C, int ldc) {
  HWY_DYNAMIC_DISPATCH(AddCongruence)(Ja, na, H, Jb, nb, C, ldc);
}

double dot_product(const double* x, const double* y, int n) { return HWY_DYNAMIC_DISPATCH(DotProduct)(x, y, n); }

}  // namespace patchfield
#endif  // HWY_ONCE
