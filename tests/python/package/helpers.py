# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests share: scenes, states as bits, programs of their own."""

import subprocess
import sys

import mujoco
import numpy as np

import patchfield as pf

FULL = mujoco.mjtState.mjSTATE_FULLPHYSICS
GRAVITY = 9.81

# A cube of 1 kg with the touch and force sensors of a foot, compliant only by what a test says.
CUBE = """<mujoco><option timestep="0.002"/><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
<body name="cube" pos="0 0 .05"><freejoint name="free"/><geom name="cube" type="box" size=".05 .05 .05" mass="1"/>
<site name="sole" type="box" size=".06 .06 .06"/></body></worldbody>
<sensor><touch site="sole"/><accelerometer site="sole"/></sensor>
<keyframe><key name="high" qpos="0 0 .3 1 0 0 0"/></keyframe></mujoco>"""


def cube(**options):
    """(model, data, simulation) of a soft cube on a floor."""
    model = mujoco.MjModel.from_xml_string(CUBE)
    options.setdefault("compliance", {"cube": pf.Compliant(1e6)})
    return model, mujoco.MjData(model), pf.Simulation(model, **options)


def state(model, data):
    out = np.empty(mujoco.mj_stateSize(model, FULL))
    mujoco.mj_getState(model, data, out, FULL)
    return out


def run_python(code, *arguments):
    """A Python of its own; returns its output, and fails if it wrote to stderr or ended badly."""
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stderr}"
    assert done.stderr == ""
    return done.stdout
