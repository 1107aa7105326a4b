// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What SDF, URDF and directives have in common: links, joints between them, shapes on them. Readers fill it,
// build_spec (spec_builder.h) turns it into MuJoCo's terms.
//
//            X_PJ            motions            X_CJ
//   link P ────────► frame J ═══════► frame J' ◄──────── link C       X_PC(q) = X_PJ · M₁(q₁) · M₂(q₂) … · X_CJ⁻¹
//
// A joint is a list of motions: none for a weld, one for a hinge, two for a universal joint, three for a planar one.

#pragma once

#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "patchfield/core/types.h"
#include "patchfield/geometry/shapes.h"
#include "patchfield/io/diagnostics.h"
#include "patchfield/model/geom_settings.h"

namespace patchfield {

/// Index of a link that is none: the world.
inline constexpr int kWorld = -1;
inline constexpr int kNoLink = -2;  ///< No link of that name.

/// A mesh file as a shape. Its content is read by build_spec.
struct MeshFile {
  std::filesystem::path file;
  Vec3 scale = Vec3::Ones();  ///< Negative mirrors.
  bool convex = false;        ///< declare_convex: its hull may stand for it.
};

/// Plane: z ≤ 0 of its frame; the sizes are for drawing only, 0 is infinite.
struct PlanePatch {
  double x = 0.0, y = 0.0;
};

using LinkShape = std::variant<Sphere, Box, Cylinder, Capsule, Ellipsoid, PlanePatch, ConvexHull, MeshFile>;

struct Visual {
  Place place;
  Pose X_LG;
  LinkShape shape;
  std::array<float, 4> rgba = {0.5F, 0.5F, 0.5F, 1.0F};
};

struct Collision {
  std::string name;  ///< May be empty.
  Place place;
  Pose X_LG;
  LinkShape shape;
  std::optional<GeomSettings> contact = std::nullopt;  ///< None: nothing was said but perhaps friction.
  double mu = 1.0;
  std::optional<int> mask = std::nullopt;        ///< SDF's collide_bitmask.
  std::optional<double> density = std::nullopt;  ///< [kg/m³], for inertia from shapes.
};

/// Mass [kg] and inertia [kg·m²] about the centre of mass, in the axes of I.
struct Inertial {
  Place place = {};
  double mass = 0.0;
  Pose X_LI = {};
  Mat3 inertia = Mat3::Zero();
};

struct Link {
  std::string name;  ///< Scoped: "arm::hand".
  Place place;
  Pose X_WL;  ///< Of a root. Other links stand where their joints put them.
  std::optional<Inertial> inertial = std::nullopt;
  bool inertia_from_shapes = false;  ///< Computed by MuJoCo from the collisions and their densities.
  bool is_static = false;            ///< Welded to the world where it stands; joints to it are ignored.
  bool gravity = true;
  std::vector<Collision> collisions;
  std::vector<Visual> visuals;
};

enum class MotionKind { kHinge, kSlide, kBall, kFree };

/// Copies another joint's coordinate: q = multiplier·q_other + offset.
struct Mimic {
  std::string joint;
  double multiplier = 1.0, offset = 0.0;
};

/// Position servo on a joint.
struct PositionGains {
  double p = 0.0, d = 0.0;
};

/// One degree of freedom (three for a ball, six for a free motion) along or about an axis of J.
struct Motion {
  MotionKind kind = MotionKind::kHinge;
  std::string suffix = {};  ///< Of the MuJoCo joint's name: "_x"; empty for the only motion.
  Vec3 axis = Vec3::UnitZ();
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  std::optional<double> limit_stiffness = std::nullopt;    ///< [N/m or N·m/rad]; none: MuJoCo's own soft limit.
  std::optional<double> limit_dissipation = std::nullopt;  ///< [N·s/m or N·m·s/rad]; none: critical.
  double damping = 0.0, friction = 0.0, spring_stiffness = 0.0, spring_reference = 0.0;
  double armature = 0.0;          ///< Reflected inertia of the rotor, gear_ratio²·rotor_inertia.
  double initial_position = 0.0;  ///< Where a simulation starts.
  bool has_actuator = false;
  std::string actuator_name = {};                           ///< Empty: the joint's.
  double effort = std::numeric_limits<double>::infinity();  ///< Of the actuator.
  std::optional<PositionGains> servo = std::nullopt;        ///< None: a motor.
  std::optional<Mimic> mimic = std::nullopt;
};

struct Joint {
  std::string name;
  Place place;
  int parent = kWorld, child = kWorld;  ///< Links.
  Pose X_PJ, X_CJ;
  std::vector<Motion> motions;
  std::optional<double> screw_lead = std::nullopt;  ///< Motions are a hinge and a slide: metres per radian.
};

/// A named frame on a link.
struct Frame {
  std::string name;
  int link = kWorld;
  Pose X_LF;
};

struct Assembly {
  std::string name = "model";
  std::vector<Link> links;
  std::vector<Joint> joints;
  std::vector<Frame> frames;
  std::vector<std::pair<int, int>> filtered;  ///< Links that shall not collide.
  std::optional<Vec3> gravity = std::nullopt;
  std::optional<double> time_step = std::nullopt;

  int find_link(const std::string& name) const;  ///< kWorld for "world", or kNoLink.
  Joint* find_joint(const std::string& name);
};

/// R_z(yaw) R_y(pitch) R_x(roll): the fixed-axis angles of SDF and URDF [rad].
Mat3 rotation_from_rpy(const Vec3& rpy);

/// A rotation that turns z into the direction. Throws InputError if that is zero.
Mat3 rotation_from_z(const Vec3& direction, const Place& place);

/// The symmetric matrix of an inertia's six entries.
Mat3 inertia_matrix(double xx, double yy, double zz, double xy, double xz, double yz);

/// A unit vector. Throws InputError if the axis is zero.
Vec3 unit_axis(const Vec3& axis, const Place& place);

}  // namespace patchfield
