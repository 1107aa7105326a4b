// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/sequence_file.h"

#include <gtest/gtest.h>

#include "patchfield/control/se3_path.h"
#include "patchfield/core/check.h"

namespace patchfield {
namespace {

constexpr const char* kGood = R"(tip: tool
joints: [arm1, arm2]
fingers: {left: 1, right: -1}
centering: {stiffness: 500, damping: 10}
start: home
control: {law: computed_torque, frequency: 30, damping: .7}
phases:
  - name: reach
    pose: {pos: [.3, .1, .4], rpy: [0, 90, 0]}
    via:
      - {at: .5, relative: [0, 0, .1], axes: tip}
    duration: 1.5
    grip: 10
  - name: close
    duration: .5
    grip: {force: 15, patches: [left/handle]}
    until: {patches: [left/handle, right/handle], torque_below: .2, every: true, for: .05}
    timeout: 2
)";

TEST(SequenceFile, ReadsEveryKey) {
  const Sequence s = read_sequence_text(kGood, "a.yaml");
  EXPECT_EQ(s.tip, "tool");
  EXPECT_EQ(s.joints.size(), 2u);
  EXPECT_EQ(s.gripper.fingers[1].second, -1.0);
  EXPECT_EQ(s.gripper.stiffness, 500.0);
  EXPECT_EQ(s.tracking.frequency, 30.0);
  ASSERT_EQ(s.phases.size(), 2u);
  const Phase& reach = s.phases[0];
  ASSERT_EQ(reach.path.size(), 2u);
  EXPECT_EQ(reach.path[0].kind, TipPose::Kind::kRelativeTip);
  EXPECT_EQ(reach.path[0].at, 0.5);
  EXPECT_EQ(reach.path[1].at, 1.5);
  EXPECT_LT((*reach.path[1].R * Vec3::UnitZ() - Vec3::UnitX()).norm(), 1e-15) << "pitch of 90° turns z to x";
  EXPECT_EQ(reach.grip->force, 10.0);
  EXPECT_EQ(reach.place, "a.yaml:8");
  const GuardSettings& guard = *s.phases[1].until;
  EXPECT_TRUE(guard.torque && guard.below && guard.every);
  EXPECT_EQ(guard.threshold, 0.2);
  EXPECT_EQ(guard.hold, 0.05);
  EXPECT_EQ(s.longest_duration(), 3.5);
}

/// Replaces one text of the good file and expects an error with these words.
void refuses(const std::string& from, const std::string& to, const std::vector<std::string>& words) {
  std::string text = kGood;
  ASSERT_NE(text.find(from), text.npos) << from;
  text.replace(text.find(from), from.size(), to);
  try {
    read_sequence_text(text, "a.yaml");
    FAIL() << "accepted " << to;
  } catch (const InputError& error) {
    for (const std::string& word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " is not in: " << error.what();
  }
}

TEST(SequenceFile, RefusesWithFileLineAndFix) {
  refuses("duration: 1.5", "durration: 1.5", {"a.yaml:12", "durration", "Did you mean duration?"});
  refuses("duration: 1.5", "duration: 0", {"a.yaml:12", "above 0"});
  refuses("duration: 1.5", "duration: soon", {"a.yaml:12", "soon"});
  refuses("duration: 1.5", "duration: .inf", {"a.yaml:12"});
  refuses("rpy: [0, 90, 0]", "rpy: [0, 90]", {"a.yaml:9", "needs 3"});
  refuses("timeout: 2", "timeout: .1", {"a.yaml:18", "not be shorter"});
  refuses("at: .5", "at: 1.6", {"a.yaml:11", "duration"});
  refuses("axes: tip", "axes: hand", {"world or tip"});
  refuses("torque_below: .2", "torque_below: .2, force: 3", {"one of force, torque"});
  refuses("{left: 1, right: -1}", "{left: 2}", {"a.yaml:3", "1 if positive"});
  refuses("law: computed_torque", "law: magic", {"computed_torque or pd"});
  refuses("frequency: 30", "kp: 30", {"does not belong"});
  refuses("tip: tool", "tipp: tool", {"a.yaml:1", "Did you mean tip?"});
  refuses("fingers: {left: 1, right: -1}", "", {"grip needs fingers"});
  refuses("phases:", "phases: [", {"a.yaml", "YAML"});
  EXPECT_THROW(read_sequence("/no/such/file.yaml"), InputError);
}

}  // namespace
}  // namespace patchfield
