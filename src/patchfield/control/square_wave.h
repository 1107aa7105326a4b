// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A signal that switches between two values: the grip force of the paper's slip control.
//
//   high ┌────────┐    ┌────────┐          duty = time at high / period
//   low  ┘        └────┘        └────      begins high
//        0       duty·T  T

#pragma once

namespace patchfield {

class SquareWave {
 public:
  /// Throws InputError unless period > 0, duty is in [0, 1] and all is finite.
  SquareWave(double low, double high, double period, double duty);

  bool is_high(double time) const { return phase(time) < duty_; }
  double operator()(double time) const { return is_high(time) ? high_ : low_; }

  /// Position within the period, in [0, 1). A time within 1e-9 periods of a switch counts as behind it: times are sums
  /// of steps, and 1499.9999999 steps are 1500.
  double phase(double time) const;
  double period() const { return period_; }
  double duty() const { return duty_; }

 private:
  double low_, high_, period_, duty_;
};

}  // namespace patchfield
