#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Data flows one way: a folder of src/patchfield includes only from itself and the folders before it,
and the contact core (core, geometry, contact, solver) knows no robot, so no MuJoCo either.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ["core", "geometry", "contact", "solver", "model", "sim", "control", "io"]
CONTACT_CORE = {"core", "geometry", "contact", "solver"}
# What the contact core may use beside POSIX and the standard library, whose headers have neither slash nor suffix.
CORE_LIBRARIES = re.compile(r"(Eigen|hwy|oneapi/tbb|fmt|sanitizer|sys)/")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def complaint(layer, header):
    """Why a file of `layer` must not include `header`; None if it may."""
    own = re.match(r"patchfield/([a-z_]+)/", header)
    if own:
        other = own.group(1)
        if other not in LAYERS:
            return f"'{other}' is no layer; layers are {' '.join(LAYERS)}"
        if LAYERS.index(other) > LAYERS.index(layer):
            return f"{layer} comes before {other}: data flows {' → '.join(LAYERS)}"
        return None
    if layer in CONTACT_CORE and ("/" in header or "." in header) and not CORE_LIBRARIES.match(header):
        # hwy's foreach_target.h includes the file that it is in, by its own path: covered by patchfield/ above.
        return "the contact core uses only Eigen, Highway, oneTBB, fmt and the standard library"
    return None


def main():
    source = ROOT / "src" / "patchfield"
    found, files = [], 0
    for path in sorted(p for p in source.rglob("*") if p.suffix in (".h", ".cpp")):
        layer = path.relative_to(source).parts[0]
        if layer not in LAYERS:
            found.append(f"{path.relative_to(ROOT)}: lies in no layer; layers are {' '.join(LAYERS)}")
            continue
        files += 1
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            why = match and complaint(layer, match.group(1))
            if why:
                found.append(f"{path.relative_to(ROOT)}:{number}: includes {match.group(1)}: {why}")
    print("\n".join(found), end="\n" if found else "")
    return 1 if found or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
