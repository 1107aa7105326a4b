// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Words that a person mistypes, and what was probably meant.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace patchfield::cli {

/// Shown below the help of the program.
inline constexpr const char* kExamples =
    "Examples:\n"
    "  patchfield view scene:spatula                      simulate, and look at it in a browser\n"
    "  patchfield run my_robot.xml --record out.html      a page with the recording inside\n"
    "  patchfield render out.html --video out.webp        an animation of it\n"
    "  patchfield inspect my_robot.xml                    what contact makes of a model\n"
    "  patchfield scenes                                  the models that come with the program";

/// The word of the list that is nearest to a mistyped one: at most a third of its letters differ. Empty if none is
/// near.
std::string nearest_word(std::string_view typed, const std::vector<std::string>& words);

/// Throws InputError if the first word of the command line is no command; it names the one that was probably meant.
void check_command(const CLI::App& app, const std::string& word);

}  // namespace patchfield::cli
