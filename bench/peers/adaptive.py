#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Error control, Drake's CENIC and Patchfield side by side, from one run.

Three scenes of bench/peers/steps.py, from their initial state: two bubbles close on a spatula and hold it, a stack of
ten boxes settles, a box is thrown and comes to rest. Both get the same accuracy, output every 10 ms, and polygons; CENIC
(`SimulatorConfig(integration_scheme="cenic")`) has no other limit on its steps, ours is one output interval at most.
One thread, process CPU time, alternating rounds, the least of each.

The errors stand beside the time, each side against its own run of fixed steps of 0.1 ms (Drake: CENIC without error
control): largest distance of any body's origin [m], and angle [rad], over all output times. Accuracies mean the same,
the largest estimated error of a step, in nearly the same norm: Drake's counts metres and components of quaternions, ours
metres and angles times the size of what turns. Thrown bodies tumble, and their errors grow with every impact on both
sides.

    python3 bench/peers/adaptive.py [--accuracy 1e-3] [--json out/adaptive.json]
"""

import argparse
import json
import logging
import math
import sys
import time
from pathlib import Path

from common import BUILD, context, enter_venv, run_ours
from steps import GRAVITY, STICTION_SPEED, Body, Scene, Shape, mjcf, sdf, spatula_scene, stack_scene, table

OURS = BUILD / "bench" / "steps" / "adaptive_runs"
INTERVAL = 0.01  # s between outputs
FINE = 100  # steps per interval of the references


def thrown_scene():
    box = Shape("box", "box", (0.1, 0.1, 0.1), modulus=1e7)
    body = Body("box", (0, 0, 0.25), [box], mass=1.0, inertia=(0.01 / 6,) * 3)
    scene = Scene("thrown", "a box thrown onto a table", [table(), body], ["box"])
    scene.bodies[0].shapes[0].size = (4.0, 4.0, 0.2)
    scene.velocity = [3.0, 5.0, 2.0, 1.0, 0.3, 1.0]  # ω, v in the world
    return scene


SCENES = {"spatula": (spatula_scene, 2.0), "stack": (stack_scene, 2.0), "thrown": (thrown_scene, 2.0)}

# ---------------------------------------------------------------------------------------------- Drake


class Drake:
    def __init__(self, scene, duration, accuracy, options, fixed=False):
        import numpy as np
        from pydrake.multibody.parsing import Parser
        from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, ContactModel
        from pydrake.geometry import HydroelasticContactRepresentation
        from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
        from pydrake.systems.framework import DiagramBuilder

        logging.getLogger("drake").setLevel(logging.ERROR)
        self.scene, self.duration = scene, duration
        builder = DiagramBuilder()
        self.plant, _ = AddMultibodyPlantSceneGraph(builder, 0.0)
        for body in scene.bodies:
            Parser(self.plant).AddModelsFromString(sdf(body, options.margin), "sdf")
        self.plant.mutable_gravity_field().set_gravity_vector([0, 0, -GRAVITY])
        self.plant.set_contact_model(ContactModel.kHydroelastic)
        self.plant.set_contact_surface_representation(HydroelasticContactRepresentation.kPolygon)
        self.plant.set_stiction_tolerance(STICTION_SPEED)
        self.plant.Finalize()
        self.simulator = Simulator(builder.Build())
        self.context = self.simulator.get_mutable_context()
        self.mine = self.plant.GetMyMutableContextFromRoot(self.context)
        if scene.motor_forces():
            self.plant.get_actuation_input_port().FixValue(self.mine, np.array(scene.motor_forces()))
        if getattr(scene, "velocity", None):
            self._throw(scene.velocity)
        config = dict(integration_scheme="cenic", max_step_size=0.1, accuracy=accuracy, use_error_control=True)
        if fixed:
            config |= dict(max_step_size=INTERVAL / FINE, use_error_control=False)
        ApplySimulatorConfig(SimulatorConfig(**config), self.simulator)
        self.start = self.context.Clone()
        self.moving = [b for b in scene.bodies if b.joint != "fixed"]

    def _throw(self, velocity):
        from pydrake.multibody.math import SpatialVelocity

        body = self.plant.GetBodyByName(self.scene.watched[0])
        self.plant.SetFreeBodySpatialVelocity(self.mine, body, SpatialVelocity(w=velocity[:3], v=velocity[3:]))

    def run(self):
        """CPU seconds, steps, rejections, poses of the moving bodies at the output times."""
        self.context.SetTimeStateAndParametersFrom(self.start)
        self.simulator.Initialize()
        self.simulator.ResetStatistics()
        cpu, poses = 0.0, []
        for i in range(round(self.duration / INTERVAL)):
            started = time.process_time()
            self.simulator.AdvanceTo((i + 1) * INTERVAL)
            cpu += time.process_time() - started
            poses.append([self._pose(b.name) for b in self.moving])
        integrator = self.simulator.get_integrator()
        return {"cpu_s": cpu, "steps": integrator.get_num_steps_taken(),
                "rejected": integrator.get_num_step_shrinkages_from_error_control(), "poses": poses}

    def _pose(self, name):
        pose = self.plant.EvalBodyPoseInWorld(self.mine, self.plant.GetBodyByName(name))
        q = pose.rotation().ToQuaternion()
        return list(pose.translation()), [q.w(), q.x(), q.y(), q.z()]


# ---------------------------------------------------------------------------------------------- ours


class Ours:
    def __init__(self, scene, duration, accuracy, options, fixed=False):
        self.scene = scene
        self.job = {"mjcf": mjcf(scene, options), "interval": INTERVAL, "duration": duration, "accuracy": accuracy,
                    "stiction_speed": STICTION_SPEED, "ctrl": scene.motor_forces()}
        if getattr(scene, "velocity", None):  # v in the world, ω in the body, which starts aligned with it
            self.job["qvel"] = scene.velocity[3:] + scene.velocity[:3]
        if fixed:
            self.job |= {"accuracy": 0, "cuts": FINE}

    def run(self):
        (result,) = run_ours(OURS, [self.job])
        moving = [b for b in self.scene.bodies if b.joint != "fixed"]
        result["poses"] = [[self._pose(b, j, q) for b, j in zip(moving, result["joints"])] for q in result["qpos"]]
        return result

    @staticmethod
    def _pose(body, joint, q):
        at = joint["qpos"]
        if body.joint == "free":
            return q[at:at + 3], q[at + 3:at + 7]
        return [p + a * q[at] for p, a in zip(body.position, body.axis)], [1, 0, 0, 0]


# ---------------------------------------------------------------------------------------------- the run


def errors(run, reference):
    """Largest distance and angle between the poses of two runs."""
    distance = angle = 0.0
    for now, fine in zip(run["poses"], reference["poses"]):
        for (p, q), (p0, q0) in zip(now, fine):
            distance = max(distance, math.dist(p, p0))
            cosine = abs(sum(a * b for a, b in zip(q, q0)))
            angle = max(angle, 2 * math.acos(min(1.0, cosine / (math.hypot(*q) * math.hypot(*q0)))))
    return distance, angle


def measure(name, options):
    make, duration = SCENES[name]
    scene = make()
    print(f"\n{scene.title}: {duration:g} s, accuracy {options.accuracy:g}")
    print(f"  {'':6} {'CPU ms per s':>13} {'steps':>6} {'rejected':>9} {'error [m]':>10} {'error [rad]':>12}")
    rows = []
    sides = [("drake", Drake), ("ours", Ours)]
    systems = [kind(scene, duration, options.accuracy, options) for _, kind in sides]
    runs = [[system.run() for system in systems] for _ in range(options.rounds)]
    for k, (side, kind) in enumerate(sides):
        best = min((r[k] for r in runs), key=lambda r: r["cpu_s"])
        distance, angle = errors(best, kind(scene, duration, options.accuracy, options, fixed=True).run())
        row = {"scene": name, "side": side, "ms_per_s": 1e3 * best["cpu_s"] / duration, "steps": best["steps"],
               "rejected": best["rejected"], "error_m": distance, "error_rad": angle, "accuracy": options.accuracy}
        rows.append(row)
        print(f"  {side:6} {row['ms_per_s']:>13.2f} {row['steps']:>6} {row['rejected']:>9} {distance:>10.1e}"
              f" {angle:>12.1e}", flush=True)
    rows[1]["ratio"] = rows[0]["ms_per_s"] / rows[1]["ms_per_s"]
    print(f"  Drake / ours: {rows[1]['ratio']:.1f}")
    return rows


def main():
    parser = argparse.ArgumentParser(description="Error control: Drake's CENIC and Patchfield side by side.")
    parser.add_argument("--accuracy", type=float, default=1e-3)
    parser.add_argument("--scene", action="append", choices=SCENES, help="only this scene (may be repeated)")
    parser.add_argument("--rounds", type=int, default=5, help="alternating rounds (the least of each is shown)")
    parser.add_argument("--margin", type=float, default=1e-4, help="hydroelastic margin of both [m]")
    parser.add_argument("--json", type=Path, help="write all numbers to this file")
    options = parser.parse_args()
    options.same_hint = False
    enter_venv()
    if not OURS.exists():
        sys.exit(f"peers: {OURS} is not built; run make build first")
    about = context()
    print("  ".join(f"{key}: {value}" for key, value in about.items()))
    rows = [row for name in options.scene or SCENES for row in measure(name, options)]
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps({"context": about, "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
