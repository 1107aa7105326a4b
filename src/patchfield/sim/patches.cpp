// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Poses of geoms → contact surfaces → points → patches of the problem.
//
// Pairs are found and ordered on one thread; each pair then fills its own slot on any thread; the slots are
// copied into the problem in order. So the problem has the same bits for any number of threads.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "patchfield/core/check.h"
#include "patchfield/sim/body_motion.h"
#include "patchfield/sim/rescue.h"
#include "patchfield/sim/stages.h"

namespace patchfield {
namespace {

Pose geom_pose(const mjData* d, int geom) { return {mat3(d->geom_xmat + 9 * geom), vec3(d->geom_xpos + 3 * geom)}; }

void update_boxes(Data& data) {
  const int n = data.model.num_geoms();
  data.boxes.resize(n);
  for (int g = 0; g < n; ++g) {
    const Geom& geom = data.model.geom(g);
    const std::optional<Geometry>& body = geom.soft_geometry ? geom.soft_geometry : geom.geometry;
    data.boxes[g] = body ? world_box(*body, geom_pose(data.d(), g)) : Aabb{};
  }
}

/// Does a half space reach the other geom's ball and box?
bool reaches(const Data& data, int plane, double margin, int other) {
  const mjData* d = data.d();
  const Geom& geom = data.model.geom(other);
  const Vec3 up = mat3(d->geom_xmat + 9 * plane).col(2);
  const double height = up.dot(vec3(d->geom_xpos + 3 * other) - vec3(d->geom_xpos + 3 * plane));
  if (height > geom.radius + margin) return false;
  const Vec3 up_G = mat3(d->geom_xmat + 9 * other).transpose() * up;
  const Vec3 center = 0.5 * (geom.box.lower + geom.box.upper), half = 0.5 * (geom.box.upper - geom.box.lower);
  return height + up_G.dot(center) - up_G.cwiseAbs().dot(half) <= margin;
}

/// Two boxes, each aligned with its own geom, are apart if one of these separates them: the axes of A, those of B,
/// and their cross products (Gottschalk).
bool boxes_apart(const Data& data, int g1, int g2) {
  const mjData* d = data.d();
  const Geom &A = data.model.geom(g1), &B = data.model.geom(g2);
  const auto R_A = mat3(d->geom_xmat + 9 * g1), R_B = mat3(d->geom_xmat + 9 * g2);
  const Vec3 half_A = 0.5 * (A.box.upper - A.box.lower), half_B = 0.5 * (B.box.upper - B.box.lower);
  const Mat3 R = R_A.transpose() * R_B;
  const Mat3 abs_R = R.cwiseAbs();
  const Vec3 t = R_A.transpose() * (vec3(d->geom_xpos + 3 * g2) - vec3(d->geom_xpos + 3 * g1)) +
                 R * (0.5 * (B.box.lower + B.box.upper)) - 0.5 * (A.box.lower + A.box.upper);
  const Vec3 t_B = R.transpose() * t;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(t[i]) > half_A[i] + abs_R.row(i).dot(half_B)) return true;
    if (std::abs(t_B[i]) > half_B[i] + abs_R.col(i).dot(half_A)) return true;
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double reach =
          half_A[i1] * abs_R(i2, j) + half_A[i2] * abs_R(i1, j) + half_B[j1] * abs_R(i, j2) + half_B[j2] * abs_R(i, j1);
      if (std::abs(t[i2] * R(i1, j) - t[i1] * R(i2, j)) > reach + 1e-12) return true;  // parallel edges: 0 > 0
    }
  return false;
}

/// The broad phase compares boxes aligned with the world. Half of the pairs that it lets through in a heap of things
/// do not meet, and finding that out from the trees costs a hundred times as much as this.
bool may_touch(const Data& data, int g1, int g2) {
  if (data.model.pairs()(g1, g2) != PairKind::kPatch) return false;
  for (const auto& [plane, other] : {std::pair{g1, g2}, std::pair{g2, g1}})
    if (const auto& half_space = data.model.geom(plane).geometry->half_space())
      return reaches(data, plane, half_space->margin, other);
  const double reach = data.model.geom(g1).radius + data.model.geom(g2).radius;
  const Vec3 apart = vec3(data.d()->geom_xpos + 3 * g2) - vec3(data.d()->geom_xpos + 3 * g1);
  return apart.squaredNorm() <= reach * reach && !boxes_apart(data, g1, g2);
}

/// Motion of B relative to A at o, at the start of the step.
Vec6 relative_twist(const Data& data, const Patch& patch) {
  const mjModel* m = data.m();
  const mjData* d = data.d();
  Vec6 V = Vec6::Zero();
  for (const auto& [geom, sign] : {std::pair{patch.geom_A, -1.0}, std::pair{patch.geom_B, 1.0}}) {
    const int body = m->geom_bodyid[geom];
    if (m->body_treeid[body] < 0) continue;
    Vec6 twist = body_twist(m, d, body, d->qvel);
    twist.tail<3>() += twist.head<3>().cross(patch.p_WO - vec3(d->subtree_com + 3 * m->body_rootid[body]));
    V += sign * twist;
  }
  return V;
}

/// A convex body, whose overlap with another one has a direction.
bool is_convex(const Data& data, int geom, const FieldLadder* ladder) {
  const int type = data.m()->geom_type[geom];
  return ladder != nullptr ? ladder->is_convex() : type >= mjGEOM_SPHERE && type <= mjGEOM_BOX;
}

/// Does the box of `geom` hold the middle of the other's?
bool box_holds_middle(const Data& data, int geom, const Pose& X_WG, int other, const Pose& X_WO) {
  const Aabb &box = data.model.geom(geom).box, &others = data.model.geom(other).box;
  const Vec3 x = X_WG.R.transpose() * (X_WO * Vec3(0.5 * (others.lower + others.upper)) - X_WG.p);
  return (box.lower.array() <= x.array()).all() && (x.array() <= box.upper.array()).all();
}

/// Cheap questions first: most pairs without a pressing face are merely near each other.
bool may_need_way_out(const Data& data, const Patch& patch) {
  if (patch.pair.A->half_space() || patch.pair.B->half_space()) return false;
  const bool presses = patch.report.faces > patch.report.waiting;
  const bool in_A = box_holds_middle(data, patch.geom_A, patch.X_WA, patch.geom_B, patch.X_WB);
  const bool in_B = box_holds_middle(data, patch.geom_B, patch.X_WB, patch.geom_A, patch.X_WA);
  if (!in_A && !in_B && (presses || patch.surface.dropped.beyond == 0)) return false;
  return is_convex(data, patch.geom_A, patch.pair.ladder_A) && is_convex(data, patch.geom_B, patch.pair.ladder_B);
}

/// The sides with skirts as wide as patch.reach asks for.
void widen(Patch& patch) {
  PatchPair& pair = patch.pair;
  const auto slope = [](const FieldLadder* ladder) {
    return ladder != nullptr ? ladder->slope() : std::numeric_limits<double>::infinity();
  };
  const double g_A = slope(pair.ladder_A), g_B = slope(pair.ladder_B);
  if (pair.ladder_A != nullptr) pair.A = &pair.ladder_A->at_least(skirt_share(g_A, g_B) * patch.reach);
  if (pair.ladder_B != nullptr) pair.B = &pair.ladder_B->at_least(skirt_share(g_B, g_A) * patch.reach);
}

void find_surface(const Data& data, const SurfaceOptions& options, SurfaceScratch& scratch, Patch& patch) {
  if (patch.pair.A->half_space() || patch.pair.B->half_space()) {
    patch.rescued = is_below_crest(data, patch);
    patch.in_plane = patch.rescued || patch.reach > 0.0;
    if (patch.in_plane) return find_surface_in_plane(options, scratch, patch);
  } else if (patch.reach > 0.0) {
    widen(patch);
  }
  compute_contact_surface(*patch.pair.A, patch.X_WA, *patch.pair.B, patch.X_WB, options, scratch, patch.surface);
}

/// A rigid body that arrives at a larger soft one: the corners of its faces are its own.
bool arrives_rigid(const Data& data, const Patch& patch) {
  if (patch.reach == 0.0) return false;
  const double size_A = data.model.geom(patch.geom_A).size, size_B = data.model.geom(patch.geom_B).size;
  return size_A < size_B ? patch.pair.A->is_rigid() : patch.pair.B->is_rigid();
}

void make_points(const Data& data, Patch& patch) {
  patch.p_WO = patch_origin(patch.surface);
  patch.points.clear();
  patch.report = append_contacts(patch.surface, patch.p_WO,
                                 {.quadrature = data.options.quadrature,
                                  .at_corners = patch.in_plane || arrives_rigid(data, patch),
                                  .max_overlap = patch.pair.max_overlap},
                                 patch.points);
}

/// The part of a patch that depends on δt.
void convect(const Data& data, Patch& patch) {
  // The patch of a body that arrives does not move along with it: what waits must not be carried away from it.
  if (data.options.pressure_rate == PressureRate::kConvected && patch.reach == 0.0 && !patch.rescued) {
    find_convection(patch.points, relative_twist(data, patch), data.dt, patch.convection);
    carry_along(patch.convection, data.dt, patch.points);
  } else {
    for (Column<double>* c : {&patch.convection.pattern, &patch.convection.sliding})
      c->assign(patch.points.size(), 0.0);
  }
}

void fill(Data& data, int candidate, SurfaceScratch& scratch, Patch& patch) {
  const IndexPair& geoms = data.candidates[candidate];
  patch.geom_A = geoms.first, patch.geom_B = geoms.second;
  patch.reach = data.reaches[candidate], patch.rescued = patch.in_plane = false;
  patch.pair = data.model.patch_pair(geoms.first, geoms.second);
  patch.X_WA = geom_pose(data.d(), geoms.first), patch.X_WB = geom_pose(data.d(), geoms.second);
  SurfaceOptions options = data.options.surface;
  options.min_face_area = std::max(options.min_face_area, kMinFaceArea);  // append_contacts() would leave them out
  find_surface(data, options, scratch, patch);
  make_points(data, patch);
  if (may_need_way_out(data, patch) && needs_way_out(patch) && find_way_out(options, scratch, patch)) {
    patch.rescued = patch.in_plane = true;
    make_points(data, patch);
  }
  convect(data, patch);
  patch.index = patch.contact = -1;
}

void append(const Column<double>& from, Column<double>& to) {
  const int first = to.size();
  to.resize(first + from.size());
  std::memcpy(to.data() + first, from.data(), sizeof(double) * static_cast<std::size_t>(from.size()));
}

void append_points(const Patch& patch, ContactProblem& to) {
  const ContactPoints& from = patch.points;
  append(from.rx, to.rx), append(from.ry, to.ry), append(from.rz, to.rz);
  append(from.nx, to.nx), append(from.ny, to.ny), append(from.nz, to.nz);
  append(from.k, to.k), append(from.phi0, to.phi0);
  append(patch.convection.pattern, to.convection), append(patch.convection.sliding, to.sliding);
  to.patch_count.back() += from.size();
}

void grow_boxes(Data& data, const Column<GeomMotion>& motion) {
  for (int g = 0; g < data.boxes.size(); ++g) {
    const Vec3 way = Vec3::Constant(2.0 * travel(data, g, motion[g]));
    data.boxes[g].lower -= way, data.boxes[g].upper += way;
  }
}

/// Pairs that touch or may come to touch within the step, and how far ahead each must look.
void find_candidates(Data& data) {
  const bool fast = find_motions(data, data.d()->qvel, data.motion);
  if (fast) grow_boxes(data, data.motion);
  if (data.knows_end) grow_boxes(data, data.motion_end);
  for (const IndexPair& pair : data.broad_phase.find_pairs(data.boxes)) {
    Look look;
    if ((fast || data.knows_end) && data.model.pairs()(pair.first, pair.second) == PairKind::kPatch) {
      if (fast) look = look_ahead(data, pair, data.motion);
      if (data.knows_end) {
        const Look end = look_ahead(data, pair, data.motion_end);
        look = {look.meets || end.meets, std::max(look.reach, end.reach), std::max(look.parts, end.parts)};
      }
    }
    if (look.reach == 0.0 && !may_touch(data, pair.first, pair.second)) continue;
    data.candidates.push_back(pair), data.reaches.push_back(look.reach);
    data.parts = std::max(data.parts, look.parts);
  }
}

}  // namespace

void find_patches(Data& data) {
  data.candidates.clear(), data.reaches.clear();
  data.parts = 1;
  data.num_patches = 0;
  if (!data.model.has_patches() || (data.m()->opt.disableflags & (mjDSBL_CONTACT | mjDSBL_CONSTRAINT)) != 0) return;
  update_boxes(data);
  find_candidates(data);
  if (data.parts > 1 && data.may_split) return;  // they will be sought again with a shorter step
  const int n = data.candidates.size();
  while (static_cast<int>(data.patches.size()) < n) data.patches.push_back(std::make_unique<Patch>());

  data.threads.for_each(n, [&](int i) {
    data.surface_scratch.with(
        [&](SurfaceScratch& scratch) { fill(data, i, scratch, *data.patches[static_cast<std::size_t>(i)]); });
  });
  data.num_patches = n;  // not before: if one throws, the slots after it still describe an earlier step
}

bool needs_wider_look(Data& data) {
  if (!data.model.has_patches() || !find_motions(data, data.solution.v.data(), data.motion_end)) return false;
  update_boxes(data);
  grow_boxes(data, data.motion_end);
  int next = 0;  // both lists are sorted
  for (const IndexPair& pair : data.broad_phase.find_pairs(data.boxes)) {
    if (data.model.pairs()(pair.first, pair.second) != PairKind::kPatch) continue;
    const auto before = [](const IndexPair& a, const IndexPair& b) {
      return a.first < b.first || (a.first == b.first && a.second < b.second);
    };
    while (next < data.candidates.size() && before(data.candidates[next], pair)) ++next;
    const bool found = next < data.candidates.size() && !before(pair, data.candidates[next]);
    // A little more than was looked for does not matter: kSpare of look_ahead.cpp.
    const Look look = look_ahead(data, pair, data.motion_end);
    if (look.meets && look.reach > 1.1 * (found ? data.reaches[next] : 0.0)) return true;
  }
  return false;
}

void retime_patches(Data& data) {
  data.threads.for_each(data.num_patches, [&](int i) {
    Patch& patch = *data.patches[static_cast<std::size_t>(i)];
    make_points(data, patch);
    convect(data, patch);
    patch.index = -1;
  });
}

int add_patch(Data& data, int body_A, int body_B, const Vec3& p_WO, const PairMaterial& material) {
  const mjModel* m = &data.step_model;
  const mjData* d = data.d();
  const int tree_A = m->body_treeid[body_A], tree_B = m->body_treeid[body_B];
  if (tree_A < 0 && tree_B < 0) return -1;
  const int tree0 = tree_A >= 0 ? tree_A : tree_B;
  const int tree1 = tree_A >= 0 && tree_B >= 0 && tree_A != tree_B ? tree_B : -1;
  ContactProblem& p = data.problem;
  const int index = p.add_patch(tree0, tree1, {material.mu, material.tau, material.hunt_crossley});
  const auto block = [&](int tree) { return p.J.data() + (tree == tree0 ? p.patch_J0[index] : p.patch_J1[index]); };
  if (tree_A >= 0) add_body_jacobian(m, d, body_A, p_WO, -1.0, block(tree_A));
  if (tree_B >= 0) add_body_jacobian(m, d, body_B, p_WO, 1.0, block(tree_B));
  return index;
}

void assemble_contacts(Data& data) {
  const mjModel* m = &data.step_model;
  for (int i = 0; i < data.num_patches; ++i) {
    Patch& patch = *data.patches[static_cast<std::size_t>(i)];
    if (patch.points.size() == 0) continue;
    patch.index =
        add_patch(data, m->geom_bodyid[patch.geom_A], m->geom_bodyid[patch.geom_B], patch.p_WO, patch.pair.material);
    PATCHFIELD_ASSERT(patch.index >= 0);
    append_points(patch, data.problem);
  }
  assemble_point_contacts(data);
}

}  // namespace patchfield
