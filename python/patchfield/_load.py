# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Model files → mujoco.MjModel that carries its compliance as <custom> texts."""

import os
import warnings
from collections.abc import Mapping
from pathlib import Path

import mujoco

from . import _core

SCENE = "scene:"


def load(
    path: str | os.PathLike[str],
    *,
    packages: Mapping[str, str] | None = None,
    fixed_base: bool = False,
    time_step: float | None = None,
) -> mujoco.MjModel:
    """The model in a file (.xml, .mjcf, .sdf, .world, .urdf, .dmd.yaml, .mjb), or a scene that is built in ("scene:stack").

    packages: the folder of package://NAME, by name. fixed_base: weld the roots of SDF and URDF models to the world.
    time_step: becomes the model's [s]. What was not understood is a UserWarning with file and line.

    The MjModel is an ordinary one: its viewer, renderer and sensors work, and mj_step would step it with point contacts.
    """
    name = os.fspath(path)
    if name.startswith(SCENE):
        text = _core.scene(name[len(SCENE) :])
        if not text:
            raise _core.InputError(f"{name}: no such scene; the scenes are {', '.join(_core.scene_names())}")
        model = mujoco.MjModel.from_xml_string(text)
    elif not Path(name).exists():
        raise FileNotFoundError(f"no file {name}")
    elif name.endswith(".mjb"):
        model = mujoco.MjModel.from_binary_path(name)
    else:
        model, notes = _core.import_model(name, dict(packages or {}), fixed_base, time_step)
        for note in notes:
            warnings.warn(f"patchfield: {note}", stacklevel=2)
    if time_step is not None:
        model.opt.timestep = time_step
    return model
