// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Momentum is conserved, energy does not grow, and the ledgers add up.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

class Conservation : public testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Conservation, testing::ValuesIn(kSolvers), solver_name);

/// Two balls of different size, mass and stiffness in free space.
constexpr const char* kCollision = R"(<mujoco><option gravity="0 0 0"/><worldbody>
    <body pos="-.08 0 0"><freejoint/><geom name="a" type="sphere" size=".05" mass=".3"/></body>
    <body pos=".08 .02 .01"><freejoint/><geom name="b" type="sphere" size=".07" mass="1.1"/></body>
  </worldbody><custom>
    <text name="patchfield:a" data="compliant modulus=1e5 mu=.5 hunt_crossley=2 relaxation_time=.001"/>
    <text name="patchfield:b" data="compliant modulus=3e5 mu=.7 hunt_crossley=2 relaxation_time=.001"/>
  </custom></mujoco>)";

TEST_P(Conservation, MomentumInAFreeCollision) {
  Data data(Model::parse(kCollision), with(GetParam()));
  const double v[12] = {1.5, 0.3, 0, 0, 3, -8, -0.4, 0, 0.2, 0, 5, 2};
  std::copy(v, v + 12, data.d()->qvel);
  step(data, 1e-3);
  const MomentumLedger first = momentum_ledger(data);
  const double p_scale = 0.3 * 1.5 + 1.1 * 0.5, h_scale = first.angular_start.norm();
  int touching = 0;
  for (int i = 0; i < 300; ++i) {
    touching += step(data, 1e-3).patches;
    const MomentumLedger now = momentum_ledger(data);
    ASSERT_LT((now.linear_end - first.linear_start).norm(), 1e-12 * p_scale) << "step " << i;
    // Balls have one moment of inertia, so no gyroscopic term: angular momentum is exact as well.
    ASSERT_LT((now.angular_end - first.angular_start).norm(), 1e-12 * h_scale) << "step " << i;
  }
  EXPECT_GT(touching, 5) << "they did collide";
  EXPECT_EQ(data.problem.num_patches(), 0) << "and parted";
}

/// A scene, how long to look at it, and whether motors may feed it.
struct Case {
  const char* name;
  std::string xml;
  double duration;
};

/// What the contact points hold, `ahead` [s] after the start of the step [J]: a face of area A with pressure p_c is a
/// spring of stiffness k = gA that is compressed by −φ = p_c/g; in the frozen step φ = φ₀ + t·v_n.
double stored_energy(const Data& data, double ahead) {
  double sum = 0.0;
  for (int i = 0; i < data.problem.num_points(); ++i) {
    const double depth = std::max(0.0, -data.problem.phi0[i] - ahead * data.solution.vn[i]);
    sum += 0.5 * data.problem.k[i] * depth * depth;
  }
  return sum;
}

struct Rise {
  double rise = 0.0;   ///< Largest, of the energy of motion above all that was there at any time before [J].
  double range = 0.0;  ///< From the highest to the lowest energy [J].
};

// The energy of motion, kinetic + potential − work of motors, can at any time be only what was there at every earlier
// time, in motion and stored in contact. (Comparing with the start would not see energy that appears after a loss.)
// One correction: in free fall v₁ = v₀ + δt·g and z₁ = z₀ + δt·v₁ change ½mv² − m·g·z by −½δt·m·g·(v₁ − v₀), so what
// the scheme keeps is ½mv² − m·g·z + ½δt·m·g·v. Without it a rebound with speed v would look like a gain of δt·m·g·v.
// Σ ½kφ² overstates what is stored around an edge, where the columns of two faces overlap, so that it is not demanded
// back: the sum of both energies may rise there, the energy of motion may not.
Rise energy_rise(const Case& c, SolverKind kind, double dt) {
  Data data(Model::parse(c.xml), with(kind));
  // The hard cases are at the first impacts: small steps look at those alone.
  const int n = static_cast<int>(std::min(c.duration / dt, 1500.0));
  const Vec3 g = Eigen::Map<const Vec3>(data.m()->opt.gravity);
  double motors = 0.0, lowest = 1e300, highest = -1e300;
  Rise out;
  for (int i = 0; i < n; ++i) {
    step(data, dt);
    const EnergyLedger e = energy_ledger(data);
    const Vec3 momentum = momentum_ledger(data).linear_start;
    const double motion = e.kinetic_start + e.potential_start - motors + 0.5 * dt * g.dot(momentum);
    lowest = std::min(lowest, motion + stored_energy(data, 0.0)), highest = std::max(highest, motion);
    out.rise = std::max(out.rise, motion - lowest);
    for (int k = 0; k < data.m()->nv; ++k) motors += dt * data.d()->qfrc_actuator[k] * data.solution.v[k];
  }
  out.range = highest - lowest;
  return out;
}

/// The chain with contact switched off. Its energy swings by the error of the time integration itself: 6e-4 J of 7 J
/// at 10 ms (7e-5 J until it meets the wall), nothing to do with contact.
std::string chain_without_contact() {
  std::string xml = scenes::chain();
  const std::string option = R"(<option timestep="0.002"/>)";
  return xml.replace(xml.find(option), option.size(), R"(<option><flag contact="disable"/></option>)");
}

TEST_P(Conservation, EnergyDoesNotGrowInAnyScene) {
  const scenes::Material soft{.modulus = 1e5, .hunt_crossley = 1.0, .relaxation_time = 1e-3};
  const Case cases[] = {
      {"sphere_on_plane", scenes::sphere_on_plane(), 1.0},
      {"sphere dropped", scenes::sphere_on_plane(soft, 0.05), 1.0},
      {"sphere_on_box", scenes::sphere_on_box(), 1.0},
      {"box_on_plane", scenes::box_on_plane(), 1.0},
      {"box dropped", scenes::box_on_plane(soft, 0.0, 0.05), 1.0},
      {"box sliding", scenes::box_on_plane({}, 0.7), 0.5},
      {"stack", scenes::stack(4), 0.5},
      {"bubbles", scenes::bubbles(), 1.0},
      {"chain", scenes::chain(), 2.0},
      {"clutter", scenes::clutter(9), 0.6},
  };
  for (const Case& c : cases)
    for (const double dt : {1e-4, 1e-3, 3e-3, 1e-2}) {
      if (dt < 1e-3 && std::string(c.name) == "clutter") continue;
      const Rise found = energy_rise(c, GetParam(), dt);
      double allowed = 1e-6 * found.range;  // the solver's tolerance; rounding, where it is tighter than it must be
      if (std::string(c.name) == "chain")
        allowed += energy_rise({"", chain_without_contact(), c.duration}, GetParam(), dt).rise;
      // SAP lifts what slides by μ(δt + τ)v, which no force of the balance pays for: 3.7e-4 J of the 1.2 J that a
      // sliding box goes through at 10 ms, 7e-6 J of 0.27 J for the ball.
      if (GetParam() == SolverKind::kSap && dt > 5e-3) allowed += 4e-4 * found.range;
      EXPECT_LT(found.rise, allowed) << c.name << ", δt = " << dt;
    }
}

// A soft ball falls onto the upright edge of a rigid box: its faces on the two sides of the edge are steep, those
// far from it graze. They must not push the ball off with more than it brought.
TEST_P(Conservation, GrazingFacesGiveNoEnergy) {
  const Case c{"edge",
               R"(<mujoco><worldbody><geom name="edge" type="box" size=".1 .2 .1" euler="0 45 0"/>
    <body pos=".004 0 .21"><freejoint/><geom name="ball" type="sphere" size=".05" mass=".5"/></body></worldbody><custom>
    <text name="patchfield:ball" data="compliant modulus=3e4 resolution=.01 mu=.2 hunt_crossley=0 relaxation_time=0"/>
    <text name="patchfield:edge" data="rigid mu=.2 relaxation_time=0"/></custom></mujoco>)",
               0.6};
  for (const double dt : {1e-4, 1e-3, 1e-2}) EXPECT_LT(energy_rise(c, GetParam(), dt).rise, 1e-6) << "δt = " << dt;
  // A pad falls askew onto a post: the sides of the post graze along its field.
  const Case askew{"askew",
                   R"(<mujoco><worldbody><geom name="post" type="box" size=".02 .02 .1"/>
    <body pos="0 0 .205" euler="2 1 0"><freejoint/><geom name="pad" type="box" size=".1 .1 .1" mass=".5"/></body></worldbody>
    <custom><text name="patchfield:pad" data="compliant modulus=3e4 hunt_crossley=0 relaxation_time=0"/>
    <text name="patchfield:post" data="rigid relaxation_time=0"/></custom></mujoco>)",
                   0.6};
  for (const double dt : {1e-4, 1e-3, 1e-2}) EXPECT_LT(energy_rise(askew, GetParam(), dt).rise, 1e-6) << "δt = " << dt;
  Data data(Model::parse(askew.xml), with(GetParam()));
  int grazing = 0;
  for (int i = 0; i < 200; ++i) grazing += step(data, 1e-3).grazing_faces;
  EXPECT_GT(grazing, 0);
}

// Within the step, with its frozen geometry and the paper's law, no point gives energy: ½k(φ² − φ₀²) ≤ kφ·δt·v_n for φ
// = φ₀ + δt·v_n, so what an impulse does at the velocity of the end and what its spring gains add up to at most (f_n −
// f_e)·v_n·δt of dissipation and −‖f_t‖·‖v_t‖·δt of friction. The balance adds −½ΓᵀJA⁻¹JᵀΓ to that: implicit steps
// lose, never gain.
TEST_P(Conservation, NoPointGivesEnergyWithinAStep) {
  for (const std::string_view name : scenes::names())
    for (const double dt : {1e-3, 1e-2}) {
      SimOptions options = with(GetParam());
      options.pressure_rate = PressureRate::kPaper;
      Data data(Model::parse(scenes::by_name(name)), options);
      data.options.solver.beta = 0.0;  // SAP as near-rigid as the points are: its softening stores less than ½kφ²
      double most = -1e300, turnover = 0.0;
      int points = 0;
      const int n = static_cast<int>(std::lround((name == "clutter" ? 0.2 : 0.5) / dt));
      for (int i = 0; i < n; ++i) {
        step(data, dt);
        const ContactProblem& p = data.problem;
        const ContactSolution& s = data.solution;
        for (int k = 0; k < p.num_points(); ++k, ++points) {
          const double before = std::max(0.0, -p.phi0[k]), after = std::max(0.0, -p.phi0[k] - dt * s.vn[k]);
          const double gain = 0.5 * p.k[k] * (after * after - before * before);
          const double work = s.gn[k] * s.vn[k] + s.gx[k] * s.vtx[k] + s.gy[k] * s.vty[k] + s.gz[k] * s.vtz[k];
          most = std::max(most, work + gain), turnover = std::max(turnover, 0.5 * p.k[k] * before * before);
        }
      }
      EXPECT_GT(points, 50) << name;
      EXPECT_LT(most, 1e-12 * turnover) << name << ", δt = " << dt;
    }
}

TEST_P(Conservation, EnergyLedgerBalances) {
  for (const std::string_view name : scenes::names()) {
    if (name == "clutter") continue;
    Data data(Model::parse(scenes::by_name(name)), with(GetParam()));
    data.options.solver.relative_tolerance = 1e-10;
    double scale = 0.0;
    for (int i = 0; i < 300; ++i) {
      step(data, 1e-3);
      const EnergyLedger e = energy_ledger(data);
      scale = std::max({scale, e.kinetic_start, e.kinetic_end, 1e-3});
      ASSERT_LT(std::abs(e.balance()), 1e-8 * scale) << name << ", step " << i;
      EXPECT_GE(e.lost_friction, -1e-15);
    }
  }
}

// What gravity and the floor give is what the momentum changes by.
TEST_P(Conservation, MomentumLedgerBalances) {
  Data data(Model::parse(scenes::clutter(6)), with(GetParam()));
  data.options.solver.relative_tolerance = 1e-10;
  for (int i = 0; i < 200; ++i) {
    step(data, 2e-3);
    const MomentumLedger p = momentum_ledger(data);
    ASSERT_LT((p.linear_end - p.linear_start - p.gravity_impulse - p.contact_impulse).norm(), 1e-8) << "step " << i;
  }
}

}  // namespace
}  // namespace patchfield
