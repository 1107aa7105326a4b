// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/control/sequence_player.h"

#include <cmath>

#include <gtest/gtest.h>

#include "control/small_arm.h"
#include "patchfield/core/check.h"
#include "patchfield/io/sequence_file.h"
#include "patchfield/sim/rollout.h"
#include "patchfield/sim/step.h"
#include "support/allocation_counter.h"

namespace patchfield {
namespace {

using namespace testing_control;

/// The arm above a table, a soft ball at its tip; beside the ball two soft fingers around a bar that is fixed to the
/// world. In the keyframe the tip is at (0.451, 0, 0.12) and points down.
Model tool_model(double table_top = 0.05) {
  const std::string finger =
      R"(<body name="NAME" pos="0 Y .08"><joint name="NAME" type="slide" axis="0 1 0" range="-.05 .05" damping="2"/>
    <geom name="NAME_bubble" type="ellipsoid" size=".02 .015 .02" mass=".1" pos=".06 0 0"/></body>)";
  const auto make = [&](const std::string& name, const std::string& y) {
    std::string text = finger;
    for (std::size_t at; (at = text.find("NAME")) != text.npos;) text.replace(at, 4, name);
    return text.replace(text.find('Y'), 1, y);
  };
  const std::string tip = R"(<geom name="probe" type="sphere" size=".02" pos="0 0 .08" mass=".05"/>)" +
                          make("left", "-.03") + make("right", ".03");
  const std::string world =
      R"(<site name="mark" pos=".4 .1 .2"/><geom name="table" type="box" size=".5 .5 .05" pos=".4 0 )" +
      std::to_string(table_top - 0.05) + R"("/><geom name="bar" type="box" size=".02 .01 .08" pos=".39 0 .15"/>)";
  const std::string rest = R"(<keyframe><key name="home" qpos="0 .9 1.2 0 1.0415926535897931 0 0 0"/></keyframe><custom>
    <text name="patchfield:probe" data="compliant modulus=1e6 resolution=.01 hunt_crossley=5"/>
    <text name="patchfield:left_bubble" data="compliant modulus=1e5 resolution=.01 hunt_crossley=5"/>
    <text name="patchfield:right_bubble" data="compliant modulus=1e5 resolution=.01 hunt_crossley=5"/></custom>)";
  return Model::parse(small_arm_mjcf(
      tip, world,
      R"(<motor name="left" joint="left" forcerange="-40 40"/><motor name="right" joint="right" forcerange="-40 40"/>)",
      rest));
}

const std::string kHeader = "tip: tool\nfingers: {left: 1, right: -1}\nstart: home\n";

Sequence sequence(const std::string& phases) { return read_sequence_text(kHeader + "phases:\n" + phases, "task.yaml"); }

/// Plays to the end.
void play(Data& data, SequencePlayer& player, double dt = 2e-3) {
  player.reset(data);
  while (!player.finished()) {
    player.before_step(data, dt);
    step(data, dt);
  }
}

Vec3 tip_of(Data& data) {
  mj_kinematics(data.m(), data.d());
  return Vec3(data.d()->site_xpos + 3 * mj_name2id(data.m(), mjOBJ_SITE, "tool"));
}

TEST(SequencePlayer, GoesToItsKeyframesInTime) {
  const Model model = tool_model();
  SequencePlayer player(sequence("  - {name: up, pose: {relative: [-.05, 0, .1]}, duration: 1}\n"
                                 "  - {name: aside, pose: {pos: [.35, .15, .3], rpy: [0, 180, 20]}, via: [{at: .5, "
                                 "relative: [-.02, .08, .05]}], duration: 1.5}\n"
                                 "  - {name: mark, pose: {frame: mark, pos: [-.05, 0, .1]}, duration: 1}\n"
                                 "  - {name: rest, duration: .5}\n"),
                        model);
  Data data(model);
  play(data, player);
  ASSERT_EQ(player.events().size(), 4u);
  const double ends[] = {1.0, 2.5, 3.5, 4.0};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(player.events()[i].end, ends[i], 1e-9);
    EXPECT_EQ(player.events()[i].ended_by, PhaseEnd::kTime);
    EXPECT_LT(player.events()[i].tip_error, 1e-5);
  }
  EXPECT_LT((tip_of(data) - Vec3(0.35, 0.1, 0.3)).norm(), 1e-3);
}

// The ball meets the table 2 cm below its center, wherever the table is: the guard finds it, and the force is just
// above its threshold.
TEST(SequencePlayer, AGuardEndsAMotionWhereItTouches) {
  for (const double top : {0.04, 0.05, 0.06}) {
    const Model model = tool_model(top);
    SequencePlayer player(
        sequence(
            "  - {name: down, pose: {relative: [0, 0, -.1]}, duration: 4, until: {patches: [probe/table], force: 5}}\n"
            "  - {name: stay, duration: .4}\n"),
        model);
    Data data(model);
    play(data, player);
    const SequenceEvent& down = player.events()[0];
    EXPECT_EQ(down.ended_by, PhaseEnd::kGuard);
    EXPECT_LT(down.end, 4.0);
    EXPECT_GT(down.guard_value, 5.0);
    EXPECT_LT(down.guard_value, 8.0);
    EXPECT_NEAR(tip_of(data).z(), top + 0.02, 5e-3);
  }
}

TEST(SequencePlayer, ReportsATimeOut) {
  const Model model = tool_model();
  SequencePlayer player(sequence("  - {name: wait, duration: .2, until: {patches: [probe], force: 5}, timeout: .5}\n"),
                        model);
  Data data(model);
  play(data, player);
  EXPECT_EQ(player.events()[0].ended_by, PhaseEnd::kTimeout);
  EXPECT_NEAR(player.events()[0].end, 0.5, 1e-9);
  EXPECT_NE(describe(player.sequence(), player.events()[0]).find("wait: time-out after 0.500 s"), std::string::npos);
}

// Both fingers press with the commanded force; with measured force too.
TEST(SequencePlayer, GripIsTheCommandedForce) {
  const Model model = tool_model();
  for (const char* grip : {"8", "{force: 8, patches: [left_bubble/bar, right_bubble/bar]}"}) {
    SequencePlayer player(
        sequence(std::string("  - {name: close, duration: .5, grip: ") + grip +
                 ", until: {patches: [left_bubble/bar, right_bubble/bar], force: 3, every: true}, timeout: 2}\n"
                 "  - {name: hold, duration: 1.5, grip: " +
                 grip + "}\n"),
        model);
    Data data(model);
    play(data, player);
    EXPECT_EQ(player.events()[0].ended_by, PhaseEnd::kGuard);
    for (const char* pair : {"left_bubble/bar", "right_bubble/bar"})
      EXPECT_NEAR(PatchSelector(model.mujoco(), pair).measure(data, Vec3::Zero()).force.norm(), 8.0, 0.3)
          << grip << ", " << pair;
  }
}

// The force on the second name of a pair, and its moment about a point: the table carries the ball from below.
TEST(PatchSelector, ForceIsThatOnTheSecondAndTorqueAboutThePoint) {
  const Model model = tool_model();
  SequencePlayer player(
      sequence(
          "  - {name: down, pose: {relative: [0, 0, -.1]}, duration: 4, until: {patches: [probe/table], force: 5}}\n"),
      model);
  Data data(model);
  play(data, player);
  const Vec3 tip = tip_of(data);
  const ContactForce up = PatchSelector(model.mujoco(), "table/probe").measure(data, tip);
  const ContactForce down = PatchSelector(model.mujoco(), "probe/table").measure(data, tip);
  EXPECT_GT(up.force.z(), 1.0);
  EXPECT_EQ((up.force + down.force).norm(), 0.0);
  const Vec3 aside = tip + Vec3(0.3, 0.0, 0.0);
  const ContactForce lever = PatchSelector(model.mujoco(), "table/probe").measure(data, aside);
  EXPECT_LT((lever.torque - up.torque - Vec3(-0.3, 0.0, 0.0).cross(up.force)).norm(), 1e-12);
  EXPECT_THROW(PatchSelector(model.mujoco(), "prob/table"), InputError);
  EXPECT_THROW(PatchSelector(model.mujoco(), "probe/"), InputError);
}

TEST(SequencePlayer, CommandsAreContinuousOverAGuard) {
  const Model model = tool_model();
  SequencePlayer player(
      sequence(
          "  - {name: down, pose: {relative: [0, 0, -.1]}, duration: 1.5, until: {patches: [probe/table], force: 2}}\n"
          "  - {name: up, pose: {relative: [0, .1, .1]}, duration: 1}\n"),
      model);
  Data data(model);
  player.reset(data);
  Vec3 v = Vec3::Zero();
  while (!player.finished()) {
    player.before_step(data, 1e-3);
    EXPECT_LT((player.command().v - v).norm(), 3e-3) << data.d()->time;  // 3 m/s² at most
    v = player.command().v;
    step(data, 1e-3);
  }
  EXPECT_EQ(player.events()[0].ended_by, PhaseEnd::kGuard);
}

TEST(SequencePlayer, PlaysTheSameBitsAgainAndAllocatesNothing) {
  const Model model = tool_model();
  SequencePlayer player(sequence("  - {name: down, pose: {relative: [0, 0, -.1]}, duration: 1, grip: 5, until: "
                                 "{patches: [probe/table], force: 5}}\n"
                                 "  - {name: up, pose: {relative: [0, 0, .1], rpy: [0, 20, 0]}, duration: .5}\n"),
                        model);
  Data data(model);
  std::vector<double> first;
  for (int round = 0; round < 2; ++round) {
    player.reset(data);
    const long before = allocation_count();
    while (!player.finished()) {
      player.before_step(data, 2e-3);
      step(data, 2e-3);
    }
    if (round == 0) first.assign(data.d()->qpos, data.d()->qpos + model.mujoco()->nq);
    else {
      EXPECT_EQ(allocation_count() - before, 0);
      for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i], data.d()->qpos[i]);
    }
  }
}

// Rollouts with feedback, on two threads: the same bits as a loop of steps.
TEST(SequencePlayer, PlaysInRollouts) {
  const Model model = tool_model();
  const Sequence task = sequence(
      "  - {name: down, pose: {relative: [0, 0, -.1]}, duration: 1, until: {patches: [probe/table], force: 5}}\n"
      "  - {name: up, pose: {relative: [0, 0, .1]}, duration: .5}\n");
  constexpr int kRollouts = 3, kSteps = 300;
  Data data(model);
  SequencePlayer player(task, model);
  player.reset(data);
  const auto size = static_cast<std::size_t>(rollout_state_size(model));
  std::vector<double> initial(kRollouts * size), states(kRollouts * kSteps * size);
  for (std::size_t i = 0; i < kRollouts; ++i)
    mj_getState(model.mujoco(), data.d(), initial.data() + i * size, mjSTATE_FULLPHYSICS);
  for (int i = 0; i < kSteps; ++i) {
    player.before_step(data, 2e-3);
    step(data, 2e-3);
  }
  std::vector<SequencePlayer> players;
  for (int i = 0; i < kRollouts; ++i) players.emplace_back(task, model);
  rollout(
      model, {},
      {.threads = 2,
       .before_step = [&](int i, Data& own, double dt) { players[static_cast<std::size_t>(i)].before_step(own, dt); }},
      {.num_rollouts = kRollouts,
       .num_steps = kSteps,
       .initial = initial,
       .controls = {},
       .states = states,
       .sensordata = {}});
  std::vector<double> last(size);
  mj_getState(model.mujoco(), data.d(), last.data(), mjSTATE_FULLPHYSICS);
  for (std::size_t i = 0; i < kRollouts; ++i)
    for (std::size_t k = 0; k < size; ++k) EXPECT_EQ(states[((i + 1) * kSteps - 1) * size + k], last[k]);
}

void refuses(const std::string& phases, const std::vector<std::string>& words) {
  try {
    SequencePlayer(sequence(phases), tool_model());
    FAIL() << phases;
  } catch (const InputError& error) {
    for (const std::string& word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " is not in: " << error.what();
  }
}

TEST(SequencePlayer, NamesTheKeyframeThatIsOutOfReach) {
  refuses(
      "  - {name: up, pose: {relative: [0, 0, .1]}, duration: 1}\n"
      "  - {name: far, pose: {pos: [3, 0, .3]}, duration: 1}\n",
      {"task.yaml:6", "phase 2 \"far\"", "keyframe 1 of 1", " m and "});
  refuses("  - {name: spin, pose: {relative: [0, 0, 0], rpy: [180, 0, 0]}, duration: 1}\n", {"180°", "via"});
}

TEST(SequencePlayer, NamesWhatTheModelDoesNotHave) {
  refuses("  - {name: a, duration: 1, until: {patches: [probe/tabel], force: 1}}\n",
          {"task.yaml:5", "tabel", "Did you mean \"table\"?"});
  refuses("  - {name: a, pose: {frame: makr, pos: [0, 0, 0]}, duration: 1}\n", {"makr", "Did you mean \"mark\"?"});
}

}  // namespace
}  // namespace patchfield
