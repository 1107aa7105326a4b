// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The log is checked by laws that its own columns must obey together, so that a column shifted by one step, a patch
// that lost a face or a wrong offset cannot pass.

#include "patchfield/io/step_log.h"

#include <cmath>
#include <limits>

#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/npz_reader.h"
#include "patchfield/core/check.h"
#include "scenes/scenes.h"

namespace patchfield {
namespace {

namespace fs = std::filesystem;
using testing::NpzFile;
using testing::read_npz;

constexpr double kDt = 1e-3, kGravity = 9.81;

class StepLogTest : public ::testing::Test {
 protected:
  void TearDown() override { fs::remove(path_); }

  /// Simulates with a log; returns it as read back.
  NpzFile run(Data& data, int steps, int every = 1) {
    StepLog log(path_, data, {"test", kDt, every});
    for (int i = 0; i < steps; ++i) {
      log.begin_step(data);
      log.end_step(data, step(data, kDt));
    }
    log.finish(data, "done");
    return read_npz(path_);
  }

  fs::path path_ = fs::temp_directory_path() / fmt::format("patchfield-step-log-{}.npz", ::getpid());
};

Vec3 row3(const std::vector<double>& values, std::int64_t i) {
  return {values[static_cast<std::size_t>(3 * i)], values[static_cast<std::size_t>(3 * i + 1)],
          values[static_cast<std::size_t>(3 * i + 2)]};
}

Data clutter_data() {
  return Data(Model::parse(scenes::clutter(12)),
              {.solver = {.kind = SolverKind::kSap}, .quadrature = Quadrature::kCentroid});
}

// m(v₁ − v₀)/δt = f − mg: states of two rows, the patch force between them.
TEST_F(StepLogTest, PatchForceIsWhatChangesTheMomentum) {
  constexpr double kMass = 0.5;
  Data data(Model::parse(scenes::sphere_on_plane({}, 0.003)), {.solver = {.relative_tolerance = 1e-10}});
  constexpr int kSteps = 80;
  const NpzFile npz = run(data, kSteps);
  ASSERT_EQ(npz["time"].rows(), kSteps + 1);
  ASSERT_EQ(npz["step_patch_start"].rows(), kSteps + 1);
  const auto qvel = npz["qvel"].values<double>(), force = npz["patch_force"].values<double>();
  const auto start = npz["step_patch_start"].values<std::int64_t>();
  int touching = 0;
  for (std::size_t i = 0; i < kSteps; ++i) {
    double f = 0.0;
    for (std::int64_t j = start[i]; j < start[i + 1]; ++j) f += row3(force, j).z(), ++touching;
    const double change = kMass * (qvel[6 * (i + 1) + 2] - qvel[6 * i + 2]) / kDt;
    EXPECT_NEAR(change, f - kMass * kGravity, 1e-7 * kMass * kGravity) << "step " << i;
  }
  EXPECT_GT(touching, 20);
  EXPECT_LT(touching, kSteps);  // it falls first: the offsets are not trivial
}

TEST_F(StepLogTest, FacesAddUpToTheirPatch) {
  Data data = clutter_data();
  const NpzFile npz = run(data, 400, 50);
  const auto start = npz["patch_face_start"].values<std::int64_t>();
  const auto area = npz["face_area"].values<double>(), normal = npz["face_normal_traction"].values<double>();
  const auto friction = npz["face_friction"].values<double>(), nhat = npz["face_normal"].values<double>();
  const auto centroid = npz["face_centroid"].values<double>();
  const auto pressure = npz["face_pressure"].values<double>();
  const auto patches = npz["patch_area"].rows();
  ASSERT_GT(patches, 20);
  ASSERT_EQ(start.size(), static_cast<std::size_t>(patches + 1));
  ASSERT_EQ(start.back(), npz["face_area"].rows());
  for (std::int64_t j = 0; j < patches; ++j) {
    double total_area = 0.0, waiting_area = 0.0;
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    const Vec3 cop = row3(npz["patch_cop"].values<double>(), j);
    for (std::int64_t k = start[static_cast<std::size_t>(j)]; k < start[static_cast<std::size_t>(j + 1)]; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const Vec3 f = area[i] * (normal[i] * row3(nhat, k) + row3(friction, k));
      (pressure[i] > 0.0 ? total_area : waiting_area) += area[i];
      force += f, moment += (row3(centroid, k) - cop).cross(f);
    }
    const Vec3 expected = row3(npz["patch_force"].values<double>(), j);
    EXPECT_NEAR(total_area, npz["patch_area"].values<double>()[static_cast<std::size_t>(j)], 1e-12 * total_area);
    EXPECT_NEAR(waiting_area, npz["patch_waiting_area"].values<double>()[static_cast<std::size_t>(j)],
                1e-12 * waiting_area);
    EXPECT_LT((force - expected).norm(), 1e-9 * (1.0 + expected.norm())) << "patch " << j;
    // Quadrature at the centroids: the moment is that of the forces there.
    EXPECT_LT((moment - row3(npz["patch_moment"].values<double>(), j)).norm(), 1e-9 * (1.0 + expected.norm()));
  }
}

// Area vector of a planar polygon: ½ Σ (v_i − v_0) × (v_{i+1} − v_0) = A·n̂.
TEST_F(StepLogTest, VerticesSpanTheirFace) {
  Data data = clutter_data();
  const NpzFile npz = run(data, 400, 50);
  const auto start = npz["face_vertex_start"].values<std::int64_t>();
  const auto vertex = npz["vertex_position"].values<double>(), nhat = npz["face_normal"].values<double>();
  const auto area = npz["face_area"].values<double>();
  ASSERT_EQ(start.back(), npz["vertex_position"].rows());
  ASSERT_EQ(start.back(), npz["vertex_pressure"].rows());
  ASSERT_GT(area.size(), 100u);
  for (std::size_t k = 0; k < area.size(); ++k) {
    const std::int64_t first = start[k], last = start[k + 1];
    ASSERT_GE(last - first, 3);
    Vec3 twice = Vec3::Zero();
    for (std::int64_t v = first + 1; v + 1 < last; ++v)
      twice += (row3(vertex, v) - row3(vertex, first)).cross(row3(vertex, v + 1) - row3(vertex, first));
    EXPECT_LT((0.5 * twice - area[k] * row3(nhat, static_cast<std::int64_t>(k))).norm(), 1e-9 * area[k] + 1e-15);
  }
}

TEST_F(StepLogTest, RowsAreTheStepsAskedForAndTheEnd) {
  Data data(Model::parse(scenes::sphere_on_plane()));
  const NpzFile npz = run(data, 11, 4);
  EXPECT_EQ(npz["step_index"].values<std::int64_t>(), (std::vector<std::int64_t>{0, 4, 8}));
  const auto time = npz["time"].values<double>();
  ASSERT_EQ(time.size(), 4u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(time[i], 4 * static_cast<double>(i) * kDt, 1e-15);
  EXPECT_NEAR(time[3], 11 * kDt, 1e-15);
  EXPECT_EQ(npz["num_steps"].values<std::int64_t>()[0], 11);
  EXPECT_EQ(npz["qpos"].shape, (std::vector<std::int64_t>{4, 7}));
  EXPECT_EQ(npz["qpos"].values<double>()[3 * 7 + 2], data.d()->qpos[2]);
  for (const auto& [name, array] : npz.arrays) {
    const bool per_step = name.starts_with("step_") && name != "step_patch_start";
    EXPECT_TRUE(!per_step || array.rows() == 3) << name;
  }
}

// The energy of the next step's start, by its own ledger, is that of this step's end up to the change of pose.
TEST_F(StepLogTest, LedgersOfNeighbouringStepsMeet) {
  Data data(Model::parse(scenes::sphere_on_plane({}, 0.01)));
  const NpzFile npz = run(data, 30);
  const auto end = npz["step_kinetic_end"].values<double>(), start = npz["step_kinetic_start"].values<double>();
  for (std::size_t i = 0; i + 1 < end.size(); ++i) EXPECT_NEAR(end[i], start[i + 1], 1e-12 + 1e-9 * end[i]);
  EXPECT_GT(end[20], 0.0);
}

TEST_F(StepLogTest, StepThatWentWrongIsNotInTheLog) {
  Data data(Model::parse(scenes::sphere_on_plane()));
  StepLog log(path_, data, {"test", kDt, 1});
  for (int i = 0; i < 5; ++i) {
    log.begin_step(data);
    log.end_step(data, step(data, kDt));
  }
  const double height = data.d()->qpos[2];
  log.begin_step(data);
  data.d()->qpos[2] = std::numeric_limits<double>::quiet_NaN();
  log.finish(data, "diverged");
  const NpzFile npz = read_npz(path_);
  EXPECT_EQ(npz["step_index"].rows(), 5);
  ASSERT_EQ(npz["qpos"].rows(), 6);
  EXPECT_EQ(npz["qpos"].values<double>()[5 * 7 + 2], height);
}

TEST_F(StepLogTest, RunWithoutStepsHasItsFirstState) {
  Data data(Model::parse(scenes::sphere_on_plane()));
  const NpzFile npz = run(data, 0);
  EXPECT_EQ(npz["qpos"].rows(), 1);
  EXPECT_EQ(npz["step_index"].rows(), 0);
  EXPECT_EQ(npz["step_patch_start"].values<std::int64_t>(), std::vector<std::int64_t>{0});
  EXPECT_EQ(npz["face_vertex_start"].values<std::int64_t>(), std::vector<std::int64_t>{0});
}

TEST_F(StepLogTest, EveryMustBePositive) {
  Data data(Model::parse(scenes::sphere_on_plane()));
  EXPECT_THROW(StepLog(path_, data, {"test", kDt, 0}), InputError);
  EXPECT_FALSE(fs::exists(path_));
}

}  // namespace
}  // namespace patchfield
