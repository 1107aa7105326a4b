#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over src and apps, skipping files that passed before.

    tools/tidy.py 19 [file.cpp …]

A file passes again without a run when it, the headers of ours that it includes, .clang-tidy, its compile
command and the version are what they were: the hash of all these names a stamp in ~/.cache/patchfield/tidy,
which fresh clones share.
"""

import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STAMPS = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "patchfield" / "tidy"
DATABASE = ROOT / "build" / "release" / "compile_commands.json"


def closure(path, seen):
    """Our own files that `path` includes, itself first; hwy/foreach_target re-inclusion ends by `seen`."""
    if path in seen or not path.is_file():
        return seen
    seen[path] = path.read_bytes()
    for header in re.findall(rb'^\s*#\s*include\s*"([^"]+)"', seen[path], flags=re.M):
        for base in (ROOT / "src", path.parent):
            closure((base / header.decode()).resolve(), seen)
    return seen


def stamp_of(entry, version):
    digest = hashlib.sha256()
    digest.update((version + entry["command"].replace(str(ROOT), "")).encode())
    digest.update((ROOT / ".clang-tidy").read_bytes())
    for path, content in sorted(closure(Path(entry["file"]).resolve(), {}).items()):
        digest.update(os.path.relpath(path, ROOT).encode() + content)
    return STAMPS / digest.hexdigest()[:32]


def check(entry, version, stamp):
    run = subprocess.run(
        [f"clang-tidy-{version}", "-p", str(DATABASE.parent), "--quiet", "--extra-arg=-Wno-unknown-warning-option",
         "--extra-arg=-Wno-ignored-optimization-argument", entry["file"]],
        capture_output=True, text=True)
    if run.returncode == 0:
        stamp.touch()
    return run.returncode, run.stdout.strip()


def main():
    version, only = sys.argv[1], {str(Path(f).resolve()) for f in sys.argv[2:]}
    STAMPS.mkdir(parents=True, exist_ok=True)
    entries = {}
    for entry in json.loads(DATABASE.read_text()):
        name = os.path.relpath(entry["file"], ROOT)
        if name.startswith(("src/", "apps/")) and (not only or entry["file"] in only) and Path(entry["file"]).is_file():
            entries[name] = entry
    todo = {name: stamp for name, e in entries.items() if not (stamp := stamp_of(e, version)).exists()}
    if todo:
        print(f"clang-tidy: {len(todo)} of {len(entries)} files")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        runs = {pool.submit(check, entries[name], version, stamp): name for name, stamp in todo.items()}
        for done in concurrent.futures.as_completed(runs):
            status, text = done.result()
            if status != 0:
                failed += 1
                print(f"{runs[done]}:\n{text}")
    return 1 if failed or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
