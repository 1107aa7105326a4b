# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""How fine must a ball be meshed to roll? The table of docs/shapes.md.

A ball of water's density lies on a rigid plane under its own weight, in random orientations. Printed are its depth over that of a round ball,
the steepest slope on which it would still rest on a facet (center of pressure beside the middle, over the radius) and the faces of its patch.

  PYTHONPATH=build/release/python .venv/bin/python bench/python/ball_facets.py
"""

import argparse

import numpy as np

import patchfield as pf

DENSITY, GRAVITY = 1000.0, 9.81


def random_rotation(rng):
    w, x, y, z = (q := rng.normal(size=4)) / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def lie(ball, floor, rotation, radius, weight):
    """Depth below the round surface at which the plane carries the weight, and the patch there."""
    pose = np.eye(4)
    pose[:3, :3] = rotation
    low, high = 0.0, 0.5 * radius
    for _ in range(50):
        middle = 0.5 * (low + high)
        pose[2, 3] = radius - middle
        patch = pf.contact_surface(floor, np.eye(4), ball, pose)
        if patch.num_faces == 0 or patch.force_on_B[2] < weight:
            low = middle
        else:
            high = middle
    pose[2, 3] = radius - high
    return high, pf.contact_surface(floor, np.eye(4), ball, pose)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--modulus", type=float, default=1e7)
    parser.add_argument("--orientations", type=int, default=60)
    options = parser.parse_args()
    floor = pf.Rigid(pf.HalfSpace())
    print("  r [mm]  edge        tets  depth/round  slope [deg]  faces")
    for radius in (0.01, 0.02, 0.05):
        weight = DENSITY * GRAVITY * 4 / 3 * np.pi * radius**3
        depth_of_round = np.sqrt(weight / (np.pi * options.modulus))
        for name, edge in [("2 cm", 0.02)] + [(f"r/{n}", radius / n) for n in (4, 6, 8, 12, 16)]:
            ball = pf.Compliant(pf.Sphere(radius), options.modulus, resolution=edge)
            segments = 4 * max(2, int(np.ceil(np.pi * radius / (2 * edge) * (1 - 1e-9))))
            rng = np.random.default_rng(1)
            depths, offsets, faces = [], [], []
            for _ in range(options.orientations):
                depth, patch = lie(ball, floor, random_rotation(rng), radius, weight)
                depths.append(depth / depth_of_round)
                offsets.append(np.hypot(*patch.center_of_pressure[:2]) / radius)
                faces.append(patch.num_faces)
            print(f"  {1e3 * radius:6.0f}  {name:6s} {segments**2 // 2:9d}  {np.mean(depths):11.2f}"
                  f"  {np.degrees(np.arctan(max(offsets))):11.2f}  {np.mean(faces):5.1f}", flush=True)


if __name__ == "__main__":
    main()
