#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""`patchfield run` as a process: exit codes, messages, streams, signals, and its log as numpy reads it.

    tests/system/cli_run_test.py build/release/apps/cli/patchfield [unittest arguments …]
"""

import json
import os
import pty
import re
import select
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from xml_report import run_tests

try:
    import numpy as np
except ImportError:
    np = None

PROGRAM = None
needs_numpy = unittest.skipIf(np is None, "numpy is not installed: `make venv` puts it into .venv")

# A motor, and one of absurd strength: a = 1e308 m/s², so after 1.8 s the velocity is beyond the largest number.
MOTOR = """<mujoco><option timestep="0.001"/><worldbody><body><joint name="j" type="slide" axis="1 0 0"/>
<geom size=".1" mass="1e-3"/></body></worldbody><actuator><motor joint="j"/></actuator>
<keyframe><key ctrl="0"/><key name="bang" ctrl="5"/></keyframe></mujoco>"""
EXPLODING = MOTOR.replace('joint="j"/></actuator>', 'joint="j" gear="2e304"/></actuator>')

# Two rigid balls, one above the other, and a floor; all of them rigid.
RIGID = """<mujoco><option impratio="10"/><worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body pos="0 0 .1"><freejoint/><geom name="ball" type="sphere" size=".1" condim="6"/></body></worldbody></mujoco>"""


def run(*arguments, **options):
    """The finished process, its output as text."""
    return subprocess.run([PROGRAM, "run", *map(str, arguments)], capture_output=True, text=True, timeout=300, **options)


class InFolder(unittest.TestCase):
    """Each test has an empty folder that the program runs in, too."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = Path(self.temporary.name)

    def run_here(self, *arguments):
        return run(*arguments, cwd=self.folder)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def files(self):
        return sorted(p.name for p in self.folder.iterdir())


class Summary(InFolder):
    def test_text_says_what_was_asked(self):
        done = self.run_here("scene:stack", "--duration", "0.1", "--time-step", "1e-3", "--solver", "sap")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        self.assertIn("scene:stack: sap, 0.001 s steps, polygon faces, automatic quadrature, 1 thread\n", done.stdout)
        self.assertIn("0.1 s in 100 steps", done.stdout)
        for row in ("wall time", "faces", "patches", "iterations", "unconverged steps", "dropped faces", "energy",
                    "final max |v|", "dynamics", "geometry", "assembly", "solver", "output"):
            self.assertRegex(done.stdout, rf"(?m)^ +{re.escape(row)} ")
        self.assertNotIn("TAMSI", done.stdout)
        self.assertEqual(self.files(), [])

    def test_tamsi_counts_its_substeps(self):
        done = self.run_here("scene:sphere_on_plane", "--duration", "0.02", "--solver", "tamsi")
        self.assertRegex(done.stdout, r"(?m)^  TAMSI +\d+ sub-steps, \d+ fallbacks$")

    def test_json_has_consistent_numbers(self):
        done = self.run_here("scene:box_on_plane", "--duration", "0.2", "--time-step", "2e-3", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        j = json.loads(done.stdout)
        self.assertEqual((j["steps"], j["ended"], j["solver"], j["log"]), (100, "done", "lagged", None))
        self.assertAlmostEqual(j["simulated_time"], 0.2, places=12)
        self.assertAlmostEqual(j["real_time_factor"], j["simulated_time"] / j["wall_time"], places=9)
        # The stages and the rest are all of the wall time.
        self.assertAlmostEqual(sum(j["stage_us_per_step"].values()) * 1e-6 * 100, j["wall_time"], places=6)
        self.assertEqual(sum(j["steps_by_status"].values()), 100)
        self.assertEqual(j["unconverged_steps"], 100 - j["steps_by_status"]["converged"])
        self.assertEqual(j["patches"]["max"], 1)
        self.assertLessEqual(j["faces"]["mean"], j["faces"]["max"])
        self.assertGreater(j["faces"]["mean"], 0)
        # The cube of 1 kg starts at rest, 5 cm up: m·g·h, and contact only takes energy.
        self.assertAlmostEqual(j["energy_start"]["total"], 9.81 * 0.05, places=9)
        self.assertEqual(j["energy_start"]["kinetic"], 0)
        self.assertLess(j["energy_end"]["total"], j["energy_start"]["total"])

    def test_number_of_steps_covers_the_duration(self):
        for duration, step, steps in ((0.3, 0.1, 3), (0.25, 0.1, 3), (0.01, 0.1, 1), (0.07, 1e-3, 70)):
            j = json.loads(self.run_here("scene:sphere_on_plane", "--duration", duration, "--time-step", step, "--json").stdout)
            self.assertEqual(j["steps"], steps, (duration, step))

    def test_time_step_is_the_models_unless_given(self):
        j = json.loads(self.run_here("scene:sphere_on_plane", "--duration", "0.01", "--json").stdout)
        self.assertEqual((j["time_step"], j["steps"]), (0.002, 5))

    def test_choices_reach_the_simulation(self):
        def faces(*options):
            done = self.run_here("scene:sphere_on_plane", "--duration", "0.05", "--json", *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout)

        plain = faces()
        self.assertGreater(faces("--tessellation", "triangle")["faces"]["mean"], 2.5 * plain["faces"]["mean"])
        self.assertGreater(faces("--max-face-size", "1e-3")["faces"]["mean"], 2 * plain["faces"]["mean"])
        moments = faces("--quadrature", "moments")
        self.assertAlmostEqual(moments["points"]["mean"], 3 * (moments["faces"]["mean"] + moments["waiting_faces"]["mean"]))
        self.assertEqual(faces("--pressure-rate", "paper")["pressure_rate"], "paper")
        self.assertEqual(plain["pressure_rate"], "convected")
        self.assertEqual(faces("--quadrature", "centroid")["quadrature"], "centroid")
        self.assertEqual(faces("--threads", "2")["energy_end"], plain["energy_end"])

    def test_accuracy_cuts_time_steps_and_counts_it(self):
        options = ("scene:clutter:9", "--time-step", "0.02", "--duration", "0.4", "--json")
        plain = json.loads(self.run_here(*options).stdout)
        self.assertNotIn("error_control", plain)
        done = self.run_here(*options, "--accuracy", "1e-3", "--log", "a.npz", "--record", "a.pfr")
        j = json.loads(done.stdout)
        e = j["error_control"]
        self.assertEqual(j["steps"], plain["steps"])
        self.assertGreater(e["steps"], j["steps"])
        self.assertGreater(e["rejected_steps"], 0)
        self.assertEqual((e["accuracy"], e["steps_at_minimum"]), (1e-3, 0))
        self.assertLessEqual(e["largest_error"], 1e-3)
        self.assertGreaterEqual(e["shortest_step"], e["min_step"])
        with np.load(self.folder / "a.npz", allow_pickle=False) as log:
            self.assertEqual(log["step_inner_steps"].sum(), e["steps"])
            self.assertEqual(log["step_rejected_steps"].sum(), e["rejected_steps"])
            np.testing.assert_allclose(np.diff(log["time"]), 0.02, rtol=1e-12)
        self.assertIn("  error control ", self.run_here(*options[:-1], "--accuracy", "1e-3").stdout)
        coarse = self.run_here(*options, "--accuracy", "1e-5", "--min-step", "5e-3")
        self.assertGreater(json.loads(coarse.stdout)["error_control"]["steps_at_minimum"], 0)
        self.assertIn("shorter --min-step or a looser --accuracy", coarse.stderr)

    def test_continuous_model_has_statistics_and_agrees_with_small_steps(self):
        answer = json.loads(self.run_here("scene:sphere_on_plane", "--integrator", "cvode", "--accuracy", 1e-6,
                                          "--duration", 0.5, "--json").stdout)
        self.assertEqual((answer["integrator"], answer["ended"]), ("cvode", "done"))
        self.assertGreater(answer["evaluations"], answer["steps"])
        self.assertAlmostEqual(answer["simulated_time"], 0.5, places=12)
        steps = json.loads(self.run_here("scene:sphere_on_plane", "--tessellation", "triangle", "--quadrature", "centroid",
                                         "--time-step", 1e-4, "--duration", 0.5, "--json").stdout)
        self.assertAlmostEqual(answer["energy_end"]["potential"], steps["energy_end"]["potential"], places=6)

    @needs_numpy
    def test_continuous_model_logs_states(self):
        self.run_here("scene:chain", "--integrator", "cvode", "--duration", 0.1, "--time-step", 0.01, "--log", "c.npz")
        log = np.load(self.folder / "c.npz")
        np.testing.assert_allclose(log["time"], np.linspace(0.0, 0.1, 11), atol=1e-12)
        self.assertEqual(log["qpos"].shape[0], 11)

    def test_rigid_pairs_follow_the_policy(self):
        model = self.write("rigid.xml", RIGID)

        def contacts(policy):
            done = self.run_here(model, "--duration", "0.05", "--json", "--rigid-rigid", policy)
            self.assertEqual(done.returncode, 0, done.stderr)
            j = json.loads(done.stdout)
            return j["patches"]["max"], j["point_contacts"]["max"]

        self.assertEqual(contacts("point"), (0, 1))
        self.assertEqual(contacts("compliant"), (1, 0))
        refused = self.run_here(model, "--rigid-rigid", "error")
        self.assertEqual(refused.returncode, 2)
        self.assertIn('"floor" and "ball" are both rigid', refused.stderr)

    def test_model_warnings_go_to_stderr_and_json(self):
        model = self.write("rigid.xml", RIGID)
        done = self.run_here(model, "--duration", "0.01", "--json")
        self.assertRegex(done.stderr, "patchfield: warning: .*impratio")
        self.assertEqual(len(json.loads(done.stdout)["warnings"]), 1)

    def test_quiet_prints_nothing_but_json_if_asked(self):
        done = self.run_here("scene:stack", "--duration", "0.01", "--quiet")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        done = self.run_here("scene:stack", "--duration", "0.01", "--quiet", "--json")
        self.assertEqual(json.loads(done.stdout)["steps"], 5)

    def test_a_scene_starts_from_its_first_keyframe(self):
        def speed(*options):
            done = self.run_here("scene:coin", "--duration", "0.01", "--json", *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout)["final_max_speed"]

        self.assertGreater(speed(), 0.5)
        self.assertLess(speed("--keyframe", "none"), 0.1)

    def test_keyframe_by_number_and_name(self):
        model = self.write("keys.xml", MOTOR)

        def speed(*options):
            done = self.run_here(model, "--duration", "0.001", "--json", *options)
            return json.loads(done.stdout)["final_max_speed"]

        self.assertEqual(speed(), 0)
        self.assertEqual(speed("--keyframe", "0"), 0)
        # v = f·δt/m = 5 N · 1 ms / 1 g
        self.assertAlmostEqual(speed("--keyframe", "1"), 5.0, places=9)
        self.assertAlmostEqual(speed("--keyframe", "bang"), 5.0, places=9)

    def test_full_output_is_a_failure(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "run", "scene:stack", "--duration", "0.01"], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)


class WrongInput(InFolder):
    """Every mistake: exit code 2, nothing on stdout, a sentence with the cure on stderr, no file."""

    def check(self, arguments, *words):
        with self.subTest(arguments=arguments):
            done = self.run_here(*arguments)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertEqual(done.stdout, "")
            self.assertTrue(done.stderr.startswith("patchfield: "), done.stderr)
            for word in words:
                self.assertIn(word, done.stderr)
            self.assertFalse([f for f in self.files() if not f.endswith(".xml")], "left something behind")

    def test_values(self):
        seconds = "give a number of seconds above 0"
        for value in ("-1", "0", "nan", "inf", "abc", "1s", ""):
            self.check(["scene:stack", "--duration", value], "--duration", seconds)
        for value in ("0", "-1e-3", "1e9", "1.5", "nan", "1e-400"):
            self.check(["scene:stack", "--time-step", value], "--time-step", "above 0 and up to 1")
        self.check(["scene:stack", "--duration", "1e300"], "shorter --duration")
        self.check(["scene:stack", "--solver", "foo"], "choose tamsi, sap or lagged")
        self.check(["scene:stack", "--tessellation", "square"], "choose polygon or triangle")
        self.check(["scene:stack", "--quadrature", "x"], "choose automatic, centroid, pressure_center or moments")
        self.check(["scene:stack", "--integrator", "euler"], "choose discrete or cvode")
        self.check(["scene:stack", "--accuracy", "0"], "up to 0.1")
        self.check(["scene:stack", "--min-step", "0"], "1e-5 is usual")
        self.check(["scene:stack", "--accuracy", "1e-3", "--max-step", "1e-6"], "max_step = 1e-06", "min_step = 1e-05")
        self.check(["scene:stack:0"], "no such scene")
        self.check(["scene:stack", "--rigid-rigid", "x"], "choose point, compliant or error")
        for value in ("0", "-2", "1.5", "9999999999", "1025"):
            self.check(["scene:stack", "--threads", value], "--threads", "from 1 to 1024")
        for value in ("-1", "nan"):
            self.check(["scene:stack", "--max-face-size", value], "metres above 0")
        for value in ("0", "-1", "x"):
            self.check(["scene:stack", "--log", "a.npz", "--log-every", value], "--log-every", "every tenth")
        self.check(["scene:stack", "--log-every", "2"], "--log")
        self.check(["scene:stack", "--keyframe", "0"], "no keyframes")
        model = self.write("keys.xml", MOTOR)
        for value in ("2", "-1", "boom"):
            self.check([model, "--keyframe", value], "the model has 0, 1 (bang)")

    def test_options_and_models(self):
        self.check(["scene:stack", "--speed", "3"], "--speed", "--help")
        self.check(["scene:stack", "scene:chain"], "scene:chain", "--help")
        self.check([], "MODEL is required")
        self.check(["none.xml"], "no file none.xml", "scene:NAME", "clutter")
        self.check(["stack"], "Did you mean scene:stack?")
        self.check(["scene:nothing"], "sphere_on_plane")
        self.check(["."], "is a folder")
        self.check([self.write("broken.xml", "<mujoco><worldbody>")], "broken.xml")
        self.check([self.write("empty.xml", "<mujoco/>")], "no bodies")

    def test_log_places(self):
        self.check(["scene:stack", "--log", "none/a.npz"], "there is no folder", "Make it first")
        self.check(["scene:stack", "--log", "."], "is a folder")
        self.check(["scene:stack", "--log", "/dev/null"], "not a plain file")
        self.check(["scene:stack", "--log", "/proc/a.npz"], "Choose a folder")


class ForeignModels(InFolder):
    LINK = """<link name="ball"><pose>0 0 0.1 0 0 0</pose><inertial><mass>1</mass><inertia><ixx>.01</ixx><iyy>.01</iyy><izz>.01</izz></inertia>
</inertial><collision name="ball"><geometry><sphere><radius>0.1</radius></sphere></geometry><drake:proximity_properties>
<drake:compliant_hydroelastic/><drake:hydroelastic_modulus>1e6</drake:hydroelastic_modulus></drake:proximity_properties></collision></link>"""
    WORLD = f"""<sdf version="1.9"><world name="w"><physics><max_step_size>0.004</max_step_size></physics>
<model name="floor"><static>true</static><link name="l"><collision name="floor"><geometry><plane/></geometry></collision></link></model>
<model name="toy">{LINK}<plugin name="p"/></model></world></sdf>"""

    def test_sdf_world_comes_to_rest_on_a_patch(self):
        done = self.run_here(self.write("w.sdf", self.WORLD), "--duration", "2", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        j = json.loads(done.stdout)
        self.assertEqual((j["time_step"], j["steps"], j["patches"]["max"]), (0.004, 500, 1))
        self.assertLess(j["final_max_speed"], 1e-4)
        self.assertEqual(j["warnings"], ["w.sdf:5: <plugin> in <model> is not read"])

    def test_directives_find_packages_by_option(self):
        (self.folder / "pack").mkdir()
        self.write("pack/toy.sdf", f'<sdf version="1.9"><model name="toy">{self.LINK}</model></sdf>')
        scene = self.write("s.dmd.yaml", "directives:\n- add_model: {name: toy, file: package://toys/toy.sdf}\n")
        refused = self.run_here(scene)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("s.dmd.yaml:2: package://toys/toy.sdf: no package toys", refused.stderr)
        done = self.run_here(scene, "--package", "toys=pack", "--duration", "0.1", "--quiet")
        self.assertRegex(f"{done.returncode} {done.stderr}", "^0 .*compliant, but colliding with nothing")
        self.assertEqual(self.run_here(scene, "--package", "toys").returncode, 2)
        self.assertEqual(self.run_here(scene, "--package", "toys=none").returncode, 2)

    def test_fixed_base_leaves_a_lone_link_nothing_to_do(self):
        model = self.write("toy.sdf", f'<sdf version="1.9"><model name="toy">{self.LINK}</model></sdf>')
        refused = self.run_here(model, "--fixed-base")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("no joint", refused.stderr)

    def test_broken_files_are_one_line_and_exit_code_2(self):
        for name, text in (("a.sdf", "<sdf version='1.9'><model name='m'>"), ("b.urdf", "<robot name='r'><link name='a'/></robot>"),
                           ("c.dmd.yaml", "directives: [}"), ("d.urdf.xacro", "<robot/>")):
            done = self.run_here(self.write(name, text), "--log", "out.npz")
            self.assertEqual((done.returncode, done.stdout), (2, ""), name)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(name, done.stderr)
        self.assertNotIn("out.npz", self.files())


class Endings(InFolder):
    def test_divergence_is_exit_code_1_and_keeps_the_good_part(self):
        model = self.write("bang.xml", EXPLODING)
        done = self.run_here(model, "--keyframe", "bang", "--duration", "3", "--json", "--log", "a.npz")
        self.assertEqual(done.returncode, 1)
        self.assertIn("diverged", done.stderr)
        self.assertRegex(done.stderr, r"q(pos|vel)\[0\] = -?(inf|nan)")
        j = json.loads(done.stdout)
        self.assertEqual(j["ended"], "diverged")
        self.assertGreater(j["steps"], 1000)
        self.assertIsNone(j["energy_end"]["total"])
        # On the way the solver met numbers that it could not use; the run says so, in words and in numbers.
        self.assertGreater(j["unconverged_steps"], 0)
        self.assertIn(f"{j['unconverged_steps']} of {j['steps']} steps did not converge", done.stderr)
        self.assertEqual(self.files(), ["a.npz", "bang.xml"])
        if np is not None:
            log = np.load(self.folder / "a.npz")
            self.assertEqual(log["ended"], "diverged")
            self.assertEqual(len(log["qpos"]), j["steps"] + 1)
            self.assertTrue(np.isfinite(log["qpos"]).all() and np.isfinite(log["qvel"]).all())

    def interrupt(self, number):
        """Starts a long run on a terminal, waits for its progress bar, sends the signal."""
        leader, follower = pty.openpty()
        process = subprocess.Popen([PROGRAM, "run", "scene:sphere_on_plane", "--duration", "1e6", "--log", "a.npz", "--json"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=follower, text=True,
                                   env=dict(os.environ, TERM="xterm"))
        os.close(follower)
        shown = read_until(leader, b"left", 60)
        self.assertEqual(self.files(), [], "the log has no name before the end")
        process.send_signal(number)
        out, _ = process.communicate(timeout=60)
        shown += read_until(leader, None, 5)
        os.close(leader)
        return process.returncode, json.loads(out), shown

    def test_interrupt_keeps_the_log_whole(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            code, j, shown = self.interrupt(number)
            self.assertEqual(code, 128 + number)
            self.assertEqual(j["ended"], "interrupted")
            self.assertIn(b"interrupted after", shown)
            self.assertEqual(self.files(), ["a.npz"])
            if np is not None:
                log = np.load(self.folder / "a.npz")
                self.assertEqual(log["ended"], "interrupted")
                self.assertEqual(len(log["step_index"]), j["steps"])
                self.assertEqual(len(log["time"]), j["steps"] + 1)
            (self.folder / "a.npz").unlink()

    def test_killed_run_leaves_nothing(self):
        process = subprocess.Popen([PROGRAM, "run", "scene:stack", "--duration", "1e6", "--log", "a.npz"], cwd=self.folder)
        time.sleep(1.0)
        self.assertIsNone(process.poll(), "it should still be running")
        process.kill()
        process.wait()
        self.assertEqual(self.files(), [])


def read_until(terminal, word, seconds):
    """What the terminal shows until `word` is in it, the other side closes it, or time is over."""
    shown, deadline = b"", time.monotonic() + seconds
    while (word is None or word not in shown) and time.monotonic() < deadline:
        if not select.select([terminal], [], [], 0.1)[0]:
            continue
        try:
            part = os.read(terminal, 65536)
        except OSError:  # EIO: closed
            break
        if not part:
            break
        shown += part
    return shown


class ProgressBar(InFolder):
    def on_terminal(self, seconds, *options, term="xterm"):
        """Runs for about `seconds` and returns (bytes shown on the terminal, elapsed seconds)."""
        leader, follower = pty.openpty()
        started = time.monotonic()
        process = subprocess.Popen([PROGRAM, "run", "scene:sphere_on_plane", "--duration", "1e6", *options],
                                   stdout=subprocess.DEVNULL, stderr=follower, env=dict(os.environ, TERM=term))
        os.close(follower)
        shown = read_until(leader, None, seconds)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
        elapsed = time.monotonic() - started
        shown += read_until(leader, None, 5)
        os.close(leader)
        return shown, elapsed

    def test_bar_is_drawn_at_most_ten_times_a_second_and_erased(self):
        shown, elapsed = self.on_terminal(2.0)
        frames = shown.count(b" left")
        self.assertGreater(frames, 2)
        self.assertLessEqual(frames, 10 * elapsed)
        self.assertRegex(shown, rb"\[=* *\] +\d+ % +[\d.]+ of 1e\+06 s")
        # What stays on the screen is what follows the last erasure.
        last = shown.rsplit(b"\r\x1b[K", 1)[1]
        self.assertTrue(last.startswith(b"patchfield: warning: interrupted"), last)

    def test_no_bar_when_quiet_or_on_a_dumb_terminal(self):
        for shown, _ in (self.on_terminal(1.0, "--quiet"), self.on_terminal(1.0, term="dumb")):
            self.assertNotIn(b"\x1b", shown)
            self.assertNotIn(b" left", shown)

    def test_no_bar_without_a_terminal(self):
        done = self.run_here("scene:stack", "--duration", "4", "--solver", "sap")
        self.assertEqual(done.stderr, "")


@needs_numpy
class Log(InFolder):
    def load(self, *arguments):
        done = self.run_here(*arguments, "--log", "a.npz", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.files(), ["a.npz"])
        with np.load(self.folder / "a.npz", allow_pickle=False) as log:
            return {name: log[name] for name in log.files}, json.loads(done.stdout)

    def test_columns_agree_with_the_summary(self):
        log, j = self.load("scene:clutter", "--duration", "0.3", "--solver", "sap")
        self.assertEqual(len(log["step_index"]), j["steps"])
        self.assertEqual(log["step_faces"].max(), j["faces"]["max"])
        self.assertAlmostEqual(log["step_patches"].mean(), j["patches"]["mean"], places=9)
        self.assertEqual(log["step_iterations"].max(), j["iterations"]["max"])
        self.assertEqual(log["step_dropped_faces"].sum(), j["dropped_faces"])
        self.assertEqual((log["step_status"] != 0).sum(), j["unconverged_steps"])
        self.assertEqual((str(log["solver"]), str(log["model"]), str(log["ended"])), ("sap", "scene:clutter", "done"))
        # Per step the offsets count what the report counted.
        starts = log["step_patch_start"]
        np.testing.assert_array_equal(np.diff(starts), log["step_patches"])
        faces = np.diff(log["patch_face_start"][starts])
        np.testing.assert_array_equal(faces, log["step_faces"] + log["step_waiting_faces"])
        self.assertEqual(log["face_sticks"].dtype, bool)

    def test_names_and_signs(self):
        log, _ = self.load("scene:stack", "--duration", "2")
        names = log["geom_names"]
        last = slice(log["step_patch_start"][-2], log["step_patch_start"][-1])
        pairs = list(zip(names[log["patch_geom_A"][last]], names[log["patch_geom_B"][last]]))
        self.assertIn(("floor", "box0"), pairs)
        self.assertIn(("box8", "box9"), pairs)
        # At rest the force on the upper box is the weight of all above: 10 kg on the floor, 1 kg on box8.
        force = dict(zip(pairs, log["patch_force"][last]))
        np.testing.assert_allclose(force["floor", "box0"], [0, 0, 98.1], atol=1e-2)
        np.testing.assert_allclose(force["box8", "box9"], [0, 0, 9.81], atol=1e-2)

    def test_every_tenth_step(self):
        log, j = self.load("scene:sphere_on_plane", "--duration", "0.1", "--log-every", "10")
        self.assertEqual(j["steps"], 50)
        np.testing.assert_array_equal(log["step_index"], [0, 10, 20, 30, 40])
        np.testing.assert_allclose(log["time"], [0, 0.02, 0.04, 0.06, 0.08, 0.1], atol=1e-12)

    def test_log_does_not_change_the_run_and_has_common_rights(self):
        _, logged = self.load("scene:clutter", "--duration", "0.2")
        mode = stat.S_IMODE((self.folder / "a.npz").stat().st_mode)
        mask = os.umask(0)
        os.umask(mask)
        self.assertEqual(mode, 0o666 & ~mask)
        plain = json.loads(self.run_here("scene:clutter", "--duration", "0.2", "--json").stdout)
        for key in ("energy_end", "final_max_speed", "iterations", "faces", "dropped_faces"):
            self.assertEqual(logged[key], plain[key], key)

    def test_existing_log_is_replaced(self):
        self.write("a.npz", "old")
        log, _ = self.load("scene:sphere_on_plane", "--duration", "0.01")
        self.assertEqual(len(log["time"]), 6)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    sys.exit(run_tests("cli_run_test"))
