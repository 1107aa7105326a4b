// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Many warnings of one kind → one line: a robot with 279 pairs of rigid geoms need not say the same thing 279 times.

#pragma once

#include <string>
#include <vector>

namespace patchfield::cli {

/// Warnings that differ only in what stands in quotes and in numbers are of one kind. From four of a kind on, the first
/// is kept, with the number of the others behind it. The order is that of the first of each kind.
std::vector<std::string> group_warnings(const std::vector<std::string>& warnings);

/// Prints them, grouped, to the standard error.
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace patchfield::cli
