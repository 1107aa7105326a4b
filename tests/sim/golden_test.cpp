// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The bits of every scene × solver after a short run. They say nothing about right or wrong: they notice a compiler
// flag, a refactoring or a reordered sum that changes results where none should change. After a change that means to,
// renew the table (HACKING.md, "Golden hashes") and say in CHANGELOG.md under Results what moved and how far.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

struct Golden {
  const char* scene;
  SolverKind solver;
  std::uint64_t hash;
};

// clang-format off
constexpr Golden kGolden[] = {
#include "sim/golden_hashes.inc"
};
// clang-format on

/// 50 steps of 2 ms from a start in motion.
std::uint64_t run_hash(const std::string& scene, SolverKind solver) {
  Data data(Model::parse(scenes::by_name(scene)), with(solver));
  if (data.m()->nkey > 0) data.reset(0);
  run(data, 2e-3, 0.1);
  return hash_state(data);
}

const char* enum_name(SolverKind kind) {
  return kind == SolverKind::kTamsi ? "kTamsi" : kind == SolverKind::kSap ? "kSap" : "kLagged";
}

TEST(Golden, EverySceneAndSolverHasTheBitsItHad) {
  if (std::getenv("PATCHFIELD_PRINT_GOLDEN") != nullptr) {
    for (const std::string_view scene : scenes::names())
      for (const SolverKind solver : kSolvers)
        std::printf("    {\"%s\", SolverKind::%s, 0x%016llxull},\n", std::string(scene).c_str(), enum_name(solver),
                    static_cast<unsigned long long>(run_hash(std::string(scene), solver)));
    GTEST_SKIP() << "printed, not compared";
  }
  // The C library's sine and exponential have other last bits where the processor cannot fuse multiply and add.
  if (!__builtin_cpu_supports("fma")) GTEST_SKIP() << "this processor has no FMA";
  EXPECT_EQ(std::size(kGolden), 3 * scenes::names().size()) << "one row per scene and solver";
  for (const Golden& golden : kGolden)
    EXPECT_EQ(run_hash(golden.scene, golden.solver), golden.hash) << golden.scene << ", " << to_string(golden.solver);
}

}  // namespace
}  // namespace patchfield
