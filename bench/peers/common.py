# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""What the comparisons with other systems share: their venv, our programs, the words about the machine, exponents."""

import json
import math
import os
import platform
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
VENV = Path(os.environ.get("PATCHFIELD_PEERS_VENV", ROOT / ".venv-peers"))
BUILD = Path(os.environ.get("PATCHFIELD_BUILD", ROOT / "build" / "release"))


def enter_venv():
    """Continues in the venv that has Drake, which is made on the first run."""
    if Path(sys.prefix).resolve() == VENV.resolve():
        return
    if not (VENV / "bin" / "python").exists() or not list(VENV.glob("lib/python3*/site-packages/pydrake")):
        python = subprocess.run([ROOT / "tools" / "python.sh"], capture_output=True, text=True).stdout.strip()
        print(f"peers: installing drake 1.51.1 into {VENV} (about 300 MB)", flush=True)
        subprocess.run([python, "-m", "venv", VENV], check=True)
        pip = [VENV / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-input", "drake==1.51.1"]
        if subprocess.run(pip).returncode != 0:
            sys.exit("peers: pip could not install drake; check the network and run again")
    os.execv(VENV / "bin" / "python", [str(VENV / "bin" / "python"), *sys.argv])


def run_ours(program, jobs):
    """The results of one of our programs that reads a list of jobs from stdin and writes a list of results."""
    run = subprocess.run([program], input=json.dumps(jobs), capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"peers: {program} failed: {run.stderr.strip()}")
    return json.loads(run.stdout)


def exponent(points):
    """The slope of log(y) over log(x) by least squares; NaN from fewer than two points."""
    points = [(math.log(x), math.log(y)) for x, y in points]
    if len(points) < 2:
        return math.nan
    x0, y0 = (statistics.fmean(p[i] for p in points) for i in (0, 1))
    return sum((x - x0) * (y - y0) for x, y in points) / sum((x - x0) ** 2 for x, _ in points)


def machine():
    try:
        text = Path("/proc/cpuinfo").read_text()
        return next(line.split(":")[1].strip() for line in text.splitlines() if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def context():
    def first_line(*command):
        try:
            return subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout.splitlines()[0]
        except (OSError, IndexError):
            return "unknown"

    compiler = "unknown"
    cache = BUILD / "CMakeCache.txt"
    if cache.exists():
        entry = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache.read_text(), flags=re.M)
        compiler = first_line(entry.group(1), "--version") if entry else "unknown"
    from importlib.metadata import version

    return {
        "machine": machine(),
        "cores": os.cpu_count(),
        "compiler": compiler,
        "commit": first_line("git", "describe", "--always", "--dirty"),
        "drake": version("drake"),
        "date": time.strftime("%Y-%m-%d"),
    }
