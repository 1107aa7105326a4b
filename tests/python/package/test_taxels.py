# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Tactile images: no force is lost, and grids of one's own lie where they were put."""

import numpy as np
import pytest
from helpers import GRAVITY, cube

import patchfield as pf


@pytest.fixture(scope="module")
def resting():
    _, data, sim = cube()
    sim.step(data, 500)
    return data, sim


def test_sum_is_the_force(resting):
    data, sim = resting
    image = pf.taxels(sim, "cube", (6, 9))
    assert image.normal.shape == image.shear_x.shape == image.shear_y.shape == (6, 9)
    assert image.normal.sum() == pytest.approx(GRAVITY, abs=1e-3)
    assert image.outside == pytest.approx([0, 0, 0], abs=1e-9)
    assert np.array_equal(pf.taxels(sim, int(sim.patches[0].geom_B), (6, 9)).normal, image.normal), "by id"


def test_grid_of_ones_own(resting):
    _, sim = resting
    X_GT = np.eye(4)
    X_GT[0, 3] = 0.025
    quarter = pf.taxels(sim, "cube", pf.TaxelGrid(5, 5, 0.05, 0.05, X_GT))
    # A quarter of the sole, under an even pressure.
    assert quarter.normal.sum() == pytest.approx(GRAVITY / 4, rel=0.03)
    assert quarter.outside[2] == pytest.approx(GRAVITY * 3 / 4, rel=0.03)
    upper = pf.taxels(sim, "cube", pf.TaxelGrid(5, 5, 0.1, 0.1, one_sided=True))
    assert not upper.normal.any()


def test_default_grid_is_the_box(resting):
    _, sim = resting
    grid = pf.default_taxel_grid(sim, "cube", 3, 4)
    assert (grid.rows, grid.columns) == (3, 4)
    assert grid.width == pytest.approx(0.1, abs=1e-3) and grid.X_GT == pytest.approx(np.eye(4), abs=1e-9)


def test_shear_is_on_the_geom():
    """A push of 2 N along x that friction holds: the floor's shear on the cube is −2 N along x, on the floor +2 N."""
    _, data, sim = cube()
    data.xfrc_applied[1, 0] = 2.0
    sim.step(data, 500)
    assert pf.taxels(sim, "cube", (4, 4)).shear_x.sum() == pytest.approx(-2.0, abs=0.05)
    floor = pf.taxels(sim, "floor", pf.TaxelGrid(4, 4, 1.0, 1.0))
    assert floor.shear_x.sum() == pytest.approx(2.0, abs=0.05)
    assert floor.normal.sum() == pytest.approx(GRAVITY, abs=1e-2)


def test_before_a_step():
    _, _, sim = cube()
    with pytest.raises(pf.InputError, match="sim.step"):
        pf.taxels(sim, "cube", (4, 4))
