# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Model files → mujoco.MjModel that carries its compliance as <custom> texts."""

import os
from pathlib import Path

import mujoco

from . import _core

SCENE = "scene:"


def load(path: str | os.PathLike[str]) -> mujoco.MjModel:
    """The model in a file (.xml, .mjb), or a scene that is built in ("scene:stack").

    The MjModel is an ordinary one: its viewer, renderer and sensors work, and mj_step would step it with point contacts.
    """
    name = os.fspath(path)
    if name.startswith(SCENE):
        text = _core.scene(name[len(SCENE) :])
        if not text:
            raise _core.InputError(f"{name}: no such scene; the scenes are {', '.join(_core.scene_names())}")
        return mujoco.MjModel.from_xml_string(text)
    file = Path(name)
    if not file.exists():
        raise FileNotFoundError(f"no file {name}")
    if file.suffix == ".mjb":
        return mujoco.MjModel.from_binary_path(name)
    if file.suffix == ".xml":
        return mujoco.MjModel.from_xml_path(name)
    raise _core.InputError(f"{name}: unknown kind of model file; give .xml or .mjb, or scene:NAME")
