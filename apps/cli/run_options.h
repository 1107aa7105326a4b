// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The options of `patchfield run`: text of the command line → checked values, or a sentence with the cure.

#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "patchfield/io/load_model.h"
#include "patchfield/io/recording.h"
#include "patchfield/sim/data.h"

namespace patchfield::cli {

enum class Integrator {
  kDiscrete,  ///< step(): velocity-level steps, of fixed size or with error control.
  kCvode,     ///< The continuous model (theory.md §6) with error control.
};

struct RunOptions {
  std::string model;                ///< Path of a model, or scene:NAME.
  double duration = 2.0;            ///< [s] > 0
  bool duration_given = false;      ///< By --duration; a sequence otherwise runs to its end.
  std::optional<double> time_step;  ///< [s]; none: the model's own.
  std::string keyframe;             ///< Number, name or "none"; empty: a scene's first, otherwise none.
  std::string sequence;             ///< YAML file that drives the motors; empty: none.
  LoadOptions load;
  SimOptions sim;
  std::string log;  ///< Path; empty: no log.
  int log_every = 1;
  std::string record;  ///< Path, .pfr or .html; empty: no recording.
  double record_fps = RecorderOptions{}.frames_per_second;
  bool json = false, quiet = false;
  Integrator integrator = Integrator::kDiscrete;
};

/// Adds the options to the command; they write to `options`, which must outlive it. Values that cannot be used throw
/// InputError while parsing.
void add_run_options(CLI::App& command, RunOptions& options);

/// Of these, how a simulation starts and steps: for other commands that simulate.
void add_simulation_options(CLI::App& command, RunOptions& options);

/// Those that say how model files are read: packages, fixed bases.
void add_model_options(CLI::App& command, RunOptions& options);

/// Loads what options.model names. Throws InputError.
Model load_model(const RunOptions& options);

/// The index of the keyframe to start from, or −1 for the model's initial state. Throws InputError.
int find_keyframe(const RunOptions& options, const mjModel* m);

/// How many steps cover the duration. Throws InputError if that is beyond counting.
long num_steps(double duration, double time_step);

}  // namespace patchfield::cli
