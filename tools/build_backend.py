# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""scikit-build-core, after a look at what compiling needs.

Without it, a missing header ends `pip install .` in two hundred lines of CMake; with it, in one that can be pasted.
"""

import subprocess
import sys
import sysconfig
from pathlib import Path

from scikit_build_core.build import *  # noqa: F403  (the hooks that pip calls, but for those below)
from scikit_build_core import build as _inner

ROOT = Path(__file__).resolve().parent.parent


def missing_packages():
    """Names of Debian or Ubuntu packages; empty elsewhere, where CMake says what it cannot find."""
    listing = subprocess.run([ROOT / "tools" / "apt.sh", "--missing", "library"], capture_output=True, text=True)
    missing = listing.stdout.split()
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        missing.append(f"python{sys.version_info.major}.{sys.version_info.minor}-dev")
    return missing


def check():
    missing = missing_packages()
    if missing:
        sys.exit(
            f"\npatchfield cannot be compiled: {len(missing)} package{'s are' if len(missing) > 1 else ' is'} missing. "
            f"Install with\n\n    sudo apt-get install {' '.join(missing)}\n"
        )


def build_wheel(*arguments, **options):
    check()
    return _inner.build_wheel(*arguments, **options)


def build_editable(*arguments, **options):
    check()
    return _inner.build_editable(*arguments, **options)
