// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/inner_vertices.h"

#include <algorithm>
#include <set>
#include <span>

#include "patchfield/geometry/mesh_tools.h"

namespace patchfield {
namespace {

using Edge = std::array<int, 2>;      // rising
using Triangle = std::array<int, 3>;  // rising

Edge make_edge(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

Triangle make_triangle(int a, int b, int c) {
  Triangle t{a, b, c};
  std::sort(t.begin(), t.end());
  return t;
}

/// A mesh whose edges, triangles and tetrahedra can be split at a new vertex, all tetrahedra around them with it.
class Splitter {
 public:
  explicit Splitter(TetMesh& mesh) : mesh_(mesh), tets_of_(mesh.vertices.size()) {
    for (int t = 0; t < static_cast<int>(mesh.tets.size()); ++t)
      for (const int v : mesh.tets[t]) tets_of_[v].push_back(t);
  }

  /// Puts a vertex into the middle of `simplex`. Each tetrahedron that has it gives way to as many as it has corners,
  /// one of its corners replaced by the new vertex in each; their orientation is that of the old one.
  void split(std::span<const int> simplex) {
    Vec3 middle = Vec3::Zero();
    for (const int v : simplex) middle += mesh_.vertices[v];
    const int m = static_cast<int>(mesh_.vertices.size());
    mesh_.vertices.push_back(middle / static_cast<double>(simplex.size()));
    tets_of_.emplace_back();
    for (const int t : tets_around(simplex)) replace(t, simplex, m);
  }

 private:
  static bool contains(const std::array<int, 4>& tet, int v) {
    return std::find(tet.begin(), tet.end(), v) != tet.end();
  }

  std::vector<int> tets_around(std::span<const int> simplex) {
    std::vector<int> around;
    for (const int t : tets_of_[simplex[0]])
      if (std::all_of(simplex.begin(), simplex.end(), [&](int v) { return contains(mesh_.tets[t], v); }))
        around.push_back(t);
    return around;
  }

  void replace(int t, std::span<const int> simplex, int m) {
    const std::array<int, 4> old = mesh_.tets[t];
    const auto with_m_for = [&](int corner) {
      std::array<int, 4> tet = old;
      *std::find(tet.begin(), tet.end(), corner) = m;
      return tet;
    };
    // The first takes the number of the old one, the others are new.
    std::erase(tets_of_[simplex[0]], t);
    mesh_.tets[t] = with_m_for(simplex[0]);
    tets_of_[m].push_back(t);
    for (const int corner : simplex.subspan(1)) {
      const int number = static_cast<int>(mesh_.tets.size());
      mesh_.tets.push_back(with_m_for(corner));
      for (const int v : mesh_.tets.back()) tets_of_[v].push_back(number);
    }
  }

  TetMesh& mesh_;
  std::vector<std::vector<int>> tets_of_;
};

struct Surface {
  std::vector<char> has_vertex;
  std::set<Edge> edges;
  std::set<Triangle> triangles;
};

Surface surface_of(const TetMesh& mesh) {
  Surface surface{std::vector<char>(mesh.vertices.size(), 0), {}, {}};
  for (const auto& [a, b, c] : boundary_triangles(mesh)) {
    for (const int v : {a, b, c}) surface.has_vertex[v] = 1;
    surface.edges.insert({make_edge(a, b), make_edge(b, c), make_edge(c, a)});
    surface.triangles.insert(make_triangle(a, b, c));
  }
  return surface;
}

/// Edges inside with both ends on the surface, the longest first: their halves are then the shortest there can be.
std::vector<Edge> void_edges(const TetMesh& mesh, const Surface& surface) {
  std::set<Edge> found;
  for (const auto& t : mesh.tets) {
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j) {
        const Edge e = make_edge(t[i], t[j]);
        if (surface.has_vertex[e[0]] && surface.has_vertex[e[1]] && !surface.edges.contains(e)) found.insert(e);
      }
  }
  std::vector<Edge> edges(found.begin(), found.end());
  const auto length2 = [&](const Edge& e) { return (mesh.vertices[e[0]] - mesh.vertices[e[1]]).squaredNorm(); };
  std::stable_sort(edges.begin(), edges.end(), [&](const Edge& e, const Edge& f) { return length2(e) > length2(f); });
  return edges;
}

std::set<Triangle> void_triangles(const TetMesh& mesh, const Surface& surface) {
  std::set<Triangle> found;
  for (const auto& t : mesh.tets)
    for (const auto& [i, j, k] : kTetFaces) {
      const Triangle f = make_triangle(t[i], t[j], t[k]);
      if (surface.has_vertex[f[0]] && surface.has_vertex[f[1]] && surface.has_vertex[f[2]] &&
          !surface.triangles.contains(f))
        found.insert(f);
    }
  return found;
}

std::vector<std::array<int, 4>> void_tets(const TetMesh& mesh, const Surface& surface) {
  std::vector<std::array<int, 4>> found;
  for (const auto& t : mesh.tets)
    if (std::all_of(t.begin(), t.end(), [&](int v) { return surface.has_vertex[v] != 0; })) found.push_back(t);
  return found;
}

}  // namespace

int add_inner_vertices(TetMesh& mesh) {
  const std::size_t before = mesh.vertices.size();
  Surface surface = surface_of(mesh);
  Splitter splitter(mesh);
  for (const Edge& edge : void_edges(mesh, surface)) splitter.split(edge);
  surface.has_vertex.resize(mesh.vertices.size(), 0);
  for (const Triangle& triangle : void_triangles(mesh, surface)) splitter.split(triangle);
  surface.has_vertex.resize(mesh.vertices.size(), 0);
  for (const auto& tet : void_tets(mesh, surface)) splitter.split(tet);
  return static_cast<int>(mesh.vertices.size() - before);
}

}  // namespace patchfield
