#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Contact-surface queries, Drake and Patchfield side by side, from one run.

Four pairs at about the face counts of docs/peers: compliant sphere – compliant sphere, compliant sphere –
rigid box, compliant sphere – rigid half space, tetrahedral box – tetrahedral box. Both columns use one
thread and process CPU time, polygon tessellation, the same poses, and are measured in alternating rounds.
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
