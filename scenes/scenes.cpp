// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "scenes/scenes.h"

#include <charconv>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "scenes/material_texts.h"

namespace patchfield::scenes {
namespace {

std::string model(std::string_view name, std::string_view world, std::string_view texts, std::string_view rest = "") {
  return fmt::format(R"(<mujoco model="{}">
  <option timestep="0.002"/>
  <worldbody>
    <light pos="0 -1 2" dir="0 .4 -1"/>
{}  </worldbody>
{}  <custom>
{}  </custom>
</mujoco>
)",
                     name, world, rest, texts);
}

constexpr double kBall = 0.05;  // radius [m]
constexpr double kCube = 0.10;  // edge [m]

/// Small numbers without a library's notion of randomness: the same everywhere.
class Sequence {
 public:
  double uniform(double lo, double hi) {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return lo + (hi - lo) * static_cast<double>(state_ >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_ = 42;
};

std::string object(int i, double x, double y, double z, Sequence& random) {
  static constexpr const char* kShapes[] = {R"(type="sphere" size="0.04")", R"(type="box" size="0.04 0.03 0.03")",
                                            R"(type="capsule" size="0.03 0.03")"};
  double q[4];
  double norm = 0.0;
  for (double& c : q) c = random.uniform(-1.0, 1.0), norm += c * c;
  for (double& c : q) c /= std::sqrt(norm);
  return fmt::format(R"(    <body name="body{0}" pos="{1:.4f} {2:.4f} {3:.4f}" quat="{4:.6f} {5:.6f} {6:.6f} {7:.6f}">
      <freejoint/><geom name="object{0}" {8} mass="0.2" rgba="{9:.2f} {10:.2f} .6 1"/>
    </body>
)",
                     i, x, y, z, q[0], q[1], q[2], q[3], kShapes[i % 3], 0.3 + 0.6 * (i % 7) / 6.0,
                     0.3 + 0.6 * (i % 5) / 4.0);
}

}  // namespace

std::string sphere_on_plane(const Material& material, double height) {
  const std::string world = fmt::format(R"(    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="ball" pos="0 0 {}"><freejoint/><geom name="ball" type="sphere" size="{}" mass="0.5"/></body>
)",
                                        kBall + height, kBall);
  return model("sphere_on_plane", world, compliant("ball", material, true) + rigid("floor", material));
}

std::string sphere_on_box(const Material& material) {
  const std::string world = fmt::format(R"(    <geom name="table" type="box" size=".2 .2 .1" pos="0 0 -.1"/>
    <body name="ball" pos="0 0 {}"><freejoint/><geom name="ball" type="sphere" size="{}" mass="0.5"/></body>
)",
                                        kBall, kBall);
  return model("sphere_on_box", world, compliant("ball", material, true) + rigid("table", material));
}

std::string box_on_plane(const Material& material, double slope, double height) {
  // The cube stands square on the slope.
  const double lift = 0.5 * kCube + height, c = std::cos(0.5 * slope), s = std::sin(0.5 * slope);
  const std::string quat = fmt::format("{:.17g} 0 {:.17g} 0", c, s);
  const std::string world =
      fmt::format(R"(    <geom name="floor" type="plane" size="5 5 .1" quat="{}"/>
    <body name="cube" pos="{:.17g} 0 {:.17g}" quat="{}"><freejoint/>
      <geom name="cube" type="box" size="{} {} {}" mass="1"/>
    </body>
)",
                  quat, lift * std::sin(slope), lift * std::cos(slope), quat, 0.5 * kCube, 0.5 * kCube, 0.5 * kCube);
  return model("box_on_plane", world, compliant("cube", material, false) + rigid("floor", material));
}

std::string stack(int n, const Material& material, double gap) {
  std::string world = R"(    <geom name="floor" type="plane" size="1 1 .1"/>
)";
  std::string texts = rigid("floor", material);
  for (int i = 0; i < n; ++i) {
    world += fmt::format(R"(    <body name="box{0}" pos="0 0 {1}"><freejoint/>
      <geom name="box{0}" type="box" size="{2} {2} {2}" mass="1" rgba="{3:.2f} .5 .6 1"/>
    </body>
)",
                         i, (i + 0.5) * kCube + (i + 1) * gap, 0.5 * kCube, 0.3 + 0.4 * (i % 2));
    texts += compliant(fmt::format("box{}", i), material, false);
  }
  return model("stack", world, texts);
}

std::string clutter(int n, const Material& material) {
  constexpr double kHalf = 0.25, kWall = 0.02, kHeight = 0.3, kPitch = 0.12;
  std::string world = fmt::format(R"(    <geom name="bottom" type="box" size="{0} {0} {1}" pos="0 0 -{1}"/>
    <geom name="left" type="box" size="{1} {0} {2}" pos="-{3} 0 {2}"/>
    <geom name="right" type="box" size="{1} {0} {2}" pos="{3} 0 {2}"/>
    <geom name="front" type="box" size="{0} {1} {2}" pos="0 -{3} {2}"/>
    <geom name="back" type="box" size="{0} {1} {2}" pos="0 {3} {2}"/>
)",
                                  kHalf + 2 * kWall, kWall, kHeight, kHalf + kWall);
  std::string texts;
  for (const char* side : {"bottom", "left", "right", "front", "back"}) texts += rigid(side, material);
  Sequence random;
  for (int i = 0; i < n; ++i) {
    // Layers of 3 × 3, a little off the grid so that nothing balances on anything.
    const int cell = i % 9, layer = i / 9;
    const double x = (cell % 3 - 1) * kPitch + random.uniform(-0.01, 0.01);
    const double y = (cell / 3 - 1) * kPitch + random.uniform(-0.01, 0.01);
    world += object(i, x, y, 0.08 + kPitch * layer, random);
    texts += compliant(fmt::format("object{}", i), material, i % 3 != 1);
  }
  return model("clutter", world, texts);
}

std::string bubbles(const Material& material, double grip) {
  // qpos 0 is where the servos want to be: 4 mm into the cylinder on both sides. They start 10 mm outside it.
  const std::string world = R"(    <body name="left" pos="-.08 0 .2">
      <joint name="left" type="slide" axis="1 0 0" ref="-.014" damping="1"/>
      <geom name="left" type="ellipsoid" size=".04 .06 .06" mass=".2" rgba=".8 .6 .3 1"/>
    </body>
    <body name="right" pos=".08 0 .2">
      <joint name="right" type="slide" axis="-1 0 0" ref="-.014" damping="1"/>
      <geom name="right" type="ellipsoid" size=".04 .06 .06" mass=".2" rgba=".8 .6 .3 1"/>
    </body>
    <geom name="stand" type="box" size=".02 .02 .05" pos="0 0 .05" rgba=".5 .5 .5 1"/>
    <body name="cylinder" pos="0 0 .2">
      <freejoint/><geom name="cylinder" type="cylinder" size=".03 .1" mass=".3" rgba=".4 .5 .8 1"/>
    </body>
)";
  const std::string actuators = fmt::format(R"(  <actuator>
    <position name="left" joint="left" kp="2000" kv="40" forcerange="-{0} {0}"/>
    <position name="right" joint="right" kp="2000" kv="40" forcerange="-{0} {0}"/>
  </actuator>
)",
                                            grip);
  return model("bubbles", world,
               compliant("left", material, true) + compliant("right", material, true) + rigid("cylinder", material),
               actuators);
}

std::string spatula(const Material& material) {
  // Fingers close along y; at qpos 0 the bubbles are 20 mm apart, 5 mm inside the handle on both sides, as in the
  // paper.
  const char* const finger = R"(    <body name="{0}_finger" pos=".182 {1}.051665 .25">
      <joint name="{0}" type="slide" axis="0 1 0" range="{2}" limited="true" damping="1"/>
      <geom name="{0}_bubble" type="ellipsoid" size=".0625 .04165 .04165" mass=".1" rgba=".95 .72 .4 1"/>
      <geom type="box" size=".05 .004 .022" pos="-.01 {1}.038 0" mass="0" contype="0" conaffinity="0" rgba=".45 .48 .52 1"/>
    </body>
)";
  // Rz(1.57)·Rx(−0.4) as a quaternion; the handle is turned by 2 rad about the spatula's x.
  const std::string world =
      fmt::format(fmt::runtime(finger), "left", "-", "-.045 .01") +
      fmt::format(fmt::runtime(finger), "right", "", "-.01 .045") +
      R"(    <geom name="gripper" type="box" size=".03 .095 .022" pos=".08 0 .25" contype="0" conaffinity="0" rgba=".35 .38 .42 1"/>
    <body name="spatula" pos=".35 0 .25" quat=".69328760 -.14053635 -.14042449 .69273574">
      <freejoint/>
      <inertial pos="0 .115649 .044471" mass=".068"
                fullinertia=".21095403 .03710803 .18858265 -4.264e-8 0 -.06982170"/>
      <geom name="handle" type="cylinder" size=".015 .055" pos="0 .135 .052" quat=".540302 .841471 0 0" rgba=".55 .75 .95 1"/>
      <geom name="connector" type="cylinder" size=".002 .024" pos="0 .0675 .015" quat=".891568 -.452886 0 0"
            contype="0" conaffinity="0" rgba=".6 .62 .65 1"/>
      <geom name="blade" type="box" size=".04 .05 .0005" contype="0" conaffinity="0" rgba=".6 .62 .65 1"/>
    </body>
)";
  const std::string rest = R"(  <actuator>
    <motor name="left" joint="left" forcerange="-80 80"/>
    <motor name="right" joint="right" forcerange="-80 80"/>
  </actuator>
  <keyframe><key name="grip" qpos="0 0 .35 0 .25 .69328760 -.14053635 -.14042449 .69273574" ctrl="16 -16"/></keyframe>
)";
  Material handle = material;
  handle.modulus = 1e8, handle.resolution = 0.01;
  return model("spatula", world,
               compliant("left_bubble", material, true) + compliant("right_bubble", material, true) +
                   compliant("handle", handle, true),
               rest);
}

std::string chain(int n, const Material& material) {
  std::string bodies, close;
  for (int i = 0; i < n; ++i) {
    const std::string indent(static_cast<std::size_t>(4 + 2 * i), ' ');
    bodies += fmt::format(R"({}<body name="link{}" pos="{}"{}>
{}  <joint type="hinge" axis="0 1 0" damping="1e-3"/><geom name="link{}" type="capsule" fromto="0 0 0 0 0 -.15" size=".03" mass=".2"/>
)",
                          indent, i, i == 0 ? "0 0 1" : "0 0 -.15", i == 0 ? R"( euler="0 35 0")" : "", indent, i);
    close = indent + "</body>\n" + close;
  }
  const std::string world = R"(    <geom name="wall" type="box" size=".05 .3 .5" pos=".09 0 .5"/>
)" + bodies + close;
  std::string texts = compliant("wall", material, false);
  for (int i = 0; i < n; ++i) texts += rigid(fmt::format("link{}", i), material);
  return model("chain", world, texts);
}

Coin coin(int segments, const Material& material) {
  constexpr double kPi = 3.14159265358979323846, kGravity = 9.81;
  Coin coin;
  const double R = coin.radius, t = coin.thickness, m = coin.mass;
  // p = E·depth/(t/2) over a regular polygon carries the weight.
  const double area = 0.5 * segments * R * R * std::sin(2.0 * kPi / segments);
  coin.penetration = m * kGravity * 0.5 * t / (material.modulus * area);
  Material meshed = material;
  meshed.resolution = 2.0 * kPi * R / (segments - 0.5);  // rounded up to `segments`
  const std::string world = fmt::format(R"(    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="coin" pos="0 0 {:.17g}"><freejoint/>
      <inertial pos="0 0 0" mass="{:g}" diaginertia="{:.17g} {:.17g} {:.17g}"/>
      <geom name="coin" type="cylinder" size="{:g} {:g}" rgba=".8 .7 .3 1"/>
    </body>
)",
                                        0.5 * t - coin.penetration, m, m * (3.0 * R * R + t * t) / 12.0,
                                        m * (3.0 * R * R + t * t) / 12.0, 0.5 * m * R * R, R, 0.5 * t);
  const std::string rest = fmt::format(R"(  <option timestep="0.001" gravity="0 0 -{:g}"/>
  <keyframe><key name="slide" qvel="1 0 0 0 0 {:.17g}"/></keyframe>
)",
                                       kGravity, 1.0 / (0.653 * R));
  coin.mjcf = model("coin", world, compliant("coin", meshed, true) + rigid("floor", material), rest);
  return coin;
}

namespace {
constexpr std::string_view kNames[] = {"sphere_on_plane", "sphere_on_box", "box_on_plane", "stack", "clutter",
                                       "bubbles",         "spatula",       "chain",        "coin",  "pancake"};
}

std::span<const std::string_view> names() { return kNames; }

namespace {

std::string by_number(std::string_view name, std::string_view number) {
  int n = 0;
  const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), n);
  if (error != std::errc() || stop != number.data() + number.size() || n < 1 || n > 10'000) return {};
  if (name == "stack") return stack(n);
  if (name == "clutter") return clutter(n);
  if (name == "chain") return chain(n);
  if (name == "pancake" && n <= 16) return pancake({.refinement = static_cast<double>(n)});
  return {};
}

}  // namespace

std::string by_name(std::string_view name) {
  if (const std::size_t colon = name.find(':'); colon != name.npos)
    return by_number(name.substr(0, colon), name.substr(colon + 1));
  if (name == "sphere_on_plane") return sphere_on_plane();
  if (name == "sphere_on_box") return sphere_on_box();
  if (name == "box_on_plane") return box_on_plane();
  if (name == "stack") return stack();
  if (name == "clutter") return clutter();
  if (name == "bubbles") return bubbles();
  if (name == "spatula") return spatula();
  if (name == "chain") return chain();
  if (name == "coin") return coin().mjcf;
  if (name == "pancake") return pancake();
  return {};
}

}  // namespace patchfield::scenes
