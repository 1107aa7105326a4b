// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Frame → numbers: the reading half of recording_frame.h. apps/viewer/src/frame.ts is its twin.

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/io/recording_bytes.h"
#include "patchfield/io/recording_frame.h"

namespace patchfield {
namespace {

constexpr std::size_t kPatchBytes = 2 * 4 + 14 * 4, kPointBytes = 2 * 4 + 6 * 4;

RecordedPatch get_patch(ByteReader& in) {
  RecordedPatch patch;
  patch.geom_A = static_cast<int>(in.get<std::uint32_t>()), patch.geom_B = static_cast<int>(in.get<std::uint32_t>());
  patch.area = in.get<float>(), patch.normal_force = in.get<float>(), patch.peak_pressure = in.get<float>();
  patch.peak_friction = in.get<float>(), patch.peak_slip = in.get<float>();
  patch.force_W = in.get_vector(), patch.moment_P_W = in.get_vector(), patch.p_WP = in.get_vector();
  return patch;
}

RecordedPoint get_point(ByteReader& in) {
  RecordedPoint point;
  point.geom_A = static_cast<int>(in.get<std::uint32_t>()), point.geom_B = static_cast<int>(in.get<std::uint32_t>());
  point.p_WC = in.get_vector(), point.force_W = in.get_vector();
  return point;
}

void get_state(ByteReader in, int num_moving, int num_joints, RecordedFrame& frame) {
  frame.time = in.get<double>();
  for (int i = 0; i < num_moving; ++i) {
    RecordedPose pose;
    pose.position = in.get_vector();
    const double w = in.get<float>(), x = in.get<float>(), y = in.get<float>(), z = in.get<float>();
    pose.rotation = Eigen::Quaterniond(w, x, y, z);
    frame.poses.push_back(pose);
  }
  for (int i = 0; i < num_joints; ++i) frame.joints.push_back(in.get<float>());
  for (std::uint32_t n = in.get_count(sizeof(float)); n > 0; --n) frame.signals.push_back(in.get<float>());
  for (std::uint32_t n = in.get_count(kPatchBytes); n > 0; --n) frame.patches.push_back(get_patch(in));
  for (std::uint32_t n = in.get_count(kPointBytes); n > 0; --n) frame.points.push_back(get_point(in));
}

/// Undoes put_axis() and calls set(vertex, value in 0 … 1).
template <class Set>
void get_axis(ByteReader& in, std::size_t n, const Set& set) {
  const std::string_view low = in.take(n), high = in.take(n);
  std::uint16_t value = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto folded =
        static_cast<std::uint16_t>(static_cast<unsigned char>(low[i]) | static_cast<unsigned char>(high[i]) << 8);
    value = static_cast<std::uint16_t>(value + (folded >> 1 ^ -(folded & 1)));
    set(i, value / 65535.0);
  }
}

void get_corners(ByteReader& in, std::uint32_t faces, std::uint32_t corners, std::uint32_t vertices,
                 RecordedPatch& patch) {
  patch.face_start.assign(1, 0);
  for (std::uint32_t f = 0; f < faces; ++f) {
    const std::uint32_t size = in.get_varint();
    if (size > corners - static_cast<std::uint32_t>(patch.face_start.back()))
      throw InputError("the recording is damaged: a face has more corners than its patch");
    patch.face_start.push_back(patch.face_start.back() + static_cast<int>(size));
  }
  if (static_cast<std::uint32_t>(patch.face_start.back()) != corners)
    throw InputError("the recording is damaged: a patch has corners without a face");
  std::uint32_t newest = 0;
  for (std::uint32_t c = 0; c < corners; ++c) {
    const std::uint32_t back = in.get_varint();
    if (back > newest || (back == 0 && newest == vertices))
      throw InputError(fmt::format("the recording is damaged: a corner points at vertex {} − {}", newest, back));
    patch.corner.push_back(static_cast<int>(newest - back));
    newest += back == 0;
  }
}

std::vector<Vec3> get_vectors(ByteReader& in, std::size_t n, double largest) {
  std::vector<Vec3> vectors(n);
  for (int axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < n; ++i) vectors[i][axis] = in.get<std::int8_t>() * largest / 127.0;
  return vectors;
}

void get_fields(ByteReader& in, RecordedPatch& patch) {
  // Every face has 7 bytes of its own, a corner at least one, a vertex eight.
  const std::uint32_t faces = in.get_count(7), corners = in.get_count(1), vertices = in.get_count(8);
  std::array<double, 4> least, extent;
  for (std::size_t axis = 0; axis < 4; ++axis) least[axis] = in.get<double>(), extent[axis] = in.get<double>();
  get_corners(in, faces, corners, vertices, patch);
  patch.vertex_W.resize(vertices), patch.pressure.resize(vertices);
  for (std::size_t axis = 0; axis < 4; ++axis)
    get_axis(in, vertices, [&](std::size_t i, double u) {
      const double value = least[axis] + u * extent[axis];
      if (axis < 3) patch.vertex_W[i][static_cast<int>(axis)] = value;
      else patch.pressure[i] = value;
    });
  patch.friction_W = get_vectors(in, faces, patch.peak_friction);
  patch.slip_W = get_vectors(in, faces, patch.peak_slip);
  for (const char stick : in.take(faces)) patch.sticks.push_back(stick != 0);
}

}  // namespace

RecordedFrame decode_frame(std::string_view payload, int num_moving, int num_joints) {
  ByteReader in(payload);
  RecordedFrame frame;
  const std::string state = get_block(in), fields = get_block(in);
  get_state(ByteReader(state), num_moving, num_joints, frame);
  ByteReader rest(fields);
  for (RecordedPatch& patch : frame.patches) get_fields(rest, patch);
  return frame;
}

}  // namespace patchfield
