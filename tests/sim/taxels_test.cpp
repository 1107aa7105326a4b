// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A tactile image loses no force, and puts it where the contact is.

#include "patchfield/sim/taxels.h"

#include <numeric>

#include <gtest/gtest.h>

#include "patchfield/core/check.h"
#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

double sum(const Column<double>& c) { return std::accumulate(c.begin(), c.end(), 0.0); }

/// Force of all patches on a geom, world frame.
Vec3 force_on(const Data& data, int geom) {
  StepResults results;
  collect_results(data, results);
  Vec3 force = Vec3::Zero();
  for (int i = 0; i < results.patches.size(); ++i)
    force += (results.patches.geom_B[i] == geom   ? 1.0
              : results.patches.geom_A[i] == geom ? -1.0
                                                  : 0.0) *
             results.patches.force_W[i];
  return force;
}

// Whatever the number of cells, whether faces span several of them or leave the grid.
TEST(Taxels, SumToTheForceOnTheGeom) {
  Data data(Model::parse(scenes::box_on_plane({.modulus = 1e6}, 0.2)));
  run(data, 1e-3, 0.05);
  const int cube = static_cast<int>(data.m()->ngeom) - 1;
  TaxelImage image;
  for (const auto& [rows, columns] : {std::pair{1, 1}, std::pair{7, 3}, std::pair{40, 50}})
    for (const double shrink : {1.0, 0.37}) {
      TaxelGrid grid = default_taxel_grid(data.model, cube, rows, columns);
      grid.X_GT = {};  // z along the cube's own z
      grid.width *= shrink, grid.height *= shrink;
      read_taxels(data, cube, grid, image);
      const Vec3 total(sum(image.shear_x), sum(image.shear_y), sum(image.normal));
      const Pose X_WG = data.patches[0]->X_WB;
      Vec3 expected = X_WG.R.transpose() * force_on(data, cube);
      EXPECT_GT(expected.norm(), 5.0);
      EXPECT_LT((total + image.outside_T - expected).norm(), 1e-9 * expected.norm());
      EXPECT_EQ(image.outside_T.norm() > 1e-9, shrink < 1.0);
    }
}

// A cube that rests flat: an even pressure, so each of the inner cells carries weight/(rows × columns), and the image
// is the same from above (far side) as the force from below is pushing in.
TEST(Taxels, EvenPressureGivesEvenCells) {
  Data data(Model::parse(scenes::box_on_plane({.modulus = 1e6, .margin = 0.0})));
  run(data, 1e-3, 1.0);
  const int cube = static_cast<int>(data.m()->ngeom) - 1;
  TaxelGrid grid = default_taxel_grid(data.model, cube, 10, 10);
  TaxelImage image;
  read_taxels(data, cube, grid, image);
  EXPECT_NEAR(sum(image.normal), kGravity, 1e-3) << "pushes in, though the contact is on the far side of z";
  for (int i = 0; i < 100; ++i) EXPECT_NEAR(image.normal[i], kGravity / 100, 0.02 * kGravity / 100) << i;

  grid.one_sided = true;
  read_taxels(data, cube, grid, image);
  EXPECT_EQ(sum(image.normal), 0.0) << "nothing touches the upper side";
  EXPECT_NEAR(image.outside_T.z(), kGravity, 1e-3) << "and what the lower side carries is not lost";
}

// A ball that rolls off the middle: the centre of the image is the centre of pressure.
TEST(Taxels, CentreOfTheImageIsTheCentreOfPressure) {
  Data data(Model::parse(scenes::sphere_on_box()));
  run(data, 1e-3, 0.5);
  StepResults results;
  collect_results(data, results);
  ASSERT_EQ(results.patches.size(), 1);
  const int box = results.patches.geom_A[0];
  TaxelGrid grid = default_taxel_grid(data.model, box, 200, 200);
  TaxelImage image;
  read_taxels(data, box, grid, image);
  double x = 0.0, y = 0.0;
  for (int i = 0; i < 200; ++i)
    for (int j = 0; j < 200; ++j) {
      x += image.normal[200 * i + j] * ((j + 0.5) / 200 - 0.5) * grid.width;
      y += image.normal[200 * i + j] * ((i + 0.5) / 200 - 0.5) * grid.height;
    }
  const Pose X_WT = data.patches[0]->X_WA * grid.X_GT;
  const Vec3 cop_T = X_WT.inverse() * results.patches.p_WP[0];
  EXPECT_NEAR(x / sum(image.normal), cop_T.x(), 2e-3);
  EXPECT_NEAR(y / sum(image.normal), cop_T.y(), 2e-3);
}

TEST(Taxels, RefusesGridsThatCannotBe) {
  Data data(Model::parse(scenes::box_on_plane()));
  TaxelImage image;
  EXPECT_THROW(default_taxel_grid(data.model, 0, 4, 4), InputError) << "a plane has no end";
  EXPECT_THROW(read_taxels(data, 99, {.width = 1, .height = 1}, image), InputError);
  EXPECT_THROW(read_taxels(data, 1, {.rows = 0, .width = 1, .height = 1}, image), InputError);
  EXPECT_THROW(read_taxels(data, 1, {.width = std::nan(""), .height = 1}, image), InputError);
  read_taxels(data, 1, default_taxel_grid(data.model, 1, 4, 4), image);
  EXPECT_EQ(image.normal.size(), 16);
}

}  // namespace
}  // namespace patchfield
