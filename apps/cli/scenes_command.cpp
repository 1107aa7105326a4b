// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// patchfield scenes: the models that come with the program, one line each.

#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "commands.h"
#include "scenes/scenes.h"

namespace patchfield::cli {
namespace {

/// What a person sees; the numbers stand in scenes/scenes.h.
const std::map<std::string_view, std::string_view> kWords = {
    {"sphere_on_plane", "a soft ball drops onto a floor"},
    {"sphere_on_box", "the same ball on a rigid box"},
    {"box_on_plane", "a soft cube on a floor"},
    {"stack", "ten cubes on each other; stack:N for N"},
    {"clutter", "forty balls, boxes and capsules fall into a bin; clutter:N for N"},
    {"bubbles", "two soft fingers squeeze a cylinder and hold it"},
    {"spatula", "soft fingers hold a spatula by its handle"},
    {"chain", "a chain of capsules swings into a soft wall; chain:N for N"},
    {"coin", "a coin slides and spins on a table"},
};

}  // namespace

void add_scenes_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("scenes", "List the models that come with the program");
  command->footer("Use one as a model: patchfield view scene:spatula");
  command->callback([] {
    for (const std::string_view name : scenes::names()) {
      const auto found = kWords.find(name);
      fmt::print("scene:{:<18} {}\n", name, found == kWords.end() ? "" : found->second);
    }
  });
}

}  // namespace patchfield::cli
