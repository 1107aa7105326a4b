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
        self.assertEqual(len(list((self.folder / "cache/patchfield/meshes").iterdir())), 4)

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
