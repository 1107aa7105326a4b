// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// patchfield reproduce coin: the paper's accuracy study, in numbers and figures.

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "commands.h"
#include "patchfield/core/check.h"
#include "reproduce_coin_report.h"

namespace patchfield::cli {
namespace {

struct ReproduceOptions {
  std::string out = "out/coin";
  bool quick = false;
  bool json = false;
  int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  double time = 0.0;
};

void print_timing(double seconds) {
  nlohmann::json out;
  for (const SolverKind solver : {SolverKind::kTamsi, SolverKind::kLagged}) {
    const CoinTiming timing = time_coin(solver, seconds);
    out[to_string(solver)] = {{"us_per_step", timing.us_per_step}, {"error", timing.error}};
  }
  fmt::print("{}\n", out.dump(1));
}

void run(const ReproduceOptions& options) {
  if (options.time > 0.0) return print_timing(options.time);
  const auto start = std::chrono::steady_clock::now();
  const CoinStudy study = study_coin(options.quick, options.threads);
  const bool rasterised = write_coin_report(study, options.out);
  if (options.json) {
    fmt::print("{}\n", coin_json(study).dump(1));
    return;
  }
  fmt::print("{}\n", coin_markdown(study));
  fmt::print("{:.0f} s. Table, numbers and figures are in {}\n",
             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), options.out);
  if (!rasterised) fmt::print("No PNGs: rsvg-convert was not found. Install librsvg2-bin, or look at the SVGs\n");
}

}  // namespace

void add_reproduce_command(CLI::App& app) {
  auto options = std::make_shared<ReproduceOptions>();
  CLI::App* command = app.add_subcommand("reproduce", "Reproduce a study of the paper");
  command->require_subcommand(1);
  CLI::App* coin = command->add_subcommand("coin", "The sliding and spinning coin: accuracy and convergence");
  coin->add_flag("--quick", options->quick, "Fewer initial ratios beyond the paper; under a minute");
  coin->add_option("--out", options->out, "Folder for table and figures")->capture_default_str();
  coin->add_flag("--json", options->json, "Print JSON instead of the table");
  coin->add_option("--threads", options->threads, "Runs at the same time; does not change a number")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  coin->add_option("--time", options->time, "Only time steps, for so many CPU seconds per solver")
      ->check(CLI::Range(0.0, 1e3));
  coin->callback([options] { run(*options); });
}

}  // namespace patchfield::cli
