// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/geometry/query.h"

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/geometry/tree_query.h"

namespace patchfield {
namespace {

void check_pose(const Pose& X, const char* name) {
  if (!X.is_finite())
    throw InputError(
        fmt::format("pose {} has an entry that is not finite (translation {}, {}, {}). "
                    "The state has probably diverged before this call.",
                    name, X.p[0], X.p[1], X.p[2]));
}

void compute(const Geometry& A, const Pose& X_WA, const Geometry& B, const Pose& X_WB, const SurfaceOptions& options,
             bool brute_force, SurfaceScratch& scratch, ContactSurface& surface) {
  check_pose(X_WA, "X_WA");
  check_pose(X_WB, "X_WB");
  if (!(options.max_face_size >= 0.0))
    throw InputError(fmt::format("max_face_size = {} must be zero or positive [m]", options.max_face_size));
  if (!(options.min_face_area >= 0.0))
    throw InputError(fmt::format("min_face_area = {} must be zero or positive [m²]", options.min_face_area));
  surface.clear();
  surface.A_is_rigid = A.is_rigid();
  surface.B_is_rigid = B.is_rigid();
  if (A.is_rigid() && B.is_rigid()) {
    surface.status = SurfaceStatus::kNoPressureField;
    return;
  }
  if (A.half_space() && B.half_space()) {
    surface.status = SurfaceStatus::kUnbounded;
    return;
  }
  // M is the side that is cut: never a half space, and compliant if the other is a mesh too.
  const bool flip = A.half_space().has_value() || (A.is_rigid() && !B.half_space());
  const Geometry &M = flip ? B : A, &N = flip ? A : B;
  const Pose &X_WM = flip ? X_WB : X_WA, &X_WN = flip ? X_WA : X_WB;
  const Pose X_MN = X_WM.inverse() * X_WN;

  if (N.half_space()) {
    const TreeAndHalfSpace pair{M.tree(), *N.half_space(), X_WM, X_MN, flip, options};
    (brute_force ? intersect_half_space_all_elements : intersect_half_space)(pair, scratch, surface);
  } else {
    const TreePair pair{M.tree(), N.tree(), X_WM, X_MN, flip, options};
    (brute_force ? intersect_all_elements : intersect_trees)(pair, scratch, surface);
  }
}

}  // namespace

void compute_contact_surface(const Geometry& A, const Pose& X_WA, const Geometry& B, const Pose& X_WB,
                             const SurfaceOptions& options, SurfaceScratch& scratch, ContactSurface& surface) {
  compute(A, X_WA, B, X_WB, options, false, scratch, surface);
}

void compute_surface_in_half_space(const Geometry& body, const Pose& X_WBody, const HalfSpaceField& field,
                                   const Pose& X_WH, bool body_is_A, const SurfaceOptions& options,
                                   SurfaceScratch& scratch, ContactSurface& surface) {
  PATCHFIELD_ASSERT(body.is_rigid() && !body.half_space() && field.slope > 0.0);
  check_pose(X_WBody, "X_WBody");
  check_pose(X_WH, "X_WH");
  surface.clear();
  surface.A_is_rigid = body_is_A;
  surface.B_is_rigid = !body_is_A;
  intersect_half_space({body.tree(), field, X_WBody, X_WBody.inverse() * X_WH, !body_is_A, options}, scratch, surface);
}

void compute_contact_surface_by_brute_force(const Geometry& A, const Pose& X_WA, const Geometry& B, const Pose& X_WB,
                                            const SurfaceOptions& options, SurfaceScratch& scratch,
                                            ContactSurface& surface) {
  compute(A, X_WA, B, X_WB, options, true, scratch, surface);
}

ContactSurface contact_surface(const Geometry& A, const Pose& X_WA, const Geometry& B, const Pose& X_WB,
                               const SurfaceOptions& options) {
  SurfaceScratch scratch;
  ContactSurface surface;
  compute_contact_surface(A, X_WA, B, X_WB, options, scratch, surface);
  return surface;
}

}  // namespace patchfield
