// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "patchfield/geometry/convex_hull.h"
#include "patchfield/geometry/shape_meshes.h"

namespace patchfield {

/// A cone from the deepest point D over the surface: e = 1 in D, 0 on the surface, linear along each ray.
/// The margin moves each surface vertex along its ray by the factor 1 + s, where s = m/(distance of D to the facet)
/// of the nearest of its facets: all of them move outwards by m or more, and p goes on linearly to −E·s.
PressureMesh mesh_convex_hull(const ConvexHull& hull, const Compliance& compliance) {
  const ConvexPolytope polytope = convex_hull(hull.points);
  const TriangleMesh surface = triangulated(polytope);
  const Vec3 D = deepest_point(polytope);
  const double depth = polytope.depth(D);

  std::vector<double> stretch(surface.vertices.size(), 0.0);
  for (const auto& triangle : surface.triangles) {
    const Vec3 &a = surface.vertices[triangle[0]], &b = surface.vertices[triangle[1]],
               &c = surface.vertices[triangle[2]];
    // A sliver may tilt, but D is nowhere nearer to the surface than its depth.
    const double distance = std::max(depth, (b - a).cross(c - a).normalized().dot(a - D));
    for (const int v : triangle) stretch[v] = std::max(stretch[v], compliance.margin / distance);
  }

  PressureMeshBuilder mesh;
  for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
    const double s = stretch[v];
    const Vec3& x = surface.vertices[v];
    mesh.add_vertex(s > 0.0 ? Vec3(x + s * (x - D)) : x, skirt_pressure(compliance.modulus, s));
  }
  const int apex = mesh.add_vertex(D, compliance.modulus);
  for (const auto& [i, j, k] : surface.triangles) mesh.add_tet(apex, i, j, k);
  return mesh.take();
}

}  // namespace patchfield
