#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""What a recording costs, as the table of docs/recording.md.

    tools/measure_recording.py build/release/apps/cli/patchfield [MODEL [RUN OPTIONS …]]

Each scene runs in alternating rounds with and without --record, and the least of all rounds counts. CPU times, so that
other programs on the machine disturb less: that of the simulating thread (the program's own `cpu_time`) and that of the
whole process (getrusage), which has the thread that writes in it.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 5
SCENES = [("scene:spatula", ["--keyframe", "0", "--duration", "6", "--time-step", "2e-3"]), ("scene:stack", ["--duration", "3", "--time-step", "2e-3"]), ("scene:clutter", ["--duration", "1.5", "--time-step", "2e-3"])]


def run(program, model, options, *more):
    """(summary, CPU seconds)"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, "run", model, *options, "--json", *more], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(done.stdout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(program, model, options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.pfr"
        plain, recorded = [], []
        for _ in range(ROUNDS):
            summary, cpu = run(program, model, options)
            plain.append((summary["cpu_time"], cpu))
            summary, cpu = run(program, model, options, "--record", str(path))
            recorded.append((summary["cpu_time"], cpu))
        per_frame = path.stat().st_size / (summary["simulated_time"] * 60)
    thread, both = (min(r[i] for r in recorded) / min(p[i] for p in plain) - 1 for i in (0, 1))
    return summary["faces"]["mean"], per_frame, thread, both


def main():
    program = os.path.abspath(sys.argv[1])
    scenes = [(sys.argv[2], sys.argv[3:])] if len(sys.argv) > 2 else SCENES
    print("| scene | faces | bytes per frame | 30 s at 60 Hz | CPU time of the simulating thread | of the process |")
    print("|---|---|---|---|---|---|")
    for model, options in scenes:
        faces, per_frame, thread, both = measure(program, model, options)
        print(f"| `{model} {' '.join(options)}` | {faces:.0f} | {per_frame:,.0f} | {per_frame * 1800 / 1e6:.1f} MB | {100 * thread:+.1f} % | {100 * both:+.1f} % |")


if __name__ == "__main__":
    main()
