// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/skirt.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "patchfield/geometry/mesh_tools.h"

namespace patchfield {
namespace {

/// A spike whose faces would need an offset of more than this many margins gets that many.
constexpr double kMaxStretch = 3.0;
constexpr int kMaxHalvings = 5;

double angle_at(const Vec3& p, const Vec3& q, const Vec3& r) {
  const Vec3 a = q - p, b = r - p;
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

/// The vector o with n̂·o = 1 for the adjacent normals n̂, in the least-squares sense and as short as can be: where all
/// lie in a plane or a line, only there. A cube's corner has (1, 1, 1). The mean normal, stretched until all planes
/// have moved, was tried: it makes spikes where a re-entrant edge ends.
Vec3 offset_direction(const Mat3& sum_of_nn, const Vec3& sum_of_n) {
  constexpr double kFlat = 1e-4;  // eigenvalues are squares: normals that differ by less than 0.01 count as one
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(sum_of_nn);
  Vec3 o = Vec3::Zero();
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = eigen.eigenvectors().col(i);
    if (eigen.eigenvalues()[i] > kFlat * eigen.eigenvalues()[2])
      o += axis * (axis.dot(sum_of_n) / eigen.eigenvalues()[i]);
  }
  return o.norm() > kMaxStretch ? Vec3(o * (kMaxStretch / o.norm())) : o;
}

/// Per surface vertex. Normals are weighted by the angle of their triangle, so that the cuts of a flat face do not
/// matter.
std::vector<Vec3> offset_directions(const TriangleMesh& surface) {
  std::vector<Mat3> sum_of_nn(surface.vertices.size(), Mat3::Zero());
  std::vector<Vec3> sum_of_n(surface.vertices.size(), Vec3::Zero());
  for (const auto& t : surface.triangles) {
    for (int i = 0; i < 3; ++i) {
      const Vec3 &a = surface.vertices[t[i]], &b = surface.vertices[t[(i + 1) % 3]],
                 &c = surface.vertices[t[(i + 2) % 3]];
      const Vec3 n = (b - a).cross(c - a).normalized();  // zero area: Eigen leaves the zero vector
      const double angle = angle_at(a, b, c);
      sum_of_nn[t[i]] += angle * n * n.transpose();
      sum_of_n[t[i]] += angle * n;
    }
  }
  std::vector<Vec3> directions;
  for (std::size_t v = 0; v < sum_of_n.size(); ++v) directions.push_back(offset_direction(sum_of_nn[v], sum_of_n[v]));
  return directions;
}

/// Three tetrahedra between the triangle a b c and its offset; the diagonals run from lower to higher vertex numbers,
/// so that neighbouring prisms agree without knowing each other. `outer` maps a surface vertex to its offset.
std::array<std::array<int, 4>, 3> split_prism(std::array<int, 3> triangle, const std::vector<int>& outer) {
  std::array<int, 3> v = triangle;
  std::sort(v.begin(), v.end());
  std::array<std::array<int, 4>, 3> tets{{{v[0], v[1], v[2], outer[v[2]]},
                                          {v[0], v[1], outer[v[1]], outer[v[2]]},
                                          {v[0], outer[v[0]], outer[v[1]], outer[v[2]]}}};
  // Sorting may have been an odd permutation. The middle tetrahedron has the other handedness by itself.
  const auto at = std::find(triangle.begin(), triangle.end(), v[0]) - triangle.begin();
  const bool is_odd = triangle[(at + 1) % 3] != v[1];
  if (is_odd) std::swap(tets[0][0], tets[0][1]), std::swap(tets[2][2], tets[2][3]);
  else std::swap(tets[1][2], tets[1][3]);
  return tets;
}

/// The skirt as a mesh of its own: the vertices of `inside` as they are, then one outer vertex per surface vertex.
class Skirt {
 public:
  Skirt(const TetMesh& inside, double margin)
      : margin_(margin), inner_(boundary(inside)), direction_(offset_directions(inner_.surface)),
        skirt_{inside.vertices, {}} {
    first_outer_ = static_cast<int>(inside.vertices.size());
    share_.assign(inner_.vertex.size(), 1.0);
    std::vector<int> outer(inside.vertices.size(), -1);
    for (std::size_t s = 0; s < inner_.vertex.size(); ++s) outer[inner_.vertex[s]] = first_outer_ + static_cast<int>(s);
    for (const auto& [i, j, k] : inner_.surface.triangles) {
      for (const auto& tet : split_prism({inner_.vertex[i], inner_.vertex[j], inner_.vertex[k]}, outer))
        skirt_.tets.push_back(tet);
    }
    skirt_.vertices.resize(inside.vertices.size() + inner_.vertex.size());
    place_outer_vertices();
  }

  void shrink_where_inverted() {
    for (int round = 0; round < kMaxHalvings && halve_inverted() > 0; ++round) place_outer_vertices();
  }

  SkirtReport append_to(PressureMesh& mesh, double slope) const {
    SkirtReport report;
    for (std::size_t s = 0; s < share_.size(); ++s) {
      mesh.pressure.push_back(mesh.pressure[inner_.vertex[s]] - slope * share_[s] * margin_);
      report.num_shrunk += share_[s] < 1.0;
    }
    mesh.mesh.vertices = skirt_.vertices;
    for (int t = 0; t < static_cast<int>(skirt_.tets.size()); ++t) {
      if (orientation(skirt_, t) > 0) mesh.mesh.tets.push_back(skirt_.tets[t]);
      else ++report.num_dropped;
    }
    return report;
  }

 private:
  void place_outer_vertices() {
    for (std::size_t s = 0; s < share_.size(); ++s)
      skirt_.vertices[first_outer_ + s] = inner_.surface.vertices[s] + share_[s] * margin_ * direction_[s];
  }

  /// Halves the offset of the outer vertices of inverted tetrahedra; says how many there were.
  int halve_inverted() {
    int num_inverted = 0;
    std::vector<double> factor(share_.size(), 1.0);
    for (int t = 0; t < static_cast<int>(skirt_.tets.size()); ++t) {
      if (orientation(skirt_, t) >= 0) continue;
      ++num_inverted;
      for (const int v : skirt_.tets[t]) {
        if (v >= first_outer_) factor[v - first_outer_] = 0.5;
      }
    }
    for (std::size_t s = 0; s < share_.size(); ++s) share_[s] *= factor[s];
    return num_inverted;
  }

  double margin_;
  Boundary inner_;
  std::vector<Vec3> direction_;  ///< Offset in margins, per surface vertex.
  std::vector<double> share_;    ///< Of the margin, per surface vertex.
  TetMesh skirt_;
  int first_outer_;
};

}  // namespace

SkirtReport add_skirt(double margin, double slope, PressureMesh& mesh) {
  Skirt skirt(mesh.mesh, margin);
  skirt.shrink_where_inverted();
  return skirt.append_to(mesh, slope);
}

}  // namespace patchfield
