# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m patchfield …` is the command line program, which comes with the package."""

import os
import sys
from pathlib import Path

from . import _environment


def main() -> None:
    """Becomes the program: its exit codes, signals and streams are then its own."""
    program = Path(__file__).parent / "bin" / "patchfield"
    if not os.access(program, os.X_OK):
        sys.exit(f"patchfield: {program} is missing; install the package again")
    _environment.prepare()
    sys.stdout.flush()
    os.execv(program, [str(program), *sys.argv[1:]])


if __name__ == "__main__":
    main()
