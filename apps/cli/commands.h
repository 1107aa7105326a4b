// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// One function per subcommand: it adds its options to the program and runs when chosen.

#pragma once

#include <CLI/CLI.hpp>

namespace patchfield::cli {

void add_demo_command(CLI::App& app);
void add_export_command(CLI::App& app);
void add_inspect_command(CLI::App& app);
void add_mesh_command(CLI::App& app);
void add_render_command(CLI::App& app);
void add_reproduce_command(CLI::App& app);
void add_run_command(CLI::App& app);
void add_scenes_command(CLI::App& app);
void add_view_command(CLI::App& app);

}  // namespace patchfield::cli
