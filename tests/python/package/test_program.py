# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m patchfield`, pictures, docstrings and where they come from."""

import inspect
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers import cube

import patchfield as pf

ROOT = Path(__file__).resolve().parents[3]


def program(*arguments):
    return subprocess.run([sys.executable, "-m", "patchfield", *arguments], capture_output=True, text=True, timeout=120)


def test_module_is_the_program():
    assert program("--version").stdout.strip() == f"patchfield {pf.__version__}"
    done = program("run", "scene:stack", "--duration", "0.02", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["ended"] == "done"
    wrong = program("run", "no_such_model.xml")
    assert wrong.returncode == 2 and "no_such_model.xml" in wrong.stderr


@pytest.mark.parametrize("quantity", ["pressure", "normal_traction", "friction", "slip"])
def test_plot_patch_draws_the_faces(quantity):
    import matplotlib.pyplot as plt

    _, data, sim = cube()
    data.xfrc_applied[1, 0] = 2.0
    sim.step(data, 200)
    (patch,) = sim.patches
    ax = pf.plot_patch(patch, quantity=quantity)
    (faces,) = ax.collections[:1]
    assert len(faces.get_paths()) == patch.num_faces
    corners = np.concatenate([path.vertices for path in faces.get_paths()])
    assert np.ptp(corners, axis=0) == pytest.approx([100, 100], rel=0.02), "millimetres, true to scale"
    assert "floor on cube" in ax.get_title()
    ax.figure.canvas.draw()
    plt.close(ax.figure)


def test_plot_patch_says_what_it_cannot_draw():
    _, data, sim = cube()
    sim.step(data)
    with pytest.raises(pf.InputError, match="choose one of pressure"):
        pf.plot_patch(sim.patches[0], quantity="colour")
    X = np.eye(4)
    X[2, 3] = 1.0
    with pytest.raises(pf.InputError, match="no faces"):
        pf.plot_patch(pf.contact_surface(pf.Rigid(pf.HalfSpace()), np.eye(4), pf.Compliant(pf.Sphere(0.1)), X))


def test_missing_apt_packages_are_named(tmp_path, monkeypatch):
    """A dpkg-query that knows g++ and Eigen only, as on a machine with little on it."""
    sys.path.insert(0, str(ROOT / "tools"))
    import build_backend

    fake = tmp_path / "dpkg-query"
    fake.write_text("#!/bin/sh\nprintf 'g++:ii \\nlibeigen3-dev:ii \\n'\n")
    fake.chmod(0o755)
    (tmp_path / "apt-get").symlink_to("/bin/true")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(SystemExit, match=r"(?s)missing. Install with\n\n    sudo apt-get install .*libhwy-dev libtbb-dev") as stop:
        build_backend.check()
    assert "g++" not in str(stop.value) and "libeigen3-dev" not in str(stop.value)


def test_everything_public_has_a_docstring():
    for name in pf.__all__:
        thing = getattr(pf, name)
        if name == "__version__":
            continue
        assert inspect.getdoc(thing), name
        for member, value in vars(thing).items() if inspect.isclass(thing) else ():
            plain = {"num_faces", "converged", "unconverged_islands", "grazing_faces", "solver", "model", "is_compliant"}
            if isinstance(value, property) and member not in plain:
                assert value.__doc__, f"{name}.{member}"


def test_docstrings_are_the_headers_comments():
    sys.path.insert(0, str(ROOT / "tools"))
    from header_docs import Reader

    header = (ROOT / "src/patchfield/sim/step.h").read_text()
    assert Reader(header).docs["StepReport_faces"] in pf.StepReport.faces.__doc__


def test_header_docs_reads_what_headers_say():
    sys.path.insert(0, str(ROOT / "tools"))
    from header_docs import Reader

    docs = Reader("""// SPDX
// What the file does,
// in two lines.
//
// More.

/// A thing.
struct Thing {
  double a = 1.0, b = {};  ///< [m] > 0
  std::map<int, double> c;  ///< A map
                            ///< of numbers.
  /// Does it.
  /// Well.
  void work(int x) const;
  int silent;
};
struct Empty {};  ///< Nothing.
struct Plain {
  int x = 0;  ///< Here.
};
enum class Kind {
  kOne,  ///< First.
};
/// A function.
Thing make(double radius);
""").docs
    assert docs == {
        "Thing": "A thing.", "Thing_a": "[m] > 0", "Thing_b": "[m] > 0", "Thing_c": "A map of numbers.",
        "Thing_work": "Does it. Well.", "Empty": "Nothing.", "Plain": "What the file does, in two lines.",
        "Plain_x": "Here.", "Kind": "What the file does, in two lines.", "Kind_kOne": "First.", "make": "A function.",
    }
