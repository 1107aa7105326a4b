// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Times whole steps of scenes described in JSON: our half of bench/peers/steps.py, whose header defines the
// input and the output.
//
//   echo '[{"scene": "stack", "solver": "sap"}]' | build/release/bench/steps/step_scenes

#include <exception>
#include <iostream>

#include <nlohmann/json.hpp>

#include "bench/steps/step_timing.h"
#include "patchfield/core/check.h"
#include "scenes/scenes.h"

namespace patchfield::bench {
namespace {

using Json = nlohmann::json;

/// The value with this name; an error that lists the names otherwise.
template <class T>
T choose(const Json& job, const char* key, T standard, std::initializer_list<std::pair<const char*, T>> choices) {
  if (!job.contains(key)) return standard;
  const auto name = job.at(key).get<std::string>();
  std::string known;
  for (const auto& [text, value] : choices) {
    if (name == text) return value;
    known += std::string(known.empty() ? "" : ", ") + text;
  }
  throw InputError(std::string(key) + " '" + name + "' is unknown; use " + known);
}

SimOptions read_options(const Json& job) {
  SimOptions options;
  options.solver.kind =
      choose(job, "solver", SolverKind::kLagged,
             {{"tamsi", SolverKind::kTamsi}, {"sap", SolverKind::kSap}, {"lagged", SolverKind::kLagged}});
  options.surface.tessellation = choose(job, "tessellation", Tessellation::kPolygon,
                                        {{"polygon", Tessellation::kPolygon}, {"triangle", Tessellation::kTriangle}});
  options.quadrature = choose(job, "quadrature", Quadrature::kAutomatic,
                              {{"automatic", Quadrature::kAutomatic},
                               {"centroid", Quadrature::kCentroid},
                               {"pressure_center", Quadrature::kPressureCenter},
                               {"moments", Quadrature::kMoments}});
  options.solver.stiction_speed = job.value("stiction_speed", options.solver.stiction_speed);
  options.threads = job.value("threads", 1);
  return options;
}

Model read_model(const Json& job) {
  if (job.contains("mjcf")) return Model::parse(job.at("mjcf").get<std::string>());
  const auto name = job.at("scene").get<std::string>();
  const std::string text = scenes::by_name(name);
  if (text.empty()) throw InputError("scene '" + name + "' is unknown; see scenes/scenes.h");
  return Model::parse(text);
}

Json stages(const StageTimes& t) {
  return {{"dynamics", t.dynamics},
          {"geometry", t.geometry},
          {"assembly", t.assembly},
          {"solver", t.solver},
          {"output", t.output}};
}

Json run_job(const Json& job) {
  Data data(read_model(job), read_options(job));
  const auto controls = job.value("ctrl", std::vector<double>{});
  if (controls.size() > static_cast<std::size_t>(data.m()->nu)) throw InputError("ctrl has more values than the model");
  std::copy(controls.begin(), controls.end(), data.d()->ctrl);

  const double dt = job.value("dt", 2e-3);
  settle(data, dt, job.value("settle_s", 2.0));
  const Timing t = time_steps(data, dt, job.value("min_time_s", 0.1));
  const Vec3 force = force_on(data, job.value("force_on", std::vector<std::string>{}));
  return {{"us", t.us},
          {"stages_us", stages(t.stages_us)},
          {"steps", t.steps},
          {"iterations", t.iterations},
          {"line_search", t.line_search},
          {"unconverged", t.unconverged},
          {"faces", t.last.faces},
          {"points", t.last.points},
          {"patches", t.last.patches},
          {"force", {force.x(), force.y(), force.z()}},
          {"max_speed", max_speed(data)},
          {"qpos", std::vector<double>(data.d()->qpos, data.d()->qpos + data.m()->nq)}};
}

}  // namespace
}  // namespace patchfield::bench

int main() {
  try {
    nlohmann::json results = nlohmann::json::array();
    for (const auto& job : nlohmann::json::parse(std::cin)) results.push_back(patchfield::bench::run_job(job));
    std::cout << results.dump() << "\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "step_scenes: " << error.what() << "\n";
    return 1;
  }
}
