// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "import_testing.h"

namespace patchfield {
namespace {

constexpr double kSame = 1e-12;

std::string robot(const std::string& content) { return "<robot name=\"r\">" + content + "</robot>"; }
std::string link(const std::string& name, const std::string& content = "") {
  return "<link name=\"" + name +
         "\"><inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>" + content + "</link>";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& content = "<axis xyz=\"0 0 1\"/>") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/>" + content + "</joint>";
}
const std::string kBall = "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision>";

TEST(Urdf, RootsAreFreeUnlessTheyHangOnTheWorld) {
  EXPECT_EQ(import_text(robot(link("a")), "r.urdf").m->nv, 6);
  EXPECT_EQ(import_text(robot(link("a") + link("b") + joint("j", "revolute", "a", "b")), "r.urdf", {.fixed_base = true})
                .m->nv,
            1);
  EXPECT_EQ(
      import_text(robot("<link name=\"world\"/>" + link("a") + joint("j", "continuous", "world", "a")), "r.urdf").m->nv,
      1);
}

TEST(Urdf, MasslessLinkBetweenTwoJointsIsNoBody) {
  // x and y slides with a link of no mass in between, as mobile bases have it.
  Imported x =
      import_text(robot("<link name=\"world\"/><link name=\"mid\"/>" + link("a") +
                        joint("jx", "prismatic", "world", "mid",
                              "<axis xyz=\"1 0 0\"/><origin xyz=\"0 0 1\" rpy=\"0 0 1.5707963267948966\"/><limit "
                              "lower=\"-9\" upper=\"9\" effort=\"1\" velocity=\"1\"/>") +
                        joint("jt", "continuous", "mid", "a", "<axis xyz=\"0 0 1\"/><origin xyz=\"0 2 0\"/>")),
                  "r.urdf");
  EXPECT_EQ(x.m->nbody, 2);
  x.q("jx") = 0.5, x.q("jt") = 0.3;
  x.update();
  const Pose truth = Pose{rpy(0, 0, M_PI / 2), {0, 0, 1}} * Pose{Mat3::Identity(), {0.5, 0, 0}} *
                     Pose{Mat3::Identity(), {0, 2, 0}} * Pose{rpy(0, 0, 0.3), Vec3::Zero()};
  EXPECT_LT(distance(x.body_pose("a"), truth), kSame);
  EXPECT_NE(x.warnings.find("neither mass nor shape"), std::string::npos);
}

TEST(Urdf, MassMayBeInALinkThatIsWelded) {
  const Imported x =
      import_text(robot("<link name=\"base\"/>" + link("a") + joint("w", "fixed", "base", "a", "")), "r.urdf");
  EXPECT_EQ(x.m->nv, 6);
  EXPECT_EQ(x.m->body_subtreemass[x.body("base")], 2.0);
}

TEST(Urdf, PlanarJointHasItsAxisAsNormal) {
  Imported x = import_text(
      robot("<link name=\"world\"/>" + link("a") + joint("j", "planar", "world", "a", "<axis xyz=\"0 1 0\"/>")),
      "r.urdf");
  x.q("j_x") = 0.3, x.q("j_y") = 0.4;
  x.update();
  EXPECT_NEAR(x.body_pose("a").p.y(), 0.0, kSame);
  EXPECT_NEAR(x.body_pose("a").p.norm(), 0.5, kSame);
  x.q("j_theta") = 0.2;
  x.update();
  EXPECT_LT((x.body_pose("a").R - rpy(0, 0.2, 0)).cwiseAbs().maxCoeff(), kSame);
}

TEST(Urdf, FloatingJointBelowTheWorldIsFreeAndElsewhereSlidesAndBall) {
  EXPECT_EQ(
      import_text(robot("<link name=\"world\"/>" + link("a") + joint("j", "floating", "world", "a", "")), "r.urdf")
          .m->jnt_type[0],
      mjJNT_FREE);
  const Imported x = import_text(robot("<link name=\"world\"/>" + link("a") + link("b") +
                                       joint("i", "continuous", "world", "a") + joint("j", "floating", "a", "b", "")),
                                 "r.urdf");
  EXPECT_EQ(x.m->nv, 7);
  EXPECT_EQ(x.m->jnt_type[x.joint("j_ball")], mjJNT_BALL);
}

TEST(Urdf, EffortAndTransmissionMakeActuators) {
  const std::string limit = "<axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\" effort=\"7\" velocity=\"1\"/>";
  const std::string passive = "<axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\" effort=\"0\" velocity=\"1\"/>";
  const Imported x = import_text(
      robot(link("a") + link("b") + link("c") + link("d") + joint("i", "revolute", "a", "b", limit) +
            joint("j", "continuous", "a", "c") + joint("k", "revolute", "a", "d", passive) +
            "<transmission name=\"t\"><type>t</type><joint name=\"j\"/><actuator name=\"motor\"><drake:gear_ratio "
            "value=\"100\"/><drake:rotor_inertia value=\"1e-4\"/></actuator></transmission>"
            "<transmission name=\"u\"><type>t</type><joint name=\"k\"/><actuator name=\"none\"/></transmission>"),
      "r.urdf");
  EXPECT_EQ(x.m->nactuator, 2);
  EXPECT_EQ(x.m->actuator_forcerange[2 * x.id(mjOBJ_ACTUATOR, "i") + 1], 7.0);
  EXPECT_FALSE(x.m->actuator_forcelimited[x.id(mjOBJ_ACTUATOR, "motor")]);
  EXPECT_DOUBLE_EQ(x.m->dof_armature[x.m->jnt_dofadr[x.joint("j")]], 1.0);
}

TEST(Urdf, CollisionsAndColoursAreRead) {
  const Imported x = import_text(
      robot("<material name=\"red\"><color rgba=\"1 0 0 1\"/></material>" +
            link("a", kBall + kBall +
                          "<visual><geometry><box size=\"1 1 1\"/></geometry><material name=\"red\"/></visual>"
                          "<collision name=\"e\"><geometry><drake:ellipsoid a=\"1\" b=\"2\" "
                          "c=\"3\"/></geometry><drake:proximity_properties><drake:rigid_hydroelastic/><drake:mu_static "
                          "value=\"0.7\"/><drake:mu_dynamic value=\"0.4\"/></drake:proximity_properties></collision>"
                          "<collision name=\"f\"><geometry><sphere "
                          "radius=\"1\"/></geometry><drake_compliance><static_friction>0.3</static_friction></"
                          "drake_compliance></collision>")),
      "r.urdf");
  EXPECT_GE(x.geom("a_collision"), 0);
  EXPECT_GE(x.geom("a_collision_2"), 0);
  EXPECT_EQ(x.text("patchfield:e"), "rigid mu=0.4 relaxation_time=0.1") << "Drake's default, not ours";
  EXPECT_EQ(x.m->geom_friction[3 * x.geom("f")], 0.3);
  int visuals = 0;
  for (int g = 0; g < x.m->ngeom; ++g)
    if (x.m->geom_contype[g] == 0) {
      ++visuals;
      EXPECT_EQ(x.m->geom_group[g], 2);
      EXPECT_EQ(x.m->geom_rgba[4 * g], 1.0F);
    }
  EXPECT_EQ(visuals, 1);
  EXPECT_EQ(x.m->geom_contype[x.geom("e")], x.m->geom_conaffinity[x.geom("e")]);
  EXPECT_EQ(x.m->body_mass[x.body("a")], 2.0);
}

TEST(Urdf, MimicFollows) {
  Imported x = import_text(robot(link("a") + link("b") + link("c") + joint("i", "continuous", "a", "b") +
                                 joint("j", "continuous", "a", "c",
                                       "<axis xyz=\"0 0 1\"/><mimic joint=\"i\" multiplier=\"-2\" offset=\"0.1\"/>")),
                           "r.urdf", {.fixed_base = true});
  EXPECT_DOUBLE_EQ(x.q("j"), 0.1);
  EXPECT_EQ(x.m->eq_data[1], -2.0);
  x.q("i") = 0.3, x.q("j") = -0.5;
  x.update();
  EXPECT_NEAR(x.d->efc_pos[0], 0.0, kSame);
}

TEST(Urdf, NothingIsDroppedInSilence) {
  const Imported x = import_text(robot(link("a") + link("b") +
                                       joint("j", "revolute", "a", "b",
                                             "<axis xyz=\"0 0 1\"/><safety_controller k_velocity=\"1\"/><limit "
                                             "lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"2\" jerk=\"3\"/>") +
                                       "<gazebo/>"),
                                 "r.urdf");
  for (const char* word :
       {"<safety_controller> in <joint> is not read", "attribute jerk of <limit>", "<gazebo>", "velocity limits"})
    EXPECT_NE(x.warnings.find(word), std::string::npos) << word << "\n" << x.warnings;
}

}  // namespace
}  // namespace patchfield
