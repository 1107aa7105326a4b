#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""`patchfield export` as a process: what it writes is the scene that it was.

    tests/system/export_test.py build/release/apps/cli/patchfield [unittest arguments …]
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from xml_report import run_tests

PROGRAM = None


class Export(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)

    def call(self, *arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300, cwd=self.folder)

    def run_json(self, model):
        process = self.call("run", model, "--keyframe", "none", "--duration", "0.02", "--time-step", "0.002", "--json")
        self.assertEqual(process.returncode, 0, process.stderr)
        return json.loads(process.stdout)

    def test_mjcf_is_the_same_to_the_last_bit(self):
        self.assertEqual(self.call("export", "scene:pancake", "pancake.xml").returncode, 0)
        ours, again = self.run_json("scene:pancake"), self.run_json("pancake.xml")
        self.assertEqual(ours["energy_end"], again["energy_end"])
        self.assertEqual(ours["faces"], again["faces"])

    def test_sdf_moves_in_the_same_way(self):
        process = self.call("export", "scene:pancake", "pancake.sdf")
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn("keyframe", process.stdout)
        ours, again = self.run_json("scene:pancake"), self.run_json("pancake.sdf")
        # Geoms come in another order and SDF's rule for pairs of friction coefficients rounds differently: sums differ in
        # their last bits, and faces that lie flush are cut in other ways. All is nearly at rest, with 3e-6 J.
        self.assertAlmostEqual(ours["energy_end"]["kinetic"] / again["energy_end"]["kinetic"], 1.0, places=4)
        self.assertEqual(ours["patches"], again["patches"])

    def test_wrong_input_is_one_sentence(self):
        for arguments in (("scene:pancake", "pancake.stl"), ("scene:nothing", "x.sdf"), ("robot.urdf", "x.xml"),
                          ("scene:pancake", "missing/folder/x.sdf")):
            process = self.call("export", *arguments)
            self.assertEqual(process.returncode, 2, arguments)
            self.assertEqual(len(process.stderr.strip().splitlines()), 1, process.stderr)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM = str(Path(sys.argv.pop(1)).resolve())
    sys.exit(run_tests("export_test"))
