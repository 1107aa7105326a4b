// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Bodies that turn freely keep energy and angular momentum and flip when they must; trees do not gain energy.

#include <random>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "patchfield/sim/body_motion.h"
#include "patchfield/sim/gyroscopic.h"
#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

Vec3 box_inertia(double mass, double x, double y, double z) {
  return mass / 12.0 * Vec3(y * y + z * z, x * x + z * z, x * x + y * y);
}

std::string text(const Vec3& v) { return fmt::format("{:.17g} {:.17g} {:.17g}", v.x(), v.y(), v.z()); }

/// A rigid body: principal moments, and where its centre of mass and principal axes are in the joint's frame.
struct Body {
  double mass = 0.5;
  Vec3 moments = box_inertia(0.5, 0.15, 0.1, 0.002);
  Vec3 com = Vec3::Zero();
  Eigen::Quaterniond axes = Eigen::Quaterniond::Identity();

  std::string inertial() const {
    return fmt::format(R"(<inertial mass="{:.17g}" pos="{}" quat="{:.17g} {:.17g} {:.17g} {:.17g}" diaginertia="{}"/>)",
                       mass, text(com), axes.w(), axes.x(), axes.y(), axes.z(), text(moments));
  }
  Mat3 inertia() const { return axes.toRotationMatrix() * moments.asDiagonal() * axes.toRotationMatrix().transpose(); }
};

std::string world(const std::string& bodies, const char* gravity = "0 0 0") {
  return fmt::format(R"(<mujoco><option gravity="{}"/><worldbody>{}</worldbody></mujoco>)", gravity, bodies);
}
std::string free_body(const Body& b, const char* gravity = "0 0 0") {
  return world(R"(<body pos=".1 -.2 .3"><freejoint/>)" + b.inertial() + "</body>", gravity);
}

/// Of a free body in the present state by the text book, from q and v alone.
struct Invariants {
  double kinetic;
  Vec3 spin;    ///< Angular momentum about the centre of mass, world frame.
  Vec3 linear;  ///< Momentum.
  Vec3 com;
};
Invariants measure(const Body& b, const mjtNum* q, const mjtNum* v) {
  const Mat3 R = Eigen::Quaterniond(q[3], q[4], q[5], q[6]).normalized().toRotationMatrix();
  const Vec3 w = vec3(v + 3), V = vec3(v) + R * w.cross(b.com);
  return {0.5 * b.mass * V.squaredNorm() + 0.5 * w.dot(b.inertia() * w), R * (b.inertia() * w), b.mass * V,
          vec3(q) + R * b.com};
}
Invariants measure(const Body& b, const mjData* d) { return measure(b, d->qpos, d->qvel); }

/// Moments that a body can have (no one above the sum of the others), a centre and axes anywhere.
Body random_body(std::mt19937& rng, bool offset) {
  std::uniform_real_distribution<double> size(0.01, 0.2), any(-1.0, 1.0);
  Body b;
  b.mass = 0.1 + size(rng) * 10.0;
  b.moments = box_inertia(b.mass, size(rng), size(rng), size(rng));
  b.axes = Eigen::Quaterniond(any(rng), any(rng), any(rng), any(rng)).normalized();
  if (offset) b.com = 0.1 * Vec3(any(rng), any(rng), any(rng));
  return b;
}

/// A spin of the given speed, 0.02 off the axis of the intermediate moment: the hardest to follow.
Vec3 unstable_spin(const Body& b, double speed) {
  int order[3] = {0, 1, 2};
  std::sort(order, order + 3, [&](int i, int j) { return b.moments[i] < b.moments[j]; });
  const Vec3 axis = Vec3::Unit(order[1]) + Vec3(0.03, 0.02, 0.01);
  return b.axes * (speed * axis.normalized());
}

void expect_free_motion(const Body& b, double dt, double duration, const std::string& name) {
  Data data(Model::parse(free_body(b)));
  mjData* d = data.d();
  const Vec3 v(0.3, -0.2, 0.5), w = unstable_spin(b, 50.0);
  std::copy(v.data(), v.data() + 3, d->qvel), std::copy(w.data(), w.data() + 3, d->qvel + 3);
  const Invariants start = measure(b, d);
  double dK = 0.0, dL = 0.0, dp = 0.0;
  for (int i = 0; i < static_cast<int>(std::lround(duration / dt)); ++i) {
    step(data, dt);
    const Invariants now = measure(b, d);
    dK = std::max(dK, std::abs(now.kinetic / start.kinetic - 1.0));
    dL = std::max(dL, (now.spin - start.spin).norm() / start.spin.norm());
    dp = std::max(dp, (now.linear - start.linear).norm() / start.linear.norm());
  }
  // Rounding is that of the inertia about the joint, which may be far larger than the smallest moment.
  const double rounding = 1.0 + b.mass * b.com.squaredNorm() / b.moments.minCoeff();
  EXPECT_LT(dK, 1e-11) << name << ", δt = " << dt;  // asked for: 1e-2
  EXPECT_LT(dL, 1e-12 * rounding) << name << ", δt = " << dt;
  EXPECT_LT(dp, 1e-11) << name << ", δt = " << dt;  // |ω×c| is up to ten times |V|
  const Vec3 path = measure(b, d).com - start.com;
  EXPECT_LT((path - duration * start.linear / b.mass).norm(), 1e-11) << name << ": the centre of mass goes straight";
}

TEST(FreeRotation, PlateAndBrickKeepEnergyAndMomentum) {
  const Body plate, brick{.mass = 2.0, .moments = box_inertia(2.0, 0.4, 0.2, 0.1)};
  for (const double dt : {1e-3, 2e-3, 5e-3, 1e-2}) {
    expect_free_motion(plate, dt, 5.0, "plate");
    expect_free_motion(brick, dt, 5.0, "brick");
  }
}

TEST(FreeRotation, AnyInertiaKeepsEnergyAndMomentum) {
  std::mt19937 rng(5);
  for (int i = 0; i < 12; ++i) expect_free_motion(random_body(rng, false), 1e-2, 5.0, fmt::format("body {}", i));
}

// The frame of the joint is a name for the body's place and nothing else.
TEST(FreeRotation, CentreOfMassAwayFromTheJointIsTheSame) {
  std::mt19937 rng(6);
  for (int i = 0; i < 12; ++i) expect_free_motion(random_body(rng, true), 1e-2, 5.0, fmt::format("body {}", i));
}

// A child without joint is part of the body.
TEST(FreeRotation, WeldedChildrenTurnAlong) {
  Data data(Model::parse(world(R"(<body pos="0 0 1"><freejoint/><geom type="box" size=".1 .05 .02" mass="1"/>
      <body pos=".2 .1 0" euler="20 30 40"><geom type="box" size=".02 .1 .03" mass=".7"/></body></body>)")));
  const double v[6] = {0.1, 0.2, 0.3, 20, -30, 25};
  std::copy(v, v + 6, data.d()->qvel);
  const double start = present_energy(data).kinetic;
  for (int i = 0; i < 500; ++i) step(data, 1e-2);
  EXPECT_NEAR(present_energy(data).kinetic / start, 1.0, 1e-11);
}

/// Euler's equations and the attitude by classical Runge–Kutta with tiny steps. y = (ω, quaternion).
struct Reference {
  Vec3 omega;
  Eigen::Quaterniond q;
};
Reference integrate(const Mat3& I, Reference y, double duration, int n) {
  const Mat3 inverse = I.inverse();
  const auto rate = [&](const Reference& s) {
    const Eigen::Quaterniond w(0, s.omega.x(), s.omega.y(), s.omega.z());
    const Eigen::Quaterniond qw = s.q * w;
    return std::pair<Vec3, Eigen::Vector4d>(-(inverse * s.omega.cross(I * s.omega)), 0.5 * qw.coeffs());
  };
  const auto moved = [](const Reference& s, const std::pair<Vec3, Eigen::Vector4d>& k, double h) {
    return Reference{s.omega + h * k.first, Eigen::Quaterniond(s.q.coeffs() + h * k.second)};
  };
  const double h = duration / n;
  for (int i = 0; i < n; ++i) {
    const auto k1 = rate(y), k2 = rate(moved(y, k1, h / 2)), k3 = rate(moved(y, k2, h / 2)), k4 = rate(moved(y, k3, h));
    y.omega += h / 6 * (k1.first + 2 * k2.first + 2 * k3.first + k4.first);
    y.q.coeffs() += h / 6 * (k1.second + 2 * k2.second + 2 * k3.second + k4.second);
    y.q.normalize();
  }
  return y;
}

// Dzhanibekov's nut: near the intermediate axis a body flips over, again and again, with a period that the elliptic
// integral gives. Times of the flips (ω along the axis changes sign) against those of the reference, at 10 ms.
TEST(FreeRotation, FlipsWhenItMust) {
  const Body brick{.mass = 2.0, .moments = box_inertia(2.0, 0.4, 0.2, 0.1)};
  Data data(Model::parse(free_body(brick)));
  const Vec3 w = unstable_spin(brick, 20.0);
  std::copy(w.data(), w.data() + 3, data.d()->qvel + 3);
  constexpr double dt = 1e-2;
  Reference y{w, Eigen::Quaterniond::Identity()};
  std::vector<double> ours, theirs;
  for (int i = 0; i < 500; ++i) {
    const double before = data.d()->qvel[4], reference = y.omega.y();
    step(data, dt);
    y = integrate(brick.inertia(), y, dt, 20);
    const auto crossing = [&](double a, double b) { return dt * (i + a / (a - b)); };
    if (before * data.d()->qvel[4] < 0.0) ours.push_back(crossing(before, data.d()->qvel[4]));
    if (reference * y.omega.y() < 0.0) theirs.push_back(crossing(reference, y.omega.y()));
  }
  ASSERT_GE(theirs.size(), 4u);
  ASSERT_EQ(ours.size(), theirs.size());
  // Sub-steps of 0.1 rad have a relative error of the phase of order 0.1²/12.
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], theirs[i], 2e-3 * theirs[i]) << "flip " << i;
}

// Second order in the step, and exact about a principal axis.
TEST(FreeRotation, RuleConvergesAtSecondOrder) {
  std::mt19937 rng(7);
  for (int i = 0; i < 20; ++i) {
    const Body b = random_body(rng, false);
    const Mat3 I = b.inertia();
    const Vec3 w = unstable_spin(b, 1.0) + Vec3(0.3, 0.2, 0.1);
    const auto error = [&](double dt) {
      const Reference exact = integrate(I, {w, Eigen::Quaterniond::Identity()}, dt, 100);
      const FreeRotation one = rotate_freely(I, I, w, dt);
      const Eigen::Quaterniond q(Eigen::AngleAxisd(one.turn.norm(), one.turn.normalized()));
      return std::max((one.omega - exact.omega).norm(), q.angularDistance(exact.q));
    };
    const double coarse = error(0.06), fine = error(0.03);  // one sub-step each: local error, third order
    EXPECT_GT(coarse, 1e-9) << "body " << i << " has something to get wrong";
    EXPECT_NEAR(std::log2(coarse / fine), 3.0, 0.3) << "body " << i;
    const Vec3 axis = b.axes * Vec3(0, 7, 0);
    const FreeRotation steady = rotate_freely(I, I, axis, 0.3);
    EXPECT_LT((steady.omega - axis).norm(), 1e-12) << "body " << i;
    EXPECT_LT((steady.turn - 0.3 * axis).norm(), 1e-12) << "body " << i;
  }
}

// With armature M ≠ I: energy ½ωᵀMω alone is kept.
TEST(FreeRotation, ArmatureKeepsEnergy) {
  const Mat3 I = Vec3(1, 2, 2.5).asDiagonal(), M = I + 0.7 * Mat3::Identity();
  const Vec3 w(3, 40, -5);
  const FreeRotation end = rotate_freely(M, I, w, 0.02);
  EXPECT_NEAR(end.omega.dot(M * end.omega) / w.dot(M * w), 1.0, 1e-14);
  EXPECT_GT((end.omega - w).norm(), 1.0) << "and it does turn";
}

TEST(FreeRotation, AbsurdSpeedsStayFinite) {
  const Mat3 I = Vec3(1, 2, 2.5).asDiagonal();
  for (const double speed : {1e4, 1e8, 1e150}) {
    const FreeRotation end = rotate_freely(I, I, speed * Vec3(1, 1, 1), 1e-2);
    EXPECT_TRUE(end.omega.allFinite() && end.turn.allFinite()) << speed;
  }
}

// A plate thrown spinning: gravity moves its centre alone, and the ledger of the step adds up.
TEST(FreeRotation, FallsAndTurnsIndependently) {
  Body plate;
  plate.com = {0.02, -0.01, 0.03};
  Data data(Model::parse(free_body(plate, "0 0 -9.81")));
  const Vec3 w = unstable_spin(plate, 50.0);
  std::copy(w.data(), w.data() + 3, data.d()->qvel + 3);
  const Invariants start = measure(plate, data.d());
  constexpr double dt = 5e-3;
  constexpr int n = 200;
  for (int i = 0; i < n; ++i) {
    step(data, dt);
    const EnergyLedger e = energy_ledger(data);
    ASSERT_LT(std::abs(e.balance()), 1e-12 * e.kinetic_end);
    ASSERT_NEAR(e.kinetic_end, measure(plate, data.d()).kinetic, 1e-12 * e.kinetic_end) << "the ledger's is true";
  }
  const Invariants end = measure(plate, data.d());
  EXPECT_LT((end.spin - start.spin).norm(), 1e-12 * start.spin.norm());
  EXPECT_NEAR(end.linear.z() - start.linear.z(), -plate.mass * kGravity * dt * n, 1e-11);
  // v = v₀ − gδt·i summed, as any body that falls in this scheme.
  const Vec3 fall = end.com - start.com - dt * n * start.linear / plate.mass;
  EXPECT_NEAR(fall.z(), -kGravity * dt * dt * n * (n + 1) / 2, 1e-10);
}

// A body on a ball joint: without gravity it turns about the pivot with constant energy and momentum about it.
TEST(FreeRotation, BallJointKeepsEnergyAndMomentum) {
  const Body b{.mass = 0.5, .moments = box_inertia(0.5, 0.15, 0.1, 0.002), .com = {0.02, 0.05, -0.08}};
  Data data(Model::parse(world(R"(<body pos="0 0 1"><joint type="ball"/>)" + b.inertial() + "</body>")));
  const Mat3 I = b.inertia() + b.mass * (b.com.squaredNorm() * Mat3::Identity() - b.com * b.com.transpose());
  const Vec3 w(20, 35, -30);
  std::copy(w.data(), w.data() + 3, data.d()->qvel);
  const auto momentum = [&] {
    const mjtNum* q = data.d()->qpos;
    return Vec3(Eigen::Quaterniond(q[0], q[1], q[2], q[3]) * (I * vec3(data.d()->qvel)));
  };
  const Vec3 start = momentum();
  for (int i = 0; i < 500; ++i) {
    step(data, 1e-2);
    ASSERT_NEAR(vec3(data.d()->qvel).dot(I * vec3(data.d()->qvel)) / w.dot(I * w), 1.0, 1e-11) << "step " << i;
    ASSERT_LT((momentum() - start).norm(), 1e-12 * start.norm()) << "step " << i;
  }
}

// A heavy top under gravity: energy swings by the error of the gravity torque (symplectic, first order in δt), and
// does not drift: the mean over the last turn is that over the first.
TEST(FreeRotation, HeavyTopDoesNotDrift) {
  const Body b{.mass = 0.5, .moments = {4e-4, 5e-4, 3e-4}, .com = {0, 0, 0.05}};
  Data data(
      Model::parse(world(R"(<body euler="0 40 0"><joint type="ball"/>)" + b.inertial() + "</body>", "0 0 -9.81")));
  data.d()->qvel[2] = 150.0;
  std::vector<double> energy;
  for (int i = 0; i < 5000; ++i) {
    step(data, 1e-3);
    energy.push_back(present_energy(data).total());
  }
  const auto mean = [&](std::size_t first) {
    double sum = 0.0;
    for (std::size_t i = 0; i < 1000; ++i) sum += energy[first + i];
    return sum / 1000.0;
  };
  EXPECT_NEAR(mean(4000), mean(0), 2e-3) << "of 3.4 J";
}

// Two bodies of unequal moments that collide: the frozen frames of a body with its joint at its centre of mass and of
// one with its joint elsewhere are the same problem, so they move alike through contact as well.
TEST(FreeRotation, LandsAlikeWhereverItsJointIs) {
  const auto scene = [](const Vec3& com) {
    return fmt::format(R"(<mujoco><worldbody><geom name="floor" type="plane" size="2 2 .1" friction=".66"/>
      <body pos="{}"><freejoint/><inertial mass="1" pos="{}" diaginertia="3e-3 4e-3 5e-3"/>
      <geom name="box" type="box" size=".1 .07 .05" pos="{}"/></body></worldbody><custom>
      <text name="patchfield:box" data="compliant modulus=1e6 mu=.66 hunt_crossley=5"/></custom></mujoco>)",
                       text(Vec3(0, 0, 0.15) - com), text(com), text(com));
  };
  const Vec3 com(0.03, -0.05, 0.08), V(1, 0.5, -1), w(6, -9, 12);
  Data centered(Model::parse(scene(Vec3::Zero()))), offset(Model::parse(scene(com)));
  for (Data* data : {&centered, &offset}) {
    data->options.solver.relative_tolerance = 1e-13;
    const Vec3 v = data == &offset ? Vec3(V - w.cross(com)) : V;
    std::copy(v.data(), v.data() + 3, data->d()->qvel), std::copy(w.data(), w.data() + 3, data->d()->qvel + 3);
  }
  const auto center = [](const Data& data, const Vec3& c) {
    const mjtNum* q = data.d()->qpos;
    return Vec3(vec3(q) + Eigen::Quaterniond(q[3], q[4], q[5], q[6]) * c);
  };
  int touching = 0;
  for (int i = 0; i < 60; ++i) {
    touching += step(centered, 5e-3).patches;
    step(offset, 5e-3);
    ASSERT_LT((center(centered, Vec3::Zero()) - center(offset, com)).norm(), 1e-6) << "step " << i;
    ASSERT_LT((vec3(centered.d()->qvel + 3) - vec3(offset.d()->qvel + 3)).norm(), 1e-4) << "step " << i;
    const EnergyLedger e = energy_ledger(offset);
    ASSERT_LT(std::abs(e.balance()), 1e-8) << "step " << i;
  }
  EXPECT_GT(touching, 10);
}

// Two bricks of unequal moments collide while they tumble. Impulses are equal and opposite and act at one point, and
// each brick takes its share in the world's frame: the true momenta, of the poses at the end, are kept to rounding.
TEST(FreeRotation, TumblingBodiesCollideWithoutLossOfMomentum) {
  const char* xml = R"(<mujoco><option gravity="0 0 0"/><worldbody>
    <body pos="-.12 0 0" euler="10 20 30"><freejoint/><geom name="a" type="box" size=".08 .04 .02" mass=".3"/></body>
    <body pos=".12 .02 .01" euler="40 5 -20"><freejoint/><geom name="b" type="box" size=".03 .06 .09" pos=".01 .02 0"
      mass="1.1"/></body></worldbody><custom>
    <text name="patchfield:a" data="compliant modulus=1e5 mu=.5 hunt_crossley=2 relaxation_time=.001"/>
    <text name="patchfield:b" data="compliant modulus=3e5 mu=.7 hunt_crossley=2 relaxation_time=.001"/>
    </custom></mujoco>)";
  for (const SolverKind kind : kSolvers) {
    Data data(Model::parse(xml), with(kind));
    const double v[12] = {1.5, 0.3, 0, 10, -13, 8, -0.4, 0, 0.2, 9, 5, -12};
    std::copy(v, v + 12, data.d()->qvel);
    Body bodies[2];
    for (int i : {0, 1}) {
      const mjModel* m = data.m();
      const mjtNum* q = m->body_iquat + 4 * (i + 1);
      bodies[i] = {m->body_mass[i + 1], vec3(m->body_inertia + 3 * (i + 1)), vec3(m->body_ipos + 3 * (i + 1)),
                   Eigen::Quaterniond(q[0], q[1], q[2], q[3])};
    }
    const auto momenta = [&] {
      std::pair<Vec3, Vec3> sum{Vec3::Zero(), Vec3::Zero()};
      for (int i : {0, 1}) {
        const Invariants now = measure(bodies[i], data.d()->qpos + 7 * i, data.d()->qvel + 6 * i);
        sum.first += now.linear, sum.second += now.com.cross(now.linear) + now.spin;
      }
      return sum;
    };
    const auto start = momenta();
    int touching = 0;
    for (int i = 0; i < 150; ++i) {
      touching += step(data, 2e-3).patches;
      const auto now = momenta();
      ASSERT_LT((now.first - start.first).norm(), 1e-12 * start.first.norm()) << to_string(kind) << ", step " << i;
      ASSERT_LT((now.second - start.second).norm(), 1e-12 * start.second.norm()) << to_string(kind) << ", step " << i;
    }
    EXPECT_GT(touching, 5);
  }
}

/// Largest energy above the start, and its mean over the last fifth [J].
struct Drift {
  double highest = -1e9, late = 0.0;
};
Drift drift(Data& data, double dt, double duration) {
  const double start = present_energy(data).total();
  const int n = static_cast<int>(std::lround(duration / dt));
  Drift out;
  for (int i = 0; i < n; ++i) {
    step(data, dt);
    const double gain = present_energy(data).total() - start;
    out.highest = std::max(out.highest, std::isfinite(gain) ? gain : 1e300);
    if (i >= n - n / 5) out.late += gain / (n / 5);
  }
  return out;
}

/// Seven links with axes that alternate, on a free base if asked.
std::string arm(bool floating) {
  std::string open, close;
  if (floating) open += R"(<body><freejoint/><geom type="box" size=".1 .08 .05" mass="3"/>)", close += "</body>";
  for (int i = 0; i < 7; ++i) {
    open += fmt::format(R"(<body pos="{}"><joint type="hinge" axis="{}" armature=".01"/>
        <geom type="capsule" fromto="0 0 0 .02 0 .18" size=".04" mass="{}"/>)",
                        i == 0 ? "0 0 0" : ".02 0 .18", i % 2 == 0 ? "0 0 1" : "0 1 0", 2.0 - 0.2 * i);
    close += "</body>";
  }
  return R"(<mujoco><option gravity="0 0 0"><flag contact="disable"/></option><worldbody>)" + open + close +
         "</worldbody></mujoco>";
}

// Swung at 5 rad/s and left alone: the energy swings with the motion, a first-order error of q₁ = q₀ + δt·v₁. With the
// Coriolis forces of the start of the step the arm on a fixed base is up by 64 % within 3 s at 10 ms.
TEST(TreeRotation, SwungArmsDoNotGainEnergy) {
  for (const bool floating : {false, true}) {
    Data data(Model::parse(arm(floating)));
    const double spin[7] = {4, -5, 6, 5, -4, 3, 6};
    std::copy(spin, spin + 7, data.d()->qvel + (floating ? 6 : 0));
    const double start = present_energy(data).kinetic;
    const Drift d = drift(data, 1e-2, 3.0);
    EXPECT_LT(d.highest, 0.15 * start) << "floating " << floating;
    EXPECT_LT(std::abs(d.late), 0.1 * start) << "floating " << floating;
  }
}

// mjData is as MuJoCo left it: velocities, bias and motion axes are those of the start of the step.
TEST(TreeRotation, LeavesMujocosDataAlone) {
  Data data(Model::parse(arm(true)));
  for (int i = 0; i < data.m()->nv; ++i) data.d()->qvel[i] = 1.0 + 0.3 * i;
  const std::shared_ptr<mjData> twin(mj_copyData(nullptr, data.m(), data.d()), &mj_deleteData);
  step(data, 1e-3);
  mj_forward(data.m(), twin.get());
  for (int i = 0; i < data.m()->nv; ++i) {
    EXPECT_EQ(data.d()->qfrc_bias[i], twin->qfrc_bias[i]) << i;
    for (int k = 0; k < 6; ++k) EXPECT_EQ(data.d()->cdof_dot[6 * i + k], twin->cdof_dot[6 * i + k]) << i;
  }
  for (int i = 0; i < 6 * data.m()->nbody; ++i) EXPECT_EQ(data.d()->cvel[i], twin->cvel[i]) << i;
}

}  // namespace
}  // namespace patchfield
