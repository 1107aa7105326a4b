# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Resident memory over a million steps, with patches, arrays, images and further MjDatas made on the way.

    PYTHONPATH=build/release/python .venv/bin/python bench/python/memory.py [steps]
"""

import resource
import sys

import mujoco

import patchfield as pf

MODEL = "scene:box_on_plane"


def resident_kb():
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize() // 1024


def work(sim, data, steps):
    for i in range(steps):
        sim.step(data)
        if i % 10 == 0:
            for patch in sim.patches:
                _ = patch.pressure, patch.traction, patch.vertices, patch.force, sim.report
        if i % 1000 == 0:
            sim.copy().step(mujoco.MjData(sim.model))
            pf.taxels(sim, patch.geom_B, (8, 8))


def growth(steps, parts=1, show=False):
    """kB after warming up, at the end of each part."""
    model = pf.load(MODEL)
    sim, data = pf.Simulation(model), mujoco.MjData(model)
    work(sim, data, 5000)
    before, grown = resident_kb(), []
    for part in range(parts):
        work(sim, data, steps // parts)
        grown.append(resident_kb() - before)
        if show:
            print(f"{(part + 1) * (steps // parts):9} steps: {before + grown[-1]} kB resident, {grown[-1]:+} kB", flush=True)
    return grown


if __name__ == "__main__":
    growth(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000, parts=10, show=True)
