// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A Model → SDF 1.9 with Drake's proximity properties: the way back of sdf_reader.h.
//
//   body         link of the same name; its pose is that at zero joint positions
//   joint        revolute, continuous, prismatic, ball; none above the world: the link is free
//   world geom   a link of its own, welded to the world: SDF filters collisions by links, MuJoCo by geoms
//   geom         collision with its proximity properties, and a visual; drawn geoms are visuals alone
//   motor        effort limit of its joint; a position servo: drake:controller_gains
//   filters      links none of whose geoms may meet: drake:collision_filter_group
//
// What SDF has no words for is returned as a list, never dropped in silence.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "patchfield/model/model.h"

namespace patchfield {

struct SdfExport {
  std::string text;
  std::map<std::string, std::string> meshes;  ///< File name → OBJ text, to be written beside the SDF.
  std::vector<std::string> unsaid;            ///< What the SDF does not say, one sentence each.
};

/// `stem` begins the names of mesh files. Throws InputError for what makes another machine of it: a body with several
/// joints, a mesh geom whose pressure field comes from a file.
SdfExport write_sdf(const Model& model, const std::string& stem);

}  // namespace patchfield
