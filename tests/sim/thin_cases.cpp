// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "sim/thin_cases.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "patchfield/sim/ledger.h"

namespace patchfield::thin {
namespace {

constexpr double kSide = 0.05;         // [m] of a plate
constexpr double kPlaneSlab = 0.1;     // [m]
constexpr double kPlaneModulus = 1e7;  // [Pa]
constexpr double kGravity = 9.81;      // [m/s²]
constexpr double kDuration = 5.0;      // [s]
constexpr double kWide = 2.0;          // [m] half size of tables

Body plate(double thickness, double modulus) {
  const double mass = 2700.0 * kSide * kSide * thickness;
  return {fmt::format("plate {:g} mm {:g} Pa", 1e3 * thickness, modulus),
          fmt::format(R"(type="box" size="{0} {0} {1}")", kSide / 2, thickness / 2),
          fmt::format("compliant modulus={} mu=.4", modulus),
          thickness / 2,
          kSide / 2,
          kSide * kSide,
          modulus,
          mass};
}

std::vector<Body> bodies() {
  std::vector<Body> list;
  for (const double t : {0.5e-3, 1e-3, 2e-3, 4e-3})
    for (const double E : {1e7, 1e8, 1e9}) list.push_back(plate(t, E));
  const double R = 0.01213, t = 0.00175;
  // The footprint of the coin is that of its 52 facets.
  const double facets = 0.5 * 52 * std::sin(2.0 * std::numbers::pi / 52) * R * R;
  list.push_back({"coin", fmt::format(R"(type="cylinder" size="{} {}")", R, t / 2), "compliant modulus=1e9 mu=.2",
                  t / 2, R, facets, 1e9, 5.67e-3});
  list.push_back(
      {"cube 2 cm", R"(type="box" size=".01 .01 .01")", "compliant modulus=1e7 mu=.4", 0.01, 0.01, 4e-4, 1e7, 8e-3});
  list.push_back(
      {"rigid sheet", R"(type="mesh" mesh="sheet")", "rigid mu=.4", 0.0, kSide / 2, kSide * kSide, 0.0, 0.01});
  return list;
}

std::string floor_xml(const Case& c, std::string& text) {
  const bool sheet = c.body.modulus == 0.0;
  switch (c.floor) {
    case Floor::kRigidPlane:
      // Two rigid geoms have no pressure field between them: the sheet gets a soft block instead.
      if (sheet) text = "compliant modulus=1e6 mu=.4";
      else return R"(<geom name="floor" type="plane" size="2 2 .1"/>)";
      return fmt::format(R"(<geom name="floor" type="box" size="{0} {0} .05" pos="0 0 -.05"/>)", kWide);
    case Floor::kCompliantPlane:
      text = fmt::format("compliant modulus={} slab_thickness={} mu=.4", kPlaneModulus, kPlaneSlab);
      return R"(<geom name="floor" type="plane" size="2 2 .1"/>)";
    case Floor::kRigidBox:
      if (sheet) text = "compliant modulus=1e8 mu=.4";
      return fmt::format(R"(<geom name="floor" type="box" size="{0} {0} .02" pos="0 0 -.02"/>)", kWide);
    case Floor::kTwin: break;
  }
  const double h = sheet ? 1e-3 : c.body.half_height;
  text = sheet ? "compliant modulus=1e8 mu=.4" : c.body.compliance;
  return fmt::format(R"(<geom name="floor" type="box" size="{0} {0} {1}" pos="0 0 -{1}"/>)", kWide, h);
}

double tilt_of(Attitude attitude) {
  // Not quite on edge: a plate that stands for seconds and then falls over is not at rest after one.
  return attitude == Attitude::kFlat ? 0.0 : attitude == Attitude::kTilted ? 30.0 : 85.0;
}

/// Half the height of the body as it is turned.
double reach_down(const Case& c) {
  const double a = tilt_of(c.attitude) * std::numbers::pi / 180.0;
  return c.body.half_height * std::cos(a) + c.body.half_length * std::sin(a);
}

/// Energy of the springs at the start of the step that was taken.
double stored_energy(const Data& data) {
  double sum = 0.0;
  for (int i = 0; i < data.problem.num_points(); ++i) {
    const double x = std::min(0.0, data.problem.phi0[i]);
    sum += 0.5 * data.problem.k[i] * x * x;
  }
  return sum;
}

/// mg/S·Σ H/E of what is compressed.
double resting_depth(const Case& c) {
  const double p = c.body.mass * kGravity / c.body.area;
  const double own = c.body.half_height / c.body.modulus;
  if (c.floor == Floor::kCompliantPlane) return p * (own + kPlaneSlab / kPlaneModulus);
  return p * (c.floor == Floor::kTwin ? 2.0 * own : own);
}

double speed_of(const Data& data, const Body& body) {
  double v = 0.0;
  for (int i = 0; i < 6; ++i) v = std::max(v, std::abs(data.d()->qvel[i]) * (i < 3 ? 1.0 : body.half_length));
  return v;
}

double depth_error(const Case& c, const Data& data) {
  const mjtNum* q = data.d()->qpos;
  const double up = 1.0 - 2.0 * (q[4] * q[4] + q[5] * q[5]);  // R_zz
  if (c.body.modulus == 0.0 || std::abs(up) < 1.0 - 1e-9) return 0.0;
  const double depth = c.body.half_height - q[2], expected = resting_depth(c);
  // Near-rigid contact is softened by SAP to g·(β·δt/2π)² (its β, data.h).
  return std::max(0.0, std::abs(depth - expected) - 1e-8) / expected;
}

}  // namespace

std::string Case::name() const {
  constexpr const char* kAttitudes[] = {"flat", "30 deg", "edge-on"};
  constexpr const char* kFloors[] = {"rigid plane", "compliant plane", "rigid box", "twin"};
  return fmt::format("{}, {}, {}, {:g} m/s, {:g} ms, {}", body.name, kAttitudes[static_cast<int>(attitude)],
                     kFloors[static_cast<int>(floor)], speed, 1e3 * dt, to_string(solver));
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Body& body : bodies())
    for (const Attitude attitude : {Attitude::kFlat, Attitude::kTilted, Attitude::kEdgeOn})
      for (const Floor floor : {Floor::kRigidPlane, Floor::kCompliantPlane, Floor::kRigidBox, Floor::kTwin})
        for (const double speed : {0.5, 1.0, 2.0, 5.0, 10.0})
          for (const double dt : {1e-3, 2e-3, 5e-3, 1e-2})
            for (const SolverKind solver : {SolverKind::kTamsi, SolverKind::kSap, SolverKind::kLagged})
              cases.push_back({body, attitude, floor, speed, dt, solver});
  return cases;
}

std::string model_xml(const Case& c) {
  std::string text;
  const std::string floor = floor_xml(c, text);
  return fmt::format(
      R"(<mujoco><asset><mesh name="sheet" inertia="shell" vertex="-.025 -.025 0 .025 -.025 0 .025 .025 0 -.025 .025 0 0 0 .0005"
      face="0 1 4 1 2 4 2 3 4 3 0 4"/></asset><worldbody>{}
      <body pos="0 0 1" euler="{} 0 0"><freejoint/><geom name="body" {} mass="{}"/></body></worldbody>
      <custom><text name="patchfield:body" data="{}"/>{}</custom></mujoco>)",
      floor, tilt_of(c.attitude), c.body.geom, c.body.mass, c.body.compliance,
      text.empty() ? "" : fmt::format(R"(<text name="patchfield:floor" data="{}"/>)", text));
}

Outcome run_case(const Case& c) {
  SimOptions options;
  options.solver.kind = c.solver;
  Data data(Model::parse(model_xml(c)), options);
  // Not in phase with the time step: it would arrive after 0.37 of a step.
  data.d()->qpos[2] = reach_down(c) + 2e-4 + 0.37 * c.speed * c.dt;
  data.d()->qvel[2] = -c.speed;
  Outcome out;
  const double start = present_energy(data).total();
  double lowest = 1e300;
  int still = 0;
  const int n = static_cast<int>(std::lround(kDuration / c.dt)), second = static_cast<int>(std::lround(1.0 / c.dt));
  for (; out.steps < n && still < 20; ++out.steps) {
    // In free fall the scheme keeps ½mv² + mgz − ½δt·m·g·v (conservation_test.cpp says why).
    const double motion = present_energy(data).total() - 0.5 * c.dt * kGravity * c.body.mass * data.d()->qvel[2];
    out.gain = std::max(out.gain, (motion - lowest) / start);
    const StepReport report = step(data, c.dt);
    lowest = std::min(lowest, motion + stored_energy(data));
    const mjtNum* q = data.d()->qpos;
    out.finite = out.finite && std::isfinite(q[2]) && std::isfinite(data.d()->qvel[2]);
    out.fell = !(q[2] > -1e-3);
    if (!(q[2] > -0.5)) break;
    const double v = speed_of(data, c.body);
    still = v < 1e-7 ? still + 1 : 0;
    out.speed_end = v;
    if (out.steps < second) out.speed_1s = v;
    out.look_ahead += report.look_ahead_pairs, out.split += report.split_steps, out.rescued += report.rescued_pairs;
  }
  if (!out.fell) out.depth_error = depth_error(c, data);
  return out;
}

std::string verdict(const Outcome& o) {
  if (!o.finite) return "not finite";
  if (o.fell) return "fell through";
  if (o.gain > 5e-3) return fmt::format("gained {:.2g} of its energy", o.gain);
  if (o.speed_1s > 1e-3) return fmt::format("{:.2g} m/s after 1 s", o.speed_1s);
  if (o.speed_end > 1e-6) return fmt::format("{:.2g} m/s after 5 s", o.speed_end);
  if (o.depth_error > 0.05) return fmt::format("depth off by {:.2g}", o.depth_error);
  return "";
}

}  // namespace patchfield::thin
