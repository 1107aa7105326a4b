#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Runs ctest for a preset and closes with one line that counts tests, not programs.

    tools/run_tests.py release [ctest arguments …]

GoogleTest programs are registered with ctest as a whole; their XML reports give the single tests.
"""

import os
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def count_gtests(folder):
    """{program: (run, failed, skipped)} from GoogleTest's reports."""
    counts = {}
    for report in sorted(folder.glob("*.xml")):
        suites = ET.parse(report).getroot()
        run, failed, disabled = (int(suites.get(key, 0)) for key in ("tests", "failures", "disabled"))
        skipped = sum(case.find("skipped") is not None for case in suites.iter("testcase"))
        counts[report.stem] = (run - disabled - skipped, failed, skipped + disabled)
    return counts


def main():
    preset, extra = sys.argv[1], sys.argv[2:]
    build = ROOT / "build" / preset
    results = build / "test-results"
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir(parents=True)

    # A folder with a closing slash makes every program write its own file.
    env = dict(os.environ, GTEST_OUTPUT=f"xml:{results}/gtest/")
    started = time.monotonic()
    junit = results / "ctest.xml"
    status = subprocess.run(
        ["ctest", "--preset", preset, "--no-tests=error", "--output-junit", str(junit), *extra], cwd=ROOT, env=env
    ).returncode
    seconds = time.monotonic() - started

    # A program that crashed wrote no report: ctest's own list says so, and counts as one failure.
    gtests = count_gtests(results / "gtest")
    run = failed = skipped = programs = 0
    for case in ET.parse(junit).getroot().iter("testcase"):
        programs += 1
        name, passed = case.get("name"), case.get("status") == "run"
        r, f, s = gtests.get(name, (1, 0, 0))
        run, failed, skipped = run + r, failed + max(f, 0 if passed else 1), skipped + s
    print(f"\n{programs} programs, {seconds:.1f} s")
    print(f"{preset}: {run - failed} passed, {failed} failed, {skipped} skipped")
    return 1 if status != 0 or failed else 0


if __name__ == "__main__":
    sys.exit(main())
