// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A recording says what the step's own results say, within the bounds that recording_frame.h states.

#include "patchfield/io/recording.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "patchfield/core/check.h"
#include "patchfield/io/recording_bytes.h"
#include "patchfield/io/recording_reader.h"
#include "patchfield/io/viewer_page.h"
#include "patchfield/sim/step.h"
#include "scenes/scenes.h"

namespace patchfield {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class RecordingTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        fs::temp_directory_path() / ("patchfield_recording_" + std::string(test->name()) + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

std::string read_bytes(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Two pads pressed into a cylinder: two patches, friction, joints, servos.
struct Bubbles {
  Data data{Model::parse(scenes::by_name("bubbles"))};
  Bubbles() { data.d()->ctrl[0] = data.d()->ctrl[1] = 0.01; }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) step(data, 2e-3);
  }
};

TEST_F(RecordingTest, FrameHoldsTheResultsOfItsStep) {
  Bubbles scene;
  scene.run(500);
  Recorder recorder(folder_ / "a.pfr", scene.data, {.title = "bubbles"});
  scene.run(1);
  StepResults results;
  collect_results(scene.data, results);
  recorder.signal("answer", 42.0);
  recorder.record(scene.data, results);
  recorder.finish();

  const RecordingReader reader = RecordingReader::open(folder_ / "a.pfr");
  ASSERT_TRUE(reader.is_complete()) << reader.problem();
  ASSERT_EQ(reader.num_frames(), 1);
  EXPECT_EQ(reader.signal_names(), std::vector<std::string>{"answer"});
  const RecordedFrame frame = reader.frame(0);
  const mjData* d = scene.data.d();
  EXPECT_NEAR(frame.time, d->time - 2e-3, 1e-12);
  EXPECT_EQ(frame.signals, std::vector<double>{42.0});
  ASSERT_EQ(frame.patches.size(), static_cast<std::size_t>(results.patches.size()));
  ASSERT_GE(frame.patches.size(), 2u);
  for (std::size_t i = 0; i < frame.patches.size(); ++i) {
    const RecordedPatch& patch = frame.patches[i];
    const int row = static_cast<int>(i);
    EXPECT_EQ(patch.geom_A, results.patches.geom_A[row]);
    EXPECT_EQ(patch.geom_B, results.patches.geom_B[row]);
    EXPECT_NEAR(patch.area, results.patches.area[row], 1e-7 * patch.area);
    EXPECT_LT((patch.force_W - results.patches.force_W[row]).norm(), 1e-6 * (1.0 + patch.force_W.norm()));
    EXPECT_LT((patch.moment_P_W - results.patches.moment_P_W[row]).norm(), 1e-6);
    EXPECT_LT((patch.p_WP - results.patches.p_WP[row]).norm(), 1e-6);
  }
}

/// The bounds of recording_frame.h, face by face and vertex by vertex.
TEST_F(RecordingTest, RoundingStaysWithinItsBounds) {
  Bubbles scene;
  scene.run(500);
  Recorder recorder(folder_ / "a.pfr", scene.data);
  scene.run(1);
  StepResults results;
  collect_results(scene.data, results);
  recorder.record(scene.data, results);
  recorder.finish();
  const RecordedFrame frame = RecordingReader::open(folder_ / "a.pfr").frame(0);

  int compared = 0;
  double worst = 0.0;  // of all, in units of the bound
  for (std::size_t i = 0; i < frame.patches.size(); ++i) {
    const RecordedPatch& patch = frame.patches[i];
    const int row = static_cast<int>(i);
    const ContactSurface& s = scene.data.patches[static_cast<std::size_t>(results.patches.slot[row])]->surface;
    const FaceResults& f = results.faces;
    Eigen::Array4d least = Eigen::Array4d::Constant(INFINITY), largest = -least;
    double friction = 0.0, slip = 0.0;
    std::vector<int> kept;  // every face that presses or carries
    for (int k = results.patches.first_face[row]; k < results.patches.first_face[row] + results.patches.num_faces[row];
         ++k) {
      bool presses = f.normal_traction[k] > 0.0;
      for (int v = s.face_start[f.face[k]]; v < s.face_start[f.face[k] + 1]; ++v) presses |= s.vertex_pressure[v] > 0.0;
      if (!presses) continue;
      kept.push_back(k);
      friction = std::max(friction, f.friction_W[k].norm()), slip = std::max(slip, f.slip_velocity_W[k].norm());
      for (int v = s.face_start[f.face[k]]; v < s.face_start[f.face[k] + 1]; ++v) {
        const Eigen::Array4d x(s.vertex_W[v][0], s.vertex_W[v][1], s.vertex_W[v][2], s.vertex_pressure[v]);
        least = least.min(x), largest = largest.max(x);
      }
    }
    ASSERT_EQ(patch.face_start.size(), kept.size() + 1);
    const Eigen::Array4d bound = (largest - least) / 131070.0 * (1.0 + 1e-9) + 1e-18;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      const int first = s.face_start[f.face[kept[k]]], size = s.face_start[f.face[kept[k]] + 1] - first;
      ASSERT_EQ(patch.face_start[k + 1] - patch.face_start[k], size);
      for (int c = 0; c < size; ++c) {
        const auto v = static_cast<std::size_t>(patch.corner[static_cast<std::size_t>(patch.face_start[k] + c)]);
        Eigen::Array4d off;
        off.head<3>() = patch.vertex_W[v] - s.vertex_W[first + c];
        off[3] = patch.pressure[v] - s.vertex_pressure[first + c];
        worst = std::max(worst, (off.abs() / bound).maxCoeff());
        ++compared;
      }
      EXPECT_LE((patch.friction_W[k] - f.friction_W[kept[k]]).cwiseAbs().maxCoeff(), friction / 254.0 * (1.0 + 1e-6));
      EXPECT_LE((patch.slip_W[k] - f.slip_velocity_W[kept[k]]).cwiseAbs().maxCoeff(), slip / 254.0 * (1.0 + 1e-6));
      EXPECT_EQ(patch.sticks[k], f.sticks[kept[k]]);
    }
  }
  EXPECT_GT(compared, 400);
  EXPECT_LE(worst, 1.0);
  EXPECT_GT(worst, 0.9);  // the bound is the rounding's, not a generous guess
}

/// Poses and joint values are those of the start of the step, where its patches were found.
TEST_F(RecordingTest, StatesAreThoseOfTheStartOfTheStep) {
  Bubbles scene;
  scene.run(40);
  const std::vector<double> q0(scene.data.d()->qpos, scene.data.d()->qpos + scene.data.m()->nq);
  Recorder recorder(folder_ / "a.pfr", scene.data);
  scene.run(1);
  recorder.after_step(scene.data);
  recorder.finish();
  const RecordingReader reader = RecordingReader::open(folder_ / "a.pfr");
  const RecordedFrame frame = reader.frame(0);
  const Json head = Json::parse(reader.header());
  const mjModel* m = scene.data.m();
  const std::unique_ptr<mjData, void (*)(mjData*)> before(mj_makeData(m), mj_deleteData);
  std::copy(q0.begin(), q0.end(), before->qpos);
  mj_kinematics(m, before.get());
  ASSERT_EQ(frame.poses.size(), head["moving"].size());
  ASSERT_GT(frame.poses.size(), 0u);
  for (std::size_t i = 0; i < frame.poses.size(); ++i) {
    const int b = head["moving"][i];
    EXPECT_LT((frame.poses[i].position - Eigen::Map<const Vec3>(before->xpos + 3 * b)).norm(), 1e-7);
    const Eigen::Vector4d q(frame.poses[i].rotation.w(), frame.poses[i].rotation.x(), frame.poses[i].rotation.y(),
                            frame.poses[i].rotation.z());
    EXPECT_LT((q - Eigen::Map<const Eigen::Vector4d>(before->xquat + 4 * b)).norm(), 1e-6);
  }
  std::size_t joint = 0;
  for (int j = 0; j < m->njnt; ++j) {
    if (m->jnt_type[j] != mjJNT_SLIDE && m->jnt_type[j] != mjJNT_HINGE) continue;
    EXPECT_NEAR(frame.joints.at(joint++), q0[static_cast<std::size_t>(m->jnt_qposadr[j])], 1e-7);
  }
  EXPECT_EQ(joint, frame.joints.size());
  EXPECT_EQ(joint, head["joints"].size());
  EXPECT_GT(joint, 0u);
}

/// 60 frames per simulated second, whether a step is shorter or longer than a frame.
TEST_F(RecordingTest, FramesComeAtTheirRate) {
  for (const auto& [dt, steps, frames] :
       {std::tuple{1e-3, 1000, 60}, std::tuple{1.0 / 60.0, 60, 60}, std::tuple{0.04, 25, 25}}) {
    Data data(Model::parse(scenes::by_name("sphere_on_plane")));
    Recorder recorder(folder_ / "a.pfr", data);
    for (int i = 0; i < steps; ++i) {
      step(data, dt);
      recorder.after_step(data);
    }
    EXPECT_EQ(recorder.num_frames(), frames) << dt;
    recorder.finish();
    EXPECT_EQ(fs::file_size(folder_ / "a.pfr"), recorder.num_bytes());
    const RecordingReader reader = RecordingReader::open(folder_ / "a.pfr");
    ASSERT_EQ(reader.num_frames(), frames);
    EXPECT_EQ(reader.frame(0).time, 0.0);
    // The mean time between frames is the rate's, so replay keeps time.
    EXPECT_NEAR(reader.frame(frames - 1).time, (frames - 1) / std::min(60.0, 1.0 / dt), dt);
  }
}

TEST_F(RecordingTest, HeaderHoldsTheMeshesThatContactUses) {
  Bubbles scene;
  Recorder(folder_ / "a.pfr", scene.data, {.title = "soft \xff fingers"}).finish();
  const RecordingReader reader = RecordingReader::open(folder_ / "a.pfr");
  const Json head = Json::parse(reader.header());
  EXPECT_EQ(head["title"], "soft \xef\xbf\xbd fingers");  // no UTF-8: replaced, not refused
  ASSERT_EQ(head["geoms"].size(), static_cast<std::size_t>(scene.data.m()->ngeom));
  int volumes = 0;
  for (int g = 0; g < scene.data.m()->ngeom; ++g) {
    const Json& geom = head["geoms"][static_cast<std::size_t>(g)];
    const Geom& used = scene.data.model.geom(g);
    EXPECT_EQ(geom["name"], used.name);
    EXPECT_EQ(geom["compliant"], used.compliant);
    if (!used.geometry || used.geometry->half_space()) continue;
    const Json& mesh = geom["mesh"];
    if (used.geometry->is_rigid()) {
      EXPECT_EQ(mesh["triangles"]["count"], 3 * used.geometry->surface().triangles.size());
      continue;
    }
    ++volumes;
    const PressureMesh& volume = used.geometry->volume();
    EXPECT_EQ(mesh["tets"]["count"], 4 * volume.mesh.tets.size());
    EXPECT_EQ(mesh["pressures"]["count"], volume.pressure.size());
    ByteReader vertices(std::string_view(reader.blob()).substr(mesh["vertices"]["at"]));
    for (const Vec3& v : volume.mesh.vertices) EXPECT_LT((vertices.get_vector() - v).norm(), 1e-7);
    // The drawn surface is the boundary of the tetrahedra: no vertex of it lies under pressure.
    ByteReader corners(std::string_view(reader.blob()).substr(mesh["triangles"]["at"]));
    for (std::size_t n = mesh["triangles"]["count"]; n > 0; --n)
      EXPECT_LE(volume.pressure.at(corners.get<std::uint32_t>()), 1e-6);
  }
  EXPECT_EQ(volumes, 2);
}

TEST_F(RecordingTest, SignalsMayComeLate) {
  Data data(Model::parse(scenes::by_name("sphere_on_plane")));
  Recorder recorder(folder_ / "a.pfr", data);
  const auto frame = [&] {
    step(data, 0.02);
    recorder.after_step(data);
  };
  frame();
  recorder.signal("a", 1.0);
  frame();
  recorder.signal("b", 2.0), recorder.signal("a", 3.0);
  frame();
  recorder.finish();
  const RecordingReader reader = RecordingReader::open(folder_ / "a.pfr");
  EXPECT_EQ(reader.signal_names(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(reader.frame(0).signals, std::vector<double>{});
  EXPECT_EQ(reader.frame(1).signals, std::vector<double>{1.0});
  EXPECT_EQ(reader.frame(2).signals, (std::vector<double>{3.0, 2.0}));
}

/// Two rigid balls meet by MuJoCo's points, and those are in the frame with the force that carries the upper one.
TEST_F(RecordingTest, PointContactsAreThere) {
  Data data(Model::parse(R"(<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
    <body pos="0 0 0.0999"><freejoint/><geom name="ball" type="sphere" size="0.1" mass="2"/></body></worldbody></mujoco>)"));
  for (int i = 0; i < 2000; ++i) step(data, 1e-3);
  Recorder recorder(folder_ / "a.pfr", data);
  step(data, 1e-3);
  recorder.after_step(data);
  recorder.finish();
  const RecordedFrame frame = RecordingReader::open(folder_ / "a.pfr").frame(0);
  EXPECT_TRUE(frame.patches.empty());
  ASSERT_EQ(frame.points.size(), 1u);
  EXPECT_EQ(frame.points[0].geom_B, 1);
  EXPECT_LT((frame.points[0].force_W - Vec3(0, 0, 2 * 9.81)).norm(), 1e-3);
}

TEST_F(RecordingTest, UntilItIsFinishedItIsAPart) {
  Data data(Model::parse(scenes::by_name("sphere_on_plane")));
  {
    Recorder recorder(folder_ / "a.pfr", data);
    step(data, 0.02);
    recorder.after_step(data);
    EXPECT_FALSE(fs::exists(folder_ / "a.pfr"));
  }  // as after a crash: nobody called finish()
  EXPECT_FALSE(fs::exists(folder_ / "a.pfr"));
  const RecordingReader reader = RecordingReader::open(folder_ / "a.pfr.part");
  EXPECT_EQ(reader.num_frames(), 1);
  EXPECT_FALSE(reader.is_complete());
}

TEST_F(RecordingTest, NamesThatCannotBeWrittenAreRefused) {
  Data data(Model::parse(scenes::by_name("sphere_on_plane")));
  for (const char* name : {"a.mp4", "a", "no/such/folder/a.pfr"})
    EXPECT_THROW(Recorder(folder_ / name, data), InputError) << name;
  EXPECT_THROW(Recorder("", data), InputError);
  EXPECT_THROW(Recorder(folder_ / "a.pfr", data, {.frames_per_second = 0.0}), InputError);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(RecordingTest, PageHoldsTheSameRecording) {
  if (viewer_page().empty()) GTEST_SKIP() << "built without the viewer";
  std::vector<std::string> bytes;
  for (const char* name : {"a.pfr", "a.html"}) {
    Data data(Model::parse(scenes::by_name("sphere_on_plane")));
    Recorder recorder(folder_ / name, data);
    for (int i = 0; i < 10; ++i) {
      step(data, 0.02);
      recorder.after_step(data);
    }
    recorder.finish();
    EXPECT_EQ(fs::file_size(folder_ / name), recorder.num_bytes());
    bytes.push_back(RecordingReader::open(folder_ / name).bytes());
  }
  EXPECT_EQ(bytes[0], bytes[1]);
  EXPECT_EQ(bytes[0], read_bytes(folder_ / "a.pfr"));
  // A page that was cut off still gives its frames.
  const std::string page = read_bytes(folder_ / "a.html");
  std::ofstream(folder_ / "cut.html", std::ios::binary) << page.substr(0, page.size() - 200);
  const RecordingReader cut = RecordingReader::open(folder_ / "cut.html");
  EXPECT_FALSE(cut.is_complete());
  EXPECT_GE(cut.num_frames(), 8);
}

}  // namespace
}  // namespace patchfield
