// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Box → tetrahedra that contain its medial axis.
//
// With half sizes h and c = min h, the corner A = (±h₁, ±h₂, ±h₃) has the medial point
// D = (±(h₁ − c), ±(h₂ − c), ±(h₃ − c)); equal ones are one vertex. The box falls into six regions,
// one per face, where that face is the nearest. Their borders are
//   - for each box edge A–A' the medial face A A' D' D: a triangle where D = D', else a trapezoid
//     that gets a centre Q and becomes four triangles;
//   - the medial rectangle of the D's, if both of its sides are longer than zero: four triangles.
//
//        A ─────────── A'        Each region is the cone from its box face's centre F over the triangles
//         ╲ ╲   Q   ╱ ╱          around it, so that the box face itself becomes four triangles about F.
//          D ─────── D'          In it p = E·(distance to that face)/c exactly. A cube has 24 tetrahedra.

#include <algorithm>

#include "patchfield/geometry/shape_meshes.h"

namespace patchfield {
namespace {

/// Corners are numbered by bits: bit k is set on the positive side of axis k.
struct BoxVertices {
  std::array<int, 8> corner;               ///< A
  std::array<int, 8> medial;               ///< D of each corner; equal numbers where they coincide.
  std::array<std::array<int, 2>, 3> face;  ///< F of [axis][positive side]
};

BoxVertices add_box_vertices(PressureMeshBuilder& mesh, const Vec3& half, const Vec3& medial_half, double E,
                             double p_outer) {
  const auto at = [](const Vec3& size, int bits) {
    return Vec3(bits & 1 ? size.x() : -size.x(), bits & 2 ? size.y() : -size.y(), bits & 4 ? size.z() : -size.z());
  };
  BoxVertices v;
  for (int bits = 0; bits < 8; ++bits) v.corner[bits] = mesh.add_vertex(at(half, bits), p_outer);

  // An axis without medial extent does not count: its bit is cleared.
  const int free_bits = (medial_half.x() > 0.0) | (medial_half.y() > 0.0) << 1 | (medial_half.z() > 0.0) << 2;
  for (int bits = 0; bits < 8; ++bits) {
    const bool is_first = (bits & free_bits) == bits;
    v.medial[bits] = is_first ? mesh.add_vertex(at(medial_half, bits), E) : v.medial[bits & free_bits];
  }
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {0, 1})
      v.face[axis][side] = mesh.add_vertex((side ? 1.0 : -1.0) * half[axis] * Vec3::Unit(axis), p_outer);
  }
  return v;
}

/// The middle of four vertices; pairwise, so that mirror images agree in every bit.
int add_centre(PressureMeshBuilder& mesh, int a0, int a1, int b0, int b1, double pressure) {
  const Vec3 sum = (mesh.position(a0) + mesh.position(a1)) + (mesh.position(b0) + mesh.position(b1));
  return mesh.add_vertex(0.25 * sum, pressure);
}

/// The medial face of the edge along `axis` from corner `from` (bit `axis` clear), seen from both of its box faces.
void add_edge(PressureMeshBuilder& mesh, const BoxVertices& v, int axis, int from, double p_middle) {
  const int to = from | 1 << axis;
  const int A0 = v.corner[from], A1 = v.corner[to], D0 = v.medial[from], D1 = v.medial[to];
  const int Q = D0 == D1 ? -1 : add_centre(mesh, A0, A1, D0, D1, p_middle);
  for (const int other : {(axis + 1) % 3, (axis + 2) % 3}) {
    const int F = v.face[other][from >> other & 1];
    if (D0 == D1) mesh.add_cone(F, {{A0, A1, D0}});
    else mesh.add_cone(F, {{A0, A1, Q}, {A1, D1, Q}, {D1, D0, Q}, {D0, A0, Q}});
  }
}

/// The medial rectangle in the plane of the shortest axis, seen from both sides.
void add_medial_rectangle(PressureMeshBuilder& mesh, const BoxVertices& v, int axis, double E) {
  const int u = 1 << (axis + 1) % 3, w = 1 << (axis + 2) % 3;
  const int D[4] = {v.medial[0], v.medial[u], v.medial[u | w], v.medial[w]};
  const int centre = mesh.add_vertex(Vec3::Zero(), E);
  for (const int F : v.face[axis])
    mesh.add_cone(F, {{D[0], D[1], centre}, {D[1], D[2], centre}, {D[2], D[3], centre}, {D[3], D[0], centre}});
}

}  // namespace

PressureMesh mesh_box(const Box& box, const Compliance& compliance) {
  const Vec3 half = 0.5 * Vec3(box.x, box.y, box.z);
  const double E = compliance.modulus, m = compliance.margin;
  const double c = half.minCoeff();
  const double p_outer = skirt_pressure(E, m / c);

  // The medial set of the inflated box is that of the box itself.
  Vec3 medial_half;
  for (int k = 0; k < 3; ++k) medial_half[k] = half[k] - c <= kEqualSizes * c ? 0.0 : half[k] - c;

  PressureMeshBuilder mesh;
  const BoxVertices v = add_box_vertices(mesh, half.array() + m, medial_half, E, p_outer);
  for (int axis = 0; axis < 3; ++axis) {
    for (int bits = 0; bits < 8; ++bits) {
      if (!(bits >> axis & 1)) add_edge(mesh, v, axis, bits, 0.5 * (E + p_outer));
    }
  }
  if ((medial_half.array() > 0.0).count() == 2) {
    int shortest;
    medial_half.minCoeff(&shortest);
    add_medial_rectangle(mesh, v, shortest, E);
  }
  return mesh.take();
}

}  // namespace patchfield
