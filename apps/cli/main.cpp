// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// patchfield: the command line program. Exit codes: 0 done, 2 wrong input (a sentence says what
// and how to cure it), 1 a failure of our own or a run that diverged, 128 + n stopped by signal n.

#include <exception>
#include <iostream>

#include <CLI/CLI.hpp>

#include "commands.h"
#include "patchfield/core/check.h"
#include "patchfield/io/subprocess.h"
#include "words.h"

int main(int argc, char** argv) {
  CLI::App app{"Simulates robots that touch the world through patches: pressure-field contact at real-time rates."};
  app.name("patchfield");
  app.set_version_flag("--version", "patchfield 0.1.0");
  app.require_subcommand(0, 1);
  app.footer(patchfield::cli::kExamples);
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return std::string("patchfield: ") + error.what() + "\nSee patchfield --help, or patchfield COMMAND --help.\n";
  });
  patchfield::cli::add_demo_command(app);
  patchfield::cli::add_export_command(app);
  patchfield::cli::add_inspect_command(app);
  patchfield::cli::add_mesh_command(app);
  patchfield::cli::add_render_command(app);
  patchfield::cli::add_reproduce_command(app);
  patchfield::cli::add_run_command(app);
  patchfield::cli::add_scenes_command(app);
  patchfield::cli::add_view_command(app);

  try {
    if (argc == 1) {
      std::cout << app.help();
      return 0;
    }
    patchfield::cli::check_command(app, argv[1]);
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::RuntimeError& error) {  // a command that ran and says how it ended
    return error.get_exit_code();
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const patchfield::Interrupted&) {
    std::cerr << "patchfield: interrupted\n";
    return 130;  // as a shell reports SIGINT
  } catch (const patchfield::InputError& error) {
    std::cerr << "patchfield: " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "patchfield: " << error.what() << "\n";
    return 1;
  }
}
