#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Contact-surface queries, Drake and Patchfield side by side, from one run.

Pairs refined step by step: compliant sphere – compliant sphere, compliant sphere – rigid box,
compliant sphere – rigid half space, tetrahedral box – tetrahedral box. Both columns use one thread and
process CPU time, polygon tessellation, the same poses, and are measured in alternating rounds.
Faces, area and force stand beside the time: a wrong surface is not a fast one.

    make peers                                  (or: python3 bench/peers/geometry.py)
    python3 bench/peers/geometry.py --json out/geometry.json --csv out/geometry.csv

Our side is build/release/bench/kernels/geometry_pairs. Its contract:

  stdin    a JSON list of jobs
           [{"a": SHAPE, "X_WA": POSE,
             "b": SHAPE, "X_WB": [POSE, …],      one or more poses, cycled while timing
             "min_time_s": 0.1}, …]              CPU time to spend on timing; 0: one query per pose, no timing
  SHAPE    {"shape": "sphere",     "radius": 0.05,               + COMPLIANCE}
           {"shape": "box",        "size": [x, y, z],            + COMPLIANCE}
           {"shape": "half_space",                               + COMPLIANCE}
           {"shape": "tet_mesh",   "vertices": [[x, y, z], …], "tets": [[i, j, k, l], …], + COMPLIANCE}
  COMPLIANCE  "compliant": true, "modulus": 1e6, "resolution": 0.01   or   "compliant": false, "resolution": 0.01
           ("resolution" may be missing where it has no effect)
  POSE     16 numbers, the 4×4 matrix row by row; metres
  stdout   a JSON list of results in the order of the jobs
           [{"faces": n, "vertices": n, "area": m², "force": N, "us": µs}, …]
           faces, vertices, area and force belong to the FIRST pose of X_WB; force is ‖Σ A·p_c·n̂‖;
           us is CPU microseconds per warm query (both trees built, outputs reused), 0 if min_time_s is 0.
           A rigid–rigid pair or a separated one has faces 0.
  errors   a line on stderr and exit code 1.
"""

import argparse
import csv
import itertools
import json
import logging
import math
import statistics
import sys
import tempfile
import time
from pathlib import Path

from common import BUILD, context, enter_venv, exponent, run_ours

OURS = BUILD / "bench" / "kernels" / "geometry_pairs"

MODULUS = 1e6  # Pa
RADIUS = 0.05  # m, of the spheres; the boxes have edges of 2·RADIUS
NUM_POSES = 8  # cycled while timing, so that no branch predictor learns one surface by heart
JITTER = 1e-3  # of the poses, relative to RADIUS: far below an edge length, enough to change every face


# ---------------------------------------------------------------------------------------------- scenes


def rotation(roll, pitch, yaw):
    import numpy as np

    cr, sr, cp, sp, cy, sy = (f(a) for a in (roll, pitch, yaw) for f in (math.cos, math.sin))
    Rx = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    Ry = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    Rz = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return Rz @ Ry @ Rx


def pose(rpy, p):
    import numpy as np

    X = np.eye(4)
    X[:3, :3], X[:3, 3] = rotation(*rpy), p
    return X


def jittered(rpy, p):
    """NUM_POSES poses around one, the first being that one exactly."""
    import numpy as np

    random = np.random.default_rng(1)
    shifts = JITTER * random.uniform(-1, 1, (NUM_POSES, 6))
    shifts[0] = 0
    return [pose(np.add(rpy, s[:3]), np.add(p, RADIUS * s[3:])) for s in shifts]


def box_grid(n):
    """Vertices and tetrahedra of a cube of n³ cells, n even, six tetrahedra per cell about its diagonal.

    The diagonals run outwards from the centre of the cube in each octant: the mesh is symmetric, its faces hold
    the medial planes |x| = |y| …, so the distance field is exactly piecewise linear on it, and no tetrahedron has
    all its vertices on the boundary (Drake would leave a void of zero pressure there, we would split it).
    So area and force are the same for every n, in both systems.
    """
    import numpy as np

    half = n // 2
    index = {ijk: v for v, ijk in enumerate(itertools.product(range(n + 1), repeat=3))}
    vertices = (np.array(list(index)) / n - 0.5) * 2 * RADIUS
    tets = []
    for cell in itertools.product(range(n), repeat=3):
        # From the corner nearest to the centre, outwards along one axis after the other.
        inner = [c if c >= half else c + 1 for c in cell]
        step = [1 if c >= half else -1 for c in cell]
        for axes in itertools.permutations(range(3)):
            corner, tet = list(inner), [index[tuple(inner)]]
            for axis in axes:
                corner[axis] += step[axis]
                tet.append(index[tuple(corner)])
            a, b, c, d = vertices[tet]
            if np.dot(np.cross(b - a, c - a), d - a) < 0:
                tet[1], tet[2] = tet[2], tet[1]
            tets.append(tet)
    return vertices, tets


def sphere(resolution):
    return {"shape": "sphere", "radius": RADIUS, "compliant": True, "modulus": MODULUS, "resolution": resolution}


def tet_box(n):
    vertices, tets = box_grid(n)
    return {"shape": "tet_mesh", "vertices": vertices.tolist(), "tets": tets, "compliant": True, "modulus": MODULUS}


def resolution_of(segments):
    """The hint that gives `segments` edges around the sphere: N = ⌈2πr/h⌉, a little below the jump."""
    return 2 * math.pi * RADIUS / segments * (1 + 1e-9)


class Pair:
    """One pair of shapes at several refinements; `size` is segments around the sphere or cells along the box."""

    def __init__(self, name, title, drake_sizes, our_last_faces, shapes, X_WA, poses_WB):
        self.name, self.title, self.drake_sizes = name, title, drake_sizes
        self.our_last_faces = our_last_faces
        self.shapes, self.X_WA, self.poses_WB = shapes, X_WA, poses_WB
        self.is_sphere = name.startswith("sphere")

    def job(self, size, min_time_s):
        a, b = self.shapes(size)
        return {
            "a": a,
            "X_WA": self.X_WA.flatten().tolist(),
            "b": b,
            "X_WB": [X.flatten().tolist() for X in self.poses_WB],
            "min_time_s": min_time_s,
        }


def pairs():
    """The pairs and, for Drake, the face counts that the project measures itself by since its start.

    The rigid box comes twice: a ground slab, and the cube of 20 radii that was Drake's best case among the boxes
    tried (its cost depends by a factor of four on how its tree happens to group the twelve triangles).
    """
    R, edge = RADIUS, 2 * RADIUS
    level = (0, 0, 0)
    tilted = pose((0.3, 0.2, 0.1), [0, 0, 0])
    half_space = {"shape": "half_space", "compliant": False}
    slab = {"shape": "box", "size": [10 * R, 10 * R, 2 * R], "compliant": False}
    cube = {"shape": "box", "size": [20 * R, 20 * R, 20 * R], "compliant": False}

    def sphere_and(other):
        return lambda n: (sphere(resolution_of(n)), other or sphere(resolution_of(n)))

    return [
        Pair("sphere_sphere", "compliant sphere – compliant sphere", [16, 32, 64, 128, 256], 1e5,
             sphere_and(None), pose((-0.79, 0.44, 0.77), [0, 0, 0]), jittered((0.14, -0.29, -0.5), [0, 0, 1.59 * R])),
        Pair("sphere_slab", "compliant sphere – rigid box (slab of 10 × 10 × 2 radii)", [16, 64, 128, 256], 1e5,
             sphere_and(slab), tilted, jittered(level, [0, 0, -1.6 * R])),
        Pair("sphere_cube", "compliant sphere – rigid box (cube of 20 radii)", [16, 64, 128, 256], 1e5,
             sphere_and(cube), tilted, jittered(level, [0, 0, -10.6 * R])),
        Pair("sphere_half_space", "compliant sphere – rigid half space", [32, 128, 256], 1e5,
             sphere_and(half_space), tilted, jittered(level, [0, 0, -0.6 * R])),
        Pair("box_box", "tetrahedral box – tetrahedral box", [2, 4, 8, 16], 3e4,
             lambda n: (tet_box(n), tet_box(n)), pose(level, [0, 0, 0]),
             jittered((-0.1, -0.15, 0.14), [0.011 * edge, 0.017 * edge, 0.836 * edge])),
    ]


# ---------------------------------------------------------------------------------------------- Drake


def write_vtk(shape, path):
    with open(path, "w") as file:
        vertices, tets = shape["vertices"], shape["tets"]
        file.write("# vtk DataFile Version 3.0\nbox\nASCII\nDATASET UNSTRUCTURED_GRID\n")
        file.write(f"POINTS {len(vertices)} double\n")
        file.writelines("%.17g %.17g %.17g\n" % tuple(v) for v in vertices)
        file.write(f"CELLS {len(tets)} {5 * len(tets)}\n")
        file.writelines("4 %d %d %d %d\n" % tuple(t) for t in tets)
        file.write(f"CELL_TYPES {len(tets)}\n" + "10\n" * len(tets))


class Drake:
    """A scene graph with the two geometries and one context per pose, so that only the query is timed.

    ComputeContactSurfaces is not cached by Drake; the update of poses is, and happens before the clock starts.
    """

    def __init__(self, job, folder):
        import numpy as np
        from pydrake import geometry
        from pydrake.math import RigidTransform

        logging.getLogger("drake").setLevel(logging.ERROR)  # it warns that rigid half spaces do not deform
        self.kind = geometry.HydroelasticContactRepresentation.kPolygon
        graph = geometry.SceneGraph()
        source = graph.RegisterSource("pair")
        frames = [graph.RegisterFrame(source, geometry.GeometryFrame(name)) for name in "ab"]
        for name, frame in zip("ab", frames):
            instance = geometry.GeometryInstance(RigidTransform(), self._shape(job[name], f"{folder}/{name}.vtk"), name)
            instance.set_proximity_properties(self._properties(job[name]))
            graph.RegisterGeometry(source, frame, instance)

        def query_at(X_WB):
            context = graph.CreateDefaultContext()
            poses = geometry.FramePoseVector()
            poses.set_value(frames[0], RigidTransform(np.reshape(job["X_WA"], (4, 4))))
            poses.set_value(frames[1], RigidTransform(X_WB))
            graph.get_source_pose_port(source).FixValue(context, poses)
            query = graph.get_query_output_port().Eval(context)
            query.ComputeContactSurfaces(self.kind)
            return context, query

        self.graph = graph
        self.held = [query_at(np.reshape(X, (4, 4))) for X in job["X_WB"]]
        far = np.eye(4)
        far[:3, 3] = [0, 0, -100 * RADIUS if job["b"]["shape"] == "half_space" else 100 * RADIUS]
        self.held_apart = [query_at(far)]

    @staticmethod
    def _shape(shape, vtk):
        from pydrake import geometry

        if shape["shape"] == "sphere":
            return geometry.Sphere(shape["radius"])
        if shape["shape"] == "box":
            return geometry.Box(*shape["size"])
        if shape["shape"] == "half_space":
            return geometry.HalfSpace()
        write_vtk(shape, vtk)
        return geometry.Mesh(vtk, 1.0)

    @staticmethod
    def _properties(shape):
        from pydrake import geometry

        properties = geometry.ProximityProperties()
        resolution = shape.get("resolution", RADIUS)
        if shape["compliant"]:
            geometry.AddCompliantHydroelasticProperties(resolution, shape["modulus"], properties)
        else:
            geometry.AddRigidHydroelasticProperties(resolution, properties)
        return properties

    def surface(self):
        """Faces, vertices, area and ‖Σ A·p_c·n̂‖ at the first pose."""
        import numpy as np

        (surface,) = self.held[0][1].ComputeContactSurfaces(self.kind)
        mesh, field = surface.poly_mesh_W(), surface.poly_e_MN()
        force = np.zeros(3)
        for f in range(mesh.num_elements()):
            force += mesh.area(f) * field.EvaluateCartesian(f, mesh.element_centroid(f)) * mesh.face_normal(f)
        return {
            "faces": mesh.num_elements(),
            "vertices": mesh.num_vertices(),
            "area": mesh.total_area(),
            "force": float(np.linalg.norm(force)),
        }

    def time_us(self, min_time_s):
        """CPU µs per query, less what the same call costs for a pair that is far apart (binding, culling)."""
        return self._time_us(self.held, min_time_s) - self._time_us(self.held_apart, min(0.01, min_time_s))

    def _time_us(self, held, min_time_s):
        queries, kind = [query for _, query in held], self.kind
        count, started = 0, time.process_time()
        while True:
            for query in queries:
                query.ComputeContactSurfaces(kind)
            count += len(queries)
            spent = time.process_time() - started
            if spent >= min_time_s:
                return spent / count * 1e6


# ---------------------------------------------------------------------------------------------- ours


def our_size_for(pair, faces, guess):
    """The refinement of ours whose face count is nearest to `faces`: our spheres have other triangles than Drake's."""
    counts = {}
    step = 4 if pair.is_sphere else 2
    for _ in range(6):
        around = {max(step, step * round(guess / step) + step * k) for k in (-1, 0, 1)} - counts.keys()
        if not around:
            break
        sizes = sorted(around)
        for size, result in zip(sizes, run_ours(OURS, [pair.job(size, 0) for size in sizes])):
            counts[size] = result["faces"]
        best = min(counts, key=lambda s: abs(counts[s] - faces))
        # Faces grow with the square of the size; end when the neighbours of the best are known.
        surrounded = {best - step, best + step} <= counts.keys() | {0}
        guess = best if surrounded else best * math.sqrt(faces / max(counts[best], 1))
    return min(counts, key=lambda s: abs(counts[s] - faces))


# ---------------------------------------------------------------------------------------------- the run


def measure(pair, size, options, folder):
    """One row: both systems in alternating rounds, the median of each."""
    drake_job = pair.job(size, 0)
    drake = Drake(drake_job, folder)
    row = {"pair": pair.name, "drake": dict(drake.surface(), size=size)}
    if options.ours:
        our_size = our_size_for(pair, row["drake"]["faces"], size) if pair.is_sphere else size
        row["ours"] = {"size": our_size}
    times = {"drake": [], "ours": []}
    for _ in range(options.rounds):
        times["drake"].append(drake.time_us(options.min_time))
        if options.ours:
            (result,) = run_ours(OURS, [pair.job(row["ours"]["size"], options.min_time)])
            row["ours"].update(result)
            times["ours"].append(result["us"])
    for side in [side for side in times if side in row]:
        row[side]["us"] = statistics.median(times[side])
        row[side]["us_min"], row[side]["us_max"] = min(times[side]), max(times[side])
    if options.ours:
        row["ratio"] = row["drake"]["us"] / row["ours"]["us"]
    return row


def measure_ours_further(pair, last, options):
    """Rows of ours alone, beyond what Drake is asked for, up to 10⁵ faces: for the exponent."""
    rows, size, faces = [], last["size"], last["faces"]
    while faces * 4 <= pair.our_last_faces * 1.1 or not rows and faces < pair.our_last_faces / 2:
        size *= 2
        results = [run_ours(OURS, [pair.job(size, options.min_time)])[0] for _ in range(options.rounds)]
        result = dict(results[0], us=statistics.median(r["us"] for r in results), size=size)
        faces = result["faces"]
        rows.append({"pair": pair.name, "ours": result})
    return rows


def exponent_of(rows, side):
    """How the time of one side grows with the faces, from 50 faces on."""
    return exponent([(r[side]["faces"], r[side]["us"]) for r in rows if side in r and r[side]["faces"] >= 50])


def print_row(row):
    nothing = {"faces": math.nan, "us": math.nan, "area": math.nan, "force": math.nan}
    d, o = row.get("drake", nothing), row.get("ours", nothing)
    line = (
        f"  {d['faces']:>7} {o['faces']:>7}  {d['us']:>11,.1f} {o['us']:>11,.1f} {row.get('ratio', math.nan):>7.1f}"
        f"  {d['us'] / d['faces']:>7.3f} {o['us'] / o['faces']:>7.3f}"
        f"  {d['area'] * 1e4:>9.5f} {o['area'] * 1e4:>9.5f}  {d['force']:>10.4f} {o['force']:>10.4f}"
    )
    print(line.replace("nan", "  –"), flush=True)


def write_csv(path, rows, about):
    fields = ["pair", "side", "size", "faces", "vertices", "area", "force", "us", "us_min", "us_max", *about]
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, fields, extrasaction="ignore")
        writer.writeheader()
        for row in rows:
            for side in ("drake", "ours"):
                if side in row:
                    writer.writerow({"pair": row["pair"], "side": side, **row[side], **about})


def main():
    parser = argparse.ArgumentParser(description="Contact-surface queries: Drake and Patchfield side by side.")
    parser.add_argument("--json", type=Path, help="write all numbers to this file")
    parser.add_argument("--csv", type=Path, help="write one line per row and side to this file")
    parser.add_argument("--pair", action="append", help="only this pair (may be repeated)")
    parser.add_argument("--rounds", type=int, default=5, help="alternating rounds per row (median is shown)")
    parser.add_argument("--min-time", type=float, default=0.1, help="CPU seconds per round and side")
    parser.add_argument("--drake-only", dest="ours", action="store_false", help="leave our side out")
    options = parser.parse_args()
    enter_venv()
    if options.ours and not OURS.exists():
        sys.exit(f"peers: {OURS} is not built; run make build first (or give --drake-only)")

    about = context()
    print("  ".join(f"{key}: {value}" for key, value in about.items()))
    print("One thread, CPU time; area in cm², force in N at the first of the cycled poses.")
    rows, exponents = [], {}
    for pair in pairs():
        if options.pair and pair.name not in options.pair:
            continue
        print(f"\n{pair.title}")
        print(f"  {'faces':^15}  {'µs per query':^23} {'':>7}  {'µs per face':^15}  {'area':^19}  {'force':^21}")
        print(f"  {'Drake':>7} {'ours':>7}  {'Drake':>11} {'ours':>11} {'ratio':>7}  {'Drake':>7} {'ours':>7}"
              f"  {'Drake':>9} {'ours':>9}  {'Drake':>10} {'ours':>10}")
        mine = []
        with tempfile.TemporaryDirectory() as folder:
            for size in pair.drake_sizes:
                mine.append(measure(pair, size, options, folder))
                print_row(mine[-1])
        if options.ours:
            for row in measure_ours_further(pair, mine[-1]["ours"], options):
                mine.append(row)
                print_row(row)
        exponents[pair.name] = {side: exponent_of(mine, side) for side in ("drake", "ours")}
        known = [f"{e:.2f} ({side})" for side, e in exponents[pair.name].items() if not math.isnan(e)]
        print("  cost grows as faces^" + ", ".join(known))
        rows += mine

    for path in (options.json, options.csv):
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)
    if options.json:
        options.json.write_text(json.dumps({"context": about, "rows": rows, "exponents": exponents}, indent=1))
    if options.csv:
        write_csv(options.csv, rows, about)


if __name__ == "__main__":
    main()
