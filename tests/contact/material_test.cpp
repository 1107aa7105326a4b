// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/contact/material.h"

#include <gtest/gtest.h>

namespace patchfield {
namespace {

TEST(Combine, FrictionIsTheHarmonicMean) {
  EXPECT_DOUBLE_EQ(combine({.mu = 0.4}, {.mu = 0.4}).mu, 0.4);
  EXPECT_DOUBLE_EQ(combine({.mu = 1.0}, {.mu = 0.5}).mu, 2.0 / 3.0);
  EXPECT_EQ(combine({.mu = 0.0}, {.mu = 1.0}).mu, 0.0);
  EXPECT_EQ(combine({.mu = 0.0}, {.mu = 0.0}).mu, 0.0) << "no 0/0";
}

TEST(Combine, RelaxationTimesAdd) {
  EXPECT_DOUBLE_EQ(combine({.relaxation_time = 0.1}, {.relaxation_time = 0.3}).tau, 0.4);
}

// The softer side deforms more, so its dissipation counts more: d = (E_B d_A + E_A d_B)/(E_A + E_B).
TEST(Combine, HuntCrossleyIsWeightedByTheOtherModulus) {
  const SurfaceMaterial soft{.hunt_crossley = 10.0, .modulus = 1e5}, hard{.hunt_crossley = 50.0, .modulus = 3e5};
  EXPECT_DOUBLE_EQ(combine(soft, hard).hunt_crossley, (3e5 * 10.0 + 1e5 * 50.0) / 4e5);
  EXPECT_DOUBLE_EQ(combine(hard, soft).hunt_crossley, combine(soft, hard).hunt_crossley);
}

TEST(Combine, RigidSideIsLeftOutOfHuntCrossley) {
  const SurfaceMaterial soft{.hunt_crossley = 10.0, .modulus = 1e5}, rigid{.hunt_crossley = 99.0};
  EXPECT_DOUBLE_EQ(combine(soft, rigid).hunt_crossley, 10.0);
  EXPECT_DOUBLE_EQ(combine(rigid, soft).hunt_crossley, 10.0);
}

}  // namespace
}  // namespace patchfield
