# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""A MuJoCo model of one's own, switched over: one line in place of mj_step, everything else stays.

python examples/switch_over.py
"""

import mujoco
import numpy as np

import patchfield as pf

MODEL = """<mujoco><option timestep="0.002"/><worldbody>
<geom name="floor" type="plane" size="1 1 .1"/>
<body name="foot" pos="0 0 .05"><joint name="height" type="slide" axis="0 0 1"/><joint name="ankle" axis="0 1 0" damping=".05"/>
  <geom name="sole" type="box" size=".1 .05 .02" mass="1"/><site name="sole" type="box" size=".11 .06 .03"/>
  <body pos="0 0 .25"><joint name="hip" axis="0 1 0" damping=".5" range="-40 40" limited="true"/>
    <geom type="capsule" fromto="0 0 -.2 0 0 .3" size=".03" mass="2" contype="0" conaffinity="0"/></body></body></worldbody>
<actuator><position name="hip" joint="hip" kp="100" kv="10"/></actuator>
<sensor><touch name="sole" site="sole"/><jointpos joint="ankle"/></sensor></mujoco>"""


def run(step: pf.Simulation | None) -> mujoco.MjData:
    """Leans forward by 10°, with MuJoCo's own step or ours."""
    data = mujoco.MjData(model)
    data.ctrl[0] = np.deg2rad(10)
    while data.time < 1.0:
        if step is None:
            mujoco.mj_step(model, data)
        else:
            step.step(data)  # the one line
    return data


model = mujoco.MjModel.from_xml_string(MODEL)
points = run(None)
sim = pf.Simulation(model, compliance={"sole": pf.Compliant(1e6, mu=1.0)})
patches = run(sim)

print(f"            {'points':>10} {'patches':>10}")
for name, values in (
    ("touch [N]", [d.sensor("sole").data[0] for d in (points, patches)]),
    ("hip [deg]", [np.rad2deg(d.joint("hip").qpos[0]) for d in (points, patches)]),
    ("height [mm]", [1e3 * d.joint("height").qpos[0] for d in (points, patches)]),
    ("contacts", [d.ncon for d in (points, patches)]),
):
    print(f"{name:11} {values[0]:10.3f} {values[1]:10.3f}")
(patch,) = sim.patches
print(f"the patch: {patch.num_faces} faces, {1e4 * patch.area:.1f} cm², centre of pressure {1e3 * patch.cop[0]:.1f} mm ahead,")
print(f"           {patch.pressure.max():.0f} Pa at most")
