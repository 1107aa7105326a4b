// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/control/square_wave.h"

#include <limits>

#include <gtest/gtest.h>

#include "patchfield/core/check.h"

namespace patchfield {
namespace {

TEST(SquareWave, IsHighForItsShareOfEveryPeriod) {
  const SquareWave grip(1.0, 16.0, 6.0, 0.75);
  for (int period = 0; period < 5; ++period) {
    EXPECT_EQ(grip(6.0 * period), 16.0);
    EXPECT_EQ(grip(6.0 * period + 4.49), 16.0);
    EXPECT_EQ(grip(6.0 * period + 4.5), 1.0);
    EXPECT_EQ(grip(6.0 * period + 5.99), 1.0);
  }
}

// 4.5 s are 2250 steps of 2 ms, however their sum is rounded.
TEST(SquareWave, SwitchesInTheSameStepWhateverTheRounding) {
  const SquareWave wave(0.0, 1.0, 6.0, 0.75);
  double time = 0.0;
  int high = 0;
  for (int i = 0; i < 15'000; ++i, time += 2e-3) high += wave.is_high(time);
  EXPECT_EQ(high, 5 * 2250);
}

TEST(SquareWave, MeanIsThatOfItsDuty) {
  for (const double duty : {0.0, 0.3, 1.0}) {
    const SquareWave wave(-2.0, 3.0, 0.7, duty);
    double sum = 0.0;
    constexpr int kSamples = 70'000;
    for (int i = 0; i < kSamples; ++i) sum += wave(0.7 * (i + 0.5) / kSamples);
    EXPECT_NEAR(sum / kSamples, duty * 3.0 - (1.0 - duty) * 2.0, 1e-4);
  }
}

TEST(SquareWave, RefusesWhatIsNoWave) {
  EXPECT_THROW(SquareWave(0.0, 1.0, 0.0, 0.5), InputError);
  EXPECT_THROW(SquareWave(0.0, 1.0, -1.0, 0.5), InputError);
  EXPECT_THROW(SquareWave(0.0, 1.0, 1.0, 1.5), InputError);
  EXPECT_THROW(SquareWave(0.0, std::numeric_limits<double>::quiet_NaN(), 1.0, 0.5), InputError);
}

}  // namespace
}  // namespace patchfield
