// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/contact/discretize.h"

#include <algorithm>
#include <cmath>

#include "patchfield/core/check.h"

namespace patchfield {
namespace {

constexpr double kRigid = std::numeric_limits<double>::infinity();

/// Where the next point of the columns goes. The columns are grown once per patch, since nine
/// push_backs per point cost more than the physics.
class Writer {
 public:
  Writer(ContactPoints& points, int room) : points_(points), next_(points.size()) { resize(next_ + room); }
  ~Writer() { resize(next_); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void write(const Vec3& r, const Vec3& nhat, double k, double phi0, int face) {
    const int i = next_++;
    points_.rx[i] = r.x(), points_.ry[i] = r.y(), points_.rz[i] = r.z();
    points_.nx[i] = nhat.x(), points_.ny[i] = nhat.y(), points_.nz[i] = nhat.z();
    points_.k[i] = k, points_.phi0[i] = phi0;
    points_.face[i] = face;
  }

 private:
  void resize(int n) {
    for (Column<double>* c :
         {&points_.rx, &points_.ry, &points_.rz, &points_.nx, &points_.ny, &points_.nz, &points_.k, &points_.phi0})
      c->resize(n);
    points_.face.resize(n);
  }

  ContactPoints& points_;
  int next_;
};

/// Offsets √2·Σ^½(cos θ, sin θ) of the three points from the centroid.
void moment_offsets(const ContactSurface& s, int f, Vec3 offset[3]) {
  // Axes in the face, the first towards a vertex: they turn with the face.
  const Vec3 &xc = s.centroid_W[f], &nhat = s.nhat_AB_W[f];
  const int begin = s.face_start[f], end = s.face_start[f + 1];
  const Vec3 to_vertex = s.vertex_W[begin] - xc;
  const Vec3 t1 = (to_vertex - nhat.dot(to_vertex) * nhat).normalized();
  const Vec3 t2 = nhat.cross(t1);

  // Triangles (x_c, v, v′):  ∫x xᵀdA = A_t/12 (v vᵀ + v′v′ᵀ + (v + v′)(v + v′)ᵀ), about x_c.
  double xx = 0.0, xy = 0.0, yy = 0.0, area = 0.0;
  Vec3 d = s.vertex_W[end - 1] - xc;
  double u0 = t1.dot(d), v0 = t2.dot(d);
  for (int i = begin; i < end; ++i) {
    d = s.vertex_W[i] - xc;
    const double u1 = t1.dot(d), v1 = t2.dot(d);
    const double a = u0 * v1 - v0 * u1;  // twice the triangle's area
    const double us = u0 + u1, vs = v0 + v1;
    area += a;
    xx += a * (u0 * u0 + u1 * u1 + us * us);
    xy += a * (u0 * v0 + u1 * v1 + us * vs);
    yy += a * (v0 * v0 + v1 * v1 + vs * vs);
    u0 = u1, v0 = v1;
  }
  const double scale = area > 0.0 ? 1.0 / (12.0 * area) : 0.0;
  xx *= scale, xy *= scale, yy *= scale;

  // Square root of a 2×2 matrix: Σ^½ = (Σ + √det·I)/√(tr + 2√det).
  const double root = std::sqrt(std::max(0.0, xx * yy - xy * xy));
  const double trace = xx + yy + 2.0 * root;
  const double c = trace > 0.0 ? std::sqrt(2.0 / trace) : 0.0;
  const Vec3 e1 = c * ((xx + root) * t1 + xy * t2);  // √2·Σ^½ e_x
  const Vec3 e2 = c * (xy * t1 + (yy + root) * t2);  // √2·Σ^½ e_y
  const Vec3 half_across = 0.5 * std::sqrt(3.0) * e2;
  offset[0] = e1;
  offset[1] = -0.5 * e1 + half_across;
  offset[2] = -0.5 * e1 - half_across;
}

/// Slope along n̂ of the pressure between the bodies, and at its steepest.
struct Slopes {
  double g_A = 0.0, g_B = 0.0, g = 0.0, steepest = 0.0;
};

Slopes slopes(const ContactSurface& s, int f) {
  Slopes out;
  const Vec3& nhat = s.nhat_AB_W[f];
  out.g_A = s.A_is_rigid ? kRigid : -s.grad_pA_W[f].dot(nhat);
  out.g_B = s.B_is_rigid ? kRigid : s.grad_pB_W[f].dot(nhat);
  out.g = effective_gradient(out.g_A, out.g_B);
  out.steepest =
      effective_gradient(s.A_is_rigid ? kRigid : s.grad_pA_W[f].norm(), s.B_is_rigid ? kRigid : s.grad_pB_W[f].norm());
  return out;
}

/// Pieces of one polygon: the triangles of a fan, the halves of a large face. They share normal and slopes.
bool same_elements(const ContactSurface& s, int f, int g) {
  return s.element_A[f] == s.element_A[g] && s.element_B[f] == s.element_B[g];
}

/// Faces above this area get three points.
double smallest_split_area(const ContactSurface& surface, Quadrature quadrature) {
  switch (quadrature) {
    case Quadrature::kMoments: return 0.0;
    case Quadrature::kAutomatic: return surface.total_area() / kFewFaces;
    case Quadrature::kCentroid:
    case Quadrature::kPressureCenter: break;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

const char* to_string(Quadrature quadrature) {
  switch (quadrature) {
    case Quadrature::kAutomatic: return "automatic";
    case Quadrature::kCentroid: return "centroid";
    case Quadrature::kPressureCenter: return "pressure_center";
    case Quadrature::kMoments: return "moments";
  }
  return "?";
}

void ContactPoints::clear() {
  rx.clear(), ry.clear(), rz.clear(), nx.clear(), ny.clear(), nz.clear();
  k.clear(), phi0.clear(), face.clear();
}

double effective_gradient(double g_A, double g_B) {
  // Divide by the stiffer side, so that a rigid body (∞) needs no special case:
  // g = s/(1 + s/∞) = s. The textbook product over sum would be ∞/∞.
  const auto [softer, stiffer] = std::minmax(g_A, g_B);
  return softer / (1.0 + softer / stiffer);
}

Vec3 patch_origin(const ContactSurface& surface) {
  Vec3 sum = Vec3::Zero();
  double area = 0.0;
  for (int f = 0; f < surface.num_faces(); ++f) {
    sum += surface.area[f] * surface.centroid_W[f];
    area += surface.area[f];
  }
  return area > 0.0 ? Vec3(sum / area) : Vec3(Vec3::Zero());
}

DiscretizeReport append_contacts(const ContactSurface& surface, const Vec3& p_WO, const DiscretizeOptions& options,
                                 ContactPoints& points) {
  PATCHFIELD_ASSERT(!(surface.A_is_rigid && surface.B_is_rigid) || surface.num_faces() == 0);
  DiscretizeReport report;
  const double large = smallest_split_area(surface, options.quadrature);
  const bool at_centroid = options.quadrature == Quadrature::kCentroid;
  Writer writer(points, (std::isinf(large) ? 1 : 3) * surface.num_faces());

  Slopes slope;
  for (int f = 0; f < surface.num_faces(); ++f) {
    if (f == 0 || !same_elements(surface, f - 1, f)) slope = slopes(surface, f);
    const double area = surface.area[f], p_c = surface.pressure[f];
    if (area < kMinFaceArea) {
      ++report.too_small;
      continue;
    }
    // k must be positive for the solver, so the paper drops these faces, and so do we.
    if (!(slope.g_A > 0.0 && slope.g_B > 0.0)) {
      ++report.softening;
      continue;
    }

    // Grazing faces let go sooner (see the header). Those that wait keep their slope: raising it
    // would make them push before they touch.
    double g = slope.g;
    if (p_c > 0.0) {
      const double least = std::max(slope.steepest / kGrazing, p_c / options.max_overlap);
      if (g < least) g = least, ++report.grazing;
    }

    // [PFC eq:surrogate_quantities], faded with its slope (see the header).
    const Vec3& nhat = surface.nhat_AB_W[f];
    const double k = g * area * std::min(1.0, slope.g / (kFading * slope.steepest));
    ++report.faces;
    if (area <= large) {
      writer.write((at_centroid ? surface.centroid_W[f] : surface.cop_W[f]) - p_WO, nhat, k, -p_c / g, f);
      continue;
    }
    ++report.split;
    // Both fields agree on the face, so the compliant one gives the pressure at each point.
    const Vec3& grad = surface.A_is_rigid ? surface.grad_pB_W[f] : surface.grad_pA_W[f];
    Vec3 offset[3];
    moment_offsets(surface, f, offset);
    for (const Vec3& d : offset)
      writer.write(surface.centroid_W[f] + d - p_WO, nhat, k / 3.0, -(p_c + grad.dot(d)) / g, f);
  }
  return report;
}

}  // namespace patchfield
