#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Cuts tetrahedral meshes (legacy ASCII .vtk with pressures) along y = 0 and draws the cuts, coloured by pressure.

    tools/draw_mesh.py out.svg bowl.vtk mug.vtk …
"""

import re
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.collections import PolyCollection  # noqa: E402


def read_vtk(path):
    """Vertices, tetrahedra and pressures of a file that patchfield mesh wrote."""
    text = open(path).read()

    def numbers(start, count, kind):
        at = re.search(start, text).end()
        return np.array(text[at:].split(maxsplit=count)[:count], dtype=kind)

    num_vertices = int(re.search(r"POINTS (\d+)", text)[1])
    num_tets = int(re.search(r"CELLS (\d+)", text)[1])
    vertices = numbers(r"POINTS \d+ \w+\n", 3 * num_vertices, float).reshape(-1, 3)
    tets = numbers(r"CELLS \d+ \d+\n", 5 * num_tets, int).reshape(-1, 5)[:, 1:]
    return vertices, tets, numbers(r"LOOKUP_TABLE default\n", num_vertices, float)


def cut(vertices, tets, pressures, y=1e-7):
    """Polygons (x, z) of the tetrahedra on the plane, each with its mean pressure. Slightly off zero: no vertex hit."""
    polygons, colours = [], []
    for tet in tets:
        inside = [v for v in tet if vertices[v, 1] < y]
        outside = [v for v in tet if vertices[v, 1] >= y]
        if not inside or not outside:
            continue
        points = []
        for a in inside:
            for b in outside:
                s = (y - vertices[a, 1]) / (vertices[b, 1] - vertices[a, 1])
                x = vertices[a] + s * (vertices[b] - vertices[a])
                points.append((x[0], x[2], pressures[a] + s * (pressures[b] - pressures[a])))
        points = np.array(points)
        centre = points[:, :2].mean(axis=0)
        order = np.argsort(np.arctan2(*(points[:, :2] - centre).T))
        polygons.append(1e3 * points[order, :2])
        colours.append(points[:, 2].mean())
    return polygons, np.array(colours)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    figure, axes = plt.subplots(1, len(sys.argv) - 2, figsize=(4.6 * (len(sys.argv) - 2), 3.6), squeeze=False)
    for axis, path in zip(axes[0], sys.argv[2:]):
        polygons, colours = cut(*read_vtk(path))
        axis.add_collection(PolyCollection(polygons, array=colours, cmap="viridis", edgecolor="white", linewidth=0.25))
        axis.autoscale()
        axis.set_aspect("equal")
        axis.set_title(re.sub(r".*/|\.vtk$", "", path), fontsize=10)
        axis.set_xlabel("x [mm]", fontsize=8)
        axis.tick_params(labelsize=7)
    plt.rcParams["svg.hashsalt"] = "patchfield"
    figure.tight_layout()
    figure.savefig(sys.argv[1], metadata={"Date": None})


if __name__ == "__main__":
    main()
