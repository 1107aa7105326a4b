#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Surface meshes on their way to a simulation: `patchfield mesh`, `inspect` and `run` as processes.

    tests/system/mesh_test.py build/release/apps/cli/patchfield [unittest arguments …]

The kitchen of models/make_meshes.py (coarse) is meshed once, into a cache of its own.
"""

import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from xml_report import run_tests

PROGRAM = None
MODELS = Path(__file__).resolve().parent.parent.parent / "models"

try:
    import numpy as np
    import wildmeshing  # noqa: F401
except ImportError:
    np = None
needs_mesher = unittest.skipIf(np is None, "numpy or wildmeshing is not installed: `make venv` puts them into .venv")


class Kitchen(unittest.TestCase):
    """Tests share a folder with the four surfaces, and a cache of tetrahedra."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        subprocess.run([sys.executable, MODELS / "make_meshes.py", cls.folder, "--segments", "16"], check=True,
                       stdout=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def call(self, *arguments, **variables):
        environment = dict(os.environ, XDG_CACHE_HOME=str(self.folder / "cache"), **variables)
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=600,
                              cwd=self.folder, env=environment)

    def call_json(self, *arguments, **variables):
        process = self.call(*arguments, "--json", **variables)
        self.assertEqual(process.returncode, 0, process.stderr)
        return json.loads(process.stdout)


@needs_mesher
class FromSurfaceToSimulation(Kitchen):
    def test_1_tower_rests_and_is_quiet(self):
        summary = self.call_json("run", "kitchen.xml", "--duration", 0.6, "--log", "log.npz", "--log-every", 50)
        self.assertEqual(summary["ended"], "done")
        self.assertEqual(summary["unconverged_steps"], 0)
        self.assertEqual(summary["warnings"], [])
        self.assertLess(summary["final_max_speed"], 1e-4)
        self.assertEqual(len(list((self.folder / "cache/patchfield/meshes").glob("*.vtk"))), 4)

        # Each stands on the one below, upright. The plate touches the rim of the bowl with its corners alone, and sinks in.
        log = np.load(self.folder / "log.npz")
        bodies = log["qpos"][-1].reshape(4, 7)
        bowl = np.loadtxt([line[2:] for line in (self.folder / "bowl.obj").open() if line[0] == "v"])[:, 2].max()
        for pose, height in zip(bodies, [0, bowl, bowl + 0.003, bowl + 0.083]):
            self.assertAlmostEqual(pose[2], height, delta=5e-4)
            self.assertGreater(pose[3], 1 - 1e-5)  # w of the quaternion

    def test_2_second_run_needs_no_mesher_and_gives_the_same_bits(self):
        runs = [self.call_json("run", "kitchen.xml", "--duration", 0.02, PATCHFIELD_PYTHON="/no/python") for _ in "ab"]
        self.assertEqual(runs[0]["energy_end"], runs[1]["energy_end"])

    def test_3_inspect_tells_what_the_model_became(self):
        found = self.call_json("inspect", "kitchen.xml", "--suggest-modulus", "0.5mm", PATCHFIELD_PYTHON="/no/python")
        geoms = {geom["name"]: geom for geom in found["geoms"]}
        self.assertEqual(sorted(geoms), ["bowl", "mug", "plate", "table", "torus"])
        plate = geoms["plate"]
        self.assertGreater(plate["tetrahedra"], 100)
        self.assertAlmostEqual(plate["foundation_depth"], 1.5e-3, delta=1e-9)
        # m·g·H/(E·S) and f·H/(E·S), but for the rim
        area, weight = 0.1 * 0.08, 1000 * 0.1 * 0.08 * 0.003 * 9.81
        for key, load in (("penetration_by_weight", weight), ("penetration_by_press", 10)):
            expected = load * 1.5e-3 / (1e6 * area)
            self.assertAlmostEqual(plate["loads"][key] / expected, 1, delta=0.06)
        self.assertIsNone(geoms["table"]["modulus"])
        self.assertEqual({pair["kind"] for pair in found["pairs"]}, {"compliant", "rigid"})
        self.assertEqual(len(found["pairs"]), 10)
        # With the suggested modulus, the load presses as deep as was allowed.
        text = (self.folder / "kitchen.xml").read_text()
        modulus = geoms["torus"]["loads"]["suggested_modulus"]
        (self.folder / "soft.xml").write_text(text.replace("modulus=1e6", f"modulus={modulus}"))
        soft = self.call_json("inspect", "soft.xml")["geoms"]
        press = next(geom for geom in soft if geom["name"] == "torus")["loads"]["penetration_by_press"]
        self.assertAlmostEqual(press, 0.5e-3, delta=1e-8)

    def test_4_mesh_writes_tetrahedra_that_inspect_accepts(self):
        made = self.call_json("mesh", "plate.obj", "plate.vtk", "--resolution", "20mm", "--modulus", "2MPa")
        self.assertEqual(made["voids"], 0)
        self.assertEqual(made["flat_faces"], 6)
        self.assertGreater(made["inner_vertices"], 10)
        self.assertLess(abs(made["volume_error"]), 1e-9)
        self.assertGreater(made["worst_dihedral_angle_deg"], 2)
        found = self.call_json("inspect", "plate.vtk")
        self.assertTrue(found["works_rigid"] and found["works_compliant"])
        self.assertEqual(found["pressures"], "pressure")
        self.assertAlmostEqual(found["modulus"], 2e6, delta=1e-3)
        self.assertEqual(found["tetrahedra"], made["tetrahedra"])
        text = self.call("mesh", "plate.obj", "again.vtk", "--resolution", "20mm", "--field", "none").stdout
        self.assertIn("inner vertices", text)
        self.assertNotIn("POINT_DATA", (self.folder / "again.vtk").read_text())

    def test_5_a_volume_of_ones_own(self):
        self.call("mesh", "plate.obj", "my plate.vtk", "--resolution", "20mm", "--field", "none")
        text = (self.folder / "kitchen.xml").read_text()
        path = str(self.folder / "my plate.vtk").replace(" ", "%20")
        (self.folder / "own.xml").write_text(text.replace("modulus=1e6", f"volume={path} modulus=1e6", 2)
                                             .replace(f"volume={path} ", "", 1))
        found = self.call_json("inspect", "own.xml")
        plate = next(geom for geom in found["geoms"] if geom["name"] == "plate")
        self.assertEqual(plate["read"], "mesh plate, VTK")


class WhatMaterialsMean(Kitchen):
    """`inspect` without a mesher: resolution, rebound, coast-down, and what was done to a volume of one's own."""

    MODEL = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
      <body pos="0 0 1"><freejoint/><geom name="ball" type="sphere" size=".05" mass=".5"/></body>
      <body pos="1 0 1"><freejoint/><geom name="brick" type="box" size=".1 .1 .1" mass="1"/></body>
      <geom name="pad" type="box" size=".1 .1 .1" pos="3 0 0"/></worldbody><custom>
      <text name="patchfield:ball" data="compliant{}"/><text name="patchfield:brick" data="compliant hunt_crossley=0"/>
      <text name="patchfield:pad" data="compliant hunt_crossley=5"/></custom></mujoco>"""

    def inspect(self, ball, *arguments):
        (self.folder / "model.xml").write_text(self.MODEL.format(ball))
        found = self.call_json("inspect", "model.xml", *arguments)
        return {geom["name"]: geom for geom in found["geoms"]}, found

    def test_default_dissipation_gives_nothing_back(self):
        geoms, found = self.inspect("")
        ball = geoms["ball"]
        self.assertEqual(found["warnings"], [])
        self.assertTrue(ball["hunt_crossley_is_default"])
        self.assertAlmostEqual(ball["resolution"], 0.05 / 8)
        # After a hard blow a body leaves with 1/d.
        speed = (2 * 9.81 * 0.1) ** 0.5
        self.assertAlmostEqual(ball["motion"]["rebound"]["restitution"], 1 / 50 / speed, delta=1e-9)
        self.assertAlmostEqual(ball["motion"]["rebound"]["height"], (1 / 50) ** 2 / 2 / 9.81, delta=1e-9)
        # The slow law, λ = d·g·δ/(4.2 R), brakes too much at this speed: the rear of the patch carries nothing.
        depth = (0.5 * 9.81 / (3.14159265 * 1e7)) ** 0.5
        coast = ball["motion"]["coast_down"]
        slow = 0.5 / (50 * 9.81 * depth / (4.2 * 0.05))
        self.assertGreater(coast["distance"], slow)
        self.assertLess(coast["distance"], 3 * slow)
        text = self.call("inspect", "model.xml").stdout
        self.assertEqual(text.count("Drake's default"), 1)
        self.assertNotIn("mesh of geom", text)

    def test_what_cannot_move_or_roll_has_no_answer(self):
        geoms, _ = self.inspect("")
        self.assertEqual(geoms["pad"]["motion"], {"rebound": None, "coast_down": None})
        self.assertEqual(geoms["floor"]["motion"], {"rebound": None, "coast_down": None})
        self.assertEqual(geoms["brick"]["motion"]["rebound"]["restitution"], 1)
        self.assertIsNone(geoms["brick"]["motion"]["coast_down"])

    def test_suggested_dissipation_rebounds_as_asked(self):
        _, found = self.inspect("", "--suggest-dissipation", "0.75", "--drop", "2.54m")
        d = found["suggested_hunt_crossley"]
        geoms, _ = self.inspect(f" hunt_crossley={d}", "--drop", "2.54m")
        self.assertAlmostEqual(geoms["ball"]["motion"]["rebound"]["height"], 0.75**2 * 2.54, delta=1e-9)

    def test_more_than_a_material_has_is_a_warning(self):
        _, found = self.inspect(" hunt_crossley=100")
        self.assertEqual(len(found["warnings"]), 1)
        self.assertIn("more than a material has", found["warnings"][0])
        _, found = self.inspect(" hunt_crossley=70")
        self.assertEqual(found["warnings"], [])

    def test_repairs_of_a_volume_are_listed(self):
        # A cube of six tetrahedra around its diagonal: all corners are on its surface, so each is split.
        corners = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
        path = [1, 3, 2, 6, 4, 5, 1]
        tets = [(0, path[i], path[i + 1], 7) for i in range(6)]
        (self.folder / "cube.vtk").write_text(
            "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 double\n"
            + "\n".join(" ".join(map(str, c)) for c in corners) + "\nCELLS 6 30\n"
            + "\n".join("4 " + " ".join(map(str, t)) for t in tets) + "\nCELL_TYPES 6\n" + "10\n" * 6)
        found = self.call_json("inspect", "cube.vtk")
        self.assertEqual(found["mesh_repairs"],
                         {"flipped": False, "split": 6, "degenerate": 0, "skirt_shrunk": 0, "skirt_dropped": 0})
        vertices = "  ".join(" ".join(map(str, c)) for c in corners)
        (self.folder / "cube.xml").write_text(
            f"""<mujoco><asset><mesh name="cube" vertex="{vertices}"/></asset><worldbody><geom type="plane" size="1 1 1"/>
            <body><freejoint/><geom name="cube" type="mesh" mesh="cube"/></body></worldbody><custom>
            <text name="patchfield:cube" data="compliant volume={self.folder}/cube.vtk"/></custom></mujoco>""")
        geom = next(g for g in self.call_json("inspect", "cube.xml")["geoms"] if g["name"] == "cube")
        self.assertEqual(geom["mesh_repairs"]["split"], 6)
        self.assertIsNone(geom["resolution"])
        self.assertIn('mesh of geom "cube": 6 tetrahedra without an inside vertex split',
                      self.call("inspect", "cube.xml").stdout)


class BadFiles(Kitchen):
    """One sentence with file and line, exit code 2, nothing written."""

    VTK = ("# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n0 0 0 1 0 0 0 1 0 0 0 1 1 1 1\n"
           "CELLS 2 10\n4 0 1 2 3\n4 1 2 3 4\nCELL_TYPES 2\n10\n{}\n")

    def complains(self, name, content, *parts, arguments=()):
        file = self.folder / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        before = sorted(self.folder.iterdir())
        for command in (["inspect", name], ["mesh", name, "out.vtk"], *arguments):
            process = self.call(*command)
            self.assertEqual(process.returncode, 2, (command, process.stdout, process.stderr))
            self.assertEqual(process.stdout, "")
            self.assertEqual(process.stderr.count("\n"), 1, process.stderr)
            for part in parts:
                self.assertIn(part, process.stderr)
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_vtk(self):
        self.complains("hexahedra.vtk", self.VTK.format(12), "hexahedra.vtk:12: cell 1 is of type 12 (hexahedron)")
        negative = self.VTK.format(10).replace("4 1 2 3 4", "4 1 2 4 3")
        self.complains("negative.vtk", negative, "negative.vtk:9: tetrahedron 1 has negative volume")
        self.complains("claim.vtk", negative.replace("POINTS 5", "POINTS 268435456"), "claim.vtk:5: ", "announced")
        self.complains("short.vtk", negative[:120], "short.vtk:")

    def test_surfaces(self):
        header = b"\0" * 80
        self.complains("empty.stl", header + struct.pack("<I", 0), "empty.stl: the STL file has zero triangles")
        self.complains("claim.stl", header + struct.pack("<I", 2**31 // 50), "claim.stl", "claims 42949672 triangles")
        self.complains("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "bad.obj:4: face names vertex 4")
        self.complains("claim.glb", b"glTF\2\0\0\0\xff\xff\xff\x7f\xff\xff\xff\x7fJSON{}", "claim.glb", "cut off")

    def test_missing(self):
        for command in (["mesh", "no.obj", "out.vtk"], ["inspect", "no.obj"], ["inspect", "no.vtk"], ["run", "no.xml"]):
            process = self.call(*command)
            self.assertEqual(process.returncode, 2)
            self.assertIn("no", process.stderr)
        (self.folder / "m.xml").write_text((self.folder / "kitchen.xml").read_text().replace("bowl.obj", "gone.obj"))
        process = self.call("run", "m.xml")
        self.assertEqual(process.returncode, 2)
        self.assertIn("gone.obj", process.stderr)
        text = (self.folder / "kitchen.xml").read_text().replace("resolution=0.02", "volume=/no/thing.vtk", 1)
        (self.folder / "v.xml").write_text(text)
        process = self.call("run", "v.xml")
        self.assertEqual(process.returncode, 2)
        self.assertIn('geom "bowl": /no/thing.vtk: no such file', process.stderr)

    def test_options(self):
        for arguments, word in ((["plate.obj", "out.obj"], ".vtk"), (["plate.obj", "out.vtk", "--resolution", "5kg"], "0.5mm"),
                                (["plate.obj", "out.vtk", "--resolution", "-1"], "above 0"),
                                (["plate.obj", "out.vtk", "--field", "magnetic"], "distance")):
            process = self.call("mesh", *arguments)
            self.assertEqual(process.returncode, 2)
            self.assertIn(word, process.stderr)
        self.assertFalse((self.folder / "out.vtk").exists())
        process = self.call("mesh", "plate.obj", "out.vtk", PATCHFIELD_PYTHON="/no/python")
        self.assertEqual(process.returncode, 2)
        self.assertIn("make venv", process.stderr)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    sys.exit(run_tests("mesh_test"))
