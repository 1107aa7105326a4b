// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Times contact-surface queries described in JSON: our half of bench/peers/geometry.py,
// whose header defines the input and the output.
//
//   echo '[{"a": …, "X_WA": …, "b": …, "X_WB": […]}]' | build/release/bench/kernels/geometry_pairs

#include <ctime>
#include <exception>
#include <iostream>
#include <vector>

#include <nlohmann/json.hpp>

#include "patchfield/core/check.h"
#include "patchfield/geometry/query.h"

namespace patchfield {
namespace {

using Json = nlohmann::json;

Pose read_pose(const Json& json) {
  const auto m = json.get<std::vector<double>>();
  if (m.size() != 16) throw InputError("a pose has 16 numbers, row by row");
  Pose X;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) X.R(r, c) = m[4 * r + c];
    X.p[r] = m[4 * r + 3];
  }
  return X;
}

Shape read_shape(const Json& json) {
  const auto kind = json.at("shape").get<std::string>();
  if (kind == "sphere") return Sphere{json.at("radius")};
  if (kind == "half_space") return HalfSpace{};
  if (kind == "box") {
    const auto size = json.at("size").get<std::array<double, 3>>();
    return Box{size[0], size[1], size[2]};
  }
  if (kind == "tet_mesh") {
    TetMesh mesh;
    for (const auto& v : json.at("vertices")) mesh.vertices.emplace_back(v[0], v[1], v[2]);
    for (const auto& t : json.at("tets")) mesh.tets.push_back(t.get<std::array<int, 4>>());
    return mesh;
  }
  throw InputError("unknown shape '" + kind + "'; use sphere, box, half_space or tet_mesh");
}

Geometry read_geometry(const Json& json) {
  const double resolution = json.value("resolution", 0.02);
  if (!json.at("compliant").get<bool>()) return Geometry::rigid(read_shape(json), resolution);
  Compliance compliance;
  compliance.modulus = json.at("modulus");
  compliance.resolution = resolution;
  return Geometry::compliant(read_shape(json), compliance);
}

double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

Json run_job(const Json& job) {
  const Geometry A = read_geometry(job.at("a")), B = read_geometry(job.at("b"));
  const Pose X_WA = read_pose(job.at("X_WA"));
  std::vector<Pose> X_WB;
  for (const auto& pose : job.at("X_WB")) X_WB.push_back(read_pose(pose));
  if (X_WB.empty()) throw InputError("X_WB needs at least one pose");

  SurfaceScratch scratch;
  ContactSurface surface;
  for (auto X = X_WB.rbegin(); X != X_WB.rend(); ++X)  // warm, and end with the first pose
    compute_contact_surface(A, X_WA, B, *X, {}, scratch, surface);
  const Json result = {{"faces", surface.num_faces()},
                       {"vertices", surface.num_vertices()},
                       {"area", surface.total_area()},
                       {"force", surface.force_on_B_W().norm()}};

  const double min_time = job.value("min_time_s", 0.1);
  double elapsed = 0.0;
  long queries = 0;
  while (elapsed < min_time) {
    const double start = cpu_seconds();
    for (const Pose& X : X_WB) compute_contact_surface(A, X_WA, B, X, {}, scratch, surface);
    elapsed += cpu_seconds() - start;
    queries += static_cast<long>(X_WB.size());
  }
  Json timed = result;
  timed["us"] = queries > 0 ? 1e6 * elapsed / static_cast<double>(queries) : 0.0;
  return timed;
}

}  // namespace
}  // namespace patchfield

int main() {
  try {
    nlohmann::json results = nlohmann::json::array();
    for (const auto& job : nlohmann::json::parse(std::cin)) results.push_back(patchfield::run_job(job));
    std::cout << results.dump() << "\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "geometry_pairs: " << error.what() << "\n";
    return 1;
  }
}
