// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Kernels on another instruction set than the machine's best, while this lives.

#pragma once

#include <cstdint>

#include <hwy/targets.h>

namespace patchfield {

class SimdTarget {
 public:
  explicit SimdTarget(std::int64_t target) { choose(target); }
  ~SimdTarget() { choose(0); }  // 0: what the machine has
  SimdTarget(const SimdTarget&) = delete;
  SimdTarget& operator=(const SimdTarget&) = delete;

 private:
  static void choose(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();  // the next call chooses anew; Update() has other arguments in Highway 0.16
  }
};

}  // namespace patchfield
