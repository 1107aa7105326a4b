// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/sim/taxels.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "patchfield/core/check.h"

namespace patchfield {
namespace {

using Vec2 = Eigen::Vector2d;

/// A convex polygon in the plane of the grid; clipping by a cell adds at most four corners.
struct Polygon {
  static constexpr int kMost = 64;
  std::array<Vec2, kMost> v;
  int n = 0;

  double area() const {
    double twice = 0.0;
    for (int i = 0; i < n; ++i) {
      const Vec2 &a = v[i], &b = v[(i + 1) % n];
      twice += a.x() * b.y() - a.y() * b.x();
    }
    return 0.5 * std::abs(twice);
  }
};

/// The part with sign·(x[axis] − at) ≥ 0.
void clip(const Polygon& in, int axis, double at, double sign, Polygon& out) {
  out.n = 0;
  for (int i = 0; i < in.n; ++i) {
    const Vec2 &a = in.v[i], &b = in.v[(i + 1) % in.n];
    const double da = sign * (a[axis] - at), db = sign * (b[axis] - at);
    if (da >= 0.0) out.v[out.n++] = a;
    if ((da > 0.0 && db < 0.0) || (da < 0.0 && db > 0.0)) out.v[out.n++] = a + da / (da - db) * (b - a);
  }
}

/// Adds the forces of faces to cells. Coordinates are counted in cells from the grid's corner.
class Rasterizer {
 public:
  Rasterizer(const TaxelGrid& grid, TaxelImage& image) : grid_(grid), image_(image) {
    image.rows = grid.rows, image.columns = grid.columns;
    for (Column<double>* c : {&image.normal, &image.shear_x, &image.shear_y}) c->assign(grid.rows * grid.columns, 0.0);
    image.outside_T = Vec3::Zero();
  }

  Vec2 to_cells(const Vec3& p_T) const {
    return {(p_T.x() / grid_.width + 0.5) * grid_.columns, (p_T.y() / grid_.height + 0.5) * grid_.rows};
  }

  /// Counts a force that belongs to no cell.
  void leave_out(const Vec3& force) { image_.outside_T += force; }

  /// `force`: shear along x, along y, normal.
  void add(const Polygon& face, const Vec2& centroid, const Vec3& force) {
    const double whole = face.area();
    if (!(whole > 1e-12)) return add_to(cell(centroid.x()), cell(centroid.y()), force);  // seen edge-on
    Vec2 lo = face.v[0], hi = face.v[0];
    for (int i = 1; i < face.n; ++i) lo = lo.cwiseMin(face.v[i]), hi = hi.cwiseMax(face.v[i]);
    const int x0 = std::max(cell(lo.x()), 0), x1 = std::min(cell(hi.x()), grid_.columns - 1);
    const int y0 = std::max(cell(lo.y()), 0), y1 = std::min(cell(hi.y()), grid_.rows - 1);
    double inside = 0.0;
    for (int y = y0; y <= y1; ++y)
      for (int x = x0; x <= x1; ++x) {
        const double share = overlap(face, x, y) / whole;
        if (share == 0.0) continue;
        add_to(x, y, share * force);
        inside += share;
      }
    image_.outside_T += (1.0 - inside) * force;
  }

 private:
  /// Far-away coordinates would not fit an int; they are outside in any case.
  static int cell(double x) { return static_cast<int>(std::floor(std::clamp(x, -1.0, 1e6))); }

  void add_to(int x, int y, const Vec3& force) {
    if (x < 0 || y < 0 || x >= grid_.columns || y >= grid_.rows) {
      image_.outside_T += force;
      return;
    }
    const int i = y * grid_.columns + x;
    image_.shear_x[i] += force.x(), image_.shear_y[i] += force.y(), image_.normal[i] += force.z();
  }

  double overlap(const Polygon& face, int x, int y) {
    clip(face, 0, x, 1.0, a_);
    clip(a_, 0, x + 1, -1.0, b_);
    clip(b_, 1, y, 1.0, a_);
    clip(a_, 1, y + 1, -1.0, b_);
    return b_.n < 3 ? 0.0 : b_.area();
  }

  const TaxelGrid& grid_;
  TaxelImage& image_;
  Polygon a_, b_;
};

void check(const Data& data, int geom, const TaxelGrid& grid) {
  if (geom < 0 || geom >= data.model.num_geoms())
    throw InputError(fmt::format("geom {}: the model has {} geoms, numbered from 0", geom, data.model.num_geoms()));
  if (grid.rows < 1 || grid.columns < 1 || static_cast<long>(grid.rows) * grid.columns > 100'000'000L)
    throw InputError(fmt::format("a grid of {} × {} cells: give at least 1 × 1", grid.rows, grid.columns));
  if (!(grid.width > 0.0 && grid.height > 0.0 && std::isfinite(grid.width) && std::isfinite(grid.height)))
    throw InputError(fmt::format("a grid of {} × {} m: give sizes above 0", grid.width, grid.height));
  if (!grid.X_GT.is_finite()) throw InputError("the pose of the grid is not finite");
}

/// Force of one face on B over the step [N]; returns the first point of the next face.
int sum_face(const Data& data, const Patch& patch, int k, Vec3& force) {
  const int first = data.problem.patch_first[patch.index], face = patch.points.face[k];
  force.setZero();
  for (; k < patch.points.size() && patch.points.face[k] == face; ++k)
    force += Vec3(data.solution.gx[first + k], data.solution.gy[first + k], data.solution.gz[first + k]);
  force /= data.dt;
  return k;
}

void add_patch(const Data& data, const Patch& patch, bool on_A, const TaxelGrid& grid, Rasterizer& raster) {
  const Pose X_TW = ((on_A ? patch.X_WA : patch.X_WB) * grid.X_GT).inverse();
  const ContactSurface& s = patch.surface;
  Polygon polygon;
  Vec3 force;
  for (int k = 0; k < patch.points.size();) {
    const int face = patch.points.face[k];
    k = sum_face(data, patch, k, force);
    // n̂ leaves A; out of B it is −n̂. The force on A is the opposite of that on B.
    const Vec3 out_T = (on_A ? 1.0 : -1.0) * (X_TW.R * s.nhat_AB_W[face]);
    const Vec3 force_T = (on_A ? -1.0 : 1.0) * (X_TW.R * force);
    const double into = out_T.z() > 0.0 ? -force_T.z() : force_T.z();
    if (grid.one_sided && out_T.z() <= 0.0) {
      raster.leave_out({force_T.x(), force_T.y(), into});
      continue;
    }
    const int first = s.face_start[face];
    polygon.n = std::min(s.face_start[face + 1] - first, Polygon::kMost - 8);
    for (int i = 0; i < polygon.n; ++i) polygon.v[i] = raster.to_cells(X_TW * s.vertex_W[first + i]);
    raster.add(polygon, raster.to_cells(X_TW * s.centroid_W[face]), {force_T.x(), force_T.y(), into});
  }
}

}  // namespace

TaxelGrid default_taxel_grid(const Model& model, int geom, int rows, int columns) {
  const Geom& g = model.geom(geom);
  const Vec3 size = g.box.upper - g.box.lower;
  if (!g.geometry || !size.allFinite())
    throw InputError(fmt::format("geom \"{}\" has no box to lay a grid on ({}): give the grid its size and pose",
                                 g.name, g.geometry ? "it has no end" : "no patch can involve it"));
  int z = 0;
  for (int i = 1; i < 3; ++i)
    if (size[i] <= size[z] * (1.0 + 1e-9)) z = i;  // a cube's is its own z
  const int x = z == 0 ? 1 : 0, y = 3 - x - z;
  TaxelGrid grid;
  grid.rows = rows, grid.columns = columns;
  grid.width = size[x], grid.height = size[y];
  grid.X_GT.R.setZero();
  grid.X_GT.R(x, 0) = grid.X_GT.R(y, 1) = 1.0;
  grid.X_GT.R.col(2) = grid.X_GT.R.col(0).cross(grid.X_GT.R.col(1));
  grid.X_GT.p = 0.5 * (g.box.lower + g.box.upper);
  return grid;
}

void read_taxels(const Data& data, int geom, const TaxelGrid& grid, TaxelImage& image) {
  check(data, geom, grid);
  Rasterizer raster(grid, image);
  for (int i = 0; i < data.num_patches; ++i) {
    const Patch& patch = *data.patches[static_cast<std::size_t>(i)];
    if (patch.index < 0) continue;
    if (patch.geom_A == geom) add_patch(data, patch, true, grid, raster);
    if (patch.geom_B == geom) add_patch(data, patch, false, grid, raster);
  }
}

}  // namespace patchfield
