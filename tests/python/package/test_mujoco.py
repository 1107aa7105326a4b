# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""A model without compliant geoms steps like MuJoCo to integration accuracy: both are first-order in the time step and
converge to the same motion, so their gap is as large as either's own error and halves with the step."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

import patchfield as pf

MACHINE = Path(__file__).with_name("machine.xml")


def controls(t):
    return np.array([0.4 * np.sin(3 * t), -0.5 + 0.3 * np.sin(2 * t), 0.2 * np.cos(t), 0.5 * np.sin(5 * t), 0.8 * np.cos(4 * t)])


def final_state(model, step, dt, duration=0.5):
    """(qpos, sensordata) at the end, controls held over each step."""
    data = mujoco.MjData(model)
    model.opt.timestep = dt
    for i in range(round(duration / dt)):
        data.ctrl[:] = controls(i * dt)
        step(model, data)
    return data.qpos.copy(), data.sensordata.copy()


@pytest.fixture(scope="module")
def machine():
    model = mujoco.MjModel.from_xml_path(str(MACHINE))
    sim = pf.Simulation(model)
    assert sim.warnings == []
    ours = lambda m, d: sim.step(d)  # noqa: E731
    reference = final_state(model, mujoco.mj_step, 2e-5)
    return model, ours, reference


def largest(x):
    return [np.abs(part).max() for part in x]


def test_converges_to_the_motion_of_mujoco(machine):
    """Twice the state of half the step minus that of the whole step cancels an error of first order."""
    model, ours, reference = machine
    whole, half = final_state(model, ours, 1e-3), final_state(model, ours, 5e-4)
    error = largest(w - r for w, r in zip(whole, reference))
    left = largest(2 * h - w - r for w, h, r in zip(whole, half, reference))
    assert error[0] < 5e-3, "of radians and metres at 1 ms"
    assert left[0] < error[0] / 50 and left[1] < error[1] / 10, (error, left)


def test_gap_halves_with_the_step(machine):
    model, ours, _ = machine

    def gap(dt):
        return largest(a - b for a, b in zip(final_state(model, ours, dt), final_state(model, mujoco.mj_step, dt)))

    coarse, fine = gap(1e-3), gap(5e-4)
    assert fine[0] == pytest.approx(coarse[0] / 2, rel=0.1)
    assert fine[1] == pytest.approx(coarse[1] / 2, rel=0.2)


def test_free_fall_is_the_exact_motion():
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody><body><freejoint/><geom type="box" size=".1 .2 .3"/></body></worldbody></mujoco>""")
    sim = pf.Simulation(model)
    a, b = mujoco.MjData(model), mujoco.MjData(model)
    a.qvel[:] = b.qvel[:] = [1, 0, 2, 3, -2, 1]
    for _ in range(500):
        sim.step(a)
        mujoco.mj_step(model, b)
    # Euler's explicit gyroscopic torque gains energy; ours keeps it and is near the exact motion (RK4, small steps).
    assert a.qpos[:3] == pytest.approx(b.qpos[:3], abs=1e-9)
    duration = a.time
    model.opt.integrator, model.opt.timestep = mujoco.mjtIntegrator.mjINT_RK4, 1e-4
    exact = mujoco.MjData(model)
    exact.qvel[:] = [1, 0, 2, 3, -2, 1]
    while exact.time < duration - 5e-5:
        mujoco.mj_step(model, exact)
    assert a.qpos[3:] == pytest.approx(exact.qpos[3:], abs=2e-4)
    assert np.abs(a.qpos[3:] - exact.qpos[3:]).max() < 0.3 * np.abs(b.qpos[3:] - exact.qpos[3:]).max()


@pytest.fixture
def callbacks():
    yield
    mujoco.set_mjcb_control(None)
    mujoco.set_mjcb_passive(None)


def test_control_callback_works_and_others_are_refused(callbacks):
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody><body><joint name="j" type="slide"/><geom size=".1" mass="2"/></body></worldbody>
        <actuator><motor joint="j"/></actuator></mujoco>""")
    model.opt.gravity[:] = 0
    sim, data = pf.Simulation(model), mujoco.MjData(model)
    mujoco.set_mjcb_control(lambda m, d: d.ctrl.fill(1.0))
    sim.step(data, 10)
    assert data.qvel[0] == pytest.approx(10 * model.opt.timestep / 2)
    with pytest.raises(pf.InputError, match="mjcb_control is set"):
        sim.rollout(np.zeros(3), nstep=1)
    mujoco.set_mjcb_passive(lambda m, d: None)
    with pytest.raises(pf.InputError, match="mjcb_passive is set"):
        sim.step(data)


def test_a_callback_that_raises_raises_from_step(callbacks):
    model = pf.load("scene:bubbles")
    sim, data = pf.Simulation(model), mujoco.MjData(model)

    def fail(m, d):
        raise KeyError("of the user")

    mujoco.set_mjcb_control(fail)
    with pytest.raises(KeyError, match="of the user"):
        sim.step(data)
    mujoco.set_mjcb_control(None)
    sim.step(data, 10)
    assert data.time > 0
