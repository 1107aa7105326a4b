// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// patchfield mesh: surface in, tetrahedra with a pressure field out, and how good they are.

#include <memory>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "option_values.h"
#include "patchfield/core/check.h"
#include "patchfield/geometry/mesh_quality.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/tet_field.h"
#include "patchfield/io/mesh_file.h"
#include "patchfield/io/tetrahedralize.h"

namespace patchfield::cli {
namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;

struct MeshOptions {
  std::string input, output, field = "distance";
  TetrahedralizeOptions mesher;
  double modulus = 1e7;
  bool binary = false, json = false;
};

struct MeshResult {
  SurfaceQuality surface;
  TetrahedralizeReport made;
  TetQuality tets;
  double volume_error;  ///< Relative to the surface's enclosed volume.
};

/// Nearest to what people call it: the pressures of the field that a simulation would use.
std::vector<double> pressures_of(const MeshOptions& options, TetMesh& mesh) {
  if (options.field == "none") return {};
  TetField made = make_tet_field(mesh, {.modulus = options.modulus});
  mesh = std::move(made.field.mesh);
  return std::move(made.field.pressure);
}

MeshResult make(const MeshOptions& options) {
  if (!options.output.ends_with(".vtk"))
    throw InputError(fmt::format("{}: the output is a legacy VTK file; give a name that ends in .vtk", options.output));
  const TriangleMesh surface = read_surface_mesh(options.input);
  MeshResult result{.surface = measure(surface), .made = {}, .tets = {}, .volume_error = 0.0};
  TetMesh mesh = tetrahedralize(surface, options.mesher, options.input, &result.made);
  const std::vector<double> pressures = pressures_of(options, mesh);
  result.tets = measure(mesh);
  result.volume_error = result.tets.volume / std::abs(result.surface.enclosed_volume) - 1.0;
  write_vtk(options.output, mesh, pressures, {.binary = options.binary});
  return result;
}

std::vector<std::string> warnings(const MeshResult& r) {
  std::vector<std::string> out;
  if (r.surface.num_open_edges > 0)
    out.push_back(
        fmt::format("the surface has {} open edges; holes were closed as well as can be", r.surface.num_open_edges));
  if (r.made.was_inside_out) out.push_back("the surface was inside out and has been turned");
  if (r.made.flat.num_refused > 0)
    out.push_back(fmt::format("{} vertices could not be put into the plane of their face", r.made.flat.num_refused));
  // Overlapping parts count twice in the enclosed volume, so that only a large error says something.
  if (std::abs(r.volume_error) > 0.05)
    out.push_back(
        "the volume differs by more than 5 %: the surface overlaps itself, is open, or the resolution is coarse");
  return out;
}

void print_json(const MeshOptions& options, const MeshResult& r) {
  const nlohmann::json json = {{"input", options.input},
                               {"output", options.output},
                               {"resolution", r.made.resolution},
                               {"tolerance", r.made.tolerance},
                               {"field", options.field},
                               {"surface",
                                {{"area", r.surface.area},
                                 {"enclosed_volume", r.surface.enclosed_volume},
                                 {"open_edges", r.surface.num_open_edges},
                                 {"was_inside_out", r.made.was_inside_out}}},
                               {"tetrahedra", r.tets.num_tets},
                               {"vertices", r.tets.num_vertices},
                               {"inner_vertices", r.tets.num_inner_vertices},
                               {"added_inner_vertices", r.made.num_added_inside},
                               {"voids", r.tets.num_voids},
                               {"flat_faces", r.made.flat.num_faces},
                               {"volume", r.tets.volume},
                               {"volume_error", r.volume_error},
                               {"worst_dihedral_angle_deg", kDegrees * r.tets.smallest_angle},
                               {"largest_dihedral_angle_deg", kDegrees * r.tets.largest_angle},
                               {"smallest_tetrahedron", r.tets.smallest_volume},
                               {"largest_tetrahedron", r.tets.largest_volume},
                               {"shortest_edge", r.tets.shortest_edge},
                               {"longest_edge", r.tets.longest_edge},
                               {"largest_depth", r.tets.largest_depth},
                               {"warnings", warnings(r)}};
  fmt::print("{}\n", json.dump(2));
}

void print_text(const MeshOptions& options, const MeshResult& r) {
  fmt::print("{} → {}\n", options.input, options.output);
  fmt::print("  tetrahedra         {}, with {} vertices\n", r.tets.num_tets, r.tets.num_vertices);
  fmt::print("  inner vertices     {}, {} of them added for thin parts\n", r.tets.num_inner_vertices,
             r.made.num_added_inside);
  fmt::print("  resolution         {:.3g} mm, tolerance {:.3g} mm\n", 1e3 * r.made.resolution, 1e3 * r.made.tolerance);
  fmt::print("  edges              {:.3g} to {:.3g} mm\n", 1e3 * r.tets.shortest_edge, 1e3 * r.tets.longest_edge);
  fmt::print("  volume             {:.6g} cm³, {:+.3f} % of the surface's\n", 1e6 * r.tets.volume,
             100 * r.volume_error);
  fmt::print("  worst dihedral     {:.2f}° (largest {:.2f}°)\n", kDegrees * r.tets.smallest_angle,
             kDegrees * r.tets.largest_angle);
  fmt::print("  tetrahedron        {:.3g} mm³ smallest, {:.3g} mm³ largest\n", 1e9 * r.tets.smallest_volume,
             1e9 * r.tets.largest_volume);
  fmt::print("  deepest vertex     {:.4g} mm\n", 1e3 * r.tets.largest_depth);
  fmt::print("  flat faces         {}, kept flat\n", r.made.flat.num_faces);
}

void run(const MeshOptions& options) {
  if (options.field != "distance" && options.field != "none")
    throw InputError(fmt::format("--field {}: unknown; choose distance or none", options.field));
  const MeshResult result = make(options);
  for (const std::string& warning : warnings(result)) fmt::print(stderr, "patchfield: warning: {}\n", warning);
  if (options.json) print_json(options, result);
  else print_text(options, result);
}

}  // namespace

void add_mesh_command(CLI::App& app) {
  auto o = std::make_shared<MeshOptions>();
  CLI::App* command = app.add_subcommand("mesh", "Fill a surface with tetrahedra and a pressure field");
  command->add_option("INPUT", o->input, "Surface (.obj, .stl, .gltf, .glb, .dae)")->required()->type_name("");
  command->add_option("OUTPUT", o->output, "Tetrahedra (legacy .vtk)")->required()->type_name("");
  const auto length = [command](const std::string& name, std::optional<double>& value, const std::string& help) {
    command
        ->add_option_function<std::string>(
            name, [name, &value](const std::string& text) { value = parse_quantity(name, text, Quantity::kLength); },
            help)
        ->type_name("LENGTH");
  };
  length("--resolution", o->mesher.resolution, "Target edge length, as in 5mm; default a tenth of the diagonal");
  length("--tolerance", o->mesher.tolerance,
         "Distance between old and new surface; default a thousandth of the diagonal");
  command
      ->add_option("--field", o->field, "Pressures in POINT_DATA: modulus·distance/largest distance; default distance")
      ->type_name("distance|none");
  command
      ->add_option_function<std::string>(
          "--modulus",
          [o](const std::string& text) { o->modulus = parse_quantity("--modulus", text, Quantity::kPressure); },
          "Pressure of the deepest vertex; default 1e7")
      ->type_name("PRESSURE");
  command->add_flag("--binary", o->binary, "Write BINARY instead of ASCII");
  command->add_flag("--json", o->json, "Print JSON");
  command->callback([o] { run(*o); });
}

}  // namespace patchfield::cli
