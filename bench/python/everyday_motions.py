#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Things that roll, slide, spin and tumble, with both pressure laws, beside what mechanics says.

    PYTHONPATH=build/release/python .venv/bin/python bench/python/everyday_motions.py [--json FILE] [--plot docs/convected.svg]
"""

import argparse
import json
import warnings

import mujoco
import numpy as np

import patchfield as pf

GRAVITY = 9.81
LAWS = ("paper", "convected")


def model(body, inside, texts, floor='<geom name="floor" type="plane" size="5 5 .1"/>'):
    custom = "".join(f'<text name="patchfield:{name}" data="{data}"/>' for name, data in texts.items())
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler angle="degree"/><worldbody>{floor}<body {body}><freejoint/>{inside}</body></worldbody>'
        f"<custom>{custom}</custom></mujoco>"
    )


def run(m, dt, duration, law, solver="lagged", start=None, look=None):
    """Steps and returns the data and what `look` saw after each step."""
    data = mujoco.MjData(m)
    sim = pf.Simulation(m, dt, solver, pressure_rate=law)
    if start:
        start(data)
    seen = []
    for _ in range(round(duration / dt)):
        sim.step(data)
        if look:
            seen.append(look(m, data))
    return data, np.array(seen)


def rolling_ball(dt, law, solver="lagged"):
    """Speed after half a second over that at the start; 1 without dissipation."""
    texts = {"b": "compliant modulus=1e7 resolution=0.003 mu=.8 hunt_crossley=0", "floor": "rigid mu=.8"}
    m = model('pos="0 0 .0496"', '<geom name="b" type="sphere" size=".05" mass=".5"/>', texts)

    def start(data):
        data.qvel[0], data.qvel[4] = 0.5, 10.0

    _, speed = run(m, dt, 0.5, law, solver, start, lambda _, data: data.qvel[0])
    return speed / 0.5


def rolling_cylinder(dt, law, solver="lagged"):
    texts = {"b": "compliant modulus=1e7 resolution=0.001 mu=.8 hunt_crossley=0", "floor": "rigid mu=.8"}
    m = model('pos="0 0 .04993" euler="90 0 0"', '<geom name="b" type="cylinder" size=".05 .05" mass=".5"/>', texts)

    def start(data):
        data.qvel[0], data.qvel[5] = 0.5, -10.0

    return run(m, dt, 0.5, law, solver, start)[0].qvel[0] / 0.5


def soft_block(dt, law, solver="lagged", modulus=1e8):
    """Deceleration of a soft block that slides at 1 m/s on a soft box, over μg; default dissipation and margin."""
    soft = f"compliant modulus={modulus} mu=.5"
    m = model(
        'pos="0 0 .05"',
        '<geom name="b" type="box" size=".05 .05 .05" mass="1"/>',
        {"b": soft, "floor": soft},
        '<geom name="floor" type="box" size="5 5 .1" pos="0 0 -.1"/>',
    )
    data = mujoco.MjData(m)
    sim = pf.Simulation(m, dt, solver, pressure_rate=law)
    sim.step(data, nstep=round(0.3 / dt))
    data.qvel[0] = 1.0
    sim.step(data, nstep=round(0.1 / dt))
    return (1.0 - data.qvel[0]) / 0.1 / (0.5 * GRAVITY)


def tippe_top(dt, law, solver="lagged"):
    """When a ball with its mass 4 mm below its centre has turned over [s]; NaN if not within 3 s."""
    inside = (
        '<inertial pos="0 0 -.004" mass=".02" diaginertia="3.2e-6 3.2e-6 3.2e-6"/>'
        '<geom name="b" type="sphere" size=".02"/>'
    )
    m = model('pos="0 0 .02" euler="6 0 0"', inside, {"b": "compliant mu=.4 hunt_crossley=1", "floor": "rigid mu=.4"})

    def start(data):
        data.qvel[5] = 150.0

    _, cosine = run(m, dt, 3.0, law, solver, start, lambda _, data: data.xmat[1][8])
    return float(np.argmax(cosine < -0.9) * dt) if (cosine < -0.9).any() else float("nan")


def rattleback(dt, law, solver="lagged"):
    """Largest spin back of a boat that was spun the wrong way at 5 rad/s [rad/s]."""
    a, b, c, mass = 0.1, 0.02, 0.015, 0.2
    inertia = f"{mass / 5 * (b * b + c * c)} {mass / 5 * (a * a + c * c)} {mass / 5 * (a * a + b * b)}"
    inside = (
        f'<inertial pos="0 0 0" euler="0 0 8" mass="{mass}" diaginertia="{inertia}"/>'
        f'<geom name="b" type="ellipsoid" size="{a} {b} {c}"/>'
    )
    texts = {"b": "compliant modulus=1e8 resolution=0.002 mu=.3 hunt_crossley=0.1", "floor": "rigid mu=.3"}
    m = model(f'pos="0 0 {c}"', inside, texts)

    def start(data):
        data.qvel[5], data.qvel[4] = -5.0, 0.05

    return run(m, dt, 1.5, law, solver, start, lambda _, data: data.qvel[5])[1].max()


def eulers_disk(dt, law, solver="lagged"):
    """Rise of the energy over its running minimum, relative to the start."""
    radius, half, tilt = 0.0375, 0.006, np.radians(25)
    texts = {"b": "compliant modulus=1e8 resolution=0.004 mu=.6 hunt_crossley=0", "floor": "rigid mu=.6"}
    m = model(
        f'pos="0 0 {radius * np.sin(tilt) + half * np.cos(tilt)}" euler="0 25 0"',
        f'<geom name="b" type="cylinder" size="{radius} {half}" mass=".4"/>',
        texts,
    )

    def start(data):
        data.qvel[3] = -np.sqrt(4.0 * GRAVITY * np.sin(tilt) / radius)

    def energy(m, data):
        mujoco.mj_energyPos(m, data)
        mujoco.mj_energyVel(m, data)
        return data.energy.sum()

    _, e = run(m, dt, 3.0, law, solver, start, energy)
    return float(np.max(e - np.minimum.accumulate(e)) / e[0])


def thrown_box(dt, law, solver="lagged"):
    """How far a box thrown at 2 m/s has gone after 0.6 s [m]."""
    texts = {"b": "compliant modulus=1e7 mu=.5 hunt_crossley=5", "floor": "rigid mu=.5"}
    m = model('pos="0 0 .12" euler="10 15 0"', '<geom name="b" type="box" size=".1 .07 .05" mass="1"/>', texts)

    def start(data):
        data.qvel[:] = [2, 0.5, -1, 3, -2, 5]

    return run(m, dt, 0.6, law, solver, start)[0].qpos[0]


CASES = {
    "rolling ball, speed kept (1)": (lambda dt, law, s: rolling_ball(dt, law, s)[-1], (5e-4, 2e-3, 1e-2)),
    "rolling cylinder, speed kept (1)": (rolling_cylinder, (2e-3, 1e-2)),
    "soft block on soft ground, a/μg (1)": (soft_block, (1e-3, 2e-3, 1e-2)),
    "tippe top turned over [s]": (tippe_top, (1e-3, 2e-3, 5e-3)),
    "rattleback, spin back [rad/s]": (rattleback, (1e-3,)),
    "Euler's disk, energy rise (0)": (eulers_disk, (1e-3, 5e-3, 1e-2)),
    "thrown box [m] (0.2866 at 0.1 ms)": (thrown_box, (1e-3, 2e-3, 5e-3, 1e-2)),
}


def plot(path):
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    for law, style in zip(LAWS, ("--", "-")):
        for dt, colour in ((5e-4, "#7fb2d9"), (2e-3, "#2f78b7"), (1e-2, "#0c3c66")):
            speed = rolling_ball(dt, law)
            left.plot(np.arange(1, len(speed) + 1) * dt, speed, style, color=colour, label=f"{law}, {1e3 * dt:g} ms")
    left.set(xlabel="time [s]", ylabel="speed over speed at the start", title="A ball rolls, without dissipation", ylim=(0.6, 1.02))
    left.legend(fontsize=7)
    steps = (1e-3, 2e-3, 5e-3, 1e-2)
    for law, style in zip(LAWS, ("--", "-")):
        right.plot([1e3 * dt for dt in steps], [soft_block(dt, law) for dt in steps], style, marker="o", color="#2f78b7", label=law)
    right.axhline(1.0, color="#888", linewidth=0.8)
    right.set(xlabel="time step [ms]", ylabel="deceleration over μg", title="A soft block slides on soft ground", ylim=(0.8, 2.6))
    right.legend(fontsize=8)
    figure.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", help="also write the numbers to this file")
    parser.add_argument("--plot", metavar="FILE.svg", help="draw the ball and the block")
    parser.add_argument("--solver", default="lagged", choices=("lagged", "tamsi", "sap"))
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = []
    print(f"{'motion':<38}{'δt [ms]':>9}" + "".join(f"{law:>12}" for law in LAWS))
    for name, (measure, steps) in CASES.items():
        for dt in steps:
            values = {law: float(measure(dt, law, options.solver)) for law in LAWS}
            rows.append({"motion": name, "time_step": dt, **values})
            print(f"{name:<38}{1e3 * dt:>9g}" + "".join(f"{values[law]:>12.4g}" for law in LAWS), flush=True)
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"solver": options.solver, "rows": rows}, file, indent=1)
    if options.plot:
        plot(options.plot)
        print(options.plot)


if __name__ == "__main__":
    main()
