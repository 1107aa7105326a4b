// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "text_table.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

namespace patchfield::cli {
namespace {

/// Letters of a UTF-8 text: its bytes less those that continue a letter.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

struct Unit {
  double size;
  const char* name;
};

std::string with_unit(const std::optional<double>& value, std::span<const Unit> units) {
  if (!value || !std::isfinite(*value)) return "-";
  const Unit* unit = &units.back();
  for (const Unit& candidate : units) {
    if (std::abs(*value) < 0.9995 * candidate.size) continue;
    unit = &candidate;
    break;
  }
  return fmt::format("{:.3g} {}", *value / unit->size, unit->name);
}

}  // namespace

std::string format_table(const std::vector<std::vector<std::string>>& rows, const std::string& indent) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  std::string text;
  for (const auto& row : rows) {
    std::string line = indent;
    for (std::size_t c = 0; c < row.size(); ++c) line += row[c] + std::string(widths[c] - width(row[c]) + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string length_text(const std::optional<double>& metres) {
  constexpr Unit kUnits[] = {{1.0, "m"}, {1e-3, "mm"}, {1e-6, "µm"}, {1e-9, "nm"}};
  return with_unit(metres, kUnits);
}

std::string pressure_text(const std::optional<double>& pascal) {
  constexpr Unit kUnits[] = {{1e9, "GPa"}, {1e6, "MPa"}, {1e3, "kPa"}, {1.0, "Pa"}};
  return with_unit(pascal, kUnits);
}

}  // namespace patchfield::cli
