// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Force, moment and stiffness of a patch must not jump while its faces grow, split, merge and change their rule.
//
// Poses in steps of 1e-6 m or rad. A quantity that is smooth between two kinks has second differences of the order of
// its curvature times 1e-12; a jump shows up whole.

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "patchfield/contact/discretize.h"
#include "patchfield/geometry/query.h"

namespace patchfield {
namespace {

constexpr double kStep = 1e-6;

/// At rest, about a fixed point: what a solver sees of the patch when nothing moves.
struct Sums {
  Vec6 wrench = Vec6::Zero();     ///< (moment, force)
  Mat6 stiffness = Mat6::Zero();  ///< −∂wrench/∂(turn, shift) of the springs that press.
};

Sums sums(const Geometry& A, const Geometry& B, const Pose& X_WB, const DiscretizeOptions& options,
          const SurfaceOptions& surface_options) {
  const ContactSurface surface = contact_surface(A, {}, B, X_WB, surface_options);
  const Vec3 o = X_WB.p;
  ContactPoints p;
  append_contacts(surface, o, options, p);
  Sums out;
  for (int i = 0; i < p.size(); ++i) {
    if (p.phi0[i] >= 0.0) continue;
    const Vec3 r(p.rx[i], p.ry[i], p.rz[i]), n(p.nx[i], p.ny[i], p.nz[i]);
    Vec6 along;
    along << r.cross(n), n;
    out.wrench += -p.k[i] * p.phi0[i] * along;
    out.stiffness += p.k[i] * along * along.transpose();
  }
  return out;
}

struct Sweep {
  const char* name;
  Geometry A, B;
  Pose start;
  Vec3 turn, shift;  ///< Per step.
  int steps;
};

std::vector<Sweep> sweeps() {
  const Geometry plane = Geometry::rigid(HalfSpace{}), slab = Geometry::rigid(Box{0.3, 0.3, 0.1});
  const auto soft = [](const Shape& s, double resolution) {
    return Geometry::compliant(s, {.modulus = 1e6, .resolution = resolution, .margin = 1e-4});
  };
  const Geometry ground = soft(Box{0.3, 0.3, 0.1}, 0.02);
  const Vec3 none = Vec3::Zero();
  std::vector<Sweep> all;
  // Tilting box: the cut at p = 0 runs over its footprint, large faces become small ones.
  all.push_back({"box tilts on plane", plane, soft(Box{0.1, 0.1, 0.1}, 0.02), Pose::translation(0, 0, 0.0495),
                 kStep * Vec3(0.3, 1, 0), none, 6000});
  all.push_back({"ball sinks into plane", plane, soft(Sphere{0.05}, 0.01), Pose::translation(0, 0, 0.0480), none,
                 kStep * Vec3(0, 0, -1), 3000});
  all.push_back({"ball rolls on slab", slab, soft(Sphere{0.05}, 0.01), Pose::translation(0, 0, 0.0980),
                 kStep * Vec3(0, 20, 0), kStep * Vec3(1, 0, 0), 3000});
  all.push_back({"cylinder tilts on soft box", ground, soft(Cylinder{0.03, 0.06}, 0.01),
                 Pose::translation(0.01, 0.02, 0.079), kStep * Vec3(1, 0.7, 0), none, 3000});
  all.push_back({"box slides over soft box's edge", ground, soft(Box{0.1, 0.1, 0.1}, 0.02),
                 Pose::translation(0.1, 0.01, 0.099), none, kStep * Vec3(1, 0.3, 0), 3000});
  // All but the start is general: no exactly flush faces.
  for (Sweep& s : all) s.start.R = Eigen::AngleAxisd(0.003, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  return all;
}

TEST(Continuity, ForceMomentAndStiffnessDoNotJump) {
  int total_split = 0, total_whole = 0;
  for (const Sweep& sweep : sweeps())
    for (const Tessellation tessellation : {Tessellation::kPolygon, Tessellation::kTriangle}) {
      const SurfaceOptions surface{.tessellation = tessellation};
      Sums at[3];
      double worst_force = 0.0, worst_moment = 0.0, worst_stiffness = 0.0;
      int split = 0, whole = 0;
      for (int i = 0; i < sweep.steps; ++i) {
        Pose X_WB = sweep.start;
        X_WB.p += i * sweep.shift;
        const double angle = i * sweep.turn.norm();
        if (angle > 0.0) X_WB.R = Eigen::AngleAxisd(angle, sweep.turn.normalized()).toRotationMatrix() * sweep.start.R;
        at[0] = at[1], at[1] = at[2], at[2] = sums(sweep.A, sweep.B, X_WB, {}, surface);
        if (i % 500 == 0) {
          ContactPoints p;
          const DiscretizeReport report =
              append_contacts(contact_surface(sweep.A, {}, sweep.B, X_WB, surface), X_WB.p, {}, p);
          split += report.split, whole += report.faces - report.split;
        }
        if (i < 2) continue;
        const double force = at[1].wrench.tail<3>().norm();
        ASSERT_GT(force, 0.0) << sweep.name << ", step " << i;
        const Vec6 jump = at[0].wrench - 2.0 * at[1].wrench + at[2].wrench;
        const Mat6 bend = at[0].stiffness - 2.0 * at[1].stiffness + at[2].stiffness;
        worst_force = std::max(worst_force, jump.tail<3>().norm() / force);
        worst_moment = std::max(worst_moment, jump.head<3>().norm() / (0.05 * force));
        worst_stiffness = std::max(
            {worst_stiffness, bend.bottomRightCorner<3, 3>().norm() / at[1].stiffness.bottomRightCorner<3, 3>().norm(),
             bend.topLeftCorner<3, 3>().norm() / at[1].stiffness.topLeftCorner<3, 3>().norm()});
      }
      EXPECT_LT(worst_force, 1e-3) << sweep.name << ", " << to_string(tessellation);
      EXPECT_LT(worst_moment, 1e-3) << sweep.name << ", " << to_string(tessellation);
      EXPECT_LT(worst_stiffness, 1e-2) << sweep.name << ", " << to_string(tessellation);
      total_split += split, total_whole += whole;
    }
  EXPECT_GT(total_split, 100);
  EXPECT_GT(total_whole, 100);
}

}  // namespace
}  // namespace patchfield
