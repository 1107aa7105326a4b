#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the kitchen of the mesh tests as OBJ: a bowl, a torus, a mug with a handle and a 3 mm plate.

    models/make_meshes.py out/kitchen [--segments 32]
    patchfield run out/kitchen/kitchen.xml

All are closed, non-convex (but the plate) and stand on z = 0 with a flat foot. The mug's handle is a second closed
surface that runs into the wall: a self-intersection, as exporters of real parts leave them. Sizes in metres.
"""

import argparse
import shutil
from pathlib import Path

import numpy as np


def revolve(profile, segments):
    """A closed profile [(r, z), …], counter-clockwise with r to the right, turned about z. r = 0 becomes one vertex."""
    vertices, rings = [], []
    for r, z in profile:
        if r == 0.0:
            rings.append([len(vertices)] * segments)
            vertices.append((0.0, 0.0, z))
            continue
        rings.append(list(range(len(vertices), len(vertices) + segments)))
        angles = 2 * np.pi * np.arange(segments) / segments
        vertices += [(r * np.cos(a), r * np.sin(a), z) for a in angles]
    triangles = []
    for lower, upper in zip(rings, rings[1:] + rings[:1]):
        for i in range(segments):
            j = (i + 1) % segments
            for t in ((lower[i], lower[j], upper[j]), (lower[i], upper[j], upper[i])):
                if len(set(t)) == 3:
                    triangles.append(t)
    return np.array(vertices), np.array(triangles)


def arc(center, radius, start, stop, n):
    """n + 1 points (r, z) on a circle; angles in degrees from +r towards +z."""
    angles = np.radians(np.linspace(start, stop, n + 1))
    return [(center[0] + radius * np.cos(a), center[1] + radius * np.sin(a)) for a in angles]


def bowl(segments, radius=0.06, wall=0.003, foot=0.025):
    """Half a sphere with a wall of 3 mm on a flat foot."""
    outer_start = -np.degrees(np.arccos(foot / radius))
    center = (0.0, radius * np.sin(np.radians(-outer_start)))
    rise = segments // 4
    outer = arc(center, radius, outer_start, 0, rise)
    floor = wall  # the inside begins `wall` above the table
    inner_radius = radius - wall
    inner_end = -np.degrees(np.arcsin((center[1] - floor) / inner_radius))
    inner = arc(center, inner_radius, 0, inner_end, rise)
    profile = [(0.0, 0.0), *outer, *inner, (0.0, floor)]
    profile[1] = (foot, 0.0)
    return revolve(profile, segments)


def torus(segments, ring=0.04, tube=0.012):
    """A ring whose tube is cut off at the bottom, so that it stands."""
    foot = np.degrees(np.arcsin(0.8))  # below this angle, 0.8 tube radii under the middle
    profile = arc((ring, 0.8 * tube), tube, -foot, 180 + foot, segments // 2)
    profile[0], profile[-1] = (profile[0][0], 0.0), (profile[-1][0], 0.0)
    return revolve(profile, segments)


def mug(segments, radius=0.035, height=0.08, wall=0.004):
    """A cup with a handle that runs into its wall."""
    inner = radius - wall
    cup = revolve([(0, 0), (radius, 0), (radius, height), (inner, height), (inner, wall), (0, wall)], segments)
    # The handle: a tube along half an ellipse in the x-z plane whose ends lie in the middle of the wall.
    n, around = segments // 2, segments // 4
    vertices, rings = [], []
    for a in np.radians(np.linspace(-90, 90, n + 1)):
        center = np.array([radius - wall / 2 + 0.025 * np.cos(a), 0, height / 2 + 0.028 * np.sin(a)])
        normal = np.array([np.cos(a) / 0.025, 0, np.sin(a) / 0.028])
        normal /= np.linalg.norm(normal)
        rings.append(list(range(len(vertices), len(vertices) + around)))
        for b in 2 * np.pi * np.arange(around) / around:
            vertices.append(center + 0.004 * (np.cos(b) * normal + np.sin(b) * np.array([0, 1.0, 0])))
    triangles = []
    for lower, upper in zip(rings, rings[1:]):
        for i in range(around):
            j = (i + 1) % around
            triangles += [(lower[i], upper[j], lower[j]), (lower[i], upper[i], upper[j])]
    for i in range(1, around - 1):  # the two ends, fans that face away from each other
        triangles += [tuple(rings[0][j] for j in (0, i, i + 1)), tuple(rings[-1][j] for j in (0, i + 1, i))]
    handle = np.array(vertices), np.array(triangles)
    if signed_volume(*handle) < 0:
        handle = handle[0], handle[1][:, ::-1]
    return np.vstack([cup[0], handle[0]]), np.vstack([cup[1], handle[1] + len(cup[0])])


def plate(_segments, width=0.1, depth=0.08, height=0.003):
    """3 mm thin; two triangles per side."""
    x, y = width / 2, depth / 2
    vertices = np.array([(sx * x, sy * y, z) for z in (0, height) for sy in (-1, 1) for sx in (-1, 1)])
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return vertices, np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])


def signed_volume(vertices, triangles):
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6


def write_obj(path, vertices, triangles):
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in vertices]
    lines += [f"f {i + 1} {j + 1} {k + 1}" for i, j, k in triangles]
    path.write_text("# by models/make_meshes.py\n" + "\n".join(lines) + "\n")


SHAPES = {"bowl": bowl, "torus": torus, "mug": mug, "plate": plate}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--segments", type=int, default=32, help="around the axis; a multiple of 4")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name, make in SHAPES.items():
        vertices, triangles = make(arguments.segments)
        write_obj(arguments.folder / f"{name}.obj", vertices, triangles)
        print(f"{name}: {len(vertices)} vertices, {len(triangles)} triangles, {1e6 * signed_volume(vertices, triangles):.3f} cm³")
    shutil.copy(Path(__file__).with_name("kitchen.xml"), arguments.folder)


if __name__ == "__main__":
    main()
