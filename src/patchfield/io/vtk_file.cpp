// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Legacy VTK, an UNSTRUCTURED_GRID of tetrahedra (cell type 10), versions 2 to 5:
//
//   # vtk DataFile Version 3.0          any title          ASCII or BINARY (big-endian)
//   POINTS n double                     x y z …
//   CELLS n size                        4 a b c d …        from 5.0 on: CELLS n+1 m with OFFSETS and CONNECTIVITY
//   CELL_TYPES n                        10 10 …
//   POINT_DATA n                        SCALARS, FIELD, VECTORS, …: the pressures

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/geometry/mesh_tools.h"
#include "patchfield/io/mesh_parsers.h"
#include "patchfield/io/vtk_scanner.h"

namespace patchfield {
namespace {

constexpr int kTetrahedron = 10;

const char* cell_name(int type) {
  constexpr const char* kNames[] = {"empty",       "vertex", "poly-vertex", "line",  "poly-line",
                                    "triangle",    "strip",  "polygon",     "pixel", "quadrilateral",
                                    "tetrahedron", "voxel",  "hexahedron",  "wedge", "pyramid"};
  return type >= 0 && type < 15 ? kNames[type] : type == 24 ? "quadratic tetrahedron" : "unknown";
}

class VtkParser {
 public:
  VtkParser(std::string_view bytes, const std::string& name) : in_(bytes, name), name_(name) {}

  VolumeFile parse() {
    in_.read_header();
    read_sections();
    make_tets();
    orient_tets();
    return std::move(out_);
  }

 private:
  void read_sections() {
    for (std::string word = in_.keyword(); !word.empty(); word = in_.keyword()) {
      if (word == "DATASET") require_grid();
      else if (word == "POINTS") read_points();
      else if (word == "CELLS") read_cells();
      else if (word == "CELL_TYPES") read_cell_types();
      else if (word == "POINT_DATA" || word == "CELL_DATA") of_points_ = word == "POINT_DATA", rows_ = in_.count();
      else if (word == "METADATA") in_.skip_metadata();
      else read_attribute(word);
    }
  }

  void require_grid() {
    const std::string dataset = in_.word();
    if (dataset != "UNSTRUCTURED_GRID")
      in_.fail("DATASET {}, but tetrahedra are in an UNSTRUCTURED_GRID. A surface is read from OBJ, STL or glTF.",
               shown(dataset));
  }

  void read_points() {
    const std::size_t n = in_.count();
    const VtkType type = in_.type();
    const int line = in_.line();
    const std::vector<double> x = in_.numbers(type, 3 * n);
    for (std::size_t v = 0; v < n; ++v) {
      out_.mesh.vertices.push_back({x[3 * v], x[3 * v + 1], x[3 * v + 2]});
      if (!out_.mesh.vertices.back().allFinite())
        throw InputError(fmt::format("{}:{}: point {} is not finite. Repair or re-export the mesh.", name_, line, v));
    }
  }

  void read_cells() {
    cells_line_ = in_.line();
    const std::size_t n = in_.count(), size = in_.count();
    if (in_.next_is("OFFSETS")) {
      in_.word();
      offsets_ = in_.numbers(in_.type(), n);
      if (in_.keyword() != "CONNECTIVITY") in_.fail("OFFSETS must be followed by CONNECTIVITY.");
      connectivity_ = in_.numbers(in_.type(), size, &corner_lines_);
      return;
    }
    // Counts and corners in one list: 4 a b c d  4 e f g h …
    std::vector<int> lines;
    const std::vector<double> list = in_.numbers(VtkType::kInt32, size, &lines);
    offsets_ = {0.0};
    for (std::size_t c = 0, at = 0; c < n; ++c) {
      const double length = at < list.size() ? list[at] : -1.0;
      if (!(length >= 0.0 && length <= static_cast<double>(list.size() - at - 1)))
        throw InputError(
            fmt::format("{}:{}: cell {} does not fit into the {} numbers that CELLS announces. Is the "
                        "file cut off?",
                        name_, at < lines.size() ? lines[at] : cells_line_, c, size));
      for (std::size_t i = 1; i <= static_cast<std::size_t>(length); ++i) {
        connectivity_.push_back(list[at + i]);
        if (!lines.empty()) corner_lines_.push_back(lines[at + i]);
      }
      at += 1 + static_cast<std::size_t>(length);
      offsets_.push_back(static_cast<double>(connectivity_.size()));
    }
  }

  void read_cell_types() {
    const std::size_t n = in_.count();
    cell_types_ = in_.numbers(VtkType::kInt32, n, &type_lines_);
  }

  void read_attribute(const std::string& word) {
    if (word == "SCALARS") {
      const std::string array = in_.word();
      const VtkType type = in_.type();
      const std::size_t components = in_.is_number_next() ? in_.count() : 1;
      if (in_.next_is("LOOKUP_TABLE")) in_.word(), in_.word();
      keep(array, type, components, in_.numbers(type, in_.product(rows_, components)));
    } else if (word == "FIELD") {
      in_.word();
      for (std::size_t a = in_.count(); a > 0; --a) read_field_array();
    } else if (word == "VECTORS" || word == "NORMALS" || word == "TENSORS") {
      in_.word();
      in_.numbers(in_.type(), in_.product(rows_, word == "TENSORS" ? 9 : 3));
    } else if (word == "TEXTURE_COORDINATES") {
      in_.word();
      const std::size_t components = in_.count();
      in_.numbers(in_.type(), in_.product(rows_, components));
    } else if (word == "COLOR_SCALARS" || word == "LOOKUP_TABLE") {
      // Colours are bytes in a binary file and numbers from 0 to 1 in a text.
      in_.word();
      const std::size_t n = in_.count();
      in_.numbers(VtkType::kUint8, word == "LOOKUP_TABLE" ? in_.product(n, 4) : in_.product(rows_, n));
    } else {
      in_.fail("\"{}\" is no keyword of a legacy VTK file with tetrahedra.", shown(word));
    }
  }

  void read_field_array() {
    std::string array = in_.word();
    if (array == "METADATA") in_.skip_metadata(), array = in_.word();
    const std::size_t components = in_.count(), tuples = in_.count();
    const VtkType type = in_.type();
    std::vector<double> values = in_.numbers(type, in_.product(tuples, components));
    if (tuples == rows_) keep(array, type, components, std::move(values));
  }

  /// Keeps the array if it is the best candidate for a pressure so far.
  void keep(const std::string& array, VtkType type, std::size_t components, std::vector<double> values) {
    const auto names_pressure = [](std::string text) {
      std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
      return text.find("pressure") != std::string::npos;
    };
    if (!of_points_ || components != 1) return;
    const bool real = type == VtkType::kFloat || type == VtkType::kDouble;  // integers are ids
    const bool better = out_.pressure_name.empty() ? real || names_pressure(array)
                                                   : names_pressure(array) && !names_pressure(out_.pressure_name);
    if (!better) return;
    out_.pressure_name = array;
    out_.vertex_pressures = std::move(values);
  }

  void make_tets() {
    const std::size_t n = offsets_.empty() ? 0 : offsets_.size() - 1;
    if (cell_types_.size() != n)
      throw InputError(
          fmt::format("{}: {} cells, but {} cell types. Is the file cut off?", name_, n, cell_types_.size()));
    for (std::size_t c = 0; c < n; ++c) {
      const int type = static_cast<int>(cell_types_[c]);
      if (type != kTetrahedron)
        throw InputError(
            fmt::format("{}: cell {} is of type {} ({}); only tetrahedra (type 10) are read. Export "
                        "tetrahedra alone.",
                        place(type_lines_, c), c, type, cell_name(type)));
      add_tet(c);
    }
    validate(out_.mesh, name_);
    if (!out_.vertex_pressures.empty() && out_.vertex_pressures.size() != out_.mesh.vertices.size())
      throw InputError(fmt::format("{}: {} pressures in POINT_DATA for {} points.", name_, out_.vertex_pressures.size(),
                                   out_.mesh.vertices.size()));
  }

  void add_tet(std::size_t c) {
    const double begin = offsets_[c], end = offsets_[c + 1];
    if (!(begin >= 0.0 && end - begin == 4.0 && end <= static_cast<double>(connectivity_.size())))
      throw InputError(fmt::format("{}: cell {} is a tetrahedron, which has four corners, but has {}.",
                                   place(corner_lines_, static_cast<std::size_t>(std::max(0.0, begin))), c,
                                   end - begin));
    std::array<int, 4> tet;
    const auto first = static_cast<std::size_t>(begin);
    for (std::size_t i = 0; i < 4; ++i) {
      const double v = connectivity_[first + i];
      if (!(v >= 0.0 && v < static_cast<double>(out_.mesh.vertices.size())))
        throw InputError(fmt::format("{}: cell {} names point {}, but there are {} points, numbered from 0.",
                                     place(corner_lines_, first + i), c, v, out_.mesh.vertices.size()));
      tet[i] = static_cast<int>(v);
    }
    out_.mesh.tets.push_back(tet);
  }

  void orient_tets() {
    int num_negative = 0, num_positive = 0, negative = -1;
    for (int t = 0; t < static_cast<int>(out_.mesh.tets.size()); ++t) {
      const int sign = orientation(out_.mesh, t);
      num_positive += sign > 0;
      if (sign < 0 && num_negative++ == 0) negative = t;
    }
    if (num_negative > 0 && num_positive > 0)
      throw InputError(fmt::format(
          "{}: tetrahedron {} has negative volume ({:.6g} m³), as have {} of {}. Order the corners of each so that "
          "(v1-v0)×(v2-v0)·(v3-v0) > 0; a mesh that is flipped as a whole is re-oriented here.",
          place(corner_lines_, static_cast<std::size_t>(offsets_[negative])), negative,
          signed_volume(out_.mesh, negative), num_negative, out_.mesh.tets.size()));
    out_.was_flipped = orient(out_.mesh, name_);
  }

  /// "file:line" where the text has lines.
  std::string place(const std::vector<int>& lines, std::size_t i) const {
    return i < lines.size() ? fmt::format("{}:{}", name_, lines[i]) : name_;
  }

  VtkScanner in_;
  const std::string& name_;
  VolumeFile out_;
  bool of_points_ = false;
  std::size_t rows_ = 0;  ///< Of the present POINT_DATA or CELL_DATA.
  int cells_line_ = 0;
  std::vector<double> offsets_, connectivity_, cell_types_;
  std::vector<int> corner_lines_, type_lines_;  ///< Of an ASCII file; empty otherwise.
};

}  // namespace

VolumeFile parse_vtk(std::string_view bytes, const std::string& name) { return VtkParser(bytes, name).parse(); }

}  // namespace patchfield
