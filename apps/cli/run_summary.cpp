// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "run_summary.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace patchfield::cli {
namespace {

struct Stage {
  const char* name;
  double seconds;
};

/// The stages of a step, log and recording, and what is left of the wall time: progress bar, clocks, counting.
std::vector<Stage> stages(const RunStats& s) {
  return {
      {"dynamics", s.times.dynamics}, {"geometry", s.times.geometry},
      {"assembly", s.times.assembly}, {"solver", s.times.solver},
      {"output", s.times.output},     {"log", s.log_time},
      {"record", s.record_time},      {"other", std::max(0.0, s.wall - s.log_time - s.record_time - s.times.total())}};
}

double ratio(double a, double b) { return b > 0.0 ? a / b : 0.0; }

double us_per_step(double seconds, const RunStats& s) { return 1e6 * ratio(seconds, static_cast<double>(s.steps)); }

/// "3 stalled, 1 max iterations"
std::string status_list(const RunStats& stats) {
  std::string list;
  for (std::size_t i = 1; i < stats.statuses.size(); ++i)
    if (stats.statuses[i] > 0)
      list +=
          fmt::format("{}{} {}", list.empty() ? "" : ", ", stats.statuses[i], to_string(static_cast<SolverStatus>(i)));
  return list;
}

std::string key(std::string text) {
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

/// JSON has no NaN or infinity.
nlohmann::json number(double x) { return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(nullptr); }

nlohmann::json tally(const Tally& t, long n) { return {{"mean", number(t.mean(n))}, {"max", t.max}}; }

nlohmann::json energy(const Energy& e) {
  return {{"kinetic", number(e.kinetic)}, {"potential", number(e.potential)}, {"total", number(e.total())}};
}

nlohmann::ordered_json event_json(const Sequence& sequence, const SequenceEvent& event) {
  const bool ended = event.end >= event.begin;
  return {{"phase", sequence.phases[static_cast<std::size_t>(event.phase)].name},
          {"begin", event.begin},
          {"end", ended ? nlohmann::ordered_json(event.end) : nlohmann::ordered_json(nullptr)},
          {"ended_by", ended ? to_string(event.ended_by) : "running"},
          {"guard_value", number(event.guard_value)},
          {"tracking_error", number(event.tracking_error)},
          {"saturated_steps", event.saturated}};
}

std::string tally_text(const Tally& t, long n) { return fmt::format("{:.1f} mean, {} max", t.mean(n), t.max); }

}  // namespace

std::string summary_text(const RunOptions& options, const Data& data, double time_step, const RunStats& s,
                         const SequencePlayer* player) {
  std::string out;
  const auto line = [&](const char* name, const std::string& value) {
    out += fmt::format("  {:<18}{}\n", name, value);
  };
  const SimOptions& sim = data.options;
  out += fmt::format("{}: {}, {} s steps, {} faces, {} quadrature, {} thread{}\n", options.model,
                     to_string(sim.solver.kind), time_step, to_string(sim.surface.tessellation),
                     to_string(sim.quadrature), sim.threads, sim.threads == 1 ? "" : "s");
  line("simulated", fmt::format("{:g} s in {} steps{}", s.simulated, s.steps,
                                s.end == RunEnd::kDone ? "" : fmt::format(" ({})", to_string(s.end))));
  line("wall time", fmt::format("{:.3f} s, {:.1f} times real time", s.wall, ratio(s.simulated, s.wall)));
  line("faces", tally_text(s.faces, s.steps));
  if (s.waiting_faces.max > 0) line("waiting faces", tally_text(s.waiting_faces, s.steps));
  line("patches", tally_text(s.patches, s.steps));
  if (s.point_contacts.max > 0) line("point contacts", tally_text(s.point_contacts, s.steps));
  if (s.rows.max > 0) line("constraint rows", tally_text(s.rows, s.steps));
  line("iterations", tally_text(s.iterations, s.steps));
  const long unconverged = s.unconverged();
  line("unconverged steps", unconverged == 0 ? "0" : fmt::format("{} ({})", unconverged, status_list(s)));
  if (sim.solver.kind == SolverKind::kTamsi)
    line("TAMSI", fmt::format("{} sub-steps, {} fallbacks", s.substeps, s.fallbacks));
  line("dropped faces", fmt::format("{} ({:.1f} per step)", s.dropped_faces,
                                    ratio(static_cast<double>(s.dropped_faces), static_cast<double>(s.steps))));
  if (s.end != RunEnd::kDiverged) {
    line("energy", fmt::format("{:.6g} J → {:.6g} J (kinetic {:.3g} → {:.3g})", s.start.total(), s.final.total(),
                               s.start.kinetic, s.final.kinetic));
    line("final max |v|", fmt::format("{:.3g} m/s or rad/s", s.max_speed));
  }
  out += "  time by stage      µs per step      %\n";
  for (const Stage& stage : stages(s))
    if (stage.seconds > 0.0)
      out += fmt::format("    {:<16}{:>12.2f}{:>7.1f}\n", stage.name, us_per_step(stage.seconds, s),
                         100.0 * ratio(stage.seconds, s.wall));
  if (player != nullptr) {
    out += "  sequence\n";
    for (const SequenceEvent& event : player->events())
      out += fmt::format("    {}\n", describe(player->sequence(), event));
  }
  if (!options.log.empty()) line("log", options.log);
  if (!options.record.empty()) line("recording", options.record);
  return out;
}

std::string summary_json(const RunOptions& options, const Data& data, double time_step, const RunStats& s,
                         const std::vector<std::string>& warnings, const SequencePlayer* player) {
  nlohmann::ordered_json stage_us, statuses;
  for (const Stage& stage : stages(s)) stage_us[stage.name] = us_per_step(stage.seconds, s);
  for (std::size_t i = 0; i < s.statuses.size(); ++i)
    statuses[key(to_string(static_cast<SolverStatus>(i)))] = s.statuses[i];
  const SimOptions& sim = data.options;
  nlohmann::ordered_json json;
  json["model"] = options.model;
  json["solver"] = to_string(sim.solver.kind);
  json["tessellation"] = to_string(sim.surface.tessellation);
  json["quadrature"] = to_string(sim.quadrature);
  json["pressure_rate"] = to_string(sim.pressure_rate);
  json["max_face_size"] = sim.surface.max_face_size;
  json["threads"] = sim.threads;
  json["time_step"] = time_step;
  json["ended"] = to_string(s.end);
  json["steps"] = s.steps;
  json["simulated_time"] = s.simulated;
  json["wall_time"] = s.wall;
  json["cpu_time"] = s.cpu;
  json["real_time_factor"] = ratio(s.simulated, s.wall);
  json["faces"] = tally(s.faces, s.steps);
  json["waiting_faces"] = tally(s.waiting_faces, s.steps);
  json["patches"] = tally(s.patches, s.steps);
  json["points"] = tally(s.points, s.steps);
  json["point_contacts"] = tally(s.point_contacts, s.steps);
  json["constraint_rows"] = tally(s.rows, s.steps);
  json["iterations"] = tally(s.iterations, s.steps);
  json["unconverged_steps"] = s.unconverged();
  json["steps_by_status"] = statuses;
  json["worst_residual"] = number(s.worst_residual);
  json["tamsi_substeps"] = s.substeps;
  json["tamsi_fallbacks"] = s.fallbacks;
  json["dropped_faces"] = s.dropped_faces;
  json["grazing_faces"] = s.grazing_faces;
  json["oversized_faces"] = s.oversized_faces;
  json["stage_us_per_step"] = stage_us;
  json["energy_start"] = energy(s.start);
  json["energy_end"] = energy(s.final);
  json["final_max_speed"] = number(s.max_speed);
  json["recording"] = options.record.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(options.record);
  json["log"] = options.log.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(options.log);
  json["warnings"] = warnings;
  if (player != nullptr)
    for (const SequenceEvent& event : player->events())
      json["sequence"].push_back(event_json(player->sequence(), event));
  // Paths may hold bytes that are no UTF-8; JSON may not.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::vector<std::string> run_warnings(const RunOptions& options, const RunStats& s) {
  std::vector<std::string> warnings;
  if (s.unconverged() > 0)
    warnings.push_back(
        fmt::format("{} of {} steps did not converge ({}; largest relative residual {:.1e}) and used the "
                    "best velocities found, or those of their start. Try a shorter --time-step or another --solver",
                    s.unconverged(), s.steps, status_list(s), s.worst_residual));
  if (s.oversized_faces > 0)
    warnings.push_back(
        fmt::format("{} faces stayed longer than --max-face-size {} after 12 halvings: it is too small "
                    "for this model",
                    s.oversized_faces, options.sim.surface.max_face_size));
  if (s.end == RunEnd::kDiverged)
    warnings.push_back(
        fmt::format("the run diverged: {} after {} steps ({:g} s). Try a shorter --time-step, and "
                    "check forces and masses of the model",
                    s.bad_value, s.steps, s.simulated));
  if (s.end == RunEnd::kInterrupted)
    warnings.push_back(fmt::format("interrupted after {} steps ({:g} s)", s.steps, s.simulated));
  return warnings;
}

}  // namespace patchfield::cli
