// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// STL. Binary: 80 bytes of anything, the number of triangles, then 50 bytes each: normal, three corners, two bytes.
// ASCII: three `vertex x y z` per `facet`. Normals are left alone: the order of the corners says the same.

#include <bit>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/io/mesh_parsers.h"
#include "patchfield/io/text_lines.h"

namespace patchfield {
namespace {

static_assert(std::endian::native == std::endian::little, "binary STL is read as it lies in memory");

constexpr std::size_t kHeader = 84, kTriangle = 50;

std::uint32_t claimed_triangles(std::string_view bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, sizeof(count));
  return count;
}

TriangleMesh parse_binary(std::string_view bytes, const std::string& name) {
  const std::size_t count = claimed_triangles(bytes);
  if (count == 0) throw InputError(fmt::format("{}: the STL file has zero triangles. Export the surface again.", name));
  const std::size_t held = (bytes.size() - kHeader) / kTriangle;
  if (count > held)
    throw InputError(fmt::format("{}: its header claims {} triangles, but its {} bytes hold {}. Is the file cut off?",
                                 name, count, bytes.size(), held));
  TriangleMesh mesh;
  for (std::size_t t = 0; t < count; ++t) {
    float x[9];
    std::memcpy(x, bytes.data() + kHeader + t * kTriangle + 12, sizeof(x));
    const int first = static_cast<int>(mesh.vertices.size());
    for (int i = 0; i < 3; ++i) {
      mesh.vertices.push_back({x[3 * i], x[3 * i + 1], x[3 * i + 2]});
      if (!mesh.vertices.back().allFinite())
        throw InputError(
            fmt::format("{}: corner {} of triangle {} is not finite. Export the surface again.", name, i + 1, t + 1));
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

TriangleMesh parse_ascii(std::string_view bytes, const std::string& name) {
  TriangleMesh mesh;
  LineReader lines(bytes);
  int corners = 0;  // of the present facet
  for (std::string_view line; lines.next(line);) {
    const std::string_view keyword = next_word(line);
    if (keyword == "vertex") {
      Vec3 x;
      for (int i = 0; i < 3; ++i) {
        const std::string_view word = next_word(line);
        const auto value = to_number<double>(word);
        if (!value || !std::isfinite(*value))
          throw InputError(fmt::format("{}:{}: vertex with \"{}\" where coordinate {} should be.", name, lines.number(),
                                       shown(word), "xyz"[i]));
        x[i] = *value;
      }
      mesh.vertices.push_back(x);
      ++corners;
    } else if (keyword == "endfacet") {
      if (corners != 3)
        throw InputError(
            fmt::format("{}:{}: facet with {} corners; an STL facet has three.", name, lines.number(), corners));
      const int last = static_cast<int>(mesh.vertices.size()) - 1;
      mesh.triangles.push_back({last - 2, last - 1, last});
      corners = 0;
    }
  }
  if (corners > 0)
    throw InputError(fmt::format("{}:{}: the file ends within a facet. Is it cut off?", name, lines.number()));
  if (mesh.triangles.empty())
    throw InputError(fmt::format("{}: the STL file has zero triangles. Export the surface again.", name));
  return mesh;
}

}  // namespace

TriangleMesh parse_stl(std::string_view bytes, const std::string& name) {
  const bool says_solid = bytes.substr(0, bytes.find('\n')).find("solid") != std::string_view::npos;
  const bool fits_binary =
      bytes.size() >= kHeader && bytes.size() - kHeader == std::size_t{claimed_triangles(bytes)} * kTriangle;
  if (fits_binary || (!says_solid && bytes.size() >= kHeader)) return parse_binary(bytes, name);
  if (!says_solid)
    throw InputError(
        fmt::format("{}: {} bytes that begin neither with \"solid\" nor with the 84 bytes of a binary "
                    "header. This is no STL file, or it is cut off.",
                    name, bytes.size()));
  return parse_ascii(bytes, name);
}

}  // namespace patchfield
