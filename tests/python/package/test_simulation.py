# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""sim.step in place of mj_step: MuJoCo's inputs and outputs, and the same bits as the command line program."""

import os
import subprocess
import sys

import mujoco
import numpy as np
import pytest
from helpers import GRAVITY, cube, state

import patchfield as pf


def test_rests_with_the_weight_on_the_patch():
    model, data, sim = cube()
    for _ in range(500):
        report = sim.step(data)
    assert data.time == pytest.approx(1.0)
    assert report.patches == 1 and report.point_contacts == 0 and report.solver.converged
    assert data.ncon == 0
    (patch,) = sim.patches
    assert patch.names == ("floor", "cube")
    assert patch.force == pytest.approx([0, 0, GRAVITY], abs=1e-3)
    assert patch.area == pytest.approx(0.01, rel=0.02)
    assert patch.cop[:2] == pytest.approx([0, 0], abs=1e-4)
    # what MuJoCo's users read
    assert data.qfrc_constraint[2] == pytest.approx(GRAVITY, abs=1e-3)
    assert data.cfrc_ext[1, 5] == pytest.approx(GRAVITY, abs=1e-3)
    assert data.sensordata[0] == pytest.approx(GRAVITY, abs=1e-3), "touch"
    assert data.sensordata[3] == pytest.approx(GRAVITY, abs=1e-3), "accelerometer at rest"


def test_faces_sum_to_the_patch():
    model, data, sim = cube()
    sim.step(data, 100)
    (patch,) = sim.patches
    assert (patch.traction * patch.face_area[:, None]).sum(axis=0) == pytest.approx(patch.force, rel=1e-9)
    assert patch.face_area.sum() == pytest.approx(patch.area)
    assert patch.normal_traction @ patch.face_area == pytest.approx(patch.normal_force)
    assert patch.face_offsets[0] == 0 and patch.face_offsets[-1] == len(patch.vertices) == len(patch.vertex_pressure)
    assert len(patch.face_offsets) == patch.num_faces + 1
    for row in range(patch.num_faces):
        corners = patch.vertices[patch.face_offsets[row] : patch.face_offsets[row + 1]]
        area = 0.5 * sum(np.cross(corners[i] - corners[0], corners[i + 1] - corners[0]) for i in range(1, len(corners) - 1))
        assert area == pytest.approx(patch.face_area[row] * patch.normal[row], abs=1e-12), "counter-clockwise about n̂"
    assert patch.slip.shape == patch.friction.shape == patch.centroid.shape == (patch.num_faces, 3)
    assert patch.sticks.dtype == bool
    assert not patch.pressure.flags.writeable


@pytest.mark.parametrize("solver", ["tamsi", "sap", "lagged"])
def test_same_bits_as_the_command_line(solver, tmp_path):
    log_file = tmp_path / "log.npz"
    subprocess.run(
        [sys.executable, "-m", "patchfield", "run", "scene:bubbles", "--duration", "0.2", "--time-step", "2e-3",
         "--solver", solver, "--log", str(log_file), "--quiet"], check=True)
    log = np.load(log_file)
    model = pf.load("scene:bubbles")
    data = mujoco.MjData(model)
    sim = pf.Simulation(model, time_step=2e-3, solver=solver)
    for i in range(100):
        assert np.array_equal(log["qpos"][i], data.qpos) and np.array_equal(log["qvel"][i], data.qvel), i
        sim.step(data)
        faces = slice(*log["patch_face_start"][log["step_patch_start"][i : i + 2]])
        assert np.array_equal(log["face_pressure"][faces], np.concatenate([[], *(p.pressure for p in sim.patches)])), i
        assert np.array_equal(log["face_friction"][faces], np.concatenate([np.empty((0, 3)), *(p.friction for p in sim.patches)]))
    assert np.array_equal(log["qpos"][100], data.qpos)


def test_inputs_are_mujocos():
    model, data, sim = cube()
    mujoco.mj_resetDataKeyframe(model, data, 0)
    sim.step(data)
    assert data.qpos[2] == pytest.approx(0.3, abs=1e-4)
    data.xfrc_applied[1, 2] = GRAVITY
    data.qvel[:] = 0
    height = data.qpos[2]
    sim.step(data, 50)
    assert data.qpos[2] == pytest.approx(height, abs=1e-12), "held by xfrc_applied"
    data.xfrc_applied[:] = 0
    data.qfrc_applied[0] = 2.0
    sim.step(data)
    assert data.qvel[0] == pytest.approx(2.0 * 0.002)
    mujoco.mj_resetData(model, data)
    assert data.time == 0.0
    sim.step(data, 100)
    fresh = mujoco.MjData(model)
    sim.step(fresh, 100)
    assert np.array_equal(state(model, data), state(model, fresh)), "reset starts the same run again"


def test_controls_drive_servos():
    model = pf.load("scene:bubbles")
    data = mujoco.MjData(model)
    sim = pf.Simulation(model, time_step=2e-3)
    data.ctrl[:] = model.actuator_ctrlrange[:, 0] if model.actuator_ctrllimited.any() else 0.01
    sim.step(data, 20)
    assert np.any(data.actuator_force != 0.0)


def test_nstep_is_that_many_steps():
    model, one, sim = cube()
    many = mujoco.MjData(model)
    one.qvel[3] = many.qvel[3] = 1.0
    for _ in range(30):
        sim.step(one)
    sim.step(many, nstep=30)
    assert np.array_equal(state(model, one), state(model, many))


def test_time_step_is_the_models_unless_said():
    model, data, sim = cube()
    assert sim.time_step == 0.002
    model.opt.timestep = 0.004
    assert sim.time_step == 0.004
    sim.step(data)
    assert data.time == 0.004
    sim.time_step = 1e-3
    sim.step(data)
    assert data.time == pytest.approx(0.005)
    assert model.opt.timestep == 0.004, "the model is not changed"


def test_accuracy_takes_as_many_steps_as_needed():
    model = pf.load("scene:clutter:9")
    sim, data = pf.Simulation(model, time_step=0.02, accuracy=1e-3), mujoco.MjData(model)
    reports = [sim.step(data) for _ in range(20)]
    assert sim.accuracy == 1e-3
    assert data.time == pytest.approx(0.4, abs=1e-12)
    assert max(r.steps for r in reports) > 1 and sum(r.rejected_steps for r in reports) > 0
    assert max(r.largest_error for r in reports) <= 1e-3
    assert all(1e-5 <= r.smallest_step <= 0.02 for r in reports)
    for options, words in (
        ({"accuracy": -1}, "accuracy = -1: give metres above 0"),
        ({"accuracy": 1e-3, "min_step": 0}, "min_step = 0: give seconds above 0"),
        ({"accuracy": 1e-3, "max_step": 1e-6}, "max_step = 1e-06: give seconds from min_step"),
    ):
        with pytest.raises(ValueError, match=words):
            pf.Simulation(model, **options)


def test_compliance_wins_over_the_models_texts():
    model = pf.load("scene:box_on_plane")
    name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_GEOM, model.ngeom - 1)
    soft = pf.Simulation(model, compliance={name: pf.Compliant(1e5)})
    rigid = pf.Simulation(model, compliance={name: pf.Rigid(mu=0.3)})
    assert soft.is_compliant(name) and not rigid.is_compliant(name)
    data = mujoco.MjData(model)
    assert rigid.step(data).patches == 0 and data.ncon > 0, "two rigid geoms meet by MuJoCo's points"
    data = mujoco.MjData(model)
    soft.step(data, 500)
    assert data.qpos[2] < 0.05 - 9.81 / (1e5 * 0.01 / 0.05) * 0.5, "sinks in by about weight over stiffness"


def test_solver_options_reach_the_solver():
    options = pf.SolverOptions("sap")
    options.max_iterations = 1
    options.relative_tolerance = 1e-14
    model, data, sim = cube(solver=options)
    assert sim.solver.kind == "sap" and sim.solver.max_iterations == 1
    data.qvel[2] = -2.0
    statuses = {sim.step(data).solver.status for _ in range(5)}
    assert statuses - {"converged"}, statuses


RENDER = """
import mujoco, numpy as np, patchfield as pf
model = pf.load("scene:stack")
data = mujoco.MjData(model)
sim = pf.Simulation(model)
try:
    renderer = mujoco.Renderer(model, 48, 64)
except Exception as error:
    print("cannot:", error)
else:
    with renderer:
        renderer.update_scene(data)
        before = renderer.render().copy()
        data.qvel[2::6] = 1.0
        sim.step(data, 50)
        renderer.update_scene(data)
        print("pixels that changed:", np.any(renderer.render() != before, axis=2).sum())
"""


def test_renderer_draws_what_was_stepped():
    done = subprocess.run([sys.executable, "-c", RENDER], env={**os.environ, "MUJOCO_GL": "egl"}, capture_output=True, text=True)
    if done.returncode != 0 or done.stdout.startswith("cannot"):
        pytest.skip(f"no OpenGL here: {done.stdout or done.stderr.splitlines()[-1]}")
    assert int(done.stdout.split(":")[1]) > 100


def test_warnings_are_python_warnings():
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/><body pos="0 0 .1"><freejoint/>
        <geom name="cube" type="box" size=".1 .1 .1"/></body></worldbody></mujoco>""")
    with pytest.warns(UserWarning, match="resolution has no effect on a box"):
        sim = pf.Simulation(model, compliance={"cube": pf.Compliant(1e6, resolution=0.01)})
    assert len(sim.warnings) == 1


def test_patches_are_those_of_the_last_step():
    model, data, sim = cube()
    assert sim.patches == []
    sim.step(data, 100)
    before = sim.patches[0]
    force = before.force.copy()
    data.xfrc_applied[1, 2] = -5.0
    sim.step(data, 100)
    assert sim.patches[0].force[2] == pytest.approx(GRAVITY + 5.0, abs=1e-2)
    assert np.array_equal(before.force, force), "an older patch keeps its numbers"
