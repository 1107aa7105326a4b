// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Bad input is refused in words, and nothing has moved.

#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "patchfield/core/check.h"
#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

std::vector<double> full_state(const Data& data) {
  std::vector<double> state(static_cast<std::size_t>(mj_stateSize(data.m(), mjSTATE_INTEGRATION)));
  mj_getState(data.m(), data.d(), state.data(), mjSTATE_INTEGRATION);
  return state;
}

/// The message that the step throws; the state must be bit for bit what it was.
std::string refusal(Data& data, double dt) {
  const std::vector<double> before = full_state(data);
  std::string text;
  try {
    step(data, dt);
  } catch (const InputError& error) {
    text = error.what();
  }
  const std::vector<double> after = full_state(data);
  EXPECT_EQ(std::memcmp(before.data(), after.data(), sizeof(double) * before.size()), 0) << "the state was touched";
  return text;
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

TEST(StepErrors, ImpossibleTimeStepsAreRefused) {
  Data data(Model::parse(scenes::box_on_plane()));
  run(data, 1e-3, 0.01);
  for (const double dt : {0.0, -1e-3, 1e9, kNan, kInf}) {
    const std::string text = refusal(data, dt);
    EXPECT_NE(text.find("time step"), std::string::npos) << dt;
    EXPECT_NE(text.find("1e-3 is usual"), std::string::npos) << "names the cure";
  }
}

// Where the options are given, not inside a step: a stiction speed of zero used to freeze bodies without a word.
TEST(StepErrors, SolverOptionsOutOfRangeAreRefused) {
  using O = SolverOptions;
  const Model model = Model::parse(scenes::box_on_plane());
  const auto refuses = [&](const char* name, const auto& set) {
    SimOptions options;
    set(options.solver);
    try {
      Data data(model, options);
      ADD_FAILURE() << name << " was taken";
    } catch (const InputError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find(std::string("solver option ") + name + " = "), std::string::npos) << text;
      EXPECT_NE(text.find("is usual"), std::string::npos) << "names the fix: " << text;
    }
  };
  const std::pair<const char*, double O::*> positive[] = {{"stiction_speed", &O::stiction_speed}, {"sigma", &O::sigma}};
  for (const auto& [name, option] : positive)
    for (const double bad : {0.0, -1e-4, kNan, kInf}) refuses(name, [&](O& o) { o.*option = bad; });
  const std::pair<const char*, double O::*> not_negative[] = {{"beta", &O::beta},
                                                              {"absolute_tolerance", &O::absolute_tolerance},
                                                              {"relative_tolerance", &O::relative_tolerance},
                                                              {"tamsi_max_turn", &O::tamsi_max_turn}};
  for (const auto& [name, option] : not_negative)
    for (const double bad : {-1e-4, kNan, kInf}) refuses(name, [&](O& o) { o.*option = bad; });
  const std::pair<const char*, int O::*> counts[] = {{"max_iterations", &O::max_iterations},
                                                     {"tamsi_iterations", &O::tamsi_iterations},
                                                     {"tamsi_max_substeps", &O::tamsi_max_substeps}};
  for (const auto& [name, option] : counts)
    for (const int bad : {0, -1}) refuses(name, [&](O& o) { o.*option = bad; });
  refuses("lag_iterations", [](O& o) { o.lag_iterations = -1; });
  refuses("relative_tolerance", [](O& o) { o.relative_tolerance = o.absolute_tolerance = 0.0; });
  refuses("tamsi_max_turn", [](O& o) { o.tamsi_max_turn = 2.0; });

  SimOptions extreme;
  extreme.solver.beta = 0.0, extreme.solver.lag_iterations = 0, extreme.solver.relative_tolerance = 0.0;
  EXPECT_NO_THROW(Data(model, extreme));
}

TEST(StepErrors, StatesAndInputsThatAreNotFiniteAreRefused) {
  const auto with_bad = [](auto pick, const char* name) {
    Data data(Model::parse(scenes::bubbles()));
    run(data, 1e-3, 0.01);
    for (const double bad : {kNan, kInf}) {
      double* value = pick(data.d());
      const double good = *value;
      *value = bad;
      EXPECT_NE(refusal(data, 1e-3).find(name), std::string::npos) << name;
      *value = good;
      EXPECT_NO_THROW(step(data, 1e-3)) << "usable again after " << name;
    }
  };
  with_bad([](mjData* d) { return d->qpos + 3; }, "qpos[3]");
  with_bad([](mjData* d) { return d->qvel + 2; }, "qvel[2]");
  with_bad([](mjData* d) { return d->ctrl + 1; }, "ctrl[1]");
  with_bad([](mjData* d) { return d->qfrc_applied; }, "qfrc_applied[0]");
  with_bad([](mjData* d) { return d->xfrc_applied + 6; }, "xfrc_applied[6]");
}

// With one scratch for one thread, a scratch that stayed taken would leave the second call waiting for ever.
TEST(StepErrors, ScratchIsFreeAgainAfterAnException) {
  ScratchPool pool(1);
  const SurfaceScratch *first = nullptr, *second = nullptr;
  const auto fail = [&](SurfaceScratch& scratch) {
    first = &scratch;
    throw InputError("a query that fails");
  };
  EXPECT_THROW(pool.with(fail), InputError);
  pool.with([&](SurfaceScratch& scratch) { second = &scratch; });
  EXPECT_NE(first, nullptr);
  EXPECT_EQ(first, second);
}

// A query that throws leaves slots that it has not reached as an earlier step left them, with an index into an earlier
// problem: none of them may count as a patch. The step after it is as if nothing had happened.
TEST(StepErrors, NoPatchIsLeftAfterAQueryThatThrows) {
  Data data(Model::parse(scenes::sphere_on_box())), twin(Model::parse(scenes::sphere_on_box()));
  run(data, 1e-3, 0.01), run(twin, 1e-3, 0.01);
  ASSERT_GT(data.num_patches, 0);
  data.options.surface.max_face_size = -1.0;
  EXPECT_NE(refusal(data, 1e-3).find("max_face_size"), std::string::npos);
  EXPECT_EQ(data.num_patches, 0);
  StepResults results;
  collect_results(data, results);
  EXPECT_EQ(results.patches.size(), 0);
  data.options.surface.max_face_size = 0.0;
  run(data, 1e-3, 0.05), run(twin, 1e-3, 0.05);
  EXPECT_EQ(hash_state(data), hash_state(twin));
}

TEST(StepErrors, UnknownKeyframesAreRefused) {
  Data data(Model::parse(scenes::box_on_plane()));
  EXPECT_THROW(data.reset(0), InputError);
  EXPECT_NO_THROW(data.reset());
}

TEST(StepErrors, ThreadsMustBePositive) {
  EXPECT_THROW(Data(Model::parse(scenes::box_on_plane()), SimOptions{.threads = 0}), InputError);
}

// Thrown in deep overlap, bodies must neither stop the program nor gain a state that is not finite.
TEST(StepTrouble, DeepOverlapIsSurvived) {
  for (const SolverKind kind : kSolvers) {
    Data data(Model::parse(scenes::stack(3)), with(kind));
    data.d()->qpos[7 + 2] = 0.06;  // the second cube almost inside the first
    data.d()->qpos[14 + 2] = 0.055;
    EXPECT_NO_THROW(run(data, 2e-3, 0.5)) << to_string(kind);
    EXPECT_TRUE(std::isfinite(fastest(data)));
  }
}

}  // namespace
}  // namespace patchfield
