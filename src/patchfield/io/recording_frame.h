// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A step ↔ one frame of a recording: poses, joint values, signals, and the contact patches with their fields.
//
// A frame has two blocks. `state` is small and all of it is read at once, for plots; `fields` holds the polygons
// and is read when the frame is shown. Quantities are rounded where eyes cannot tell:
//
//   poses, joints, forces, areas            f32
//   vertices of a patch, their pressures    16 bits between the least and the largest of the patch, per axis:
//                                           off by at most (largest − least)/131070
//   friction traction, slip of a face       8 bits per component: off by at most ‖largest of the patch‖/254
//
// Faces of one patch share vertices; equal after rounding, a vertex is written once. A polygon is a list of steps back:
// 0 is a new vertex, k the one that came k before the newest. Faces that neither press nor carry (the skirt of a
// margin) are left out.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "patchfield/sim/results.h"

namespace patchfield {

struct RecordedPose {
  Vec3 position = Vec3::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
};

/// Forces on B, in the world frame, mean over the step (docs/conventions.md).
struct RecordedPatch {
  int geom_A = -1, geom_B = -1;
  double area = 0.0;                            ///< [m²]
  double normal_force = 0.0;                    ///< Σ f_n [N]
  double peak_pressure = 0.0;                   ///< Largest of the vertices' [Pa].
  double peak_friction = 0.0, peak_slip = 0.0;  ///< Of the faces [Pa], [m/s].
  Vec3 force_W = Vec3::Zero(), moment_P_W = Vec3::Zero();
  Vec3 p_WP = Vec3::Zero();  ///< Centre of pressure, about which the moment is.
  // Faces
  std::vector<int> face_start = {};   ///< Offsets into corner, one more than faces.
  std::vector<int> corner = {};       ///< Vertex of each corner.
  std::vector<Vec3> vertex_W = {};    ///< [m]
  std::vector<double> pressure = {};  ///< Per vertex [Pa].
  std::vector<Vec3> friction_W = {};  ///< Per face [Pa].
  std::vector<Vec3> slip_W = {};      ///< Per face [m/s].
  std::vector<unsigned char> sticks = {};
};

/// A contact of MuJoCo between geoms without a pressure field.
struct RecordedPoint {
  int geom_A = -1, geom_B = -1;
  Vec3 p_WC = Vec3::Zero(), force_W = Vec3::Zero();
};

struct RecordedFrame {
  double time = 0.0;                     ///< [s]
  std::vector<RecordedPose> poses = {};  ///< Of the header's moving bodies.
  std::vector<double> joints = {};
  std::vector<double> signals = {};
  std::vector<RecordedPatch> patches = {};
  std::vector<RecordedPoint> points = {};
};

class BlockPacker;

/// A frame before it is packed.
struct RawFrame {
  std::string state, fields;
};

/// The payload of a FRAM chunk.
std::string pack_frame(const RawFrame& frame, BlockPacker& packer);

/// Step → frame. Keeps its memory from frame to frame.
class FrameEncoder {
 public:
  explicit FrameEncoder(const mjModel* m);
  ~FrameEncoder();
  FrameEncoder(const FrameEncoder&) = delete;
  FrameEncoder& operator=(const FrameEncoder&) = delete;

  /// Of the last step, at whose start poses and patches belong together. `time` is the frame's.
  RawFrame encode(const Data& data, const StepResults& results, const std::vector<double>& signals, double time);
  /// Of a state that nobody has stepped from yet: its poses must be up to date (mj_kinematics), it has no patches.
  RawFrame encode_resting(const Data& data, const std::vector<double>& signals);

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

/// Payload → frame; num_moving and num_joints are the header's. Throws InputError if the bytes make no sense.
RecordedFrame decode_frame(std::string_view payload, int num_moving, int num_joints);

}  // namespace patchfield
