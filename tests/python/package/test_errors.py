# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""What cannot be used raises an exception of the right class with a text that helps; nothing crashes."""

import math

import mujoco
import numpy as np
import pytest
from helpers import CUBE, cube, run_python, state

import patchfield as pf

ball = pf.Compliant(pf.Sphere(0.05), 1e6)
I4 = np.eye(4)


def test_input_error_is_a_value_error():
    assert issubclass(pf.InputError, ValueError)


@pytest.mark.parametrize("call", [
    lambda sim: sim.step(None),
    lambda sim: sim.step(sim.model),
    lambda sim: sim.step(np.zeros(3)),
    lambda sim: sim.step(mujoco.MjData(sim.model), "two"),
    lambda sim: pf.Simulation(None),
    lambda sim: pf.Simulation("model.xml"),
    lambda sim: pf.Simulation(mujoco.MjData(sim.model)),
    lambda sim: pf.Simulation(sim.model, time_step="1e-3"),
    lambda sim: pf.Simulation(sim.model, compliance={"cube": 1e5}),
    lambda sim: pf.Simulation(sim.model, compliance=["cube"]),
    lambda sim: pf.Simulation(sim.model, no_such_option=1),
    lambda sim: pf.Sphere("big"),
    lambda sim: pf.Compliant(pf.Sphere(1), "soft"),
    lambda sim: pf.ConvexHull([["a", "b", "c"]]),
    lambda sim: pf.contact_surface(ball, I4, pf.Sphere(1), I4),
    lambda sim: pf.contact_surface(ball, None, ball, I4),
    lambda sim: pf.taxels(sim, "cube", "grid"),
    lambda sim: pf.taxels(None, "cube", (4, 4)),
    lambda sim: pf.load(3),
    lambda sim: pf.plot_patch("patch"),
])
def test_wrong_types(call):
    _, data, sim = cube()
    sim.step(data)
    with pytest.raises(TypeError):
        call(sim)


def rotated(angle):
    X = np.eye(4)
    X[:2, :2] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    return X


@pytest.mark.parametrize(("call", "text"), [
    (lambda s: pf.Simulation(s.model, solver="newton"), 'solver="newton": choose one of "tamsi", "sap", "lagged"'),
    (lambda s: pf.Simulation(s.model, tessellation="quad"), '"polygon", "triangle"'),
    (lambda s: pf.Simulation(s.model, quadrature="gauss"), '"moments"'),
    (lambda s: pf.Simulation(s.model, rigid_rigid="glue"), '"point"'),
    (lambda s: pf.Simulation(s.model, time_step=0), "above 0"),
    (lambda s: pf.Simulation(s.model, time_step=-1e-3), "above 0"),
    (lambda s: pf.Simulation(s.model, time_step=math.nan), "above 0"),
    (lambda s: pf.Simulation(s.model, time_step=5.0), "up to 1"),
    (lambda s: pf.Simulation(s.model, threads=0), "threads = 0"),
    (lambda s: pf.Simulation(s.model, max_face_size=-1.0), "max_face_size"),
    (lambda s: pf.Simulation(s.model, compliance={"pad": pf.Compliant(1e5)}), 'no geom named "pad".*cube'),
    (lambda s: pf.Simulation(s.model, compliance={"cube": ball}), "leave it out"),
    (lambda s: pf.Simulation(s.model, rigid_rigid="error"), "both rigid"),
    (lambda s: pf.Compliant(-1.0), "modulus = -1"),
    (lambda s: pf.Compliant(math.nan), "modulus"),
    (lambda s: pf.Compliant(1e5, margin=-1.0), "margin"),
    (lambda s: pf.Rigid(mu=-0.5), "mu"),
    (lambda s: pf.Compliant(pf.Sphere(0.0)), "radius"),
    (lambda s: pf.Compliant(pf.Box(1, 1, math.inf)), "box"),
    (lambda s: pf.ConvexHull([[0, 0, 0], [1, 0, math.nan]]), "number 5 is nan"),
    (lambda s: pf.ConvexHull(np.zeros((4, 2))), r"shape \(4, 2\); give \(n, 3\)"),
    (lambda s: pf.ConvexHull(5.0), "dimensions"),
    (lambda s: pf.TriangleMesh(np.eye(3), [[0, 1, 7]]), "7"),
    (lambda s: pf.TriangleMesh(np.eye(3), [[0, 1, 0.5]]), "indices"),
    (lambda s: pf.TetMesh(np.eye(3), [[0, 1, 2]]), r"\(n, 4\)"),
    (lambda s: pf.contact_surface(pf.Compliant(1e5), I4, ball, I4), "no shape"),
    (lambda s: pf.contact_surface(pf.Rigid(pf.Sphere(1)), I4, pf.Rigid(pf.Sphere(1)), I4), "both bodies are rigid"),
    (lambda s: pf.contact_surface(ball, np.eye(3), ball, I4), r"X_WA: an array of shape \(3, 3\)"),
    (lambda s: pf.contact_surface(ball, I4, ball, 2 * I4), "X_WB.*last row|X_WB.*rotation"),
    (lambda s: pf.contact_surface(ball, I4, ball, np.diag([1, 1, -1, 1])), "rotation"),
    (lambda s: pf.contact_surface(ball, I4, ball, I4 * math.nan), "X_WB: number 0 is nan"),
    (lambda s: pf.contact_surface(ball, I4, ball, (rotated(0.1) + 0.5 * np.eye(4, k=3)).T), "transposed"),
    (lambda s: s.rollout(np.zeros((2, 3)), nstep=1), "full physics state of this model has"),
    (lambda s: s.rollout(np.zeros((2, 14))), "nstep"),
    (lambda s: s.rollout(np.full((2, 14), math.nan), nstep=1), "rollout 0 is nan"),
    (lambda s: s.rollout(np.zeros((2, 14)), np.zeros((2, 5, 3))), "model.nu"),
    (lambda s: s.rollout(np.zeros((2, 14)), np.zeros((3, 5, 0))), "as many of both"),
    (lambda s: s.rollout(np.zeros((2, 14)), nstep=1, threads=0), "threads"),
    (lambda s: pf.taxels(s, "pad", (4, 4)), 'no geom named "pad"'),
    (lambda s: pf.taxels(s, 7, (4, 4)), "geom 7"),
    (lambda s: pf.taxels(s, "cube", (0, 4)), "0 × 4"),
    (lambda s: pf.taxels(s, "floor", (4, 4)), "no end"),
    (lambda s: s.step(mujoco.MjData(s.model), 0), "nstep=0"),
    (lambda s: pf.load("scene:nonsense"), "the scenes are"),
])
def test_wrong_values(call, text):
    _, data, sim = cube()
    sim.step(data)
    with pytest.raises(pf.InputError, match=text):
        call(sim)


@pytest.mark.parametrize("field", ["qpos", "qvel", "qfrc_applied", "xfrc_applied"])
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_bad_state_is_named_and_left_alone(field, value):
    model, data, sim = cube()
    getattr(data, field).flat[4] = value
    before = state(model, data)
    with pytest.raises(pf.InputError, match=rf"{field}\[4\] = .* is not finite. Nothing was stepped"):
        sim.step(data)
    assert np.array_equal(state(model, data), before, equal_nan=True)
    mujoco.mj_resetData(model, data)
    sim.step(data)
    assert data.time > 0


def test_data_of_another_model():
    _, _, sim = cube()
    other = mujoco.MjData(pf.load("scene:stack"))
    with pytest.raises(pf.InputError, match="belongs to another model"):
        sim.step(other)


def test_copies_of_a_model_are_the_same_model():
    import copy

    model, data, sim = cube()
    twin = copy.deepcopy(data)
    sim.step(data, 10)
    sim.step(twin, 10)
    assert np.array_equal(state(model, data), state(model, twin))


def test_missing_and_broken_files(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere.xml"):
        pf.load(tmp_path / "nowhere.xml")
    broken = tmp_path / "broken.xml"
    broken.write_text("<mujoco><worldbody><body></worldbody></mujoco>")
    with pytest.raises(ValueError):
        pf.load(broken)
    odd = tmp_path / "model.txt"
    odd.write_text("")
    with pytest.raises(pf.InputError, match="model.txt"):
        pf.load(odd)


def test_bad_text_in_a_model():
    model = mujoco.MjModel.from_xml_string(CUBE.replace(
        "<sensor>", '<custom><text name="patchfield:cube" data="compliant modulus=-3"/></custom><sensor>'))
    with pytest.raises(pf.InputError, match='patchfield:cube.*modulus'):
        pf.Simulation(model)


def test_another_version_of_mujoco_is_refused():
    text = run_python("""
import mujoco
mujoco.__version__ = "3.1.0"
try:
    import patchfield
except ImportError as error:
    print(error)
""")
    assert "was built for mujoco" in text and "mujoco 3.1.0 is installed" in text and "pip install mujoco==" in text


@pytest.mark.parametrize("option, bad", [("stiction_speed", 0.0), ("sigma", -1.0), ("beta", math.nan),
                                         ("max_iterations", 0), ("lag_iterations", -1)])
def test_solver_options_are_checked_when_a_simulation_is_made(option, bad):
    options = pf.SolverOptions()
    setattr(options, option, bad)
    with pytest.raises(pf.InputError, match=f"solver option {option} = .*usual"):
        cube(solver=options)
