// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/control/square_wave.h"

#include <cmath>

#include <fmt/format.h>

#include "patchfield/core/check.h"

namespace patchfield {

SquareWave::SquareWave(double low, double high, double period, double duty)
    : low_(low), high_(high), period_(period), duty_(duty) {
  if (!(std::isfinite(low) && std::isfinite(high)))
    throw InputError(fmt::format("square wave: its values {} and {} must be finite", low, high));
  if (!(period > 0.0 && std::isfinite(period)))
    throw InputError(fmt::format("square wave: period = {} s must be above 0 and finite", period));
  if (!(duty >= 0.0 && duty <= 1.0))
    throw InputError(fmt::format("square wave: duty = {} must be from 0 to 1: the share of the period at high", duty));
}

double SquareWave::phase(double time) const {
  constexpr double kRounding = 1e-9;
  const double periods = time / period_ + kRounding;
  return periods - std::floor(periods);
}

}  // namespace patchfield
