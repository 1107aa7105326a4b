#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""A looping animation (WebP or GIF) of a replay page, for documents.

    .venv/bin/python tools/animate.py out/pancake.html docs/pancake.webp --start 1 --end 11 --fps 10 -- zoom=1.2 bare=1

What follows -- goes to apps/viewer/picture.mjs, which makes the pictures.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path)
    parser.add_argument("out", type=Path, help="ends in .webp or .gif")
    parser.add_argument("--start", type=float, default=0.0, help="[s]")
    parser.add_argument("--end", type=float, required=True, help="[s]")
    parser.add_argument("--fps", type=float, default=10.0, help="pictures per second; default 10")
    parser.add_argument("--speed", type=float, default=1.0, help="simulated seconds per second; default 1")
    parser.add_argument("--width", type=int, default=640, help="of the animation [px]; default 640")
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    options, wishes = parser.parse_args(words[:end]), words[end + 1:]
    step = options.speed / options.fps
    times = [options.start + i * step for i in range(int((options.end - options.start) / step) + 1)]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([ROOT / ".venv/bin/node", ROOT / "apps/viewer/picture.mjs", options.page, f"{folder}/frame.png",
                        "time=" + ",".join(f"{t:.4f}" for t in times), *wishes], check=True)
        frames = []
        for i in range(len(times)):
            with Image.open(f"{folder}/frame-{i}.png") as picture:
                height = round(picture.height * options.width / picture.width)
                frames.append(picture.convert("RGB").resize((options.width, height), Image.LANCZOS))
    duration = round(1000 / options.fps)
    frames[0].save(options.out, save_all=True, append_images=frames[1:], duration=duration, loop=0, quality=60, method=4)
    print(f"{options.out}: {len(frames)} pictures, {options.out.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
