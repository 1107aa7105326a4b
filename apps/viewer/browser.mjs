// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Chromium with WebGL in software, for tests and pictures.
//
// It comes with npm, the same version on every machine: Ubuntu has its own only as a snap, which no container can install.
// CHROMIUM=PATH takes another one.

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

/** Path of the browser, unpacked when it is first asked for; null where npm has none (it is for x86-64). */
export async function findBrowser() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  if (process.arch !== "x64") return null;
  // The package unpacks itself into the folder for temporary files, where another user's copy may stand.
  const before = process.env.TMPDIR;
  const cache = join(dirname(fileURLToPath(import.meta.url)), "node_modules", ".cache", "chromium");
  mkdirSync(cache, { recursive: true });
  process.env.TMPDIR = cache;
  try {
    const packed = await import("@sparticuz/chromium");
    return await packed.default.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

export async function launch() {
  const path = await findBrowser();
  if (!path) throw new Error("no Chromium: install one and name it, CHROMIUM=/usr/bin/chromium");
  return chromium.launch({ executablePath: path, args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
}
