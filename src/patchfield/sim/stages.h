// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The stages that step() calls, in their order. Each reads and writes Data; none is for users.

#pragma once

#include "patchfield/sim/data.h"

namespace patchfield {

// data.cpp, actuation.cpp: once
/// Which actuators are implicit, and how.
void choose_actuator_modes(Data& data);

// step.cpp
/// Throws InputError before anything is changed.
void check_step(const Data& data, double dt);

// smooth_dynamics.cpp
/// q₀ → poses, inertia, MuJoCo's own constraints and point contacts.
void update_positions(Data& data);
/// v₀ → bias and passive forces, references of the constraints.
void update_velocities(Data& data);
/// Trees, A = M + δt·D + δt²·K and v* of the problem. Starts the problem.
void assemble_dynamics(Data& data);

/// The constraints' references again, after data.dt has changed since update_velocities().
void retime_constraints(Data& data);

// mean_bias.cpp
/// Finds the free bodies and takes their gyroscopic forces out, in bias_change. A must hold the inertia alone.
void release_free_bodies(Data& data);
/// Adds bias_change of the other trees, found with v*, to force and rhs; false if there are none.
bool average_tree_bias(Data& data, double* rhs);
/// The solved velocities → v_end, and poses of free bodies at the end.
void turn_free_bodies(Data& data);

// patches.cpp
/// Poses → contact surfaces → points, in parallel over pairs.
void find_patches(Data& data);
/// The points again from the same surfaces, after data.dt has changed since find_patches().
void retime_patches(Data& data);
/// Does the solved motion bring a pair closer than it has looked ahead? Fills motion_end.
bool needs_wider_look(Data& data);
/// Patches and point contacts of the problem, with their Jacobians.
void assemble_contacts(Data& data);

// constraint_rows.cpp
/// Limits, equalities, friction loss and effort-limited servos as rows of the problem.
void assemble_rows(Data& data);

// actuation.cpp
/// MuJoCo's control callback, once before the first step of an interval.
void call_control(Data& data);
/// MuJoCo's actuator forces; what of them is explicit, and the gains of what is not.
void update_actuation(Data& data);
/// Puts actuator_force and qfrc_actuator to what the implicit servos did.
void report_actuation(Data& data);

// write_back.cpp
/// Accelerations, constraint forces and sensors of mjData for the step just solved.
void write_forces(Data& data);
void write_sensors(Data& data);
/// Orientations (and origins) of free bodies at the end of the step → q.
void place_free_bodies(const Data& data, mjtNum* q);
/// v, q and activations at the end of the step; time.
void advance(Data& data);

}  // namespace patchfield
