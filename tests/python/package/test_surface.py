# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""contact_surface() of all shapes against closed forms, in numpy's arrays."""

import numpy as np
import pytest

import patchfield as pf


def at(x, y, z):
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


FLOOR = pf.Rigid(pf.HalfSpace())
# Six corners of a regular octahedron, and its eight sides about the centre as tetrahedra.
CORNERS = 0.05 * np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1], [0, 0, 0]])
TETS = [[6, a, b, c] if s > 0 else [6, b, a, c] for a, b, c, s in
        ((x, y, z, (-1) ** (x + y + z)) for x in (0, 1) for y in (2, 3) for z in (4, 5))]


def test_ball_on_a_floor_is_the_closed_form():
    """p = E·(1 − r/R): at depth d the disc of radius a = √(2Rd − d²) carries ∫p dA."""
    R, depth, E = 0.05, 0.004, 1e6
    surface = pf.contact_surface(FLOOR, np.eye(4), pf.Compliant(pf.Sphere(R), E, resolution=0.004), at(0, 0, R - depth))
    a, h = np.sqrt(2 * R * depth - depth**2), R - depth
    r = np.linspace(0, a, 20001)
    force = np.trapezoid(E * (1 - np.sqrt(r**2 + h**2) / R) * 2 * np.pi * r, r)
    assert surface.area == pytest.approx(np.pi * a**2, rel=0.02)
    assert surface.force_on_B == pytest.approx([0, 0, force], rel=0.03, abs=1e-9)
    assert surface.center_of_pressure == pytest.approx([0, 0, 0], abs=1e-6)
    assert surface.moment_on_B_about_origin == pytest.approx([0, 0, 0], abs=1e-6)
    assert (surface.pressure * surface.face_area) @ surface.normal == pytest.approx(surface.force_on_B)
    assert surface.face_area.sum() == pytest.approx(surface.area)
    assert surface.vertices[:, 2] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("shape", "bottom"), [
    (pf.Sphere(0.05), 0.05), (pf.Box(0.1, 0.1, 0.1), 0.05), (pf.Cylinder(0.05, 0.1), 0.05), (pf.Capsule(0.05, 0.1), 0.1),
    (pf.Ellipsoid(0.05, 0.04, 0.06), 0.06), (pf.ConvexHull(CORNERS[:6]), 0.05), (pf.TetMesh(CORNERS, TETS), 0.05),
], ids=lambda shape: type(shape).__name__)
def test_every_shape_meets_the_floor(shape, bottom):
    body, X = pf.Compliant(shape, 1e6, resolution=0.01), at(0, 0, bottom - 0.008)
    surface = pf.contact_surface(FLOOR, np.eye(4), body, X)
    assert surface.num_faces > 0
    assert surface.force_on_B[2] > 0, "the floor pushes B up"
    triangles = pf.contact_surface(FLOOR, np.eye(4), body, X, tessellation="triangle")
    assert triangles.num_faces > surface.num_faces
    assert triangles.force_on_B == pytest.approx(surface.force_on_B, rel=1e-9, abs=1e-9)
    fine = pf.contact_surface(FLOOR, np.eye(4), body, X, max_face_size=0.004)
    assert fine.num_faces > surface.num_faces
    swapped = pf.contact_surface(body, X, FLOOR, np.eye(4))
    assert swapped.force_on_B == pytest.approx(-surface.force_on_B, rel=1e-9, abs=1e-9)


def test_rigid_triangles_against_a_ball():
    square = pf.TriangleMesh([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    ball = pf.Compliant(pf.Sphere(0.05), 1e6, resolution=0.01)
    mesh = pf.contact_surface(pf.Rigid(square), np.eye(4), ball, at(0.1, 0.2, 0.048))
    plane = pf.contact_surface(FLOOR, np.eye(4), ball, at(0.1, 0.2, 0.048))
    assert mesh.force_on_B == pytest.approx(plane.force_on_B, rel=1e-6, abs=1e-9)
    assert square.triangles.tolist() == [[0, 1, 2], [0, 2, 3]]


def test_readme_call():
    surface = pf.contact_surface(
        pf.Compliant(pf.Sphere(0.05), modulus=1e6, resolution=0.01), at(0, 0, 0.098), pf.Rigid(pf.Box(0.2, 0.2, 0.1)),
        np.eye(4), tessellation="polygon")
    assert surface.num_faces > 0 and surface.area > 0
    assert surface.force_on_B[2] < 0, "B is the box below"
    assert surface.center_of_pressure == pytest.approx([0, 0, 0.05], abs=1e-3)


def test_poses_are_applied():
    c, s = np.cos(0.3), np.sin(0.3)
    X = np.array([[c, 0, s, 0.4], [0, 1, 0, -0.2], [-s, 0, c, 0.7], [0, 0, 0, 1]])
    ball = pf.Compliant(pf.Sphere(0.05), 1e6, resolution=0.01)
    here = pf.contact_surface(FLOOR, np.eye(4), ball, at(0, 0, 0.048))
    there = pf.contact_surface(FLOOR, X, ball, X @ at(0, 0, 0.048))
    assert there.force_on_B == pytest.approx(X[:3, :3] @ here.force_on_B, abs=1e-6)
    assert there.center_of_pressure == pytest.approx(X[:3, :3] @ here.center_of_pressure + X[:3, 3], abs=1e-9)


def test_lists_and_floats32_are_arrays_too():
    ball = pf.Compliant(pf.Sphere(0.05), 1e6)
    one = pf.contact_surface(FLOOR, np.eye(4).tolist(), ball, at(0, 0, 0.048).astype(np.float32))
    assert one.area == pytest.approx(pf.contact_surface(FLOOR, np.eye(4), ball, at(0, 0, 0.048)).area, rel=1e-3)


def test_apart_means_no_faces():
    surface = pf.contact_surface(FLOOR, np.eye(4), pf.Compliant(pf.Sphere(0.05), 1e6), at(0, 0, 1))
    assert surface.num_faces == 0 and surface.area == 0 and not surface.force_on_B.any()
    assert surface.pressure.shape == (0,) and surface.centroid.shape == (0, 3)
