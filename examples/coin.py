# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""A coin slides and spins to rest. Whatever it starts with, both motions end together, with v = 0.653 ωR.

python examples/coin.py [picture.png]
"""

import sys

import matplotlib.pyplot as plt
import mujoco
import numpy as np

import patchfield as pf

RADIUS = 12.13e-3  # [m]


def slide(ratio: float) -> tuple[np.ndarray, np.ndarray]:
    """Times and v/(ωR) of a coin that starts with 1 m/s and that ratio."""
    model = pf.load("scene:coin")
    data = mujoco.MjData(model)
    sim = pf.Simulation(model, time_step=1e-3)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    data.qvel[:3] = [1.0, 0, 0]
    data.qvel[3:] = [0, 0, 1.0 / (ratio * RADIUS)]
    times, ratios = [], []
    while np.hypot(*data.qvel[:2]) > 0.02:
        sim.step(data)
        times.append(data.time)
        ratios.append(np.hypot(*data.qvel[:2]) / (abs(data.qvel[5]) * RADIUS))
    return np.array(times), np.array(ratios)


def main(picture: str) -> None:
    figure, ax = plt.subplots(figsize=(6, 4), layout="constrained")
    for start in (0.3, 0.653, 1.5):
        times, ratios = slide(start)
        print(f"v/(ωR) from {start} to {ratios[-1]:.3f} in {times[-1]:.3f} s")
        ax.plot(times, ratios, label=f"start {start}")
    ax.axhline(0.653, color="grey", linestyle=":")
    ax.set_xlabel("time [s]")
    ax.set_ylabel("v/(ωR)")
    ax.set_ylim(0, 2)
    ax.legend()
    figure.savefig(picture)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "coin.png")
