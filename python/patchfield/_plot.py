# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""A patch → a picture: its faces as they lie in their common plane, coloured by pressure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ._core import ContactSurface, InputError, Patch

if TYPE_CHECKING:
    from matplotlib.axes import Axes

QUANTITIES = {
    "pressure": "pressure [Pa]",
    "normal_traction": "normal traction [Pa]",
    "friction": "friction traction [Pa]",
    "slip": "slip speed [m/s]",
}


def patch_plane(patch: Patch | ContactSurface) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Origin and axes (rows: right, up, out of A into B) of the plane in which the patch is drawn."""
    area = patch.face_area[:, None]
    normal = (area * patch.normal).sum(axis=0)
    normal /= np.linalg.norm(normal) or 1.0
    # Right is the world's x, or y where the patch stands across x.
    right = np.eye(3)[0] if abs(normal[0]) < 0.9 else np.eye(3)[1]
    right = right - normal * (normal @ right)
    right /= np.linalg.norm(right)
    origin = (area * patch.centroid).sum(axis=0) / area.sum()
    return origin, np.stack([right, np.cross(normal, right), normal])


def plot_patch(
    patch: Patch | ContactSurface, ax: Axes | None = None, *, quantity: str = "pressure", arrows: bool = True
) -> Axes:
    """Draws the faces of a patch, seen from B against the normal, in millimetres about the middle of the patch.

    quantity: what colours the faces: pressure, normal_traction, friction or slip. arrows: friction on B (of a Patch).
    Returns the axes; matplotlib is needed.
    """
    import matplotlib.pyplot as plt
    from matplotlib.collections import PolyCollection

    if not isinstance(patch, (Patch, ContactSurface)):
        raise TypeError(f"plot_patch draws a Patch or a ContactSurface, not {type(patch).__name__}")
    known = QUANTITIES if isinstance(patch, Patch) else {"pressure": QUANTITIES["pressure"]}
    if quantity not in known:
        raise InputError(f'quantity="{quantity}": choose one of {", ".join(known)}')
    if patch.num_faces == 0:
        raise InputError("this contact surface has no faces: the bodies do not touch")
    values = np.asarray(getattr(patch, quantity))
    if values.ndim == 2:
        values = np.linalg.norm(values, axis=1)

    origin, axes = patch_plane(patch)
    flat = 1e3 * (patch.vertices - origin) @ axes[:2].T
    polygons = [flat[a:b] for a, b in zip(patch.face_offsets[:-1], patch.face_offsets[1:])]
    if ax is None:
        ax = plt.figure(figsize=(5, 4), layout="constrained").add_subplot()
    faces = PolyCollection(polygons, array=values, cmap="viridis", edgecolors="face", linewidths=0.3)
    ax.add_collection(faces)
    plt.colorbar(faces, ax=ax, label=known[quantity])
    if isinstance(patch, Patch):
        if arrows and np.any(patch.friction):
            middle = 1e3 * (patch.centroid - origin) @ axes[:2].T
            friction = patch.friction @ axes[:2].T
            ax.quiver(*middle.T, *friction.T, color="white", width=3e-3)
        ax.plot(*(1e3 * axes[:2] @ (patch.cop - origin)), "+", color="red", markersize=10)
        ax.set_title(f"{patch.names[0]} on {patch.names[1]}: {np.linalg.norm(patch.force):.3g} N")
    ax.set_xlabel("mm")
    ax.set_ylabel("mm")
    ax.set_aspect("equal")
    ax.autoscale_view()
    return ax
