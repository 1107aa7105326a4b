// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Options that are quantities, as people type them: "0.5mm", "2cm", "10N", "1e5Pa", or a plain SI number.

#pragma once

#include <string>

namespace patchfield::cli {

enum class Quantity { kLength, kForce, kPressure };

/// The value in SI, which must be positive. Throws InputError that names the option, the text and an example.
double parse_quantity(const std::string& option, const std::string& text, Quantity quantity);

}  // namespace patchfield::cli
