// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A line on the terminal that shows how far a run is; nothing at all if stderr is no terminal.
//
//   [==========          ]  42 %   0.84 of 2 s   ×12.3   3 s left

#pragma once

#include <chrono>

namespace patchfield::cli {

class Progress {
 public:
  /// `total`: simulated seconds of the whole run.
  Progress(double total, bool wanted);
  ~Progress() { erase(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Redraws at most ten times a second.
  void update(double done);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;
  void draw(double done, double elapsed);

  double total_;
  bool on_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now(), next_ = start_ + std::chrono::milliseconds(200);
};

}  // namespace patchfield::cli
