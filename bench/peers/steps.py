#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Whole steps of a simulation, Drake and Patchfield side by side, from one run.

Three scenes: a compliant sphere on a rigid box, two compliant bubbles that hold a spatula, a stack of ten compliant
boxes. Each is described once below and written as SDF for Drake and as MJCF for us: same shapes, masses, moduli,
friction, dissipation. Drake runs its discrete solvers TAMSI, SAP and Lagged and its fastest way, the ICF solver of
its integrator CENIC with fixed steps; we run ours. One thread, process CPU time, δt = 2 ms, polygon and triangle
tessellation. All settle to rest first; then the systems are timed in alternating rounds from that state.
Faces, force over weight and the speed that is left stand beside the time: a step that lost its contact is fast too.

    make peers                                  (or: python3 bench/peers/steps.py)
    python3 bench/peers/steps.py --json out/steps.json --csv out/steps.csv

Our side is build/release/bench/steps/step_scenes. Its contract:

  stdin    a JSON list of jobs
           [{"mjcf": TEXT or "scene": NAME of scenes/scenes.h,
             "solver": "tamsi" | "sap" | "lagged",     "tessellation": "polygon" | "triangle",
             "quadrature": "automatic" | "centroid" | "pressure_center" | "moments",
             "stiction_speed": 1e-4, "threads": 1, "dt": 0.002,
             "ctrl": [u, …],                           inputs of the actuators, constant
             "settle_s": 2.0,                          simulated time before the clock starts
             "min_time_s": 0.1,                        CPU time to spend on timing, at least 100 steps
             "force_on": [GEOM, …]}, …]                all but the model may be missing
  stdout   a JSON list of results in the order of the jobs
           [{"us": CPU µs per step, "stages_us": {"dynamics", "geometry", "assembly", "solver", "output"},
             "steps": n, "iterations": Newton iterations per step, "line_search": evaluations per step,
             "unconverged": steps, "faces": n, "points": n, "patches": n,
             "force": [x, y, z] on the geoms of force_on, from all others, N,
             "max_speed": largest generalised velocity, "qpos": […]}, …]
           stages_us are medians of the wall clock; faces … qpos belong to the last step.
  errors   a line on stderr and exit code 1.
"""

import argparse
import csv
import json
import logging
import math
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from common import BUILD, context, enter_venv, run_ours

OURS = BUILD / "bench" / "steps" / "step_scenes"

STEP = 2e-3  # s
STICTION_SPEED = 1e-4  # m/s, the default of both
GRAVITY = 9.81  # m/s²
SETTLE = 2.0  # s
REPEAT = 500  # steps until the settled state is restored, as in bench/steps/step_timing.h
DRAKE_SOLVERS = ["tamsi", "sap", "lagged", "icf"]
OUR_SOLVERS = ["tamsi", "sap", "lagged"]
TESSELLATIONS = ["polygon", "triangle"]

# ---------------------------------------------------------------------------------------------- scenes


@dataclass
class Shape:
    """A collision shape of a body. `size`: radius | edges | radius and length | three semi-axes, by kind."""

    name: str
    kind: str
    size: tuple
    compliant: bool = True
    modulus: float = 1e6  # Pa
    resolution: float = 0.0  # m; 0: the kind has none
    our_resolution: float = 0.0  # m; 0: the same. Chosen so that we have at least as many faces as Drake
    mu: float = 0.5
    hunt_crossley: float = 50.0  # s/m, of a compliant shape
    relaxation_time: float = 0.01  # s, of a compliant shape
    roll: float = 0.0  # rad about x, in the body


@dataclass
class Body:
    """`joint`: "free", "fixed" to the world, or "slide" along `axis` with a constant motor force."""

    name: str
    position: tuple
    shapes: list
    mass: float = 1.0
    inertia: tuple = (1e-3, 1e-3, 1e-3)  # about the centre of mass
    center: tuple = (0.0, 0.0, 0.0)  # of mass, in the body
    joint: str = "free"
    axis: tuple = (1, 0, 0)
    damping: float = 0.0  # N·s/m
    force: float = 0.0  # N


@dataclass
class Scene:
    name: str
    title: str
    bodies: list
    watched: list = field(default_factory=list)  # bodies whose support is compared with their weight

    def weight(self):
        return GRAVITY * sum(b.mass for b in self.bodies if b.name in self.watched)

    def watched_shapes(self):
        return [s.name for b in self.bodies if b.name in self.watched for s in b.shapes]

    def motor_forces(self):
        return [b.force for b in self.bodies if b.joint == "slide"]


def table():
    return Body("table", (0, 0, -0.1), [Shape("table", "box", (0.4, 0.4, 0.2), compliant=False)], joint="fixed")


def sphere_scene():
    ball = Shape("ball", "sphere", (0.05,), modulus=1e6, resolution=0.01)
    body = Body("ball", (0, 0, 0.05), [ball], mass=0.5, inertia=(5e-4,) * 3)
    return Scene("sphere", "one compliant sphere on a rigid box", [table(), body], ["ball"])


def spatula_scene():
    """The spatula is held by its handle and weighs down its far end: the patches carry weight and torque."""
    rubber = {"mu": 1.0, "hunt_crossley": 5.0}
    bodies = []
    for name, side in (("left", -1), ("right", 1)):
        bubble = Shape(f"{name}_bubble", "ellipsoid", (0.04, 0.04, 0.06), modulus=1e5, resolution=0.03,
                       our_resolution=0.035, **rubber)
        bodies.append(Body(name, (side * 0.056, 0, 0.3), [bubble], mass=0.1, inertia=(1e-4,) * 3, joint="slide",
                           axis=(-side, 0, 0), damping=5.0, force=10.0))
    handle = Shape("handle", "cylinder", (0.016, 0.12), modulus=1e8, resolution=0.008, our_resolution=0.016,
                   roll=math.pi / 2, **rubber)
    spatula = Body("spatula", (0, 0, 0.3), [handle], mass=0.1, inertia=(4e-4, 1e-4, 4e-4), center=(0, 0.04, 0))
    return Scene("spatula", "bubble gripper holding a spatula", bodies + [spatula], ["spatula"])


def stack_scene(n=10):
    bodies = [table()]
    for i in range(n):
        box = Shape(f"box{i}", "box", (0.1, 0.1, 0.1), modulus=1e7)
        bodies.append(Body(f"box{i}", (0, 0, 0.05 + 0.1 * i), [box], mass=1.0, inertia=(0.01 / 6,) * 3))
    return Scene("stack", "stack of 10 compliant boxes", bodies, [f"box{i}" for i in range(n)])


def words(values):
    return " ".join(f"{v:.12g}" for v in values)


# ---------------------------------------------------------------------------------------------- MJCF


def mjcf_geom(shape):
    size = {"sphere": lambda s: s, "ellipsoid": lambda s: s, "box": lambda s: [e / 2 for e in s],
            "cylinder": lambda s: [s[0], s[1] / 2]}[shape.kind](shape.size)
    turn = f' axisangle="1 0 0 {math.degrees(shape.roll):.12g}"' if shape.roll else ""
    return f'<geom name="{shape.name}" type="{shape.kind}" size="{words(size)}"{turn}/>'


def mjcf_text(shape, options):
    if not shape.compliant:
        data = f"rigid mu={shape.mu:g} relaxation_time=0"
    else:
        data = (f"compliant modulus={shape.modulus:g} mu={shape.mu:g} hunt_crossley={shape.hunt_crossley:g}"
                f" relaxation_time={shape.relaxation_time:g} margin={options.margin:g}")
    resolution = shape.resolution if options.same_hint else shape.our_resolution or shape.resolution
    if resolution:
        data += f" resolution={resolution:g}"
    return f'<text name="patchfield:{shape.name}" data="{data}"/>'


def mjcf_body(body):
    geoms = "".join(mjcf_geom(s) for s in body.shapes)
    if body.joint == "fixed":
        return f'<body name="{body.name}" pos="{words(body.position)}">{geoms}</body>'
    joint = "<freejoint/>"
    if body.joint == "slide":
        joint = f'<joint name="{body.name}" type="slide" axis="{words(body.axis)}" damping="{body.damping:g}"/>'
    inertial = f'<inertial pos="{words(body.center)}" mass="{body.mass:g}" diaginertia="{words(body.inertia)}"/>'
    return f'<body name="{body.name}" pos="{words(body.position)}">{joint}{inertial}{geoms}</body>'


def mjcf(scene, options):
    motors = "".join(f'<motor name="{b.name}" joint="{b.name}"/>' for b in scene.bodies if b.joint == "slide")
    texts = "".join(mjcf_text(s, options) for b in scene.bodies for s in b.shapes)
    return (f'<mujoco model="{scene.name}"><option timestep="{STEP}" gravity="0 0 -{GRAVITY}"/>'
            f'<worldbody>{"".join(map(mjcf_body, scene.bodies))}</worldbody>'
            f"<actuator>{motors}</actuator><custom>{texts}</custom></mujoco>")


# ---------------------------------------------------------------------------------------------- SDF


def sdf_collision(shape, margin):
    geometry = {
        "sphere": lambda r: f"<sphere><radius>{r}</radius></sphere>",
        "box": lambda *e: f"<box><size>{words(e)}</size></box>",
        "cylinder": lambda r, l: f"<cylinder><radius>{r}</radius><length>{l}</length></cylinder>",
        "ellipsoid": lambda a, b, c: f"<drake:ellipsoid><a>{a}</a><b>{b}</b><c>{c}</c></drake:ellipsoid>",
    }[shape.kind](*shape.size)
    properties = {"mu_dynamic": shape.mu, "mesh_resolution_hint": shape.resolution or 1.0}
    if shape.compliant:
        properties |= {"hydroelastic_modulus": shape.modulus, "hunt_crossley_dissipation": shape.hunt_crossley,
                       "relaxation_time": shape.relaxation_time, "hydroelastic_margin": margin}
    else:
        properties |= {"hunt_crossley_dissipation": 0.0, "relaxation_time": 0.0}
    tags = f"<drake:{'compliant' if shape.compliant else 'rigid'}_hydroelastic/>"
    tags += "".join(f"<drake:{key}>{value:.12g}</drake:{key}>" for key, value in properties.items())
    return (f'<collision name="{shape.name}"><pose>0 0 0 {shape.roll:.12g} 0 0</pose><geometry>{geometry}</geometry>'
            f"<drake:proximity_properties>{tags}</drake:proximity_properties></collision>")


def sdf(body, margin):
    ixx, iyy, izz = body.inertia
    joint = ""
    if body.joint == "slide":
        joint = (f'<joint name="{body.name}_slide" type="prismatic"><parent>world</parent><child>{body.name}</child>'
                 f"<axis><xyz>{words(body.axis)}</xyz><limit><effort>1000</effort></limit>"
                 f"<dynamics><damping>{body.damping:g}</damping></dynamics></axis></joint>")
    static = "<static>true</static>" if body.joint == "fixed" else ""
    collisions = "".join(sdf_collision(s, margin) for s in body.shapes)
    return (f'<sdf version="1.7" xmlns:drake="drake"><model name="{body.name}">{static}<link name="{body.name}">'
            f"<pose>{words(body.position)} 0 0 0</pose><inertial><pose>{words(body.center)} 0 0 0</pose>"
            f"<mass>{body.mass:g}</mass><inertia><ixx>{ixx:.12g}</ixx><iyy>{iyy:.12g}</iyy><izz>{izz:.12g}</izz>"
            f"</inertia></inertial>{collisions}</link>{joint}</model></sdf>")


# ---------------------------------------------------------------------------------------------- Drake


class Drake:
    """One scene with one solver, settled; time_us() starts from that state each time."""

    def __init__(self, scene, solver, tessellation, options):
        import numpy as np
        from pydrake.geometry import HydroelasticContactRepresentation
        from pydrake.multibody.parsing import Parser
        from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, ContactModel, DiscreteContactApproximation
        from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
        from pydrake.systems.framework import DiagramBuilder

        logging.getLogger("drake").setLevel(logging.ERROR)
        self.scene, self.is_icf = scene, solver == "icf"
        builder = DiagramBuilder()
        self.plant, self.graph = AddMultibodyPlantSceneGraph(builder, 0.0 if self.is_icf else STEP)
        for body in scene.bodies:
            Parser(self.plant).AddModelsFromString(sdf(body, options.margin), "sdf")
        self.plant.mutable_gravity_field().set_gravity_vector([0, 0, -GRAVITY])
        self.plant.set_contact_model(ContactModel.kHydroelastic)
        self.plant.set_contact_surface_representation(
            getattr(HydroelasticContactRepresentation, "k" + tessellation.capitalize()))
        self.plant.set_stiction_tolerance(STICTION_SPEED)
        if not self.is_icf:
            self.plant.set_discrete_contact_approximation(
                getattr(DiscreteContactApproximation, "k" + solver.capitalize()))
        self.plant.Finalize()
        self.diagram = builder.Build()
        self.simulator = Simulator(self.diagram)
        self.context = self.simulator.get_mutable_context()
        self.plant_context = self.plant.GetMyMutableContextFromRoot(self.context)
        if scene.motor_forces():
            self.plant.get_actuation_input_port().FixValue(self.plant_context, np.array(scene.motor_forces()))
        if self.is_icf:  # fixed steps: no error control
            config = SimulatorConfig(integration_scheme="cenic", max_step_size=STEP, use_error_control=False)
            ApplySimulatorConfig(config, self.simulator)
        self.simulator.Initialize()
        self.simulator.AdvanceTo(SETTLE)
        self.settled = self.context.Clone()

    def _restore(self):
        self.context.SetTimeStateAndParametersFrom(self.settled)
        self.simulator.Initialize()

    def time_us(self, min_time_s):
        """CPU µs per step."""
        chunk = 50
        count, spent = 0, 0.0
        while spent < min_time_s:
            if count % REPEAT < chunk:
                self._restore()
            end, before = self.context.get_time() + chunk * STEP, self.simulator.get_num_steps_taken()
            started = time.process_time()
            self.simulator.AdvanceTo(end)
            spent += time.process_time() - started
            count += self.simulator.get_num_steps_taken() - before
        return spent / count * 1e6

    def physics(self):
        """Faces, vertical force on the watched bodies, largest velocity, REPEAT steps after the settled state."""
        import numpy as np

        self._restore()
        self.simulator.AdvanceTo(self.context.get_time() + REPEAT * STEP)
        results = self.plant.get_contact_results_output_port().Eval(self.plant_context)
        infos = [results.hydroelastic_contact_info(i) for i in range(results.num_hydroelastic_contacts())]
        inspector = self.graph.model_inspector()
        watched, force = set(self.scene.watched_shapes()), 0.0
        for info in infos:
            surface = info.contact_surface()
            ours = [inspector.GetName(g).split("::")[-1] in watched for g in (surface.id_M(), surface.id_N())]
            force += (ours[0] - ours[1]) * info.F_Ac_W().translational()[2]
        return {
            "faces": sum(info.contact_surface().num_faces() for info in infos),
            "force": self._force_by_momentum() if self.is_icf else force,
            "max_speed": float(np.abs(self.plant.GetVelocities(self.plant_context)).max()),
        }

    def _force_by_momentum(self):
        """Of one step: with CENIC the plant reports the force of another friction law than the step used."""
        instances = [self.plant.GetModelInstanceByName(name) for name in self.scene.watched]

        def momentum():
            return self.plant.CalcSpatialMomentumInWorldAboutPoint(
                self.plant_context, instances, [0, 0, 0]).translational()[2]

        before = momentum()
        self.simulator.AdvanceTo(self.context.get_time() + STEP)
        return (momentum() - before) / STEP + self.scene.weight()


# ---------------------------------------------------------------------------------------------- ours


class Ours:
    def __init__(self, scene, solver, tessellation, options):
        self.job = {"mjcf": mjcf(scene, options), "solver": solver, "tessellation": tessellation, "dt": STEP,
                    "stiction_speed": STICTION_SPEED, "ctrl": scene.motor_forces(), "settle_s": SETTLE,
                    "force_on": scene.watched_shapes()}

    def time_us(self, min_time_s):
        (self.result,) = run_ours(OURS, [dict(self.job, min_time_s=min_time_s)])
        return self.result["us"]

    def physics(self):
        keys = ("faces", "points", "iterations", "line_search", "unconverged", "stages_us", "max_speed")
        return {key: self.result[key] for key in keys} | {"force": self.result["force"][2]}


# ---------------------------------------------------------------------------------------------- the run


def measure(scene, tessellation, options):
    """One row per system and solver, all timed in alternating rounds."""
    kinds = [("drake", s, Drake) for s in options.drake_solver] + [("ours", s, Ours) for s in options.our_solver]
    rows, running = [], []
    for side, solver, kind in kinds:
        row = {"scene": scene.name, "tessellation": tessellation, "side": side, "solver": solver}
        rows.append(row)
        try:
            system = kind(scene, solver, tessellation, options)
            system.time_us(0.01)
            running.append((row, system, []))
        except RuntimeError as error:  # a solver of Drake's gave up
            row["failure"] = str(error).split("\n")[0][:200]
    for _ in range(options.rounds):
        for _, system, times in running:
            times.append(system.time_us(options.min_time))
    for row, system, times in running:
        row |= {"us": statistics.median(times), "us_min": min(times), "us_max": max(times)} | system.physics()
        row["force_to_weight"] = row["force"] / scene.weight()
    fastest = min((r["us"] for r in rows if r["side"] == "drake" and "us" in r), default=math.nan)
    for row in rows:
        row["ratio"] = fastest / row.get("us", math.nan)
    return rows


def print_rows(rows):
    print(f"  {'':6} {'':7} {'faces':>6} {'points':>6} {'µs/step':>9} {'min':>9} {'max':>9} {'Drake’s best / it':>18}"
          f" {'force/weight':>13} {'max speed':>10} {'Newton':>7}")
    for r in rows:
        if "failure" in r:
            print(f"  {r['side']:6} {r['solver']:7} failed: {r['failure']}")
            continue
        print(f"  {r['side']:6} {r['solver']:7} {r['faces']:>6} {r.get('points', r['faces']):>6} {r['us']:>9,.1f}"
              f" {r['us_min']:>9,.1f} {r['us_max']:>9,.1f} {r['ratio']:>18.2f} {r['force_to_weight']:>13.6f}"
              f" {r['max_speed']:>10.1e} {r.get('iterations', math.nan):>7.2f}".replace("nan", "  –"), flush=True)


def write_csv(path, rows, about):
    fields = ["scene", "tessellation", "side", "solver", "faces", "points", "us", "us_min", "us_max", "ratio",
              "force_to_weight", "max_speed", "iterations", "line_search", "unconverged", "failure", *about]
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, fields, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(row | about for row in rows)


def main():
    scenes = {scene.name: scene for scene in (sphere_scene(), spatula_scene(), stack_scene())}
    parser = argparse.ArgumentParser(description="Whole steps: Drake and Patchfield side by side.")
    parser.add_argument("--json", type=Path, help="write all numbers to this file")
    parser.add_argument("--csv", type=Path, help="write one line per row to this file")
    parser.add_argument("--scene", action="append", choices=scenes, help="only this scene (may be repeated)")
    parser.add_argument("--tessellation", action="append", choices=TESSELLATIONS)
    parser.add_argument("--drake-solver", action="append", choices=DRAKE_SOLVERS)
    parser.add_argument("--our-solver", action="append", choices=OUR_SOLVERS)
    parser.add_argument("--margin", type=float, default=1e-4, help="hydroelastic margin of both [m]")
    parser.add_argument("--same-hint", action="store_true",
                        help="give us Drake's resolution hints, which make more faces here, rather than its faces")
    parser.add_argument("--rounds", type=int, default=5, help="alternating rounds (median is shown)")
    parser.add_argument("--min-time", type=float, default=0.2, help="CPU seconds per round and system")
    parser.add_argument("--drake-only", dest="ours", action="store_false", help="leave our side out")
    options = parser.parse_args()
    options.drake_solver = options.drake_solver or DRAKE_SOLVERS
    options.our_solver = (options.our_solver or OUR_SOLVERS) if options.ours else []
    enter_venv()
    if options.ours and not OURS.exists():
        sys.exit(f"peers: {OURS} is not built; run make build first (or give --drake-only)")

    about = context()
    print("  ".join(f"{key}: {value}" for key, value in about.items()))
    print(f"One thread, CPU time, δt = {STEP * 1e3:g} ms, at rest after {SETTLE:g} s; medians of alternating rounds.")
    rows = []
    for name in options.scene or scenes:
        for tessellation in options.tessellation or TESSELLATIONS:
            print(f"\n{scenes[name].title}, {tessellation}")
            mine = measure(scenes[name], tessellation, options)
            print_rows(mine)
            rows += mine

    for path in (options.json, options.csv):
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)
    if options.json:
        options.json.write_text(json.dumps({"context": about, "rows": rows}, indent=1))
    if options.csv:
        write_csv(options.csv, rows, about)


if __name__ == "__main__":
    main()
