// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "reproduce_pancake_report.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "figures.h"

namespace patchfield::cli {
namespace {

double ratio(double a, double b) { return b > 0.0 ? a / b : 0.0; }

/// The timed runs of one solver, in order of refinement.
std::vector<const PancakeRun*> scaling_of(const PancakeStudy& study, SolverKind solver) {
  std::vector<const PancakeRun*> runs;
  for (const PancakeRun& run : study.scaling)
    if (run.setup.solver == solver) runs.push_back(&run);
  return runs;
}

struct Scaling {
  std::vector<double> constraints, geometry, solver;  ///< Times per step [µs].
  double geometry_exponent = 0.0, solver_exponent = 0.0;
};

Scaling scaling(const std::vector<const PancakeRun*>& runs) {
  Scaling s;
  for (const PancakeRun* run : runs) {
    s.constraints.push_back(run->mean_constraints);
    s.geometry.push_back(1e6 * run->times.geometry), s.solver.push_back(1e6 * run->times.solver);
  }
  if (runs.size() < 2) return s;
  s.geometry_exponent = fitted_exponent(s.constraints, s.geometry);
  s.solver_exponent = fitted_exponent(s.constraints, s.solver);
  return s;
}

std::string describe_solver(SolverKind solver) {
  return solver == SolverKind::kSap ? "SAP as in the paper (one point per face)"
                                    : fmt::format("{} (default)", to_string(solver));
}

Plot faces_plot(const PancakeStudy& study) {
  Plot plot{.title = "Faces over the task", .x = {.label = "time [s]"}, .y = {.label = "faces per step"}};
  const PancakeRun& polygon = study.scaling.front();
  plot.series.push_back(
      {.name = "polygons", .x = polygon.time, .y = polygon.faces, .marker = Marker::kNone, .color = 0});
  if (!study.triangles.empty())
    plot.series.push_back({.name = "triangles",
                           .x = study.triangles.front().time,
                           .y = study.triangles.front().faces,
                           .marker = Marker::kNone,
                           .color = 1});
  for (const SequenceEvent& event : polygon.events)
    plot.events.push_back({event.begin, polygon.phases[static_cast<std::size_t>(event.phase)]});
  return plot;
}

Plot scaling_plot(const PancakeStudy& study) {
  Plot plot{.title = "Time per step over constraints",
            .x = {.label = "mean number of constraints", .log = true},
            .y = {.label = "time per step [µs]", .log = true}};
  int color = 0;
  for (const SolverKind solver : {SolverKind::kLagged, SolverKind::kSap}) {
    const Scaling s = scaling(scaling_of(study, solver));
    if (s.constraints.empty()) continue;
    plot.series.push_back({.name = fmt::format("{}: solver, ^{:.2f}", to_string(solver), s.solver_exponent),
                           .x = s.constraints,
                           .y = s.solver,
                           .color = color});
    plot.series.push_back({.name = fmt::format("{}: geometry, ^{:.2f}", to_string(solver), s.geometry_exponent),
                           .x = s.constraints,
                           .y = s.geometry,
                           .marker = Marker::kSquare,
                           .dashed = true,
                           .color = color});
    ++color;
  }
  return plot;
}

std::string flip_text(const PancakeStudy& study) {
  const PancakeRun& f = study.flip;
  const PancakeOutcome& o = f.outcome;
  std::string out = fmt::format(
      "The pancake flip, {}: {}.\n\n"
      "| | value | wanted |\n|---|---|---|\n"
      "| turned by | {:.1f}° | 180° ± 15° |\n| edge to the rim of the stove | {:.0f} mm inside | inside |\n"
      "| fastest point in the last half second | {:.3f} mm/s | below 1 mm/s |\n"
      "| slip of the spatula in the grip | {:.1f} mm, {:.1f}° | below 10 mm, 10° |\n"
      "| blade below the top of the stove | {:.2f} mm | |\n| unconverged steps | {} of {} | 0 |\n"
      "| phases that timed out | {} | 0 |\n| real-time factor, one thread | {:.1f} (CPU time: {:.1f}) | above 1 "
      "|\n\nEvents:\n```\n",
      name_of(f.setup), o.success() ? "success" : "FAILED, " + o.reason(), o.turn, 1e3 * o.room, 1e3 * o.speed,
      1e3 * o.slip, o.slip_angle, 1e3 * o.blade_depth, f.unconverged, f.steps, o.timeouts, f.real_time_factor(),
      f.cpu_real_time_factor());
  for (const SequenceEvent& e : f.events)
    out += fmt::format("{:7.3f} s  {:<10} {:<8} after {:.3f} s{}\n", e.begin,
                       f.phases[static_cast<std::size_t>(e.phase)], to_string(e.ended_by), e.end - e.begin,
                       e.guard_value > 0.0 ? fmt::format(" at {:.2f} N", e.guard_value) : "");
  return out + "```\n";
}

std::string ratio_text(const PancakeStudy& study) {
  std::string out =
      "\nTriangles against polygons, coarsest grid (the paper: 4.05 times the faces, 4.09 times the solver's time, "
      "1.10 "
      "times the geometry's):\n\n| solver | faces | constraints | solver time | geometry time "
      "|\n|---|---|---|---|---|\n";
  for (const PancakeRun& triangles : study.triangles) {
    const PancakeRun* polygons = scaling_of(study, triangles.setup.solver).front();
    const PancakeRatios r = ratios_of(*polygons, triangles);
    out += fmt::format("| {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n", describe_solver(triangles.setup.solver), r.faces,
                       r.constraints, r.solver, r.geometry);
  }
  return out;
}

std::string scaling_text(const PancakeStudy& study) {
  std::string out =
      "\nGrid study (the paper: 230 to 1,500 faces, geometry ^1, solver ^1.3). Each step's time is cut to twice the "
      "median of its neighbors before the mean.\n\n"
      "| solver | refinement | faces | constraints | geometry [µs] | solver [µs] | step [µs] | real-time factor (CPU) "
      "| outcome |\n|---|---|---|---|---|---|---|---|---|\n";
  for (const PancakeRun& r : study.scaling)
    out += fmt::format("| {} | {:g} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.1f} | {} |\n",
                       describe_solver(r.setup.solver), r.setup.refinement, r.mean_faces, r.mean_constraints,
                       1e6 * r.times.geometry, 1e6 * r.times.solver, 1e6 * r.times.total, r.cpu_real_time_factor(),
                       r.outcome.success() ? "success" : r.outcome.reason());
  for (const SolverKind solver : {SolverKind::kLagged, SolverKind::kSap}) {
    const Scaling s = scaling(scaling_of(study, solver));
    if (s.constraints.size() > 1)
      out += fmt::format("\nExponents over constraints, {}: geometry {:.2f}, solver {:.2f}.\n", to_string(solver),
                         s.geometry_exponent, s.solver_exponent);
  }
  return out;
}

std::string outcome_text(const PancakeStudy& study) {
  std::string out = "\nOutcomes (number of unconverged steps in brackets, if any):\n\n| solver | faces | refinement |";
  std::vector<double> steps;
  for (const PancakeRun& r : study.outcomes)
    if (std::find(steps.begin(), steps.end(), r.setup.dt) == steps.end()) steps.push_back(r.setup.dt);
  std::string rule = "|---|---|---|";
  for (const double dt : steps) out += fmt::format(" {:g} ms |", 1e3 * dt), rule += "---|";
  out += "\n" + rule + "\n";
  for (std::size_t i = 0; i < study.outcomes.size(); i += steps.size()) {
    const PancakeSetup& s = study.outcomes[i].setup;
    out += fmt::format("| {} | {} | {:g} |", to_string(s.solver), to_string(s.tessellation), s.refinement);
    for (std::size_t k = i; k < i + steps.size(); ++k) {
      const PancakeRun& r = study.outcomes[k];
      out += fmt::format(" {}{} |", r.outcome.success() ? "success" : r.outcome.reason(),
                         r.unconverged > 0 ? fmt::format(" ({})", r.unconverged) : "");
    }
    out += "\n";
  }
  return out;
}

std::string variation_text(const PancakeStudy& study) {
  std::string out;
  const auto n = std::count_if(study.variations.begin(), study.variations.end(),
                               [](const auto& v) { return v.outcome.success(); });
  out += fmt::format(
      "\nVariations (pancake ± 1 cm and ± 20 % mass, modulus ± 50 %, friction ± 20 %, stove height ± 3 mm, gains ± 20 "
      "%): {} of {} succeed.\n",
      n, study.variations.size());
  for (std::size_t i = 0; i < study.variations.size(); ++i)
    if (const PancakeVariation& v = study.variations[i]; !v.outcome.success())
      out += fmt::format(
          "- variation {}: {} (pancake at {:.1f}, {:.1f} mm, {:.0f} g, {:.0f} Pa; friction × {:.2f}; stove at {:.1f} "
          "mm; gains × {:.2f})\n",
          i + 1, v.outcome.reason(), 1e3 * v.setup.scene.pancake_x, 1e3 * v.setup.scene.pancake_y,
          1e3 * v.setup.scene.pancake_mass, v.setup.scene.pancake_modulus, v.setup.scene.friction,
          1e3 * v.setup.scene.stove_height, v.setup.gains);
  const PancakeOutcome& p = study.points.outcome;
  out += fmt::format(
      "\nThe same task with MuJoCo's own contacts (mj_step, same sequence and gains, no patches): {}. Turned by "
      "{:.0f}°, slip {:.1f} mm and {:.1f}°, {} time-outs, {:.1f} contacts per step.\n",
      p.success() ? "success" : p.reason(), p.turn, 1e3 * p.slip, p.slip_angle, p.timeouts,
      study.points.mean_constraints);
  return out;
}

nlohmann::ordered_json outcome_json(const PancakeOutcome& o) {
  return {{"success", o.success()},
          {"reason", o.reason()},
          {"turn", o.turn},
          {"offset", o.offset},
          {"room", o.room},
          {"height", o.height},
          {"speed", o.speed},
          {"slip", o.slip},
          {"slip_angle", o.slip_angle},
          {"blade_depth", o.blade_depth},
          {"timeouts", o.timeouts}};
}

nlohmann::ordered_json run_json(const PancakeRun& run, bool columns) {
  nlohmann::ordered_json json;
  json["name"] = name_of(run.setup);
  json["solver"] = to_string(run.setup.solver);
  json["tessellation"] = to_string(run.setup.tessellation);
  json["time_step"] = run.setup.dt;
  json["refinement"] = run.setup.refinement;
  json["outcome"] = outcome_json(run.outcome);
  json["mean_faces"] = run.mean_faces;
  json["mean_constraints"] = run.mean_constraints;
  json["geometry_us_per_step"] = 1e6 * run.times.geometry;
  json["solver_us_per_step"] = 1e6 * run.times.solver;
  json["us_per_step"] = 1e6 * run.times.total;
  json["duration"] = run.duration;
  json["real_time_factor"] = run.real_time_factor();
  json["cpu_real_time_factor"] = run.cpu_real_time_factor();
  json["steps"] = run.steps;
  json["unconverged_steps"] = run.unconverged;
  for (const SequenceEvent& e : run.events)
    json["events"].push_back({{"phase", run.phases[static_cast<std::size_t>(e.phase)]},
                              {"begin", e.begin},
                              {"end", e.end},
                              {"ended_by", to_string(e.ended_by)},
                              {"guard_value", e.guard_value}});
  if (columns) json["time"] = run.time, json["faces"] = run.faces;
  return json;
}

}  // namespace

PancakeRatios ratios_of(const PancakeRun& polygons, const PancakeRun& triangles) {
  return {
      ratio(triangles.mean_faces, polygons.mean_faces), ratio(triangles.mean_constraints, polygons.mean_constraints),
      ratio(triangles.times.solver, polygons.times.solver), ratio(triangles.times.geometry, polygons.times.geometry)};
}

std::string pancake_markdown(const PancakeStudy& study) {
  return flip_text(study) + ratio_text(study) + scaling_text(study) + outcome_text(study) + variation_text(study);
}

nlohmann::ordered_json pancake_json(const PancakeStudy& study) {
  nlohmann::ordered_json json;
  json["page"] = study.page.string();
  json["points_page"] = study.points_page.string();
  json["flip"] = run_json(study.flip, true);
  json["points"] = run_json(study.points, false);
  for (const PancakeRun& run : study.scaling) json["scaling"].push_back(run_json(run, run.setup.refinement == 1.0));
  for (const PancakeRun& run : study.triangles) json["triangles"].push_back(run_json(run, true));
  for (const PancakeRun& triangles : study.triangles) {
    const PancakeRatios r = ratios_of(*scaling_of(study, triangles.setup.solver).front(), triangles);
    json["ratios"][to_string(triangles.setup.solver)] = {
        {"faces", r.faces}, {"constraints", r.constraints}, {"solver", r.solver}, {"geometry", r.geometry}};
  }
  for (const SolverKind solver : {SolverKind::kLagged, SolverKind::kSap})
    if (const Scaling s = scaling(scaling_of(study, solver)); s.constraints.size() > 1)
      json["exponents"][to_string(solver)] = {{"geometry", s.geometry_exponent}, {"solver", s.solver_exponent}};
  for (const PancakeRun& run : study.outcomes) json["outcomes"].push_back(run_json(run, false));
  for (const PancakeVariation& v : study.variations) json["variations"].push_back(outcome_json(v.outcome));
  return json;
}

bool write_pancake_report(const PancakeStudy& study, const std::filesystem::path& folder) {
  write_text(folder / "pancake.md", pancake_markdown(study));
  write_text(folder / "pancake.json", pancake_json(study).dump(1) + "\n");
  bool rasterised = true;
  for (const auto& [name, plot] :
       {std::pair{"pancake_faces", faces_plot(study)}, std::pair{"pancake_scaling", scaling_plot(study)}}) {
    const std::filesystem::path svg = folder / fmt::format("{}.svg", name), png = folder / fmt::format("{}.png", name);
    write_text(svg, draw_plot(plot));
    rasterised = rasterise(svg, png) && rasterised;
  }
  return rasterised;
}

}  // namespace patchfield::cli
