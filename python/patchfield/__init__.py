# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Contact patches for MuJoCo models: pressure fields where bodies touch, instead of points.

    import mujoco, patchfield as pf

    model = pf.load("scene:stack")            # or .xml, .urdf, .sdf, .dmd.yaml: a mujoco.MjModel
    data = mujoco.MjData(model)
    sim = pf.Simulation(model, time_step=2e-3)
    sim.step(data)                            # in place of mujoco.mj_step(model, data)
    for patch in sim.patches:
        print(patch.names, patch.area, patch.force, patch.pressure.max())

Units are SI, signs and frames those of docs/conventions.md: forces are on B, normals leave A and enter B.
"""

import mujoco

from . import _environment
from ._built_with import MUJOCO_VERSION, VERSION as __version__

if mujoco.__version__ != MUJOCO_VERSION:
    raise ImportError(
        f"patchfield {__version__} was built for mujoco {MUJOCO_VERSION}, but mujoco {mujoco.__version__} is installed. "
        f"Run `pip install mujoco=={MUJOCO_VERSION}`, or build patchfield again in this environment."
    )

_environment.prepare()

from ._core import (  # noqa: E402  (after the check: with another mujoco it could not be loaded)
    Box,
    Capsule,
    Compliant,
    ContactSurface,
    ConvexHull,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    InputError,
    Patch,
    Recording,
    Rigid,
    Sequence,
    SequenceEvent,
    Simulation,
    SolverOptions,
    SolverReport,
    Sphere,
    StepReport,
    TaxelGrid,
    TaxelImage,
    TetMesh,
    TriangleMesh,
    contact_surface,
    default_taxel_grid,
    taxels,
)
from ._load import load  # noqa: E402
from ._plot import plot_patch  # noqa: E402
from ._show import Replay, show  # noqa: E402

__all__ = [
    "Box",
    "Capsule",
    "Compliant",
    "ContactSurface",
    "ConvexHull",
    "Cylinder",
    "Ellipsoid",
    "HalfSpace",
    "InputError",
    "Patch",
    "Recording",
    "Replay",
    "Rigid",
    "Sequence",
    "SequenceEvent",
    "Simulation",
    "SolverOptions",
    "SolverReport",
    "Sphere",
    "StepReport",
    "TaxelGrid",
    "TaxelImage",
    "TetMesh",
    "TriangleMesh",
    "__version__",
    "contact_surface",
    "default_taxel_grid",
    "load",
    "plot_patch",
    "show",
    "taxels",
]
