// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Jacobians and velocities of points of bodies, against finite differences of MuJoCo's kinematics.

#include "patchfield/sim/body_motion.h"

#include <memory>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/random.h"

namespace patchfield {
namespace {

std::string text(const Vec3& v) { return fmt::format("{:.6f} {:.6f} {:.6f}", v.x(), v.y(), v.z()); }

std::string random_joints(Random& random, bool at_world) {
  const auto scalar = [&](const char* type) {
    return fmt::format(R"(<joint type="{}" pos="{}" axis="{}"/>)", type, text(random.vector(0.1)),
                       text(random.vector(1.0) + Vec3(0, 0, 1.5)));
  };
  switch (random.integer(at_world ? 0 : 1, 5)) {
    case 0: return "<freejoint/>";
    case 1: return fmt::format(R"(<joint type="ball" pos="{}"/>)", text(random.vector(0.1)));
    case 2: return scalar("hinge");
    case 3: return scalar("slide");
    case 4: return scalar("slide") + scalar("hinge");
    default: return "";  // welded to its parent
  }
}

/// A body with up to two children, each with joints of its own.
std::string random_body(Random& random, int depth, bool at_world) {
  const Eigen::Quaterniond q(random.rotation());
  std::string body = fmt::format(R"(<body pos="{}" quat="{:.6f} {:.6f} {:.6f} {:.6f}">{}
      <geom type="box" size=".05 .03 .02" pos="{}" mass="{}" contype="0" conaffinity="0"/>)",
                                 text(random.vector(0.3)), q.w(), q.x(), q.y(), q.z(), random_joints(random, at_world),
                                 text(random.vector(0.1)), random.uniform(0.1, 2.0));
  for (int i = depth > 0 ? random.integer(1, 2) : 0; i > 0; --i) body += random_body(random, depth - 1, false);
  return body + "</body>";
}

/// A model of a few trees in a random configuration.
struct World {
  std::unique_ptr<mjModel, decltype(&mj_deleteModel)> m{nullptr, &mj_deleteModel};
  std::unique_ptr<mjData, decltype(&mj_deleteData)> d{nullptr, &mj_deleteData};

  explicit World(Random& random) {
    std::string xml = "<mujoco><worldbody>";
    for (int i = 0; i < 3; ++i) xml += random_body(random, 2, true);
    char error[500] = "";
    std::unique_ptr<mjSpec, decltype(&mj_deleteSpec)> spec(
        mj_parseXMLString((xml + "</worldbody></mujoco>").c_str(), nullptr, error, sizeof(error)), &mj_deleteSpec);
    EXPECT_NE(spec, nullptr) << error;
    m.reset(mj_compile(spec.get(), nullptr));
    d.reset(mj_makeData(m.get()));
    std::vector<double> v(static_cast<std::size_t>(m->nv));
    for (double& x : v) x = random.uniform(-1.0, 1.0);
    mj_integratePos(m.get(), d->qpos, v.data(), 1.0);
  }

  void update() {
    mj_kinematics(m.get(), d.get());
    mj_comPos(m.get(), d.get());
  }

  /// Place of a point of the body, and the body's axes, after the dofs have moved by h·v.
  Pose moved(int body, const Vec3& p_B, const std::vector<double>& v, double h) {
    const std::vector<double> q0(d->qpos, d->qpos + m->nq);
    mj_integratePos(m.get(), d->qpos, v.data(), h);
    mj_kinematics(m.get(), d.get());
    const Mat3 R = mat3(d->xmat + 9 * body);
    const Pose out{R, vec3(d->xpos + 3 * body) + R * p_B};
    std::copy(q0.begin(), q0.end(), d->qpos);
    return out;
  }

  /// (ω, velocity of the point) by a central difference.
  Vec6 measured(int body, const Vec3& p_B, const std::vector<double>& v) {
    constexpr double h = 1e-5;
    const Pose plus = moved(body, p_B, v, h), minus = moved(body, p_B, v, -h);
    const Mat3 turn = (plus.R - minus.R) * plus.R.transpose() / (2.0 * h);  // [ω]
    Vec6 twist;
    twist << 0.5 * (turn(2, 1) - turn(1, 2)), 0.5 * (turn(0, 2) - turn(2, 0)), 0.5 * (turn(1, 0) - turn(0, 1)),
        (plus.p - minus.p) / (2.0 * h);
    return twist;
  }
};

TEST(BodyMotion, JacobianIsTheDerivativeOfKinematics) {
  Random random(11);
  int columns = 0, static_bodies = 0;
  for (int trial = 0; trial < 30; ++trial) {
    World world(random);
    const mjModel* m = world.m.get();
    for (int body = 1; body < m->nbody; ++body) {
      const Vec3 p_B = random.vector(0.2);
      world.update();
      const Vec3 p_W = vec3(world.d->xpos + 3 * body) + mat3(world.d->xmat + 9 * body) * p_B;
      const int tree = m->body_treeid[body];
      static_bodies += tree < 0;
      const int first = tree < 0 ? 0 : m->tree_dofadr[tree], n = tree < 0 ? 0 : m->tree_dofnum[tree];
      // Added to what is there, with a sign.
      Eigen::Matrix<double, 6, Eigen::Dynamic> J = Eigen::Matrix<double, 6, Eigen::Dynamic>::Ones(6, std::max(n, 1));
      add_body_jacobian(m, world.d.get(), body, p_W, -1.0, J.data());
      for (int i = 0; i < m->nv; ++i) {
        std::vector<double> v(static_cast<std::size_t>(m->nv));
        v[static_cast<std::size_t>(i)] = 1.0;
        const Vec6 expected = world.measured(body, p_B, v);
        const bool own = i >= first && i < first + n;
        const Vec6 ours = own ? Vec6(Vec6::Ones() - J.col(i - first)) : Vec6(Vec6::Zero());
        ASSERT_LT((ours - expected).norm(), 1e-8) << "trial " << trial << ", body " << body << ", dof " << i;
        columns += expected.norm() > 0.1;
      }
    }
  }
  EXPECT_GT(columns, 1000);
  EXPECT_GT(static_bodies, 0);
}

TEST(BodyMotion, TwistAndPointVelocityAreTheDerivativeOfKinematics) {
  Random random(12);
  for (int trial = 0; trial < 30; ++trial) {
    World world(random);
    std::vector<double> v(static_cast<std::size_t>(world.m->nv));
    for (double& x : v) x = random.uniform(-1.0, 1.0);
    for (int body = 1; body < world.m->nbody; ++body) {
      const Vec3 p_B = random.vector(0.2);
      const Vec6 expected = world.measured(body, p_B, v);
      world.update();
      const Vec3 p_W = vec3(world.d->xpos + 3 * body) + mat3(world.d->xmat + 9 * body) * p_B;
      EXPECT_LT((body_twist(world.m.get(), world.d.get(), body, v.data()).head<3>() - expected.head<3>()).norm(), 1e-7);
      EXPECT_LT((point_velocity(world.m.get(), world.d.get(), body, p_W, v.data()) - expected.tail<3>()).norm(), 1e-7);
    }
  }
}

}  // namespace
}  // namespace patchfield
