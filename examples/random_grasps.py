# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""A hundred grasps with random offsets and forces, in parallel; which of them hold?

python examples/random_grasps.py [picture.png]
"""

import os
import sys

import matplotlib.pyplot as plt
import mujoco
import numpy as np

import patchfield as pf
from tactile_grasp import HAND, PADS, grasp

GRASPS, STEPS = 100, 350
FULL = mujoco.mjtState.mjSTATE_FULLPHYSICS


def main(picture: str) -> None:
    random = np.random.default_rng(0)
    model = mujoco.MjModel.from_xml_string(HAND)
    data = mujoco.MjData(model)
    sim = pf.Simulation(model, compliance=PADS)

    # Initial states: the object beside the middle of the hand. Controls: close with some force, lift.
    offset = random.uniform(-0.04, 0.04, GRASPS)
    force = random.uniform(0.5, 6.0, GRASPS)
    states = np.empty((GRASPS, mujoco.mj_stateSize(model, FULL)))
    for i in range(GRASPS):
        mujoco.mj_resetData(model, data)
        data.joint("object").qpos[1] = offset[i]
        mujoco.mj_getState(model, data, states[i], FULL)
    times = model.opt.timestep * np.arange(STEPS)
    controls = np.array([[grasp(t, f) for t in times] for f in force])

    trajectories, _ = sim.rollout(states, controls, threads=os.cpu_count() or 1)
    height = trajectories[:, -1, 1 + model.joint("object").qposadr[0] + 2]  # a state begins with the time
    held = height > 0.06
    print(f"{held.sum()} of {GRASPS} grasps hold")

    figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
    points = ax.scatter(1e3 * offset, force, c=1e3 * height, cmap="viridis")
    figure.colorbar(points, label="height of the object at the end [mm]")
    ax.axhline(0.2 * 9.81 / (2 * 2 * 0.8 / 1.8), color="grey", linestyle=":", label="mg/2µ, µ = 2·0.8·1/(0.8 + 1)")
    ax.set_xlabel("offset [mm]")
    ax.set_ylabel("force of a finger [N]")
    ax.legend(loc="lower center")
    figure.savefig(picture)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "random_grasps.png")
