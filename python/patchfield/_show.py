# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""A recording → a replay inside a notebook."""

import base64
import html
import os
from pathlib import Path

from . import _core


class Replay:
    """What show() returns: a notebook draws it; `html` is the whole page."""

    def __init__(self, page: str, height: int) -> None:
        self.html = page
        self.height = height

    def _repr_html_(self) -> str:
        # A page of its own inside the notebook's: neither sees the other's scripts and styles.
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="{self.height}" '
            'style="border: 0" allowfullscreen></iframe>'
        )


def show(recording: _core.Recording | str | os.PathLike[str], *, height: int = 480) -> Replay:
    """Embeds the replay of a recording (a finished Recording, or the path of a .pfr, .pfr.part or .html file) in a notebook."""
    if isinstance(recording, _core.Recording):
        if not recording.is_finished:
            raise _core.InputError("the recording is still open: show it after its with block, or after finish()")
        path = Path(recording.path)
    else:
        path = Path(os.fspath(recording))
    if path.suffix == ".html":
        return Replay(path.read_text(encoding="utf-8"), height)
    if path.suffix != ".pfr" and path.suffixes[-2:] != [".pfr", ".part"]:
        raise _core.InputError(f"{path}: give a recording, a .pfr (or .pfr.part) or an .html file")
    content = path.read_bytes()
    if not content.startswith(_core.recording_prefix()):
        raise _core.InputError(f"{path}: is no recording of this version of Patchfield")
    before, after = _core.replay_parts()
    return Replay(before + base64.b64encode(content).decode("ascii") + after, height)
