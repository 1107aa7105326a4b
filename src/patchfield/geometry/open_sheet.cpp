// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/open_sheet.h"

#include <algorithm>
#include <map>
#include <utility>

#include "patchfield/geometry/element_tree.h"
#include "patchfield/geometry/mesh_tools.h"

namespace patchfield {
namespace {

using Edge = std::pair<int, int>;  ///< Smaller vertex first.

Edge edge_of(const std::array<int, 3>& t, int i) {
  const int a = t[static_cast<std::size_t>(i)], b = t[static_cast<std::size_t>((i + 1) % 3)];
  return {std::min(a, b), std::max(a, b)};
}

std::map<Edge, int> count_edges(const TriangleMesh& mesh) {
  std::map<Edge, int> count;
  for (const auto& t : mesh.triangles)
    for (int i = 0; i < 3; ++i) ++count[edge_of(t, i)];
  return count;
}

/// A triangle without area is left out of the tree, and so are twins and rims of it.
bool has_area(const TriangleMesh& mesh, const std::array<int, 3>& t) {
  const Vec3 &a = mesh.vertices[static_cast<std::size_t>(t[0])], &b = mesh.vertices[static_cast<std::size_t>(t[1])],
             &c = mesh.vertices[static_cast<std::size_t>(t[2])];
  const double longest2 = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
  return (b - a).cross(c - a).norm() > kMinRelativeHeight * longest2;
}

/// Two triangles across the open edge from a to b of a triangle with unit normal n.
void add_rim(const Vec3& a, const Vec3& b, const Vec3& n, double half_width, TriangleMesh& out) {
  const int first = static_cast<int>(out.vertices.size());
  for (const Vec3& v :
       {Vec3(a + half_width * n), Vec3(a - half_width * n), Vec3(b - half_width * n), Vec3(b + half_width * n)})
    out.vertices.push_back(v);
  out.triangles.push_back({first, first + 1, first + 2});
  out.triangles.push_back({first, first + 2, first + 3});
}

}  // namespace

bool is_open(const TriangleMesh& mesh) {
  const std::map<Edge, int> count = count_edges(mesh);
  return std::any_of(count.begin(), count.end(), [](const auto& edge) { return edge.second == 1; });
}

TriangleMesh two_sided(const TriangleMesh& mesh) {
  const std::map<Edge, int> count = count_edges(mesh);
  TriangleMesh out = mesh;
  for (const auto& t : mesh.triangles)
    if (has_area(mesh, t)) out.triangles.push_back({t[0], t[2], t[1]});
  const double half_width = 0.5 * kRimWidth * diagonal(mesh);
  for (const auto& t : mesh.triangles) {
    if (!has_area(mesh, t)) continue;
    const Vec3 &a = mesh.vertices[static_cast<std::size_t>(t[0])], &b = mesh.vertices[static_cast<std::size_t>(t[1])],
               &c = mesh.vertices[static_cast<std::size_t>(t[2])];
    const Vec3 n = (b - a).cross(c - a).normalized();
    for (int i = 0; i < 3; ++i)
      if (count.at(edge_of(t, i)) == 1)
        add_rim(mesh.vertices[static_cast<std::size_t>(t[static_cast<std::size_t>(i)])],
                mesh.vertices[static_cast<std::size_t>(t[static_cast<std::size_t>((i + 1) % 3)])], n, half_width, out);
  }
  return out;
}

}  // namespace patchfield
