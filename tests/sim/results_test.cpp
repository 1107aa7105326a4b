// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What a step reports about its patches is consistent with itself and with statics.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/sim_testing.h"

namespace patchfield {
namespace {

using namespace testing_sim;

TEST(Results, AreEmptyBeforeTheFirstStep) {
  Data data(Model::parse(scenes::box_on_plane()));
  StepResults results;
  collect_results(data, results);
  EXPECT_EQ(results.patches.size(), 0);
  EXPECT_EQ(results.faces.size(), 0);
  EXPECT_EQ(energy_ledger(data).kinetic_end, 0.0);
}

// Tractions of the faces sum to the patch's force; moments about O and P differ by the shift.
TEST(Results, FacesSumToThePatch) {
  for (const SolverKind kind : kSolvers)
    for (const std::string_view name : {"stack", "bubbles", "sphere_on_box"}) {
      Data data(Model::parse(scenes::by_name(name)), with(kind));
      run(data, 2e-3, 0.3);
      StepResults results;
      collect_results(data, results);
      const PatchResults& p = results.patches;
      const FaceResults& f = results.faces;
      ASSERT_GT(p.size(), 0);
      for (int i = 0; i < p.size(); ++i) {
        Vec3 force = Vec3::Zero();
        double normal = 0.0, area = 0.0, waiting = 0.0, power = 0.0;
        for (int k = p.first_face[i]; k < p.first_face[i] + p.num_faces[i]; ++k) {
          EXPECT_EQ(f.patch[k], i);
          force += f.area[k] * (f.normal_traction[k] * f.nhat_AB_W[k] + f.friction_W[k]);
          normal += f.area[k] * f.normal_traction[k];
          (f.pressure[k] > 0.0 ? area : waiting) += f.area[k];
          power += f.dissipation[k];
          EXPECT_NEAR(f.friction_W[k].dot(f.nhat_AB_W[k]), 0.0, 1e-9 * (1 + f.normal_traction[k]));
        }
        EXPECT_LT((force - p.force_W[i]).norm(), 1e-10 * (1 + force.norm()));
        EXPECT_NEAR(normal, p.normal_force[i], 1e-10 * (1 + normal));
        EXPECT_NEAR(area, p.area[i], 1e-15);
        EXPECT_NEAR(waiting, p.waiting_area[i], 1e-15);
        EXPECT_NEAR(power, p.dissipation[i], 1e-12);
        const Vec3 shift = p.p_WP[i] - p.p_WO[i];
        EXPECT_LT((p.moment_P_W[i] + shift.cross(p.force_W[i]) - p.moment_O_W[i]).norm(), 1e-12);
      }
    }
}

// A cube loaded off its centre: at rest the centre of pressure is under the resultant of weight and load.
TEST(Results, CentreOfPressureIsUnderTheLoad) {
  for (const SolverKind kind : kSolvers) {
    Data data(Model::parse(scenes::box_on_plane({.modulus = 1e7})), with(kind));
    data.d()->xfrc_applied[6 + 2] = -10.0;        // 10 N down at the centre …
    data.d()->xfrc_applied[6 + 4] = 10.0 * 0.01;  // … moved to x = +1 cm
    run(data, 1e-3, 1.5);
    StepResults results;
    collect_results(data, results);
    const double expected = 10.0 * 0.01 / (10.0 + kGravity);
    EXPECT_NEAR(results.patches.p_WP[0].x() - data.d()->qpos[0], expected, 1e-3 * expected) << to_string(kind);
    EXPECT_NEAR(results.patches.p_WP[0].y() - data.d()->qpos[1], 0.0, 1e-6);
    EXPECT_NEAR(results.patches.area[0], 0.01, 2e-4);
    EXPECT_NEAR(results.patches.moment_P_W[0].norm(), 0.0, 1e-4) << "no moment about the centre of pressure";
    // At rest the traction is the pressure of the field, but on the slivers of the rim that fade (discretize.h).
    double bottom = 0.0;
    for (int i = 0; i < results.faces.size(); ++i)
      if (results.faces.pressure[i] > 1.0 && results.faces.area[i] > 1e-5) {
        EXPECT_NEAR(results.faces.normal_traction[i], results.faces.pressure[i], 1e-3 * results.faces.pressure[i]);
        EXPECT_TRUE(results.faces.sticks[i]);
        bottom += results.faces.area[i];
      }
    EXPECT_NEAR(bottom, 0.01, 2e-4);
  }
}

TEST(Results, NormalsLeaveA) {
  Data data(Model::parse(scenes::box_on_plane()));
  run(data, 1e-3, 0.2);
  StepResults results;
  collect_results(data, results);
  EXPECT_EQ(results.patches.geom_A[0], geom_id(data, "floor"));
  EXPECT_EQ(results.patches.geom_B[0], geom_id(data, "cube"));
  for (int i = 0; i < results.faces.size(); ++i) EXPECT_GT(results.faces.nhat_AB_W[i].z(), 0.99);
  EXPECT_GT(results.patches.force_W[0].z(), 0.0) << "the force on B, the cube, is upwards";
}

TEST(Report, CountsWhatTheStepDid) {
  Data data(Model::parse(scenes::stack(3)));
  const StepReport report = run(data, 2e-3, 0.1);
  EXPECT_EQ(report.patches, 3);
  EXPECT_GE(report.points, report.faces);
  EXPECT_EQ(report.points, data.problem.num_points());
  EXPECT_EQ(report.rows, 0);
  EXPECT_GT(report.times.total(), 0.0);
  EXPECT_EQ(report.solver.status, SolverStatus::kConverged);
}

}  // namespace
}  // namespace patchfield
