// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "run_options.h"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/sim/step.h"
#include "scenes/scenes.h"

namespace patchfield::cli {
namespace {

constexpr std::string_view kScenePrefix = "scene:";

std::string scene_list() {
  std::string list;
  for (const std::string_view name : scenes::names()) list += fmt::format("{}{}", list.empty() ? "" : ", ", name);
  return list;
}

/// The whole text as a number within the range, or an InputError that says what to give instead.
template <class Number>
Number parse_number(const std::string& option, const std::string& text, bool (*good)(Number), const char* cure) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !good(value))
    throw InputError(fmt::format("{} {}: give {}", option, text.empty() ? "\"\"" : text, cure));
  return value;
}

/// An option that is a number.
template <class Number, class Store>
CLI::Option* add_number(CLI::App& command, const std::string& name, const Store& store, bool (*good)(Number),
                        const char* cure, const std::string& help, const char* unit) {
  const auto parse = [name, store, good, cure](const std::string& text) {
    store(parse_number(name, text, good, cure));
  };
  return command.add_option_function<std::string>(name, parse, help)->type_name(unit);
}

/// An option that is one of a few words.
template <class Value>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Value& value,
                        std::span<const std::pair<const char*, Value>> choices, const std::string& help) {
  std::string list, bars, usual;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    list += fmt::format("{}{}", i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ", choices[i].first);
    bars += fmt::format("{}{}", i == 0 ? "" : "|", choices[i].first);
    if (choices[i].second == value) usual = choices[i].first;
  }
  const auto parse = [name, list, choices, &value](const std::string& text) {
    for (const auto& [word, meaning] : choices)
      if (text == word) {
        value = meaning;
        return;
      }
    throw InputError(fmt::format("{} {}: unknown; choose {}", name, text, list));
  };
  return command.add_option_function<std::string>(name, parse, help + "; default " + usual)->type_name(bars);
}

constexpr std::pair<const char*, SolverKind> kSolvers[] = {
    {"tamsi", SolverKind::kTamsi}, {"sap", SolverKind::kSap}, {"lagged", SolverKind::kLagged}};
constexpr std::pair<const char*, Tessellation> kTessellations[] = {{"polygon", Tessellation::kPolygon},
                                                                   {"triangle", Tessellation::kTriangle}};
constexpr std::pair<const char*, Quadrature> kQuadratures[] = {{"automatic", Quadrature::kAutomatic},
                                                               {"centroid", Quadrature::kCentroid},
                                                               {"pressure_center", Quadrature::kPressureCenter},
                                                               {"moments", Quadrature::kMoments}};
constexpr std::pair<const char*, PressureRate> kPressureRates[] = {{"convected", PressureRate::kConvected},
                                                                   {"paper", PressureRate::kPaper}};
constexpr std::pair<const char*, Integrator> kIntegrators[] = {{"discrete", Integrator::kDiscrete},
                                                               {"cvode", Integrator::kCvode}};
constexpr std::pair<const char*, RigidRigid> kRigidRigid[] = {
    {"point", RigidRigid::kPoint}, {"compliant", RigidRigid::kCompliant}, {"error", RigidRigid::kError}};

void add_duration_option(CLI::App& command, RunOptions& o) {
  add_number<double>(
      command, "--duration", [&o](double x) { o.duration = x, o.duration_given = true; },
      [](double x) { return x > 0.0 && std::isfinite(x); }, "a number of seconds above 0, such as 2",
      "Simulated time; default 2, or to the end of --sequence", "SECONDS");
}

void add_start_options(CLI::App& command, RunOptions& o) {
  add_number<double>(
      command, "--time-step", [&o](double x) { o.time_step = x; },
      [](double x) { return x > 0.0 && x <= kLargestStep; }, "seconds above 0 and up to 1; 1e-3 is usual",
      "Time step; default: the model's own", "SECONDS");
  command
      .add_option("--keyframe", o.keyframe,
                  "Keyframe to start from, by number or name, or none; default: the first one of a scene:NAME, none "
                  "for other models")
      ->type_name("K");
}

void add_error_control_options(CLI::App& command, RunOptions& o) {
  add_number<double>(
      command, "--accuracy", [&o](double x) { o.sim.accuracy = x; },
      [](double x) { return x > 0.0 && x <= kLargestAccuracy; }, "a number above 0 and up to 0.1; 1e-3 is usual",
      "Take as many steps in each time step as keep the error of each below this; default: one. With --integrator "
      "cvode: "
      "local error, default 1e-4",
      "METRES");
  add_number<double>(
      command, "--min-step", [&o](double x) { o.sim.min_step = x; },
      [](double x) { return x > 0.0 && x <= kLargestStep; }, "seconds above 0 and up to 1; 1e-5 is usual",
      "Of --accuracy: shortest step; default 1e-5", "SECONDS");
  add_number<double>(
      command, "--max-step", [&o](double x) { o.sim.max_step = x; },
      [](double x) { return x >= 0.0 && x <= kLargestStep; }, "seconds from --min-step to 1, or 0 for the time step",
      "Of --accuracy: longest step; default: the time step", "SECONDS");
}

void add_method_options(CLI::App& command, RunOptions& o) {
  add_choice<SolverKind>(command, "--solver", o.sim.solver.kind, kSolvers, "Contact solver");
  add_choice<Tessellation>(command, "--tessellation", o.sim.surface.tessellation, kTessellations,
                           "Faces of a contact surface");
  add_choice<Quadrature>(command, "--quadrature", o.sim.quadrature, kQuadratures, "Where a face pushes");
  add_choice<PressureRate>(command, "--pressure-rate", o.sim.pressure_rate, kPressureRates,
                           "Follow the pressure where the patch moves, or at points fixed in space");
  add_number<double>(
      command, "--max-face-size", [&o](double x) { o.sim.surface.max_face_size = x; },
      [](double x) { return x >= 0.0 && std::isfinite(x); }, "metres above 0, or 0 to leave faces whole",
      "Halve faces that are longer; default 0: leave them whole", "METRES");
  add_choice<Integrator>(command, "--integrator", o.integrator, kIntegrators,
                         "Steps, or the continuous model with error control (triangles, a reference)");
  add_error_control_options(command, o);
  add_choice<RigidRigid>(command, "--rigid-rigid", o.load.model.rigid_rigid, kRigidRigid,
                         "Contact of two rigid geoms: MuJoCo's points, a default modulus for one, or refuse");
  add_number<int>(
      command, "--threads", [&o](int x) { o.sim.threads = x; }, [](int x) { return x >= 1 && x <= 1024; },
      "a number from 1 to 1024; results do not depend on it", "Threads; default 1. Same results with any", "N");
}

void add_output_options(CLI::App& command, RunOptions& o) {
  CLI::Option* log =
      command.add_option("--log", o.log, "Write states, reports and patches to this file")->type_name("OUT.npz");
  add_number<int>(
      command, "--log-every", [&o](int x) { o.log_every = x; }, [](int x) { return x >= 1; },
      "1 to log every step, 10 for every tenth, …", "Log every Nth step; default 1", "N")
      ->needs(log);
  CLI::Option* record =
      command.add_option("--record", o.record, "Write a recording: .pfr for `patchfield view`, .html for any browser")
          ->type_name("OUT.pfr|html");
  add_number<double>(
      command, "--record-fps", [&o](double x) { o.record_fps = x; },
      [](double x) { return x > 0.0 && std::isfinite(x); }, "a number of frames above 0, such as 60",
      "Frames per simulated second; default 60", "N")
      ->needs(record);
  command.add_flag("--json", o.json, "Print the summary as one JSON object (keys: docs/cli.md)");
  command.add_flag("--quiet", o.quiet, "No progress bar and no text summary; warnings and errors stay");
}

}  // namespace

void add_model_options(CLI::App& command, RunOptions& o) {
  const auto add_package = [&o](const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw InputError(
          fmt::format("--package {}: give NAME=FOLDER, as in --package drake_models=/opt/drake_models", text));
    o.load.packages[text.substr(0, equals)] = text.substr(equals + 1);
  };
  command
      .add_option_function<std::vector<std::string>>(
          "--package",
          [add_package](const std::vector<std::string>& all) {
            for (const auto& x : all) add_package(x);
          },
          "Folder of package://NAME; may be given several times")
      ->type_name("NAME=FOLDER")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_flag("--fixed-base", o.load.fixed_base, "Weld the roots of SDF and URDF models to the world");
}

void add_run_options(CLI::App& command, RunOptions& options) {
  command
      .add_option("MODEL", options.model,
                  "Model (.xml, .mjcf, .sdf, .world, .urdf, .dmd.yaml), or scene:NAME with NAME one of " + scene_list())
      ->required()
      ->type_name("");
  add_duration_option(command, options);
  add_simulation_options(command, options);
  command
      .add_option("--sequence", options.sequence,
                  "Drive an arm and a gripper through the phases of this file (docs/sequences.md)")
      ->type_name("FILE.yaml");
  add_output_options(command, options);
}

void add_simulation_options(CLI::App& command, RunOptions& options) {
  add_model_options(command, options);
  add_start_options(command, options);
  add_method_options(command, options);
}

Model load_model(const RunOptions& options) {
  const std::string& name = options.model;
  if (name.starts_with(kScenePrefix)) {
    const std::string xml = scenes::by_name(name.substr(kScenePrefix.size()));
    if (xml.empty()) throw InputError(fmt::format("{}: no such scene; the scenes are {}", name, scene_list()));
    return Model::parse(xml, options.load.model);
  }
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(name, error);
  if (!std::filesystem::exists(status)) {
    if (!scenes::by_name(name).empty()) throw InputError(fmt::format("no file {0}. Did you mean scene:{0}?", name));
    throw InputError(fmt::format(
        "no file {}. Give the path of a model (.xml, .sdf, .urdf, .dmd.yaml), or scene:NAME with NAME one of {}", name,
        scene_list()));
  }
  if (std::filesystem::is_directory(status))
    throw InputError(fmt::format("{} is a folder. Give the model file in it", name));
  LoadOptions load = options.load;
  load.time_step = options.time_step;
  return patchfield::load_model(name, load);
}

int find_keyframe(const RunOptions& options, const mjModel* m) {
  // A scene's keyframe is the state it is made for: without it the spatula falls and the coin lies still.
  if (options.keyframe.empty()) return options.model.starts_with("scene:") && m->nkey > 0 ? 0 : -1;
  const int named = mj_name2id(m, mjOBJ_KEY, options.keyframe.c_str());
  if (named >= 0) return named;
  if (options.keyframe == "none") return -1;
  if (m->nkey == 0)
    throw InputError(fmt::format("--keyframe {}: the model has no keyframes. Leave the option out, or add a <keyframe>",
                                 options.keyframe));
  std::string list;
  for (int k = 0; k < m->nkey; ++k) {
    const char* name = mj_id2name(m, mjOBJ_KEY, k);
    const bool unnamed = name == nullptr || *name == '\0';
    list += fmt::format("{}{}{}", k > 0 ? ", " : "", k, unnamed ? "" : fmt::format(" ({})", name));
  }
  int key = -1;
  const char* end = options.keyframe.data() + options.keyframe.size();
  const auto [stop, error] = std::from_chars(options.keyframe.data(), end, key);
  if (error != std::errc() || stop != end || key < 0 || key >= m->nkey)
    throw InputError(fmt::format("--keyframe {}: the model has {}", options.keyframe, list));
  return key;
}

long num_steps(double duration, double time_step) {
  if (!(time_step > 0.0 && time_step <= kLargestStep))
    throw InputError(fmt::format("the model's own time step is {} s: give --time-step, up to {} s; 1e-3 is usual",
                                 time_step, kLargestStep));
  // A duration that is a multiple of the step up to rounding must not get one step more.
  const double steps = std::ceil(duration / time_step * (1.0 - 1e-12) - 1e-9);
  constexpr double kMost = 1e15;
  if (!(steps < kMost))
    throw InputError(
        fmt::format("{} s in steps of {} s are {:.1e} steps, which would never end: give a shorter "
                    "--duration or a longer --time-step",
                    duration, time_step, steps));
  return std::max(1L, static_cast<long>(steps));
}

}  // namespace patchfield::cli
