// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The contact surface S∩ between two bodies, as columns of planar convex faces.
//
//            B                 n̂ leaves A and enters B; the force on B is ∫ p·n̂ dA.
//      ______↑_n̂_____          A face is a polygon (tessellation `polygon`, [PFC]) or one of
//     /  face: A, p  /         the triangles about its centroid (`triangle`, [E19]): same
//    /______________/          area, force and moment, about four times as many faces.
//            A
//
// The pressure is linear on a face, so integrals over it are closed forms of its vertices. It has one sign: a face
// presses (p_c > 0), or it lies in a margin's skirt, where the fields go on below zero, and waits.

#pragma once

#include <cstdint>

#include "patchfield/core/column.h"
#include "patchfield/core/types.h"

namespace patchfield {

enum class Tessellation : std::uint8_t { kPolygon, kTriangle };

const char* to_string(Tessellation tessellation);

struct SurfaceOptions {
  Tessellation tessellation = Tessellation::kPolygon;
  /// Faces longer than this are halved until they are not [m]; 0 leaves them whole.
  double max_face_size = 0.0;
  /// Faces up to this area are dropped [m²]. Rounding is dropped even at 0.
  double min_face_area = 0.0;
};

/// Why a candidate polygon did not become a face.
struct DroppedFaces {
  int too_small = 0;  ///< Area below min_face_area or rounding (kMinRelativeArea of its tetrahedron's size²).
  int softening = 0;  ///< g_A ≤ 0 or g_B ≤ 0: pushing in would lower the force.
  int no_plane = 0;   ///< ∇p_A = ∇p_B: the pressures are equal everywhere or nowhere.
  int duplicate = 0;  ///< Lies in a face between two tetrahedra and belongs to the other one.
  int beyond = 0;     ///< Of `softening`, those with a positive pressure: bodies overlap there, beyond a crest.
  int total() const { return too_small + softening + no_plane + duplicate; }
};

enum class SurfaceStatus : std::uint8_t {
  kOk,               ///< Possibly without faces: the bodies do not touch.
  kNoPressureField,  ///< Both sides are rigid: there is no pressure to balance.
  kUnbounded,        ///< Two half spaces: the surface would be infinite.
};

/// Columns of equal length num_faces(), except where noted. Reused: clear() keeps the memory.
struct ContactSurface {
  SurfaceStatus status = SurfaceStatus::kOk;
  bool A_is_rigid = false, B_is_rigid = false;

  Column<double> area;          ///< [m²] > 0
  Column<Vec3> centroid_W;      ///< x_c [m]
  Column<double> pressure;      ///< p_c = p(x_c) [Pa]; negative in a margin's skirt, where the face waits.
  Column<Vec3> nhat_AB_W;       ///< Unit normal, out of A into B.
  Column<Vec3> grad_pA_W;       ///< ∇p_A [Pa/m]; zero if A is rigid.
  Column<Vec3> grad_pB_W;       ///< ∇p_B [Pa/m]; zero if B is rigid.
  Column<Vec3> cop_W;           ///< Centre of pressure x_p = ∫p x dA/∫p dA, in the face; x_c of a face that waits.
  Column<double> cop_pressure;  ///< p(x_p) [Pa]
  Column<int> element_A;        ///< Tetrahedron or triangle of A that holds the face; −1 for a half space.
  Column<int> element_B;

  Column<int> face_start;  ///< num_faces() + 1 offsets into the vertex columns.
  Column<Vec3> vertex_W;   ///< Counter-clockwise about n̂.
  Column<double> vertex_pressure;

  DroppedFaces dropped;
  int oversized = 0;  ///< Faces still longer than max_face_size after 12 halvings: it is too small.

  int num_faces() const { return area.size(); }
  int num_vertices() const { return vertex_W.size(); }
  void clear();

  bool presses(int face) const { return pressure[face] > 0.0; }
  /// Of the faces that press [m²].
  double total_area() const;
  /// Of those that wait [m²].
  double waiting_area() const;
  /// ∫p n̂ dA over the faces that press.
  Vec3 force_on_B_W() const;
  /// Moment of that pressure about the world origin, exact for the linear pressure.
  Vec3 moment_on_B_about_W() const;
  /// Pressure-weighted mean position of the faces that press; zero if none does.
  Vec3 center_of_pressure_W() const;
};

}  // namespace patchfield
