// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// patchfield inspect: what did my model become, and how deep will things sink?

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "inspection.h"
#include "mujoco_messages.h"
#include "option_values.h"
#include "patchfield/io/mesh_file.h"
#include "run_options.h"
#include "text_table.h"

namespace patchfield::cli {
namespace {

using nlohmann::json;

struct CommandOptions {
  RunOptions run;  ///< Its model is the file.
  InspectOptions inspect;
  TetrahedralizeOptions mesher;
  bool all_pairs = false, json = false;
};

json to_json(const std::optional<double>& value) { return value ? json(*value) : json(nullptr); }

json to_json(const LoadAnswers& loads, const InspectOptions& options) {
  return {{"weight", to_json(loads.weight)},
          {"penetration_by_weight", to_json(loads.depth_by_weight)},
          {"press", options.load},
          {"penetration_by_press", to_json(loads.depth_by_press)},
          {"allowed_penetration", to_json(options.allowed_depth)},
          {"suggested_modulus", to_json(loads.suggested_modulus)}};
}

json to_json(const MotionAnswers& motion, const InspectOptions& options) {
  const auto finite = [](double x) { return std::isfinite(x) ? json(x) : json(nullptr); };  // no dissipation: no end
  json coast = nullptr;
  if (motion.coast)
    coast = {{"speed", kRollingSpeed},
             {"half_time", finite(motion.coast->half_time)},
             {"distance", finite(motion.coast->distance)}};
  json rebound = nullptr;
  if (motion.restitution)
    rebound = {{"drop", options.drop}, {"restitution", *motion.restitution}, {"height", *motion.rebound}};
  return {{"rebound", rebound}, {"coast_down", coast}};
}

json to_json(const MeshRepairs& repairs) {
  return {{"flipped", repairs.was_flipped},
          {"split", repairs.num_split},
          {"degenerate", repairs.num_degenerate},
          {"skirt_shrunk", repairs.num_skirt_shrunk},
          {"skirt_dropped", repairs.num_skirt_dropped}};
}

/// "12 split, 3 of the skirt dropped"; empty if there is nothing to say.
std::string repairs_text(const MeshRepairs& repairs) {
  std::string text;
  const auto add = [&](int count, const char* what) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  };
  if (repairs.was_flipped) text = "all tetrahedra were negative and have been re-oriented";
  add(repairs.num_split, "tetrahedra without an inside vertex split");
  add(repairs.num_degenerate, "elements without volume or area left out");
  add(repairs.num_skirt_shrunk, "vertices with less than the full margin");
  add(repairs.num_skirt_dropped, "inverted tetrahedra of the margin left out");
  return text;
}

double suggested_dissipation(const InspectOptions& options) {
  return dissipation_for(*options.restitution, std::sqrt(2.0 * kStandardGravity * options.drop));
}

// Models --------------------------------------------------------------------------------------

json model_json(const ModelInspection& found, const std::vector<std::string>& warnings, const CommandOptions& options) {
  json geoms = json::array(), pairs = json::array();
  for (const GeomRow& row : found.geoms)
    geoms.push_back({{"name", row.name},
                     {"body", row.body},
                     {"read", row.read},
                     {"became", row.became},
                     {"compliant", row.compliant},
                     {"tetrahedra", row.num_tets},
                     {"triangles", row.num_triangles},
                     {"resolution", to_json(row.resolution)},
                     {"foundation_depth", to_json(row.depth)},
                     {"modulus", to_json(row.modulus)},
                     {"mu", row.mu},
                     {"hunt_crossley", row.hunt_crossley},
                     {"hunt_crossley_is_default", row.has_default_dissipation},
                     {"relaxation_time", row.relaxation_time},
                     {"margin", row.margin},
                     {"resolved_speed", to_json(row.resolved_speed)},
                     {"patch_pairs", row.num_patches},
                     {"point_pairs", row.num_points},
                     {"loads", to_json(row.loads, options.inspect)},
                     {"motion", to_json(row.motion, options.inspect)},
                     {"mesh_repairs", to_json(row.repairs)}});
  for (const PairRow& row : found.pairs) pairs.push_back({{"A", row.A}, {"B", row.B}, {"kind", row.kind}});
  json out = {{"model", options.run.model},
              {"geoms", geoms},
              {"visual_geoms", found.num_visual},
              {"pairs", pairs},
              {"warnings", warnings}};
  if (options.inspect.restitution) out["suggested_hunt_crossley"] = suggested_dissipation(options.inspect);
  return out;
}

std::string rebound_text(const MotionAnswers& motion) {
  if (!motion.restitution) return "-";
  return fmt::format("{} ({:.2g})", length_text(motion.rebound), *motion.restitution);
}

std::string coast_text(const MotionAnswers& motion) {
  if (!motion.coast) return "-";
  return std::isfinite(motion.coast->distance) ? fmt::format("{:.3g} m", motion.coast->distance) : "no end";
}

/// What the defaults and the options ask to be said below the table.
void print_notes(const ModelInspection& found, const InspectOptions& options) {
  const auto defaults = std::count_if(found.geoms.begin(), found.geoms.end(), [](const GeomRow& row) {
    return row.compliant && row.has_default_dissipation && row.motion.restitution;
  });
  if (defaults > 0)
    fmt::print(
        "{} geom{} without hunt_crossley {} {:g} s/m, Drake's default: no bounce, and rolling ends soon "
        "(docs/materials.md has values)\n\n",
        defaults, defaults == 1 ? "" : "s", defaults == 1 ? "has" : "have", SurfaceMaterial{}.hunt_crossley);
  if (options.restitution)
    fmt::print("hunt_crossley={:.3g} gives {:g} of the speed back after a drop of {}\n\n",
               suggested_dissipation(options), *options.restitution, length_text(options.drop));
  for (const GeomRow& row : found.geoms)
    if (row.repairs.total() > 0) fmt::print("mesh of geom \"{}\": {}\n\n", row.name, repairs_text(row.repairs));
}

std::string geom_table(const ModelInspection& found, const CommandOptions& options) {
  const std::string press = fmt::format("{:g} N", options.inspect.load);
  std::vector<std::vector<std::string>> rows{{"geom", "body", "read", "became", "edge", "depth", "modulus", "mu",
                                              "d [s/m]", "tau [s]", "margin", "resolves", "weight", "sinks",
                                              "under " + press, "rebound", "rolls"}};
  if (options.inspect.allowed_depth) rows[0].push_back("modulus for " + length_text(options.inspect.allowed_depth));
  for (const GeomRow& row : found.geoms) {
    rows.push_back({row.name, row.body, row.read, row.became, length_text(row.resolution), length_text(row.depth),
                    row.compliant ? pressure_text(row.modulus) : "rigid", fmt::format("{:.3g}", row.mu),
                    row.compliant ? fmt::format("{:.3g}", row.hunt_crossley) : "-",
                    fmt::format("{:.3g}", row.relaxation_time), row.compliant ? length_text(row.margin) : "-",
                    row.resolved_speed ? fmt::format("{:.2g} m/s", *row.resolved_speed) : "-",
                    row.loads.weight ? fmt::format("{:.3g} N", *row.loads.weight) : "-",
                    length_text(row.loads.depth_by_weight), length_text(row.loads.depth_by_press),
                    rebound_text(row.motion), coast_text(row.motion)});
    if (options.inspect.allowed_depth) rows.back().push_back(pressure_text(row.loads.suggested_modulus));
  }
  return format_table(rows);
}

void print_pairs(const ModelInspection& found, bool all) {
  constexpr std::size_t kMost = 20;
  const auto count = [&](const char* kind) {
    return std::count_if(found.pairs.begin(), found.pairs.end(), [&](const PairRow& p) { return p.kind == kind; });
  };
  fmt::print("pairs: {} compliant on compliant, {} compliant on rigid, {} by points\n", count("compliant"),
             count("rigid"), count("point"));
  std::vector<std::vector<std::string>> rows;
  for (const PairRow& pair : found.pairs) {
    if (!all && rows.size() == kMost) break;
    rows.push_back({pair.A, pair.B,
                    pair.kind == "rigid"   ? "patch, one side rigid"
                    : pair.kind == "point" ? "point"
                                           : "patch, both compliant"});
  }
  if (!rows.empty()) fmt::print("{}", format_table(rows));
  if (rows.size() < found.pairs.size())
    fmt::print("  … and {} more; --pairs lists all\n", found.pairs.size() - rows.size());
}

/// The numbers of the table that deserve a sentence.
std::vector<std::string> remarks(const ModelInspection& found) {
  std::vector<std::string> out;
  for (const GeomRow& row : found.geoms) {
    const LoadAnswers& loads = row.loads;
    if (loads.weight && !loads.depth_by_weight)
      out.push_back(fmt::format("geom \"{}\" cannot carry its {:.3g} N: it would sink through. Raise its modulus",
                                row.name, *loads.weight));
    else if (loads.depth_by_weight && row.depth && *loads.depth_by_weight > 0.2 * *row.depth)
      out.push_back(fmt::format("geom \"{}\" sinks {} of its depth of {} by its own weight. Raise its modulus",
                                row.name, length_text(loads.depth_by_weight), length_text(row.depth)));
  }
  return out;
}

void run_model(const CommandOptions& options) {
  catch_mujoco_messages();
  const Model model = load_model(options.run);
  const ModelInspection found = inspect(model, options.inspect);
  std::vector<std::string> warnings = model.warnings();
  for (std::string& warning : take_mujoco_warnings()) warnings.push_back(std::move(warning));
  for (std::string& remark : remarks(found)) warnings.push_back(std::move(remark));
  if (options.json) {
    fmt::print("{}\n", model_json(found, warnings, options).dump(2));
    return;
  }
  fmt::print("{}: {} geoms that may touch, {} that may not\n\n{}\n", options.run.model, found.geoms.size(),
             found.num_visual, geom_table(found, options));
  fmt::print(
      "edge: of the mesh · depth: where the pressure is highest · modulus: that pressure · sinks: under its own "
      "weight, onto a rigid plane, as it lies · rebound: height (share of the speed) after a drop of {} onto it · "
      "rolls: from {:g} m/s\n\n",
      length_text(options.inspect.drop), kRollingSpeed);
  print_notes(found, options.inspect);
  print_pairs(found, options.all_pairs);
  fmt::print("\n{}\n", warnings.empty()
                           ? "no warnings"
                           : fmt::format("{} warning{}", warnings.size(), warnings.size() == 1 ? "" : "s"));
  for (const std::string& warning : warnings) fmt::print("  {}\n", warning);
}

// Meshes --------------------------------------------------------------------------------------

json mesh_json(const MeshInspection& found, const CommandOptions& options) {
  json out = {{"mesh", options.run.model},
              {"kind", found.is_volume ? "volume" : "surface"},
              {"vertices", found.num_vertices},
              {"surface_triangles", found.num_triangles},
              {"lower", {found.lower.x(), found.lower.y(), found.lower.z()}},
              {"upper", {found.upper.x(), found.upper.y(), found.upper.z()}},
              {"area", found.surface.area},
              {"enclosed_volume", found.surface.enclosed_volume},
              {"open_edges", found.surface.num_open_edges},
              {"works_rigid", found.rigid_verdict == "yes"},
              {"rigid", found.rigid_verdict},
              {"works_compliant", found.works_compliant},
              {"compliant", found.compliant_verdict},
              {"pressures", found.pressure_name.empty() ? json(nullptr) : json(found.pressure_name)},
              {"warnings", found.warnings}};
  if (found.works_compliant) {
    out["tetrahedra"] = found.tets.num_tets;
    out["inner_vertices"] = found.tets.num_inner_vertices;
    out["volume"] = found.tets.volume;
    out["worst_dihedral_angle_deg"] = found.tets.smallest_angle * 180.0 / std::numbers::pi;
    out["foundation_depth"] = found.tets.largest_depth;
    out["modulus"] = to_json(found.modulus);
    out["loads"] = to_json(found.loads, options.inspect);
    out["mesh_repairs"] = to_json(found.repairs);
  }
  return out;
}

void print_mesh(const MeshInspection& found, const CommandOptions& options) {
  const Vec3 size = found.upper - found.lower;
  fmt::print("{}: {} vertices, {} triangles{}\n", options.run.model, found.num_vertices, found.num_triangles,
             found.is_volume ? " around its tetrahedra" : "");
  fmt::print("  size            {} × {} × {}\n", length_text(size.x()), length_text(size.y()), length_text(size.z()));
  fmt::print("  surface         {:.4g} cm², {}; encloses {:.4g} cm³\n", 1e4 * found.surface.area,
             found.surface.is_closed() ? "closed" : "open", 1e6 * found.surface.enclosed_volume);
  fmt::print("  rigid           {}\n", found.rigid_verdict);
  fmt::print("  compliant       {}\n", found.compliant_verdict);
  if (found.works_compliant) {
    fmt::print("  tetrahedra      {}, {} vertices inside, worst dihedral {:.1f}°, {:.4g} cm³\n", found.tets.num_tets,
               found.tets.num_inner_vertices, found.tets.smallest_angle * 180.0 / std::numbers::pi,
               1e6 * found.tets.volume);
    fmt::print("  depth           {}\n", length_text(found.tets.largest_depth));
    fmt::print("  pressures       {}\n",
               found.pressure_name.empty()
                   ? fmt::format("by distance, {} at the deepest vertex", pressure_text(found.modulus))
                   : fmt::format("its own ({}), up to {}", found.pressure_name, pressure_text(found.modulus)));
    fmt::print("  under {:g} N{} sinks {} onto a rigid plane, as it lies\n", options.inspect.load,
               std::string(options.inspect.load < 9.5 ? 6 : 5, ' '), length_text(found.loads.depth_by_press));
    if (found.repairs.total() > 0) fmt::print("  repairs         {}\n", repairs_text(found.repairs));
    if (options.inspect.allowed_depth)
      fmt::print("  modulus         {} lets {:g} N press it {} deep\n", pressure_text(found.loads.suggested_modulus),
                 options.inspect.load, length_text(options.inspect.allowed_depth));
  }
  for (const std::string& warning : found.warnings) fmt::print("  warning         {}\n", warning);
}

void run(const CommandOptions& options) {
  if (!is_mesh_file(options.run.model)) return run_model(options);
  const MeshInspection found = inspect_mesh(options.run.model, options.mesher, options.inspect);
  if (options.json) fmt::print("{}\n", mesh_json(found, options).dump(2));
  else print_mesh(found, options);
}

}  // namespace

void add_inspect_command(CLI::App& app) {
  auto o = std::make_shared<CommandOptions>();
  CLI::App* command = app.add_subcommand("inspect", "Show what a model or a mesh becomes, and how deep things sink");
  command->add_option("FILE", o->run.model, "A model as for patchfield run, or a mesh (.obj .stl .gltf .glb .dae .vtk)")
      ->required()
      ->type_name("");
  const auto quantity = [command](const std::string& name, Quantity kind, const auto& store, const std::string& help,
                                  const char* unit) {
    return command
        ->add_option_function<std::string>(
            name, [name, kind, store](const std::string& text) { store(parse_quantity(name, text, kind)); }, help)
        ->type_name(unit);
  };
  quantity(
      "--load", Quantity::kForce, [o](double x) { o->inspect.load = x; }, "Press with this force; default 10N",
      "FORCE");
  quantity(
      "--suggest-modulus", Quantity::kLength, [o](double x) { o->inspect.allowed_depth = x; },
      "Say which modulus lets the load press this deep, as in 0.5mm", "LENGTH");
  quantity(
      "--resolution", Quantity::kLength, [o](double x) { o->mesher.resolution = x; },
      "Edge length for a mesh file; default a tenth of its diagonal", "LENGTH");
  quantity(
      "--drop", Quantity::kLength, [o](double x) { o->inspect.drop = x; }, "Height for the rebound; default 10cm",
      "LENGTH");
  command
      ->add_option("--suggest-dissipation", o->inspect.restitution,
                   "Say which hunt_crossley gives this share of the speed back after the drop, as in 0.75")
      ->check(CLI::Range(1e-6, 1.0))
      ->type_name("SHARE");
  add_model_options(*command, o->run);
  command->add_flag("--pairs", o->all_pairs, "List all pairs, however many");
  command->add_flag("--json", o->json, "Print JSON (keys: docs/inspect.md)");
  command->callback([o] { run(*o); });
}

}  // namespace patchfield::cli
