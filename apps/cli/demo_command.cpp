// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// patchfield demo: one contact surface, in numbers and as a picture.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "draw_surface.h"
#include "patchfield/core/check.h"
#include "patchfield/geometry/query.h"

namespace patchfield::cli {
namespace {

struct DemoOptions {
  std::string out = "out";
  bool triangles = false;
  bool json = false;
};

/// Microseconds of a warm query.
double time_query(const Geometry& A, const Geometry& B, const Pose& X_WB, const SurfaceOptions& options,
                  ContactSurface& surface) {
  SurfaceScratch scratch;
  compute_contact_surface(A, {}, B, X_WB, options, scratch, surface);
  constexpr int kQueries = 200;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kQueries; ++i) compute_contact_surface(A, {}, B, X_WB, options, scratch, surface);
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / kQueries;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw InputError(fmt::format("cannot write {}. Is the folder writable?", path.string()));
}

void run(const DemoOptions& demo) {
  // A soft ball pressed 12 mm deep into the edge region of a stiffer, tilted box.
  const Geometry ball = Geometry::compliant(Sphere{0.05}, {.modulus = 1e5, .resolution = 0.008});
  const Geometry box = Geometry::compliant(Box{0.16, 0.12, 0.05}, {.modulus = 4e5});
  Pose X_WB = Pose::translation(0.015, 0.0, -0.061);
  X_WB.R = Eigen::AngleAxisd(0.15, Vec3(1, 0.4, 0.2).normalized()).toRotationMatrix();
  SurfaceOptions options;
  if (demo.triangles) options.tessellation = Tessellation::kTriangle;

  ContactSurface s;
  const double us = time_query(ball, box, X_WB, options, s);
  const Vec3 force = s.force_on_B_W(), cop = s.center_of_pressure_W();
  double peak = 0.0;
  for (const double p : s.vertex_pressure) peak = std::max(peak, p);

  const std::filesystem::path picture = std::filesystem::path(demo.out) / "surface.svg";
  write_file(picture, draw_surface(s, ball, {}, box, X_WB,
                                   fmt::format("Soft ball on a tilted box: {} faces, {:.2f} cm², {:.1f} N",
                                               s.num_faces(), 1e4 * s.total_area(), force.norm())));
  if (demo.json) {
    const nlohmann::json json = {{"faces", s.num_faces()},
                                 {"dropped", s.dropped.total()},
                                 {"area", s.total_area()},
                                 {"force_on_B", {force.x(), force.y(), force.z()}},
                                 {"center_of_pressure", {cop.x(), cop.y(), cop.z()}},
                                 {"peak_pressure", peak},
                                 {"us_per_query", us},
                                 {"picture", picture.string()}};
    fmt::print("{}\n", json.dump(2));
    return;
  }
  fmt::print("Contact surface of a soft ball (r 50 mm, 100 kPa) and a tilted box (400 kPa)\n");
  fmt::print("  tetrahedra          {} and {}\n", ball.tree().num_elements, box.tree().num_elements);
  fmt::print("  faces               {} ({} dropped: {} softening, {} too small)\n", s.num_faces(), s.dropped.total(),
             s.dropped.softening, s.dropped.too_small);
  fmt::print("  area                {:.3f} cm²\n", 1e4 * s.total_area());
  fmt::print("  force on the box    ({:.3f}, {:.3f}, {:.3f}) N\n", force.x(), force.y(), force.z());
  fmt::print("  centre of pressure  ({:.2f}, {:.2f}, {:.2f}) mm\n", 1e3 * cop.x(), 1e3 * cop.y(), 1e3 * cop.z());
  fmt::print("  peak pressure       {:.2f} kPa\n", 1e-3 * peak);
  fmt::print("  time                {:.1f} µs per query, {:.0f} ns per face\n", us, 1e3 * us / s.num_faces());
  fmt::print("Picture: {} (open it in a browser)\n", picture.string());
}

}  // namespace

void add_demo_command(CLI::App& app) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* command = app.add_subcommand("demo", "Compute the contact surface of two shapes, print it and draw it");
  command->add_option("--out", options->out, "Folder for the picture")->capture_default_str();
  command->add_flag("--triangles", options->triangles, "Triangle tessellation instead of polygons");
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options] { run(*options); });
}

}  // namespace patchfield::cli
