// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A picture of a recording, for documents:
//
//   node apps/viewer/picture.mjs out/spatula.html docs/spatula.png [time=1.5] [width=1280] [height=720] [theme=dark]
//        [camera=corner] [zoom=1] [arrows=force,friction] [patch=0] [bare=1] [range=15000]
//
// time [s]: which frame, or several: 1,2.5 writes OUT-0.png, OUT-1.png, …; camera: a preset, or one of the model's,
// which is also the default; patch: whose card is open; bare: only the three-dimensional view;
// range [Pa]: where the colours of the pressure end.

import { resolve } from "node:path";
import { launch } from "./browser.mjs";

const [page_path, out, ...words] = process.argv.slice(2);
if (!page_path || !out) throw new Error("usage: node picture.mjs PAGE.html OUT.png [name=value …]");
const wish = { time: "0", width: "1280", height: "720", theme: "dark", camera: "", zoom: "1", arrows: "force", patch: "-1", bare: "0", range: "" };
for (const word of words) {
  const [name, value] = word.split("=");
  if (!(name in wish)) throw new Error(`${name}: unknown; there are ${Object.keys(wish).join(", ")}`);
  wish[name] = value;
}

const browser = await launch();
const page = await browser.newPage({ viewport: { width: Number(wish.width), height: Number(wish.height) }, colorScheme: wish.theme, deviceScaleFactor: 1 });
await page.goto(`file://${resolve(page_path)}`, { timeout: 120_000 });
await page.waitForFunction(() => window.patchfield?.drawn.frames > 0, null, { timeout: 120_000 });
if (wish.bare === "1") await page.addStyleTag({ content: ".toolbar, .panel, .notice, footer, .title { display: none !important }" });
await page.evaluate((wished) => {
  const app = window.patchfield;
  app.player.playing = false;
  app.player.seek(Number(wished.time.split(",")[0]));
  for (const kind of Object.keys(app.settings.arrows)) app.settings.arrows[kind].show = wished.arrows.split(",").includes(kind);
  if (wished.range !== "") Object.assign(app.settings, { range: "fixed", rangeMin: 0, rangeMax: Number(wished.range) });
  const patch = app.recording.states[app.player.frame].patches[Number(wished.patch)];
  if (patch) app.select(patch);
  app.change();
}, wish);
await page.waitForTimeout(500); // the canvas takes its new size
await page.evaluate((wished) => {
  const app = window.patchfield, { stage } = app;
  const own = (app.recording.header.cameras ?? []).find((camera) => wished.camera === "" || camera.name === wished.camera);
  if (own) app.lookThrough(own);
  else stage.look(wished.camera || "corner");
  stage.camera.position.lerp(stage.controls.target, 1 - 1 / Number(wished.zoom));
  stage.invalidate();
}, wish);
await page.waitForTimeout(1500);
const times = wish.time.split(",").map(Number);
for (const [i, time] of times.entries()) {
  if (times.length > 1) {
    const before = await page.evaluate((at) => (window.patchfield.player.seek(at), window.patchfield.drawn.frames), time);
    await page.waitForFunction((n) => window.patchfield.drawn.frames > n, before, { timeout: 5_000 }).catch(() => {}); // the same frame as before
  }
  await page.screenshot({ path: times.length > 1 ? out.replace(/\.png$/, `-${i}.png`) : out, timeout: 120_000 });
}
await browser.close();
