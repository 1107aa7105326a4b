// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Written as SDF and read back, a model is the same machine: geoms at the same places for any joint positions, the same
// mass matrix, limits, motors, materials and filters. The reader has its own oracles (import_kinematics_test.cpp).

#include "patchfield/io/sdf_writer.h"

#include <filesystem>
#include <fstream>
#include <random>

#include "import_testing.h"
#include "scenes/scenes.h"

namespace patchfield {
namespace {

/// All that an MJCF can say that SDF can: reference positions, servos, springs, a ball joint, welded bodies, a
/// coupling.
constexpr const char* kMachine = R"(<mujoco model="machine"><compiler angle="radian" autolimits="true"/>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1" pos="0 0 -1"/>
    <body name="a" pos=".1 .2 .3" quat=".8 .1 .5 .2"><joint name="turn" axis="1 2 .5" pos=".03 -.02 .01" ref=".4" range="-1 2" damping=".3" armature=".02" frictionloss=".1"/>
      <geom name="a" type="box" size=".1 .2 .05" pos=".02 .01 0" quat=".9 0 .3 .1"/><site name="tip" pos="0 0 .2" quat=".7 .7 0 0"/>
      <body name="b" pos="0 .4 .1" quat=".5 .5 -.5 .5"><joint name="slide" type="slide" axis="0 1 1" ref="-.05" stiffness="20" springref=".02"/>
        <geom name="b" type="capsule" size=".05 .1"/>
        <body name="welded" pos=".1 0 0" quat="1 .2 0 0"><geom name="welded" type="sphere" size=".04"/></body>
      </body>
      <body name="c" pos="0 -.4 .1"><joint name="ball" type="ball" pos="0 0 .1"/><geom name="c" type="ellipsoid" size=".05 .06 .07"/></body>
      <body name="d" pos=".3 0 0"><joint name="follow" type="slide" axis="1 0 0" ref=".1"/><geom name="d" type="cylinder" size=".03 .05"/></body>
    </body>
    <body name="free" pos="1 1 1"><freejoint name="loose"/><geom name="free" type="box" size=".1 .1 .1"/></body>
  </worldbody>
  <equality><joint joint1="follow" joint2="slide" polycoef=".01 -2 0 0 0"/></equality>
  <actuator><motor name="turn" joint="turn" forcerange="-7 7"/><position name="slide" joint="slide" kp="100" kv="5" forcerange="-9 9"/></actuator>
  <custom><text name="patchfield:c" data="compliant modulus=2e5 resolution=.02 mu=.7 hunt_crossley=3 relaxation_time=.02 margin=1e-3"/>
    <text name="patchfield:floor" data="compliant modulus=1e6 slab_thickness=.3"/>
    <text name="patchfield:b" data="rigid mu=.3"/></custom>
</mujoco>)";

class RoundTrip {
 public:
  explicit RoundTrip(const std::string& mjcf)
      : before(Model::parse(mjcf)), sdf(write_sdf(before, "machine")), after(read(sdf.text)),
        d(mj_makeData(before.mujoco())), e(mj_makeData(after.mujoco())) {}

  static Model read(const std::string& text) {
    ImportedModel imported = import_model_text(text, "machine.sdf");
    for (const Diagnostic& warning : imported.warnings) ADD_FAILURE() << to_string(warning);
    return Model::adopt(imported.mujoco.release());
  }

  /// The joint of the same coordinate: of the same name, or the free joint that the reader named after the link.
  int joint_after(int j) const {
    const mjModel* m = before.mujoco();
    const char* given = mj_id2name(m, mjOBJ_JOINT, j);
    const std::string name = given == nullptr ? "joint_" + std::to_string(j) : given;
    const std::string body = mj_id2name(m, mjOBJ_BODY, m->jnt_bodyid[j]);
    return mj_name2id(after.mujoco(), mjOBJ_JOINT,
                      m->jnt_type[j] == mjJNT_FREE ? (body + "_free").c_str() : name.c_str());
  }

  int geom_after(int g) const {
    const char* name = mj_id2name(before.mujoco(), mjOBJ_GEOM, g);
    return name == nullptr ? -1 : mj_name2id(after.mujoco(), mjOBJ_GEOM, name);
  }

  /// Both at the same random positions.
  void pose(std::mt19937& random) {
    std::uniform_real_distribution<double> uniform(-0.7, 0.7);
    const mjModel* m = before.mujoco();
    for (int i = 0; i < m->nq; ++i) d->qpos[i] = uniform(random);
    mj_normalizeQuat(m, d->qpos);
    for (int j = 0; j < m->njnt; ++j) {
      const int n = m->jnt_type[j] == mjJNT_FREE ? 7 : m->jnt_type[j] == mjJNT_BALL ? 4 : 1;
      mju_copy(e->qpos + after.mujoco()->jnt_qposadr[joint_after(j)], d->qpos + m->jnt_qposadr[j], n);
    }
    mj_forward(m, d.get());
    mj_forward(after.mujoco(), e.get());
  }

  Model before;
  SdfExport sdf;
  Model after;
  std::unique_ptr<mjData, DeleteMjData> d, e;
};

std::vector<std::string> machines() {
  std::vector<std::string> all = {kMachine};
  for (const char* name : {"pancake", "spatula", "bubbles", "clutter:9", "box_on_plane", "chain"})
    all.push_back(scenes::by_name(name));
  return all;
}

MatX mass_matrix(const mjModel* m, mjData* d) {
  MatX M(m->nv, m->nv);
  mj_fullM(m, d, M.data());
  return M;
}

TEST(WriteSdf, GeomsAndMassesAreWhereTheyWere) {
  std::mt19937 random(5);
  for (const std::string& mjcf : machines()) {
    RoundTrip trip(mjcf);
    const mjModel *m = trip.before.mujoco(), *n = trip.after.mujoco();
    ASSERT_EQ(m->nv, n->nv) << trip.sdf.text;
    std::vector<int> dof(static_cast<std::size_t>(m->nv));
    for (int i = 0; i < m->nv; ++i) {
      const int j = m->dof_jntid[i];
      dof[static_cast<std::size_t>(i)] = n->jnt_dofadr[trip.joint_after(j)] + i - m->jnt_dofadr[j];
    }
    for (int k = 0; k < 5; ++k) {
      trip.pose(random);
      for (int g = 0; g < m->ngeom; ++g) {
        const int h = trip.geom_after(g);
        if (h < 0) continue;
        EXPECT_LT(distance(Imported::pose(trip.d->geom_xpos + 3 * g, trip.d->geom_xmat + 9 * g),
                           Imported::pose(trip.e->geom_xpos + 3 * h, trip.e->geom_xmat + 9 * h)),
                  1e-9)
            << trip.before.geom(g).name;
      }
      const MatX M = mass_matrix(m, trip.d.get()), N = mass_matrix(n, trip.e.get());
      for (int i = 0; i < m->nv; ++i)
        for (int j = 0; j < m->nv; ++j)
          EXPECT_NEAR(M(i, j), N(dof[static_cast<std::size_t>(i)], dof[static_cast<std::size_t>(j)]),
                      1e-9 * (1.0 + std::abs(M(i, j))));
    }
  }
}

TEST(WriteSdf, MaterialsShapesAndFiltersStay) {
  for (const std::string& mjcf : machines()) {
    const RoundTrip trip(mjcf);
    const mjModel *m = trip.before.mujoco(), *n = trip.after.mujoco();
    for (int g = 0; g < m->ngeom; ++g) {
      if (trip.geom_after(g) < 0) continue;
      const Geom &a = trip.before.geom(g), &b = trip.after.geom(trip.geom_after(g));
      EXPECT_EQ(m->geom_type[g], n->geom_type[trip.geom_after(g)]) << a.name;
      for (int i = 0; i < (m->geom_type[g] == mjGEOM_PLANE ? 2 : 3); ++i)
        EXPECT_DOUBLE_EQ(m->geom_size[3 * g + i], n->geom_size[3 * trip.geom_after(g) + i]) << a.name;
      EXPECT_EQ(a.compliant, b.compliant) << a.name;
      EXPECT_DOUBLE_EQ(a.material.mu, b.material.mu) << a.name;
      EXPECT_DOUBLE_EQ(a.material.modulus, b.material.modulus) << a.name;
      EXPECT_DOUBLE_EQ(a.material.hunt_crossley, b.material.hunt_crossley) << a.name;
      EXPECT_DOUBLE_EQ(a.material.relaxation_time, b.material.relaxation_time) << a.name;
      EXPECT_DOUBLE_EQ(a.margin, b.margin) << a.name;
      EXPECT_EQ(a.resolution, b.resolution) << a.name;
      EXPECT_EQ(a.settings.slab_thickness, b.settings.slab_thickness) << a.name;
      for (int h = 0; h < m->ngeom; ++h)
        if (trip.geom_after(h) >= 0) {
          EXPECT_EQ(trip.before.pairs()(g, h), trip.after.pairs()(trip.geom_after(g), trip.geom_after(h)))
              << a.name << " and " << trip.before.geom(h).name;
        }
    }
  }
}

TEST(WriteSdf, JointsKeepLimitsSpringsMotorsAndCouplings) {
  for (const std::string& mjcf : machines()) {
    const RoundTrip trip(mjcf);
    const mjModel *m = trip.before.mujoco(), *n = trip.after.mujoco();
    EXPECT_EQ(m->nu, n->nu);
    EXPECT_EQ(m->neq, n->neq);
    for (int j = 0; j < m->njnt; ++j) {
      const int k = trip.joint_after(j), v = m->jnt_dofadr[j], w = n->jnt_dofadr[k];
      EXPECT_EQ(m->jnt_limited[j], n->jnt_limited[k]);
      if (m->jnt_type[j] == mjJNT_FREE || m->jnt_type[j] == mjJNT_BALL) continue;
      for (int i = 0; i < 2 && m->jnt_limited[j] != 0; ++i)
        EXPECT_DOUBLE_EQ(m->jnt_range[2 * j + i], n->jnt_range[2 * k + i]);
      if (m->neq == 0 || m->eq_obj1id[0] != j) {  // a coupled joint starts where the coupling holds
        EXPECT_DOUBLE_EQ(m->qpos0[m->jnt_qposadr[j]], n->qpos0[n->jnt_qposadr[k]]);
      }
      EXPECT_DOUBLE_EQ(m->jnt_stiffness[j], n->jnt_stiffness[k]);
      EXPECT_DOUBLE_EQ(m->dof_damping[v], n->dof_damping[w]);
      EXPECT_DOUBLE_EQ(m->dof_armature[v], n->dof_armature[w]);
      EXPECT_DOUBLE_EQ(m->dof_frictionloss[v], n->dof_frictionloss[w]);
    }
  }
}

// At the positions where the coupling of the one holds, that of the other does: q_follow = 0.1 + 0.01 − 2(q_slide +
// 0.05).
TEST(WriteSdf, ACouplingHoldsAtTheSamePositions) {
  RoundTrip trip(kMachine);
  const mjModel* n = trip.after.mujoco();
  ASSERT_EQ(n->neq, 1);
  const double slide = 0.2, follow = 0.1 + 0.01 - 2.0 * (slide + 0.05);
  const mjtNum* a = n->eq_data;
  const double y0 = n->qpos0[n->jnt_qposadr[n->eq_obj1id[0]]], x0 = n->qpos0[n->jnt_qposadr[n->eq_obj2id[0]]];
  EXPECT_NEAR(follow - y0, a[0] + a[1] * (slide - x0), 1e-12);
}

TEST(WriteSdf, ServosAndEffortLimitsStay) {
  const RoundTrip trip(kMachine);
  const mjModel* n = trip.after.mujoco();
  ASSERT_EQ(n->nu, 2);
  for (int a = 0; a < 2; ++a) {
    const bool servo = std::string(mj_id2name(n, mjOBJ_JOINT, n->actuator_trnid[2 * a])) == "slide";
    EXPECT_DOUBLE_EQ(n->actuator_forcerange[2 * a + 1], servo ? 9.0 : 7.0);
    if (servo) {
      EXPECT_DOUBLE_EQ(n->actuator_gainprm[mjNGAIN * a], 100.0);
    }
  }
}

// MuJoCo moves a mesh to its center of mass; its corners must still be where they were.
TEST(WriteSdf, CornersOfAMeshStay) {
  const Model before =
      Model::parse(R"(<mujoco><asset><mesh name="wedge" vertex="1 0 0  1.4 0 0  1 .3 0  1 0 .2"/></asset>
    <worldbody><body name="x" pos=".1 .2 .3" quat=".8 .6 0 0"><freejoint/>
      <geom name="wedge" type="mesh" mesh="wedge" pos=".5 0 0" quat=".6 0 .8 0"/></body>
      <geom type="plane" size="1 1 1"/></worldbody></mujoco>)");
  const SdfExport sdf = write_sdf(before, "machine");
  ASSERT_EQ(sdf.meshes.size(), 1u);
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "write_sdf";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / sdf.meshes.begin()->first) << sdf.meshes.begin()->second;
  std::ofstream(folder / "machine.sdf") << sdf.text;
  const ImportedModel after = import_model((folder / "machine.sdf").string());
  const auto corners = [](const mjModel* m, const char* name) {
    const std::unique_ptr<mjData, DeleteMjData> d(mj_makeData(m));
    mj_forward(m, d.get());
    const int g = mj_name2id(m, mjOBJ_GEOM, name), mesh = m->geom_dataid[g];
    const Pose X_WG = Imported::pose(d->geom_xpos + 3 * g, d->geom_xmat + 9 * g);
    std::vector<Vec3> all;
    for (int v = 0; v < m->mesh_vertnum[mesh]; ++v) {
      const float* p = m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + v);
      all.push_back(X_WG * Vec3(p[0], p[1], p[2]));
    }
    return all;
  };
  const std::vector<Vec3> a = corners(before.mujoco(), "wedge"), b = corners(after.mujoco.get(), "wedge");
  ASSERT_EQ(a.size(), 4u);
  for (const Vec3& p : a) {
    double nearest = 1.0;
    for (const Vec3& q : b) nearest = std::min(nearest, (p - q).norm());
    EXPECT_LT(nearest, 1e-6);  // corners are floats
  }
}

TEST(WriteSdf, SaysWhatItLeavesOut) {
  const Model model = Model::parse(R"(<mujoco><worldbody>
      <body name="x"><joint name="j"/><geom type="box" size=".1 .1 .1"/></body></worldbody>
    <actuator><velocity name="motor" joint="j" kv="3"/></actuator>
    <sensor><jointpos joint="j"/></sensor><keyframe><key qpos="1"/></keyframe></mujoco>)");
  std::string all;
  for (const std::string& line : write_sdf(model, "x").unsaid) all += line + "\n";
  for (const char* word : {"actuator \"motor\"", "1 sensor", "1 keyframe", "time step"})
    EXPECT_NE(all.find(word), std::string::npos) << all;
}

TEST(WriteSdf, RefusesABodyWithSeveralJoints) {
  const Model model = Model::parse(R"(<mujoco><worldbody><body name="x"><joint axis="1 0 0"/><joint axis="0 1 0"/>
      <geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>)");
  EXPECT_THROW(write_sdf(model, "x"), InputError);
}

}  // namespace
}  // namespace patchfield
