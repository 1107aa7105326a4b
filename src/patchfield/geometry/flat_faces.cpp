// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/flat_faces.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <Eigen/Eigenvalues>

#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/geometry/surface_distance.h"

namespace patchfield {
namespace {

constexpr double kSmallestShare = 0.005;  // of the area: what is smaller is a facet of something curved
constexpr double kFlatness = 1e-6;        // of the size
constexpr double kSameDirection = 0.98;

struct FlatFace {
  Vec3 normal;
  double offset;           // n̂·x = offset
  SurfaceDistance region;  // its triangles
};

double height(const FlatFace& face, const Vec3& x) { return face.normal.dot(x) - face.offset; }

Vec3 area_vector(const TriangleMesh& mesh, const std::array<int, 3>& t) {
  return 0.5 * (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]);
}

double size_of(const TriangleMesh& mesh) {
  Vec3 lower = mesh.vertices[0], upper = lower;
  for (const Vec3& v : mesh.vertices) lower = lower.cwiseMin(v), upper = upper.cwiseMax(v);
  return (upper - lower).norm();
}

/// Triangles that share an edge with each one.
std::vector<std::vector<int>> neighbours(const TriangleMesh& mesh) {
  std::map<std::pair<int, int>, std::vector<int>> of_edge;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
    for (int i = 0; i < 3; ++i) of_edge[std::minmax(mesh.triangles[t][i], mesh.triangles[t][(i + 1) % 3])].push_back(t);
  std::vector<std::vector<int>> out(mesh.triangles.size());
  for (const auto& [edge, triangles] : of_edge)
    for (const int s : triangles)
      for (const int t : triangles)
        if (s != t) out[s].push_back(t);
  return out;
}

/// The triangles around `seed` in one plane with it; they are marked as taken.
std::vector<int> flood(const TriangleMesh& mesh, const std::vector<std::vector<int>>& next_to, int seed,
                       double tolerance, std::vector<char>& taken) {
  const Vec3 normal = area_vector(mesh, mesh.triangles[seed]).normalized();
  const double offset = normal.dot(mesh.vertices[mesh.triangles[seed][0]]);
  std::vector<int> region{seed};
  taken[seed] = 1;
  for (std::size_t i = 0; i < region.size(); ++i) {
    for (const int t : next_to[region[i]]) {
      const auto& corners = mesh.triangles[t];
      const bool in_plane = std::all_of(corners.begin(), corners.end(), [&](int v) {
        return std::abs(normal.dot(mesh.vertices[v]) - offset) <= tolerance;
      });
      const Vec3 a = area_vector(mesh, corners);
      if (taken[t] || !in_plane || a.dot(normal) < kSameDirection * a.norm()) continue;
      taken[t] = 1;
      region.push_back(t);
    }
  }
  return region;
}

std::vector<FlatFace> flat_faces(const TriangleMesh& mesh) {
  const auto next_to = neighbours(mesh);
  const double tolerance = kFlatness * size_of(mesh), smallest = kSmallestShare * area(mesh);
  // From large triangles to small: the large ones know their plane best.
  std::vector<int> order(mesh.triangles.size());
  std::iota(order.begin(), order.end(), 0);
  const auto size = [&](int t) { return area_vector(mesh, mesh.triangles[t]).norm(); };
  std::stable_sort(order.begin(), order.end(), [&](int s, int t) { return size(s) > size(t); });

  std::vector<FlatFace> faces;
  std::vector<char> taken(mesh.triangles.size(), 0);
  for (const int seed : order) {
    if (taken[seed] || size(seed) == 0.0) continue;
    TriangleMesh region{mesh.vertices, {}};
    Vec3 sum = Vec3::Zero();
    for (const int t : flood(mesh, next_to, seed, tolerance, taken)) {
      region.triangles.push_back(mesh.triangles[t]);
      sum += area_vector(mesh, mesh.triangles[t]);
    }
    if (sum.norm() < smallest) continue;
    const Vec3 normal = sum.normalized();
    faces.push_back({normal, normal.dot(mesh.vertices[mesh.triangles[seed][0]]), SurfaceDistance(region)});
  }
  return faces;
}

/// The shortest step from x into all planes; where three or more do not meet in a point, the best there is.
Vec3 step_into(const std::vector<const FlatFace*>& planes, const Vec3& x) {
  Mat3 sum_of_nn = Mat3::Zero();
  Vec3 sum_of_nh = Vec3::Zero();
  for (const FlatFace* face : planes) {
    sum_of_nn += face->normal * face->normal.transpose();
    sum_of_nh -= face->normal * height(*face, x);
  }
  constexpr double kParallel = 1e-3;
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(sum_of_nn);
  Vec3 step = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = eigen.eigenvectors().col(i);
    if (eigen.eigenvalues()[i] > kParallel) step += axis * (axis.dot(sum_of_nh) / eigen.eigenvalues()[i]);
  }
  return step;
}

/// Which planes each vertex belongs to: those of the boundary triangles around it that cover a flat face.
std::vector<std::vector<const FlatFace*>> planes_of_vertices(const std::vector<FlatFace>& faces, const TetMesh& mesh,
                                                             double tolerance) {
  std::vector<std::vector<const FlatFace*>> planes(mesh.vertices.size());
  for (const auto& t : boundary_triangles(mesh)) {
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const Vec3 n = (b - a).cross(c - a);
    for (const FlatFace& face : faces) {
      const bool near = std::abs(height(face, a)) <= tolerance && std::abs(height(face, b)) <= tolerance &&
                        std::abs(height(face, c)) <= tolerance;
      if (!near || n.dot(face.normal) < kSameDirection * n.norm() || face.region((a + b + c) / 3.0) > tolerance)
        continue;
      for (const int v : t) {
        if (std::find(planes[v].begin(), planes[v].end(), &face) == planes[v].end()) planes[v].push_back(&face);
      }
    }
  }
  return planes;
}

/// Takes back the moves at tetrahedra that have turned over or nearly so; says how many vertices.
int take_back_inversions(const TetMesh& before, TetMesh& mesh) {
  constexpr double kSmallestShareOfVolume = 0.02;
  int num_refused = 0;
  for (bool again = true; again;) {
    again = false;
    for (int t = 0; t < static_cast<int>(mesh.tets.size()); ++t) {
      if (signed_volume(mesh, t) > kSmallestShareOfVolume * signed_volume(before, t)) continue;
      for (const int v : mesh.tets[t]) {
        if (mesh.vertices[v] == before.vertices[v]) continue;
        mesh.vertices[v] = before.vertices[v];
        ++num_refused;
        again = true;
      }
    }
  }
  return num_refused;
}

}  // namespace

void align_coordinates(double tolerance, TriangleMesh& mesh) {
  std::vector<int> order(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0);
  for (int axis = 0; axis < 3; ++axis) {
    const auto at = [&](std::size_t i) -> double& { return mesh.vertices[order[i]][axis]; };
    std::stable_sort(order.begin(), order.end(),
                     [&](int u, int v) { return mesh.vertices[u][axis] < mesh.vertices[v][axis]; });
    for (std::size_t begin = 0, end; begin < order.size(); begin = end) {
      for (end = begin + 1; end < order.size() && at(end) - at(begin) <= tolerance; ++end) {
      }
      const double middle = 0.5 * (at(begin) + at(end - 1));
      for (std::size_t i = begin; i < end; ++i) at(i) = middle;
    }
  }
}

FlatReport flatten_faces(const TriangleMesh& surface, double tolerance, TetMesh& mesh) {
  const std::vector<FlatFace> faces = flat_faces(surface);
  const auto planes = planes_of_vertices(faces, mesh, tolerance);
  const TetMesh before = mesh;
  FlatReport report{static_cast<int>(faces.size()), 0, 0};
  for (std::size_t v = 0; v < planes.size(); ++v) {
    if (planes[v].empty()) continue;
    // Twice: the first step leaves the rounding of a solution, the second that of a sum.
    Vec3 x = mesh.vertices[v];
    for (int i = 0; i < 2; ++i) x += step_into(planes[v], x);
    if ((x - mesh.vertices[v]).norm() > 3.0 * tolerance) continue;
    mesh.vertices[v] = x;
    ++report.num_moved;
  }
  report.num_refused = take_back_inversions(before, mesh);
  return report;
}

}  // namespace patchfield
