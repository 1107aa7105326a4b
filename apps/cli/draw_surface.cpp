// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "draw_surface.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "patchfield/geometry/mesh_tools.h"

namespace patchfield::cli {
namespace {

constexpr double kWidth = 900, kHeight = 640;

/// Looks down on the scene from the front right, z up; depth grows towards the viewer.
struct Camera {
  Mat3 R;
  double scale = 1.0;
  Vec3 center = Vec3::Zero();

  Camera() {
    R = (Eigen::AngleAxisd(-1.05, Vec3::UnitX()) * Eigen::AngleAxisd(-0.6, Vec3::UnitZ())).toRotationMatrix();
  }
  Vec3 project(const Vec3& x) const {
    const Vec3 v = R * (x - center);
    return {0.46 * kWidth + scale * v.x(), 0.53 * kHeight - scale * v.y(), v.z()};
  }
};

// Viridis at nine points: even in lightness and safe for colour-blind readers.
std::string color_of(double t) {
  static constexpr std::array<std::array<double, 3>, 9> kViridis = {{{68, 1, 84},
                                                                     {71, 44, 122},
                                                                     {59, 81, 139},
                                                                     {44, 113, 142},
                                                                     {33, 144, 141},
                                                                     {39, 173, 129},
                                                                     {92, 200, 99},
                                                                     {170, 220, 50},
                                                                     {253, 231, 37}}};
  const double s = std::clamp(t, 0.0, 1.0) * 8;
  const int i = std::min(static_cast<int>(s), 7);
  std::array<int, 3> rgb{};
  for (int c = 0; c < 3; ++c)
    rgb[c] = static_cast<int>(kViridis[i][c] + (s - i) * (kViridis[i + 1][c] - kViridis[i][c]));
  return fmt::format("rgb({},{},{})", rgb[0], rgb[1], rgb[2]);
}

TriangleMesh outline_mesh(const Geometry& geometry, const Pose& X_WG) {
  if (geometry.half_space()) return {};
  return transformed(X_WG, geometry.is_rigid() ? geometry.surface() : boundary(geometry.volume().mesh).surface);
}

struct Shape2d {
  double depth;
  std::string svg;
};

std::string points_of(const std::vector<Vec3>& points) {
  std::string text;
  for (const Vec3& p : points) text += fmt::format("{:.2f},{:.2f} ", p.x(), p.y());
  return text;
}

void add_body(const TriangleMesh& mesh, const Camera& camera, const char* stroke, bool near_side,
              std::vector<Shape2d>& shapes) {
  for (const auto& triangle : mesh.triangles) {
    std::vector<Vec3> points;
    for (const int v : triangle) points.push_back(camera.project(mesh.vertices[v]));
    // Screen y points down, so a triangle that faces the viewer turns clockwise there.
    const Vec3 u = points[1] - points[0], w = points[2] - points[0];
    const bool faces_viewer = u.x() * w.y() - u.y() * w.x() < 0.0;
    if (faces_viewer != near_side) continue;
    const double depth = (points[0].z() + points[1].z() + points[2].z()) / 3.0;
    shapes.push_back(
        {depth, fmt::format("<polygon points='{}' fill='{}' fill-opacity='{}' stroke='{}' "
                            "stroke-opacity='{}' stroke-width='0.6'/>\n",
                            points_of(points), stroke, near_side ? 0.03 : 0.10, stroke, near_side ? 0.22 : 0.30)});
  }
}

void add_faces(const ContactSurface& s, double peak, const Camera& camera, std::vector<Shape2d>& shapes) {
  for (int f = 0; f < s.num_faces(); ++f) {
    std::vector<Vec3> points;
    for (int v = s.face_start[f]; v < s.face_start[f + 1]; ++v) points.push_back(camera.project(s.vertex_W[v]));
    shapes.push_back({camera.project(s.centroid_W[f]).z(),
                      fmt::format("<polygon points='{}' fill='{}' stroke='white' stroke-width='0.4'/>\n",
                                  points_of(points), color_of(peak > 0 ? s.pressure[f] / peak : 0.0))});
  }
}

void append_sorted(std::vector<Shape2d>& shapes, std::string& svg) {
  std::stable_sort(shapes.begin(), shapes.end(), [](const Shape2d& a, const Shape2d& b) { return a.depth < b.depth; });
  for (const Shape2d& shape : shapes) svg += shape.svg;
  shapes.clear();
}

void append_legend(double peak, std::string& svg) {
  const double x = kWidth - 70, top = 120, height = 360;
  for (int i = 0; i < 60; ++i)
    svg += fmt::format("<rect x='{}' y='{:.1f}' width='18' height='6.5' fill='{}'/>\n", x, top + height * i / 60,
                       color_of(1.0 - (i + 0.5) / 60));
  for (int i = 0; i <= 4; ++i)
    svg += fmt::format("<text x='{}' y='{:.0f}' text-anchor='end'>{:.1f}</text>\n", x - 6, top + height * i / 4.0 + 4,
                       peak * (1 - i / 4.0) * 1e-3);
  svg += fmt::format("<text x='{}' y='{}' text-anchor='end'>pressure [kPa]</text>\n", x + 18, top - 16);
}

}  // namespace

std::string draw_surface(const ContactSurface& surface, const Geometry& A, const Pose& X_WA, const Geometry& B,
                         const Pose& X_WB, const std::string& caption) {
  const TriangleMesh mesh_A = outline_mesh(A, X_WA), mesh_B = outline_mesh(B, X_WB);
  Aabb box;
  for (const TriangleMesh* mesh : {&mesh_A, &mesh_B})
    for (const Vec3& v : mesh->vertices) box.lower = box.lower.cwiseMin(v), box.upper = box.upper.cwiseMax(v);
  for (const Vec3& v : surface.vertex_W) box.lower = box.lower.cwiseMin(v), box.upper = box.upper.cwiseMax(v);
  Camera camera;
  if (box.lower[0] <= box.upper[0]) {
    camera.center = 0.5 * (box.lower + box.upper);
    camera.scale = 1.05 * kHeight / std::max(1e-12, (box.upper - box.lower).norm());
  }
  double peak = 0.0;
  for (const double p : surface.vertex_pressure) peak = std::max(peak, p);

  std::string svg = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' "
      "font-family='sans-serif' font-size='14'>\n<rect width='100%' height='100%' fill='white'/>\n",
      kWidth, kHeight);
  // Far sides of the bodies, the patch, then the near sides as a thin veil.
  std::vector<Shape2d> shapes;
  add_body(mesh_A, camera, "#335", false, shapes);
  add_body(mesh_B, camera, "#a52", false, shapes);
  append_sorted(shapes, svg);
  add_faces(surface, peak, camera, shapes);
  append_sorted(shapes, svg);
  add_body(mesh_A, camera, "#335", true, shapes);
  add_body(mesh_B, camera, "#a52", true, shapes);
  append_sorted(shapes, svg);
  append_legend(peak, svg);
  svg += fmt::format("<text x='24' y='{}'>{}</text>\n</svg>\n", kHeight - 20, caption);
  return svg;
}

}  // namespace patchfield::cli
