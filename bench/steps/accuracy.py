#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Error control: how far results are off, and how many steps they take, by the accuracy asked for.

Each scene runs with outputs every 20 ms (coin: 5 ms), against a run of fixed steps that are a hundred times shorter
(coin and box: a thousand times). The error is the largest, over all outputs and joints, of the distance [m], angles counting with
mjModel.dof_length. Must hold: at 1e-3 it is below 1e-2.

    .venv/bin/python bench/steps/accuracy.py [--scene coin] [--plot docs/step_accuracy.svg] [--json out/accuracy.json]
"""

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / "build" / "release" / "bench" / "steps" / "adaptive_runs"
ACCURACIES = [1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5]
THROWN = {"scene": "box_on_plane", "duration": 1.0, "lift": 0.2, "qvel": [1, 0.3, 1, 3, 5, 2]}
SCENES = {
    "box_on_plane": {"scene": "box_on_plane", "duration": 1.0, "fine": 1000},
    "stack": {"scene": "stack", "duration": 1.0},
    "spatula": {"scene": "spatula", "keyframe": 0, "duration": 1.0},
    "coin": {"scene": "coin", "keyframe": 0, "duration": 0.5, "fine": 1000, "interval": 0.005},
    "clutter": {"scene": "clutter", "duration": 0.2},
    "thrown box": dict(THROWN, fine=1000),
}
INTERVAL = 0.02
FREE, BALL = 0, 1  # mjtJoint


def runs(jobs):
    done = subprocess.run([PROGRAM], input=json.dumps(jobs), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"accuracy: {done.stderr.strip()}")
    return json.loads(done.stdout)


def angle(q, q0):
    cosine = abs(sum(a * b for a, b in zip(q, q0))) / (math.hypot(*q) * math.hypot(*q0))
    return 2 * math.acos(min(1.0, cosine))


def error(run, reference):
    """Largest distance between two runs [m]."""
    worst = 0.0
    for q, q0 in zip(run["qpos"], reference["qpos"]):
        for joint in run["joints"]:
            at, dof = joint["qpos"], joint["dof"]
            if joint["type"] == FREE:
                worst = max(worst, *(abs(q[i] - q0[i]) for i in range(at, at + 3)))
                at, dof = at + 3, dof + 3
            length = run["lengths"][dof]
            turned = joint["type"] in (FREE, BALL)
            worst = max(worst, length * (angle(q[at:at + 4], q0[at:at + 4]) if turned else abs(q[at] - q0[at])))
    return worst


def measure(name, solver):
    scene = dict({"interval": INTERVAL}, **SCENES[name], solver=solver)
    fine = scene.pop("fine", 100)
    reference, fixed, *controlled = runs([dict(scene, cuts=fine), scene] +
                                         [dict(scene, accuracy=a) for a in ACCURACIES])
    print(f"\n{name}, {scene['duration']:g} s, reference of {reference['steps']} steps")
    print(f"  {'accuracy':>10} {'error [m]':>10} {'steps':>6} {'rejected':>9} {'CPU ms':>8}")
    rows = []
    for accuracy, run in zip([0.0, *ACCURACIES], [fixed, *controlled]):
        rows.append({"scene": name, "accuracy": accuracy, "error": error(run, reference),
                     **{key: run[key] for key in ("steps", "rejected", "at_minimum", "cpu_s")}})
        r = rows[-1]
        print(f"  {accuracy or 'fixed':>10} {r['error']:>10.1e} {r['steps']:>6} {r['rejected']:>9}"
              f" {1e3 * r['cpu_s']:>8.1f}", flush=True)
    return rows


def plot(rows, path):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "patchfield"
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6))
    for name in dict.fromkeys(r["scene"] for r in rows):
        mine = [r for r in rows if r["scene"] == name and r["accuracy"] > 0]
        x = [r["accuracy"] for r in mine]
        left.loglog(x, [r["error"] for r in mine], "o-", markersize=3, label=name)
        right.loglog(x, [r["steps"] / min(r["steps"] for r in mine) for r in mine], "o-", markersize=3, label=name)
    x = [min(ACCURACIES), max(ACCURACIES)]
    left.loglog(x, [10 * a for a in x], "k--", linewidth=0.8, label="ten times the accuracy")
    right.loglog(x, [(x[1] / a) ** 0.5 for a in x], "k--", linewidth=0.8, label="accuracy to the −½")
    left.set(xlabel="accuracy asked for [m]", ylabel="error of positions [m]")
    right.set(xlabel="accuracy asked for [m]", ylabel="steps, over those at the coarsest")
    for axes in (left, right):
        axes.grid(alpha=0.3)
        axes.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description="Error control: error and steps by the accuracy asked for.")
    parser.add_argument("--scene", action="append", choices=SCENES)
    parser.add_argument("--solver", default="lagged", choices=["tamsi", "sap", "lagged"])
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = [row for name in options.scene or SCENES for row in measure(name, options.solver)]
    if options.plot:
        plot(rows, options.plot)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(rows, indent=1))
    for row in rows:
        if row["accuracy"] == 1e-3 and row["error"] > 1e-2:
            print(f"{row['scene']}: {row['error']:.1e} m is more than ten times the accuracy")


if __name__ == "__main__":
    main()
