// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// glTF 2.0: JSON that names buffers of bytes. Only what makes a surface is read:
//
//   scene ─► nodes (transforms) ─► meshes ─► primitives ─► accessors ─► buffer views ─► buffers
//                                            triangles, strips, fans    (file, base64, or the chunk of a .glb)

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "patchfield/core/check.h"
#include "patchfield/core/percent.h"
#include "patchfield/io/base64.h"
#include "patchfield/io/mesh_parsers.h"

namespace patchfield {
namespace {

using nlohmann::json;
using Affine = Eigen::Affine3d;

static_assert(std::endian::native == std::endian::little, "glTF buffers are read as they lie in memory");

enum Mode { kTriangles = 4, kStrip = 5, kFan = 6 };

/// The numbers of an accessor: where they lie and how to read them.
struct Numbers {
  const char* data = nullptr;
  std::size_t count = 0, stride = 0;
  int type = 0;  ///< glTF's componentType.
  bool normalized = false;

  static std::size_t size_of(int type) {
    switch (type) {
      case 5120:
      case 5121: return 1;
      case 5122:
      case 5123: return 2;
      case 5125:
      case 5126: return 4;
      default: return 0;
    }
  }

  double operator()(std::size_t element, int component) const {
    const char* at = data + element * stride + static_cast<std::size_t>(component) * size_of(type);
    switch (type) {
      case 5120: return read<std::int8_t>(at);
      case 5121: return read<std::uint8_t>(at);
      case 5122: return read<std::int16_t>(at);
      case 5123: return read<std::uint16_t>(at);
      case 5125: return read<std::uint32_t>(at);
      default: return read<float>(at);
    }
  }

 private:
  template <class T>
  double read(const char* at) const {
    T value;
    std::memcpy(&value, at, sizeof(T));
    if constexpr (std::is_integral_v<T>) {
      if (normalized) return std::max(-1.0, value / static_cast<double>(std::numeric_limits<T>::max()));
    }
    return static_cast<double>(value);
  }
};

/// Of to_index(); the parser adds the name of the file.
class BadNumber : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A count or an index. JSON has no integers, so that 1e99, −1 and 0.5 have to be refused by hand.
std::size_t to_index(const json& value) {
  const double number = value.get<double>();
  constexpr double kMost = 1e15;
  if (!(number >= 0.0 && number <= kMost && number == std::floor(number)))
    throw BadNumber(fmt::format("{} is no count or index", value.dump()));
  return static_cast<std::size_t>(number);
}

std::size_t to_index(const json& object, const char* key, std::size_t otherwise) {
  return object.contains(key) ? to_index(object[key]) : otherwise;
}

std::vector<std::size_t> to_indices(const json& object, const char* key) {
  std::vector<std::size_t> out;
  if (object.contains(key))
    for (const json& value : object[key]) out.push_back(to_index(value));
  return out;
}

class GltfParser {
 public:
  GltfParser(const std::string& name, const BufferLoader& load) : name_(name), load_(load) {}

  TriangleMesh parse(std::string_view bytes) {
    if (bytes.starts_with("glTF")) bytes = open_container(bytes);
    try {
      document_ = json::parse(bytes);
    } catch (const json::exception& error) {
      fail("the JSON cannot be read: {}", error.what());
    }
    try {
      read_document();
    } catch (const json::exception& error) {
      fail("a value has the wrong type or is missing: {}", error.what());
    } catch (const BadNumber& error) {
      fail("{}. Repair or re-export the file.", error.what());
    }
    if (mesh_.triangles.empty()) fail("no triangles in its scene. Export the surface as triangles.");
    return std::move(mesh_);
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) const {
    throw InputError(fmt::format("{}: {}", name_, fmt::format(text, std::forward<Args>(args)...)));
  }

  // .glb: "glTF", version, length; then chunks of (length, kind, bytes): JSON and, perhaps, BIN.
  std::string_view open_container(std::string_view bytes) {
    const auto number = [&](std::size_t at) {
      std::uint32_t value = 0;
      if (at + 4 > bytes.size()) fail("the .glb ends within a header, at byte {}. Is it cut off?", bytes.size());
      std::memcpy(&value, bytes.data() + at, 4);
      return std::size_t{value};
    };
    if (number(4) != 2) fail("glTF version {}; only version 2 is read. Convert the file.", number(4));
    constexpr std::size_t kJson = 0x4E4F534A, kBin = 0x004E4942;
    std::string_view text;
    for (std::size_t at = 12; at < bytes.size();) {
      const std::size_t length = number(at), kind = number(at + 4);
      if (length > bytes.size() - at - 8)
        fail("a chunk claims {} bytes where {} are left. Is the .glb cut off?", length, bytes.size() - at - 8);
      const std::string_view chunk = bytes.substr(at + 8, length);
      if (kind == kJson && text.empty()) text = chunk;
      if (kind == kBin && !container_bytes_) container_bytes_ = std::string(chunk);
      at += 8 + length;
    }
    return text;
  }

  void read_document() {
    if (!document_.is_object()) fail("the JSON is not an object. This is no glTF file.");
    for (const json& extension : document_.value("extensionsRequired", json::array())) {
      const auto required = extension.get<std::string>();
      if (required.find("compression") != std::string::npos)
        fail("its buffers are compressed ({}), which is not read. Export without compression.", required);
    }
    const json nodes = document_.value("nodes", json::array());
    visited_.assign(nodes.size(), false);
    for (const std::size_t root : roots(nodes)) add_node(nodes, root, Affine::Identity(), 0);
  }

  std::vector<std::size_t> roots(const json& nodes) const {
    const json scenes = document_.value("scenes", json::array());
    if (!scenes.empty()) return to_indices(scenes.at(to_index(document_, "scene", 0)), "nodes");
    std::vector<bool> is_child(nodes.size(), false);
    for (const json& node : nodes)
      for (const std::size_t child : to_indices(node, "children"))
        if (child < nodes.size()) is_child[child] = true;
    std::vector<std::size_t> all;
    for (std::size_t n = 0; n < nodes.size(); ++n)
      if (!is_child[n]) all.push_back(n);
    return all;
  }

  void add_node(const json& nodes, std::size_t index, const Affine& parent, int depth) {
    constexpr int kDeepest = 500;
    if (index >= nodes.size()) fail("node {} is named, but there are {} nodes.", index, nodes.size());
    if (visited_[index] || depth > kDeepest) fail("node {} is its own ancestor or has two parents.", index);
    visited_[index] = true;
    const json& node = nodes[index];
    const Affine X = parent * local_transform(node);
    if (node.contains("mesh")) {
      for (const json& primitive : document_.at("meshes").at(to_index(node["mesh"])).at("primitives"))
        add_primitive(primitive, X);
    }
    for (const std::size_t child : to_indices(node, "children")) add_node(nodes, child, X, depth + 1);
  }

  Affine local_transform(const json& node) const {
    Affine X = Affine::Identity();
    if (node.contains("matrix")) {
      const auto matrix = node["matrix"].get<std::array<double, 16>>();  // by columns
      X.matrix() = Eigen::Map<const Eigen::Matrix4d>(matrix.data());
      X.makeAffine();
      return X;
    }
    const auto t = node.value("translation", std::array{0.0, 0.0, 0.0});
    const auto r = node.value("rotation", std::array{0.0, 0.0, 0.0, 1.0});
    const auto s = node.value("scale", std::array{1.0, 1.0, 1.0});
    const Eigen::Quaterniond rotation(r[3], r[0], r[1], r[2]);
    X.translate(Vec3(t[0], t[1], t[2])).rotate(rotation.normalized()).scale(Vec3(s[0], s[1], s[2]));
    return X;
  }

  void add_primitive(const json& primitive, const Affine& X) {
    const int mode = static_cast<int>(std::min<std::size_t>(to_index(primitive, "mode", kTriangles), 99));
    if (mode < kTriangles || mode > kFan) return;  // points and lines touch nothing
    const Numbers positions = numbers(to_index(primitive.at("attributes").at("POSITION")), 3);
    // Each use of a mesh copies it: a small file must not grow without bound.
    constexpr std::size_t kMostVertices = 20'000'000;
    if (mesh_.vertices.size() + positions.count > kMostVertices) fail("more than {} vertices.", kMostVertices);

    const int first = static_cast<int>(mesh_.vertices.size());
    for (std::size_t v = 0; v < positions.count; ++v) {
      const Vec3 y_up = X * Vec3(positions(v, 0), positions(v, 1), positions(v, 2));
      mesh_.vertices.push_back({y_up.x(), -y_up.z(), y_up.y()});
      if (!y_up.allFinite()) fail("vertex {} of a mesh is not finite. Export the surface again.", v);
    }
    add_triangles(corner_list(primitive, positions.count), mode, first, X.linear().determinant() < 0.0);
  }

  std::vector<int> corner_list(const json& primitive, std::size_t num_vertices) {
    std::vector<int> corners;
    if (!primitive.contains("indices")) {
      for (std::size_t v = 0; v < num_vertices; ++v) corners.push_back(static_cast<int>(v));
      return corners;
    }
    const Numbers indices = numbers(to_index(primitive["indices"]), 1);
    for (std::size_t i = 0; i < indices.count; ++i) {
      const double index = indices(i, 0);
      if (!(index >= 0.0 && index < static_cast<double>(num_vertices)))
        fail("index {} names vertex {}, but the mesh has {} vertices.", i, index, num_vertices);
      corners.push_back(static_cast<int>(index));
    }
    return corners;
  }

  void add_triangles(const std::vector<int>& c, int mode, int first, bool mirrored) {
    const std::size_t step = mode == kTriangles ? 3 : 1;
    for (std::size_t i = 0; i + 2 < c.size(); i += step) {
      std::array<int, 3> t{first + c[mode == kFan ? 0 : i], first + c[i + 1], first + c[i + 2]};
      if ((mode == kStrip && i % 2 == 1) != mirrored) std::swap(t[1], t[2]);
      mesh_.triangles.push_back(t);
    }
  }

  Numbers numbers(std::size_t index, std::size_t components) {
    const json& accessor = document_.at("accessors").at(index);
    if (accessor.contains("sparse") || !accessor.contains("bufferView"))
      fail("accessor {} is sparse or has no buffer view, which is not read. Export plain arrays.", index);
    Numbers out;
    out.type = static_cast<int>(std::min<std::size_t>(to_index(accessor.at("componentType")), 9999));
    out.count = to_index(accessor.at("count"));
    out.normalized = accessor.value("normalized", false);
    const std::size_t size = components * Numbers::size_of(out.type);
    if (size == 0) fail("accessor {} has the unknown componentType {}.", index, out.type);
    const char* const type = components == 3 ? "VEC3" : "SCALAR";
    if (accessor.at("type") != type) fail("accessor {} must be of type {}.", index, type);

    const json& view = document_.at("bufferViews").at(to_index(accessor["bufferView"]));
    const std::string& bytes = buffer(to_index(view.at("buffer")));
    const std::size_t begin = to_index(view, "byteOffset", 0), length = to_index(view.at("byteLength"));
    const std::size_t offset = to_index(accessor, "byteOffset", 0);
    out.stride = to_index(view, "byteStride", size);
    // In this order no sum or product can overflow.
    const bool fits =
        begin <= bytes.size() && length <= bytes.size() - begin && offset <= length && out.stride >= size &&
        (out.count == 0 || (size <= length - offset && out.count - 1 <= (length - offset - size) / out.stride));
    if (!fits)
      fail("accessor {} claims {} elements, which its buffer does not hold. Is the file cut off?", index, out.count);
    out.data = bytes.data() + begin + offset;
    return out;
  }

  const std::string& buffer(std::size_t index) {
    const json& buffers = document_.at("buffers");
    if (index >= buffers.size()) fail("buffer {} is named, but there are {} buffers.", index, buffers.size());
    buffers_.resize(buffers.size());
    std::optional<std::string>& bytes = buffers_[index];
    if (bytes) return *bytes;
    const auto uri = buffers[index].value("uri", std::string());
    const std::size_t comma = uri.find(',');
    if (uri.empty()) {
      if (!container_bytes_) fail("buffer {} has no uri, and there is no binary chunk.", index);
      bytes = container_bytes_;
    } else if (uri.starts_with("data:") && comma != std::string::npos) {
      bytes = decode_base64(std::string_view(uri).substr(comma + 1));
      if (!bytes) fail("buffer {} is not proper base64.", index);
    } else {
      bytes = load_(decode_percent(uri));
    }
    return *bytes;
  }

  const std::string& name_;
  const BufferLoader& load_;
  json document_;
  std::optional<std::string> container_bytes_;
  std::vector<std::optional<std::string>> buffers_;
  std::vector<bool> visited_;
  TriangleMesh mesh_;
};

}  // namespace

TriangleMesh parse_gltf(std::string_view bytes, const std::string& name, const BufferLoader& load) {
  return GltfParser(name, load).parse(bytes);
}

}  // namespace patchfield
