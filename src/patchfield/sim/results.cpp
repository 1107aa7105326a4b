// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/sim/results.h"

#include <algorithm>

#include "patchfield/sim/contact_power.h"

namespace patchfield {
namespace {

void resize(StepResults& r, int patches, int faces) {
  PatchResults& p = r.patches;
  for (Column<int>* c : {&p.geom_A, &p.geom_B, &p.slot, &p.first_face, &p.num_faces}) c->resize(patches);
  for (Column<double>* c : {&p.area, &p.waiting_area, &p.normal_force, &p.dissipation}) c->resize(patches);
  for (Column<Vec3>* c : {&p.p_WO, &p.force_W, &p.moment_O_W, &p.p_WP, &p.moment_P_W}) c->resize(patches);
  FaceResults& f = r.faces;
  f.patch.resize(faces), f.face.resize(faces), f.sticks.resize(faces);
  for (Column<double>* c : {&f.area, &f.pressure, &f.normal_traction, &f.dissipation}) c->resize(faces);
  for (Column<Vec3>* c : {&f.centroid_W, &f.nhat_AB_W, &f.friction_W, &f.slip_velocity_W}) c->resize(faces);
}

/// Sums the points k … of one face into row `row`; returns the first point of the next face.
int collect_face(const Data& data, const Patch& patch, int patch_row, int k, int row, FaceResults& out) {
  const ContactSurface& s = patch.surface;
  const ContactSolution& sol = data.solution;
  const int first = data.problem.patch_first[patch.index], face = patch.points.face[k];
  double normal = 0.0, power = 0.0;
  Vec3 friction = Vec3::Zero(), slip = Vec3::Zero();
  int points = 0;
  bool touches = false, sticks = true;
  for (; k < patch.points.size() && patch.points.face[k] == face; ++k, ++points) {
    const int i = first + k;
    const Vec3 gamma(sol.gx[i], sol.gy[i], sol.gz[i]);
    normal += sol.gn[i];
    friction += gamma - sol.gn[i] * s.nhat_AB_W[face];
    slip += Vec3(sol.vtx[i], sol.vty[i], sol.vtz[i]);
    touches |= sol.gn[i] > 0.0;
    sticks &= sol.gn[i] == 0.0 || sol.stick[i] != 0;
    const ContactPower lost = contact_power(data, i);
    power += lost.normal + lost.friction;
  }
  const double scale = 1.0 / (data.dt * s.area[face]);
  out.patch[row] = patch_row, out.face[row] = face;
  out.centroid_W[row] = s.centroid_W[face], out.nhat_AB_W[row] = s.nhat_AB_W[face];
  out.area[row] = s.area[face], out.pressure[row] = s.pressure[face];
  out.normal_traction[row] = scale * normal;
  out.friction_W[row] = scale * friction;
  out.slip_velocity_W[row] = slip / points;
  out.sticks[row] = touches && sticks;
  out.dissipation[row] = power;
  return k;
}

void collect_patch(const Data& data, int slot, int row, int& face_row, StepResults& results) {
  const Patch& patch = *data.patches[static_cast<std::size_t>(slot)];
  PatchResults& out = results.patches;
  out.slot[row] = slot, out.geom_A[row] = patch.geom_A, out.geom_B[row] = patch.geom_B;
  out.p_WO[row] = patch.p_WO;
  out.first_face[row] = face_row, out.num_faces[row] = patch.report.faces;
  const Vec6& wrench = data.solution.patch_wrench[patch.index];
  out.moment_O_W[row] = wrench.head<3>() / data.dt;
  out.force_W[row] = wrench.tail<3>() / data.dt;

  double area = 0.0, waiting = 0.0, power = 0.0;
  for (int k = 0; k < patch.points.size(); ++face_row) {
    k = collect_face(data, patch, row, k, face_row, results.faces);
    (results.faces.pressure[face_row] > 0.0 ? area : waiting) += results.faces.area[face_row];
    power += results.faces.dissipation[face_row];
  }
  double normal = 0.0;
  Vec3 weighted = Vec3::Zero();
  const int first = data.problem.patch_first[patch.index];
  for (int k = 0; k < patch.points.size(); ++k) {
    const double gn = data.solution.gn[first + k];
    normal += gn;
    weighted += gn * Vec3(patch.points.rx[k], patch.points.ry[k], patch.points.rz[k]);
  }
  const Vec3 to_P = normal > 0.0 ? Vec3(weighted / normal) : Vec3(Vec3::Zero());
  out.area[row] = area, out.waiting_area[row] = waiting, out.dissipation[row] = power;
  out.normal_force[row] = normal / data.dt;
  out.p_WP[row] = patch.p_WO + to_P;
  out.moment_P_W[row] = out.moment_O_W[row] - to_P.cross(out.force_W[row]);
}

}  // namespace

void collect_results(const Data& data, StepResults& results) {
  int patches = 0, faces = 0;
  for (int i = 0; i < data.num_patches; ++i) {
    const Patch& patch = *data.patches[static_cast<std::size_t>(i)];
    if (patch.index < 0) continue;
    ++patches;
    faces += patch.report.faces;
  }
  resize(results, patches, faces);
  int row = 0, face_row = 0;
  for (int i = 0; i < data.num_patches; ++i)
    if (data.patches[static_cast<std::size_t>(i)]->index >= 0) collect_patch(data, i, row++, face_row, results);
}

}  // namespace patchfield
