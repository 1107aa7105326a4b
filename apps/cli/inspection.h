// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Model → what it became, in rows: the numbers behind `patchfield inspect`.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "patchfield/contact/dissipation.h"
#include "patchfield/geometry/mesh_quality.h"
#include "patchfield/io/tetrahedralize.h"
#include "patchfield/model/model.h"

namespace patchfield::cli {

struct InspectOptions {
  double load = 10.0;                                  ///< Of the press [N].
  std::optional<double> allowed_depth = std::nullopt;  ///< [m]; asks for the modulus that keeps it under the load.
  double drop = 0.1;                                   ///< For the rebound [m].
  std::optional<double> restitution = std::nullopt;    ///< Asks for the dissipation that has it after the drop.
};

inline constexpr double kRollingSpeed = 0.5;      ///< From which bodies coast [m/s].
inline constexpr double kStandardGravity = 9.81;  ///< Where a model has none [m/s²].

/// How the field of a compliant body answers loads, pressed onto a rigid plane as it lies. None where there is no
/// answer: nothing to weigh, or no depth that carries the load.
struct LoadAnswers {
  std::optional<double> weight = std::nullopt;             ///< [N]
  std::optional<double> depth_by_weight = std::nullopt;    ///< [m]
  std::optional<double> depth_by_press = std::nullopt;     ///< [m]
  std::optional<double> suggested_modulus = std::nullopt;  ///< [Pa]
};

/// What the dissipation does to motion on a rigid plane (contact/dissipation.h). None for what cannot move or roll.
struct MotionAnswers {
  std::optional<double> restitution = std::nullopt;  ///< Share of the speed after the drop.
  std::optional<double> rebound = std::nullopt;      ///< Height [m].
  std::optional<CoastDown> coast = std::nullopt;     ///< From kRollingSpeed.
};

struct GeomRow {
  int geom = 0;
  std::string name, body;
  std::string read;    ///< "box 0.1 × 0.1 × 0.1", "mesh bowl (hull)"
  std::string became;  ///< "1897 tetrahedra", "12 triangles", "half space", "points only"
  bool compliant = false;
  int num_tets = 0, num_triangles = 0;
  std::optional<double> resolution = std::nullopt;  ///< Edge length of the mesh, given or default [m].
  std::optional<double> depth = std::nullopt, modulus = std::nullopt;  ///< Foundation depth [m], highest pressure [Pa].
  double mu = 0.0, hunt_crossley = 0.0, relaxation_time = 0.0, margin = 0.0;
  /// Approach that it resolves in one step of the model against a rigid partner without looking ahead [m/s].
  std::optional<double> resolved_speed = std::nullopt;
  bool has_default_dissipation = false;  ///< No hunt_crossley was given.
  int num_patches = 0, num_points = 0;   ///< Pairs that it is part of.
  LoadAnswers loads;
  MotionAnswers motion;
  MeshRepairs repairs;  ///< Of a compliant mesh; of a rigid one, its triangles without area.
};

struct PairRow {
  std::string A, B;
  std::string kind;  ///< "compliant" (both), "rigid" (one side), "point"
};

struct ModelInspection {
  std::vector<GeomRow> geoms;  ///< Those that may touch something.
  int num_visual = 0;          ///< Those that may not.
  std::vector<PairRow> pairs;
};
ModelInspection inspect(const Model& model, const InspectOptions& options);

/// For a compliant geom that can move and is no half space. `d` has the kinematics of the initial state.
MotionAnswers ask_motion(const Model& model, const mjData* d, int geom, const InspectOptions& options);

/// What a mesh file holds and what it would become.
struct MeshInspection {
  bool is_volume = false;
  int num_vertices = 0, num_triangles = 0;
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();  ///< Its box [m].
  SurfaceQuality surface;
  std::string rigid_verdict, compliant_verdict;  ///< "yes", or "no: …" with the reason.
  bool works_compliant = false;
  std::string pressure_name;  ///< Of a volume with pressures of its own.
  TetQuality tets;            ///< If works_compliant.
  std::optional<double> modulus = std::nullopt;
  LoadAnswers loads;
  MeshRepairs repairs;
  std::vector<std::string> warnings;
};
MeshInspection inspect_mesh(const std::string& path, const TetrahedralizeOptions& mesher,
                            const InspectOptions& options);

}  // namespace patchfield::cli
