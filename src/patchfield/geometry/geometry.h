// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A shape made ready for contact: meshed once, immutable, cheap to copy and to share.

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "patchfield/geometry/element_tree.h"
#include "patchfield/geometry/shapes.h"

namespace patchfield {

struct Aabb {
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 upper = Vec3::Constant(-std::numeric_limits<double>::infinity());
};

/// A half space z ≤ 0. Rigid if slope is zero.
struct HalfSpaceField {
  double slope = 0.0;   ///< E/thickness [Pa/m]; 0 for a rigid one.
  double margin = 0.0;  ///< [m] The field goes on, negative, this far outside.
};

class Geometry {
 public:
  /// Throws InputError naming what is wrong with the shape or the parameters.
  static Geometry compliant(const Shape& shape, const Compliance& compliance = {});
  /// `resolution`: as in Compliance.
  static Geometry rigid(const Shape& shape, std::optional<double> resolution = std::nullopt);

  bool is_rigid() const { return data_->rigid; }
  const std::optional<HalfSpaceField>& half_space() const { return data_->half_space; }
  const Aabb& bounds() const { return data_->bounds; }     ///< In the shape's frame; infinite for a half space.
  const ElementTree& tree() const { return data_->tree; }  ///< Empty for a half space.

  /// What the shape became: tetrahedra with pressures, or surface triangles. Empty for a half space.
  const PressureMesh& volume() const { return data_->volume; }
  const TriangleMesh& surface() const { return data_->surface; }
  const MeshRepairs& repairs() const { return data_->repairs; }  ///< Of a compliant tetrahedral mesh.
  std::string_view name() const { return data_->name; }

 private:
  struct Data {
    bool rigid = false;
    std::string_view name;
    std::optional<HalfSpaceField> half_space;
    PressureMesh volume;
    MeshRepairs repairs;
    TriangleMesh surface;
    ElementTree tree;
    Aabb bounds;
  };
  std::shared_ptr<const Data> data_;
};

}  // namespace patchfield
