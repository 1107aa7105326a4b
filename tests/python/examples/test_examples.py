# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""The examples run, are short, and pass mypy strict with the stubs; so does the package, and the documents' Python."""

import os
import re
import subprocess
import sys
from pathlib import Path

import patchfield
import pytest

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
SAYS = {
    "coin": r"v/\(ωR\) from 0\.3 to 0\.6[3-7]\d.*\n.*from 0\.653 to 0\.6[3-7]\d.*\n.*from 1\.5 to 0\.6[3-7]\d",
    "random_grasps": r"[3-9]\d of 100 grasps hold",
    "switch_over": r"touch \[N\] +29\.4\d* +29\.4",
    "tactile_grasp": r"object at [78]\.\d+ cm",
}


def run(*arguments):
    done = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(example, tmp_path):
    assert len(example.read_text().splitlines()) < 60
    text = run(example)
    assert re.search(SAYS[example.stem], text), text
    if "savefig" in example.read_text():
        assert (tmp_path / f"{example.stem}.png").stat().st_size > 10_000


def test_stubs_pass_mypy_strict():
    command = [sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml", "--cache-dir", ROOT / "build/mypy"]
    folders = os.pathsep.join([str(Path(patchfield.__file__).parent.parent), str(ROOT / "examples")])
    for what in (["-p", "patchfield"], EXAMPLES):
        done = subprocess.run([*command, *what], env={**os.environ, "MYPYPATH": folders}, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def blocks(document):
    """Python of a page, one program per page: its blocks in their order."""
    return "\n".join(re.findall(r"```python\n(.*?)```", (ROOT / document).read_text(encoding="utf-8"), flags=re.S))


def test_python_page_runs(tmp_path):
    (tmp_path / "page.py").write_text("import matplotlib\nmatplotlib.use('Agg')\n" + blocks("docs/python.md"))
    run("page.py")
