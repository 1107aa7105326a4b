// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The pancake study → table, JSON and figures, beside the paper's values.

#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "reproduce_pancake_study.h"

namespace patchfield::cli {

/// Triangles against polygons: how many times as many faces, and as much time.
struct PancakeRatios {
  double faces = 0.0, constraints = 0.0, solver = 0.0, geometry = 0.0;
};
PancakeRatios ratios_of(const PancakeRun& polygons, const PancakeRun& triangles);

/// Writes pancake.md, pancake.json and the figures pancake_faces and pancake_scaling as SVG and PNG. False without
/// PNGs.
bool write_pancake_report(const PancakeStudy& study, const std::filesystem::path& folder);

std::string pancake_markdown(const PancakeStudy& study);
nlohmann::ordered_json pancake_json(const PancakeStudy& study);

}  // namespace patchfield::cli
