// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "import_testing.h"

namespace patchfield {
namespace {

constexpr double kSame = 1e-12;

std::string model(const std::string& content, const std::string& version = "1.9") {
  return "<sdf version=\"" + version + "\"><model name=\"m\">" + content + "</model></sdf>";
}
const std::string kInertial =
    "<inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";
std::string link(const std::string& name, const std::string& content = "") {
  return "<link name=\"" + name + "\">" + kInertial + content + "</link>";
}
std::string collision(const std::string& geometry, const std::string& more = "") {
  return "<collision name=\"c\"><geometry>" + geometry + "</geometry>" + more + "</collision>";
}
const std::string kBall = "<sphere><radius>0.1</radius></sphere>";

std::string joint(const std::string& type, const std::string& content) {
  return "<joint name=\"j\" type=\"" + type + "\"><parent>a</parent><child>b</child>" + content + "</joint>";
}

TEST(Sdf, FramesAreWhereTheChainOfPosesPutsThem) {
  const Imported x =
      import_text(model(link("a", "<pose>1 0 0 0 0 0</pose>") +
                        "<frame name=\"f\" attached_to=\"a\"><pose degrees=\"true\">0 2 0 0 0 90</pose></frame>"
                        "<frame name=\"g\" attached_to=\"a\"><pose relative_to=\"f\">1 0 0 0 0 0</pose></frame>" +
                        link("b", "<pose relative_to=\"g\">0 0 3 0 0 0</pose>")),
                  "m.sdf");
  const Pose X_Wf{rpy(0, 0, M_PI / 2), {1, 2, 0}};
  EXPECT_LT(distance(x.site_pose("f"), X_Wf), kSame);
  EXPECT_LT(distance(x.site_pose("g"), {X_Wf.R, {1, 3, 0}}), kSame);
  EXPECT_LT(distance(x.body_pose("b"), {X_Wf.R, {1, 3, 3}}), kSame);
}

TEST(Sdf, OldFrameAttributeIsRelativeTo) {
  const Imported x = import_text(
      model(link("a", "<pose>1 0 0 0 0 0</pose>") + link("b", "<pose frame=\"a\">0 1 0 0 0 0</pose>"), "1.6"), "m.sdf");
  EXPECT_LT((x.body_pose("b").p - Vec3(1, 1, 0)).norm(), kSame);
}

TEST(Sdf, PlacementFrameStandsWhereThePoseSays) {
  const Imported x =
      import_text("<sdf version=\"1.8\"><model name=\"m\" placement_frame=\"p\"><pose>0 0 5 0 0 0</pose>" + link("a") +
                      "<frame name=\"p\"><pose>0 1 0 0 0 1.5707963267948966</pose></frame></model></sdf>",
                  "m.sdf");
  EXPECT_LT(distance(x.site_pose("p"), {Mat3::Identity(), {0, 0, 5}}), kSame);
}

TEST(Sdf, NestedModelsHaveScopedNamesAndPoses) {
  const Imported x = import_text(
      model(link("a") + "<model name=\"n\"><pose>0 0 1 0 0 0</pose>" + link("b", "<pose>1 0 0 0 0 0</pose>") +
            "</model><joint name=\"j\" type=\"fixed\"><parent>a</parent><child>n::b</child></joint>"
            "<frame name=\"f\" attached_to=\"n::b\"/>"),
      "m.sdf");
  EXPECT_LT((x.body_pose("n::b").p - Vec3(1, 0, 1)).norm(), kSame);
  EXPECT_LT((x.site_pose("f").p - Vec3(1, 0, 1)).norm(), kSame);
  EXPECT_EQ(x.m->nv, 6);
}

class SdfFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("patchfield_sdf_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  Imported import(const std::string& name, const LoadOptions& options = {}) const {
    return Imported(import_model((folder_ / name).string(), options));
  }
  std::filesystem::path folder_;
};

TEST_F(SdfFiles, IncludesAreFoundByPathModelAndPackage) {
  write("parts/part.sdf", model(link("a")));
  write("shelf/shelf_1.sdf", model(link("a")));
  write("shelf/model.config",
        "<model><sdf version=\"1.5\">old.sdf</sdf><sdf version=\"1.9\">shelf_1.sdf</sdf></model>");
  write("parts/package.xml", "<package><name>my_parts</name></package>");
  write("w.world",
        "<sdf version=\"1.9\"><world name=\"w\">"
        "<include><uri>parts/part.sdf</uri><name>one</name><pose>0 0 1 0 0 0</pose></include>"
        "<include><uri>package://my_parts/part.sdf</uri><name>two</name><pose>0 0 2 0 0 "
        "0</pose><static>true</static></include>"
        "<include><uri>model://shelf</uri><name>three</name></include></world></sdf>");
  const Imported x = import("w.world", {.packages = {{"my_parts", (folder_ / "parts").string()}}});
  EXPECT_LT((x.body_pose("one::a").p - Vec3(0, 0, 1)).norm(), kSame);
  EXPECT_LT((x.body_pose("two::a").p - Vec3(0, 0, 2)).norm(), kSame);
  EXPECT_EQ(x.m->nv, 12);
  EXPECT_GE(x.body("three::a"), 0);
}

TEST_F(SdfFiles, PackagesAreFoundUpwardsBesideAndInTheEnvironment) {
  const auto world = [](const std::string& package) {
    return "<sdf version=\"1.9\"><world name=\"w\"><include><uri>package://" + package +
           "/sdf/part.sdf</uri></include></world></sdf>";
  };
  write("ws/mine/package.xml", "<package><name>my_own</name></package>");  // not the folder's name
  write("ws/mine/sdf/part.sdf", model(link("a")));
  write("ws/mine/worlds/w.sdf", world("my_own"));
  EXPECT_GE(import("ws/mine/worlds/w.sdf").body("m::a"), 0);
  write("ws/other/package.xml", "<package><name>other</name></package>");
  write("ws/other/sdf/part.sdf", model(link("a")));
  write("ws/mine/worlds/beside.sdf", world("other"));
  EXPECT_GE(import("ws/mine/worlds/beside.sdf").body("m::a"), 0);
  write("far/away/deep/package.xml", "<package><name>remote</name></package>");
  write("far/away/deep/sdf/part.sdf", model(link("a")));
  write("ws/mine/worlds/far.sdf", world("remote"));
  EXPECT_THROW(import("ws/mine/worlds/far.sdf"), InputError);
  setenv("ROS_PACKAGE_PATH", ("/nowhere:" + (folder_ / "far").string()).c_str(), 1);
  EXPECT_GE(import("ws/mine/worlds/far.sdf").body("m::a"), 0);
  unsetenv("ROS_PACKAGE_PATH");
}

TEST_F(SdfFiles, MeshesKeepScaleAndFlatOnesAreTaken) {
  write("quad.obj", "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n");
  const std::string mesh = "<mesh><uri>quad.obj</uri><scale>2 3 1</scale></mesh>";
  write("m.sdf", model("<static>true</static>" + link("a", collision(mesh))));
  const Imported x = import("m.sdf");
  const int id = x.m->geom_dataid[x.geom("c")];
  ASSERT_GE(id, 0);
  double area = 0.0;  // of the triangles, wherever MuJoCo has moved their frame
  for (int f = x.m->mesh_faceadr[id]; f < x.m->mesh_faceadr[id] + x.m->mesh_facenum[id]; ++f) {
    Vec3 corner[3];
    for (int i = 0; i < 3; ++i) {
      const float* v = x.m->mesh_vert + 3 * (x.m->mesh_vertadr[id] + x.m->mesh_face[3 * f + i]);
      corner[i] = {v[0], v[1], v[2]};
    }
    area += (corner[1] - corner[0]).cross(corner[2] - corner[0]).norm() / 2;
  }
  EXPECT_NEAR(area, 4 * 2 * 3, 1e-4);
}

TEST_F(SdfFiles, CompliantVtkIsNamedInTheText) {
  write("a tet.vtk",
        "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
        "0.2 0.2 0.2\nCELLS 4 20\n4 0 1 2 4\n4 0 3 1 4\n4 0 2 3 4\n4 1 3 2 4\nCELL_TYPES 4\n10\n10\n10\n10\n");
  write(
      "m.sdf",
      model(link(
          "a", collision("<mesh><uri>a tet.vtk</uri></mesh>",
                         "<drake:proximity_properties><drake:compliant_hydroelastic/></drake:proximity_properties>"))));
  const Imported x = import("m.sdf");
  const GeomSettings said = parse_geom_settings(x.text("patchfield:c"), "text");
  EXPECT_EQ(said.volume, (folder_ / "a tet.vtk").string());
  const Model whole = load_model((folder_ / "m.sdf").string());
  EXPECT_TRUE(whole.geom(0).compliant);
  EXPECT_EQ(whole.geom(0).geometry->volume().mesh.tets.size() % 4, 0U);
}

TEST_F(SdfFiles, MergedIncludeLosesItsScope) {
  write("part.sdf", model(link("a", "<pose>0 1 0 0 0 0</pose>")));
  write("m.sdf",
        model(link("base") + "<include merge=\"true\"><uri>part.sdf</uri><pose>0 0 1 0 0 0</pose></include>"
                             "<joint name=\"j\" type=\"fixed\"><parent>base</parent><child>a</child></joint>"));
  const Imported x = import("m.sdf");
  EXPECT_LT((x.body_pose("a").p - Vec3(0, 1, 1)).norm(), kSame);
  EXPECT_EQ(x.m->nv, 6);
}

TEST_F(SdfFiles, SelfIncludeEndsWithAnError) {
  write("m.sdf", model("<include><uri>m.sdf</uri></include>"));
  EXPECT_THROW(import("m.sdf"), InputError);
}

TEST(Sdf, WorldSetsGravityStepAndNames) {
  const Imported x = import_text(
      "<sdf version=\"1.7\"><world name=\"w\"><gravity>0 0 "
      "-1.6</gravity><physics><max_step_size>0.004</max_step_size></physics>"
      "<model name=\"floor\"><static>true</static><link name=\"l\">" +
          collision("<plane><normal>0 1 0</normal></plane>") +
          "</link></model><model name=\"b\"><pose>0 0 1 0 0 0</pose>" + link("l") + "</model></world></sdf>",
      "w.sdf");
  EXPECT_EQ(x.m->opt.gravity[2], -1.6);
  EXPECT_EQ(x.m->opt.timestep, 0.004);
  EXPECT_EQ(x.m->nv, 6);
  EXPECT_LT((x.body_pose("b::l").p - Vec3(0, 0, 1)).norm(), kSame);
  EXPECT_NEAR(x.d->geom_xmat[9 * x.geom("floor::c") + 5], 1.0, kSame);  // its z is the world's y
}

TEST(Sdf, UniversalJointTurnsFirstAboutTheParentsAxis) {
  Imported x = import_text(
      model(link("a") + link("b") + joint("universal", "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>")),
      "m.sdf", {.fixed_base = true});
  x.q("j_1") = 0.3, x.q("j_2") = -0.7;
  x.update();
  EXPECT_LT((x.body_pose("b").R - rpy(0.3, 0, 0) * rpy(0, -0.7, 0)).cwiseAbs().maxCoeff(), kSame);
}

TEST(Sdf, PlanarJointSlidesAndTurns) {
  Imported x = import_text(model(link("a") + link("b") +
                                 "<drake:joint name=\"j\" "
                                 "type=\"planar\"><drake:parent>a</drake:parent><drake:child>b</"
                                 "drake:child><drake:damping>1 2 3</drake:damping></drake:joint>"),
                           "m.sdf", {.fixed_base = true});
  x.q("j_x") = 0.3, x.q("j_y") = -0.2, x.q("j_theta") = 0.5;
  x.update();
  EXPECT_LT(distance(x.body_pose("b"), {rpy(0, 0, 0.5), {0.3, -0.2, 0}}), kSame);
  EXPECT_EQ(x.m->dof_damping[2], 3.0);
}

TEST(Sdf, ScrewAdvancesByItsPitch) {
  Imported x =
      import_text(model(link("a") + link("b") +
                        joint("screw", "<axis><xyz>0 0 1</xyz></axis><screw_thread_pitch>0.01</screw_thread_pitch>")),
                  "m.sdf", {.fixed_base = true});
  ASSERT_EQ(x.m->neq, 1);
  EXPECT_NEAR(x.m->eq_data[1], 0.01 / (2 * M_PI), 1e-15);
  Imported old =
      import_text(model(link("a") + link("b") +
                        joint("screw", "<axis><xyz>0 0 1</xyz></axis><thread_pitch>-628.3185307179587</thread_pitch>")),
                  "m.sdf", {.fixed_base = true});
  EXPECT_NEAR(old.m->eq_data[1], 0.01 / (2 * M_PI), 1e-12);
}

TEST(Sdf, AxisMayStandInTheParentModelFrame) {
  const std::string b = link("b", "<pose>0 0 0 0 0 1.5707963267948966</pose>");
  const Imported x = import_text(
      model(link("a") + b +
                joint("revolute", "<axis><xyz>1 0 0</xyz><use_parent_model_frame>1</use_parent_model_frame></axis>"),
            "1.6"),
      "m.sdf");
  EXPECT_LT((Eigen::Map<const Vec3>(x.d->xaxis + 3 * x.joint("j")) - Vec3(1, 0, 0)).norm(), kSame);
  const Imported y = import_text(model(link("a") + b + joint("revolute", "<axis><xyz>1 0 0</xyz></axis>")), "m.sdf");
  EXPECT_LT((Eigen::Map<const Vec3>(y.d->xaxis + 3 * y.joint("j")) - Vec3(0, 1, 0)).norm(), kSame);
}

TEST(Sdf, AJointMayBeWalkedBackwards) {
  // world is the child: the chain hangs on it the other way round, and q keeps its sign.
  const std::string back =
      "<joint name=\"j\" type=\"revolute\"><parent>a</parent><child>world</child><pose relative_to=\"a\">0 0 0 0 0 "
      "0</pose><axis><xyz>0 0 1</xyz></axis></joint>";
  Imported x = import_text(model(link("a") + back), "m.sdf");
  ASSERT_EQ(x.m->nv, 1);
  x.q("j") = 0.4;  // turns the world by 0.4 as seen from a
  x.update();
  EXPECT_LT((x.body_pose("a").R - rpy(0, 0, -0.4)).cwiseAbs().maxCoeff(), kSame);
}

TEST(Sdf, DynamicsLimitsAndActuatorsAreCarried) {
  const Imported x = import_text(
      model(link("a") + link("b") +
            joint("revolute",
                  "<axis><xyz>0 0 "
                  "1</xyz><limit><lower>-1</lower><upper>2</upper><effort>7</effort><velocity>3</velocity></limit>"
                  "<dynamics><damping>0.1</damping><friction>0.2</friction><spring_stiffness>0.3</"
                  "spring_stiffness><spring_reference>0.4</spring_reference></dynamics></axis>"
                  "<drake:rotor_inertia>0.01</drake:rotor_inertia><drake:gear_ratio>10</drake:gear_ratio>")),
      "m.sdf");
  const int j = x.joint("j"), dof = x.m->jnt_dofadr[j];
  EXPECT_EQ(x.m->jnt_range[2 * j], -1.0);
  EXPECT_EQ(x.m->jnt_range[2 * j + 1], 2.0);
  EXPECT_EQ(x.m->dof_damping[dof], 0.1);
  EXPECT_EQ(x.m->dof_frictionloss[dof], 0.2);
  EXPECT_EQ(x.m->jnt_stiffness[j], 0.3);
  EXPECT_EQ(x.m->qpos_spring[x.m->jnt_qposadr[j]], 0.4);
  EXPECT_DOUBLE_EQ(x.m->dof_armature[dof], 1.0);
  ASSERT_EQ(x.m->nactuator, 1);
  EXPECT_EQ(x.m->actuator_forcerange[1], 7.0);
  EXPECT_EQ(x.m->actuator_ctrlrange[0], -7.0);
  EXPECT_NE(x.warnings.find("velocity limits"), std::string::npos);
}

TEST(Sdf, EffortOfZeroIsPassiveAndMinusOneUnlimited) {
  const auto actuators = [](const std::string& limit) {
    const Imported x = import_text(
        model(link("a") + link("b") + joint("revolute", "<axis><xyz>0 0 1</xyz><limit>" + limit + "</limit></axis>")),
        "m.sdf");
    return std::pair(static_cast<int>(x.m->nactuator), x.m->nactuator > 0 && x.m->actuator_forcelimited[0]);
  };
  EXPECT_EQ(actuators("<effort>0</effort>"), std::pair(0, false));
  EXPECT_EQ(actuators("<lower>-1</lower><upper>1</upper>"), std::pair(0, false));
  EXPECT_EQ(actuators("<effort>-1</effort>"), std::pair(1, false));
  EXPECT_EQ(actuators("<effort>5</effort>"), std::pair(1, true));
}

TEST(Sdf, MimicHoldsFromTheStart) {
  Imported x = import_text(
      model(link("a") + link("b") + link("c") + joint("revolute", "<axis><xyz>0 0 1</xyz></axis>") +
                "<joint name=\"k\" type=\"prismatic\"><parent>a</parent><child>c</child><axis><xyz>1 0 0</xyz><mimic "
                "joint=\"j\"><multiplier>2</multiplier><offset>0.1</offset><reference>0.3</reference></mimic></axis></"
                "joint>",
            "1.11"),
      "m.sdf", {.fixed_base = true});
  EXPECT_NEAR(x.q("k"), 2 * (0 - 0.3) + 0.1, 1e-15);
  EXPECT_LT((x.body_pose("c").p - Vec3(-0.5, 0, 0)).norm(),
            kSame);  // the slide's coordinate is the way from the file's pose
  x.q("j") = 0.7, x.q("k") = 2 * (0.7 - 0.3) + 0.1;
  x.update();
  EXPECT_NEAR(x.d->efc_pos[0], 0.0, kSame);
}

TEST(Sdf, LimitStiffnessIsThePenalty) {
  // A slide of 2 kg hangs on its lower limit: at rest it is below it by mg/K.
  for (const double K : {2e3, 1e5}) {
    Imported x = import_text(
        model(link("a") + link("b") +
              joint("prismatic", "<axis><xyz>0 0 1</xyz><limit><lower>0</lower><upper>1</upper><stiffness>" +
                                     std::to_string(K) + "</stiffness></limit></axis>")),
        "m.sdf", {.fixed_base = true});
    for (int i = 0; i < 3000; ++i) mj_step(x.m.get(), x.d.get());
    EXPECT_NEAR(x.q("j"), -2 * 9.81 / K, 1e-3 * 2 * 9.81 / K) << K;
    EXPECT_LT(std::abs(x.d->qvel[0]), 1e-6);
  }
}

TEST(Sdf, ProximityPropertiesBecomeTexts) {
  const Imported x = import_text(
      model(link(
          "a",
          collision(kBall,
                    "<drake:proximity_properties><drake:compliant_hydroelastic/>"
                    "<drake:hydroelastic_modulus>1e5</drake:hydroelastic_modulus><drake:mesh_resolution_hint>0.03</"
                    "drake:mesh_resolution_hint>"
                    "<drake:hydroelastic_margin>0.001</drake:hydroelastic_margin><drake:hunt_crossley_dissipation>5</"
                    "drake:hunt_crossley_dissipation>"
                    "<drake:relaxation_time>0.2</drake:relaxation_time><drake:mu_static>0.9</drake:mu_static></"
                    "drake:proximity_properties>"))),
      "m.sdf");
  const GeomSettings said = parse_geom_settings(x.text("patchfield:c"), "text");
  EXPECT_TRUE(said.compliant);
  EXPECT_EQ(said.modulus, 1e5);
  EXPECT_EQ(said.resolution, 0.03);
  EXPECT_EQ(said.margin, 0.001);
  EXPECT_EQ(said.hunt_crossley, 5.0);
  EXPECT_EQ(said.relaxation_time, 0.2);
  EXPECT_EQ(said.mu, 0.9);
  EXPECT_EQ(x.m->geom_friction[3 * x.geom("c")], 0.9);
}

TEST(Sdf, FrictionComesFromOdeOnlyWithoutDrakesTags) {
  const auto mu = [](const std::string& more) {
    const Imported x = import_text(
        model(link(
            "a",
            collision(kBall, "<surface><friction><ode><mu>0.8</mu><mu2>0.6</mu2></ode></friction></surface>" + more))),
        "m.sdf");
    return x.m->geom_friction[3 * x.geom("c")];
  };
  EXPECT_EQ(mu(""), 0.6);
  EXPECT_EQ(mu("<drake:proximity_properties><drake:mu_dynamic>0.3</drake:mu_dynamic></drake:proximity_properties>"),
            0.3);
  EXPECT_EQ(mu("<drake:proximity_properties><drake:rigid_hydroelastic/></drake:proximity_properties>"), 0.6);
  const Imported usual = import_text(model(link("a", collision(kBall))), "m.sdf");
  EXPECT_EQ(usual.m->geom_friction[0], 1.0);
}

TEST(Sdf, ShapesKeepTheirSizes) {
  const Imported x = import_text(
      model(link(
          "a",
          "<collision name=\"b\"><geometry><box><size>1 2 3</size></box></geometry></collision>"
          "<collision "
          "name=\"c\"><geometry><capsule><radius>0.1</radius><length>0.4</length></capsule></geometry></collision>"
          "<collision name=\"e\"><geometry><ellipsoid><radii>1 2 3</radii></ellipsoid></geometry></collision>"
          "<collision name=\"k\"><geometry><cone><radius>1</radius><length>3</length></cone></geometry></collision>")),
      "m.sdf");
  const auto size = [&](const char* name, int i) { return x.m->geom_size[3 * x.geom(name) + i]; };
  EXPECT_EQ(size("b", 2), 1.5);
  EXPECT_EQ(size("c", 1), 0.2);
  EXPECT_EQ(size("e", 1), 2.0);
  EXPECT_EQ(x.m->geom_type[x.geom("k")], mjGEOM_MESH);
}

TEST(Sdf, LinksThatAJointConnectsDoNotCollide) {
  const std::string with = collision(kBall);
  const Imported x = import_text(
      model(link("a", with) + link("b", with) + link("c", with) + joint("revolute", "<axis><xyz>0 0 1</xyz></axis>") +
            "<drake:collision_filter_group "
            "name=\"g\"><drake:member>c</drake:member><drake:ignored_collision_filter_group>h</"
            "drake:ignored_collision_filter_group></drake:collision_filter_group>"
            "<drake:collision_filter_group name=\"h\"><drake:member>b</drake:member></drake:collision_filter_group>"),
      "m.sdf");
  EXPECT_TRUE(x.excludes("a", "b"));
  EXPECT_TRUE(x.excludes("b", "c"));
  EXPECT_FALSE(x.excludes("a", "c"));
}

TEST(Sdf, InertiaFromShapesIsThatOfTheBall) {
  const Imported x = import_text(
      "<sdf version=\"1.11\"><model name=\"m\"><link name=\"a\"><inertial "
      "auto=\"true\"><density>500</density></inertial>" +
          collision(kBall) + "</link></model></sdf>",
      "m.sdf");
  EXPECT_NEAR(x.m->body_mass[1], 500 * 4.0 / 3 * M_PI * 1e-3, 1e-9);
}

TEST(Sdf, InertiaFromShapesIsThatOfTheCone) {
  const Imported x =
      import_text("<sdf version=\"1.11\"><model name=\"m\"><link name=\"a\"><inertial auto=\"true\"/>" +
                      collision("<cone><radius>0.1</radius><length>0.3</length></cone>", "<density>800</density>") +
                      "</link></model></sdf>",
                  "m.sdf");
  // A pyramid over a regular 64-gon: V = n r² sin(2π/n) h/6; its centre is a quarter of the height above the base.
  const double mass = 800 * 64 * 0.01 * std::sin(2 * M_PI / 64) * 0.3 / 6;
  EXPECT_NEAR(x.m->body_mass[1], mass, 1e-5 * mass);
  EXPECT_NEAR(x.m->body_ipos[5], -0.15 + 0.3 / 4, 1e-6);
}

TEST(Sdf, NothingIsDroppedInSilence) {
  const Imported x = import_text(
      model("<link name=\"a\"><sensor name=\"s\"/></link><plugin name=\"p\"/>" + link("b", "<gravity>false</gravity>"),
            "1.4"),
      "m.sdf");
  EXPECT_NE(x.warnings.find("m.sdf:1: <sensor> in <link> is not read"), std::string::npos) << x.warnings;
  EXPECT_NE(x.warnings.find("<plugin> in <model> is not read"), std::string::npos);
  EXPECT_NE(x.warnings.find("has no <inertial>"), std::string::npos);
  EXPECT_NE(x.warnings.find("version 1.4"), std::string::npos);
  EXPECT_EQ(x.m->body_gravcomp[x.body("b")], 1.0);
}

TEST(Sdf, ClosedLoopIsHeldByPoints) {
  // A square of three hinged bars on the world, closed by a fourth hinge.
  const auto hinge = [](const std::string& name, const std::string& a, const std::string& b) {
    return "<joint name=\"" + name + "\" type=\"revolute\"><parent>" + a + "</parent><child>" + b +
           "</child><axis><xyz>0 1 0</xyz></axis></joint>";
  };
  Imported x = import_text(
      model(link("a") + link("b", "<pose>1 0 0 0 0 0</pose>") + link("c", "<pose>1 0 1 0 0 0</pose>") +
            hinge("i", "world", "a") + hinge("j", "a", "b") + hinge("k", "b", "c") + hinge("l", "world", "c")),
      "m.sdf");
  EXPECT_EQ(x.m->nv, 3);
  EXPECT_EQ(x.m->neq, 2);
  EXPECT_NE(x.warnings.find("closes a loop"), std::string::npos);
}

}  // namespace
}  // namespace patchfield
