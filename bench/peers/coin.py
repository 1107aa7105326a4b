#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""The sliding and spinning coin, Drake and Patchfield side by side, from one run.

Time per step and error against a reference, for TAMSI and Lagged: fan of 152 triangles, δt 1 ms, ε₀ = 1 at 1 m/s. One
thread, process CPU time, alternating rounds. The error is that of docs/coin.md: v and ωR every 10 ms for 0.3 s,
relative, against the same system's own run with δt = 0.02 ms (times 50/49: the error left in the reference itself).

    python3 bench/peers/coin.py --json out/peers/coin.json

Our side is `patchfield reproduce coin --time SECONDS`.
"""

import argparse
import json
import logging
import math
import statistics
import subprocess
import sys
import time
from pathlib import Path

from common import BUILD, context, enter_venv

OURS = BUILD / "apps" / "cli" / "patchfield"

RADIUS, THICKNESS, MASS = 12.13e-3, 1.75e-3, 5.67e-3
MU, MODULUS, SEGMENTS, GRAVITY = 0.2, 1e9, 152, 9.81
EPS0, SPEED, DURATION, EVERY = 1.0, 1.0, 0.3, 0.01


def drake_simulator(solver, dt):
    """The coin at its static penetration, sliding along x and spinning about z."""
    import numpy as np
    from pydrake.geometry import (
        AddCompliantHydroelasticProperties,
        AddContactMaterial,
        AddRigidHydroelasticProperties,
        Cylinder,
        HalfSpace,
        ProximityProperties,
    )
    from pydrake.math import RigidTransform
    from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
    from pydrake.multibody.tree import SpatialInertia, UnitInertia
    from pydrake.multibody.math import SpatialVelocity
    from pydrake.systems.analysis import Simulator
    from pydrake.systems.framework import DiagramBuilder

    builder = DiagramBuilder()
    config = MultibodyPlantConfig(
        time_step=dt, contact_model="hydroelastic", discrete_contact_approximation=solver,
        contact_surface_representation="polygon",
    )
    plant, _ = AddMultibodyPlant(config, builder)
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -GRAVITY])
    inertia = UnitInertia.SolidCylinder(RADIUS, THICKNESS, np.array([0.0, 0.0, 1.0]))
    body = plant.AddRigidBody("coin", SpatialInertia(MASS, np.zeros(3), inertia))

    def properties(add):
        p = ProximityProperties()
        add(p)
        AddContactMaterial(dissipation=50.0, friction=CoulombFriction(MU, MU), properties=p)
        p.AddProperty("material", "relaxation_time", 0.0)
        return p

    hint = 2 * math.pi * RADIUS / (SEGMENTS - 0.5)
    soft = properties(lambda p: AddCompliantHydroelasticProperties(hint, MODULUS, p))
    soft.AddProperty("hydroelastic", "margin", 0.0)
    rigid = properties(AddRigidHydroelasticProperties)
    plant.RegisterCollisionGeometry(body, RigidTransform(), Cylinder(RADIUS, THICKNESS), "coin", soft)
    plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), HalfSpace(), "floor", rigid)
    plant.Finalize()
    diagram = builder.Build()
    simulator = Simulator(diagram)
    state = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    area = 0.5 * SEGMENTS * RADIUS**2 * math.sin(2 * math.pi / SEGMENTS)
    depth = MASS * GRAVITY * 0.5 * THICKNESS / (MODULUS * area)
    plant.SetFreeBodyPose(state, body, RigidTransform([0, 0, 0.5 * THICKNESS - depth]))
    wR = SPEED / math.hypot(EPS0, 1.0)
    plant.SetFreeBodySpatialVelocity(
        context=state, body=body, V_JpJc=SpatialVelocity([0, 0, wR / RADIUS], [EPS0 * wR, 0, 0]))
    simulator.Initialize()
    return simulator, plant, body


def drake_record(solver, dt):
    """v and ωR every EVERY seconds, and CPU seconds per step."""
    simulator, plant, body = drake_simulator(solver, dt)
    record, cpu = [], 0.0
    for i in range(1, round(DURATION / EVERY) + 1):
        start = time.process_time()
        simulator.AdvanceTo(i * EVERY)
        cpu += time.process_time() - start
        velocity = plant.EvalBodySpatialVelocityInWorld(
            plant.GetMyContextFromRoot(simulator.get_context()), body)
        v, w = velocity.translational(), velocity.rotational()
        record.append((math.hypot(v[0], v[1]), abs(w[2]) * RADIUS))
    return record, cpu / round(DURATION / dt)


def relative_difference(record, reference):
    square = sum((a - b) ** 2 for r, s in zip(record, reference) for a, b in zip(r, s))
    return math.sqrt(square / sum(b * b for s in reference for b in s))


def drake_error(solver):
    fine = 2e-5
    reference, _ = drake_record(solver, fine)
    record, _ = drake_record(solver, 1e-3)
    return relative_difference(record, reference) * 50 / 49


def ours(seconds):
    run = subprocess.run([OURS, "reproduce", "coin", "--time", str(seconds)], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"peers: {run.stderr.strip()}")
    return json.loads(run.stdout)


def main():
    parser = argparse.ArgumentParser(description="The coin: Drake and Patchfield side by side.")
    parser.add_argument("--json", type=Path, help="write all numbers to this file")
    parser.add_argument("--rounds", type=int, default=5, help="alternating rounds (the median is shown)")
    options = parser.parse_args()
    enter_venv()
    if not OURS.exists():
        sys.exit(f"peers: {OURS} is not built; run make build first")
    logging.getLogger("drake").setLevel(logging.ERROR)  # TAMSI is deprecated there
    about = context()
    print("  ".join(f"{key}: {value}" for key, value in about.items()))
    rounds = []
    for _ in range(options.rounds):
        mine = ours(0.5)
        rounds.append({s: {"drake": 1e6 * drake_record(s, 1e-3)[1], "ours": mine[s]["us_per_step"]}
                       for s in ("tamsi", "lagged")})
    print(f"{'':>8} {'µs per step':^21} {'':>7}  {'error at 1 ms':^21}")
    print(f"{'':>8} {'Drake':>10} {'ours':>10} {'ratio':>7}  {'Drake':>10} {'ours':>10}")
    result = {"context": about}
    for s in ("tamsi", "lagged"):
        d, o = (statistics.median(r[s][side] for r in rounds) for side in ("drake", "ours"))
        ratio = statistics.median(r[s]["drake"] / r[s]["ours"] for r in rounds)
        result[s] = {"us_drake": d, "us_ours": o, "ratio": ratio,
                     "error_drake": drake_error(s), "error_ours": mine[s]["error"]}
        print(f"{s:>8} {d:>10.1f} {o:>10.1f} {ratio:>7.1f}  {result[s]['error_drake']:>10.2e} {mine[s]['error']:>10.2e}",
              flush=True)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
