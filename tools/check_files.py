#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Every source file has its two SPDX lines, no source file is longer than 500 lines without a reason
("long file: …" in a comment near its top), and no text names a package registry's host: where packages
come from is the business of the machine, not of this repository.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_LINES = 500
CODE = {".h", ".cpp", ".py", ".sh", ".cmake", ".ts", ".mjs"}
NEED_SPDX_BY_NAME = {"CMakeLists.txt", "Makefile", ".clang-format", ".clang-tidy"}
SPDX = ("SPDX-FileCopyrightText:", "SPDX-License-Identifier: Apache-2.0")
# Written as a product of names and endings, so that this file holds no such host itself.
REGISTRY = re.compile(
    r"\b(?:pypi|pythonhosted|npmjs|yarnpkg|debian|ubuntu|anaconda|conda|crates|rubygems|docker|ghcr)\.(?:org|com|io|cloud)\b"
)


def tracked_files():
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=True
    ).stdout.decode()
    return sorted({ROOT / name for name in listing.split("\0") if name and (ROOT / name).is_file()})


def complaints(path):
    name = path.relative_to(ROOT)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return  # pictures, corpora
    is_code = path.suffix in CODE or path.name in NEED_SPDX_BY_NAME or str(name) == ".ci/run"
    head = "\n".join(lines[:6])
    if is_code and not all(line in head for line in SPDX):
        yield f"{name}: the two SPDX lines are missing at the top (copy them from a neighbour)"
    if path.suffix in CODE and len(lines) > MAX_LINES and "long file:" not in "\n".join(lines[:40]):
        yield f"{name}: {len(lines)} lines; split it, or say why in a comment 'long file: …' near the top"
    for number, line in enumerate(lines, 1):
        host = REGISTRY.search(line)
        if host:
            yield f"{name}:{number}: names the package registry {host.group(0)}; install by package name"


def main():
    found = [c for path in tracked_files() for c in complaints(path)]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
