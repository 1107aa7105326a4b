// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The slip control study: all solvers, both time steps, both tessellations → figures, a replay page, a table, JSON.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "reproduce_spatula.h"

namespace patchfield::cli {

struct SpatulaStudy {
  std::vector<SpatulaRun> runs;  ///< The first is the one on the replay page.
  std::filesystem::path page;
};

/// `quick`: one run of two periods instead of twelve of five. Writes the page spatula.html into `folder`. One run at a
/// time: their times are measured.
SpatulaStudy study_spatula(bool quick, const std::filesystem::path& folder);

/// Writes spatula.md, spatula.json and the figures spatula_grip and spatula_pitch as SVG and PNG. False without PNGs.
bool write_spatula_report(const SpatulaStudy& study, const std::filesystem::path& folder);

std::string spatula_markdown(const SpatulaStudy& study);
nlohmann::ordered_json spatula_json(const SpatulaStudy& study);

}  // namespace patchfield::cli
