#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""fTetWild as it is, fTetWild as Patchfield uses it, and what a lattice would need, on the kitchen's surfaces.

    .venv/bin/python bench/peers/meshers.py build/release/apps/cli/patchfield

Printed as rows of docs/meshing.md: tetrahedra, vertices inside, worst dihedral angle, error of the volume, how far the vertices of the flat
foot are from its plane, whether two runs give the same bits, CPU seconds. The lattice is arithmetic, not a run: a
body-centred lattice has 12 tetrahedra per cell, and a wall has a vertex inside for sure only if it is two cells thick.
"""

import hashlib
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
RESOLUTION = 0.01
WALL = {"plate": 3e-3, "bowl": 3e-3, "mug": 4e-3, "torus": 20e-3}

AS_IT_IS = """
import sys, numpy as np, wildmeshing
v = np.array([l.split()[1:] for l in open(sys.argv[1]) if l[0] == "v"], float)
f = np.array([l.split()[1:] for l in open(sys.argv[1]) if l[0] == "f"], int) - 1
size = np.linalg.norm(v.max(0) - v.min(0))
m = wildmeshing.Tetrahedralizer(edge_length_r=float(sys.argv[2]) / size, epsilon=1e-3, max_threads=1)
m.set_log_level(6)
m.set_mesh(v, f)
m.tetrahedralize()
np.savez(sys.argv[3], v=m.get_tet_mesh()[0], t=m.get_tet_mesh()[1])
"""


def cpu_seconds(command, cwd):
    """Runs it; the CPU time of the process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def boundary_triangles(t):
    faces = np.sort(np.vstack([t[:, [1, 2, 3]], t[:, [0, 2, 3]], t[:, [0, 1, 3]], t[:, [0, 1, 2]]]), axis=1)
    unique, count = np.unique(faces, axis=0, return_counts=True)
    return unique[count == 1]


def worst_dihedral(v, t):
    worst = 180.0
    for a, b, c, d in ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2), (1, 2, 0, 3), (1, 3, 0, 2), (2, 3, 0, 1)):
        axis = v[t[:, b]] - v[t[:, a]]
        axis /= np.linalg.norm(axis, axis=1, keepdims=True)
        u, w = (x - axis * np.sum(axis * x, axis=1, keepdims=True) for x in (v[t[:, c]] - v[t[:, a]], v[t[:, d]] - v[t[:, a]]))
        cosine = np.sum(u * w, axis=1) / np.linalg.norm(u, axis=1) / np.linalg.norm(w, axis=1)
        worst = min(worst, np.degrees(np.arccos(np.clip(cosine, -1, 1))).min())
    return worst


def describe(name, v, t, volume, same, seconds):
    outer = np.unique(boundary_triangles(t))
    inner = len(np.unique(t)) - len(outer)
    edges = v[t[:, 1:]] - v[t[:, :1]]
    total = np.abs(np.einsum("ij,ij->i", np.cross(edges[:, 0], edges[:, 1]), edges[:, 2])).sum() / 6
    foot = v[outer][v[outer, 2] < 3e-4, 2]  # the vertices that belong to the plane z = 0
    bumps = np.abs(foot).max() if len(foot) else float("nan")
    print(f"| {name} | {len(t)} | {inner} | {worst_dihedral(v, t):.1f}° | {100 * (total / volume - 1):+.2f} % | "
          f"{1e6 * bumps:.3g} µm | {'yes' if same else 'no'} | {seconds:.1f} s |", flush=True)


def read_vtk(path):
    words = path.read_text().split()
    at, n = words.index("POINTS"), int(words[words.index("POINTS") + 1])
    v = np.array(words[at + 3:at + 3 + 3 * n], float).reshape(-1, 3)
    at, n = words.index("CELLS"), int(words[words.index("CELLS") + 1])
    return v, np.array(words[at + 3:at + 3 + 5 * n], int).reshape(-1, 5)[:, 1:]


def main():
    program = Path(sys.argv[1]).resolve()
    print("| | tetrahedra | inside | worst dihedral | volume | bumps of the foot | same bits | CPU |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        subprocess.run([sys.executable, ROOT / "models/make_meshes.py", folder], check=True, stdout=subprocess.DEVNULL)
        for shape in ("plate", "bowl", "torus", "mug"):
            obj, hashes = folder / f"{shape}.obj", []
            for _ in range(2):
                seconds = cpu_seconds([sys.executable, "-c", AS_IT_IS, obj, str(RESOLUTION), "raw.npz"], folder)
                raw = np.load(folder / "raw.npz")
                hashes.append(hashlib.sha256(raw["v"].tobytes() + raw["t"].tobytes()).digest())
            command = [program, "mesh", obj, "ours.vtk", "--field", "none", "--resolution", str(RESOLUTION), "--json"]
            texts = []
            for _ in range(2):
                ours = cpu_seconds(command, folder)
                texts.append((folder / "ours.vtk").read_text())
            volume = json.loads(subprocess.run([program, "inspect", obj, "--json"], check=True, capture_output=True,
                                               cwd=folder).stdout)["enclosed_volume"]
            describe(f"{shape}, fTetWild as it is", raw["v"], raw["t"], volume, hashes[0] == hashes[1], seconds)
            describe(f"{shape}, Patchfield", *read_vtk(folder / "ours.vtk"), volume, texts[0] == texts[1], ours)
            print(f"| {shape}, lattice of {500 * WALL[shape]:.2g} mm | {12 * volume / (WALL[shape] / 2) ** 3:.0f} | | | | | | |")


if __name__ == "__main__":
    main()
