// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "reproduce_spatula_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "figures.h"
#include "reproduce_tasks.h"

namespace patchfield::cli {
namespace {

std::vector<SpatulaSetup> setups(bool quick) {
  if (quick) return {{.duration = 12.0}};
  std::vector<SpatulaSetup> all;
  for (const Tessellation tessellation : {Tessellation::kPolygon, Tessellation::kTriangle})
    for (const double dt : {2e-3, 4e-2})
      for (const SolverKind solver : {SolverKind::kLagged, SolverKind::kTamsi, SolverKind::kSap})
        all.push_back({.solver = solver, .tessellation = tessellation, .dt = dt});
  return all;
}

double degrees(double radians) { return radians * 180.0 / M_PI; }

Plot grip_plot(const SpatulaRun& run) {
  Plot plot{.title = "Commanded grip force of each finger", .x = {.label = "time [s]"}, .y = {.label = "force [N]"}};
  plot.y.range = {{0.0, 18.0}};
  plot.series = {{.name = "grip", .x = run.time, .y = run.grip, .marker = Marker::kNone}};
  return plot;
}

Plot pitch_plot(const SpatulaStudy& study) {
  Plot plot{.title = "The spatula turns in the loose phases and holds in the firm ones",
            .x = {.label = "time [s]"},
            .y = {.label = "pitch [°]"}};
  for (const SpatulaRun& run : study.runs) {
    Series s{.name = name_of(run.setup), .marker = Marker::kNone};
    for (std::size_t i = 0; i < run.pitch.size(); i += 5)
      s.x.push_back(run.time[i]), s.y.push_back(degrees(run.pitch[i]));
    s.color = static_cast<int>(run.setup.solver) + (run.setup.dt > 0.01 ? 3 : 0);
    s.dashed = run.setup.tessellation == Tessellation::kTriangle;
    plot.series.push_back(std::move(s));
  }
  return plot;
}

nlohmann::ordered_json run_json(const SpatulaRun& run) {
  nlohmann::ordered_json json;
  json["solver"] = to_string(run.setup.solver);
  json["tessellation"] = to_string(run.setup.tessellation);
  json["time_step"] = run.setup.dt;
  json["duration"] = run.setup.duration;
  json["real_time_factor"] = run.real_time_factor();
  json["cpu_real_time_factor"] = run.cpu_real_time_factor();
  json["us_per_step"] = 1e6 * run.cpu * run.setup.dt / run.setup.duration;
  json["mean_faces"] = run.mean_faces;
  json["unconverged_steps"] = run.unconverged;
  json["firm_drift"] = run.firm_drift;
  json["loose_turn"] = run.loose_turn;
  json["time"] = run.time;
  json["pitch"] = run.pitch;
  return json;
}

}  // namespace

SpatulaStudy study_spatula(bool quick, const std::filesystem::path& folder) {
  SpatulaStudy study;
  study.page = folder / "spatula.html";
  const std::vector<SpatulaSetup> all = setups(quick);
  study.runs.resize(all.size());
  std::vector<StudyTask> tasks;
  for (std::size_t i = 0; i < all.size(); ++i)
    tasks.push_back({name_of(all[i]), all[i].duration / all[i].dt, [&study, &all, i] {
                       study.runs[i] = run_spatula(all[i], i == 0 ? study.page : std::filesystem::path());
                     }});
  std::filesystem::create_directories(folder);
  run_tasks(std::move(tasks), 1);
  return study;
}

std::string spatula_markdown(const SpatulaStudy& study) {
  const SpatulaRun& first = study.runs.front();
  std::string out = fmt::format(
      "Slip control: grip force between 1 and 16 N, period 6 s, three quarters of it firm, {:g} s.\n\n"
      "| solver, δt, faces | faces | real-time factor | turn per loose phase [°] | worst drift per firm phase [mrad] | "
      "unconverged |\n|---|---|---|---|---|---|\n",
      first.setup.duration);
  for (const SpatulaRun& run : study.runs) {
    std::string turns;
    for (const double turn : run.loose_turn) turns += fmt::format("{}{:.1f}", turns.empty() ? "" : ", ", degrees(turn));
    out += fmt::format("| {} | {:.0f} | {:.0f} | {} | {:.3f} | {} |\n", name_of(run.setup), run.mean_faces,
                       run.real_time_factor(), turns, 1e3 * run.worst_drift(), run.unconverged);
  }
  out += fmt::format("\nThe replay page is {:.1f} MB; recording it took {:.1f} % of the simulation's time.\n",
                     1e-6 * static_cast<double>(first.recording_bytes), 100.0 * first.recording_share());
  return out;
}

nlohmann::ordered_json spatula_json(const SpatulaStudy& study) {
  const SpatulaRun& first = study.runs.front();
  nlohmann::ordered_json json;
  json["page"] = study.page.string();
  json["page_bytes"] = first.recording_bytes;
  json["recording_share"] = first.recording_share();
  json["real_time_factor"] = first.real_time_factor();
  json["time"] = first.time;
  json["grip"] = first.grip;
  json["pitch"] = first.pitch;
  for (const SpatulaRun& run : study.runs) json["runs"].push_back(run_json(run));
  return json;
}

bool write_spatula_report(const SpatulaStudy& study, const std::filesystem::path& folder) {
  write_text(folder / "spatula.md", spatula_markdown(study));
  write_text(folder / "spatula.json", spatula_json(study).dump(1) + "\n");
  bool rasterised = true;
  for (const auto& [name, plot] :
       {std::pair{"spatula_grip", grip_plot(study.runs.front())}, std::pair{"spatula_pitch", pitch_plot(study)}}) {
    const std::filesystem::path svg = folder / fmt::format("{}.svg", name), png = folder / fmt::format("{}.png", name);
    write_text(svg, draw_plot(plot));
    rasterised = rasterise(svg, png) && rasterised;
  }
  return rasterised;
}

}  // namespace patchfield::cli
