// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What the tests of whole simulations share.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "patchfield/sim/ledger.h"
#include "patchfield/sim/results.h"
#include "patchfield/sim/step.h"
#include "scenes/scenes.h"

namespace patchfield::testing_sim {

inline constexpr SolverKind kSolvers[] = {SolverKind::kTamsi, SolverKind::kSap, SolverKind::kLagged};
inline std::string solver_name(const testing::TestParamInfo<SolverKind>& info) { return to_string(info.param); }

inline constexpr double kGravity = 9.81;

inline SimOptions with(SolverKind kind, int threads = 1) {
  SimOptions options;
  options.solver.kind = kind;
  options.threads = threads;
  return options;
}

/// Steps until `duration` [s] and returns the last report.
inline StepReport run(Data& data, double dt, double duration) {
  StepReport report;
  const int n = static_cast<int>(std::lround(duration / dt));
  for (int i = 0; i < n; ++i) report = step(data, dt);
  return report;
}

/// Largest entry of the generalised velocity [m/s, rad/s].
inline double fastest(const Data& data) {
  double v = 0.0;
  for (int i = 0; i < data.m()->nv; ++i) v = std::max(v, std::abs(data.d()->qvel[i]));
  return v;
}

/// FNV-1a over the bits of q and v.
inline std::uint64_t hash_state(const Data& data) {
  std::uint64_t hash = 14695981039346656037ull;
  const auto add = [&](const mjtNum* x, mjtSize n) {
    for (mjtSize i = 0; i < n; ++i) {
      std::uint64_t bits;
      std::memcpy(&bits, &x[i], sizeof(bits));
      for (int b = 0; b < 8; ++b) hash = (hash ^ ((bits >> (8 * b)) & 0xff)) * 1099511628211ull;
    }
  };
  add(data.d()->qpos, data.m()->nq);
  add(data.d()->qvel, data.m()->nv);
  return hash;
}

inline int geom_id(const Data& data, const char* name) { return mj_name2id(data.m(), mjOBJ_GEOM, name); }

}  // namespace patchfield::testing_sim
