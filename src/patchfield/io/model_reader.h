// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What the readers of SDF, URDF and directives share: where they write to and whom they ask.

#pragma once

#include <string>

#include "patchfield/io/assembly.h"
#include "patchfield/io/package_map.h"
#include "patchfield/io/xml_document.h"

namespace patchfield {

struct ReadContext {
  Assembly& assembly;
  PackageMap& packages;
  Diagnostics& diagnostics;
};

/// A model into the assembly, all of whose names get the prefix ("arm::" or nothing), at the pose.
struct Placement {
  std::string prefix = {};
  Pose X_WM = {};
};

/// Throws InputError unless positive and finite.
double positive(double value, const char* what, const Place& place);

/// URI and scale of a mesh as a shape. A visual mesh that cannot be found is a warning and no shape.
std::optional<LinkShape> read_mesh_reference(const std::string& uri, const Vec3& scale, bool convex, bool is_visual,
                                             const Place& place, ReadContext& context);

/// Limits as written → motion.lower and upper. Throws InputError if they are the wrong way round.
void set_limits(double lower, double upper, const Joint& joint, Diagnostics& diagnostics, Motion& motion);

/// A prismatic, revolute, … joint's motions by the word that SDF and URDF use; their axes are z. Throws InputError with
/// the types that there are.
std::vector<Motion> motions_of_type(const std::string& type, const Place& place);

}  // namespace patchfield
