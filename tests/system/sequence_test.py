#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""`patchfield run --sequence` as a process.

    tests/system/sequence_test.py build/release/apps/cli/patchfield [unittest arguments …]
"""

import json
import os
import sys

import cli_run_test
from xml_report import run_tests


class Sequences(cli_run_test.InFolder):
    """--sequence: phases drive the motors, and the summary has the events."""

    MODEL = cli_run_test.MOTOR.replace("<geom ", '<site name="tool"/><geom ').replace('motor joint', 'motor name="m" joint')
    TASK = """tip: tool
control: {law: computed_torque, frequency: 30}
phases:
  - {name: there, pose: {relative: [.2, 0, 0]}, duration: .5}
  - {name: wait, duration: .1, until: {patches: [ball], force: 1}, timeout: .2}
"""

    def setUp(self):
        super().setUp()
        self.write("model.xml", self.MODEL.replace("<geom ", '<geom name="ball" '))

    def test_runs_to_its_end_and_tells_the_events(self):
        self.write("task.yaml", self.TASK)
        done = self.run_here("model.xml", "--sequence", "task.yaml", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        summary = json.loads(done.stdout)
        self.assertAlmostEqual(summary["simulated_time"], 0.7, places=6)
        self.assertEqual([(e["phase"], e["ended_by"]) for e in summary["sequence"]], [("there", "time"), ("wait", "time-out")])
        self.assertIn("wait: time-out", self.run_here("model.xml", "--sequence", "task.yaml").stdout)

    def test_a_duration_wins(self):
        self.write("task.yaml", self.TASK)
        done = self.run_here("model.xml", "--sequence", "task.yaml", "--duration", ".3", "--json")
        summary = json.loads(done.stdout)
        self.assertAlmostEqual(summary["simulated_time"], 0.3, places=6)
        self.assertEqual([e["ended_by"] for e in summary["sequence"]], ["running"])

    def test_errors_name_the_place(self):
        self.write("task.yaml", self.TASK.replace("ball", "bal"))
        done = self.run_here("model.xml", "--sequence", "task.yaml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("task.yaml:5", done.stderr)
        self.assertIn('Did you mean "ball"?', done.stderr)
        self.assertEqual(self.run_here("model.xml", "--sequence", "none.yaml").returncode, 2)
        self.write("task.yaml", self.TASK)
        done = self.run_here("model.xml", "--sequence", "task.yaml", "--integrator", "cvode")
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    cli_run_test.PROGRAM = os.path.abspath(sys.argv.pop(1))
    sys.exit(run_tests("sequence_test"))
