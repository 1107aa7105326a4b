# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""What a call of sim.step costs beyond the step in C++, in CPU time.

    PYTHONPATH=build/release/python .venv/bin/python bench/python/step_overhead.py

sim.step(data, nstep=n) loops in C++, n calls of sim.step(data) loop in Python; the difference per step is the price of
the call: arguments, GIL, report. mj_step's is measured the same way. Medians of alternating rounds.
"""

import statistics
import time

import mujoco

import patchfield as pf

ONE_JOINT = """<mujoco><worldbody><body><joint type="slide" axis="0 0 1"/><geom size=".1"/></body></worldbody></mujoco>"""
ROUNDS, STEPS = 21, 5000


def seconds(work):
    started = time.process_time()
    work()
    return (time.process_time() - started) / STEPS


def in_python(step):
    for _ in range(STEPS):
        step()


def main():
    print(f"{'model':16} {'call':22} {'in C++ µs':>10} {'from Python µs':>15} {'overhead µs':>12}")
    for name, model in (("one joint", mujoco.MjModel.from_xml_string(ONE_JOINT)), ("scene:box_on_plane", pf.load("scene:box_on_plane"))):
        data = mujoco.MjData(model)
        sim = pf.Simulation(model)
        calls = {
            "sim.step(data)": (lambda: sim.step(data, STEPS), lambda: in_python(lambda: sim.step(data))),
            "mj_step(model, data)": (lambda: mujoco.mj_step(model, data, STEPS), lambda: in_python(lambda: mujoco.mj_step(model, data))),
        }
        for call, (inside, outside) in calls.items():
            rounds = [(seconds(inside), seconds(outside)) for _ in range(ROUNDS)]
            cpp, python = (1e6 * statistics.median(column) for column in zip(*rounds))
            print(f"{name:16} {call:22} {cpp:10.2f} {python:15.2f} {python - cpp:12.2f}")


if __name__ == "__main__":
    main()
