// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The paper's pancake flip in a short form: coarsest grid, steps of 5 ms.

#include <cmath>
#include <filesystem>

#include <unistd.h>

#include <gtest/gtest.h>

#include "patchfield/core/check.h"
#include "reproduce_pancake_report.h"

namespace patchfield::cli {
namespace {

constexpr double kLargeStep = 5e-3;

/// Both tessellations, run once.
const PancakeRun& flip(Tessellation tessellation) {
  static const PancakeRun polygons = run_pancake({.dt = kLargeStep}, pancake_sequence());
  static const PancakeRun triangles =
      run_pancake({.tessellation = Tessellation::kTriangle, .dt = kLargeStep}, pancake_sequence());
  return tessellation == Tessellation::kPolygon ? polygons : triangles;
}

class Flip : public testing::TestWithParam<Tessellation> {};
INSTANTIATE_TEST_SUITE_P(Tessellations, Flip, testing::Values(Tessellation::kPolygon, Tessellation::kTriangle),
                         [](const auto& choice) { return std::string(to_string(choice.param)); });

TEST_P(Flip, TurnsThePancakeOverAndKeepsTheSpatula) {
  const PancakeRun& run = flip(GetParam());
  EXPECT_TRUE(run.outcome.success()) << run.outcome.reason();
  EXPECT_EQ(run.unconverged, 0);
  EXPECT_EQ(run.outcome.timeouts, 0);
  EXPECT_LT(run.outcome.blade_depth, 2e-3) << "the blade, 2.5 mm thick, does not go through the stove";
}

// Every phase once, in the order of the file, each beginning where the one before ended; guards end those that have
// one.
TEST_P(Flip, PlaysItsPhasesInOrder) {
  const PancakeRun& run = flip(GetParam());
  const Sequence sequence = pancake_sequence();
  ASSERT_EQ(run.events.size(), sequence.phases.size());
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    const SequenceEvent& event = run.events[i];
    EXPECT_EQ(event.phase, static_cast<int>(i));
    EXPECT_EQ(event.begin, i == 0 ? 0.0 : run.events[i - 1].end);
    EXPECT_EQ(event.ended_by, sequence.phases[i].until ? PhaseEnd::kGuard : PhaseEnd::kTime) << sequence.phases[i].name;
    if (sequence.phases[i].until) {
      EXPECT_GT(event.guard_value, sequence.phases[i].until->threshold);
    }
    EXPECT_LT(event.tip_error, 1e-4) << sequence.phases[i].name;
  }
}

// [PFC] has 4.05 times as many triangles as polygons. A polygon of n vertices is n triangles about its centroid: the
// ratio is the mean number of vertices, from 3 to 8.
TEST(FlipFaces, TrianglesAreAboutFourTimesAsMany) {
  const PancakeRatios ratios = ratios_of(flip(Tessellation::kPolygon), flip(Tessellation::kTriangle));
  EXPECT_GT(ratios.faces, 3.5);
  EXPECT_LT(ratios.faces, 4.6);
  EXPECT_NEAR(flip(Tessellation::kPolygon).mean_faces, 230.0, 60.0) << "the paper's coarsest grid";
}

TEST(FlipOutcome, SaysWhatFailed) {
  PancakeOutcome good{.turn = 178.0, .room = 0.05, .height = 0.01, .speed = 1e-4, .slip = 2e-3, .slip_angle = 1.0};
  EXPECT_TRUE(good.success());
  const auto fails = [&](double PancakeOutcome::* field, double value) {
    PancakeOutcome bad = good;
    bad.*field = value;
    return !bad.success();
  };
  EXPECT_TRUE(fails(&PancakeOutcome::turn, 164.0));
  EXPECT_TRUE(fails(&PancakeOutcome::turn, std::nan("")));
  EXPECT_TRUE(fails(&PancakeOutcome::room, -1e-3));
  EXPECT_TRUE(fails(&PancakeOutcome::height, -0.1));
  EXPECT_TRUE(fails(&PancakeOutcome::speed, 2e-3));
  EXPECT_TRUE(fails(&PancakeOutcome::slip, 11e-3));
  EXPECT_TRUE(fails(&PancakeOutcome::slip_angle, 11.0));
}

TEST(FlipVariations, StayInTheirRanges) {
  const scenes::PancakeOptions usual;
  for (int i = 0; i < 32; ++i) {
    const PancakeSetup v = vary(i);
    EXPECT_LE(std::abs(v.scene.pancake_x - usual.pancake_x), 0.01);
    EXPECT_LE(std::abs(v.scene.pancake_y - usual.pancake_y), 0.01);
    EXPECT_LE(std::abs(v.scene.pancake_mass / usual.pancake_mass - 1.0), 0.2);
    EXPECT_LE(std::abs(v.scene.pancake_modulus / usual.pancake_modulus - 1.0), 0.5);
    EXPECT_LE(std::abs(v.scene.friction / usual.friction - 1.0), 0.2);
    EXPECT_LE(std::abs(v.scene.stove_height - usual.stove_height), 3e-3);
    EXPECT_LE(std::abs(v.gains - 1.0), 0.2);
  }
}

TEST(FittedExponent, IsThatOfAPower) {
  std::vector<double> x, y;
  for (double n = 200.0; n < 2000.0; n *= 1.4) x.push_back(n), y.push_back(3.0 * std::pow(n, 1.3));
  EXPECT_NEAR(fitted_exponent(x, y), 1.3, 1e-12);
}

TEST(FlipReport, HasTheKeysAndThePages) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("pancake_" + std::to_string(::getpid()));
  const PancakeStudy study = study_pancake({.quick = true, .threads = 2, .folder = folder});
  write_pancake_report(study, folder);
  const nlohmann::ordered_json json = pancake_json(study);
  EXPECT_TRUE(json["flip"]["outcome"]["success"].get<bool>());
  EXPECT_GT(json["ratios"]["lagged"]["faces"].get<double>(), 3.5);
  for (const char* file : {"pancake.md", "pancake.json", "pancake_faces.svg", "pancake_scaling.svg", "pancake.html",
                           "pancake_points.html"})
    EXPECT_TRUE(std::filesystem::exists(folder / file)) << file;
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace patchfield::cli
