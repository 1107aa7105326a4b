// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// patchfield reproduce coin | spatula | pancake: the paper's studies, in numbers and figures.

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "commands.h"
#include "patchfield/core/check.h"
#include "reproduce_coin_report.h"
#include "reproduce_pancake_report.h"
#include "reproduce_spatula_report.h"

namespace patchfield::cli {
namespace {

struct ReproduceOptions {
  std::string out;
  bool quick = false;
  bool json = false;
  int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  double time = 0.0;
  int refinements = 5;
  std::string solver = {};
};

void print_timing(double seconds) {
  nlohmann::json out;
  for (const SolverKind solver : {SolverKind::kTamsi, SolverKind::kLagged}) {
    const CoinTiming timing = time_coin(solver, seconds);
    out[to_string(solver)] = {{"us_per_step", timing.us_per_step}, {"error", timing.error}};
  }
  fmt::print("{}\n", out.dump(1));
}

void print_places(const std::string& what, const ReproduceOptions& options, double seconds, bool rasterised) {
  fmt::print("{:.0f} s. {} are in {}\n", seconds, what, options.out);
  if (!rasterised) fmt::print("No PNGs: rsvg-convert was not found. Install librsvg2-bin, or look at the SVGs\n");
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void run_spatula_study(const ReproduceOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const SpatulaStudy study = study_spatula(options.quick, options.out);
  const bool rasterised = write_spatula_report(study, options.out);
  if (options.json) {
    fmt::print("{}\n", spatula_json(study).dump(1));
    return;
  }
  fmt::print("{}\n", spatula_markdown(study));
  print_places("Replay page, table, numbers and figures", options, seconds_since(start), rasterised);
  fmt::print("Open {} in a browser: it needs nothing else.\n", study.page.string());
}

void run_pancake_study(const ReproduceOptions& options) {
  PancakeStudyOptions study_options{
      .quick = options.quick, .refinements = options.refinements, .threads = options.threads, .folder = options.out};
  for (const SolverKind solver : {SolverKind::kTamsi, SolverKind::kSap, SolverKind::kLagged})
    if (options.solver == to_string(solver)) study_options.solver = solver;
  const auto start = std::chrono::steady_clock::now();
  const PancakeStudy study = study_pancake(study_options);
  const bool rasterised = write_pancake_report(study, options.out);
  if (options.json) {
    fmt::print("{}\n", pancake_json(study).dump(1));
    return;
  }
  fmt::print("{}\n", pancake_markdown(study));
  print_places("Replay pages, table, numbers and figures", options, seconds_since(start), rasterised);
  fmt::print("Open {} in a browser: it needs nothing else.\n", study.page.string());
}

void run_coin_study(const ReproduceOptions& options) {
  if (options.time > 0.0) return print_timing(options.time);
  const auto start = std::chrono::steady_clock::now();
  const CoinStudy study = study_coin(options.quick, options.threads);
  const bool rasterised = write_coin_report(study, options.out);
  if (options.json) {
    fmt::print("{}\n", coin_json(study).dump(1));
    return;
  }
  fmt::print("{}\n", coin_markdown(study));
  print_places("Table, numbers and figures", options, seconds_since(start), rasterised);
}

void add_common_options(CLI::App& command, ReproduceOptions& options, const char* quick) {
  command.add_flag("--quick", options.quick, quick);
  command.add_option("--out", options.out, "Folder for all that is written")->capture_default_str();
  command.add_flag("--json", options.json, "Print JSON instead of the table");
}

}  // namespace

void add_reproduce_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("reproduce", "Reproduce a study of the paper");
  command->require_subcommand(1);

  auto coin_options = std::make_shared<ReproduceOptions>(ReproduceOptions{.out = "out/coin"});
  CLI::App* coin = command->add_subcommand("coin", "The sliding and spinning coin: accuracy and convergence");
  add_common_options(*coin, *coin_options, "Fewer initial ratios beyond the paper; under a minute");
  coin->add_option("--threads", coin_options->threads, "Runs at the same time; does not change a number")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  coin->add_option("--time", coin_options->time, "Only time steps, for so many CPU seconds per solver")
      ->check(CLI::Range(0.0, 1e3));
  coin->callback([coin_options] { run_coin_study(*coin_options); });

  auto spatula_options = std::make_shared<ReproduceOptions>(ReproduceOptions{.out = "out/spatula"});
  CLI::App* spatula = command->add_subcommand("spatula", "Soft bubbles let a spatula turn by loosening their grip");
  add_common_options(*spatula, *spatula_options, "One solver and two periods instead of twelve runs of five");
  spatula->callback([spatula_options] { run_spatula_study(*spatula_options); });

  auto pancake_options = std::make_shared<ReproduceOptions>(ReproduceOptions{.out = "out/pancake"});
  CLI::App* pancake =
      command->add_subcommand("pancake", "An arm flips a pancake with a spatula: faces, times, robustness");
  add_common_options(*pancake, *pancake_options, "Coarsest grid, 5 ms, default solver; under a minute");
  pancake->add_option("--solver", pancake_options->solver, "Only this solver in the table of outcomes")
      ->check(CLI::IsMember({"tamsi", "sap", "lagged"}));
  pancake->add_option("--refinements", pancake_options->refinements, "Number of grids, from the coarsest")
      ->capture_default_str()
      ->check(CLI::Range(1, 6));
  pancake->add_option("--threads", pancake_options->threads, "Runs at the same time where no time is measured")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  pancake->callback([pancake_options] { run_pancake_study(*pancake_options); });
}

}  // namespace patchfield::cli
