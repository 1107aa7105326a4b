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

void OuterProductLower(const double* S, int lds, const double* T, int ldt, int m, int n, double* U, int ldu) {
  for (int c = 0; c < m; ++c) {
    double* HWY_RESTRICT out = U + c + static_cast<long>(c) * ldu;
    for (int i = 0; i < m - c; ++i) out[i] = 0.0;
    int k = 0;
    for (; k + 4 <= n; k += 4) {
      const double* HWY_RESTRICT s0 = S + c + static_cast<long>(k) * lds;
      const double* HWY_RESTRICT s1 = s0 + lds;
      const double* HWY_RESTRICT s2 = s1 + lds;
      const double* HWY_RESTRICT s3 = s2 + lds;
      const double* t = T + c + static_cast<long>(k) * ldt;
      const double t0 = t[0], t1 = t[ldt], t2 = t[2 * ldt], t3 = t[3 * ldt];
      for (int i = 0; i < m - c; ++i) out[i] += ((t0 * s0[i] + t1 * s1[i]) + (t2 * s2[i] + t3 * s3[i]));
    }
    for (; k < n; ++k) subtract_multiple(out, S + c + static_cast<long>(k) * lds, -T[c + static_cast<long>(k) * ldt], m - c);
  }
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

bool cholesky_panel(double* P, int n, int m, int ld) { return HWY_DYNAMIC_DISPATCH(CholeskyPanel)(P, n, m, ld); }

bool lu_panel(double* P, int n, int m, int ld, double* Q, int ldq, int* pivots) {
  return HWY_DYNAMIC_DISPATCH(LuPanel)(P, n, m, ld, Q, ldq, pivots);
}

void outer_product_lower(const double* S, int lds, const double* T, int ldt, int m, int n, double* U, int ldu) {
  HWY_DYNAMIC_DISPATCH(OuterProductLower)(S, lds, T, ldt, m, n, U, ldu);
}

}  // namespace patchfield
#endif  // HWY_ONCE
