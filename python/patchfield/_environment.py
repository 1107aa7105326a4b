# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Tells the library and the program where this installation has what they run: see docs/meshing.md."""

import os
import sys
from pathlib import Path


def prepare() -> None:
    """Variables that someone has set already stay."""
    os.environ.setdefault("PATCHFIELD_PYTHON", sys.executable)
    seeds = list((Path(__file__).parent / "lib").glob("*mesher_seed*"))
    if seeds:
        os.environ.setdefault("PATCHFIELD_MESHER_SEED", str(seeds[0]))
