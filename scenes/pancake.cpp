// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The pancake flip as an MJCF text.
//
//            z ▲  arm                    spatula, seen from its side:
//              │   ╱╲    ┌ bubbles
//              │  ╱  ╲   ▼                         ╱╱ handle, 20° above the blade
//              │ ╱    ╲__●══spatula___           ╱╱
//     stand ▂▂ │╱            ▁▁stove▁▁    ______╱  neck     → x: tip
//     ─────────┴──────────────table───    blade, 2.5 mm
//
// The arm stands at the world's origin. The blade's frame has its origin in the middle of the blade, x towards the tip,
// z up; the tool's frame has its origin in the middle of the handle, z along the handle towards the blade.
//
// Who is compliant: the bubbles and the pancake, as in the paper, and the spatula. Two rigid bodies would meet in
// MuJoCo's contact points: one to four of them under a blade of 9 × 12 cm, which jump from corner to corner as it is
// dragged over the stove, and no torque about the normal where the handle lies in its stand. With a stiff spatula (10⁸
// Pa, the handle's modulus in `spatula`) every contact of the task is a patch; stove, table, stand and arm are rigid as
// in the paper.

#include "scenes/scenes.h"

#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>

#include "scenes/material_texts.h"

namespace patchfield::scenes {
namespace {

// ── the spatula, in the blade's frame ────────────────────────────────────────────────────────────────────────────────
constexpr double kBladeLength = 0.06, kBladeWidth = 0.045, kBladeThickness = 0.00125;  // halves [m]
constexpr double kNeck = 0.1;                                                          // [m]
constexpr double kHandleLength = 0.11, kHandleRadius = 0.015;                          // [m]
constexpr double kPitch = 20.0 * std::numbers::pi / 180.0;  // of neck and handle above the blade

// ── places ───────────────────────────────────────────────────────────────────────────────────────────────────────────
constexpr double kStoveX = 0.86, kStoveRadius = 0.16;                            // [m]
constexpr double kStandX = 0.405, kStandY = 0.7, kShelf = 0.15;                  // of the blade in the stand [m]
constexpr double kStandYaw = std::numbers::pi / 3.0;                             // the spatula points away from the arm
constexpr double kPancakeRadius = 0.06, kPancakeHalf = 0.0125, kSinks = 1.1e-3;  // [m]

/// A point of the handle's axis, `s` behind the rear edge of the blade: {x, z} in the blade's frame.
std::array<double, 2> on_axis(double s) { return {-kBladeLength - s * std::cos(kPitch), s * std::sin(kPitch)}; }

std::string turn_about_z(double angle) {
  return fmt::format("{:.15g} 0 0 {:.15g}", std::cos(0.5 * angle), std::sin(0.5 * angle));
}

/// The axes of a camera that looks along (x, y, z), upright: right = forward × z, up = right × forward.
std::string look_along(double x, double y, double z) {
  return fmt::format("{} {} 0 {} {} {}", y, -x, -x * z, -y * z, x * x + y * y);
}

struct Link {
  const char* pos;
  const char* quat;
  const char* inertial;  ///< Centre of mass, mass, moments about it.
  const char* range;     ///< Empty: turns without end.
  const char* geoms;
};

// Offsets, masses, moments and ranges are the public ones of the j2n6s300; the shapes are ours. The wrist's joints are
// 60° apart; all axes are z. The last link carries the palm that the fingers slide along.
constexpr Link kLinks[] = {
    {"0 0 .15675", "0 0 1 0", R"(pos="0 -.002 -.0605" mass=".7477" diaginertia="1.52032e-3 1.52032e-3 5.9816e-4")", "",
     R"(<geom name="link1" class="link" type="capsule" fromto="0 0 0 0 0 -.11875" size=".04"/>)"},
    {"0 .0016 -.11875", ".70710678118654757 .70710678118654757 0 0",
     R"(pos="0 -.2065 -.01" mass=".99" diaginertia="1.050221e-2 7.92e-4 1.050221e-2")", "-2.618 2.613",
     R"(<geom name="link2" class="link" type="capsule" fromto="0 0 -.02 0 -.41 -.02" size=".036"/>)"},
    {"0 -.41 0", "0 1 0 0", R"(pos="0 .081 -.0086" mass=".6763" diaginertia="1.42022e-3 3.04335e-4 1.42022e-3")",
     "-2.618 2.613", R"(<geom name="link3" class="link" type="capsule" fromto="0 0 0 0 .2073 -.0114" size=".032"/>)"},
    {"0 .2073 -.0114", "0 0 -.70710678118654757 .70710678118654757",
     R"(pos="0 -.037 -.0642" mass=".1785" diaginertia="7.73497e-5 7.73497e-5 1.428e-4")", "",
     R"(<geom name="link4" class="link" type="capsule" fromto="0 0 0 0 -.03703 -.06414" size=".03"/>)"},
    {"0 -.03703 -.06414", "0 0 .5 .86602540378443865",
     R"(pos="0 -.037 -.0642" mass=".1785" diaginertia="7.73497e-5 7.73497e-5 1.428e-4")", "",
     R"(<geom name="link5" class="link" type="capsule" fromto="0 0 0 0 -.03703 -.06414" size=".03"/>)"},
    {"0 -.03703 -.06414", "0 0 .5 .86602540378443865",
     R"(pos="0 0 -.06" mass=".727" diaginertia="3.45324e-4 3.45324e-4 5.816e-4")", "",
     R"(<geom name="link6" class="link" type="cylinder" fromto="0 0 0 0 0 -.08" size=".035"/>
      <geom name="palm" class="link" type="box" pos="0 0 -.095" size=".03 .1 .015"/>)"},
};
constexpr double kEffort[] = {40.0, 80.0, 40.0, 20.0, 20.0, 20.0};  // [N·m]

/// The fingers close along the tool's y. As in `spatula` the bubbles are 20 mm apart at 0.
std::string finger(const char* name, double side, const char* range) {
  return fmt::format(R"(      <body name="{0}_finger" pos="0 {1:g} -.19" quat="0 1 0 0">
        <joint name="{0}" type="slide" axis="0 1 0" range="{2}" damping="1"/>
        <geom name="{0}_bubble" type="ellipsoid" size=".04165 .04165 .0625" mass=".1" rgba=".95 .72 .4 1"/>
        <geom class="drawn" type="box" size=".022 .004 .05" pos="0 {3:g} -.01" rgba=".45 .48 .52 1"/>
      </body>
)",
                     name, -side * 0.051665, range, side * 0.038);
}

/// The rotors' inertia behind the gears (0.1 kg·m², ours: the public file has none) is what makes the wrist stiff under
/// computed torque: its links alone have a hundredth of it.
std::string arm() {
  std::string open = R"(    <geom name="base" class="link" type="cylinder" fromto="0 0 0 0 0 .15" size=".045"/>
)";
  std::string close;
  for (int i = 0; i < 6; ++i) {
    const Link& link = kLinks[i];
    const std::string range = link.range[0] == 0 ? "" : fmt::format(R"( range="{}")", link.range);
    open += fmt::format(R"(    <body name="arm{0}" pos="{1}" quat="{2}">
      <inertial {3}/>
      <joint name="arm{0}" axis="0 0 1" armature=".1"{4}/>
      {5}
)",
                        i + 1, link.pos, link.quat, link.inertial, range, link.geoms);
    close += "    </body>\n";
  }
  return open + R"(      <site name="tool" pos="0 0 -.19" quat="0 1 0 0"/>
)" + finger("left", -1.0, "-.045 .02") +
         finger("right", 1.0, "-.02 .045") + close;
}

/// The shelf carries the blade, a rest the handle 2 cm behind its front end: the spatula lies there by its weight.
std::string stand() {
  const auto [x, z] = on_axis(kNeck + 0.02);
  const double down = kHandleRadius + 0.004;  // from the handle's axis to the middle of the rest
  const double rest_x = x - down * std::sin(kPitch), rest_z = kShelf + kBladeThickness + z - down * std::cos(kPitch);
  return fmt::format(R"(    <body name="stand" pos="{0:g} {1:g} 0" quat="{2}">
      <geom name="stand_shelf" type="box" size=".05 .03 {3:g}" pos="0 0 {3:g}" rgba=".6 .6 .55 1"/>
      <geom name="stand_post" type="box" size=".008 .006 {4:.6g}" pos="{5:.6g} 0 {4:.6g}" rgba=".6 .6 .55 1"/>
      <geom name="stand_rest" type="box" size=".018 .007 .004" pos="{5:.6g} 0 {6:.6g}" quat="{7:.12g} 0 {8:.12g} 0" rgba=".6 .6 .55 1"/>
    </body>
)",
                     kStandX, kStandY, turn_about_z(kStandYaw), 0.5 * kShelf, 0.5 * rest_z - 0.004, rest_x, rest_z,
                     std::cos(0.5 * kPitch), std::sin(0.5 * kPitch));
}

/// Nylon and wood: 81 g, with the moments of inertia of these shapes.
std::string spatula_body() {
  const auto [x0, z0] = on_axis(0.0);
  const auto [x1, z1] = on_axis(kNeck);
  const auto [x2, z2] = on_axis(kNeck + kHandleLength);
  return fmt::format(R"(    <body name="spatula" pos="{0:g} {1:g} {2:.9g}" quat="{3}"><freejoint name="spatula"/>
      <camera name="follow" mode="track" pos="{14}" xyaxes="{15}"/>
      <geom name="handle" type="cylinder" size="{4:g}" fromto="{5:.9g} 0 {6:.9g} {7:.9g} 0 {8:.9g}" mass=".045" rgba=".55 .75 .95 1"/>
      <geom name="neck" class="drawn" type="cylinder" size=".004" fromto="{9:.9g} 0 {10:.9g} {5:.9g} 0 {6:.9g}" mass=".006" rgba=".6 .62 .65 1"/>
      <geom name="blade" type="box" size="{11:g} {12:g} {13:g}" mass=".03" rgba=".6 .62 .65 1"/>
    </body>
)",
                     kStandX, kStandY, kShelf + kBladeThickness, turn_about_z(kStandYaw), kHandleRadius, x1, z1, x2, z2,
                     x0, z0, kBladeLength, kBladeWidth, kBladeThickness, ".45 -.95 .5", look_along(-0.4, -0.8, -0.35));
}

std::string table_and_stove(double stove_height) {
  return fmt::format(R"(    <geom name="table" type="box" size=".62 .6 .02" pos=".46 .3 -.02" rgba=".8 .75 .7 1"/>
    <geom name="stove" type="cylinder" size="{0:g} {1:.9g}" pos="{2:g} 0 {1:.9g}" rgba=".3 .3 .33 1"/>
)",
                     kStoveRadius, 0.5 * stove_height, kStoveX);
}

std::string pancake_body(const PancakeOptions& o) {
  return fmt::format(R"(    <body name="pancake" pos="{:.9g} {:.9g} {:.9g}"><freejoint name="pancake"/>
      <geom name="pancake" type="ellipsoid" size="{} {} {}" mass="{:g}" rgba=".85 .65 .3 1"/>
    </body>
)",
                     kStoveX + o.pancake_x, o.pancake_y, o.stove_height + kPancakeHalf - kSinks, kPancakeRadius,
                     kPancakeRadius, kPancakeHalf, o.pancake_mass);
}

/// The blade is slippery and the stove is not: else the blade would push the pancake along instead of sliding under it.
/// Combined (2μ₁μ₂/(μ₁ + μ₂)) the pancake has 0.89 on the stove and 0.33 on the blade.
std::string materials(const PancakeOptions& o) {
  const double r = o.refinement, f = o.friction;
  const Material bubble{.modulus = 1e5, .resolution = 0.025 / r, .mu = f, .hunt_crossley = 5.0, .relaxation_time = 0.1};
  Material handle = bubble;
  handle.modulus = 1e8, handle.resolution = 0.02 / r;
  const Material blade{.modulus = 1e8, .mu = 0.2 * f, .hunt_crossley = 10.0, .relaxation_time = 0.01};
  const Material pancake{
      .modulus = o.pancake_modulus, .resolution = 0.015 / r, .mu = f, .hunt_crossley = 10.0, .relaxation_time = 0.05};
  std::string texts = compliant("left_bubble", bubble, true) + compliant("right_bubble", bubble, true) +
                      compliant("handle", handle, true) + compliant("blade", blade, false) +
                      compliant("pancake", pancake, true);
  // A flat top needs no finer mesh than its rim does.
  texts += fmt::format(R"(    <text name="patchfield:stove" data="rigid mu={:g} relaxation_time=0 resolution=.08"/>
)",
                       0.8 * f);
  texts += rigid("table", {.mu = 0.5 * f});
  for (const char* part : {"stand_shelf", "stand_post", "stand_rest"}) texts += rigid(part, {.mu = f});
  return texts;
}

/// Arm and fingers open before the stand; spatula and pancake where the bodies put them.
std::string home(const PancakeOptions& o) {
  return fmt::format(
      R"(  <keyframe>
    <key name="home" qpos="-.8138 -.4379 2.3542 .0084 1.0326 -.3792 -.03 .03 {} {} {:.9g} {} {:.9g} {:.9g} {:.9g} 1 0 0 0"/>
  </keyframe>
)",
      kStandX, kStandY, kShelf + kBladeThickness, turn_about_z(kStandYaw), kStoveX + o.pancake_x, o.pancake_y,
      o.stove_height + kPancakeHalf - kSinks);
}

std::string motors() {
  std::string text;
  for (int i = 0; i < 6; ++i)
    text += fmt::format(R"(    <motor name="arm{0}" joint="arm{0}" forcerange="-{1:g} {1:g}"/>
)",
                        i + 1, kEffort[i]);
  return text;
}

}  // namespace

std::string pancake(const PancakeOptions& options) {
  // The equality couples the fingers, as the gears of a parallel gripper do: two forces alone would let the fingers
  // wander sideways with the spatula once gravity acts along y.
  return fmt::format(R"(<mujoco model="pancake">
  <compiler angle="radian" autolimits="true"/>
  <option timestep="0.002"/>
  <default>
    <geom contype="1" conaffinity="3"/>
    <default class="link"><geom contype="2" conaffinity="0" mass="0" rgba=".5 .52 .58 1"/></default>
    <default class="drawn"><geom contype="0" conaffinity="0" mass="0"/></default>
  </default>
  <worldbody>
    <light pos="0 -1 2" dir="0 .4 -1"/>
    <camera name="task" pos="{}" xyaxes="{}"/>
{}{}{}{}{}  </worldbody>
  <equality><joint name="fingers" joint1="left" joint2="right" polycoef="0 -1 0 0 0"/></equality>
  <actuator>
{}    <motor name="left" joint="left" forcerange="-80 80"/>
    <motor name="right" joint="right" forcerange="-80 80"/>
  </actuator>
{}  <custom>
{}  </custom>
</mujoco>
)",
                     "1.75 -.8 .8", look_along(-1.13, 1.0, -0.6), table_and_stove(options.stove_height), stand(), arm(),
                     spatula_body(), pancake_body(options), motors(), home(options), materials(options));
}

}  // namespace patchfield::scenes
