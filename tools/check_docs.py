#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""docs/equations.md must stay true: each row's label stands in the code it names, each file exists, each
function is in that file, each test exists. Links between the documents must lead somewhere.

A row is   | `eq:label`, … | what it says | `path.cpp`: `function` | `Suite.Test`, … |
with paths below src/patchfield, and further paths (tests, bench) from the root of the repository.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATH = re.compile(r"^[\w./-]+\.(?:h|cpp|py)$")
TEST = re.compile(r"^\w+\.\w+$")


def all_tests():
    names = set()
    for path in (ROOT / "tests").rglob("*.cpp"):
        text = path.read_text(encoding="utf-8")
        for suite, test in re.findall(r"\b(?:TYPED_TEST|TEST_P|TEST_F|TEST)\(\s*(\w+)\s*,\s*(\w+)\s*\)", text):
            names.add(f"{suite}.{test}")
    return names


def resolve(name):
    for base in (ROOT / "src" / "patchfield", ROOT):
        if (base / name).is_file():
            return base / name
    return None


def check_row(where, cells, tests):
    label_cell, _, code_cell, test_cell = cells
    texts = []
    for word in re.findall(r"`([^`]+)`", code_cell):
        if PATH.match(word):
            path = resolve(word)
            if path is None:
                yield f"{where}: no file {word}"
                continue
            texts.append(path.read_text(encoding="utf-8"))
        elif not any(re.search(rf"\b{re.escape(word)}\b", text) for text in texts):
            yield f"{where}: {word} is not in the files named before it"
    if not texts:
        yield f"{where}: names no file"
    for label in re.findall(r"`((?:eq|fig|sec|loc):[\w-]+)`", label_cell):
        if not any(label in text for text in texts):
            yield f"{where}: the code does not carry the label {label}"
    named = re.findall(r"`([^`]+)`", test_cell)
    if not named:
        yield f"{where}: names no test"
    for test in named:
        if not TEST.match(test) or test not in tests:
            yield f"{where}: no test {test}"


def check_equations():
    document = ROOT / "docs" / "equations.md"
    tests, rows = all_tests(), 0
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("| `"):
            continue
        cells = [c.strip() for c in line.strip().strip("|").split(" | ")]
        where = f"docs/equations.md:{number}"
        if len(cells) != 4:
            yield f"{where}: {len(cells)} cells instead of 4"
            continue
        rows += 1
        yield from check_row(where, cells, tests)
    if rows == 0:
        yield "docs/equations.md: no rows"


def check_links():
    for document in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.S)
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            if "://" not in target and not (document.parent / target).exists():
                yield f"{document.relative_to(ROOT)}: the link to {target} leads nowhere"


def main():
    found = [*check_equations(), *check_links()]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
