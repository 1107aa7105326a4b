// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Imported robots move and weigh as they must: against first principles, and against MuJoCo's own reading of URDF.

#include "import_testing.h"
#include "patchfield/io/file_bytes.h"
#include "random_robot.h"

namespace patchfield {
namespace {

constexpr double kSame = 1e-9;
constexpr int kRobots = 12, kLinks = 9, kConfigurations = 10;

MatX mass_matrix(const mjModel* m, const mjData* d) {
  MatX M(m->nv, m->nv);
  std::vector<mjtNum> full(static_cast<std::size_t>(m->nv) * static_cast<std::size_t>(m->nv));
  mj_fullM(m, d, full.data());
  for (int i = 0; i < m->nv; ++i)
    for (int j = 0; j < m->nv; ++j) M(i, j) = full[static_cast<std::size_t>(i * m->nv + j)];
  return M;
}

/// Names of the joints in the order of their dofs, a free joint's left out.
std::vector<std::string> dof_names(const mjModel* m) {
  std::vector<std::string> names;
  for (int j = 0; j < m->njnt; ++j)
    if (m->jnt_type[j] != mjJNT_FREE) names.emplace_back(mj_id2name(m, mjOBJ_JOINT, j));
  return names;
}

void expect_truth(const RandomRobot& robot, Imported& imported, std::mt19937& random, bool free) {
  for (int k = 0; k < kConfigurations; ++k) {
    const RandomRobot::Positions q = robot.random_positions(random);
    Pose X_WB;
    if (free) {
      const Eigen::Quaterniond turn = Eigen::Quaterniond::UnitRandom();
      X_WB = {turn.toRotationMatrix(), {0.3, -0.2 * k, 0.7}};
      const double base[] = {X_WB.p.x(), X_WB.p.y(), X_WB.p.z(), turn.w(), turn.x(), turn.y(), turn.z()};
      std::copy(base, base + 7, imported.d->qpos);
    }
    for (const auto& [name, value] : q) imported.q(name) = value;
    imported.update();
    const std::vector<Pose> poses = robot.poses(q, X_WB);
    for (std::size_t i = 0; i < poses.size(); ++i)
      EXPECT_LT(distance(imported.body_pose(RandomRobot::link_name(static_cast<int>(i))), poses[i]), kSame);
    const MatX M = robot.mass_matrix(q, dof_names(imported.m.get()), free, X_WB);
    const MatX ours = mass_matrix(imported.m.get(), imported.d.get());
    ASSERT_EQ(ours.rows(), M.rows());
    EXPECT_LT((ours - M).cwiseAbs().maxCoeff(), kSame * M.cwiseAbs().maxCoeff());
  }
}

TEST(ImportKinematics, UrdfMovesAndWeighsAsFirstPrinciplesSay) {
  std::mt19937 random(1);
  for (int i = 0; i < kRobots; ++i) {
    const RandomRobot robot(kLinks, false, random);
    Imported fixed = import_text(robot.urdf(), "random.urdf", {.fixed_base = true});
    expect_truth(robot, fixed, random, false);
    Imported floating = import_text(robot.urdf(), "random.urdf");
    expect_truth(robot, floating, random, true);
  }
}

TEST(ImportKinematics, SdfMovesAndWeighsAsFirstPrinciplesSay) {
  std::mt19937 random(2);
  for (int i = 0; i < kRobots; ++i) {
    const RandomRobot robot(kLinks, true, random);
    Imported fixed = import_text(robot.sdf(), "random.sdf", {.fixed_base = true});
    expect_truth(robot, fixed, random, false);
    Imported floating = import_text(robot.sdf(), "random.sdf");
    expect_truth(robot, floating, random, true);
  }
}

/// MuJoCo's reader, told not to merge links that are welded together.
Imported mujocos_reading(std::string urdf) {
  const std::size_t robot = urdf.find('>', urdf.find("<robot"));
  urdf.insert(robot + 1, "<mujoco><compiler fusestatic=\"false\" discardvisual=\"true\"/></mujoco>");
  char error[1000] = "";
  const MjSpecPtr spec(mj_parseXMLString(urdf.c_str(), nullptr, error, sizeof(error)));
  EXPECT_NE(spec, nullptr) << error;
  return Imported({MjModelPtr(mj_compile(spec.get(), nullptr)), {}});
}

void expect_same_motion(Imported& ours, Imported& theirs, std::mt19937& random) {
  ASSERT_EQ(ours.m->nv, theirs.m->nv);
  ASSERT_EQ(ours.m->nbody, theirs.m->nbody);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  const std::vector<std::string> names = dof_names(ours.m.get());
  for (int k = 0; k < kConfigurations; ++k) {
    for (const std::string& name : names) ours.q(name) = theirs.q(name) = uniform(random);
    ours.update(), theirs.update();
    for (int b = 1; b < ours.m->nbody; ++b) {
      const std::string name = mj_id2name(ours.m.get(), mjOBJ_BODY, b);
      EXPECT_LT(distance(ours.body_pose(name), theirs.body_pose(name)), kSame) << name;
    }
    const MatX A = mass_matrix(ours.m.get(), ours.d.get()), B = mass_matrix(theirs.m.get(), theirs.d.get());
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t j = 0; j < names.size(); ++j) {
        const auto dof = [](const Imported& x, const std::string& n) { return x.m->jnt_dofadr[x.joint(n)]; };
        EXPECT_NEAR(A(dof(ours, names[i]), dof(ours, names[j])), B(dof(theirs, names[i]), dof(theirs, names[j])),
                    kSame * A.cwiseAbs().maxCoeff());
      }
  }
}

TEST(ImportKinematics, UrdfEqualsMujocosOwnReading) {
  std::mt19937 random(3);
  for (int i = 0; i < kRobots; ++i) {
    const std::string urdf = RandomRobot(kLinks, false, random).urdf();
    Imported ours = import_text(urdf, "random.urdf", {.fixed_base = true}), theirs = mujocos_reading(urdf);
    expect_same_motion(ours, theirs, random);
  }
}

TEST(ImportKinematics, JacoEqualsMujocosOwnReading) {
  const std::string path =
      std::string(PATCHFIELD_SOURCE_DIR) + "/../shared/models/drake_models/jaco_description/urdf/j2n6s300.urdf";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no ../shared";
  Imported ours(import_model(path, {.fixed_base = true})), theirs = mujocos_reading(read_file_bytes(path));
  std::mt19937 random(4);
  expect_same_motion(ours, theirs, random);
  for (int j = 0; j < ours.m->njnt; ++j) {
    const int other = theirs.joint(mj_id2name(ours.m.get(), mjOBJ_JOINT, j));
    EXPECT_EQ(ours.m->jnt_limited[j], theirs.m->jnt_limited[other]);
    EXPECT_EQ(ours.m->jnt_range[2 * j], theirs.m->jnt_range[2 * other]);
    EXPECT_EQ(ours.m->jnt_range[2 * j + 1], theirs.m->jnt_range[2 * other + 1]);
  }
}

}  // namespace
}  // namespace patchfield
