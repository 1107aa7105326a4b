// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/contact_surface.h"

namespace patchfield {

const char* to_string(Tessellation tessellation) {
  return tessellation == Tessellation::kPolygon ? "polygon" : "triangle";
}

void ContactSurface::clear() {
  status = SurfaceStatus::kOk;
  A_is_rigid = B_is_rigid = false;
  area.clear(), centroid_W.clear(), pressure.clear(), nhat_AB_W.clear();
  grad_pA_W.clear(), grad_pB_W.clear(), cop_W.clear(), cop_pressure.clear();
  element_A.clear(), element_B.clear();
  vertex_W.clear(), vertex_pressure.clear();
  face_start.clear();
  face_start.push_back(0);
  dropped = {};
  oversized = 0;
}

double ContactSurface::total_area() const {
  double sum = 0.0;
  for (int f = 0; f < num_faces(); ++f) sum += presses(f) ? area[f] : 0.0;
  return sum;
}

double ContactSurface::waiting_area() const {
  double sum = 0.0;
  for (int f = 0; f < num_faces(); ++f) sum += presses(f) ? 0.0 : area[f];
  return sum;
}

Vec3 ContactSurface::force_on_B_W() const {
  Vec3 force = Vec3::Zero();
  for (int f = 0; f < num_faces(); ++f)
    if (presses(f)) force += area[f] * pressure[f] * nhat_AB_W[f];
  return force;
}

Vec3 ContactSurface::moment_on_B_about_W() const {
  // ∫p x×n̂ dA = x_p × (A p_c n̂): the centre of pressure makes the one-point rule exact.
  Vec3 moment = Vec3::Zero();
  for (int f = 0; f < num_faces(); ++f)
    if (presses(f)) moment += cop_W[f].cross(area[f] * pressure[f] * nhat_AB_W[f]);
  return moment;
}

Vec3 ContactSurface::center_of_pressure_W() const {
  Vec3 sum = Vec3::Zero();
  double weight = 0.0;
  for (int f = 0; f < num_faces(); ++f) {
    if (!presses(f)) continue;
    sum += area[f] * pressure[f] * cop_W[f];
    weight += area[f] * pressure[f];
  }
  return weight > 0.0 ? Vec3(sum / weight) : Vec3(Vec3::Zero());
}

}  // namespace patchfield
