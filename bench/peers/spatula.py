#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""The paper's slip control, 30 s of it, by Drake and by Patchfield: CPU time and the spatula's pitch side by side.

The same scene on both sides: two bubbles on prismatic fingers, the spatula, a grip force between 1 and 16 N. Ours is
`patchfield reproduce spatula`; Drake gets the bodies as SDF and the force as a fixed input that changes at the switches.

    python3 bench/peers/spatula.py [--json FILE]
"""

import argparse
import json
import logging
import math
import subprocess
import tempfile
import time
from pathlib import Path

from common import BUILD, context, enter_venv

OURS = BUILD / "apps" / "cli" / "patchfield"
DURATION, PERIOD, DUTY = 30.0, 6.0, 0.75  # s
FIRM, LOOSE = 16.0, 1.0  # N
PROPERTIES = ("<drake:compliant_hydroelastic/><drake:hydroelastic_modulus>{modulus}</drake:hydroelastic_modulus>"
              "<drake:mesh_resolution_hint>{hint}</drake:mesh_resolution_hint><drake:mu_dynamic>1</drake:mu_dynamic>"
              "<drake:hunt_crossley_dissipation>5</drake:hunt_crossley_dissipation>"
              "<drake:relaxation_time>0.1</drake:relaxation_time>")
FINGER = """<model name="{name}"><link name="{name}"><pose>.182 {y} .25 0 0 0</pose>
  <inertial><mass>.1</mass><inertia><ixx>1e-4</ixx><iyy>1e-4</iyy><izz>1e-4</izz></inertia></inertial>
  <collision name="{name}"><geometry><drake:ellipsoid><a>.0625</a><b>.04165</b><c>.04165</c></drake:ellipsoid></geometry>
    <drake:proximity_properties>{properties}</drake:proximity_properties></collision></link>
  <joint name="{name}_slide" type="prismatic"><parent>world</parent><child>{name}</child><axis><xyz>0 1 0</xyz>
    <limit><effort>80</effort></limit><dynamics><damping>1</damping></dynamics></axis></joint></model>"""
SPATULA = """<model name="spatula"><link name="spatula"><pose>.35 0 .25 -.4 0 1.57</pose>
  <inertial><pose>0 .115649 .044471 0 0 0</pose><mass>.068</mass><inertia><ixx>.21095403</ixx><iyy>.03710803</iyy>
    <izz>.18858265</izz><ixy>-4.264e-8</ixy><ixz>0</ixz><iyz>-.06982170</iyz></inertia></inertial>
  <collision name="handle"><pose>0 .135 .052 2 0 0</pose>
    <geometry><cylinder><radius>.015</radius><length>.11</length></cylinder></geometry>
    <drake:proximity_properties>{properties}</drake:proximity_properties></collision></link></model>"""


def sdf(model):
    return f'<sdf version="1.7" xmlns:drake="drake">{model}</sdf>'


def drake_run(solver, dt, tessellation):
    """CPU seconds and the pitch at the end [rad]; NaN if Drake's solver gives up on the way."""
    import numpy as np
    from pydrake.geometry import HydroelasticContactRepresentation
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, ContactModel, DiscreteContactApproximation
    from pydrake.systems.analysis import Simulator
    from pydrake.systems.framework import DiagramBuilder

    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, dt)
    soft, hard = PROPERTIES.format(modulus=1e5, hint=0.02), PROPERTIES.format(modulus=1e8, hint=0.01)
    for model in (FINGER.format(name="left", y=-0.051665, properties=soft),
                  FINGER.format(name="right", y=0.051665, properties=soft), SPATULA.format(properties=hard)):
        Parser(plant).AddModelsFromString(sdf(model), "sdf")
    plant.set_contact_model(ContactModel.kHydroelastic)
    plant.set_contact_surface_representation(getattr(HydroelasticContactRepresentation, "k" + tessellation.capitalize()))
    plant.set_discrete_contact_approximation(getattr(DiscreteContactApproximation, "k" + solver.capitalize()))
    plant.Finalize()
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context_ = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    spatula, port = plant.GetBodyByName("spatula"), plant.get_actuation_input_port()

    def pitch():
        axis = plant.EvalBodyPoseInWorld(context_, spatula).rotation().matrix() @ [0, -math.sin(2), math.cos(2)]
        return math.atan2(-axis[2], axis[0])

    port.FixValue(context_, np.array([FIRM, -FIRM]))
    simulator.Initialize()
    start, began = pitch(), time.process_time()
    for period in range(round(DURATION / PERIOD)):
        for force, end in ((FIRM, (period + DUTY) * PERIOD), (LOOSE, (period + 1) * PERIOD)):
            port.FixValue(context_, np.array([force, -force]))
            try:
                simulator.AdvanceTo(end)
            except RuntimeError:  # "failed to converge"
                return math.nan, math.nan
    return time.process_time() - began, pitch() - start


def our_runs():
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([OURS, "reproduce", "spatula", "--out", folder, "--json"], capture_output=True, text=True, check=True)
    return {(r["solver"], r["time_step"], r["tessellation"]): r for r in json.loads(done.stdout)["runs"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write all numbers to this file")
    options = parser.parse_args()
    enter_venv()
    logging.getLogger("drake").setLevel(logging.ERROR)
    about = context()
    print("  ".join(f"{k}: {v}" for k, v in about.items()))
    print("Real-time factor by CPU time of one thread, and the pitch after 30 s.")
    print(f"{'':28}{'Drake':>9}{'ours':>9}{'ratio':>8}{'Drake °':>11}{'ours °':>9}", flush=True)
    ours, rows = our_runs(), []
    for (solver, dt, tessellation), run in ours.items():
        seconds, pitch = drake_run(solver, dt, tessellation)
        row = {"solver": solver, "time_step": dt, "tessellation": tessellation, "drake": DURATION / seconds,
               "ours": run["cpu_real_time_factor"], "drake_pitch": pitch, "our_pitch": run["pitch"][-1]}
        rows.append(row)
        print(f"{solver:>8}, {1e3 * dt:>3.0f} ms, {tessellation:<10}{row['drake']:>10.1f}{row['ours']:>9.1f}"
              f"{row['ours'] / row['drake']:>8.1f}{math.degrees(pitch):>11.2f}{math.degrees(row['our_pitch']):>9.2f}", flush=True)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps({"context": about, "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
