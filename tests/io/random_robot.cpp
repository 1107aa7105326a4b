// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "random_robot.h"

#include <fmt/format.h>

#include "import_testing.h"

namespace patchfield {
namespace {

using Joint = RandomRobot::Joint;

Vec3 random_vector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  const double x = uniform(random), y = uniform(random), z = uniform(random);
  return {x, y, z};
}

/// Of a cloud of points: a real body, so A + B > C.
Mat3 random_inertia(std::mt19937& random) {
  Mat3 I = Mat3::Zero();
  for (int i = 0; i < 6; ++i) {
    const Vec3 r = random_vector(random, 0.1);
    I += 0.2 * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
  }
  return I;
}

Pose make_pose(const Vec3& xyz, const Vec3& angles) { return {rpy(angles.x(), angles.y(), angles.z()), xyz}; }
Pose X_PJ(const Joint& joint) { return make_pose(joint.xyz_P, joint.rpy_P); }
Pose X_CJ(const Joint& joint) { return make_pose(joint.xyz_C, joint.rpy_C); }

/// Rodrigues' formula.
Pose moved(const Joint& joint, double q) {
  if (joint.kind == Joint::kSlide) return {Mat3::Identity(), q * joint.axis};
  if (joint.kind == Joint::kFixed) return {};
  Mat3 K;
  K << 0, -joint.axis.z(), joint.axis.y(), joint.axis.z(), 0, -joint.axis.x(), -joint.axis.y(), joint.axis.x(), 0;
  return {Mat3::Identity() + std::sin(q) * K + (1 - std::cos(q)) * K * K, Vec3::Zero()};
}

std::string numbers(const Vec3& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }
std::string quaternion_pose(const Pose& X) {
  const Eigen::Quaterniond q(X.R);
  return fmt::format("{} {} {} {} {}", numbers(X.p), q.x(), q.y(), q.z(), q.w());
}

}  // namespace

RandomRobot::RandomRobot(int num_links, bool joints_off_the_child, std::mt19937& random) {
  std::uniform_real_distribution<double> mass(0.1, 3.0);
  for (int i = 0; i < num_links; ++i) {
    const double m = mass(random);
    const Vec3 angles = random_vector(random, 1.5), p = random_vector(random, 0.2);
    links.push_back({m, angles, p, random_inertia(random)});
  }
  for (int child = 1; child < num_links; ++child) {
    const int kind = std::uniform_int_distribution<int>(0, 5)(random);
    Joint joint;
    joint.kind = kind == 0 ? Joint::kFixed : kind <= 2 ? Joint::kSlide : Joint::kHinge;
    joint.parent = std::uniform_int_distribution<int>(0, child - 1)(random);
    joint.child = child;
    joint.xyz_P = random_vector(random, 0.5), joint.rpy_P = random_vector(random, 1.5);
    joint.xyz_C = joint.rpy_C = Vec3::Zero();
    if (joints_off_the_child) joint.xyz_C = random_vector(random, 0.3), joint.rpy_C = random_vector(random, 1.5);
    joint.axis = random_vector(random, 1.0).normalized();
    joints.push_back(joint);
  }
}

RandomRobot::Positions RandomRobot::random_positions(std::mt19937& random) const {
  Positions q;
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (joints[j].kind != Joint::kFixed) q[joint_name(j)] = uniform(random);
  return q;
}

std::vector<Pose> RandomRobot::poses(const Positions& q, const Pose& X_WB) const {
  std::vector<Pose> X = {X_WB};
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const auto position = q.find(joint_name(j));
    const Pose M = moved(joints[j], position != q.end() ? position->second : 0.0);
    X.push_back(X[static_cast<std::size_t>(joints[j].parent)] * X_PJ(joints[j]) * M * X_CJ(joints[j]).inverse());
  }
  return X;
}

MatX RandomRobot::mass_matrix(const Positions& q, const std::vector<std::string>& columns, bool free,
                              const Pose& X_WB) const {
  const std::vector<Pose> X = poses(q, X_WB);
  const auto first = static_cast<Eigen::Index>(free ? 6 : 0);
  const auto n = first + static_cast<Eigen::Index>(columns.size());
  MatX M = MatX::Zero(n, n);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    const Vec3 center = X[i] * link.p_LI;
    MatX Jv = MatX::Zero(3, n), Jw = MatX::Zero(3, n);
    if (free) {
      Jv.leftCols(3).setIdentity();
      Jw.middleCols(3, 3) = X_WB.R;
      for (int k = 0; k < 3; ++k) Jv.col(3 + k) = Vec3(X_WB.R.col(k)).cross(center - X_WB.p);
    }
    // Every joint between the link and the base moves it.
    for (int at = static_cast<int>(i); at > 0; at = joints[static_cast<std::size_t>(at - 1)].parent) {
      const Joint& joint = joints[static_cast<std::size_t>(at - 1)];
      if (joint.kind == Joint::kFixed) continue;
      const auto found = std::find(columns.begin(), columns.end(), joint_name(static_cast<std::size_t>(at - 1)));
      const Eigen::Index column = first + (found - columns.begin());
      const Pose X_WJ = X[static_cast<std::size_t>(joint.parent)] * X_PJ(joint);
      const Vec3 axis = X_WJ.R * joint.axis;
      if (joint.kind == Joint::kSlide) Jv.col(column) = axis;
      else Jv.col(column) = axis.cross(center - X_WJ.p), Jw.col(column) = axis;
    }
    const Mat3 R_WI = X[i].R * rpy(link.rpy_I.x(), link.rpy_I.y(), link.rpy_I.z());
    M += link.mass * Jv.transpose() * Jv + Jw.transpose() * R_WI * link.inertia * R_WI.transpose() * Jw;
  }
  return M;
}

std::string RandomRobot::urdf() const {
  std::string text = "<robot name=\"random\">\n";
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    const Mat3& I = link.inertia;
    text += fmt::format(
        "<link name=\"{}\"><inertial><origin xyz=\"{}\" rpy=\"{}\"/><mass value=\"{}\"/><inertia ixx=\"{}\" ixy=\"{}\" "
        "ixz=\"{}\" iyy=\"{}\" iyz=\"{}\" izz=\"{}\"/></inertial></link>\n",
        link_name(static_cast<int>(i)), numbers(link.p_LI), numbers(link.rpy_I), link.mass, I(0, 0), I(0, 1), I(0, 2),
        I(1, 1), I(1, 2), I(2, 2));
  }
  const char* types[] = {"continuous", "prismatic", "fixed"};
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Joint& joint = joints[j];
    text += fmt::format(
        "<joint name=\"{}\" type=\"{}\"><parent link=\"{}\"/><child link=\"{}\"/><origin xyz=\"{}\" rpy=\"{}\"/>"
        "<axis xyz=\"{}\"/><limit lower=\"-9\" upper=\"9\" effort=\"0\" velocity=\"1\"/></joint>\n",
        joint_name(j), types[joint.kind], link_name(joint.parent), link_name(joint.child), numbers(joint.xyz_P),
        numbers(joint.rpy_P), numbers(joint.axis));
  }
  return text + "</robot>\n";
}

std::string RandomRobot::sdf() const {
  const std::vector<Pose> at_zero = poses({});
  std::string text = "<sdf version=\"1.9\"><model name=\"random\">\n";
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    const std::string name = link_name(static_cast<int>(i));
    const Mat3& I = link.inertia;
    std::string pose = fmt::format("<pose rotation_format=\"quat_xyzw\">{}</pose>", quaternion_pose(at_zero[i]));
    if (i > 0 && i % 3 == 1) {
      const Joint& joint = joints[i - 1];
      pose = fmt::format("<pose relative_to=\"{}\" rotation_format=\"quat_xyzw\">{}</pose>", link_name(joint.parent),
                         quaternion_pose(X_PJ(joint) * X_CJ(joint).inverse()));
    } else if (i > 0 && i % 3 == 2) {
      const Joint& joint = joints[i - 1];
      text += fmt::format("<frame name=\"frame{}\" attached_to=\"{}\"><pose>{} {}</pose></frame>\n", i,
                          link_name(joint.parent), numbers(joint.xyz_P), numbers(joint.rpy_P));
      pose = fmt::format("<pose relative_to=\"frame{}\" rotation_format=\"quat_xyzw\">{}</pose>", i,
                         quaternion_pose(X_CJ(joint).inverse()));
    }
    text += fmt::format(
        "<link name=\"{}\">{}<inertial><pose>{} {}</pose><mass>{}</mass><inertia><ixx>{}</ixx><ixy>{}</ixy>"
        "<ixz>{}</ixz><iyy>{}</iyy><iyz>{}</iyz><izz>{}</izz></inertia></inertial></link>\n",
        name, pose, numbers(link.p_LI), numbers(link.rpy_I), link.mass, I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2),
        I(2, 2));
  }
  const char* types[] = {"continuous", "prismatic", "fixed"};
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Joint& joint = joints[j];
    const Pose X_MJ = at_zero[static_cast<std::size_t>(joint.parent)] * X_PJ(joint);
    std::string axis = fmt::format("<xyz>{}</xyz>", numbers(joint.axis));
    if (j % 3 == 1) axis = fmt::format("<xyz expressed_in=\"__model__\">{}</xyz>", numbers(X_MJ.R * joint.axis));
    if (j % 3 == 2)
      axis = fmt::format("<xyz expressed_in=\"{}\">{}</xyz>", link_name(joint.parent),
                         numbers(X_PJ(joint).R * joint.axis));
    text += fmt::format(
        "<joint name=\"{}\" type=\"{}\"><parent>{}</parent><child>{}</child><pose>{} {}</pose>"
        "<axis>{}</axis></joint>\n",
        joint_name(j), types[joint.kind], link_name(joint.parent), link_name(joint.child), numbers(joint.xyz_C),
        numbers(joint.rpy_C), axis);
  }
  return text + "</model></sdf>\n";
}

}  // namespace patchfield
