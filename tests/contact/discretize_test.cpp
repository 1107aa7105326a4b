// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/contact/discretize.h"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace patchfield {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// A convex polygon in the plane z = 0, turned by R, with the pressure p(x) = p0 + slope·x on it and the
/// gradients that two bodies with slopes g_A, g_B along n̂ then have.
struct Face {
  std::vector<Vec3> vertices;
  double p0 = 1e4;
  Vec3 slope = Vec3::Zero();
  double g_A = 1e7, g_B = 1e7;
};

/// ∫ over the polygon by splitting each fan triangle into n² small ones: independent of the code under test.
template <class F>
auto integrate(const std::vector<Vec3>& v, int n, const F& f) {
  auto sum = f(v[0]);  // of the integrand's own type, not an Eigen expression
  sum *= 0.0;
  for (std::size_t i = 2; i < v.size(); ++i) {
    const Vec3 a = v[0], e1 = (v[i - 1] - a) / n, e2 = (v[i] - a) / n;
    const double dA = 0.5 * e1.cross(e2).norm();
    for (int p = 0; p < n; ++p)
      for (int q = 0; p + q < n; ++q) {
        // The three edge midpoints integrate quadratics exactly.
        const auto add = [&](const Vec3& o, const Vec3& s, const Vec3& t) {
          sum += dA / 3.0 * (f(o + 0.5 * s) + f(o + 0.5 * t) + f(o + 0.5 * (s + t)));
        };
        add(a + p * e1 + q * e2, e1, e2);
        if (p + q + 1 < n) add(a + (p + 1) * e1 + (q + 1) * e2, -e1, -e2);
      }
  }
  return sum;
}

void append_face(const Face& face, const Mat3& R, ContactSurface& s) {
  const std::vector<Vec3>& v = face.vertices;
  const auto p = [&](const Vec3& x) { return face.p0 + face.slope.dot(x); };
  const double area = integrate(v, 1, [](const Vec3&) { return 1.0; });
  const Vec3 xc = integrate(v, 1, [](const Vec3& x) { return Vec3(x); }) / area;
  const Vec3 xp = integrate(v, 1, [&](const Vec3& x) { return Vec3(p(x) * x); }) / (area * p(xc));
  if (s.face_start.empty()) s.clear();
  s.A_is_rigid = std::isinf(face.g_A), s.B_is_rigid = std::isinf(face.g_B);
  s.area.push_back(area);
  s.centroid_W.push_back(R * xc);
  s.pressure.push_back(p(xc));
  s.cop_W.push_back(p(xc) > 0.0 ? Vec3(R * xp) : Vec3(R * xc));
  s.cop_pressure.push_back(p(xc) > 0.0 ? p(xp) : p(xc));
  s.nhat_AB_W.push_back(R * Vec3::UnitZ());
  s.grad_pA_W.push_back(s.A_is_rigid ? Vec3(Vec3::Zero()) : Vec3(R * (face.slope - face.g_A * Vec3::UnitZ())));
  s.grad_pB_W.push_back(s.B_is_rigid ? Vec3(Vec3::Zero()) : Vec3(R * (face.slope + face.g_B * Vec3::UnitZ())));
  s.element_A.push_back(s.num_faces() - 1), s.element_B.push_back(0);  // one polygon each
  for (const Vec3& x : v) s.vertex_W.push_back(R * x), s.vertex_pressure.push_back(p(x));
  s.face_start.push_back(s.vertex_W.size());
}

ContactSurface one_face(const Face& face, const Mat3& R = Mat3::Identity()) {
  ContactSurface s;
  append_face(face, R, s);
  return s;
}

std::vector<Vec3> square(double a) { return {{-a, -a, 0}, {a, -a, 0}, {a, a, 0}, {-a, a, 0}}; }

/// Random convex polygons: points on a circle, sheared and stretched up to 30 : 1.
std::vector<Vec3> random_polygon(std::mt19937& gen) {
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const int n = 3 + static_cast<int>(6 * uniform(gen));
  std::vector<double> angle(n);
  for (int i = 0; i < n; ++i) angle[i] = 2.0 * M_PI * (i + 0.9 * uniform(gen)) / n;
  const double stretch = std::pow(30.0, uniform(gen)), shear = uniform(gen) - 0.5;
  std::vector<Vec3> v;
  for (const double a : angle) {
    const double x = 0.01 * stretch * std::cos(a), y = 0.01 * std::sin(a);
    v.push_back({x + shear * y + 0.02, y + shear * x - 0.01, 0.0});
  }
  return v;
}

Mat3 random_rotation(std::mt19937& gen) {
  std::normal_distribution<double> normal;
  return Eigen::Quaterniond(normal(gen), normal(gen), normal(gen), normal(gen)).normalized().toRotationMatrix();
}

DiscretizeOptions with(Quadrature q) { return {.quadrature = q}; }
constexpr Quadrature kRules[] = {Quadrature::kCentroid, Quadrature::kPressureCenter, Quadrature::kMoments};

Vec3 position(const ContactPoints& c, int i) { return {c.rx[i], c.ry[i], c.rz[i]}; }
double force_at_rest(const ContactPoints& c, int i) { return std::max(0.0, -c.k[i] * c.phi0[i]); }
double force_at_rest(const ContactPoints& c) {
  double f = 0.0;
  for (int i = 0; i < c.size(); ++i) f += force_at_rest(c, i);
  return f;
}

TEST(EffectiveGradient, IsTheSeriesLaw) {
  EXPECT_DOUBLE_EQ(effective_gradient(2.0, 2.0), 1.0);
  EXPECT_DOUBLE_EQ(effective_gradient(3.0, 6.0), 2.0);
  EXPECT_DOUBLE_EQ(effective_gradient(6.0, 3.0), 2.0);
}

TEST(EffectiveGradient, RigidSideLeavesTheOtherUnchanged) {
  EXPECT_EQ(effective_gradient(5e7, kInf), 5e7);
  EXPECT_EQ(effective_gradient(kInf, 5e7), 5e7);
}

// At rest the springs must return the integral of the pressure, f = A·p_c [PFC eq:normal_force_analytical],
// whatever the gradients and the rule are.
TEST(AppendContacts, ForceAtRestIsPressureTimesArea) {
  for (const double g_B : {1e5, 1e7, 1e9, kInf})
    for (const Quadrature q : kRules) {
      ContactPoints c;
      const Face face{.vertices = square(0.01), .p0 = 3e4, .slope = {1e6, -5e5, 0}, .g_A = 1e7, .g_B = g_B};
      append_contacts(one_face(face), Vec3::Zero(), with(q), c);
      EXPECT_NEAR(force_at_rest(c), 4e-4 * 3e4, 1e-12 * 12.0) << to_string(q) << ", g_B = " << g_B;
    }
}

// Pull B away by s and find the new equilibrium by hand:
//   p − g_A·x = p + g_B·(x − s)  ⇒  x = s·g_B/(g_A + g_B),  p(s) = p − g_A·x.
// The spring must follow it exactly, since both fields are linear.
TEST(AppendContacts, SpringFollowsTheEquilibriumPressure) {
  const double p = 3e4, g_A = 4e6, g_B = 1e7, area = 4e-4;
  ContactPoints c;
  append_contacts(one_face({.vertices = square(0.01), .p0 = p, .g_A = g_A, .g_B = g_B}), Vec3::Zero(),
                  with(Quadrature::kCentroid), c);
  ASSERT_EQ(c.size(), 1);
  for (const double s : {1e-6, 1e-5, 1e-4}) {
    const double x = s * g_B / (g_A + g_B);
    EXPECT_NEAR(-c.k[0] * (c.phi0[0] + s), area * (p - g_A * x), 1e-12 * area * p) << "s = " << s;
  }
}

// Σ γ r×n̂ of the points = ∫ p x×n̂ dA, for the two rules that promise it and any convex face.
TEST(AppendContacts, MomentAtRestIsThatOfThePressure) {
  std::mt19937 gen(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Face face{.vertices = random_polygon(gen), .p0 = 1e5, .slope = {2e5, -3e5, 0}};
    const Mat3 R = random_rotation(gen);
    const ContactSurface s = one_face(face, R);
    const Vec3 exact = R * integrate(face.vertices, 3, [&](const Vec3& x) {
                         return Vec3((face.p0 + face.slope.dot(x)) * x.cross(Vec3::UnitZ()));
                       });
    for (const Quadrature q : {Quadrature::kPressureCenter, Quadrature::kMoments}) {
      ContactPoints c;
      const Vec3 o(0.3, -0.2, 0.1);
      append_contacts(s, o, with(q), c);
      Vec3 moment = Vec3::Zero();
      for (int i = 0; i < c.size(); ++i)
        moment += (position(c, i) + o).cross(force_at_rest(c, i) * Vec3(c.nx[i], c.ny[i], c.nz[i]));
      EXPECT_LT((moment - exact).norm(), 1e-9 * exact.norm() + 1e-12) << to_string(q) << ", trial " << trial;
    }
  }
}

// The three points of `moments` carry A/3 each and match area, centroid and second moments: so the stiffness
// k Σ r rᵀ that a solver sees, its rotational part included, is ∫g x xᵀ dA.
TEST(Moments, MatchAreaCentroidAndSecondMoments) {
  std::mt19937 gen(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Face face{.vertices = random_polygon(gen), .p0 = 1e5};
    const Mat3 R = random_rotation(gen);
    const ContactSurface s = one_face(face, R);
    ContactPoints c;
    append_contacts(s, Vec3::Zero(), with(Quadrature::kMoments), c);
    ASSERT_EQ(c.size(), 3);
    const double g = effective_gradient(face.g_A, face.g_B);
    double area = 0.0;
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(c.k[i], g * s.area[0] / 3.0, 1e-13 * c.k[i]);
      area += c.k[i] / g;
      first += c.k[i] / g * position(c, i);
      second += c.k[i] / g * position(c, i) * position(c, i).transpose();
    }
    const Mat3 exact =
        R * integrate(face.vertices, 2, [](const Vec3& x) { return Mat3(x * x.transpose()); }) * R.transpose();
    EXPECT_NEAR(area, s.area[0], 1e-13 * area);
    EXPECT_LT((first - area * s.centroid_W[0]).norm(), 1e-13 * area);
    EXPECT_LT((second - exact).norm(), 1e-11 * exact.norm()) << "trial " << trial;
  }
}

// Kannan, Lovász, Simonovits: the ellipse of radius √2 of the covariance lies inside every convex face.
TEST(Moments, PointsLieInsideEveryConvexFace) {
  std::mt19937 gen(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const Face face{.vertices = random_polygon(gen)};
    ContactPoints c;
    append_contacts(one_face(face), Vec3::Zero(), with(Quadrature::kMoments), c);
    for (int i = 0; i < c.size(); ++i)
      for (std::size_t j = 0; j < face.vertices.size(); ++j) {
        const Vec3 a = face.vertices[j], b = face.vertices[(j + 1) % face.vertices.size()];
        const Vec3 inward = Vec3::UnitZ().cross(b - a).normalized();
        ASSERT_GT(inward.dot(position(c, i) - a), -1e-12) << "trial " << trial << ", point " << i << ", edge " << j;
      }
  }
}

// φ₀ of each point is that of the linear pressure there.
TEST(Moments, PressureIsTheLinearOneAtEachPoint) {
  const Face face{.vertices = square(0.01), .p0 = 3e4, .slope = {1e6, -5e5, 0}, .g_A = 1e8, .g_B = kInf};
  ContactPoints c;
  append_contacts(one_face(face), Vec3::Zero(), with(Quadrature::kMoments), c);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(-c.phi0[i] * 1e8, face.p0 + face.slope.dot(position(c, i)), 1e-8);
}

TEST(Automatic, SplitsFacesThatAreLargeInTheirPatch) {
  for (const int n : {1, kFewFaces - 1, kFewFaces + 1, 2 * kFewFaces}) {
    ContactSurface s;
    for (int i = 0; i < n; ++i) append_face({.vertices = square(0.01)}, Mat3::Identity(), s);
    ContactPoints c;
    const DiscretizeReport report = append_contacts(s, Vec3::Zero(), {}, c);
    EXPECT_EQ(report.split, n < kFewFaces ? n : 0);
    EXPECT_EQ(c.size(), n < kFewFaces ? 3 * n : n);
    EXPECT_EQ(c.face[c.size() - 1], n - 1);
  }
  // One large face keeps its three points among a hundred slivers.
  ContactSurface s;
  for (int i = 0; i < 100; ++i) append_face({.vertices = square(1e-4)}, Mat3::Identity(), s);
  append_face({.vertices = square(0.01)}, Mat3::Identity(), s);
  ContactPoints c;
  EXPECT_EQ(append_contacts(s, Vec3::Zero(), {}, c).split, 1);
  EXPECT_EQ(c.size(), 103);
}

TEST(AppendContacts, FacesOfTheSkirtWaitAndDoNotPush) {
  for (const Quadrature q : kRules) {
    ContactPoints c;
    append_contacts(one_face({.vertices = square(0.01), .p0 = -2e3, .g_A = 1e7, .g_B = kInf}), Vec3::Zero(), with(q),
                    c);
    ASSERT_GT(c.size(), 0);
    for (int i = 0; i < c.size(); ++i) EXPECT_NEAR(c.phi0[i], 2e-4, 1e-16);
    EXPECT_EQ(force_at_rest(c), 0.0);
  }
}

TEST(AppendContacts, DropsFacesThatWouldSoftenOrAreTinyAndSaysSo) {
  ContactPoints c;
  DiscretizeReport report = append_contacts(one_face({.vertices = square(0.01), .g_B = -1.0}), Vec3::Zero(), {}, c);
  EXPECT_EQ(c.size(), 0);
  EXPECT_EQ(report.softening, 1);
  report = append_contacts(one_face({.vertices = square(1e-7)}), Vec3::Zero(), {}, c);
  EXPECT_EQ(c.size(), 0);
  EXPECT_EQ(report.too_small, 1);
}

// A rim face: pressure 10 kPa, gradient 1e7 Pa/m nearly in the face. The overlap is about 1 mm deep, so the
// force must be gone when the bodies are kGrazing times that apart. At rest it is A·p_c, or what has not faded of it.
TEST(Grazing, FacesLetGoWithTheBodies) {
  for (const double g : {1e-6, 1.0, 1e4, 2e5}) {
    const Face face{.vertices = square(1e-5), .p0 = 1e4, .slope = {1e7, 0, 0}, .g_A = g, .g_B = kInf};
    for (const Quadrature q : kRules) {
      ContactPoints c;
      const DiscretizeReport report = append_contacts(one_face(face), Vec3::Zero(), with(q), c);
      EXPECT_EQ(report.grazing, 1);
      const double steepest = std::hypot(1e7, g), share = std::min(1.0, g / (kFading * steepest));
      EXPECT_NEAR(force_at_rest(c), share * 4e-10 * 1e4, 1e-12 * 4e-6);
      for (int i = 0; i < c.size(); ++i) EXPECT_GE(c.phi0[i], -1.02 * kGrazing * 1e-3) << "g = " << g;
    }
  }
}

// A face that turns past its gradient is dropped at g = 0. Its force must not jump there.
TEST(Grazing, FacesFadeBeforeTheyAreDropped) {
  const auto force = [](double g) {
    const Face face{.vertices = square(0.01), .p0 = 1e4, .slope = {1e7, 0, 0}, .g_A = g, .g_B = kInf};
    ContactPoints c;
    append_contacts(one_face(face), Vec3::Zero(), with(Quadrature::kPressureCenter), c);
    return force_at_rest(c);
  };
  EXPECT_EQ(force(-1e-3), 0.0);
  EXPECT_LT(force(1e-3), 1e-7 * 4.0);
  EXPECT_NEAR(force(0.5 * kFading * 1e7), 2.0, 1e-3);
  EXPECT_NEAR(force(1.01 * kFading * 1e7), 4.0, 1e-12);
}

// Numbers worked out by hand, so that no constant can be changed unseen. Gradient 1e7 Pa/m along (√(1 − s²), 0, s),
// s = g/ĝ the sine of the angle between face and gradient; p_c = 1e4 Pa: the overlap along the gradient is 1 mm.
TEST(Grazing, FollowsTheHandWorkedTable) {
  const struct {
    double sine, depth, share;  // −φ₀ [m], share of A·p_c that pushes
  } rows[] = {
      {1.0, 1e-3, 1.0},       // straight: 1 mm
      {0.5, 2e-3, 1.0},       // 30°: 2 mm along the normal
      {0.11, 1 / 110., 1.0},  // 6.3°: 9.1 mm, the last that is the paper's
      {0.09, 0.01, 1.0},      // 5.2°: 11.1 mm would be, 10 times the overlap is allowed
      {0.02, 0.01, 1.0},      // 1.1°
      {0.0075, 0.01, 0.75},   // 0.43°: below 0.01 it fades in proportion
      {0.001, 0.01, 0.1},
  };
  for (const auto& row : rows) {
    const double cosine = std::sqrt(1.0 - row.sine * row.sine);
    const Face face{
        .vertices = square(1e-5), .p0 = 1e4, .slope = {1e7 * cosine, 0, 0}, .g_A = 1e7 * row.sine, .g_B = kInf};
    ContactPoints c;
    append_contacts(one_face(face), Vec3::Zero(), with(Quadrature::kCentroid), c);
    ASSERT_EQ(c.size(), 1);
    EXPECT_NEAR(-c.phi0[0], row.depth, 1e-9) << row.sine;
    EXPECT_NEAR(force_at_rest(c), row.share * 4e-10 * 1e4, 1e-9 * 4e-6) << row.sine;
  }
}

TEST(Grazing, NoOverlapIsDeeperThanTheBodies) {
  // A plateau of pressure: no gradient tells a depth, the size of the bodies does.
  const Face face{.vertices = square(0.01), .p0 = 1e4, .g_A = 1e-3, .g_B = kInf};
  ContactPoints c;
  append_contacts(one_face(face), Vec3::Zero(), {.quadrature = Quadrature::kCentroid, .max_overlap = 0.05}, c);
  EXPECT_NEAR(c.phi0[0], -0.05, 1e-15);
  EXPECT_NEAR(force_at_rest(c), 4e-4 * 1e4, 1e-12);
}

TEST(Grazing, OrdinaryFacesAreThePapers) {
  // 60° between gradient and normal is well within acos(1/10) = 84°.
  const Face face{.vertices = square(0.01), .p0 = 1e5, .slope = {std::sqrt(3.0) * 1e6, 0, 0}, .g_A = 1e6, .g_B = kInf};
  ContactPoints c;
  const DiscretizeReport report = append_contacts(one_face(face), Vec3::Zero(), with(Quadrature::kCentroid), c);
  EXPECT_EQ(report.grazing, 0);
  EXPECT_DOUBLE_EQ(c.k[0], 1e6 * 4e-4);
  EXPECT_DOUBLE_EQ(c.phi0[0], -0.1);
}

TEST(PatchOrigin, IsTheAreaWeightedCentroid) {
  ContactSurface s;
  append_face({.vertices = square(0.01)}, Mat3::Identity(), s);
  std::vector<Vec3> shifted = square(0.02);
  for (Vec3& v : shifted) v.x() += 1.0;
  append_face({.vertices = shifted}, Mat3::Identity(), s);
  EXPECT_NEAR(patch_origin(s).x(), 0.8, 1e-12);
  EXPECT_EQ(patch_origin(ContactSurface{}).norm(), 0.0);
}

}  // namespace
}  // namespace patchfield
