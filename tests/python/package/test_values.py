# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Shapes, bodies, options and simulations are values: printed, compared, copied, pickled."""

import copy
import pickle

import mujoco
import numpy as np
import pytest

import patchfield as pf
from helpers import cube

TRIANGLES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
VALUES = [
    (lambda: pf.Sphere(0.05), "Sphere(radius=0.05)"),
    (lambda: pf.Box(1, 2, 3), "Box(x=1, y=2, z=3)"),
    (lambda: pf.Cylinder(0.1, 0.2), "Cylinder(radius=0.1, length=0.2)"),
    (lambda: pf.Capsule(0.1, 0.2), "Capsule(radius=0.1, length=0.2)"),
    (lambda: pf.Ellipsoid(1, 2, 3), "Ellipsoid(a=1, b=2, c=3)"),
    (lambda: pf.HalfSpace(), "HalfSpace()"),
    (lambda: pf.TriangleMesh(CORNERS, TRIANGLES), "TriangleMesh(vertices=<4 × 3>, triangles=<4 × 3>)"),
    (lambda: pf.TetMesh(CORNERS, [[0, 1, 2, 3]]), "TetMesh(vertices=<4 × 3>, tets=<1 × 4>)"),
    (lambda: pf.ConvexHull(CORNERS), "ConvexHull(points=<4 × 3>)"),
    (lambda: pf.Compliant(1e5, mu=0.8, hull=True), "Compliant(modulus=100000, mu=0.8, hull=True)"),
    (lambda: pf.Rigid(mu=0.25), "Rigid(mu=0.25)"),
    (lambda: pf.Rigid(), "Rigid()"),
    (lambda: pf.Compliant(pf.Sphere(0.05), 1e6, resolution=0.02),
     "Compliant(Sphere(radius=0.05), modulus=1e+06, margin=0, slab_thickness=1, resolution=0.02)"),
    (lambda: pf.Rigid(pf.Box(1, 1, 1)), "Rigid(Box(x=1, y=1, z=1))"),
]


@pytest.mark.parametrize("make, text", VALUES, ids=[text for _, text in VALUES])
def test_a_value(make, text):
    value = make()
    assert repr(value) == text and value == make() and hash(value) == hash(make())
    assert value != pf.Sphere(0.07) and value != text
    for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert again == value and again is not value


def test_solver_options():
    options = pf.SolverOptions("tamsi", max_iterations=50, stiction_speed=1e-4)
    assert options.kind == "tamsi" and options.max_iterations == 50 and "stiction_speed=0.0001" in repr(options)
    again = pickle.loads(pickle.dumps(options))
    assert again == options and again != pf.SolverOptions()
    again.kind = "sap"
    assert options.kind == "tamsi"
    with pytest.raises(TypeError, match="iterations"):
        pf.SolverOptions(iterations=3)
    with pytest.raises(TypeError):
        hash(options)


def test_a_simulation_is_its_model_and_options():
    model, data, sim = cube(time_step=1e-3, solver="tamsi", contacts="data", compliance={"cube": pf.Compliant(2e6, mu=0.4)})
    again = pickle.loads(pickle.dumps(sim))
    assert again.options == sim.options and again.time_step == 1e-3 and again.is_compliant("cube")
    assert sim.options["compliance"] == {1: pf.Compliant(2e6, mu=0.4)}
    other = mujoco.MjData(again.model)
    for _ in range(20):
        sim.step(data)
        again.step(other)
    assert np.array_equal(data.qpos, other.qpos)
    assert copy.deepcopy(sim).options == sim.options and copy.copy(sim).model is sim.model
    assert repr(sim).startswith("Simulation(1 bodies, 6 dofs, solver='tamsi', time_step=0.001")


def test_reports_have_the_times_of_the_stages():
    _, data, sim = cube()
    report = sim.step(data)
    assert set(report.times) == {"dynamics", "geometry", "assembly", "solver", "output"}
    assert sum(report.times.values()) == pytest.approx(report.seconds)


def test_a_rollout_counts_what_went_wrong():
    model, data, sim = cube()
    state = np.empty(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
    mujoco.mj_getState(model, data, state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    sim.rollout(state, nstep=5)
    assert sim.rollout_report == {"diverged": 0, "unconverged": 0}
    model.body_mass[1] = np.nan
    with pytest.raises(pf.InputError, match="body_mass"):
        sim.rollout(state, nstep=5)
