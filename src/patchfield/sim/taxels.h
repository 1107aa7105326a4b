// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Patches on one geom → normal and shear force per cell of a flat grid: what a tactile sensor sees.
//
//        y                        The grid T lies in a plane fixed to the geom, z out of the geom. Each face of a
//    rows┌──┬──┬──┐               patch is projected along z; a face over several cells is cut at their borders and
//        ├──┼──┼──┤  width ×      its force shared by projected area, so no force is lost or made:
//        └──┴──┴──┘  height           Σ cells + outside = force of the patches on the geom.
//         columns → x

#pragma once

#include "patchfield/sim/data.h"

namespace patchfield {

struct TaxelGrid {
  int rows = 16;           ///< Along y > 0.
  int columns = 16;        ///< Along x > 0.
  double width = 0;        ///< Along x [m] > 0; the grid is centred at the origin of T.
  double height = 0;       ///< Along y [m] > 0.
  Pose X_GT = {};          ///< Frame of the grid in that of the geom; z points out of it.
  bool one_sided = false;  ///< Cells have only faces whose outward normal has a part along +z.
};

/// Row-major, rows × columns. Forces are on the geom, the mean over the step [N].
struct TaxelImage {
  int rows = 0, columns = 0;
  Column<double> normal;            ///< Pushing into the geom: −z, or +z for faces on its far side. ≥ 0 up to friction.
  Column<double> shear_x, shear_y;  ///< Along x and y of the grid.
  Vec3 outside_T = Vec3::Zero();    ///< Of what no cell has, beyond the border or on the far side (x, y, normal).
};

/// A grid over the two longer sides of the geom's bounding box, in the middle of the box, z along the shortest side.
/// Throws InputError for a plane, which has no end, and for a geom without a shape.
TaxelGrid default_taxel_grid(const Model& model, int geom, int rows, int columns);

/// Of the last step of `data`. Throws InputError if the grid or the geom cannot be.
void read_taxels(const Data& data, int geom, const TaxelGrid& grid, TaxelImage& image);

}  // namespace patchfield
