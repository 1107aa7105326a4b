// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The coin (theory.md §7): the paper's numbers in the quick form of `patchfield reproduce coin`. docs/coin.md has all
// of it.

#include <cmath>

#include <gtest/gtest.h>

#include "reproduce_coin_report.h"

namespace patchfield::cli {
namespace {

constexpr double kPaper = 0.64426, kTheory = 0.653;

/// One study for all tests.
const CoinStudy& study() {
  static const CoinStudy result = study_coin(true, 2);
  return result;
}

void expect_near_all(const CoinSweep& sweep, double expected, double tolerance, double tolerance_at_the_ends) {
  ASSERT_FALSE(sweep.runs.empty());
  for (std::size_t i = 0; i < sweep.runs.size(); ++i) {
    const bool end = sweep.eps0[i] == 0.1 || sweep.eps0[i] == 10.0;
    EXPECT_NEAR(sweep.runs[i].eps / expected, 1.0, end ? tolerance_at_the_ends : tolerance) << "ε₀ = " << sweep.eps0[i];
    EXPECT_EQ(sweep.runs[i].unconverged, 0) << "ε₀ = " << sweep.eps0[i];
    EXPECT_EQ(sweep.runs[i].fallbacks, 0) << "ε₀ = " << sweep.eps0[i];
  }
}

TEST(Coin, FanForgetsHowItBegan) {
  ASSERT_EQ(study().tamsi.runs.size(), 8u);
  ASSERT_EQ(study().lagged.runs.size(), 8u);
  EXPECT_EQ(study().tamsi.runs.front().faces, 152);
  expect_near_all(study().tamsi, kPaper, 2e-3, 5e-3);
  expect_near_all(study().lagged, kPaper, 2e-3, 5e-3);
}

TEST(Coin, ContinuousModelEndsAtTheFixedPointOfItsPoints) {
  EXPECT_NEAR(study().eps_continuous / study().eps_semianalytic, 1.0, 5e-4);
  EXPECT_NEAR(study().eps_continuous / study().eps_semianalytic_mean, 1.0, 5e-4);
  EXPECT_NEAR(study().eps_continuous / kPaper, 1.0, 5e-4);
  EXPECT_NEAR(study().eps_triangles_continuous / study().eps_triangles_semianalytic, 1.0, 5e-4);
}

TEST(Coin, CutFacesReachTheTheory) {
  expect_near_all(study().refined, kTheory, 1e-3, 1e-3);
  expect_near_all(study().refined_lagged, kTheory, 1e-3, 1e-3);
  EXPECT_LE(study().refined.runs.front().faces, 2500);
}

// Orders, and the errors of Drake at δt = 1 ms by the same measure (bench/peers/coin.py): 1.56e-4 and 2.7e-4.
TEST(Coin, ConvergesInTimeAndSpace) {
  EXPECT_NEAR(study().dt_tamsi.order, 1.0, 0.05);
  EXPECT_NEAR(study().dt_lagged.order, 1.0, 0.05);
  EXPECT_NEAR(study().dx.order, 2.0, 0.1);
  ASSERT_EQ(study().dt_tamsi.size[3], 1e-3);
  EXPECT_LT(study().dt_tamsi.error[3], 1.57e-4);
  EXPECT_LT(study().dt_lagged.error[3], 1.57e-4);
}

// SAP's cone and complementarity are those of the speed along n̂ − μt̂: while a patch slips, it rises with μ‖v_t‖.
TEST(Coin, SapGlidesAndTumbles) {
  for (const CoinGlide& g : study().sap) EXPECT_NEAR(g.gap / g.predicted, 1.0, 0.05) << "δt = " << g.dt;
  EXPECT_GT(study().sap.front().tilt, 0.1);
  EXPECT_LT(study().sap.front().contact, 0.5);
}

TEST(Coin, JsonHasTheKeysThatOthersRead) {
  const nlohmann::json json = coin_json(study());
  for (const char* eps0 : {"0.1", "0.2", "0.5", "0.653", "1", "2", "5", "10"})
    for (const char* solver : {"tamsi", "lagged"}) EXPECT_TRUE(json["eps_star"][solver].contains(eps0)) << eps0;
  for (const char* key : {"eps_continuous", "eps_semianalytic", "order_dt", "order_dx"})
    EXPECT_TRUE(json[key].is_number()) << key;
  EXPECT_TRUE(json["eps_refined"].contains("0.1"));
}

}  // namespace
}  // namespace patchfield::cli
