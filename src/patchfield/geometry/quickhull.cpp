// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/quickhull.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "patchfield/core/check.h"
#include "patchfield/geometry/mesh_tools.h"

namespace patchfield {
namespace {

// The grid ------------------------------------------------------------------------------------

using Int3 = Eigen::Matrix<std::int64_t, 3, 1>;
__extension__ typedef __int128 Int128;

// Coordinates have 27 bits and a sign, normals 57, heights 86: nothing overflows.
constexpr int kGridBits = 28;

/// Points that stick out by no more than this [grid steps] do so by their rounding.
constexpr double kGridNoise = 4.0;

std::vector<Int3> to_grid(std::span<const Vec3> points, double& step) {
  Vec3 lower = points[0], upper = points[0];
  for (const Vec3& p : points) lower = lower.cwiseMin(p), upper = upper.cwiseMax(p);
  step = std::ldexp((upper - lower).maxCoeff(), -kGridBits);
  const Vec3 centre = lower + 0.5 * (upper - lower);

  std::vector<Int3> grid;
  grid.reserve(points.size());
  for (const Vec3& p : points) {
    const Vec3 steps = (p - centre) / step;
    grid.push_back({std::llround(steps.x()), std::llround(steps.y()), std::llround(steps.z())});
  }
  return grid;
}

/// The plane of three grid points: the sign of a height is exact, its size nearly so.
class GridPlane {
 public:
  GridPlane(const Int3& a, const Int3& b, const Int3& c)
      : normal_((b - a).cross(c - a)), offset_(dot(a)), inverse_norm_(1.0 / normal_.cast<double>().norm()) {}

  bool is_below(const Int3& p) const { return dot(p) > offset_; }
  /// In grid steps.
  double height(const Int3& p) const { return static_cast<double>(dot(p) - offset_) * inverse_norm_; }

 private:
  Int128 dot(const Int3& p) const {
    return Int128{normal_.x()} * p.x() + Int128{normal_.y()} * p.y() + Int128{normal_.z()} * p.z();
  }

  Int3 normal_;
  Int128 offset_;
  double inverse_norm_;
};

// The hull while it grows ---------------------------------------------------------------------

struct Face {
  HullTriangle triangle;
  GridPlane plane;
  std::vector<int> outside;  ///< Points above this face for which it is responsible.
  int eye = -1;              ///< The highest of them: the next to join the hull.
  double eye_height = 0.0;
  bool is_removed = false;
};

class Quickhull {
 public:
  /// The simplex is four points of positive volume.
  Quickhull(const std::vector<Int3>& points, const std::array<int, 4>& simplex) : points_(points) {
    for (const auto& c : kTetFaces) add_face({simplex[c[0]], simplex[c[1]], simplex[c[2]]});
    for (int f = 0; f < 4; ++f) {
      // Across the edge c₀c₁ lies the face opposite to c₂, and so on round.
      for (int e = 0; e < 3; ++e) faces_[f].triangle.neighbour[e] = kTetFaces[f][(e + 2) % 3];
    }
    std::vector<int> all(points.size());
    std::iota(all.begin(), all.end(), 0);
    distribute(all, 0);
  }

  void grow() {
    // New faces are appended, so that the loop comes to them.
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f) {
      if (!faces_[f].is_removed && faces_[f].eye >= 0) add_eye(f);
    }
  }

  std::vector<HullTriangle> triangles() const {
    std::vector<int> number(faces_.size(), -1);
    std::vector<HullTriangle> result;
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      if (faces_[f].is_removed) continue;
      number[f] = static_cast<int>(result.size());
      result.push_back(faces_[f].triangle);
    }
    for (HullTriangle& t : result) {
      for (int& n : t.neighbour) n = number[n];
    }
    return result;
  }

 private:
  /// An edge of the hole that an eye leaves, directed as in the face that was removed.
  struct HorizonEdge {
    int from, to;
    int beyond;  ///< The face that stays.
  };

  void add_face(const std::array<int, 3>& c) {
    faces_.push_back({{c, {-1, -1, -1}}, GridPlane(points_[c[0]], points_[c[1]], points_[c[2]]), {}});
  }

  /// Gives each point to the first face, from `first_face` on, that it is above of. The others are inside the hull.
  void distribute(const std::vector<int>& candidates, int first_face) {
    for (const int p : candidates) {
      for (int f = first_face; f < static_cast<int>(faces_.size()); ++f) {
        const double height = faces_[f].plane.height(points_[p]);
        if (height <= kGridNoise) continue;
        faces_[f].outside.push_back(p);
        if (height > faces_[f].eye_height) faces_[f].eye = p, faces_[f].eye_height = height;
        break;
      }
    }
  }

  /// Replaces all faces that the eye of face f can see by a cone from it over their rim.
  void add_eye(int f) {
    const int eye = faces_[f].eye;
    std::vector<int> orphans;
    const std::vector<HorizonEdge> horizon = remove_visible(f, eye, orphans);

    const int first = static_cast<int>(faces_.size()), n = static_cast<int>(horizon.size());
    for (int i = 0; i < n; ++i) {
      const auto& [from, to, beyond] = horizon[i];
      PATCHFIELD_ASSERT(to == horizon[(i + 1) % n].from);
      add_face({from, to, eye});
      faces_.back().triangle.neighbour = {beyond, first + (i + 1) % n, first + (i + n - 1) % n};
      HullTriangle& old = faces_[beyond].triangle;
      old.neighbour[edge_from(old, to)] = first + i;
    }
    distribute(orphans, first);
  }

  static int edge_from(const HullTriangle& t, int corner) {
    return t.corner[0] == corner ? 0 : t.corner[1] == corner ? 1 : 2;
  }

  /// Walks over the visible faces depth first, always turning the same way: the rim comes out in order, as one loop.
  std::vector<HorizonEdge> remove_visible(int first_face, int eye, std::vector<int>& orphans) {
    struct Step {
      int face, edge, edges_left;
    };
    std::vector<Step> path;
    const auto enter = [&](int f, int edge, int num_edges) {
      Face& face = faces_[f];
      face.is_removed = true;
      std::copy_if(face.outside.begin(), face.outside.end(), std::back_inserter(orphans),
                   [=](int p) { return p != eye; });
      face.outside = {};
      path.push_back({f, edge, num_edges});
    };

    std::vector<HorizonEdge> horizon;
    enter(first_face, 0, 3);
    while (!path.empty()) {
      Step& step = path.back();
      if (step.edges_left-- == 0) {
        path.pop_back();
        continue;
      }
      const HullTriangle& t = faces_[step.face].triangle;
      const int from = t.corner[step.edge], to = t.corner[(step.edge + 1) % 3], beyond = t.neighbour[step.edge];
      step.edge = (step.edge + 1) % 3;
      if (faces_[beyond].is_removed) continue;
      if (faces_[beyond].plane.is_below(points_[eye]))
        enter(beyond, (edge_from(faces_[beyond].triangle, to) + 1) % 3, 2);
      else horizon.push_back({from, to, beyond});
    }
    return horizon;
  }

  const std::vector<Int3>& points_;
  std::vector<Face> faces_;
};

/// The point where measure() is largest, the first of equals.
template <class Measure>
int furthest(const std::vector<Int3>& points, const Measure& measure) {
  int best = 0;
  double largest = -1.0;
  for (int i = 0; i < static_cast<int>(points.size()); ++i) {
    const double value = measure(points[i]);
    if (value > largest) largest = value, best = i;
  }
  return best;
}

}  // namespace

std::vector<HullTriangle> quickhull(std::span<const Vec3> points, double min_height) {
  double step;
  const std::vector<Int3> grid = to_grid(points, step);
  const double min_steps = std::max(min_height / step, kGridNoise);
  const auto coordinate = [&](int i) { return Vec3(grid[i].cast<double>()); };

  // A point at one end, the one furthest from it, from their line, and from their plane.
  std::array<int, 4> simplex{};
  simplex[0] = furthest(grid, [](const Int3& p) { return p.cast<double>().norm(); });
  const Vec3 a = coordinate(simplex[0]);
  simplex[1] = furthest(grid, [&](const Int3& p) { return (p.cast<double>() - a).norm(); });
  const Vec3 ab = (coordinate(simplex[1]) - a).normalized();
  const auto from_line = [&](const Int3& p) { return (p.cast<double>() - a).cross(ab).norm(); };
  simplex[2] = furthest(grid, from_line);
  if (from_line(grid[simplex[2]]) <= min_steps) return {};
  const GridPlane plane(grid[simplex[0]], grid[simplex[1]], grid[simplex[2]]);
  simplex[3] = furthest(grid, [&](const Int3& p) { return std::abs(plane.height(p)); });
  if (std::abs(plane.height(grid[simplex[3]])) <= min_steps) return {};
  if (!plane.is_below(grid[simplex[3]])) std::swap(simplex[1], simplex[2]);

  Quickhull hull(grid, simplex);
  hull.grow();
  return hull.triangles();
}

}  // namespace patchfield
