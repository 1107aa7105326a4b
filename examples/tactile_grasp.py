# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Two soft pads close on a cylinder and lift it; the left one shows what it feels.

python examples/tactile_grasp.py [picture.png]
"""

import sys

import matplotlib.pyplot as plt
import mujoco
import numpy as np

import patchfield as pf

HAND = """<mujoco><option timestep="0.002"/><worldbody>
<geom name="table" type="plane" size="1 1 .1"/>
<body name="object" pos="0 0 .03"><freejoint name="object"/><geom name="object" type="cylinder" size=".03 .03" mass=".2"/></body>
<body name="hand" pos="0 0 .035" gravcomp="1"><joint name="lift" type="slide" axis="0 0 1"/>
  <geom type="box" pos="0 0 .12" size=".08 .02 .01" mass=".5" contype="0" conaffinity="0"/>
  <body pos="-.05 0 0" gravcomp="1"><joint name="left" type="slide" axis="1 0 0" damping="5"/>
    <geom name="left_pad" type="box" size=".005 .015 .02" mass=".1"/></body>
  <body pos=".05 0 0" gravcomp="1"><joint name="right" type="slide" axis="-1 0 0" damping="5"/>
    <geom name="right_pad" type="box" size=".005 .015 .02" mass=".1"/></body></body></worldbody>
<actuator><position name="lift" joint="lift" kp="2000" kv="100"/><motor joint="left"/><motor joint="right"/></actuator></mujoco>"""
PADS = {"left_pad": pf.Compliant(3e5, mu=0.8, hunt_crossley=10.0), "right_pad": pf.Compliant(3e5, mu=0.8, hunt_crossley=10.0)}


def grasp(t: float, force: float) -> list[float]:
    """Controls (height, left, right): close in 0.3 s, then lift by 5 cm."""
    return [0.05 * float(np.clip((t - 0.3) / 0.3, 0, 1)), force, force]


def main(picture: str) -> None:
    model = mujoco.MjModel.from_xml_string(HAND)
    data = mujoco.MjData(model)
    sim = pf.Simulation(model, compliance=PADS)
    while data.time < 0.8:
        data.ctrl[:] = grasp(data.time, force=8.0)
        sim.step(data)
    for patch in sim.patches:
        print(f"{patch.names[0]} on {patch.names[1]}: {1e4 * patch.area:.2f} cm², force {np.round(patch.force, 2)} N")
    print(f"object at {100 * data.body('object').xpos[2]:.2f} cm")

    touch = pf.taxels(sim, "left_pad", grid=(20, 15))
    figure, ax = plt.subplots(figsize=(4.5, 5), layout="constrained")
    image = ax.imshow(1e3 * touch.normal, origin="lower", cmap="magma")
    ax.quiver(touch.shear_x, touch.shear_y, color="white", pivot="mid")
    figure.colorbar(image, label="normal force per cell [mN]; arrows: shear")
    ax.set_title(f"left pad: {touch.normal.sum():.2f} N pressing")
    figure.savefig(picture)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "tactile_grasp.png")
