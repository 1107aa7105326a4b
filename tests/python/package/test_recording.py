# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Recordings of what sim.step does, and their replay in a notebook."""

import gc
import html

import mujoco
import numpy as np
import pytest
from helpers import cube, state

import patchfield as pf
from patchfield import _core


def needs_viewer():
    try:
        _core.replay_parts()
    except pf.InputError as error:
        pytest.skip(str(error))


def test_records_the_steps_of_its_data_alone(tmp_path):
    model, data, sim = cube()
    other = mujoco.MjData(model)
    with pf.Recording(sim, data, tmp_path / "run.pfr", title="cube", frames_per_second=50) as recording:
        for i in range(100):
            recording.signal("height", data.qpos[2])
            sim.step(data)
            sim.step(other)
        assert not recording.is_finished and not (tmp_path / "run.pfr").exists()
    # 0.2 s at 50 frames per second, one of them at the start
    assert recording.is_finished and recording.num_frames == 10
    assert recording.path == tmp_path / "run.pfr" and recording.path.stat().st_size > 500
    assert not list(tmp_path.glob("*.part"))


def test_recording_changes_no_bit(tmp_path):
    model, data, sim = cube()
    alone = mujoco.MjData(model)
    sim.step(alone, 60)
    with pf.Recording(sim, data, tmp_path / "run.pfr"):
        sim.step(data, 60)
    assert np.array_equal(state(model, data), state(model, alone))


def test_dropped_and_finished_recordings_end(tmp_path):
    _, data, sim = cube()
    recording = pf.Recording(sim, data, tmp_path / "run.pfr")
    sim.step(data, 20)
    recording.finish()
    recording.finish()
    with pytest.raises(pf.InputError, match="finished"):
        recording.signal("x", 1.0)
    dropped = pf.Recording(sim, data, tmp_path / "dropped.pfr")
    sim.step(data, 20)
    del dropped
    gc.collect()
    sim.step(data, 20)
    assert (tmp_path / "dropped.pfr.part").exists() and not (tmp_path / "dropped.pfr").exists()


@pytest.mark.parametrize("name", ["run.pfr", "run.html"])
def test_show_embeds_the_page(name, tmp_path):
    needs_viewer()
    _, data, sim = cube()
    with pf.Recording(sim, data, tmp_path / name, title="a cube") as recording:
        sim.step(data, 50)
        with pytest.raises(pf.InputError, match="still open"):
            pf.show(recording)
    replay = pf.show(recording, height=300)
    assert replay.html.count('<script id="recording"') == 1
    frame = replay._repr_html_()
    assert frame.startswith("<iframe srcdoc=") and 'height="300"' in frame
    assert html.escape(replay.html) in frame
    assert pf.show(str(tmp_path / name)).html == replay.html


def test_both_kinds_hold_the_same_recording(tmp_path):
    """A .pfr put into a page by show() is what the .html recorder writes itself."""
    needs_viewer()
    pages = []
    for name in ("run.pfr", "run.html"):
        _, data, sim = cube()
        with pf.Recording(sim, data, tmp_path / name, title="a cube") as recording:
            sim.step(data, 50)
        pages.append(pf.show(recording).html)
    assert pages[0] == pages[1]


def test_errors(tmp_path):
    _, data, sim = cube()
    with pytest.raises(pf.InputError, match="pfr"):
        pf.Recording(sim, data, tmp_path / "run.mp4")
    with pytest.raises(pf.InputError):
        pf.Recording(sim, data, tmp_path / "no_folder" / "run.pfr")
    with pytest.raises(TypeError):
        pf.Recording(data, sim, tmp_path / "run.pfr")
    with pytest.raises(pf.InputError, match="give a recording"):
        pf.show(tmp_path / "run.mp4")
    with pytest.raises(FileNotFoundError):
        pf.show(tmp_path / "nowhere.pfr")


def test_two_recordings_into_one_file_are_refused(tmp_path):
    _, data, sim = cube()
    with pf.Recording(sim, data, tmp_path / "run.pfr") as first:
        with pytest.raises(pf.InputError, match="another recording"):
            pf.Recording(sim, data, tmp_path / "run.pfr")
        sim.step(data, 50)
    assert first.path.stat().st_size > 500
    with pf.Recording(sim, data, tmp_path / "run.pfr"):  # it is free again
        sim.step(data)


def test_an_episode_follows_the_other_after_a_reset(tmp_path):
    model, data, sim = cube()
    with pf.Recording(sim, data, tmp_path / "run.pfr", frames_per_second=50) as recording:
        for episode in range(3):
            mujoco.mj_resetData(model, data)
            sim.step(data, 100)
            assert recording.num_frames == 10 * (episode + 1)


def test_a_part_can_be_shown_and_garbage_cannot(tmp_path):
    needs_viewer()
    _, data, sim = cube()
    recording = pf.Recording(sim, data, tmp_path / "run.pfr")
    sim.step(data, 50)
    del recording
    gc.collect()
    assert "srcdoc" in pf.show(tmp_path / "run.pfr.part")._repr_html_()
    (tmp_path / "garbage.pfr").write_text("garbage")
    with pytest.raises(pf.InputError, match="no recording"):
        pf.show(tmp_path / "garbage.pfr")
