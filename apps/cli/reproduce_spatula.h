// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The paper's slip control: a gripper with soft bubbles lets a spatula rotate by loosening its grip now and then.
//
//   grip force  16 N ─────┐   ┌─────┐       firm: the patches carry the torque of the spatula's weight
//                1 N      └───┘     └──     loose: they slip, and the spatula's pitch grows
//
// Pitch is the angle of the handle below the horizontal, since the start.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "patchfield/control/square_wave.h"
#include "patchfield/sim/step.h"

namespace patchfield::cli {

struct SpatulaSetup {
  SolverKind solver = SolverKind::kLagged;
  Tessellation tessellation = Tessellation::kPolygon;
  double dt = 2e-3;                                        ///< [s]
  double duration = 30.0;                                  ///< [s]
  double stiction_speed = SolverOptions{}.stiction_speed;  ///< v_s [m/s]
  Quadrature quadrature = SimOptions{}.quadrature;
  PressureRate pressure_rate = SimOptions{}.pressure_rate;
};

/// The grip force of each finger: 1 and 16 N, 6 s, three quarters of it firm.
SquareWave grip_force();

struct SpatulaRun {
  SpatulaSetup setup;
  std::vector<double> time, grip, pitch;  ///< Every 40 ms [s, N, rad].
  std::vector<double> firm_drift;         ///< Per period: change of pitch in the firm phase, its first second left out.
  std::vector<double> loose_turn;         ///< Per period: change of pitch in the loose phase [rad].
  double wall = 0.0;                      ///< Of the steps, by the clock on the wall [s].
  double cpu = 0.0;                       ///< Of the steps [s].
  double record_cpu = 0.0;                ///< Of what the recording adds to the simulation's thread [s].
  double mean_faces = 0.0;
  int unconverged = 0;
  std::uint64_t recording_bytes = 0;

  double real_time_factor() const { return wall > 0.0 ? setup.duration / wall : 0.0; }
  double cpu_real_time_factor() const { return cpu > 0.0 ? setup.duration / cpu : 0.0; }
  double recording_share() const { return cpu > 0.0 ? record_cpu / cpu : 0.0; }
  double worst_drift() const;  ///< Largest |firm_drift|.
};

/// Runs the scene; if `recording` is not empty, writes it there (.pfr or .html).
SpatulaRun run_spatula(const SpatulaSetup& setup, const std::filesystem::path& recording = {});

/// "lagged, 2 ms, polygon"
std::string name_of(const SpatulaSetup& setup);

}  // namespace patchfield::cli
