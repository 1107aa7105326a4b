// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Rows of words → columns that line up, and numbers with units as people write them.

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace patchfield::cli {

/// All rows as long as the first, which is the heading. Columns are two spaces apart; µ and ° count as one letter.
std::string format_table(const std::vector<std::vector<std::string>>& rows, const std::string& indent = "  ");

/// "0.45 mm", "12 µm", "1.5 nm"; "-" for none.
std::string length_text(const std::optional<double>& metres);
/// "100 kPa", "10 MPa"; "-" for none.
std::string pressure_text(const std::optional<double>& pascal);

}  // namespace patchfield::cli
