// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/shapes.h"

namespace patchfield {

namespace {

struct NameOf {
  std::string_view operator()(const Sphere&) const { return "sphere"; }
  std::string_view operator()(const Box&) const { return "box"; }
  std::string_view operator()(const Cylinder&) const { return "cylinder"; }
  std::string_view operator()(const Capsule&) const { return "capsule"; }
  std::string_view operator()(const Ellipsoid&) const { return "ellipsoid"; }
  std::string_view operator()(const HalfSpace&) const { return "half space"; }
  std::string_view operator()(const ConvexHull&) const { return "convex hull"; }
  std::string_view operator()(const TriangleMesh&) const { return "triangle mesh"; }
  std::string_view operator()(const TetMesh&) const { return "tetrahedral mesh"; }
};

}  // namespace

std::string_view shape_name(const Shape& shape) { return std::visit(NameOf{}, shape); }

}  // namespace patchfield
