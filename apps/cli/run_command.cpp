// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// patchfield run: simulates a model, prints a summary and, if asked, writes a log.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "commands.h"
#include "mujoco_messages.h"
#include "patchfield/core/check.h"
#include "patchfield/io/sequence_file.h"
#include "progress.h"
#include "run_continuous.h"
#include "run_loop.h"
#include "run_options.h"
#include "run_summary.h"
#include "warnings.h"

namespace patchfield::cli {
namespace {

/// Energy and speed of the final state; after a divergence there is none.
void describe_end(Data& data, RunStats& stats) {
  if (stats.end == RunEnd::kDiverged) {
    stats.final = {std::nan(""), std::nan("")};
    stats.max_speed = std::nan("");
    return;
  }
  stats.final = present_energy(data);
  for (int i = 0; i < data.m()->nv; ++i) stats.max_speed = std::max(stats.max_speed, std::abs(data.d()->qvel[i]));
}

int exit_code(const RunStats& stats) {
  switch (stats.end) {
    case RunEnd::kDone: return 0;
    case RunEnd::kDiverged: return 1;
    case RunEnd::kInterrupted: return 128 + stats.signal;  // as a shell reports it
  }
  return 1;
}

/// The player of --sequence, with `data` at its start; null without one.
std::unique_ptr<SequencePlayer> make_player(const RunOptions& options, Data& data) {
  if (options.sequence.empty()) return nullptr;
  const Sequence sequence = read_sequence(options.sequence);
  if (!options.keyframe.empty() && !sequence.start.empty())
    throw InputError(fmt::format("--keyframe {}: {} starts at its own keyframe {}. Leave one of them out",
                                 options.keyframe, options.sequence, sequence.start));
  auto player = std::make_unique<SequencePlayer>(sequence, data.model);
  if (sequence.start.empty()) player->restart(data.d());
  else player->reset(data);
  return player;
}

int run(const RunOptions& options) {
  catch_mujoco_messages();
  const Model model = load_model(options);
  std::vector<std::string> warnings = model.warnings();
  for (std::string& warning : take_mujoco_warnings()) warnings.push_back(std::move(warning));
  print_warnings(warnings);

  if (options.integrator == Integrator::kCvode && !options.sequence.empty())
    throw InputError("--sequence needs steps of fixed size: leave out --integrator cvode");
  if (options.integrator == Integrator::kCvode) return run_continuous(options, model);
  Data data(model, options.sim);
  data.reset(find_keyframe(options, model.mujoco()));
  std::unique_ptr<SequencePlayer> player = make_player(options, data);
  const double time_step = options.time_step.value_or(model.mujoco()->opt.timestep);
  const bool to_the_end = player != nullptr && !options.duration_given;
  const double duration = to_the_end ? player->sequence().longest_duration() + time_step : options.duration;
  const long steps = num_steps(duration, time_step);

  std::unique_ptr<StepLog> log;
  if (!options.log.empty())
    log = std::make_unique<StepLog>(options.log, data, StepLogOptions{options.model, time_step, options.log_every});
  std::unique_ptr<Recorder> recorder;
  if (!options.record.empty())
    recorder = std::make_unique<Recorder>(options.record, data, RecorderOptions{options.model, options.record_fps});
  catch_interrupts();
  Progress progress(static_cast<double>(steps) * time_step, !options.quiet);
  RunStats stats = run_steps(data, time_step, steps, {log.get(), recorder.get(), player.get(), to_the_end}, progress);
  if (log != nullptr) log->finish(data, to_string(stats.end));
  if (recorder != nullptr) recorder->finish();
  progress.erase();
  describe_end(data, stats);

  const std::size_t told = warnings.size();
  for (std::string& warning : take_mujoco_warnings()) warnings.push_back(std::move(warning));
  for (std::string& warning : run_warnings(options, stats)) warnings.push_back(std::move(warning));
  print_warnings({warnings.begin() + static_cast<std::ptrdiff_t>(told), warnings.end()});
  if (options.json) fmt::print("{}\n", summary_json(options, data, time_step, stats, warnings, player.get()));
  else if (!options.quiet) fmt::print("{}", summary_text(options, data, time_step, stats, player.get()));
  if (std::fflush(stdout) != 0) throw std::runtime_error("the summary could not be written to the standard output");
  return exit_code(stats);
}

}  // namespace

void add_run_command(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Simulate a model with contact patches");
  add_run_options(*command, *options);
  command->callback([options] {
    const int code = run(*options);
    if (code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace patchfield::cli
