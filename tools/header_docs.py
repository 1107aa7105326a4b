#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""The comments of our headers → docstrings of the Python package, so that each is written once.

    tools/header_docs.py OUT.h HEADER …

`///` above a struct, a function or a member, and `///<` behind a member, become constants of namespace
patchfield::doc: Sphere, Sphere_radius, contact_surface, … . A struct without a comment of its own takes the first
sentence block of its file. A binding that names something without a comment does not compile.
"""

import json
import re
import sys
from pathlib import Path

SCOPE = re.compile(r"^(?:template <.*> *)?(?:struct|class|enum class|enum) (\w+)[^;(]*\{")
FUNCTION = re.compile(r"(\w+)\(")


def file_summary(text):
    """The first paragraph of the comment that opens the file, after the two SPDX lines."""
    lines = []
    for line in text.splitlines():
        if line.startswith("// SPDX") or (not line and not lines):
            continue
        if not line.startswith("//") or line == "//":
            break
        lines.append(line[2:].strip())
    return " ".join(lines)


def declared_names(code):
    """The names that `double a = 1, b;` or `kPoint,` declares."""
    code = re.sub(r"\b(?:static|constexpr|inline|const|mutable)\b", "", code.strip().rstrip(";,"))
    while re.search(r"<[^<>]*>", code):
        code = re.sub(r"<[^<>]*>", "", code)
    if "(" in code.split("=")[0]:
        return [FUNCTION.search(code).group(1)]
    code = re.sub(r"\{[^{}]*\}", "", code)
    parts = [re.sub(r"=.*", "", part).split() for part in code.split(",")]
    return [words[-1].lstrip("*&") for words in parts if words]


class Reader:
    def __init__(self, text):
        self.docs = {}
        self.scopes = []  # (name, depth of its body)
        self.depth = 0
        self.pending = []
        self.last_names = []
        summary = file_summary(text)
        for line in text.splitlines():
            self.read(line.strip(), summary)

    def key(self, name):
        return "_".join([scope for scope, _ in self.scopes] + [name])

    def say(self, names, words):
        for name in names:
            key = self.key(name)
            self.docs[key] = f"{self.docs[key]} {words}" if key in self.docs else words

    def read(self, line, summary):
        if line.startswith("///<"):  # goes on from the line before
            self.say(self.last_names, line[4:].strip())
            return
        if line.startswith("///"):
            self.pending.append(line[3:].strip())
            return
        code, _, behind = line.partition("///<")
        code, behind = re.sub(r"//.*", "", code).strip(), behind.strip()
        if not code:
            if not line:
                self.pending = []
            return
        above, self.pending = " ".join(self.pending), []
        scope = SCOPE.match(code)
        if scope:
            # "}" on the same line: a struct without members.
            self.say([scope.group(1)], above or behind or summary)
            if "}" not in code:
                self.scopes.append((scope.group(1), self.depth + 1))
        elif above or behind:
            self.last_names = declared_names(code)
            self.say(self.last_names, " ".join(filter(None, (above, behind))))
        self.depth += code.count("{") - code.count("}")
        while self.scopes and self.depth < self.scopes[-1][1]:
            self.scopes.pop()


def main():
    out, headers = Path(sys.argv[1]), sys.argv[2:]
    lines = ["// Made by tools/header_docs.py; do not edit.", "#pragma once", "", "namespace patchfield::doc {"]
    for header in headers:
        for key, words in sorted(Reader(Path(header).read_text(encoding="utf-8")).docs.items()):
            lines.append(f"inline constexpr const char* {key} = {json.dumps(words, ensure_ascii=False)};")
    lines += ["}  // namespace patchfield::doc", ""]
    out.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
