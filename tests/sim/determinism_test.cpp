// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The same bits for 1, 2 and 8 threads, and for a second run.

#include <gtest/gtest.h>

#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

std::uint64_t run_hash(const std::string& xml, SolverKind kind, int threads, int steps) {
  Data data(Model::parse(xml), with(kind, threads));
  for (int i = 0; i < steps; ++i) step(data, 2e-3);
  return hash_state(data);
}

class Determinism : public testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Determinism, testing::ValuesIn(kSolvers), solver_name);

TEST_P(Determinism, SameBitsForAnyNumberOfThreads) {
  for (const std::string_view name : scenes::names()) {
    const std::string xml = name == "clutter" ? scenes::clutter(18) : scenes::by_name(name);
    const int steps = name == "clutter" ? 250 : 150;
    const std::uint64_t one = run_hash(xml, GetParam(), 1, steps);
    for (const int threads : {2, 8})
      EXPECT_EQ(run_hash(xml, GetParam(), threads, steps), one) << name << ", " << threads;
  }
}

TEST_P(Determinism, ResetStartsTheSameRunAgain) {
  Data data(Model::parse(scenes::clutter(9)), with(GetParam()));
  for (int i = 0; i < 100; ++i) step(data, 2e-3);
  const std::uint64_t first = hash_state(data);
  data.reset();
  for (int i = 0; i < 100; ++i) step(data, 2e-3);
  EXPECT_EQ(hash_state(data), first) << "nothing of the last run is left in the memory of the next";
}

}  // namespace
}  // namespace patchfield
