// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Dampers, springs and servos are implicit: derivatives are right, stiff ones are stable, limits hold.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

Data make(const std::string& xml) { return Data(Model::parse(xml)); }

// MuJoCo's damper force, differenced, against the D that enters A.
TEST(Dampers, DerivativeMatchesFiniteDifferences) {
  Data data = make(R"(<mujoco><option gravity="0 0 0"/><worldbody>
    <body><joint name="a" type="hinge" damping=".3 .2 .1"/><geom size=".1" mass="1" contype="0"/>
      <body pos=".2 0 0"><joint name="b" type="slide" axis="0 1 0" damping=".5"/><geom size=".1" mass="1" contype="0"/></body></body>
    </worldbody><actuator><motor joint="b" gear="3" damping=".2 .1 0"/></actuator></mujoco>)");
  data.d()->qvel[0] = -0.7, data.d()->qvel[1] = 0.4;
  const double v[2] = {-0.7, 0.4};
  step(data, 1e-4);
  const double D[2] = {data.damping[0], data.damping[1]};
  mjData* d = data.d();
  for (int i = 0; i < 2; ++i) {
    const double h = 1e-6;
    double force[2];
    for (int s = 0; s < 2; ++s) {
      std::copy(v, v + 2, d->qvel);
      d->qvel[i] += s == 0 ? -h : h;
      mj_fwdVelocity(data.m(), d);
      force[s] = d->qfrc_damper[i];
    }
    EXPECT_NEAR(D[i], -(force[1] - force[0]) / (2 * h), 1e-6) << "dof " << i;
  }
}

// A mass on a spring with ωδt = 10: explicit integration explodes at 2, this decays.
TEST(Springs, AreStableAtAnyStep) {
  Data data = make(R"(<mujoco><option gravity="0 0 0"/><worldbody><body>
    <joint type="slide" axis="1 0 0" stiffness="1e6" ref="0" springref="0"/><geom size=".1" mass="1" contype="0"/></body>
    </worldbody></mujoco>)");
  data.d()->qpos[0] = 0.01;
  double energy = 0.5 * 1e6 * 1e-4;
  for (int i = 0; i < 100; ++i) {
    step(data, 1e-2);
    const double x = data.d()->qpos[0], v = data.d()->qvel[0], now = 0.5 * 1e6 * x * x + 0.5 * v * v;
    EXPECT_LE(now, energy * (1 + 1e-12)) << "step " << i;
    energy = now;
  }
  EXPECT_LT(energy, 1e-6);
}

// Implicit Euler of m ẍ = −c ẋ − k x by hand, one step: (m + δt c + δt² k) v = m v₀ − δt k x₀.
TEST(Springs, OneStepIsImplicitEuler) {
  Data data = make(R"(<mujoco><option gravity="0 0 0"/><worldbody><body>
    <joint type="slide" axis="1 0 0" stiffness="300" damping="4"/><geom size=".1" mass="2" contype="0"/></body>
    </worldbody></mujoco>)");
  const double x0 = 0.02, v0 = -0.3, dt = 5e-3;
  data.d()->qpos[0] = x0, data.d()->qvel[0] = v0;
  step(data, dt);
  const double v = (2.0 * v0 - dt * 300.0 * x0) / (2.0 + dt * 4.0 + dt * dt * 300.0);
  EXPECT_NEAR(data.d()->qvel[0], v, 1e-14);
  EXPECT_NEAR(data.d()->qpos[0], x0 + dt * v, 1e-15);
}

std::string servo(const char* range, double kp = 1e5, double kv = 10, const char* joint = "") {
  return fmt::format(R"(<mujoco><option gravity="0 0 0"/><worldbody><body>
    <joint name="j" type="slide" axis="1 0 0" {3}/><geom size=".1" mass="1" contype="0"/></body></worldbody>
    <actuator><position joint="j" kp="{0}" kv="{1}" gear="2" {2}/></actuator></mujoco>)",
                     kp, kv, range, joint);
}

// The servo's target is in its own length, gear·q: f = k_p(u − 2q) − k_v·2q̇, force on the joint 2f.
TEST(Servos, OneStepIsImplicitWithOrWithoutLimits) {
  const double dt = 4e-3, kp = 1e5, kv = 10, u = 0.1;
  const double v = dt * 2 * kp * u / (1.0 + dt * 4 * kv + dt * dt * 4 * kp);
  for (const char* range : {"", R"(forcerange="-1e9 1e9")"}) {
    Data data = make(servo(range));
    data.d()->ctrl[0] = u;
    step(data, dt);
    EXPECT_NEAR(data.d()->qvel[0], v, 1e-9 * v) << range;
    EXPECT_NEAR(data.d()->actuator_force[0], v / dt / 2.0, 1e-6 * v / dt) << "the force that acted is reported";
    EXPECT_NEAR(data.d()->qfrc_actuator[0], v / dt, 1e-6 * v / dt);
  }
}

TEST(Servos, StiffOnesReachTheirTargetWithoutRinging) {
  for (const char* range : {"", R"(forcerange="-200 200")"}) {
    Data data = make(servo(range, 1e6, 1e3));
    data.d()->ctrl[0] = 0.2;
    run(data, 1e-2, 3.0);
    EXPECT_NEAR(data.d()->qpos[0], 0.1, 1e-6) << range;
    EXPECT_LT(fastest(data), 1e-6);
  }
}

// Effort limits hold at the end of the step: a saturated servo accelerates the mass with limit·gear/m exactly.
TEST(Servos, EffortLimitsAreRespected) {
  const struct {
    const char *range, *joint;
    double force;  // on the joint
  } cases[] = {{R"(forcerange="-3 3")", "", 6.0},
               {"", R"(actuatorfrcrange="-5 5")", 5.0},
               {R"(forcerange="-3 3")", R"(actuatorfrcrange="-5 5")", 5.0},
               {R"(forcerange="-2 2")", R"(actuatorfrcrange="-5 5")", 4.0}};
  for (const auto& c : cases) {
    Data data = make(servo(c.range, 1e5, 10, c.joint));
    data.d()->ctrl[0] = 10.0;
    for (int i = 1; i <= 20; ++i) {
      step(data, 5e-3);
      ASSERT_NEAR(data.d()->qvel[0], c.force * 5e-3 * i, 1e-9) << c.range << c.joint;
      ASSERT_NEAR(data.d()->qfrc_actuator[0], c.force, 1e-9);
    }
  }
}

TEST(Servos, UnlimitedAndHugeLimitsGiveTheSameMotion) {
  Data a = make(servo("")), b = make(servo(R"(forcerange="-1e8 1e8")"));
  for (Data* data : {&a, &b}) {
    data->options.solver.relative_tolerance = 1e-12;
    data->d()->ctrl[0] = 0.3;
    data->d()->qvel[0] = -2.0;
  }
  for (int i = 0; i < 50; ++i) {
    step(a, 2e-3);
    step(b, 2e-3);
    ASSERT_NEAR(a.d()->qvel[0], b.d()->qvel[0], 1e-9) << "step " << i;
  }
}

// Tendon springs couple joints of one tree: implicit by J Jᵀ.
TEST(Tendons, StiffSpringIsStable) {
  Data data = make(R"(<mujoco><option gravity="0 0 0"/><worldbody><body>
    <joint name="a" type="slide" axis="1 0 0"/><geom size=".1" mass="1" contype="0"/>
    <body><joint name="b" type="slide" axis="1 0 0"/><geom size=".1" mass="1" contype="0"/></body></body></worldbody>
    <tendon><fixed stiffness="1e6" damping="1" springlength="0"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed></tendon>
    </mujoco>)");
  data.d()->qpos[0] = 0.01;
  run(data, 1e-2, 1.0);
  EXPECT_NEAR(data.d()->qpos[0] - 2 * data.d()->qpos[1], 0.0, 1e-6) << "relaxed";
  EXPECT_LT(fastest(data), 1.0);
}

TEST(Actuators, MotorsAndActivationsAreMuJoCos) {
  const std::string xml = R"(<mujoco><option gravity="0 0 0"/><worldbody><body>
    <joint name="j" type="slide" axis="1 0 0"/><geom size=".1" mass="1" contype="0"/></body></worldbody>
    <actuator><general joint="j" dyntype="filter" dynprm=".05" gainprm="7"/></actuator></mujoco>)";
  Data data = make(xml);
  mjData* d = mj_makeData(data.m());
  data.d()->ctrl[0] = d->ctrl[0] = 0.5;
  for (int i = 0; i < 100; ++i) {
    step(data);
    mj_step(data.m(), d);
  }
  EXPECT_NEAR(data.d()->act[0], d->act[0], 1e-14);
  EXPECT_NEAR(data.d()->qpos[0], d->qpos[0], 1e-12);
  EXPECT_NEAR(data.d()->time, d->time, 1e-14);
  mj_deleteData(d);
}

}  // namespace
}  // namespace patchfield
