// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Files that cannot be used: one error each, with file, line, what was read and the cure.

#include "import_testing.h"

namespace patchfield {
namespace {

std::string sdf(const std::string& content) {
  return "<sdf version=\"1.9\">\n<model name=\"m\">\n" + content + "\n</model>\n</sdf>\n";
}
std::string sdf_link(const std::string& mass, const std::string& inertia, const std::string& more = "") {
  return sdf("<link name=\"a\">\n<inertial>\n<mass>" + mass + "</mass><inertia>" + inertia + "</inertia>\n</inertial>" +
             more + "</link>");
}
const std::string kUnit = "<ixx>1</ixx><iyy>1</iyy><izz>1</izz>";
std::string urdf(const std::string& content) { return "<robot name=\"r\">\n" + content + "\n</robot>\n"; }
std::string urdf_link(const std::string& name) {
  return "<link name=\"" + name +
         "\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>\n";
}
std::string urdf_joint(const std::string& name, const std::string& parent, const std::string& child) {
  return "<joint name=\"" + name + "\" type=\"continuous\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/></joint>\n";
}

TEST(BadModels, TruncatedXml) {
  expect_refused("<sdf version=\"1.9\">\n<model name=\"m\">\n<link", "a.sdf", {"a.sdf:3", "well-formed"});
  expect_refused("<robot name=\"r\">\n<link name=\"a\">", "a.urdf", {"a.urdf:", "well-formed"});
  expect_refused("", "a.sdf", {"a.sdf", "empty"});
  expect_refused("<html/>", "a.xml", {"a.xml:1", "<html>", "<mujoco>"});
  expect_refused("<robot/>", "robot.urdf.xacro", {"expand"});
  expect_refused("x", "a.txt", {".sdf"});
}

TEST(BadModels, MissingMesh) {
  const std::string mesh = "<collision name=\"c\"><geometry><mesh>\n<uri>none.obj</uri></mesh></geometry></collision>";
  expect_refused(sdf_link("1", kUnit, mesh), "a.sdf", {"a.sdf:6", "none.obj", "no file"});
  expect_refused(
      sdf_link(
          "1", kUnit,
          "<collision name=\"c\"><geometry><mesh><uri>package://nowhere/x.obj</uri></mesh></geometry></collision>"),
      "a.sdf", {"a.sdf:6", "--package nowhere=FOLDER"});
}

TEST(BadModels, LoopOfLinks) {
  const std::string links = urdf_link("a") + urdf_link("b") + urdf_link("c");
  expect_refused(urdf(links + urdf_joint("i", "a", "b") + urdf_joint("j", "b", "c") + urdf_joint("k", "c", "a")),
                 "a.urdf", {"a.urdf:", "loop", " → "});
  expect_refused(urdf(links + urdf_joint("i", "a", "c") + urdf_joint("j", "b", "c")), "a.urdf",
                 {"a.urdf:6", "second joint"});
  expect_refused(urdf(links + urdf_joint("i", "a", "a")), "a.urdf", {"a.urdf:5", "itself"});
  const std::string loop =
      "<link name=\"a\"/><link name=\"b\"/>\n<joint name=\"i\" "
      "type=\"fixed\"><parent>a</parent><child>b</child></joint>\n<joint name=\"j\" "
      "type=\"fixed\"><parent>b</parent><child>a</child></joint>";
  expect_refused(sdf(loop), "a.sdf", {"loop"});
}

TEST(BadModels, MassAndInertia) {
  expect_refused(sdf_link("0", kUnit), "a.sdf", {"a.sdf:4", "\"a\"", "no mass"});
  expect_refused(sdf_link("-1", kUnit), "a.sdf", {"a.sdf:4", "-1 kg"});
  expect_refused(sdf_link("1", "<ixx>1</ixx><iyy>1</iyy><izz>3</izz>"), "a.sdf", {"a.sdf:4", "above the sum"});
  expect_refused(sdf_link("1", "<ixx>1</ixx><iyy>1</iyy><izz>1</izz><ixy>2</ixy>"), "a.sdf",
                 {"a.sdf:4", "negative moment"});
  expect_refused(sdf_link("1", "<ixx>0</ixx><iyy>1</iyy><izz>1</izz>"), "a.sdf", {"a.sdf:4", "zero about an axis"});
  expect_refused(urdf("<link name=\"a\"/>"), "a.urdf", {"a.urdf:2", "no mass"});
  const Imported rounding = import_text(sdf_link("1", "<ixx>1</ixx><iyy>1</iyy><izz>2.000001</izz>"), "a.sdf");
  EXPECT_NE(rounding.warnings.find("by rounding"), std::string::npos);
}

TEST(BadModels, BothCompliances) {
  const auto properties = [](const std::string& p) {
    return sdf_link(
        "1", kUnit,
        "<collision name=\"c\"><geometry><sphere><radius>1</radius></sphere></geometry><drake:proximity_properties>\n" +
            p + "</drake:proximity_properties></collision>");
  };
  expect_refused(properties("<drake:compliant_hydroelastic/>\n<drake:rigid_hydroelastic/>"), "a.sdf",
                 {"a.sdf:8", "keep one"});
  expect_refused(properties("<drake:soft_hydroelastic/>"), "a.sdf", {"a.sdf:7", "compliant_hydroelastic"});
  expect_refused(properties("<drake:hydroelastic_modulus>-1</drake:hydroelastic_modulus>"), "a.sdf",
                 {"a.sdf:7", "-1", "positive"});
  expect_refused(properties("<drake:mu_static>0.1</drake:mu_static><drake:mu_dynamic>0.2</drake:mu_dynamic>"), "a.sdf",
                 {"a.sdf:6", "above mu_static"});
}

TEST(BadModels, NamesFramesAndJoints) {
  expect_refused(sdf("<link name=\"a\"/>\n<link name=\"a\"/>"), "a.sdf", {"a.sdf:4", "taken"});
  expect_refused(
      sdf("<link name=\"a\">\n<pose relative_to=\"b\"/></link><link name=\"b\"><pose relative_to=\"a\"/></link>"),
      "a.sdf", {"relative to itself"});
  expect_refused(sdf("<link name=\"a\">\n<pose relative_to=\"q\"/></link>"), "a.sdf", {"a.sdf:3", "\"q\""});
  expect_refused(sdf("<frame name=\"f\" attached_to=\"f\"/><link name=\"a\"/>"), "a.sdf", {"itself"});
  expect_refused(sdf("<link name=\"a\"/><link name=\"b\"/>\n<joint name=\"j\" "
                     "type=\"gearbox\"><parent>a</parent><child>b</child></joint>"),
                 "a.sdf", {"a.sdf:4", "gearbox", "universal"});
  expect_refused(sdf("<link name=\"a\"/><joint name=\"j\" type=\"fixed\">\n<parent>a</parent><child>b</child></joint>"),
                 "a.sdf", {"a.sdf:4", "\"b\""});
  expect_refused(sdf("<link name=\"a\"><pose>1 2 x 0 0 0</pose></link>"), "a.sdf", {"a.sdf:3", "\"x\""});
  expect_refused(sdf("<link name=\"a\"><pose>1 2 3</pose></link>"), "a.sdf", {"3 numbers", "needs 6"});
  expect_refused(urdf(urdf_link("a") + urdf_joint("j", "a", "b")), "a.urdf", {"a.urdf:3", "no link \"b\""});
  expect_refused(urdf(urdf_link("a") + urdf_link("b") +
                      "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><limit lower=\"1\" "
                      "upper=\"-1\"/></joint>"),
                 "a.urdf", {"a.urdf:4", "swap"});
  expect_refused(
      urdf(urdf_link("a") + urdf_link("b") +
           "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 0\"/></joint>"),
      "a.urdf", {"a.urdf:4", "direction"});
  expect_refused(
      urdf(urdf_link("a") + urdf_link("b") +
           "<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/><mimic joint=\"k\"/></joint>"),
      "a.urdf", {"a.urdf:4", "\"k\""});
}

TEST(BadModels, PlaneOnAMovingLink) {
  expect_refused(sdf_link("1", kUnit, "\n<collision name=\"c\"><geometry><plane/></geometry></collision>"), "a.sdf",
                 {"a.sdf:7", "static"});
}

}  // namespace
}  // namespace patchfield
