// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Factorisation of one panel, the only dense linear algebra that a block factorisation needs.
//
//             n                        n = velocities eliminated here, m = later ones that they touch
//        ┌────────┐
//      n │ D      │   D = L Lᵀ,  S ← S L⁻ᵀ,  and the later rows see −S Sᵀ      (Cholesky)
//        ├────────┤   P D = L U, S ← S U⁻¹, Q ← (L⁻¹ P Qᵀ)ᵀ, later −S Qᵀ      (LU; Q is the right side of D,
//        transposed)
//      m │ S      │
//        └────────┘   column-major, leading dimension ld ≥ n + m
//
// Compiled for each instruction set and chosen at run time; every entry is summed in the same order
// and nothing is fused, so the bits are the same on all of them.

#pragma once

namespace patchfield {

/// Cholesky of a panel in place; only the lower triangle of D is read. False if D is not positive definite.
bool cholesky_panel(double* P, int n, int m, int ld);

/// LU of a panel in place, rows exchanged within D only; pivots[j] is the row exchanged with j.
/// False if a pivot is zero or not finite.
bool lu_panel(double* P, int n, int m, int ld, double* Q, int ldq, int* pivots);

/// Lower triangle of U = S Tᵀ; S and T are m×n. S = T for Cholesky.
void outer_product_lower(const double* S, int lds, const double* T, int ldt, int m, int n, double* U, int ldu);

/// C (na×nb, leading dimension ldc) += Jaᵀ H Jb; Ja is 6×na, Jb 6×nb, H 6×6, all column-major.
void add_congruence(const double* Ja, int na, const double* H, const double* Jb, int nb, double* C, int ldc);

/// x·y in four partial sums.
double dot_product(const double* x, const double* y, int n);

}  // namespace patchfield
