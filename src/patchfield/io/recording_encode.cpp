// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Step → frame: the writing half of recording_frame.h.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "patchfield/io/recording_bytes.h"
#include "patchfield/io/recording_frame.h"
#include "patchfield/io/recording_model.h"

namespace patchfield {
namespace {

using Quantized = std::array<std::uint16_t, 4>;  // x, y, z, pressure

/// Least and largest value, and how to get from a value to 16 bits.
struct Range {
  double least = std::numeric_limits<double>::infinity(), largest = -least;

  void add(double x) { least = std::min(least, x), largest = std::max(largest, x); }
  double extent() const { return largest > least ? largest - least : 0.0; }
  std::uint16_t quantize(double x) const {
    const double u = (x - least) / extent() * 65535.0;
    if (!(u > 0.0)) return 0;  // not a number, too
    return u >= 65535.0 ? std::uint16_t{65535} : static_cast<std::uint16_t>(std::lround(u));
  }
};

/// Quantized vertex → its number. Open addressing; what is of an older patch counts as empty, so nothing is cleared.
class VertexTable {
 public:
  void reset(int at_most) {
    const std::size_t size = std::bit_ceil(2 * static_cast<std::size_t>(at_most) + 1);
    if (slots_.size() < size) slots_.assign(size, {});
    mask_ = size - 1;
    ++patch_;
  }
  /// The number of `vertex`, which becomes `next` if it is new.
  int find_or_add(const Quantized& vertex, int next) {
    const auto key = std::bit_cast<std::uint64_t>(vertex);
    // Multiplying by an odd constant near 2⁶⁴/golden ratio spreads neighbours; the high bits are the mixed ones.
    for (std::size_t i = (key * 0x9e3779b97f4a7c15u >> 32) & mask_;; i = (i + 1) & mask_) {
      if (slots_[i].patch != patch_) slots_[i] = {key, next, patch_};
      if (slots_[i].key == key) return slots_[i].number;
    }
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    int number = -1;
    std::uint32_t patch = 0;
  };
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  std::uint32_t patch_ = 0;
};

/// Of a contact surface, the faces worth keeping, rounded.
struct PackedPatch {
  std::vector<int> rows;            ///< Of FaceResults.
  std::array<Range, 4> range;       ///< x, y, z, pressure.
  std::vector<Quantized> vertices;  ///< Each once, in the order of their first use.
  VertexTable table;
  ByteWriter sizes, codes;  ///< Corners per face; steps back per corner.
  int corners = 0;
  double peak_friction = 0.0, peak_slip = 0.0;  ///< As the reader will see them.

  void choose_faces(const ContactSurface& surface, const FaceResults& faces, int first, int count);
  void weld(const ContactSurface& surface, const FaceResults& faces);
};

double largest_norm(const Column<Vec3>& vectors, const std::vector<int>& rows) {
  double largest = 0.0;
  for (const int row : rows) largest = std::max(largest, vectors[row].squaredNorm());
  return static_cast<float>(std::sqrt(largest));  // as it is written
}

void PackedPatch::choose_faces(const ContactSurface& surface, const FaceResults& faces, int first, int count) {
  rows.clear();
  range = {};
  for (int row = first; row < first + count; ++row) {
    const int begin = surface.face_start[faces.face[row]], end = surface.face_start[faces.face[row] + 1];
    const bool presses = std::any_of(begin + surface.vertex_pressure.begin(), end + surface.vertex_pressure.begin(),
                                     [](double p) { return p > 0.0; });
    if (!presses && faces.normal_traction[row] == 0.0) continue;
    rows.push_back(row);
    for (int v = begin; v < end; ++v) {
      for (int axis = 0; axis < 3; ++axis) range[static_cast<std::size_t>(axis)].add(surface.vertex_W[v][axis]);
      range[3].add(surface.vertex_pressure[v]);
    }
  }
  peak_friction = largest_norm(faces.friction_W, rows), peak_slip = largest_norm(faces.slip_velocity_W, rows);
}

void PackedPatch::weld(const ContactSurface& surface, const FaceResults& faces) {
  corners = 0;
  for (const int row : rows) corners += surface.face_start[faces.face[row] + 1] - surface.face_start[faces.face[row]];
  table.reset(corners);
  vertices.clear(), sizes.clear(), codes.clear();
  for (const int row : rows) {
    const int begin = surface.face_start[faces.face[row]], end = surface.face_start[faces.face[row] + 1];
    sizes.put_varint(static_cast<std::uint32_t>(end - begin));
    for (int v = begin; v < end; ++v) {
      const Vec3& x = surface.vertex_W[v];
      const Quantized vertex = {range[0].quantize(x[0]), range[1].quantize(x[1]), range[2].quantize(x[2]),
                                range[3].quantize(surface.vertex_pressure[v])};
      const int newest = static_cast<int>(vertices.size());
      const int number = table.find_or_add(vertex, newest);
      if (number == newest) vertices.push_back(vertex);
      codes.put_varint(static_cast<std::uint32_t>(newest - number));
    }
  }
}

/// One axis as differences of neighbours, small ones of either sign as small numbers; low bytes before high bytes,
/// because the high ones are nearly all the same and deflate finds that.
void put_axis(const std::vector<Quantized>& vertices, std::size_t axis, std::string& out) {
  const std::size_t n = vertices.size(), at = out.size();
  out.resize(at + 2 * n);
  std::uint16_t last = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto step = static_cast<std::int16_t>(vertices[i][axis] - last);
    last = vertices[i][axis];
    const auto folded =
        static_cast<std::uint16_t>(static_cast<std::uint16_t>(step) << 1 ^ static_cast<std::uint16_t>(step >> 15));
    out[at + i] = static_cast<char>(folded & 0xff), out[at + n + i] = static_cast<char>(folded >> 8);
  }
}

/// Vectors of the chosen faces in 8 bits per component, the largest of them first.
void put_vectors(const Column<Vec3>& vectors, const std::vector<int>& rows, double largest, std::string& out) {
  const double scale = largest > 0.0 ? 127.0 / largest : 0.0;
  for (int axis = 0; axis < 3; ++axis)
    for (const int row : rows)
      out += static_cast<char>(
          static_cast<std::int8_t>(std::clamp(std::round(scale * vectors[row][axis]), -127.0, 127.0)));
}

void put_fields(const PackedPatch& patch, const FaceResults& faces, ByteWriter& out) {
  out.put(static_cast<std::uint32_t>(patch.rows.size()));
  out.put(static_cast<std::uint32_t>(patch.corners));
  out.put(static_cast<std::uint32_t>(patch.vertices.size()));
  for (const Range& range : patch.range) out.put(range.least), out.put(range.extent());
  out.put_bytes(patch.sizes.bytes()), out.put_bytes(patch.codes.bytes());
  for (std::size_t axis = 0; axis < 4; ++axis) put_axis(patch.vertices, axis, out.bytes());
  put_vectors(faces.friction_W, patch.rows, patch.peak_friction, out.bytes());
  put_vectors(faces.slip_velocity_W, patch.rows, patch.peak_slip, out.bytes());
  for (const int row : patch.rows) out.put(faces.sticks[row]);
}

}  // namespace

struct FrameEncoder::Memory {
  std::vector<int> moving, joints;
  ByteWriter state, fields, patches;
  PackedPatch packed;

  void put_state(const Data& data, double time, double dt, const std::vector<double>& signals);
  int put_patches(const Data& data, const StepResults& results);
  void put_points(const Data& data);
};

void FrameEncoder::Memory::put_state(const Data& data, double time, double dt, const std::vector<double>& signals) {
  const mjModel* m = data.m();
  const mjData* d = data.d();
  state.clear(), fields.clear(), patches.clear();
  state.put(time);
  for (const int b : moving) {
    for (int i = 0; i < 3; ++i) state.put_float(d->xpos[3 * b + i]);
    for (int i = 0; i < 4; ++i) state.put_float(d->xquat[4 * b + i]);
  }
  // q = q₀ + δt·v, so this is where the step began. [PFC eq:scheme_q_update]
  for (const int j : joints) state.put_float(d->qpos[m->jnt_qposadr[j]] - dt * d->qvel[m->jnt_dofadr[j]]);
  state.put(static_cast<std::uint32_t>(signals.size()));
  for (const double signal : signals) state.put_float(signal);
}

int FrameEncoder::Memory::put_patches(const Data& data, const StepResults& results) {
  const PatchResults& p = results.patches;
  int count = 0;
  for (int i = 0; i < p.size(); ++i) {
    const ContactSurface& surface = data.patches[static_cast<std::size_t>(p.slot[i])]->surface;
    packed.choose_faces(surface, results.faces, p.first_face[i], p.num_faces[i]);
    if (packed.rows.empty()) continue;
    packed.weld(surface, results.faces);
    put_fields(packed, results.faces, fields);
    patches.put(static_cast<std::uint32_t>(p.geom_A[i])), patches.put(static_cast<std::uint32_t>(p.geom_B[i]));
    patches.put_float(p.area[i]), patches.put_float(p.normal_force[i]), patches.put_float(packed.range[3].largest);
    patches.put_float(packed.peak_friction), patches.put_float(packed.peak_slip);
    patches.put_vector(p.force_W[i]), patches.put_vector(p.moment_P_W[i]), patches.put_vector(p.p_WP[i]);
    ++count;
  }
  return count;
}

void FrameEncoder::Memory::put_points(const Data& data) {
  for (const PointContact& point : data.point_contacts) {
    const mjContact& contact = data.d()->contact[point.contact];
    state.put(static_cast<std::uint32_t>(contact.geom[0])), state.put(static_cast<std::uint32_t>(contact.geom[1]));
    state.put_vector(Eigen::Map<const Vec3>(contact.pos));
    state.put_vector(data.solution.patch_wrench[point.index].tail<3>() / data.dt);
  }
}

std::string pack_frame(const RawFrame& frame, BlockPacker& packer) {
  std::string payload;
  packer.put(frame.state, payload);
  packer.put(frame.fields, payload);
  return payload;
}

FrameEncoder::FrameEncoder(const mjModel* m) : memory_(std::make_unique<Memory>()) {
  memory_->moving = moving_bodies(m);
  memory_->joints = scalar_joints(m);
}

FrameEncoder::~FrameEncoder() = default;

RawFrame FrameEncoder::encode(const Data& data, const StepResults& results, const std::vector<double>& signals,
                              double time) {
  Memory& out = *memory_;
  out.put_state(data, time, data.dt, signals);
  out.state.put(static_cast<std::uint32_t>(out.put_patches(data, results)));
  out.state.put_bytes(out.patches.bytes());
  out.state.put(static_cast<std::uint32_t>(data.point_contacts.size()));
  out.put_points(data);
  return {out.state.bytes(), out.fields.bytes()};
}

RawFrame FrameEncoder::encode_resting(const Data& data, const std::vector<double>& signals) {
  memory_->put_state(data, data.d()->time, 0.0, signals);
  for (int i = 0; i < 2; ++i) memory_->state.put(std::uint32_t{0});  // no patches, no points
  return {memory_->state.bytes(), {}};
}

}  // namespace patchfield
