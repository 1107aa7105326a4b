// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A small arm of six hinges, for the tests of control: a shoulder, an elbow and a wrist, about 0.75 m long.

#pragma once

#include <string>

#include "patchfield/model/model.h"

namespace patchfield::testing_control {

/// `tip` is what the last link carries; `world` stands beside the arm; `rest` follows the world.
inline std::string small_arm_mjcf(const std::string& tip = "", const std::string& world = "",
                                  const std::string& actuators = "", const std::string& rest = "",
                                  double effort = 60.0) {
  const std::string force = " forcerange=\"-" + std::to_string(effort) + " " + std::to_string(effort) + "\"";
  std::string motors;
  for (int i = 1; i <= 6; ++i)
    motors += "<motor name=\"arm" + std::to_string(i) + "\" joint=\"arm" + std::to_string(i) + "\"" + force + "/>";
  return R"(<mujoco><compiler angle="radian"/><option timestep="0.002"/><worldbody>)" + world + R"(
  <body name="link1" pos="0 0 .1"><joint name="arm1" axis="0 0 1" range="-3 3"/>
   <geom type="capsule" fromto="0 0 0 0 0 .1" size=".04" mass="1" contype="0" conaffinity="0"/>
   <body name="link2" pos="0 0 .1"><joint name="arm2" axis="0 1 0" range="-2 2"/>
    <geom type="capsule" fromto="0 0 0 0 0 .3" size=".035" mass="1" contype="0" conaffinity="0"/>
    <body name="link3" pos="0 0 .3"><joint name="arm3" axis="0 1 0" range="-2.5 2.5" damping=".1"/>
     <geom type="capsule" fromto="0 0 0 0 0 .25" size=".03" mass=".8" contype="0" conaffinity="0"/>
     <body name="link4" pos="0 0 .25"><joint name="arm4" axis="0 0 1" range="-3 3" armature=".002"/>
      <geom type="sphere" size=".03" mass=".3" contype="0" conaffinity="0"/>
      <body name="link5"><joint name="arm5" axis="0 1 0" range="-2.5 2.5" armature=".002"/>
       <geom type="capsule" fromto="0 0 0 0 0 .06" size=".02" mass=".3" contype="0" conaffinity="0"/>
       <body name="link6" pos="0 0 .06"><joint name="arm6" axis="0 0 1" range="-3 3" armature=".002"/>
        <geom type="sphere" size=".03" mass=".2" contype="0" conaffinity="0"/>
        <site name="tool" pos="0 0 .08"/>)" +
         tip + "</body></body></body></body></body></body></worldbody><actuator>" + motors + actuators + "</actuator>" +
         rest + "</mujoco>";
}

inline Model small_arm() { return Model::parse(small_arm_mjcf()); }

}  // namespace patchfield::testing_control
