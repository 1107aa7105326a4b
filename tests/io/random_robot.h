// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A robot of random links and joints, with its kinematics and mass matrix from first principles: the truth that
// importers are measured against. It writes itself as URDF and as SDF.

#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

#include "patchfield/core/types.h"

namespace patchfield {

struct RandomRobot {
  struct Link {
    double mass;
    Vec3 rpy_I, p_LI;  ///< Pose of the inertia's frame.
    Mat3 inertia;      ///< In that frame.
  };
  struct Joint {
    enum Kind { kHinge, kSlide, kFixed } kind;
    int parent, child;  ///< Links; child = index + 1.
    Vec3 xyz_P, rpy_P;  ///< X_PJ
    Vec3 xyz_C, rpy_C;  ///< X_CJ; zero for URDF, which has no such thing.
    Vec3 axis;          ///< Unit, in J.
  };
  std::vector<Link> links;
  std::vector<Joint> joints;

  RandomRobot(int num_links, bool joints_off_the_child, std::mt19937& random);

  /// By joint name; only hinges and slides.
  using Positions = std::map<std::string, double>;
  Positions random_positions(std::mt19937& random) const;

  /// Of every link in the world, with link 0 at X_WB.
  std::vector<Pose> poses(const Positions& q, const Pose& X_WB = {}) const;

  /// M = Σ m·JᵥᵀJᵥ + J_ωᵀ·I·J_ω with one column per name; the first six, if `free`, are MuJoCo's: velocity of link 0
  /// in the world and angular velocity in its own frame.
  MatX mass_matrix(const Positions& q, const std::vector<std::string>& columns, bool free = false,
                   const Pose& X_WB = {}) const;

  std::string urdf() const;
  /// Poses in turn relative to the model, to the parent and to a frame; axes in turn in the joint's frame, in the
  /// model's and in the parent's.
  std::string sdf() const;

  static std::string joint_name(std::size_t j) { return "joint" + std::to_string(j); }
  static std::string link_name(int i) { return "link" + std::to_string(i); }
};

}  // namespace patchfield
