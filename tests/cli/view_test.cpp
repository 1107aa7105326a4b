// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The parts of `patchfield view` that can be tested without a network: the hand, the commands, the simulation's thread.

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "patchfield/io/recording_bytes.h"
#include "patchfield/io/recording_frame.h"
#include "patchfield/sim/step.h"
#include "scenes/scenes.h"
#include "view_protocol.h"
#include "view_pull.h"
#include "view_simulation.h"

namespace patchfield::cli {
namespace {

constexpr char kFloating[] = R"(<mujoco><option gravity="0 0 0"/><worldbody>
  <body name="ball"><freejoint/><geom size=".1" mass="3"/></body>
  <body name="hand" mocap="true" pos="1 0 0"><geom size=".1" contype="0" conaffinity="0"/></body></worldbody></mujoco>)";

// A free body pulled at its centre: ẍ = ω²(s − x) − 2ωẋ, so x = s(1 − (1 + ωt)e^(−ωt)) with ω = 30/s, whatever its
// mass.
TEST(Pull, FollowsTheClosedFormOfACriticalSpring) {
  constexpr double kDt = 1e-4, kOmega = 30.0, kGoal = 0.01;
  Data data(Model::parse(kFloating));
  const PullSpring spring{1, Vec3::Zero(), Vec3(kGoal, 0, 0)};
  mj_kinematics(data.m(), data.d());
  double worst = 0.0;
  for (int i = 0; i < 3000; ++i) {
    apply_pull(data, spring, kDt);
    step(data, kDt);
    const double t = data.d()->time, wt = kOmega * t;
    worst = std::max(worst, std::abs(data.d()->qpos[0] - kGoal * (1.0 - (1.0 + wt) * std::exp(-wt))));
  }
  EXPECT_LT(worst, 5e-3 * kGoal);  // first order in δt: ω·δt = 0.003
  EXPECT_NEAR(data.d()->qpos[0], kGoal, 0.03 * kGoal);
}

// Pulled beside its centre of mass it turns, too: the moment is arm × force.
TEST(Pull, TurnsABodyThatIsHeldBesideItsCentre) {
  Data data(Model::parse(kFloating));
  mj_kinematics(data.m(), data.d());
  mj_comPos(data.m(), data.d());
  apply_pull(data, PullSpring{1, Vec3(0, 0.1, 0), Vec3(0.01, 0.1, 0)}, 1e-3);
  const Eigen::Map<const Vec6> wrench(data.d()->xfrc_applied + 6);
  EXPECT_GT(wrench[0], 0.0);
  EXPECT_NEAR(wrench[5], -0.1 * wrench[0], 1e-12);  // (0, 0.1, 0) × (f, 0, 0) = (0, 0, −0.1 f)
}

TEST(Pull, LetsGoAndIgnoresWhatCannotMove) {
  Data data(Model::parse(kFloating));
  mj_kinematics(data.m(), data.d());
  apply_pull(data, PullSpring{1, Vec3::Zero(), Vec3(1, 0, 0)}, 1e-3);
  EXPECT_NE(data.d()->xfrc_applied[6], 0.0);
  for (const std::optional<PullSpring>& spring :
       {std::optional<PullSpring>(), std::optional(PullSpring{0, Vec3::Zero(), Vec3(1, 0, 0)}),
        std::optional(PullSpring{99, Vec3::Zero(), Vec3(1, 0, 0)}),
        std::optional(PullSpring{-5, Vec3::Zero(), Vec3(1, 0, 0)})}) {
    apply_pull(data, spring, 1e-3);
    for (int i = 0; i < 6 * data.m()->nbody; ++i) EXPECT_EQ(data.d()->xfrc_applied[i], 0.0);
  }
  // A mocap body goes there at once, a far pull is bounded.
  apply_pull(data, PullSpring{2, Vec3(0, 0, 0.1), Vec3(0, 0, 1)}, 1e-3);
  EXPECT_NEAR(data.d()->mocap_pos[2], 0.9, 1e-12);
  apply_pull(data, PullSpring{1, Vec3::Zero(), Vec3(1e6, 0, 0)}, 1e-3);
  EXPECT_NEAR(data.d()->xfrc_applied[6], 3 * 200.0, 1e-6);
}

TEST(Commands, AreReadOrIgnored) {
  EXPECT_EQ(parse_command(R"({"type":"pause"})")->kind, CommandKind::kPause);
  EXPECT_EQ(parse_command(R"({"type":"resume"})")->kind, CommandKind::kResume);
  EXPECT_FALSE(parse_command(R"({"type":"reset"})")->keyframe.has_value());
  EXPECT_EQ(parse_command(R"({"type":"reset","keyframe":2})")->keyframe, 2);
  EXPECT_EQ(parse_command(R"({"type":"reset","keyframe":-1})")->keyframe, -1);
  EXPECT_FALSE(parse_command(R"({"type":"reset","keyframe":1e30})")->keyframe.has_value());
  const auto pull = parse_command(R"({"type":"pull","body":3,"point":[1,2,3],"target":[4,5,6.5]})");
  ASSERT_TRUE(pull.has_value());
  EXPECT_EQ(pull->spring.body, 3);
  EXPECT_EQ(pull->spring.p_BC, Vec3(1, 2, 3));
  EXPECT_EQ(pull->spring.p_WTarget, Vec3(4, 5, 6.5));
  for (const char* text : {"", "{", "null", "[]", R"({"type":3})", R"({"type":"fly"})", R"({"type":"pull"})",
                           "\xff\xfe", R"({"type":"pull","body":1.5,"point":[1,2,3],"target":[4,5,6]})",
                           R"({"type":"pull","body":1,"point":[1,2],"target":[4,5,6]})",
                           R"({"type":"pull","body":1,"point":[1,2,1e999],"target":[4,5,6]})",
                           R"({"type":"pull","body":99999999999,"point":[1,2,3],"target":[4,5,6]})"})
    EXPECT_FALSE(parse_command(text).has_value()) << text;
}

/// Counts what a simulation tells.
struct Heard {
  std::atomic<int> frames = 0;
  std::mutex mutex;
  LiveStatus status;

  LiveListener listener() {
    return {.frame = [this](const std::shared_ptr<const std::string>&) { ++frames; },
            .status =
                [this](const LiveStatus& s) {
                  const std::lock_guard lock(mutex);
                  status = s;
                }};
  }
  template <class Condition>
  bool wait(const Condition& condition) {
    for (int i = 0; i < 2000; ++i) {
      {
        const std::lock_guard lock(mutex);
        if (condition(status)) return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
};

std::unique_ptr<LiveSimulation> make_simulation(const std::string& xml, double dt) {
  LiveOptions options;
  options.time_step = dt;
  return std::make_unique<LiveSimulation>(std::make_unique<Data>(Model::parse(xml)), options);
}

TEST(LiveSimulation, PausesStepsAndResets) {
  Heard heard;
  const auto simulation = make_simulation(scenes::by_name("sphere_on_plane"), 2e-3);
  simulation->start(heard.listener());
  EXPECT_TRUE(heard.wait([](const LiveStatus& s) { return s.time > 0.1 && !s.paused; }));
  simulation->pause(true);
  EXPECT_TRUE(heard.wait([](const LiveStatus& s) { return s.paused; }));
  const double stopped = heard.status.time;
  for (int i = 1; i <= 3; ++i) {
    simulation->step_once();
    EXPECT_TRUE(heard.wait([&](const LiveStatus& s) { return std::abs(s.time - stopped - i * 2e-3) < 1e-9; }));
  }
  simulation->reset();
  EXPECT_TRUE(heard.wait([](const LiveStatus& s) { return s.time == 0.0 && s.paused; }));
  EXPECT_GT(heard.frames, 3);
  simulation->stop();
  const int frames = heard.frames;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(heard.frames, frames);
}

// a = 1e308 m/s²: after two seconds the velocity is no number. The simulation says so, waits, and a reset cures it.
TEST(LiveSimulation, TellsWhenItCannotGoOn) {
  Heard heard;
  auto data =
      std::make_unique<Data>(Model::parse(R"(<mujoco><worldbody><body><joint name="j" type="slide" axis="1 0 0"/>
    <geom size=".1" mass="1e-3"/></body></worldbody></mujoco>)"));
  data->d()->qfrc_applied[0] = 1e305;
  LiveOptions options;
  options.time_step = 0.5;
  LiveSimulation simulation(std::move(data), options);
  simulation.start(heard.listener());
  EXPECT_TRUE(heard.wait([](const LiveStatus& s) { return !s.problem.empty() && s.paused; }));
  simulation.reset();
  EXPECT_TRUE(heard.wait([](const LiveStatus& s) { return s.problem.empty(); }));
}

}  // namespace
}  // namespace patchfield::cli
