// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "option_values.h"

#include <charconv>
#include <cmath>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "patchfield/core/check.h"

namespace patchfield::cli {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr Unit kLengths[] = {{"m", 1.0}, {"mm", 1e-3}, {"cm", 1e-2}, {"um", 1e-6}, {"µm", 1e-6}};
constexpr Unit kForces[] = {{"N", 1.0}, {"mN", 1e-3}, {"kN", 1e3}};
constexpr Unit kPressures[] = {{"Pa", 1.0}, {"kPa", 1e3}, {"MPa", 1e6}, {"GPa", 1e9}};

std::span<const Unit> units_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::kLength: return kLengths;
    case Quantity::kForce: return kForces;
    case Quantity::kPressure: return kPressures;
  }
  return {};
}

const char* example_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::kLength: return "a length above 0, such as 0.5mm, 2cm or 0.01 (metres)";
    case Quantity::kForce: return "a force above 0, such as 10N or 10";
    case Quantity::kPressure: return "a pressure above 0, such as 1e5, 100kPa or 10MPa";
  }
  return "";
}

}  // namespace

double parse_quantity(const std::string& option, const std::string& text, Quantity quantity) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  double factor = unit.empty() ? 1.0 : 0.0;
  for (const Unit& known : units_of(quantity))
    if (unit == known.name) factor = known.factor;
  const double si = value * factor;
  if (error != std::errc() || !(si > 0.0 && std::isfinite(si)))
    throw InputError(fmt::format("{} {}: give {}", option, text.empty() ? "\"\"" : text, example_of(quantity)));
  return si;
}

}  // namespace patchfield::cli
