# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Objects may die in any order, arrays may outlive them all, and memory stays flat."""

import gc
import itertools
from pathlib import Path

import mujoco
import numpy as np
import pytest
from helpers import cube, run_python

import patchfield as pf


@pytest.mark.parametrize("order", list(itertools.permutations(["model", "data", "sim", "patches"])), ids="-".join)
def test_any_order_of_death(order):
    model, data, sim = cube()
    sim.step(data, 20)
    alive = {"model": model, "data": data, "sim": sim, "patches": sim.patches}
    pressure, force = alive["patches"][0].pressure, alive["patches"][0].force
    expected = pressure.copy()
    del model, data, sim
    for name in order:
        del alive[name]
        gc.collect()
    # Memory that was given back would soon be someone else's.
    _ = [np.full(n, -1.0) for n in range(1, 2000)]
    assert np.array_equal(pressure, expected)
    assert force[2] > 0


def test_simulation_keeps_its_model():
    model, data, sim = cube()
    del model
    gc.collect()
    sim.step(data, 10)
    assert isinstance(sim.model, mujoco.MjModel) and sim.model.ngeom == 2


def test_surface_arrays_outlive_the_surface():
    X = np.eye(4)
    X[2, 3] = 0.048
    surface = pf.contact_surface(pf.Rigid(pf.HalfSpace()), np.eye(4), pf.Compliant(pf.Sphere(0.05), 1e6), X)
    pressure, expected = surface.pressure, surface.pressure.copy()
    del surface
    gc.collect()
    _ = [np.full(n, -1.0) for n in range(1, 2000)]
    assert np.array_equal(pressure, expected)


def test_data_may_die_between_steps():
    model, data, sim = cube()
    for _ in range(20):
        sim.step(data)
        data = mujoco.MjData(model)
        gc.collect()
    assert len(sim.patches) == 1


EXIT = """
import mujoco, patchfield as pf
model = pf.load("scene:stack")
data = mujoco.MjData(model)
sim = pf.Simulation(model, threads=2)
sim.step(data, 5)
patches = sim.patches
kept = patches[0].pressure
sim.itself = None if not hasattr(sim, "__dict__") else sim
class Node: pass
node = Node(); node.me = node; node.all = (sim, data, model, patches, kept)  # a cycle that only the end breaks
print("end")
"""


def test_interpreter_exit_is_quiet():
    assert run_python(EXIT.replace('sim.itself = None if not hasattr(sim, "__dict__") else sim\n', "")) == "end\n"


def test_exit_while_a_thread_steps():
    run_python("""
import threading, time, mujoco, patchfield as pf
model = pf.load("scene:stack")
sim = pf.Simulation(model)
def forever():
    data = mujoco.MjData(model)
    while True:
        sim.step(data)
threading.Thread(target=forever, daemon=True).start()
time.sleep(0.2)
""")


def test_memory_is_flat_over_many_steps():
    """bench/python/memory.py takes a million; these are enough to see 20 bytes a step."""
    folder = Path(__file__).resolve().parents[3] / "bench" / "python"
    (grown,) = eval(run_python(f"import sys; sys.path.insert(0, {str(folder)!r}); import memory; print(memory.growth(40000))"))
    assert grown < 800, f"{grown} kB"
