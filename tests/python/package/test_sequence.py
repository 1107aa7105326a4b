# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""pf.Sequence: the player of C++ from Python."""

import mujoco
import numpy as np
import pytest

import patchfield as pf

ARM = """<mujoco><option timestep="0.002"/><worldbody>
  <geom name="floor" type="plane" size="1 1 .1"/>
  <body pos="0 0 .3"><joint name="x" type="slide" axis="1 0 0"/><geom type="sphere" size=".02" mass=".1" contype="0" conaffinity="0"/>
   <body><joint name="y" type="slide" axis="0 1 0"/><geom type="sphere" size=".02" mass=".1" contype="0" conaffinity="0"/>
    <body><joint name="z" type="slide" axis="0 0 1"/><geom name="tip" type="sphere" size=".03" mass=".2"/><site name="tool"/></body>
  </body></body></worldbody>
  <actuator><motor name="x" joint="x"/><motor name="y" joint="y"/><motor name="z" joint="z"/></actuator>
  <custom><text name="patchfield:tip" data="compliant modulus=1e6 resolution=.01 hunt_crossley=5"/></custom></mujoco>"""

TASK = """tip: tool
phases:
  - {name: aside, pose: {relative: [.1, .05, 0]}, duration: .5}
  - {name: down, pose: {relative: [0, 0, -.32]}, duration: 2, until: {patches: [tip/floor], force: 4}}
  - {name: up, pose: {relative: [0, 0, .1]}, duration: .5}
"""


def play(text):
    model = mujoco.MjModel.from_xml_string(ARM)
    data = mujoco.MjData(model)
    sim = pf.Simulation(model)
    sequence = pf.Sequence.from_text(sim, text)
    sequence.reset(data)
    while not sequence.finished:
        sequence.before_step(data)
        sim.step(data)
    return data, sequence


def test_plays_a_task_with_a_guard():
    data, sequence = play(TASK)
    assert [e.phase for e in sequence.events] == ["aside", "down", "up"]
    assert [e.ended_by for e in sequence.events] == ["time", "guard", "time"]
    down = sequence.events[1]
    assert 4 < down.guard_value < 20 and down.end < 2.5
    # The ball of 3 cm touches the floor 27 cm below its start; then it rises by 10 cm.
    assert np.allclose(data.qpos, [0.1, 0.05, -0.17], atol=3e-3)
    assert sequence.phase == "" and sequence.grip == 0


def test_the_same_again():
    assert np.array_equal(play(TASK)[0].qpos, play(TASK)[0].qpos)


def test_errors_name_file_line_and_fix(tmp_path):
    sim = pf.Simulation(mujoco.MjModel.from_xml_string(ARM))
    path = tmp_path / "task.yaml"
    path.write_text(TASK.replace("duration: 2", "duratoin: 2"))
    with pytest.raises(pf.InputError, match=r"task.yaml:4.*Did you mean duration"):
        pf.Sequence(sim, path)
    path.write_text(TASK.replace("tip/floor", "tip/flor"))
    with pytest.raises(pf.InputError, match='Did you mean "floor"'):
        pf.Sequence(sim, path)
    path.write_text(TASK)
    sequence = pf.Sequence(sim, path)
    with pytest.raises(pf.InputError, match="reset"):
        sequence.before_step(mujoco.MjData(sim.model))
