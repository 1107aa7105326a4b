// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A warm step allocates nothing.

#include <gtest/gtest.h>

#include "sim/sim_testing.h"
#include "support/allocation_counter.h"

namespace patchfield {
namespace {

using namespace testing_sim;

TEST(Allocation, WarmStepsAllocateNothing) {
  for (const std::string_view name : scenes::names()) {
    for (const SolverKind kind : kSolvers) {
      const std::string xml = name == "clutter" ? scenes::clutter(9) : scenes::by_name(name);
      Data data(Model::parse(xml), with(kind));
      run(data, 2e-3, 0.8);  // columns reach their sizes
      // Run the same again from the start: every state has been met before.
      data.reset();
      const long before = allocation_count();
      run(data, 2e-3, 0.8);
      EXPECT_EQ(allocation_count() - before, 0) << name << ", " << to_string(kind);
    }
  }
}

TEST(Allocation, WarmIntervalsWithErrorControlAllocateNothing) {
  for (const std::string_view name : {"clutter", "bubbles", "coin", "chain"}) {
    SimOptions options = with(SolverKind::kLagged);
    options.accuracy = 1e-4;
    Data data(Model::parse(name == "clutter" ? scenes::clutter(9) : scenes::by_name(name)), options);
    run(data, 0.02, 0.4);
    data.reset();
    const long before = allocation_count();
    run(data, 0.02, 0.4);
    EXPECT_EQ(allocation_count() - before, 0) << name;
  }
}

TEST(Allocation, ListedPatchesAllocateNothing) {
  SimOptions options;
  options.contacts = ContactOutput::kData, options.body_forces = true;
  Data data(Model::parse(scenes::stack(3)), options);
  run(data, 2e-3, 0.3);
  data.reset();
  const long before = allocation_count();
  run(data, 2e-3, 0.3);
  EXPECT_EQ(allocation_count() - before, 0);
}

TEST(Allocation, ResultsReuseTheirColumns) {
  Data data(Model::parse(scenes::stack(3)));
  StepResults results;
  run(data, 2e-3, 0.2);
  collect_results(data, results);
  step(data, 2e-3);
  const long before = allocation_count();
  collect_results(data, results);
  EXPECT_EQ(allocation_count() - before, 0);
}

}  // namespace
}  // namespace patchfield
