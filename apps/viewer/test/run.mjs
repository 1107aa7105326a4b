// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The viewer's tests: types, decoder, and the page in a real browser.
//
//   node test/run.mjs PROGRAM OUT_FOLDER [NAME]
//
// PROGRAM is the command line program, which writes the recordings and serves the page. Screenshots go to OUT_FOLDER.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { findBrowser } from "../browser.mjs";

const [program, out, only] = process.argv.slice(2);
if (!program || !out) throw new Error("usage: node test/run.mjs PROGRAM OUT_FOLDER [NAME]");
const NAMES = only ? [only] : ["decoder", "microscope", "picture", "browser"];
process.chdir(join(dirname(fileURLToPath(import.meta.url)), ".."));
mkdirSync(out, { recursive: true });
// Beside node_modules, where the bundles find playwright-core.
const bundles = join(process.cwd(), "node_modules", ".cache", `tests-${process.pid}`);
const folder = mkdtempSync(join(tmpdir(), "patchfield-viewer-"));

function clean() {
  for (const made of [folder, bundles]) rmSync(made, { recursive: true, force: true });
}

function run(command, args, env = {}) {
  const done = spawnSync(command, args, { stdio: "inherit", env: { ...process.env, ...env } });
  if (done.status !== 0) {
    clean();
    process.exit(1);
  }
}

run(process.execPath, ["node_modules/typescript/bin/tsc", "--noEmit"]);
await build({ absWorkingDir: process.cwd(), entryPoints: NAMES.map((name) => `test/${name}.test.ts`), outdir: bundles, outExtension: { ".js": ".mjs" }, bundle: true, platform: "node", format: "esm", external: ["playwright-core", "@sparticuz/chromium"] });
const recording = join(folder, "ball.pfr");
run(program, ["run", "scene:sphere_on_plane", "--duration", "1", "--record", recording, "--quiet"]);
const environment = { RECORDING: recording, PROGRAM: program, FOLDER: folder, OUT: out, CHROMIUM: (await findBrowser()) ?? "" };
for (const name of NAMES) run(process.execPath, ["--test", join(bundles, `${name}.test.mjs`)], environment);
clean();
