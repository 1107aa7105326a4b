// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "import_testing.h"
#include "patchfield/sim/step.h"

namespace patchfield {
namespace {

constexpr double kSame = 1e-12;

class Directives : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("patchfield_dmd_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    write("arm.urdf",
          "<robot name=\"arm\"><link name=\"base\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" "
          "izz=\"1\"/></inertial>"
          "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision></link>"
          "<link name=\"hand\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>"
          "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision></link>"
          "<joint name=\"j\" type=\"continuous\"><parent link=\"base\"/><child link=\"hand\"/><origin xyz=\"1 0 "
          "0\"/><axis xyz=\"0 0 1\"/></joint></robot>");
    write("cup.sdf",
          "<sdf version=\"1.9\"><model name=\"cup\"><link name=\"cup\"><collision "
          "name=\"c\"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link>"
          "<frame name=\"handle\"><pose>0 0 0.5 0 0 0</pose></frame></model></sdf>");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  Imported import(const std::string& text) {
    write("scene.dmd.yaml", "directives:\n" + text);
    return Imported(import_model((folder_ / "scene.dmd.yaml").string()));
  }
  void refuses(const std::string& text, const std::vector<std::string>& words) {
    write("scene.dmd.yaml", "directives:\n" + text);
    try {
      import_model((folder_ / "scene.dmd.yaml").string());
      FAIL() << "accepted " << text;
    } catch (const InputError& error) {
      for (const std::string& word : words)
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }
  std::filesystem::path folder_;
};

const std::string kArm = "- add_model: {name: arm, file: arm.urdf, default_joint_positions: {j: [0.5]}}\n";

TEST_F(Directives, WeldsFramesAndJointPositionsPutModelsTogether) {
  const Imported x = import(
      "- add_frame: {name: mount, X_PF: {base_frame: world, translation: [0, 0, 1], rotation: !AngleAxis {angle_deg: "
      "90, axis: [0, 0, 1]}}}\n" +
      kArm +
      "- add_weld: {parent: mount, child: arm::base, X_PC: {translation: [0, 1, 0]}}\n"
      "- add_model: {name: cup, file: cup.sdf}\n"
      "- add_weld: {parent: arm::hand, child: cup::handle, X_PC: {translation: [0, 0, 0.2], rotation: !Rpy {deg: [0, "
      "90, 0]}}}\n");
  EXPECT_EQ(x.m->nv, 1);
  const Pose mount{rpy(0, 0, M_PI / 2), {0, 0, 1}};
  const Pose base = mount * Pose{Mat3::Identity(), {0, 1, 0}};
  const Pose hand = base * Pose{Mat3::Identity(), {1, 0, 0}} * Pose{rpy(0, 0, 0.5), Vec3::Zero()};
  const Pose handle = hand * Pose{rpy(0, M_PI / 2, 0), {0, 0, 0.2}};
  EXPECT_LT(distance(x.body_pose("arm::base"), base), kSame);
  EXPECT_LT(distance(x.body_pose("arm::hand"), hand), kSame);
  EXPECT_LT(distance(x.site_pose("cup::handle"), handle), kSame);
  EXPECT_LT(distance(x.body_pose("cup::cup"), handle * Pose{Mat3::Identity(), {0, 0, -0.5}}), kSame);
  EXPECT_TRUE(x.excludes("arm::base", "arm::hand"));
}

TEST_F(Directives, FreePosesMayBeRelativeToWhatIsWelded) {
  const Imported x = import(kArm +
                            "- add_weld: {parent: world, child: arm::base}\n"
                            "- add_model:\n    name: cup\n    file: cup.sdf\n    default_free_body_pose:\n      cup: "
                            "{base_frame: arm::hand, translation: [0, 0, 2]}\n");
  EXPECT_LT(distance(x.body_pose("cup::cup"), {rpy(0, 0, 0.5), {1, 0, 2}}), kSame);
  EXPECT_EQ(x.m->nv, 7);
}

TEST_F(Directives, FilterGroupsAndNamespacesHold) {
  write("inner.dmd.yaml", "directives:\n- add_model: {name: cup, file: cup.sdf}\n");
  const Imported x = import(
      "- add_directives: {file: inner.dmd.yaml, model_namespace: left}\n- add_directives: {file: inner.dmd.yaml, "
      "model_namespace: right}\n"
      "- add_collision_filter_group: {name: g, members: [left::cup::cup, right::cup::cup], "
      "ignored_collision_filter_groups: [g]}\n");
  EXPECT_TRUE(x.excludes("left::cup::cup", "right::cup::cup"));
}

TEST_F(Directives, MistakesNameTheLine) {
  refuses("- add_model: {name: a, file: none.sdf}\n", {"scene.dmd.yaml:2", "none.sdf"});
  refuses(kArm + "- add_weld: {parent: arm::hand, child: arm::nothing}\n", {"scene.dmd.yaml:3", "arm::nothing"});
  refuses("- add_thing: {}\n", {"scene.dmd.yaml:2", "add_thing", "add_weld"});
  refuses(kArm + "- add_frame: {name: f, X_PF: {base_frame: world, rotation: !Uniform {}}}\n", {":3", "!Uniform"});
  refuses("- add_model: {name: arm, file: arm.urdf, default_joint_positions: {k: [0.5]}}\n", {":2", "arm::k"});
  refuses("- add_directives: {file: scene.dmd.yaml}\n", {"does a file add itself"});
  refuses("- add_model: {name: [}\n", {"scene.dmd.yaml:2", "YAML"});
}

TEST(RealModels, GripperAndSpatulaStepForFiveSeconds) {
  const std::string shared = std::string(PATCHFIELD_SOURCE_DIR) + "/../shared/models";
  if (!std::filesystem::exists(shared)) GTEST_SKIP() << "no ../shared";
  const Model model =
      load_model(std::string(PATCHFIELD_SOURCE_DIR) + "/models/gripper_and_spatula.dmd.yaml",
                 {.packages = {{"drake_models", shared + "/drake_models"}, {"spatula", shared + "/spatula"}}});
  EXPECT_EQ(model.mujoco()->nv, 8);  // two fingers and a free spatula; the gripper is welded
  Data data(model);
  int in_contact = 0;
  for (int i = 0; i < 2500; ++i) {
    const StepReport report = step(data);
    in_contact += report.patches > 0;
  }
  EXPECT_GT(in_contact, 2000);
  for (int i = 0; i < model.mujoco()->nq; ++i) EXPECT_TRUE(std::isfinite(data.d()->qpos[i]));
}

TEST(RealModels, InertiasMassesAndLimitsAreTheFiles) {
  const std::string shared = std::string(PATCHFIELD_SOURCE_DIR) + "/../shared/models";
  if (!std::filesystem::exists(shared)) GTEST_SKIP() << "no ../shared";
  const Imported gripper(import_model(shared + "/drake_models/wsg_50_description/sdf/schunk_wsg_50_hydro_bubble.sdf"));
  const int b = gripper.body("gripper"), j = gripper.joint("left_finger_sliding_joint");
  EXPECT_EQ(gripper.m->body_mass[b], 0.988882);
  EXPECT_EQ(gripper.m->body_inertia[3 * b + 2], 0.164814);
  EXPECT_EQ(gripper.m->jnt_range[2 * j], -0.055);
  EXPECT_EQ(gripper.m->actuator_forcerange[1], 80.0);
  EXPECT_EQ(gripper.text("patchfield:left_finger_ellipsoid"),
            "compliant modulus=100000 resolution=0.04 mu=1 relaxation_time=0.1 hunt_crossley=5");
  const Imported jaco(import_model(shared + "/drake_models/jaco_description/urdf/j2n6s300.urdf"));
  EXPECT_EQ(jaco.m->body_mass[jaco.body("j2n6s300_link_2")], 0.99);
  EXPECT_EQ(jaco.m->body_inertia[3 * jaco.body("j2n6s300_link_2") + 1], 0.000792);
  EXPECT_EQ(jaco.m->jnt_range[2 * jaco.joint("j2n6s300_joint_2") + 1], 2.613);
  EXPECT_EQ(jaco.m->nactuator, 9);
}

TEST(Mjcf, TakesATimeStepAsTextAndAsFile) {
  const std::string xml = "<mujoco><worldbody><body><freejoint/><geom size=\".1\"/></body></worldbody></mujoco>";
  const std::string path = testing::TempDir() + "/patchfield_time_step.xml";
  std::ofstream(path) << xml;
  EXPECT_EQ(import_model_text(xml, path, {.time_step = 5e-3}).mujoco->opt.timestep, 5e-3);
  EXPECT_EQ(import_model(path, {.time_step = 5e-3}).mujoco->opt.timestep, 5e-3);
  EXPECT_EQ(import_model(path).mujoco->opt.timestep, 2e-3) << "MuJoCo's own";
}

}  // namespace
}  // namespace patchfield
