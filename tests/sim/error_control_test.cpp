// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Error control: how far off results are, when steps are cut, and that an interval remains a function of mjData.

#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "patchfield/core/check.h"
#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

constexpr double kInterval = 0.02;  // [s]

SimOptions accurate(double accuracy, SolverKind kind = SolverKind::kLagged, int threads = 1) {
  SimOptions options = with(kind, threads);
  options.accuracy = accuracy;
  return options;
}

/// A cube of 10 cm, its lower face `height` above the floor, thrown with a spin.
void throw_cube(Data& data, double height) {
  const double v[6] = {1.0, 0.3, 1.0, 3.0, 5.0, 2.0};
  std::copy(v, v + 6, data.d()->qvel);
  data.d()->qpos[2] += height;
}

/// A mass on a spring without damping: q = a·cos(ωt).
constexpr double kAmplitude = 0.1, kOmega = 10.0;
std::string spring() {
  return R"(<mujoco><option gravity="0 0 0"/><worldbody><body>
    <joint type="slide" axis="1 0 0" stiffness="100"/><geom type="sphere" size=".05" mass="1"/>
    </body></worldbody></mujoco>)";
}

/// Largest distance of the spring from its closed form over a second.
double spring_error(double accuracy) {
  Data data(Model::parse(spring()), accurate(accuracy));
  data.d()->qpos[0] = kAmplitude;
  double worst = 0.0;
  for (int i = 1; i <= 50; ++i) {
    step(data, kInterval);
    worst = std::max(worst, std::abs(data.d()->qpos[0] - kAmplitude * std::cos(kOmega * i * kInterval)));
  }
  return worst;
}

// Halves and whole of a parabola differ by g·δt²/4, the extrapolated one is exact.
TEST(ErrorControl, FreeFallIsExact) {
  Data data(Model::parse(scenes::box_on_plane({}, 0.0, 3.0)), accurate(1e-3));
  const double z0 = data.d()->qpos[2];
  data.d()->qvel[2] = 1.0;
  for (int i = 1; i <= 20; ++i) {
    step(data, kInterval);
    const double t = i * kInterval;
    ASSERT_NEAR(data.d()->qpos[2], z0 + t - 0.5 * kGravity * t * t, 1e-13);
    ASSERT_NEAR(data.d()->qvel[2], 1.0 - kGravity * t, 1e-13);
  }
}

// The estimate is that of order one, δt ~ √ε; the extrapolated result has order two: its error is proportional to ε.
TEST(ErrorControl, ErrorOfSmoothMotionIsProportionalToTheAccuracy) {
  const double coarse = spring_error(1e-4), fine = spring_error(1e-6);
  EXPECT_LT(coarse, 10.0 * 1e-4);
  EXPECT_LT(fine, 10.0 * 1e-6);
  EXPECT_NEAR(std::log10(coarse / fine), 2.0, 0.3);
}

struct Scene {
  const char* name;
  int keyframe;
  double duration, interval;  ///< [s]
};

// Against a hundred times as many steps, all outputs within ten times the accuracy. bench/steps/accuracy.py has the
// rest.
TEST(ErrorControl, ScenesAreWithinTenTimesTheAccuracy) {
  constexpr double kAccuracy = 1e-3;
  for (const Scene& scene : {Scene{"box_on_plane", -1, 0.5, 0.02},
                             {"stack", -1, 0.2, 0.02},
                             {"spatula", 0, 0.3, 0.02},
                             {"coin", 0, 0.4, 0.005}}) {
    const Model model = Model::parse(scenes::by_name(scene.name));
    Data controlled(model, accurate(kAccuracy)), fine(model);
    controlled.reset(scene.keyframe), fine.reset(scene.keyframe);
    std::vector<double> off(static_cast<std::size_t>(model.mujoco()->nv));
    for (int i = 0; i < std::lround(scene.duration / scene.interval); ++i) {
      step(controlled, scene.interval);
      for (int k = 0; k < 100; ++k) step(fine, scene.interval / 100);
      mj_differentiatePos(model.mujoco(), off.data(), 1.0, fine.d()->qpos, controlled.d()->qpos);
      for (int k = 0; k < model.mujoco()->nv; ++k)
        ASSERT_LT(model.mujoco()->dof_length[k] * std::abs(off[static_cast<std::size_t>(k)]), 10.0 * kAccuracy)
            << scene.name << ", dof " << k << " at " << controlled.d()->time;
    }
  }
}

TEST(ErrorControl, OutputTimesHaveTheBitsOfFixedSteps) {
  const Model model = Model::parse(scenes::box_on_plane());
  Data controlled(model, accurate(1e-5)), fixed(model);
  throw_cube(controlled, 0.02), throw_cube(fixed, 0.02);
  int steps = 0;
  for (int i = 0; i < 50; ++i) {
    steps += step(controlled, kInterval).steps;
    step(fixed, kInterval);
    ASSERT_EQ(controlled.d()->time, fixed.d()->time);
  }
  EXPECT_GT(steps, 100) << "intervals must have been cut for this to say anything";
}

TEST(ErrorControl, AtRestAnIntervalIsOneStep) {
  for (const SolverKind kind : kSolvers)
    for (const char* name : {"box_on_plane", "stack", "bubbles", "spatula"}) {
      Data data(Model::parse(scenes::by_name(name)), accurate(1e-3, kind));
      if (data.m()->nkey > 0) data.reset(0);
      run(data, kInterval, 1.5);
      for (int i = 0; i < 25; ++i) {
        const StepReport report = step(data, kInterval);
        ASSERT_EQ(report.steps, 1) << name << ", " << to_string(kind);
        ASSERT_EQ(report.rejected_steps, 0) << name << ", " << to_string(kind);
      }
    }
}

// A cube at 2 m/s moves by 40 mm in an interval; steps end where it has just met the floor.
TEST(ErrorControl, BodiesThatMeetWithinAStepOverlapByLessThanTheAccuracy) {
  constexpr double kAccuracy = 1e-3;
  // Energy ½mv² = ½(E·S/H)·x² bounds the overlap of an impact that is resolved, x = v√(mH/(E·S)); ε beyond it.
  const double impact = 2.6 * std::sqrt(1.0 * 0.05 / (scenes::Material{}.modulus * 0.01));
  for (int k = 0; k < 20; ++k) {
    Data data(Model::parse(scenes::box_on_plane({}, 0.0, 0.1 + 0.002 * k)), accurate(kAccuracy));
    data.d()->qvel[2] = -2.0;
    double deepest = 0.0;
    for (int i = 0; i < 15; ++i) {
      step(data, kInterval);
      deepest = std::max(deepest, 0.05 - data.d()->qpos[2]);
    }
    EXPECT_LT(deepest, impact + kAccuracy);
  }
}

TEST(ErrorControl, EnergyDoesNotGrow) {
  for (const SolverKind kind : kSolvers) {
    Data data(Model::parse(scenes::clutter(9)), accurate(1e-3, kind));
    double least = present_energy(data).total();
    for (int i = 0; i < 50; ++i) {
      step(data, kInterval);
      const double now = present_energy(data).total();
      // 9 bodies of 0.2 kg; ε·mg is the work of moving one by the accuracy.
      ASSERT_LT(now, least + 9 * 0.2 * kGravity * 1e-3) << to_string(kind) << " at " << data.d()->time;
      least = std::min(least, now);
    }
  }
}

TEST(ErrorControl, SameBitsForAnyNumberOfThreads) {
  for (const SolverKind kind : kSolvers) {
    std::uint64_t one = 0;
    for (const int threads : {1, 2, 8}) {
      Data data(Model::parse(scenes::clutter(9)), accurate(1e-3, kind, threads));
      run(data, kInterval, 0.4);
      if (threads == 1) one = hash_state(data);
      EXPECT_EQ(hash_state(data), one) << to_string(kind) << ", " << threads;
    }
  }
}

// A state restored, also into a Data that never took a step, goes on with the same bits and the same steps.
TEST(ErrorControl, AnIntervalIsAFunctionOfMjData) {
  const Model model = Model::parse(scenes::clutter(9));
  Data data(model, accurate(1e-3)), other(model, accurate(1e-3));
  run(data, kInterval, 0.2);
  std::vector<mjtNum> state(static_cast<std::size_t>(mj_stateSize(data.m(), mjSTATE_INTEGRATION)));
  mj_getState(data.m(), data.d(), state.data(), mjSTATE_INTEGRATION);
  std::vector<std::uint64_t> hashes;
  std::vector<int> steps;
  for (Data* d : {&data, &data, &other}) {
    mj_setState(d->m(), d->d(), state.data(), mjSTATE_INTEGRATION);
    int sum = 0;
    for (int i = 0; i < 5; ++i) sum += step(*d, kInterval).steps;
    hashes.push_back(hash_state(*d)), steps.push_back(sum);
  }
  EXPECT_EQ(hashes[1], hashes[0]);
  EXPECT_EQ(hashes[2], hashes[0]);
  EXPECT_EQ(steps[1], steps[0]);
  EXPECT_EQ(steps[2], steps[0]);
}

TEST(ErrorControl, LargestStepDividesTheInterval) {
  SimOptions options = accurate(1e-3);
  options.max_step = 6e-3;
  Data data(Model::parse(scenes::box_on_plane()), options);
  run(data, kInterval, 0.2);
  const StepReport report = step(data, kInterval);
  EXPECT_EQ(report.steps, 4) << "6, 6, 4, 4 ms";
  EXPECT_NEAR(report.smallest_step, 4e-3, 1e-12);
}

// ½δt·Δv > ε whatever the step: at the smallest one the error is accepted and counted.
TEST(ErrorControl, TheSmallestStepIsAcceptedAndCounted) {
  SimOptions options = accurate(1e-5);
  options.min_step = 5e-3;
  Data data(Model::parse(scenes::box_on_plane()), options);
  data.d()->qvel[2] = -2.0;
  const StepReport report = step(data, kInterval);
  EXPECT_GT(report.steps_at_minimum, 0);
  EXPECT_GT(report.rejected_steps, 0);
  EXPECT_GT(report.largest_error, 1e-5);
  EXPECT_GE(report.smallest_step, 5e-3);
  EXPECT_LE(report.steps, 4);
  EXPECT_EQ(data.d()->time, kInterval);
}

TEST(ErrorControl, WithoutItAStepIsOneStep) {
  Data data(Model::parse(scenes::box_on_plane()));
  throw_cube(data, 0.0);
  const StepReport report = step(data, kInterval);
  EXPECT_EQ(report.steps, 1);
  EXPECT_EQ(report.rejected_steps, 0);
  EXPECT_EQ(report.smallest_step, kInterval);
}

// An activation a' = (u − a)/τ, which MuJoCo integrates exactly ("filterexact"), is at the end of each interval where
// one step of the whole interval has it, whatever happens in between.
TEST(ErrorControl, ActivationsAreThoseOfTheInterval) {
  const Model model = Model::parse(R"(<mujoco><worldbody><body>
    <joint name="j" type="slide" axis="1 0 0"/><geom type="sphere" size=".05" mass="1"/></body></worldbody>
    <actuator><general joint="j" dyntype="filterexact" dynprm=".1" gainprm="50"/></actuator></mujoco>)");
  Data data(model, accurate(1e-5));
  data.d()->ctrl[0] = 1.0;
  int steps = 0;
  for (int i = 1; i <= 10; ++i) {
    steps += step(data, kInterval).steps;
    EXPECT_NEAR(data.d()->act[0], 1.0 - std::exp(-i * kInterval / 0.1), 1e-12);
  }
  EXPECT_GT(steps, 20);
}

int calls = 0;

TEST(ErrorControl, ControlIsAskedOncePerInterval) {
  Data data(Model::parse(scenes::bubbles()), accurate(1e-5));
  calls = 0;
  int steps = 0;
  mjcb_control = [](const mjModel*, mjData*) { ++calls; };
  for (int i = 0; i < 20; ++i) steps += step(data, kInterval).steps;
  mjcb_control = nullptr;
  EXPECT_EQ(calls, 20);
  EXPECT_GT(steps, 25);
}

TEST(ErrorControl, BadOptionsAreRefusedWithTheirFix) {
  const Model model = Model::parse(scenes::box_on_plane());
  const auto message = [&](const SimOptions& options) -> std::string {
    try {
      const Data data(model, options);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const auto expect = [&](const SimOptions& options, const char* value, const char* fix) {
    const std::string text = message(options);
    EXPECT_NE(text.find(value), std::string::npos) << text;
    EXPECT_NE(text.find(fix), std::string::npos) << text;
  };
  SimOptions bad = accurate(-1.0);
  expect(bad, "accuracy = -1", "such as 1e-3");
  bad = accurate(0.5);
  expect(bad, "accuracy = 0.5", "up to 0.1");
  bad = accurate(std::nan(""));
  expect(bad, "accuracy = nan", "0 for fixed steps");
  bad = accurate(1e-3), bad.min_step = 0.0;
  expect(bad, "min_step = 0", "1e-5 is usual");
  bad = accurate(1e-3), bad.max_step = 1e-6;
  expect(bad, "max_step = 1e-06", "from min_step = 1e-05");
}

}  // namespace
}  // namespace patchfield
