// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/model/field_ladder.h"

#include <algorithm>
#include <cmath>

#include "patchfield/core/check.h"

namespace patchfield {
namespace {

/// Slope of the field inside of the shape: the steepest, which is that of the shortest way in. Tetrahedra of a mesher
/// may be slivers with any slope, so those are averaged by volume.
double slope_of(const Geometry& geometry, bool average) {
  const PressureMesh& volume = geometry.volume();
  double steepest = 0.0, sum = 0.0, weight = 0.0;
  for (const auto& tet : volume.mesh.tets) {
    const Vec3& o = volume.mesh.vertices[static_cast<std::size_t>(tet[0])];
    Mat3 edges;
    Vec3 rise;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto corner = static_cast<std::size_t>(tet[i + 1]);
      edges.row(static_cast<Eigen::Index>(i)) = volume.mesh.vertices[corner] - o;
      rise[static_cast<Eigen::Index>(i)] = volume.pressure[corner] - volume.pressure[static_cast<std::size_t>(tet[0])];
    }
    const double six_volumes = edges.determinant();
    if (!(six_volumes > 0.0)) continue;
    const double slope = (edges.inverse() * rise).norm();
    if (!std::isfinite(slope)) continue;
    steepest = std::max(steepest, slope);
    sum += six_volumes * slope, weight += six_volumes;
  }
  return average && weight > 0.0 ? sum / weight : steepest;
}

}  // namespace

FieldLadder::FieldLadder(Shape shape, Compliance compliance, const Geometry& base)
    : shape_(std::move(shape)), compliance_(std::move(compliance)), base_(base) {
  const bool mesh = std::holds_alternative<TetMesh>(shape_);
  convex_ = !mesh;
  boxlike_ = convex_ && !std::holds_alternative<ConvexHull>(shape_);
  for (const double p : base.volume().pressure) modulus_ = std::max(modulus_, p);
  const double slope = slope_of(base, mesh);
  size_ = (base.bounds().upper - base.bounds().lower).norm();
  depth_ = slope > 0.0 ? std::min(modulus_ / slope, size_) : size_;
  // The skirt of a mesh shrinks where the mesh is hollow: one rung of it can be had, not more.
  num_rungs_ = 1;
  while (!mesh && num_rungs_ < kMaxRungs && widest() < size_) ++num_rungs_;
}

double FieldLadder::widest() const { return depth_ * std::pow(kFactor, num_rungs_ - 1); }

const Geometry& FieldLadder::at_least(double margin) const {
  if (margin <= compliance_.margin) return base_;
  double own = depth_;
  for (int i = 0; i + 1 < num_rungs_; ++i, own *= kFactor)
    if (margin <= own) return make(i);
  return make(num_rungs_ - 1);
}

const Geometry& FieldLadder::make(int i) const {
  Rung& rung = rungs_[static_cast<std::size_t>(i)];
  std::call_once(rung.once, [&] {
    Compliance wide = compliance_;
    wide.margin = std::max(compliance_.margin, depth_ * std::pow(kFactor, i));
    rung.geometry = Geometry::compliant(shape_, wide);
  });
  return *rung.geometry;
}

const Geometry& FieldLadder::surface() const {
  std::call_once(surface_.once, [&] { surface_.geometry = Geometry::rigid(shape_, compliance_.resolution); });
  return *surface_.geometry;
}

}  // namespace patchfield
