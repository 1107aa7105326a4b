// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "scenes/material_texts.h"

#include <fmt/format.h>

namespace patchfield::scenes {

std::string compliant(std::string_view geom, const Material& m, bool round) {
  return fmt::format(
      R"(    <text name="patchfield:{}" data="compliant modulus={:g}{} mu={:g} hunt_crossley={:g} relaxation_time={:g} margin={:g}"/>
)",
      geom, m.modulus, round ? fmt::format(" resolution={:g}", m.resolution) : "", m.mu, m.hunt_crossley,
      m.relaxation_time, m.margin);
}

std::string rigid(std::string_view geom, const Material& m) {
  return fmt::format(R"(    <text name="patchfield:{}" data="rigid mu={:g} relaxation_time=0"/>
)",
                     geom, m.mu);
}

}  // namespace patchfield::scenes
