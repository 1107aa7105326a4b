// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What a simulation is made of: a MuJoCo model, a pressure field for some of its geoms, and the rule for
// every pair of geoms. Immutable and cheap to copy; many Datas share one.
//
//   MJCF ─► mjModel ─┬─► Geom per geom: rigid, compliant, or without a shape of ours; its material
//   texts, API ──────┘      └─► PairTable: patch, point or none for every pair

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <mujoco/mujoco.h>

#include "patchfield/contact/material.h"
#include "patchfield/geometry/geometry.h"
#include "patchfield/model/field_ladder.h"
#include "patchfield/model/geom_settings.h"
#include "patchfield/model/pair_friction.h"
#include "patchfield/model/pair_table.h"
#include "patchfield/model/volume_request.h"

namespace patchfield {

/// Two rigid geoms have no pressure to balance. What then?
enum class RigidRigid {
  kPoint,      ///< MuJoCo's point contacts.
  kCompliant,  ///< One side gets ModelOptions::default_modulus, for this pair alone.
  kError,      ///< The model is refused, naming the pair.
};

struct ModelOptions {
  RigidRigid rigid_rigid = RigidRigid::kPoint;
  double default_modulus = 1e7;  ///< [Pa] > 0
  /// By geom name; wins over the model's texts.
  std::map<std::string, GeomSettings> geoms = {};
  std::map<int, GeomSettings> geoms_by_id = {};  ///< The same by geom id, for geoms without a name; wins over `geoms`.
  FrictionRule friction_rule = FrictionRule::kAutomatic;
  /// Makes the tetrahedra of compliant meshes; none: they are refused. io/volume_maker.h has one.
  VolumeSource make_volume = {};
  /// Of whoever made the mjModel; warnings() begins with them.
  std::vector<std::string> import_warnings = {};
};

/// One geom of the MuJoCo model, same index.
struct Geom {
  std::string name;
  bool compliant = false;
  std::optional<Geometry> geometry = std::nullopt;       ///< None if no patch can involve the geom.
  std::optional<Geometry> soft_geometry = std::nullopt;  ///< For rigid–rigid pairs under RigidRigid::kCompliant.
  std::shared_ptr<const FieldLadder> ladder = nullptr;   ///< Of the compliant one of the two; none for a plane.
  GeomSettings settings = {};                            ///< What was said about it.
  SurfaceMaterial material = {};
  std::optional<double> resolution = std::nullopt;  ///< Edge length used, given or default [m]; none: not meshed by it.
  double margin = 0.0;                              ///< Skirt of a compliant geom [m].
  double soft_modulus = 0.0;                        ///< Of soft_geometry [Pa].
  double size = 0.0;                                ///< Longest way through the shape [m]; ∞ for a plane.
  Aabb box = {};                                    ///< Of all its geometries, in the geom's frame.
  double radius = 0.0;  ///< Of a ball about the geom's origin that holds them [m]; ∞ for a plane.
};

/// The two sides of a patch.
struct PatchPair {
  const Geometry* A;
  const Geometry* B;
  PairMaterial material;
  double max_overlap;                     ///< No overlap is longer than the smaller body [m].
  const FieldLadder* ladder_A = nullptr;  ///< Of a side that is compliant here and no half space.
  const FieldLadder* ladder_B = nullptr;
};

/// Replacements for the mjModel's columns of the same names.
struct CollisionMasks {
  std::vector<int> geom_contype, geom_conaffinity;
  std::vector<int> body_contype, body_conaffinity;
};

class Model {
 public:
  /// All throw InputError: MuJoCo's own text if it refuses the model, or what is wrong with the compliance.
  static Model load(const std::string& path, const ModelOptions& options = {});
  static Model parse(const std::string& xml, const ModelOptions& options = {});
  static Model adopt(mjModel* m, const ModelOptions& options = {});         ///< Takes ownership.
  static Model borrow(const mjModel* m, const ModelOptions& options = {});  ///< m must outlive the Model.

  const mjModel* mujoco() const { return parts_->mujoco.get(); }
  int num_geoms() const { return static_cast<int>(parts_->geoms.size()); }
  const Geom& geom(int i) const { return parts_->geoms[static_cast<std::size_t>(i)]; }
  const PairTable& pairs() const { return parts_->pairs; }
  PatchPair patch_pair(int g1, int g2) const;
  /// By the friction of the geoms as it is now in the mjModel, and what was given beside it.
  double pair_mu(int g1, int g2) const;
  /// Does the pair have another coefficient than MuJoCo finds by itself?
  bool has_own_mu(int g1, int g2) const {
    return parts_->harmonic || geom(g1).settings.mu.has_value() || geom(g2).settings.mu.has_value();
  }
  /// Throws InputError if something was changed in the mjModel that is read only when a Model is made: collision masks,
  /// and sizes of geoms that have patches.
  void require_unchanged() const;

  bool has_patches() const { return parts_->has_patches; }
  bool has_points() const { return parts_->has_points; }
  /// The least that a pair of this model resolves [m]: foundation depth and margin; ∞ if there is no compliant body.
  double least_depth() const { return parts_->least_depth; }
  /// Collision masks with the geoms silenced that have patches alone: for MuJoCo's own collision.
  const CollisionMasks& point_masks() const { return parts_->point_masks; }

  /// What was understood but cannot be honoured, in words. Never silent.
  const std::vector<std::string>& warnings() const { return parts_->warnings; }

 private:
  struct Parts {
    std::shared_ptr<const mjModel> mujoco;
    std::vector<Geom> geoms;
    PairTable pairs;
    std::map<std::pair<int, int>, int> explicit_pairs;  ///< Index of the <pair>, by (smaller, larger) geom.
    bool harmonic = false;                              ///< Rule of friction.
    std::vector<int> contype, conaffinity;              ///< When it was made.
    std::vector<std::pair<int, Vec3>> sizes;            ///< Of geoms with patches.
    CollisionMasks point_masks;
    bool has_patches = false, has_points = false;
    double least_depth = std::numeric_limits<double>::infinity();
    std::vector<std::string> warnings;
  };
  friend class ModelBuilder;
  std::shared_ptr<const Parts> parts_;
};

}  // namespace patchfield
