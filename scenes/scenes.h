// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The scenes of this project as MJCF texts, each written once.
//
// Compliance sits in their <custom> section, so stock MuJoCo loads them too (and sees point contacts).
// All are deterministic. Units: m, kg, s, Pa.

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace patchfield::scenes {

/// What a compliant geom is made of.
struct Material {
  double modulus = 1e6;      ///< E_h [Pa]
  double resolution = 0.02;  ///< [m]
  double mu = 0.5;
  double hunt_crossley = 50.0;    ///< [s/m]
  double relaxation_time = 0.01;  ///< [s]
  double margin = 1e-4;           ///< [m]
};

/// A compliant ball (radius 5 cm, 0.5 kg) a little above a rigid plane.
std::string sphere_on_plane(const Material& material = {}, double height = 0.0);

/// The same ball on a rigid box, as in anchors.md.
std::string sphere_on_box(const Material& material = {});

/// A compliant cube (10 cm, 1 kg) on a rigid plane that is tilted by `slope` [rad] about y.
std::string box_on_plane(const Material& material = {}, double slope = 0.0, double height = 0.0);

/// n compliant cubes (10 cm, 1 kg) on each other and on a rigid plane. Ten cubes of 1 MPa would buckle under
/// their own weight: as a column of stiffness EI = E_h·a⁴/12 and weight w per length they carry up to
/// (7.84 EI/w)^⅓ = 0.87 m. Hence the stiffer default.
std::string stack(int n = 10, const Material& material = {.modulus = 1e7}, double gap = 0.0);

/// n balls, boxes and capsules in turn, dropped into a rigid bin.
std::string clutter(int n = 40, const Material& material = {.modulus = 1e6, .resolution = 0.02});

/// Two compliant ellipsoids on sliders, driven by force-limited servos, squeeze a rigid cylinder and hold it.
std::string bubbles(const Material& material = {.modulus = 1e5, .resolution = 0.015, .mu = 0.8}, double grip = 10.0);

/// The gripper and the spatula of [PFC]: two soft bubbles (semi-axes 62.5, 41.65, 41.65 mm) on prismatic fingers,
/// driven by forces along y (actuators "left" and "right": + and − close), hold a spatula of 68 g by its cylindrical
/// handle, 44 mm beside its centre of mass. Its moments of inertia are the published ones, hundreds of times those of a
/// real spatula of this weight: that is why it turns slowly in a loose grip.
std::string spatula(const Material& material = {
                        .modulus = 1e5, .resolution = 0.02, .mu = 1.0, .hunt_crossley = 5.0, .relaxation_time = 0.1});

/// A chain of n capsules, hung beside a compliant wall, swings into it.
std::string chain(int n = 5, const Material& material = {.modulus = 1e6, .resolution = 0.02});

/// The coin of [PFC]: 5.67 g, Ø 24.26 mm × 1.75 mm, its rim and each face cut into `segments` (a multiple of four), at
/// rest on a rigid plane at its static penetration. Keyframe 0, "slide": 1 m/s along x, spinning with v = 0.653 ωR. The
/// material's resolution is not read. With the usual dissipation of 50 s/m the continuous model of this stiff coin (it
/// rattles at 50 kHz) does not settle: docs/coin.md. Hence d·f_n ≈ √(k·m).
struct Coin {
  double radius = 12.13e-3;    ///< R [m]
  double thickness = 1.75e-3;  ///< [m]
  double mass = 5.67e-3;       ///< [kg]; I = mR²/2 about its axis.
  double penetration = 0.0;    ///< At rest [m].
  std::string mjcf;
};
Coin coin(int segments = 152,
          const Material& material = {.modulus = 1e9, .mu = 0.2, .hunt_crossley = 3e4, .margin = 0.0});

/// What the variations of the pancake flip vary.
struct PancakeOptions {
  /// ≥ 1 divides the resolutions of bubbles, handle and pancake: 1 has about 230 faces per step, 4 more than 1,500.
  double refinement = 1.0;
  double pancake_x = 0.0, pancake_y = 0.0;  ///< Centre of the pancake, from that of the stove [m].
  double pancake_mass = 0.1;                ///< [kg]
  double pancake_modulus = 1e4;             ///< E_h [Pa]
  double friction = 1.0;                    ///< Multiplies every coefficient of friction.
  double stove_height = 0.18;               ///< Of its top above the table [m].
};

/// The pancake flip of [PFC]: an arm with the dimensions, masses and limits of a Kinova JACO (j2n6s300) on a table, the
/// soft bubbles of `spatula` at its wrist, a spatula that lies in a stand, a cylindrical stove top (Ø 32 cm) with a
/// pancake, a flat ellipsoid of 12 × 12 × 2.5 cm. Actuators "arm1" … "arm6" [N·m], "left" and "right" [N] (+ and −
/// close); site "tool": z forward, y closes; keyframe "home". Frames, sizes and reasons: scenes/pancake.cpp.
std::string pancake(const PancakeOptions& options = {});

/// "sphere_on_plane", …: the names that by_name() knows.
std::span<const std::string_view> names();

/// A scene with its default parameters; empty if the name is unknown. stack, clutter and chain take a number of bodies
/// from 1 to 10,000, "clutter:100"; pancake a refinement, "pancake:2".
std::string by_name(std::string_view name);

}  // namespace patchfield::scenes
