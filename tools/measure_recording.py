#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""What a recording costs, as the table of docs/recording.md.

    tools/measure_recording.py build/release/apps/cli/patchfield [MODEL [RUN OPTIONS …]]

Each scene runs in alternating rounds with and without --record. CPU time of the whole process (getrusage) counts, so that
other programs on the machine disturb less; of all rounds the least. The share of the simulation's own thread is what the
program itself measures between steps (`record`), in wall time, likewise the least.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 5
SCENES = [("scene:stack", ["--duration", "3", "--time-step", "2e-3"]), ("scene:clutter", ["--duration", "1.5", "--time-step", "2e-3"])]


def run(program, model, options, *more):
    """(summary, CPU seconds)"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, "run", model, *options, "--json", *more], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(done.stdout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(program, model, options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.pfr"
        plain, recorded, inside = [], [], []
        for _ in range(ROUNDS):
            plain.append(run(program, model, options)[1])
            summary, cpu = run(program, model, options, "--record", str(path))
            recorded.append(cpu)
            stages = summary["stage_us_per_step"]
            inside.append(stages["record"] / (sum(stages.values()) - stages["record"]))
        frames = summary["simulated_time"] * 60
        per_frame = path.stat().st_size / frames
    total = max(0.0, min(recorded) / min(plain) - 1)
    return summary["faces"]["mean"], per_frame, min(inside), total


def main():
    program = os.path.abspath(sys.argv[1])
    scenes = [(sys.argv[2], sys.argv[3:])] if len(sys.argv) > 2 else SCENES
    print("| scene | faces | bytes per frame | 30 s at 60 Hz | wall time of the simulation's thread | CPU time of both threads |")
    print("|---|---|---|---|---|---|")
    for model, options in scenes:
        faces, per_frame, inside, total = measure(program, model, options)
        print(f"| `{model} {' '.join(options)}` | {faces:.0f} | {per_frame:,.0f} | {per_frame * 1800 / 1e6:.1f} MB | +{100 * inside:.1f} % | +{100 * total:.1f} % |")


if __name__ == "__main__":
    main()
