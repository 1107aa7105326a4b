// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A batch is a loop of steps, bit for bit; one Data serves many mjDatas; MuJoCo's fatal errors are exceptions.

#include "patchfield/sim/rollout.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "patchfield/core/check.h"
#include "patchfield/sim/mujoco_errors.h"
#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

struct Batch {
  int n, steps, state;
  std::vector<double> initial, controls, states;

  Batch(const Model& model, int n_, int steps_) : n(n_), steps(steps_), state(rollout_state_size(model)) {
    const mjModel* m = model.mujoco();
    Data data(model);
    for (int i = 0; i < n; ++i) {
      data.reset();
      for (int k = 0; k < m->nv; ++k) data.d()->qvel[k] = 0.02 * (i + 1) * (k % 3 - 1);
      initial.resize(initial.size() + static_cast<std::size_t>(state));
      mj_getState(m, data.d(), initial.data() + i * state, mjSTATE_FULLPHYSICS);
    }
    for (int i = 0; i < n * steps * static_cast<int>(m->nu); ++i) controls.push_back(1e-3 * (i % 7));
    states.assign(static_cast<std::size_t>(n) * steps * state, -1.0);
  }
  RolloutArrays arrays() { return {n, steps, initial, controls, states, {}}; }
};

TEST(Rollout, IsALoopOfStepsForAnyNumberOfThreads) {
  for (const std::string_view name : {"bubbles", "clutter"}) {
    const Model model = Model::parse(name == "clutter" ? scenes::clutter(6) : scenes::by_name(name));
    Batch batch(model, 5, 40);
    std::vector<double> expected;
    Data data(model);
    for (int i = 0; i < batch.n; ++i) {
      data.reset();
      mj_setState(model.mujoco(), data.d(), batch.initial.data() + i * batch.state, mjSTATE_FULLPHYSICS);
      for (int t = 0; t < batch.steps; ++t) {
        for (int u = 0; u < model.mujoco()->nu; ++u)
          data.d()->ctrl[u] = batch.controls[static_cast<std::size_t>((i * batch.steps + t) * model.mujoco()->nu + u)];
        step(data, 2e-3);
        expected.resize(expected.size() + static_cast<std::size_t>(batch.state));
        mj_getState(model.mujoco(), data.d(), &*expected.end() - batch.state, mjSTATE_FULLPHYSICS);
      }
    }
    for (const int threads : {1, 2, 8}) {
      std::fill(batch.states.begin(), batch.states.end(), -1.0);
      const RolloutReport report = rollout(model, {}, {.time_step = 2e-3, .threads = threads}, batch.arrays());
      EXPECT_EQ(report.diverged, 0);
      EXPECT_EQ(batch.states, expected) << name << ", " << threads << " threads";
    }
  }
}

TEST(Rollout, RefusesWhatDoesNotFit) {
  const Model model = Model::parse(scenes::bubbles());
  Batch batch(model, 2, 3);
  batch.initial[3] = std::nan("");
  EXPECT_THROW(rollout(model, {}, {}, batch.arrays()), InputError);
  batch.initial[3] = 0.0;
  batch.controls.pop_back();
  EXPECT_THROW(rollout(model, {}, {}, batch.arrays()), InputError);
  EXPECT_THROW(rollout(model, {}, {.threads = 0}, batch.arrays()), InputError);
}

TEST(Rollout, EndsWhenAsked) {
  const Model model = Model::parse(scenes::bubbles());
  Batch batch(model, 2, 1000);
  int asked = 0;
  const RolloutReport report = rollout(model, {}, {.threads = 2, .stop = [&] { return ++asked == 5; }}, batch.arrays());
  EXPECT_TRUE(report.stopped);
  EXPECT_EQ(batch.states.back(), -1.0) << "the last step was not reached";
}

// One rollout diverges in its first step. If that is the calling thread's, it has nothing left to do but to ask.
TEST(Rollout, EndsWhenAskedThoughTheCallersPartIsDone) {
  const Model model =
      Model::parse(R"(<mujoco><worldbody><body><joint name="j" type="slide"/><geom size=".1" mass=".001"/>
    </body></worldbody><actuator><motor joint="j" gear="2e304"/></actuator></mujoco>)");
  for (const int diverging : {0, 1}) {
    Batch batch(model, 2, 300'000);
    std::fill(batch.controls.begin(), batch.controls.end(), 0.0);
    for (int t : {0, 1, 2}) batch.controls[static_cast<std::size_t>(diverging * 300'000 + t)] = 5.0;
    int asked = 0;
    const RolloutReport report =
        rollout(model, {}, {.time_step = 1.0, .threads = 2, .stop = [&] { return ++asked == 8; }}, batch.arrays());
    EXPECT_TRUE(report.stopped);
    EXPECT_EQ(asked, 8);
  }
}

// An acceleration of 1e308 m/s² for one second twice: the velocity overflows, in that rollout alone.
TEST(Rollout, DivergedRowsAreNaNFromThereOn) {
  const Model model =
      Model::parse(R"(<mujoco><worldbody><body><joint name="j" type="slide"/><geom size=".1" mass=".001"/>
    </body></worldbody><actuator><motor joint="j" gear="2e304"/></actuator></mujoco>)");
  Batch batch(model, 3, 4);
  std::fill(batch.controls.begin(), batch.controls.end(), 0.0);
  batch.controls[4 + 1] = batch.controls[4 + 2] = 5.0;
  const RolloutReport report = rollout(model, {}, {.time_step = 1.0}, batch.arrays());
  EXPECT_EQ(report.diverged, 1);
  for (int i = 0; i < 3; ++i)
    for (int t = 0; t < 4; ++t)
      EXPECT_EQ(std::isfinite(batch.states[static_cast<std::size_t>((i * 4 + t) * batch.state)]), i != 1 || t < 2);
}

TEST(Borrowing, OneDataServesManyMjDatasWithTheSameBits) {
  const Model model = Model::parse(scenes::clutter(6));
  const auto make = [&] {
    return std::unique_ptr<mjData, decltype(&mj_deleteData)>(mj_makeData(model.mujoco()), &mj_deleteData);
  };
  const auto d0 = make(), d1 = make();
  d1->qvel[0] = 0.3;
  Data shared(model, d0.get()), alone0(model), alone1(model);
  alone1.d()->qvel[0] = 0.3;
  for (int i = 0; i < 100; ++i) {
    shared.borrow(d0.get());
    step(shared, 2e-3);
    shared.borrow(d1.get());
    step(shared, 2e-3);
    step(alone0, 2e-3), step(alone1, 2e-3);
  }
  EXPECT_EQ(hash_state(shared), hash_state(alone1));
  shared.borrow(d0.get());
  EXPECT_EQ(hash_state(shared), hash_state(alone0));
}

TEST(Borrowing, RefusesDataOfAnotherModel) {
  Data data(Model::parse(scenes::bubbles())), other(Model::parse(scenes::stack(2)));
  EXPECT_THROW(data.borrow(other.d()), InputError);
  EXPECT_THROW(data.borrow(nullptr), InputError);
}

TEST(BodyForces, AreThereWithoutSensorsWhenAsked) {
  SimOptions options;
  options.body_forces = true;
  Data data(Model::parse(scenes::box_on_plane()), options), plain(Model::parse(scenes::box_on_plane()));
  run(data, 1e-3, 1.0), run(plain, 1e-3, 1.0);
  EXPECT_NEAR(data.d()->cfrc_ext[6 * 1 + 5], kGravity, 1e-3) << "the floor carries 1 kg";
  EXPECT_EQ(hash_state(data), hash_state(plain));
}

TEST(MuJoCoErrors, AreExceptionsUnderAGuard) {
  Data data(Model::parse(scenes::bubbles()));
  const auto overflow = [&] {
#ifndef mjUSEASAN  // MuJoCo's header would call a function that only its own sanitizing build has
    mj_markStack(data.d());
#endif
    mj_stackAllocNum(data.d(), std::size_t{1} << 50);
  };
  EXPECT_THROW(guard_mujoco(data.d(), overflow), MuJoCoError);
  // Guards nest; the outer one is in force again after the inner one.
  EXPECT_THROW(guard_mujoco(data.d(),
                            [&] {
                              EXPECT_THROW(guard_mujoco(data.d(), overflow), MuJoCoError);
                              overflow();
                            }),
               MuJoCoError);
  EXPECT_THROW(guard_mujoco(data.d(), [] { throw InputError("passes"); }), InputError);
  EXPECT_NO_THROW(run(data, 1e-3, 0.01)) << "the stack was given back";
}

}  // namespace
}  // namespace patchfield
