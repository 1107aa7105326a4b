// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Contact surface → compliant point contacts: the paper's idea, alone.
//
// A velocity-level solver knows points with a stiffness and a signed distance; it knows nothing
// of pressure. Each face of the contact surface becomes one such point, or three:
//
//        geometry                      contact                     solver
//   face, area A       ──►   k  = g·A         [N/m]   ──►   f_n = (−k·φ − d·v_n)₊
//   p_c, ∇p_A, ∇p_B          φ₀ = −p_c/g      [m]            φ  = φ₀ + δt·v_n
//
//   g = g_A·g_B/(g_A + g_B), g_A = −∇p_A·n̂, g_B = ∇p_B·n̂     [PFC eq:one_dimensional_pressure_rate]
//
// So at rest f_n = A·p_c exactly [PFC eq:normal_force_analytical], and one step ahead the pressure
// is p_c − δt·g·v_n [PFC eq:pressure_expansion]. Everything geometric is frozen at the start of the
// step. A face in a margin's skirt has p_c < 0, so φ₀ > 0: it waits, and does not push.
//
// Where the points are (quadrature):
//   centroid         x_c. The paper. Force exact, moment to second order.
//   pressure_center  x_p = ∫p x dA/∫p dA with the same force: moment exact at the same cost.
//   moments          three points of weight A/3 at x_c + √2·Σ^½(cos θ, sin θ), θ = 0, 120°, 240°, Σ the
//                    second moment of the face over A. They match area, centroid and second moments,
//                    so force, moment and its implicit rotational stiffness are exact. The ellipse of
//                    radius √2 of the covariance lies inside every convex face, so the points do. (In a triangle
//                    they lie half way from the centroid to the vertices, which needs no root.)
//   automatic        moments for faces larger than 2/kFewFaces of the pressing area, pressure_center for those smaller
//                    than 1/kFewFaces: among many small faces rotation is resolved by the faces themselves. A patch of
//                    few equal faces is thus all moments. (A rule by the number of faces was tried: a cube on a cube
//                    has eight large faces and thirty slivers, and rattled.) In between the three points run from x_p
//                    to where `moments` has them, x_p + s(x_c + d_i − x_p), 0 < s < 1, with the pressures that they
//                    have at s = 1: the moment stays exact for every s, since Σ d_i (∇p·d_i)/3 = Σ∇p = p_c(x_p − x_c),
//                    and the implicit stiffness goes from one rule to the other without a jump.
//
// Faces that graze. Where ∇p is nearly tangential to the face (rims, edges of a rigid body), g → 0
// and φ₀ → −10¹² m: the point would go on pushing with A·p_c long after the bodies have parted. The
// overlap along the steepest way out is p_c/ĝ, ĝ = |∇p_A||∇p_B|/(|∇p_A| + |∇p_B|), so we use
//     g ← max(g, ĝ/κ, p_c/L),   κ = kGrazing, L = the largest overlap that the two bodies can have,
// hence −φ₀ ≤ min(κ·p_c/ĝ, L), with k = g·A as before: the force at rest is still A·p_c. Only faces
// inclined by more than acos(1/κ) to their gradient change, and only in how fast they let go.
//
// Faces that vanish. At g ≤ 0 a face is dropped, with all of its force: on a tilt of 10⁻⁸ rad the strips along the
// edges of two flush boxes came and went (their gradients are equal but for the tilt, so n̂ is any direction), and a
// stack rocked at 3·10⁻⁵ rad/s for ever. So the area of a face with g < η·ĝ counts g/(η·ĝ) times, η = kFading: it is
// gone when g is. Only faces within 0.6° of their gradient are touched.
//
// Signs (theory.md §0): n̂ leaves A and enters B, v_n > 0 separates, φ < 0 overlaps.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "patchfield/geometry/contact_surface.h"

namespace patchfield {

enum class Quadrature : std::uint8_t { kAutomatic, kCentroid, kPressureCenter, kMoments };

const char* to_string(Quadrature quadrature);

/// Faces below 1/kFewFaces of their patch's pressing area have one point under `automatic`, above twice that three.
inline constexpr int kFewFaces = 30;
/// κ: a face may let go this many times slower than the overlap at its steepest.
inline constexpr double kGrazing = 10.0;
/// η: a face with a smaller share of the steepest slope fades out.
inline constexpr double kFading = 0.01;
/// One square micrometre [m²]; smaller faces carry no force worth a constraint.
inline constexpr double kMinFaceArea = 1e-12;

/// Points of one or more patches, a column per quantity; reused from step to step.
struct ContactPoints {
  Column<double> rx, ry, rz;  ///< r = x − o [m], o the patch's reference point.
  Column<double> nx, ny, nz;  ///< Unit normal, out of A into B.
  Column<double> k;           ///< Stiffness [N/m] > 0.
  Column<double> phi0;        ///< Signed distance [m]; > 0 is speculative.
  Column<int> face;           ///< Face of the surface that the point came from.

  // What convection.h needs to know of the fields at the point.
  Column<double> area;        ///< Its part of the face [m²].
  Column<double> g;           ///< Slope along n̂, g_A·g_B/(g_A + g_B) [Pa/m] > 0.
  Column<double> share_B;     ///< g_A/(g_A + g_B): how much of B's motion moves the surface's material.
  Column<double> tx, ty, tz;  ///< t: the part of ∇p along the face, the same of both fields [Pa/m].

  int size() const { return k.size(); }
  void clear();
  /// All columns of numbers, to resize or copy them together.
  std::array<Column<double>*, 14> numbers() {
    return {&rx, &ry, &rz, &nx, &ny, &nz, &k, &phi0, &area, &g, &share_B, &tx, &ty, &tz};
  }
};

struct DiscretizeOptions {
  Quadrature quadrature = Quadrature::kAutomatic;
  /// Faces as points at their corners and centroid instead, weighted so that a linear pressure keeps its force: a
  /// corner that arrives within a step must not be missed between the points (docs/thin.md).
  bool at_corners = false;
  double max_overlap = std::numeric_limits<double>::infinity();  ///< L [m] > 0.
};

/// What became of the faces of one surface.
struct DiscretizeReport {
  int faces = 0;      ///< Faces that became points …
  int waiting = 0;    ///< … of which in the skirt, with φ₀ > 0,
  int split = 0;      ///< … and of which three points each.
  int too_small = 0;  ///< Area below kMinFaceArea.
  int softening = 0;  ///< g_A ≤ 0 or g_B ≤ 0: pushing in would lower the force.
  int grazing = 0;    ///< Faces whose g was raised.
};

/// Two compliances in series; a rigid side is ∞. [Pa/m]
inline double effective_gradient(double g_A, double g_B) {
  // Divide by the stiffer side, so that a rigid body (∞) needs no special case:
  // g = s/(1 + s/∞) = s. The textbook product over sum would be ∞/∞.
  const auto [softer, stiffer] = std::minmax(g_A, g_B);
  return softer / (1.0 + softer / stiffer);
}

/// Area-weighted mean of the centroids: a reference point that keeps all r small.
Vec3 patch_origin(const ContactSurface& surface);

/// Appends the points of every usable face, relative to p_WO.
DiscretizeReport append_contacts(const ContactSurface& surface, const Vec3& p_WO, const DiscretizeOptions& options,
                                 ContactPoints& points);

}  // namespace patchfield
