// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Model → the head of a recording: what does not change, once.
//
//   JSON   bodies, geoms, joints by name; how it was simulated; where to look from
//   blob   the meshes that contact really uses: vertices (f32), triangles and tetrahedra (u32), pressures (f32)
//
// Geoms are in the frame of their body, so that frames carry one pose per body that can move.

#pragma once

#include <string>
#include <vector>

#include "patchfield/sim/data.h"

namespace patchfield {

/// Bodies whose pose frames carry, rising: those that joints or mocap can move.
std::vector<int> moving_bodies(const mjModel* m);

/// Joints of one value (hinge [rad], slide [m]), rising. The others show as poses.
std::vector<int> scalar_joints(const mjModel* m);

/// The payload of the HEAD chunk.
std::string encode_model(const Data& data, const std::string& title, double frames_per_second);

}  // namespace patchfield
