// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/io/mesh_parsers.h"

namespace patchfield {
namespace {

/// Numbers of a section, each row on a line of an ASCII file, or as big-endian bytes.
class VtkSink {
 public:
  explicit VtkSink(bool binary) : binary_(binary) {}

  template <class... Args>
  void line(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), text, std::forward<Args>(args)...);
    text_ += '\n';
  }

  template <class T, class Row>
  void row(const Row& values) {
    const char* space = "";
    for (const auto& entry : values) {
      const T value = static_cast<T>(entry);
      if (binary_) {
        char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        std::reverse(bytes, bytes + sizeof(T));
        text_.append(bytes, sizeof(T));
      } else {
        fmt::format_to(std::back_inserter(text_), "{}{}", space, value);
        space = " ";
      }
    }
    if (!binary_) text_ += '\n';
  }

  void end_section() {
    if (binary_) text_ += '\n';
  }
  std::string take() { return std::move(text_); }

 private:
  bool binary_;
  std::string text_;
};

void write_cells(const TetMesh& mesh, VtkSink& out) {
  out.line("CELLS {} {}", mesh.tets.size(), 5 * mesh.tets.size());
  for (const auto& [a, b, c, d] : mesh.tets) out.row<std::int32_t>(std::array{4, a, b, c, d});
  out.end_section();
}

void write_offsets(const TetMesh& mesh, VtkSink& out) {
  out.line("CELLS {} {}", mesh.tets.size() + 1, 4 * mesh.tets.size());
  out.line("OFFSETS vtktypeint64");
  for (std::size_t t = 0; t <= mesh.tets.size(); ++t) out.row<std::int64_t>(std::array{4 * t});
  out.end_section();
  out.line("CONNECTIVITY vtktypeint64");
  for (const auto& tet : mesh.tets) out.row<std::int64_t>(tet);
  out.end_section();
}

}  // namespace

std::string format_vtk(const TetMesh& mesh, const std::vector<double>& vertex_pressures, const VtkOptions& options) {
  PATCHFIELD_ASSERT(vertex_pressures.empty() || vertex_pressures.size() == mesh.vertices.size());
  VtkSink out(options.binary);
  out.line("# vtk DataFile Version {}", options.offsets ? "5.1" : "3.0");
  out.line("tetrahedra by Patchfield");
  out.line("{}", options.binary ? "BINARY" : "ASCII");
  out.line("DATASET UNSTRUCTURED_GRID");
  out.line("POINTS {} double", mesh.vertices.size());
  for (const Vec3& v : mesh.vertices) out.row<double>(v);
  out.end_section();
  if (options.offsets) write_offsets(mesh, out);
  else write_cells(mesh, out);
  out.line("CELL_TYPES {}", mesh.tets.size());
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) out.row<std::int32_t>(std::array{10});
  out.end_section();
  if (!vertex_pressures.empty()) {
    out.line("POINT_DATA {}", vertex_pressures.size());
    out.line("SCALARS pressure double 1");
    out.line("LOOKUP_TABLE default");
    for (const double p : vertex_pressures) out.row<double>(std::array{p});
    out.end_section();
  }
  return out.take();
}

}  // namespace patchfield
