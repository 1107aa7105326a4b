// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The paper's slip control in a short form: two periods instead of five.

#include <cmath>
#include <filesystem>

#include <unistd.h>

#include <gtest/gtest.h>

#include "reproduce_spatula_report.h"

namespace patchfield::cli {
namespace {

constexpr double kDegree = M_PI / 180.0;

struct Choice {
  double dt;
  Tessellation tessellation;
};

class SlipControl : public testing::TestWithParam<Choice> {};
INSTANTIATE_TEST_SUITE_P(StepsAndFaces, SlipControl,
                         testing::Values(Choice{2e-3, Tessellation::kPolygon}, Choice{2e-3, Tessellation::kTriangle},
                                         Choice{4e-2, Tessellation::kPolygon}, Choice{4e-2, Tessellation::kTriangle}),
                         [](const auto& choice) {
                           return std::string(to_string(choice.param.tessellation)) +
                                  (choice.param.dt > 0.01 ? "_40ms" : "_2ms");
                         });

// Firm: drift below 5 mrad per period. Loose: the spatula turns, down, by about the same with every solver.
TEST_P(SlipControl, HoldsInTheFirmPhaseAndTurnsInTheLooseOne) {
  double least = 1e9, most = -1e9;
  for (const SolverKind solver : {SolverKind::kTamsi, SolverKind::kSap, SolverKind::kLagged}) {
    const SpatulaRun run =
        run_spatula({.solver = solver, .tessellation = GetParam().tessellation, .dt = GetParam().dt, .duration = 12.0});
    EXPECT_LT(run.worst_drift(), 5e-3) << to_string(solver);
    ASSERT_EQ(run.loose_turn.size(), 2u);
    for (const double turn : run.loose_turn) {
      EXPECT_GT(turn, 4.0 * kDegree) << to_string(solver);
      EXPECT_LT(turn, 9.0 * kDegree) << to_string(solver);
    }
    EXPECT_EQ(run.unconverged, 0) << to_string(solver);
    least = std::min(least, run.pitch.back()), most = std::max(most, run.pitch.back());
  }
  // SAP turns most: its stiction is softer, and the others creep at 1e-5 m/s only.
  EXPECT_LT(most - least, 0.3 * most) << "the solvers agree";
}

// Drake 1.51.1 on the same scene (bench/peers/spatula.py, docs/spatula.md): the pitch after 30 s at 2 ms. Equal models
// only: its stiction tolerance of 1e-4 m/s, one point per face at the centroid, the paper's pressure rate; and not
// Lagged, whose bound and regularisation are others there.
TEST(SlipControlBesideDrake, TurnsByTheSame) {
  const struct {
    SolverKind solver;
    Tessellation tessellation;
    double drake;  // [°]
  } rows[] = {{SolverKind::kTamsi, Tessellation::kPolygon, 37.9},
              {SolverKind::kSap, Tessellation::kPolygon, 44.2},
              {SolverKind::kSap, Tessellation::kTriangle, 43.9}};
  for (const auto& row : rows) {
    const SpatulaRun run = run_spatula({.solver = row.solver,
                                        .tessellation = row.tessellation,
                                        .stiction_speed = 1e-4,
                                        .quadrature = Quadrature::kCentroid,
                                        .pressure_rate = PressureRate::kPaper});
    EXPECT_NEAR(run.pitch.back() / kDegree, row.drake, 0.03 * row.drake)
        << to_string(row.solver) << ", " << to_string(row.tessellation);
  }
}

// A free estimate of the turn: in the loose phase the torque of the weight minus what 2·1 N of grip can carry turns the
// published inertia, 0.211 kg·m² about the pitch axis, for 1.5 s; without friction by ½·(mgl/I)·t².
TEST(SlipControlBounds, FrictionSlowsTheFall) {
  const SpatulaRun run = run_spatula({.duration = 6.0});
  const double frictionless = 0.5 * (0.068 * 9.81 * 0.0443 / 0.21095) * 1.5 * 1.5;
  EXPECT_LT(run.loose_turn[0], frictionless);
  EXPECT_GT(run.loose_turn[0], 0.2 * frictionless);
}

TEST(SlipControlReport, HasTheKeysAndThePage) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("spatula_" + std::to_string(::getpid()));
  const SpatulaStudy study = study_spatula(true, folder);
  write_spatula_report(study, folder);
  const nlohmann::ordered_json json = spatula_json(study);
  EXPECT_EQ(json["pitch"].size(), json["time"].size());
  EXPECT_GT(json["real_time_factor"].get<double>(), 0.0);
  for (const char* file : {"spatula.md", "spatula.json", "spatula_grip.svg", "spatula_pitch.svg", "spatula.html"})
    EXPECT_TRUE(std::filesystem::exists(folder / file)) << file;
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace patchfield::cli
