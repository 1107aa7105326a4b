// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Wavefront OBJ: `v x y z …` and `f v/vt/vn …` of any length; everything else (normals, groups, materials, lines,
// points) has no meaning for contact. Our own reader: it knows the line of what is wrong, and a fuzzer has been
// through it.

#include <fmt/format.h>

#include "patchfield/core/check.h"
#include "patchfield/geometry/polygon_triangles.h"
#include "patchfield/io/mesh_parsers.h"
#include "patchfield/io/text_lines.h"

namespace patchfield {
namespace {

class ObjParser {
 public:
  explicit ObjParser(const std::string& name) : name_(name) {}

  TriangleMesh parse(std::string_view bytes) {
    LineReader lines(bytes);
    std::string joined;
    for (std::string_view line; lines.next(line);) {
      line_ = lines.number();
      // A backslash at the end continues on the next line.
      if (line.ends_with('\\')) {
        joined.append(line.substr(0, line.size() - 1)).push_back(' ');
        continue;
      }
      if (!joined.empty()) line = joined.append(line);
      parse_line(line);
      joined.clear();
    }
    if (!joined.empty()) parse_line(joined);
    resolve_faces();
    if (mesh_.triangles.empty())
      throw InputError(
          fmt::format("{}: no triangles: {} lines, {} of them vertices (v), but no face (f). Export faces.", name_,
                      lines.number(), mesh_.vertices.size()));
    return std::move(mesh_);
  }

 private:
  struct Face {
    std::size_t begin;  ///< First corner in corners_.
    int line;
  };

  void parse_line(std::string_view line) {
    line = line.substr(0, line.find('#'));
    const std::string_view keyword = next_word(line);
    if (keyword == "v") parse_vertex(line);
    else if (keyword == "f") parse_face(line);
  }

  void parse_vertex(std::string_view rest) {
    Vec3 x;
    for (int i = 0; i < 3; ++i) {
      const std::string_view word = next_word(rest);
      const auto value = to_number<double>(word);
      if (!value || !std::isfinite(*value))
        throw InputError(fmt::format("{}:{}: vertex with \"{}\" where coordinate {} should be. Write v x y z.", name_,
                                     line_, shown(word), "xyz"[i]));
      x[i] = *value;
    }
    mesh_.vertices.push_back(x);
  }

  void parse_face(std::string_view rest) {
    faces_.push_back({corners_.size(), line_});
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
      const auto index = to_number<long>(word.substr(0, word.find('/')));
      if (!index || *index == 0)
        throw InputError(
            fmt::format("{}:{}: face with corner \"{}\". Corners are v, v/vt, v//vn or v/vt/vn with "
                        "vertex numbers from 1, or negative ones from the end.",
                        name_, line_, shown(word)));
      // Negative numbers count backwards from here, positive ones may point ahead.
      corners_.push_back(*index > 0 ? *index - 1 : static_cast<long>(mesh_.vertices.size()) + *index);
    }
    if (corners_.size() - faces_.back().begin < 3)
      throw InputError(fmt::format("{}:{}: face with {} corners; it needs three or more.", name_, line_,
                                   corners_.size() - faces_.back().begin));
  }

  void resolve_faces() {
    const long num_vertices = static_cast<long>(mesh_.vertices.size());
    std::vector<int> polygon;
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      const std::size_t end = f + 1 < faces_.size() ? faces_[f + 1].begin : corners_.size();
      polygon.clear();
      for (std::size_t c = faces_[f].begin; c < end; ++c) {
        if (corners_[c] < 0 || corners_[c] >= num_vertices)
          throw InputError(
              fmt::format("{}:{}: face names vertex {}, but the file has {} vertices, numbered from 1. "
                          "Is the file cut off?",
                          name_, faces_[f].line, corners_[c] + 1, num_vertices));
        polygon.push_back(static_cast<int>(corners_[c]));
      }
      append_polygon(polygon, mesh_);
    }
  }

  const std::string& name_;
  TriangleMesh mesh_;
  std::vector<long> corners_;
  std::vector<Face> faces_;
  int line_ = 0;
};

}  // namespace

TriangleMesh parse_obj(std::string_view bytes, const std::string& name) { return ObjParser(name).parse(bytes); }

}  // namespace patchfield
