// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/tet_field.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/skirt.h"
#include "patchfield/geometry/surface_distance.h"

namespace patchfield {
namespace {

void require_vertex_pressures(const std::vector<double>& pressures, std::size_t num_vertices) {
  if (pressures.size() != num_vertices) {
    throw InputError(
        fmt::format("tetrahedral mesh: {} vertex pressures for {} vertices. Give one per vertex, in the order of "
                    "the vertices.",
                    pressures.size(), num_vertices));
  }
  for (std::size_t v = 0; v < pressures.size(); ++v) {
    if (std::isfinite(pressures[v])) continue;
    throw InputError(
        fmt::format("tetrahedral mesh: the pressure of vertex {} is {} Pa. Give finite pressures.", v, pressures[v]));
  }
  if (std::none_of(pressures.begin(), pressures.end(), [](double p) { return p > 0.0; })) {
    throw InputError(
        "tetrahedral mesh: no vertex pressure is above zero, so the body would never push back. Give inside "
        "vertices a positive pressure, or leave vertex pressures out to have them from the distance to the surface.");
  }
}

void require_foundation_depth(const Compliance& compliance) {
  if (!compliance.foundation_depth) return;
  const double depth = *compliance.foundation_depth;
  if (!(depth > 0.0 && std::isfinite(depth))) {
    throw InputError(
        fmt::format("tetrahedral mesh: foundation_depth = {} m. Give a finite depth above zero (where the pressure "
                    "reaches the modulus), or leave it out to have the largest depth of the mesh.",
                    depth));
  }
  if (!compliance.vertex_pressures.empty()) {
    throw InputError(
        "tetrahedral mesh: foundation_depth and vertex_pressures are both given, but the pressures already say "
        "how deep is how hard. Leave one of them out.");
  }
}

/// Some exporters give each tetrahedron four vertices of its own. Such a heap of single tetrahedra has hardly any
/// depth.
void require_welded(const TetMesh& mesh, const Boundary& surface) {
  if (mesh.tets.size() < 2 || surface.surface.triangles.size() < 4 * mesh.tets.size()) return;
  std::vector<std::array<double, 3>> sorted;
  for (const Vec3& v : mesh.vertices) sorted.push_back({v.x(), v.y(), v.z()});
  std::sort(sorted.begin(), sorted.end());
  const auto twin = std::adjacent_find(sorted.begin(), sorted.end());
  if (twin == sorted.end()) return;
  throw InputError(fmt::format(
      "tetrahedral mesh: no two of its {} tetrahedra share a triangle, but vertices coincide, e.g. at ({}, {}, {}). "
      "Weld the vertices (merge those at the same place) before exporting.",
      mesh.tets.size(), (*twin)[0], (*twin)[1], (*twin)[2]));
}

/// Tetrahedra that name a vertex twice have neither volume nor proper sides. Returns how many went.
int remove_collapsed(TetMesh& mesh) {
  return static_cast<int>(std::erase_if(mesh.tets, [](const std::array<int, 4>& t) {
    return t[0] == t[1] || t[0] == t[2] || t[0] == t[3] || t[1] == t[2] || t[1] == t[3] || t[2] == t[3];
  }));
}

/// Splits the tetrahedra without a vertex off zero at their centroids; returns how many. Degenerate ones have no
/// inside to be void, and stay.
int split_voids(const std::vector<char>& is_zero, TetMesh& mesh) {
  int num_split = 0;
  const int num_tets = static_cast<int>(mesh.tets.size());
  for (int t = 0; t < num_tets; ++t) {
    const auto [a, b, c, d] = mesh.tets[t];
    if (!(is_zero[a] && is_zero[b] && is_zero[c] && is_zero[d]) || orientation(mesh, t) == 0) continue;
    const auto& x = mesh.vertices;
    const int centre = static_cast<int>(x.size());
    mesh.vertices.push_back(0.25 * ((x[a] + x[b]) + (x[c] + x[d])));
    mesh.tets[t] = {a, b, c, centre};
    mesh.tets.insert(mesh.tets.end(), {{a, b, centre, d}, {a, centre, c, d}, {centre, b, c, d}});
    ++num_split;
  }
  return num_split;
}

/// Distance of each vertex to the surface; zero for those that no tetrahedron uses.
std::vector<double> distances_to(const Boundary& surface, const TetMesh& mesh) {
  std::vector<char> is_inside(mesh.vertices.size(), 0);
  for (const auto& tet : mesh.tets) {
    for (const int v : tet) is_inside[v] = 1;
  }
  for (const int v : surface.vertex) is_inside[v] = 0;

  const SurfaceDistance distance_to(surface.surface);
  std::vector<double> distance(mesh.vertices.size(), 0.0);
  for (std::size_t v = 0; v < distance.size(); ++v) {
    if (is_inside[v]) distance[v] = distance_to(mesh.vertices[v]);
  }
  return distance;
}

std::vector<char> marked(const std::vector<int>& vertices, std::size_t num_vertices) {
  std::vector<char> mark(num_vertices, 0);
  for (const int v : vertices) mark[v] = 1;
  return mark;
}

std::vector<char> zeros_of(const std::vector<double>& values) {
  std::vector<char> is_zero;
  for (const double value : values) is_zero.push_back(value == 0.0);
  return is_zero;
}

}  // namespace

TetField make_tet_field(const TetMesh& mesh, const Compliance& compliance) {
  const std::vector<double>& own_pressures = compliance.vertex_pressures;
  const bool has_own = !own_pressures.empty();
  validate(mesh);
  require_foundation_depth(compliance);
  if (has_own) require_vertex_pressures(own_pressures, mesh.vertices.size());

  TetField result;
  TetMesh& tets = result.field.mesh;
  tets = mesh;
  result.repairs.was_flipped = orient(tets);
  result.repairs.num_degenerate = remove_collapsed(tets);
  for (int t = 0; t < static_cast<int>(tets.tets.size()); ++t)
    result.repairs.num_degenerate += orientation(tets, t) == 0;

  // Splitting adds vertices inside only: the surface stays.
  const Boundary surface = boundary(tets);
  if (surface.surface.triangles.empty()) {
    throw InputError(
        fmt::format("tetrahedral mesh: its {} tetrahedra have no outer triangle, so there is no surface to "
                    "touch. Remove duplicate tetrahedra.",
                    mesh.tets.size()));
  }
  require_welded(tets, surface);
  result.repairs.num_split =
      split_voids(has_own ? zeros_of(own_pressures) : marked(surface.vertex, tets.vertices.size()), tets);
  const std::vector<double> distance = distances_to(surface, tets);
  double largest = *std::max_element(distance.begin(), distance.end());
  // Own pressures need no depth, only the slope of a margin does: a sphere has radius 3V/A.
  if (has_own && largest == 0.0) largest = 3.0 * volume(tets) / area(surface.surface);
  if (!(largest > 0.0)) {
    throw InputError(
        fmt::format("tetrahedral mesh: none of its {} vertices lies deeper than the surface and all of its "
                    "tetrahedra are flat, so there is no depth to make a pressure of. Give a mesh with volume.",
                    mesh.vertices.size()));
  }

  // p = slope·distance; own pressures are kept where there are any.
  result.foundation_depth = compliance.foundation_depth.value_or(largest);
  const double p_max = has_own ? *std::max_element(own_pressures.begin(), own_pressures.end()) : compliance.modulus;
  const double slope = p_max / result.foundation_depth;
  result.field.pressure = own_pressures;
  for (std::size_t v = own_pressures.size(); v < distance.size(); ++v)
    result.field.pressure.push_back(slope * distance[v]);

  if (compliance.margin > 0.0) {
    const SkirtReport skirt = add_skirt(compliance.margin, slope, result.field);
    result.repairs.num_skirt_shrunk = skirt.num_shrunk;
    result.repairs.num_skirt_dropped = skirt.num_dropped;
  }
  return result;
}

}  // namespace patchfield
