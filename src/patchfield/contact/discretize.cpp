// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/contact/discretize.h"

#include <algorithm>
#include <cmath>

#include "patchfield/core/check.h"

namespace patchfield {
namespace {

constexpr double kRigid = std::numeric_limits<double>::infinity();

/// Slope along n̂ of the pressure between the bodies, at its steepest, and along the face.
struct Slopes {
  double g_A = 0.0, g_B = 0.0, g = 0.0, steepest = 0.0, share_B = 0.0;
  Vec3 t = Vec3::Zero();
};

/// Where the next point of the columns goes. The columns are grown once per patch, since fifteen
/// push_backs per point cost more than the physics.
class Writer {
 public:
  Writer(ContactPoints& points, int room) : points_(points), next_(points.size()) { resize(next_ + room); }
  ~Writer() { resize(next_); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void write(const Vec3& r, const Vec3& nhat, double k, double phi0, int face, double area, const Slopes& slope) {
    const int i = next_++;
    points_.rx[i] = r.x(), points_.ry[i] = r.y(), points_.rz[i] = r.z();
    points_.nx[i] = nhat.x(), points_.ny[i] = nhat.y(), points_.nz[i] = nhat.z();
    points_.k[i] = k, points_.phi0[i] = phi0;
    points_.face[i] = face;
    points_.area[i] = area, points_.g[i] = slope.g, points_.share_B[i] = slope.share_B;
    points_.tx[i] = slope.t.x(), points_.ty[i] = slope.t.y(), points_.tz[i] = slope.t.z();
  }

 private:
  void resize(int n) {
    for (Column<double>* c : points_.numbers()) c->resize(n);
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
  // A triangle has Σ = Σ d dᵀ/12 over its vertices: half the way to each of them are three such points.
  if (end - begin == 3) {
    for (int i = 0; i < 3; ++i) offset[i] = 0.5 * (s.vertex_W[begin + i] - xc);
    return;
  }
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

Slopes slopes(const ContactSurface& s, int f) {
  Slopes out;
  const Vec3& nhat = s.nhat_AB_W[f];
  out.g_A = s.A_is_rigid ? kRigid : -s.grad_pA_W[f].dot(nhat);
  out.g_B = s.B_is_rigid ? kRigid : s.grad_pB_W[f].dot(nhat);
  out.g = effective_gradient(out.g_A, out.g_B);
  out.steepest =
      effective_gradient(s.A_is_rigid ? kRigid : s.grad_pA_W[f].norm(), s.B_is_rigid ? kRigid : s.grad_pB_W[f].norm());
  out.share_B = s.A_is_rigid ? 1.0 : s.B_is_rigid ? 0.0 : out.g_A / (out.g_A + out.g_B);
  const Vec3& grad = s.A_is_rigid ? s.grad_pB_W[f] : s.grad_pA_W[f];
  out.t = grad - grad.dot(nhat) * nhat;
  return out;
}

/// Pieces of one polygon: the triangles of a fan, the halves of a large face. They share normal and slopes.
bool same_elements(const ContactSurface& s, int f, int g) {
  return s.element_A[f] == s.element_A[g] && s.element_B[f] == s.element_B[g];
}

/// s of the header: 0 is one point, 1 is `moments`.
class Spread {
 public:
  Spread(const ContactSurface& surface, Quadrature quadrature) {
    if (quadrature == Quadrature::kMoments) first_ = 0.0, full_ = 0.0;
    if (quadrature != Quadrature::kAutomatic) return;
    const double pressing = surface.total_area();
    first_ = (pressing > 0.0 ? pressing : surface.waiting_area()) / kFewFaces;
    full_ = 2.0 * first_;
  }
  bool possible() const { return !std::isinf(first_); }
  double of(double area) const {
    if (area <= first_) return 0.0;
    return area >= full_ ? 1.0 : (area - first_) / (full_ - first_);
  }

 private:
  double first_ = std::numeric_limits<double>::infinity(), full_ = first_;  ///< Areas where s leaves 0 and reaches 1.
};

/// Faces of one surface → points.
class FaceAppender {
 public:
  FaceAppender(const ContactSurface& surface, const Vec3& p_WO, const DiscretizeOptions& options, ContactPoints& points)
      : surface_(surface), p_WO_(p_WO), options_(options), spread_(surface, options.quadrature),
        writer_(points, options.at_corners ? surface.num_faces() + surface.num_vertices()
                                           : (spread_.possible() ? 3 : 1) * surface.num_faces()) {}

  void append(int f);
  const DiscretizeReport& report() const { return report_; }

 private:
  double letting_go(double p_c);
  void write(int f, double k, double g);
  void write_corners(int f, double k, double g);

  const ContactSurface& surface_;
  const Vec3& p_WO_;
  const DiscretizeOptions& options_;
  const Spread spread_;
  Writer writer_;
  DiscretizeReport report_;
  Slopes slope_;  ///< Of the face `slope_of_`.
  int slope_of_ = -1;
};

void FaceAppender::append(int f) {
  if (slope_of_ < 0 || !same_elements(surface_, slope_of_, f)) slope_ = slopes(surface_, f);
  slope_of_ = f;
  const double area = surface_.area[f], p_c = surface_.pressure[f];
  if (area < kMinFaceArea) {
    ++report_.too_small;
    return;
  }
  // k must be positive for the solver, so the paper drops these faces, and so do we.
  if (!(slope_.g_A > 0.0 && slope_.g_B > 0.0)) {
    ++report_.softening;
    return;
  }
  ++report_.faces;
  report_.waiting += p_c <= 0.0;
  // [PFC eq:surrogate_quantities], faded with its slope (see the header).
  const double g = letting_go(p_c);
  write(f, g * area * std::min(1.0, slope_.g / (kFading * slope_.steepest)), g);
}

/// The slope g; grazing faces let go sooner (see the header). Those that wait keep their slope: raising it would make
/// them push before they touch.
double FaceAppender::letting_go(double p_c) {
  if (p_c <= 0.0) return slope_.g;
  const double least = std::max(slope_.steepest / kGrazing, p_c / options_.max_overlap);
  report_.grazing += slope_.g < least;
  return std::max(slope_.g, least);
}

/// A third of each triangle about the centroid belongs to each of its corners.
void FaceAppender::write_corners(int f, double k, double g) {
  const Vec3 &nhat = surface_.nhat_AB_W[f], &center = surface_.centroid_W[f];
  const int begin = surface_.face_start[f], end = surface_.face_start[f + 1];
  const auto write = [&](const Vec3& x, double weight) {
    const double p = surface_.pressure[f] + slope_.t.dot(x - center);
    if (weight > 0.0) writer_.write(x - p_WO_, nhat, k * weight, -p / g, f, surface_.area[f] * weight, slope_);
  };
  const auto share = [&](const Vec3& a, const Vec3& b) {
    return std::max(0.0, nhat.dot((a - center).cross(b - center)) / (6.0 * surface_.area[f]));
  };
  double before = share(surface_.vertex_W[end - 1], surface_.vertex_W[begin]);
  for (int i = begin; i < end; ++i) {
    const double after = share(surface_.vertex_W[i], surface_.vertex_W[i + 1 < end ? i + 1 : begin]);
    write(surface_.vertex_W[i], before + after);
    before = after;
  }
  write(center, 1.0 / 3.0);
}

/// One point or three, φ₀ = −p/g.
void FaceAppender::write(int f, double k, double g) {
  if (options_.at_corners) return write_corners(f, k, g);
  const Vec3& nhat = surface_.nhat_AB_W[f];
  const double area = surface_.area[f], p_c = surface_.pressure[f], s = spread_.of(area);
  const Vec3& x_p = options_.quadrature == Quadrature::kCentroid ? surface_.centroid_W[f] : surface_.cop_W[f];
  if (s == 0.0) {
    writer_.write(x_p - p_WO_, nhat, k, -p_c / g, f, area, slope_);
    return;
  }
  ++report_.split;
  Vec3 offset[3];
  moment_offsets(surface_, f, offset);
  for (const Vec3& d : offset) {
    const Vec3 r = (1.0 - s) * x_p + s * (surface_.centroid_W[f] + d) - p_WO_;
    writer_.write(r, nhat, k / 3.0, -(p_c + slope_.t.dot(d)) / g, f, area / 3.0, slope_);
  }
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
  for (Column<double>* c : numbers()) c->clear();
  face.clear();
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
  FaceAppender appender(surface, p_WO, options, points);
  for (int f = 0; f < surface.num_faces(); ++f)
    if (surface.presses(f)) appender.append(f);
  // Last, so that a solver finds those that do nothing side by side (solver/point_laws-inl.h).
  for (int f = 0; f < surface.num_faces(); ++f)
    if (!surface.presses(f)) appender.append(f);
  return appender.report();
}

}  // namespace patchfield
