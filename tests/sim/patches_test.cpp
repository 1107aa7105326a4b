// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The pairs that a step looks at, against all pairs.

#include <gtest/gtest.h>

#include "patchfield/sim/body_motion.h"
#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

Pose pose(const Data& data, int g) { return {mat3(data.d()->geom_xmat + 9 * g), vec3(data.d()->geom_xpos + 3 * g)}; }

/// Faces of every pair of geoms that may touch, found without any broad phase.
int faces_by_brute_force(const Data& data) {
  SurfaceScratch scratch;
  ContactSurface surface;
  SurfaceOptions options = data.options.surface;
  options.min_face_area = kMinFaceArea;
  int faces = 0;
  for (int a = 0; a < data.model.num_geoms(); ++a)
    for (int b = a + 1; b < data.model.num_geoms(); ++b) {
      if (data.model.pairs()(a, b) != PairKind::kPatch) continue;
      const PatchPair pair = data.model.patch_pair(a, b);
      compute_contact_surface(*pair.A, pose(data, a), *pair.B, pose(data, b), options, scratch, surface);
      faces += surface.num_faces();
    }
  return faces;
}

// Poses in mjData after a step are those that the step saw.
TEST(Patches, NoTouchingPairIsMissed) {
  Data data(Model::parse(scenes::clutter(18)));
  int most = 0;
  for (int i = 0; i < 60; ++i) {
    run(data, 4e-3, 0.02);
    int found = 0;
    for (int k = 0; k < data.num_patches; ++k) found += data.patches[static_cast<std::size_t>(k)]->surface.num_faces();
    EXPECT_EQ(found, faces_by_brute_force(data)) << "t = " << data.d()->time;
    most = std::max(most, found);
  }
  EXPECT_GT(most, 100);
}

TEST(Patches, TiltedPlanesAreFoundToo) {
  for (const double angle : {0.0, 0.4, 1.2}) {
    Data data(Model::parse(scenes::box_on_plane({.modulus = 1e6}, angle)));
    step(data, 1e-3);
    EXPECT_EQ(data.num_patches, 1) << angle;
    EXPECT_GT(data.patches[0]->surface.num_faces(), 0);
  }
  Data far(Model::parse(scenes::box_on_plane({.modulus = 1e6}, 0.4, 1e-3)));
  step(far, 1e-4);
  EXPECT_EQ(far.num_patches, 0) << "a millimetre above the slope";
}

// The Jacobians of a patch give the relative velocity of the bodies' points at o, by finite differences of poses.
TEST(Patches, JacobiansAreVelocitiesOfTheBodies) {
  Data data(Model::parse(scenes::bubbles()));
  run(data, 2e-3, 0.2);
  const mjModel* m = data.m();
  const double v[] = {0.3, -0.2, 0.1, 0.4, -0.3, 2.0, -1.0, 0.5};
  for (int i = 0; i < m->nv; ++i) data.d()->qvel[i] = v[i];
  const double h = 1e-7;
  for (int k = 0; k < data.num_patches; ++k) {
    mj_fwdKinematics(m, data.d());
    const Patch& patch = *data.patches[static_cast<std::size_t>(k)];
    Vec3 expected = Vec3::Zero(), moved[2];
    for (const auto& [geom, sign] : {std::pair{patch.geom_A, -1.0}, std::pair{patch.geom_B, 1.0}}) {
      const Pose before = pose(data, geom);
      const Vec3 p_G = before.inverse() * patch.p_WO;
      std::vector<double> q(data.d()->qpos, data.d()->qpos + m->nq);
      for (int s = 0; s < 2; ++s) {
        std::copy(q.begin(), q.end(), data.d()->qpos);
        mj_integratePos(m, data.d()->qpos, data.d()->qvel, s == 0 ? -h : h);
        mj_fwdKinematics(m, data.d());
        moved[s] = pose(data, geom) * p_G;
      }
      std::copy(q.begin(), q.end(), data.d()->qpos);
      mj_fwdKinematics(m, data.d());
      expected += sign * (moved[1] - moved[0]) / (2 * h);
    }
    const Vec3 velocity = point_velocity(m, data.d(), m->geom_bodyid[patch.geom_B], patch.p_WO, data.d()->qvel) -
                          point_velocity(m, data.d(), m->geom_bodyid[patch.geom_A], patch.p_WO, data.d()->qvel);
    EXPECT_LT((velocity - expected).norm(), 1e-6) << "patch " << k;
  }
}

}  // namespace
}  // namespace patchfield
