// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Independent pieces of a study, run on all threads with a line on the terminal that shows how far they are.
//
//   [============        ]  61 %   fan: lagged, ε₀ = 2   14 s left

#pragma once

#include <functional>
#include <string>
#include <vector>

namespace patchfield::cli {

struct StudyTask {
  std::string name;
  double cost = 1.0;  ///< Relative to the others: for the bar, and to begin with the longest.
  std::function<void()> run;
};

/// Each task writes what is its own alone. The first exception, if any, is thrown at the end. The bar is drawn only
/// if stderr is a terminal.
void run_tasks(std::vector<StudyTask> tasks, int threads);

}  // namespace patchfield::cli
