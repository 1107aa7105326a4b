// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/core/check.h"

#include <string>

#include <gtest/gtest.h>

namespace patchfield {
namespace {

TEST(Assert, PassesSilentlyWhenThePromiseHolds) {
  int evaluations = 0;
  PATCHFIELD_ASSERT(++evaluations == 1);
  EXPECT_EQ(evaluations, 1) << "the condition must be evaluated exactly once, in every build";
}

TEST(Assert, NamesExpressionFileAndLine) {
  const int line = __LINE__ + 2;
  try {
    PATCHFIELD_ASSERT(1 + 1 == 3);
    FAIL() << "a broken promise must not pass";
  } catch (const AssertionError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("1 + 1 == 3"), std::string::npos) << text;
    EXPECT_NE(text.find("check_test.cpp:" + std::to_string(line)), std::string::npos) << text;
  }
}

// Hot checks cost nothing in a release build: the condition is not even evaluated.
TEST(Assert, HotCheckIsEvaluatedOnlyWhereAllChecksAreOn) {
  int evaluations = 0;
  const auto hold = [&] { return ++evaluations == 1; };
  PATCHFIELD_ASSERT_HOT(hold());
#ifdef PATCHFIELD_CHECK_ALL
  EXPECT_EQ(evaluations, 1);
  EXPECT_THROW(PATCHFIELD_ASSERT_HOT(false), AssertionError);
#else
  (void)hold;
  EXPECT_EQ(evaluations, 0);
  EXPECT_NO_THROW(PATCHFIELD_ASSERT_HOT(false));
#endif
}

// A program that catches bad input must not swallow our bugs along with it.
TEST(Errors, InputAndBrokenPromiseAreDifferentKinds) {
  const InputError input("radius = -1");
  const AssertionError bug("x > 0");
  EXPECT_NE(dynamic_cast<const std::runtime_error*>(static_cast<const std::exception*>(&input)), nullptr);
  EXPECT_EQ(dynamic_cast<const std::runtime_error*>(static_cast<const std::exception*>(&bug)), nullptr);
}

}  // namespace
}  // namespace patchfield
