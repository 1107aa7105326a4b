# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""One model, many MjData: the same bits in threads as alone; the GIL is free meanwhile."""

import os
import signal
import subprocess
import sys
import threading
import time

import mujoco
import numpy as np
import pytest
from helpers import FULL, cube, state

import patchfield as pf

STEPS = 60


def start(model, i):
    data = mujoco.MjData(model)
    data.qvel[:6] = 0.1 * i * np.array([1, -1, 0.5, 0, 1, 0])
    return data


@pytest.fixture(scope="module")
def clutter():
    model = pf.load("scene:clutter")
    sim = pf.Simulation(model, time_step=4e-3)
    alone = []
    for i in range(4):
        data = start(model, i)
        sim.step(data, STEPS)
        alone.append(state(model, data))
    assert not np.array_equal(alone[0], alone[1])
    return model, sim, alone


def in_threads(work, n):
    errors = []

    def guarded(i):
        try:
            work(i)
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


@pytest.mark.parametrize("shared", [True, False], ids=["one simulation", "a copy each"])
def test_same_bits_in_threads_as_alone(clutter, shared):
    model, sim, alone = clutter
    datas = [start(model, i) for i in range(4)]
    sims = [sim if shared else sim.copy() for _ in range(4)]

    def work(i):
        for _ in range(STEPS):
            sims[i].step(datas[i])
            if not shared:
                assert len(sims[i].patches) == sims[i].report.patches

    in_threads(work, 4)
    for i in range(4):
        assert np.array_equal(state(model, datas[i]), alone[i]), i


def test_inner_threads_change_no_bit(clutter):
    model, _, alone = clutter
    data = start(model, 2)
    pf.Simulation(model, time_step=4e-3, threads=3).step(data, STEPS)
    assert np.array_equal(state(model, data), alone[2])


def test_rollout_is_a_loop_of_steps_for_any_number_of_threads(clutter):
    model, sim, alone = clutter
    states = np.stack([state(model, start(model, i)) for i in range(4)])
    for threads in (1, 2, 5):
        final, sensors = sim.rollout(states, nstep=STEPS, threads=threads)
        assert final.shape == (4, STEPS, mujoco.mj_stateSize(model, FULL)) and sensors.shape == (4, STEPS, 0)
        for i in range(4):
            assert np.array_equal(final[i, -1], alone[i]), (threads, i)


def test_rollout_takes_controls_and_gives_sensors():
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody><body><joint name="j" type="slide"/><geom size=".1" mass="2"/></body></worldbody>
        <actuator><motor joint="j"/></actuator><sensor><jointpos joint="j"/></sensor></mujoco>""")
    model.opt.gravity[:] = 0
    sim = pf.Simulation(model, time_step=1e-2)
    start_state = state(model, mujoco.MjData(model))
    forces = np.repeat([[[1.0]], [[4.0]]], 10, axis=1)
    states, sensors = sim.rollout(start_state, forces)
    # F = ma for ten steps: v = F/m·10·δt
    assert states[:, -1, 2] == pytest.approx([1 / 2 * 0.1, 4 / 2 * 0.1])
    assert states[:, -1, 0] == pytest.approx([0.1, 0.1])
    assert np.array_equal(sensors[:, 1:, 0], states[:, :-1, 1]), "sensors are those of the start of a step"
    one, _ = sim.rollout(np.stack([start_state] * 3), forces[0])
    assert np.array_equal(one[2], states[0])


def test_gil_is_free_while_stepping():
    model = pf.load("scene:clutter")
    sim, data = pf.Simulation(model, time_step=4e-3), mujoco.MjData(model)
    counted = 0
    done = threading.Event()

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(1e-4)

    thread = threading.Thread(target=count)
    thread.start()
    time.sleep(0.01)
    before = counted
    sim.step(data, 60)
    during = counted - before
    done.set()
    thread.join()
    # A held GIL would let the thread in once, at the end.
    assert during > 10


def test_one_data_in_two_threads_is_an_error_not_a_crash():
    model = pf.load("scene:clutter")
    sim, data = pf.Simulation(model, time_step=4e-3), mujoco.MjData(model)
    stepper = threading.Thread(target=lambda: sim.step(data, 200))
    stepper.start()
    time.sleep(0.05)
    with pytest.raises(RuntimeError, match="stepped by another thread"):
        sim.step(data)
    with pytest.raises(RuntimeError, match="sim.copy"):
        sim.patches  # noqa: B018
    stepper.join()
    assert data.time == pytest.approx(0.8)


def test_one_workspace_serves_datas_in_turn():
    model, a, sim = cube()
    b = mujoco.MjData(model)
    b.qvel[0] = 0.5
    for _ in range(50):
        sim.step(a)
        sim.step(b)
    alone = mujoco.MjData(model)
    alone.qvel[0] = 0.5
    sim.copy().step(alone, 50)
    assert np.array_equal(state(model, b), state(model, alone))


@pytest.mark.parametrize("work", ["sim.step(data, 10**8)", "sim.rollout(np.stack([state] * 4), nstep=10**6, threads=2)"])
def test_control_c_ends_long_work(work):
    code = f"""
import mujoco, numpy as np, patchfield as pf
model = pf.load("scene:stack")
data, sim = mujoco.MjData(model), pf.Simulation(model)
state = np.empty(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
mujoco.mj_getState(model, data, state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("interrupted")
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == "interrupted\n"


def test_meshing_frees_the_gil_and_ends_with_ctrl_c(tmp_path):
    """Another thread goes on; Ctrl-C raises KeyboardInterrupt, and leaves neither the mesher nor its folder behind."""
    pytest.importorskip("wildmeshing")
    code = """
import os, signal, threading, time
import numpy as np, patchfield as pf
u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 160, endpoint=False), np.linspace(0, 2 * np.pi, 80, endpoint=False), indexing="ij")
r = 1 + (0.3 + 0.02 * np.sin(9 * u)) * np.cos(v)
torus = np.stack([r * np.cos(u), r * np.sin(u), 0.3 * np.sin(v)], -1).reshape(-1, 3)
at = lambda i, j: (i % 160) * 80 + j % 80
faces = [t for i in range(160) for j in range(80)
         for t in ((at(i, j), at(i + 1, j), at(i + 1, j + 1)), (at(i, j), at(i + 1, j + 1), at(i, j + 1)))]
ticks = []
def tick():
    for _ in range(20):
        time.sleep(0.05)
        ticks.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=tick, daemon=True).start()
try:
    pf.Compliant(pf.TriangleMesh(torus, faces), 1e6, resolution=0.02)
    print("meshed")
except KeyboardInterrupt:
    print("interrupted", len(ticks), time.monotonic() - ticks[-1] < 5)
"""
    environment = {**os.environ, "TMPDIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, env=environment)
    assert done.stdout.split() == ["interrupted", "20", "True"], done.stderr
    assert "filling 25600 triangles" in done.stderr
    assert not list(tmp_path.glob("patchfield-mesh-*"))
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
    assert str(tmp_path) not in running
