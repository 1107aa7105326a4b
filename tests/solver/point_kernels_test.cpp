// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/solver/point_kernels.h"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include "solver/problems.h"
#include "solver/reference.h"

namespace patchfield {
namespace {

using testing::Random;

constexpr PatchLaw kPatch{.dt = 1e-2, .mu = 0.7, .hunt_crossley = 3.0, .stiction_speed = 0.05};

struct Point {
  Vec3 r, n;
  std::array<double, 5> c;
};

// Coefficients of the same size as the velocities below, so that all regimes occur.
Point random_point(Random& random, PointLaw law) {
  Point p{random.vector(0.5), random.direction(), {}};
  const double Rn = random.uniform(0.1, 1.0), Rt = random.uniform(0.05, 0.5);
  if (law == PointLaw::kSap)
    p.c = {random.uniform(-0.3, 0.3), 1.0 / Rn, 1.0 / Rt, 1.0 / (Rn + kPatch.mu * kPatch.mu * Rt), 0.0};
  else
    p.c = {random.uniform(10.0, 1e3), random.uniform(-5e-3, 5e-3), random.uniform(0.0, 0.2), random.uniform(-0.2, 0.2),
           random.uniform(-0.2, 0.2)};
  return p;
}

std::vector<PointBlock> blocks_of(const std::vector<Point>& points) {
  std::vector<PointBlock> blocks((points.size() + 3) / 4, PointBlock{});
  for (std::size_t i = 0; i < points.size(); ++i) {
    PointBlock& b = blocks[i / 4];
    const Point& p = points[i];
    b.rx[i % 4] = p.r.x(), b.ry[i % 4] = p.r.y(), b.rz[i % 4] = p.r.z();
    b.nx[i % 4] = p.n.x(), b.ny[i % 4] = p.n.y(), b.nz[i % 4] = p.n.z();
    b.c0[i % 4] = p.c[0], b.c1[i % 4] = p.c[1], b.c2[i % 4] = p.c[2], b.c3[i % 4] = p.c[3];
    b.c4[i % 4] = p.c[4];
  }
  return blocks;
}

PatchSums sums(PointLaw law, const std::vector<PointBlock>& blocks, const Vec6& V, const PatchLaw& patch = kPatch) {
  PatchSums out;
  sum_points(law, patch, blocks.data(), nullptr, static_cast<int>(blocks.size()), V, out);
  return out;
}

Vec6 random_twist(Random& random) {
  Vec6 V;
  V << random.vector(0.6), random.vector(0.3);
  return V;
}

/// y = R⁻¹(v̂ − v_c) of a point of SAP, projected by brute force.
Vec3 sap_by_definition(const Point& p, const Vec3& vc, double mu) {
  const double Rn = 1.0 / p.c[1], Rt = 1.0 / p.c[2], vn = p.n.dot(vc);
  return testing::project_on_cone((p.c[0] - vn) / Rn, -(vc - vn * p.n) / Rt, p.n, mu, Rn, Rt);
}

TEST(SapLaw, IsTheProjectionOnTheCone) {
  Random random(1);
  int stick = 0, slip = 0, none = 0;
  for (int i = 0; i < 4000; ++i) {
    Point p = random_point(random, PointLaw::kSap);
    Vec6 V = random_twist(random);
    // The corners, on purpose: no friction, no slip (of an exact zero), no push.
    const bool frictionless = i % 4 == 1, straight = i % 3 == 1;
    PatchLaw patch = kPatch;
    if (frictionless) patch.mu = 0.0, p.c[3] = p.c[1];
    if (straight) V.head<5>().setZero(), p.n = Vec3::UnitZ();
    if (straight && i % 5 == 1) p.c[0] = V[5];
    const Vec3 vc = V.tail<3>() + V.head<3>().cross(p.r), expected = sap_by_definition(p, vc, patch.mu);
    const PatchSums s = sums(PointLaw::kSap, blocks_of({p}), V, patch);
    EXPECT_LT((s.F.tail<3>() - expected).norm(), 1e-13);
    EXPECT_LT((s.F.head<3>() - p.r.cross(expected)).norm(), 1e-13);
    // cost = ½γᵀRγ
    const double gn = p.n.dot(expected), Rn = 1.0 / p.c[1], Rt = 1.0 / p.c[2];
    const double gt2 = (expected - gn * p.n).squaredNorm();
    EXPECT_NEAR(s.cost, 0.5 * (Rn * gn * gn + Rt * gt2), 1e-13);
    PointResults results;
    point_results(PointLaw::kSap, patch, blocks_of({p})[0], V, results);
    EXPECT_GE(results.gn[0], 0.0) << "a contact pulls";
    (gn == 0.0 ? none : results.stick[0] != 0.0 ? stick : slip)++;
  }
  EXPECT_GT(stick, 300);
  EXPECT_GT(slip, 300);
  EXPECT_GT(none, 300);
}

// Without friction there is no tangential stiffness, and none at all without push; whatever the slip, zero included.
TEST(SapLaw, FrictionlessPointHasNormalStiffnessOnly) {
  Random random(2);
  PatchLaw patch = kPatch;
  patch.mu = 0.0;
  for (const double push : {-0.1, 0.0, 0.1})
    for (const double slip : {0.0, 0.2}) {
      Point p{Vec3::Zero(), Vec3::UnitZ(), {0.05, 2.0, 7.0, 2.0}};
      Vec6 V = Vec6::Zero();
      V[3] = slip, V[5] = 0.05 - push;
      const PatchSums s = sums(PointLaw::kSap, blocks_of({p}), V, patch);
      Mat3 G = Mat3::Zero();
      G(2, 2) = V[5] < 0.05 ? 2.0 : 0.0;
      EXPECT_EQ(Mat3(s.H.bottomRightCorner<3, 3>()), G) << push << " " << slip;
      EXPECT_EQ(Vec3(s.F.tail<3>()), Vec3(0, 0, 2.0 * std::max(0.05 - V[5], 0.0)));
    }
}

// γ = argmin over the cone of ½(γ − y)ᵀR(γ − y): no other impulse of the cone is nearer to y.
TEST(SapLaw, IsNearestInTheCone) {
  Random random(2);
  for (int i = 0; i < 300; ++i) {
    const Point p = random_point(random, PointLaw::kSap);
    const Vec6 V = random_twist(random);
    const Vec3 vc = V.tail<3>() + V.head<3>().cross(p.r);
    const double Rn = 1.0 / p.c[1], Rt = 1.0 / p.c[2];
    const double vn = p.n.dot(vc);
    const Vec3 y = (p.c[0] - vn) / Rn * p.n - (vc - vn * p.n) / Rt;
    auto distance = [&](const Vec3& g) {
      const double dn = p.n.dot(g - y);
      return Rn * dn * dn + Rt * ((g - y) - dn * p.n).squaredNorm();
    };
    const Vec3 gamma = sums(PointLaw::kSap, blocks_of({p}), V).F.tail<3>();
    const double gn = p.n.dot(gamma);
    EXPECT_LE((gamma - gn * p.n).norm(), kPatch.mu * gn * (1 + 1e-12) + 1e-15);
    for (int j = 0; j < 50; ++j) {
      const Vec3 trial = gamma + random.vector(0.1);
      const double tn = p.n.dot(trial);
      if (tn < 0.0 || (trial - tn * p.n).norm() > kPatch.mu * tn) continue;
      EXPECT_GE(distance(trial), distance(gamma) - 1e-13);
    }
  }
}

class AllLaws : public ::testing::TestWithParam<PointLaw> {};

// Fourth-order differences; a law's kinks are avoided by skipping twists near which G jumps.
TEST_P(AllLaws, WrenchAndHessianAreDerivatives) {
  const PointLaw law = GetParam();
  Random random(3);
  int checked = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const std::vector<PointBlock> blocks = blocks_of({random_point(random, law)});
    const Vec6 V = random_twist(random);
    const auto sums_at = [&](const Vec6& twist) { return sums(law, blocks, twist); };
    const PatchSums at = sums_at(V);
    const double h = 1e-5;
    Mat6 H;
    Vec6 F;
    for (int i = 0; i < 6; ++i) {
      const Vec6 e = h * Vec6::Unit(i);
      const PatchSums p1 = sums_at(V + e), m1 = sums_at(V - e);
      const PatchSums p2 = sums_at(V + 2 * e), m2 = sums_at(V - 2 * e);
      H.col(i) = -(8 * (p1.F - m1.F) - (p2.F - m2.F)) / (12 * h);
      F[i] = -(8 * (p1.cost - m1.cost) - (p2.cost - m2.cost)) / (12 * h);
    }
    // A kink inside the stencil shows as a jump of the Hessian across it.
    double jump = 0.0;
    for (int i = 0; i < 6; ++i)
      jump = std::max(jump, (sums_at(V + 2 * h * Vec6::Unit(i)).H - sums_at(V - 2 * h * Vec6::Unit(i)).H).norm());
    if (jump > 2e-2 * (at.H.norm() + 1e-9)) continue;
    ++checked;
    EXPECT_LT((H - at.H).norm(), 1e-6 * (1.0 + at.H.norm()));
    if (!is_coupled(law)) {
      EXPECT_LT((F - at.F).norm(), 1e-8 * (1.0 + at.F.norm()));
      EXPECT_EQ(at.H, at.H.transpose());
      EXPECT_GT(Eigen::SelfAdjointEigenSolver<Mat6>(at.H).eigenvalues().minCoeff(), -1e-10 * (1.0 + at.H.norm()));
    }
  }
  EXPECT_GT(checked, 300);
}

// The sums without a Hessian are those with one, to the last bit: a step that converges must not depend on which was
// asked for.
TEST_P(AllLaws, ImpulsesAreThoseOfTheFullSums) {
  Random random(9);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Point> points;
    for (int i = 0; i < 1 + trial % 9; ++i) points.push_back(random_point(random, GetParam()));
    const std::vector<PointBlock> blocks = blocks_of(points);
    const Vec6 V = random_twist(random);
    const PatchSums full = sums(GetParam(), blocks, V);
    PatchSums alone;
    sum_impulses(GetParam(), kPatch, blocks.data(), static_cast<int>(blocks.size()), V, alone);
    EXPECT_EQ(alone.F, full.F);
    EXPECT_EQ(alone.cost, full.cost);
  }
}

TEST_P(AllLaws, LineSumsAgreeWithWrenchAndHessian) {
  const PointLaw law = GetParam();
  Random random(4);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Point> points;
    for (int i = 0; i < 1 + trial % 9; ++i) points.push_back(random_point(random, law));
    const std::vector<PointBlock> blocks = blocks_of(points);
    const Vec6 V = random_twist(random), dV = random_twist(random);
    const PatchSums at = sums(law, blocks, V);
    const LineSums line = sum_points_along(law, kPatch, blocks.data(), static_cast<int>(blocks.size()), V, dV);
    EXPECT_NEAR(line.slope, -at.F.dot(dV), 1e-12);
    EXPECT_NEAR(line.curvature, dV.dot(at.H * dV), 1e-10);
  }
}

// Σ over points one by one = the sum over the patch; empty lanes add nothing; results agree with the sums.
TEST_P(AllLaws, PatchIsTheSumOfItsPoints) {
  const PointLaw law = GetParam();
  Random random(5);
  for (int n = 1; n <= 13; ++n) {
    std::vector<Point> points;
    for (int i = 0; i < n; ++i) points.push_back(random_point(random, law));
    const Vec6 V = random_twist(random);
    const std::vector<PointBlock> blocks = blocks_of(points);
    const PatchSums whole = sums(law, blocks, V);
    Vec6 F = Vec6::Zero(), from_results = Vec6::Zero();
    Mat6 H = Mat6::Zero();
    double cost = 0.0;
    for (int i = 0; i < n; ++i) {
      const PatchSums one = sums(law, blocks_of({points[i]}), V);
      F += one.F, H += one.H, cost += one.cost;
      PointResults r;
      point_results(law, kPatch, blocks[i / 4], V, r);
      const Vec3 gamma(r.gx[i % 4], r.gy[i % 4], r.gz[i % 4]), vt(r.vtx[i % 4], r.vty[i % 4], r.vtz[i % 4]);
      from_results.head<3>() += points[i].r.cross(gamma);
      from_results.tail<3>() += gamma;
      EXPECT_NEAR(points[i].n.dot(gamma), r.gn[i % 4], 1e-13);
      EXPECT_NEAR(points[i].n.dot(vt), 0.0, 1e-14);
      EXPECT_LE(gamma.dot(vt), 1e-15) << "friction must not push forward";
    }
    EXPECT_LT((F - whole.F).norm() + (H - whole.H).norm() + std::abs(cost - whole.cost), 1e-10);
    EXPECT_LT((from_results - whole.F).norm(), 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(PointKernels, AllLaws,
                         ::testing::Values(PointLaw::kSap, PointLaw::kLagged, PointLaw::kLaggedCoupled,
                                           PointLaw::kTamsi, PointLaw::kTamsiFrozen));

// The coupled laws are inside Coulomb's cone at any velocity, not at a solution only, and without γ_n have no friction.
TEST(CoupledLaws, AreInsideTheConeEverywhere) {
  Random random(10);
  int free = 0, pressed = 0;
  for (const PointLaw law : {PointLaw::kLaggedCoupled, PointLaw::kTamsi})
    for (int trial = 0; trial < 1000; ++trial) {
      const Point p = random_point(random, law);
      PointResults r;
      point_results(law, kPatch, blocks_of({p})[0], random_twist(random), r);
      const Vec3 gt = Vec3(r.gx[0], r.gy[0], r.gz[0]) - r.gn[0] * p.n;
      EXPECT_LE(gt.norm(), kPatch.mu * r.gn[0] * (1.0 + 1e-14));
      ++(r.gn[0] > 0.0 ? pressed : free);
    }
  EXPECT_GT(free, 200);
  EXPECT_GT(pressed, 200);
}

// Duals. At u = v_t/reach, where Newton's method ends, the Hessian is the true one; for any u of the unit disc it is
// positive semidefinite, so that the step goes downhill; and update_duals() leads there when the twist rests.
class ConvexLaws : public ::testing::TestWithParam<PointLaw> {};
INSTANTIATE_TEST_SUITE_P(PointKernels, ConvexLaws,
                         ::testing::Values(PointLaw::kSap, PointLaw::kLagged, PointLaw::kTamsiFrozen));

TEST_P(ConvexLaws, DualsLeadToTheTrueHessian) {
  const PointLaw law = GetParam();
  Random random(6);
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<PointBlock> blocks =
        blocks_of({random_point(random, law), random_point(random, law), random_point(random, law)});
    const Vec6 V = random_twist(random);
    DualBlock dual{};
    for (int i = 0; i < 2; ++i) update_duals(law, kPatch, blocks.data(), 1, V, Vec6::Zero(), &dual);
    PatchSums with;
    sum_points(law, kPatch, blocks.data(), &dual, 1, V, with);
    const PatchSums truth = sums(law, blocks, V);
    EXPECT_LT((with.H - truth.H).norm(), 1e-11 * (1.0 + truth.H.norm()));
    EXPECT_EQ(with.F, truth.F);
    EXPECT_EQ(with.cost, truth.cost);
  }
}

TEST_P(ConvexLaws, AnyDualOfTheDiscGivesADescentDirection) {
  const PointLaw law = GetParam();
  Random random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const Point p = random_point(random, law);
    const std::vector<PointBlock> blocks = blocks_of({p});
    Vec3 u = random.direction() * random.uniform(0.0, 1.0);
    u -= u.dot(p.n) * p.n;
    const DualBlock dual{.ux = {u.x()}, .uy = {u.y()}, .uz = {u.z()}};
    PatchSums with;
    sum_points(law, kPatch, blocks.data(), &dual, 1, random_twist(random), with);
    EXPECT_EQ(with.H, with.H.transpose());
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Mat6>(with.H).eigenvalues().minCoeff(), -1e-11 * (1.0 + with.H.norm()));
  }
}

TEST_P(ConvexLaws, DualsStayInTheDiscAndEmptyLanesStayFinite) {
  const PointLaw law = GetParam();
  Random random(8);
  DualBlock dual{};
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<PointBlock> blocks = blocks_of({random_point(random, law)});
    update_duals(law, kPatch, blocks.data(), 1, random_twist(random), 10.0 * random_twist(random), &dual);
    for (int lane = 0; lane < 4; ++lane)
      EXPECT_LE(std::hypot(dual.ux[lane], dual.uy[lane], dual.uz[lane]), 1.0 + 1e-14);
    PatchSums with;
    sum_points(law, kPatch, blocks.data(), &dual, 1, random_twist(random), with);
    EXPECT_TRUE(with.H.allFinite());
  }
}

// Hunt–Crossley by hand: γ_n = δt k(−φ₀ − δt(v_n − a))(1 − d(v_n − b)), zero where either factor is. The potential is
// the integral of γ_n up to its end.
TEST(HuntCrossley, IsTheProductOfBothFactors) {
  const double k = 2e5, phi0 = -1e-4;
  int pressing = 0;
  for (const PointLaw law : {PointLaw::kLagged, PointLaw::kLaggedCoupled, PointLaw::kTamsi, PointLaw::kTamsiFrozen})
    for (const double slide : {0.0, 0.04})
      for (const double a : {0.0, 0.07, -0.12})
        for (const double vn : {-1.0, -0.1, 0.0, 0.05, 0.0999, 0.1001, 0.19, 0.21, 3.0}) {
          const PatchLaw patch{.dt = 1e-3, .mu = 0.0, .hunt_crossley = 5.0, .stiction_speed = 1e-4};
          const auto impulse = [&](double v) {
            return 1e-3 * k * std::max(0.0, 1e-4 - 1e-3 * (v - a)) * std::max(0.0, 1.0 - 5.0 * (v - slide));
          };
          PointBlock b{};
          b.nz[0] = 1.0, b.c0[0] = k, b.c1[0] = phi0, b.c3[0] = a, b.c4[0] = slide;
          PointResults r;
          Vec6 V = Vec6::Zero();
          V[5] = vn;
          point_results(law, patch, b, V, r);
          EXPECT_NEAR(r.gn[0], impulse(vn), 1e-15 + 1e-13 * impulse(vn)) << vn << " " << a;
          pressing += r.gn[0] > 0.0;
          if (is_coupled(law) || vn > 1.0) continue;
          double potential = 0.0;  // midpoints, up to well beyond the end of the contact
          for (int i = 0; i < 20000; ++i)
            potential += (1.0 - vn) / 20000 * impulse(vn + (i + 0.5) * (1.0 - vn) / 20000);
          EXPECT_NEAR(sums(law, {b}, V, patch).cost, potential, 1e-6 * potential + 1e-9) << vn << " " << a;
        }
  EXPECT_GT(pressing, 50);
}

// The law in a frame that moves along with the pattern: γ_n(v_n, a, a) = γ_n(v_n − a, 0, 0).
TEST(HuntCrossley, ConvectionIsAShiftOfTheNormalVelocity) {
  Random random(9);
  int pressing = 0;
  for (int trial = 0; trial < 200; ++trial) {
    PointBlock with{}, without{};
    with.nz[0] = without.nz[0] = 1.0;
    with.c0[0] = without.c0[0] = random.uniform(10.0, 1e3);
    with.c1[0] = without.c1[0] = random.uniform(-5e-3, 5e-3);
    with.c3[0] = with.c4[0] = random.uniform(-0.3, 0.3);
    Vec6 V = Vec6::Zero(), shifted = V;
    V[5] = random.uniform(-0.3, 0.3);
    shifted[5] = V[5] - with.c3[0];
    PointResults a, b;
    point_results(PointLaw::kTamsi, kPatch, with, V, a);
    point_results(PointLaw::kTamsi, kPatch, without, shifted, b);
    EXPECT_NEAR(a.gn[0], b.gn[0], 1e-14);
    pressing += a.gn[0] > 0.0;
  }
  EXPECT_GT(pressing, 50);
}

}  // namespace
}  // namespace patchfield
