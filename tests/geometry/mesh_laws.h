// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What every mesh must obey, written without the library's own mesh tools wherever it can be.

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "patchfield/core/check.h"
#include "patchfield/geometry/mesh.h"

namespace patchfield {

inline double tet_volume(const TetMesh& mesh, const std::array<int, 4>& t) {
  const Vec3& o = mesh.vertices[t[0]];
  return (mesh.vertices[t[1]] - o).cross(mesh.vertices[t[2]] - o).dot(mesh.vertices[t[3]] - o) / 6.0;
}

inline void expect_positive_volumes(const TetMesh& mesh) {
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) ASSERT_GT(tet_volume(mesh, mesh.tets[t]), 0.0) << "tet " << t;
}

/// Faces that occur once, outward; a face that occurs twice must do so with opposite orientations.
inline std::vector<std::array<int, 3>> outer_faces(const TetMesh& mesh) {
  std::map<std::array<int, 3>, std::vector<std::array<int, 3>>> faces;
  for (const auto& [a, b, c, d] : mesh.tets) {
    for (const std::array<int, 3>& f :
         {std::array{b, c, d}, std::array{a, d, c}, std::array{a, b, d}, std::array{a, c, b}}) {
      auto key = f;
      std::sort(key.begin(), key.end());
      faces[key].push_back(f);
    }
  }
  std::vector<std::array<int, 3>> outer;
  for (const auto& [key, found] : faces) {
    EXPECT_LE(found.size(), 2u);
    if (found.size() == 1) outer.push_back(found[0]);
    if (found.size() != 2) continue;
    const auto& [p, q] = std::pair(found[0], found[1]);
    const auto at = std::find(q.begin(), q.end(), p[0]) - q.begin();
    EXPECT_EQ(q[(at + 1) % 3], p[2]) << "two tetrahedra on one side of a face";
  }
  return outer;
}

/// Every directed edge of a closed surface has its reverse, once.
inline void expect_closed(const std::vector<std::array<int, 3>>& triangles) {
  std::map<std::pair<int, int>, int> edges;
  for (const auto& [i, j, k] : triangles) ++edges[{i, j}], ++edges[{j, k}], ++edges[{k, i}];
  for (const auto& [edge, count] : edges) {
    ASSERT_EQ(count, 1) << edge.first << " – " << edge.second;
    ASSERT_TRUE(edges.contains({edge.second, edge.first})) << edge.first << " – " << edge.second;
  }
}

/// Conforming, closed, and filled: ⅓∮x·n̂ dA of the outer faces is the volume of the tetrahedra.
inline void expect_conforming(const TetMesh& mesh) {
  const auto outer = outer_faces(mesh);
  expect_closed(outer);
  double enclosed = 0.0, filled = 0.0;
  for (const auto& [i, j, k] : outer) enclosed += mesh.vertices[i].dot(mesh.vertices[j].cross(mesh.vertices[k])) / 6.0;
  for (const auto& tet : mesh.tets) filled += tet_volume(mesh, tet);
  EXPECT_NEAR(enclosed, filled, 1e-12 * filled);
}

inline void expect_no_voids(const PressureMesh& field) {
  for (std::size_t t = 0; t < field.mesh.tets.size(); ++t) {
    double largest = 0.0;
    for (const int v : field.mesh.tets[t]) largest = std::max(largest, std::abs(field.pressure[v]));
    ASSERT_GT(largest, 0.0) << "tet " << t;
  }
}

/// The mirror image of every tetrahedron is a tetrahedron, vertex for vertex and bit for bit.
inline void expect_mirror_symmetric(const TetMesh& mesh) {
  using Key = std::array<std::array<double, 3>, 4>;
  const auto key_of = [&](const std::array<int, 4>& tet, int mirror) {
    Key key;
    for (int i = 0; i < 4; ++i) {
      Vec3 x = mesh.vertices[tet[i]];
      if (mirror >= 0) x[mirror] = -x[mirror];
      key[i] = {x.x() + 0.0, x.y() + 0.0, x.z() + 0.0};  // −0 → +0
    }
    std::sort(key.begin(), key.end());
    return key;
  };
  std::set<Key> tets;
  for (const auto& tet : mesh.tets) tets.insert(key_of(tet, -1));
  ASSERT_EQ(tets.size(), mesh.tets.size());
  for (int mirror = 0; mirror < 3; ++mirror) {
    for (const auto& tet : mesh.tets) ASSERT_TRUE(tets.contains(key_of(tet, mirror))) << "axis " << mirror;
  }
}

/// The field at a point by search through all tetrahedra; nothing outside.
inline std::optional<double> interpolate(const PressureMesh& field, const Vec3& p, double tolerance = 1e-9) {
  const auto& x = field.mesh.vertices;
  for (const auto& t : field.mesh.tets) {
    Mat3 edges;
    edges << x[t[1]] - x[t[0]], x[t[2]] - x[t[0]], x[t[3]] - x[t[0]];
    const Vec3 b = edges.inverse() * (p - x[t[0]]);
    const double b0 = 1.0 - b.sum();
    if (std::min(b.minCoeff(), b0) < -tolerance) continue;
    return b0 * field.pressure[t[0]] + b[0] * field.pressure[t[1]] + b[1] * field.pressure[t[2]] +
           b[2] * field.pressure[t[3]];
  }
  return {};
}

inline std::vector<Vec3> random_points(int n, const Vec3& half, unsigned seed = 1) {
  std::mt19937 random(seed);
  const auto uniform = [&] { return 2.0 * (random() / 4294967295.0) - 1.0; };
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) {
    const double x = uniform(), y = uniform(), z = uniform();
    points.push_back(half.cwiseProduct(Vec3(x, y, z)));
  }
  return points;
}

/// The text of the InputError that `call` throws.
template <class Call>
std::string input_error(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError";
  return {};
}

#define EXPECT_SAYS(call, ...)                                                      \
  do {                                                                              \
    const std::string text_ = ::patchfield::input_error([&] { (void)(call); });     \
    for (const char* part_ : {__VA_ARGS__})                                         \
      EXPECT_NE(text_.find(part_), std::string::npos) << part_ << " in: " << text_; \
  } while (false)

}  // namespace patchfield
