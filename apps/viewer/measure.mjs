// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// How quickly a page opens and plays:
//
//   node apps/viewer/measure.mjs PAGE.html
//
// Prints the time from opening to the first picture, and the frames drawn per second while playing with the plots open, beside those that an
// empty canvas of the same size gets from this machine.

import { resolve } from "node:path";
import { launch } from "./browser.mjs";

const [page_path] = process.argv.slice(2);
if (!page_path) throw new Error("usage: node measure.mjs PAGE.html");
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });

const rate = (seconds) =>
  page.evaluate(
    (wished) =>
      new Promise((done) => {
        const begin = performance.now();
        let count = 0;
        const tick = () => {
          count += 1;
          const passed = performance.now() - begin;
          if (passed < 1000 * wished) requestAnimationFrame(tick);
          else done((1000 * count) / passed);
        };
        requestAnimationFrame(tick);
      }),
    seconds,
  );

await page.setContent("<canvas width=1280 height=720></canvas>");
const idle = await rate(3);
const begin = Date.now();
await page.goto(`file://${resolve(page_path)}`, { timeout: 120_000 });
await page.waitForFunction(() => window.patchfield?.drawn.frames > 0, null, { timeout: 120_000, polling: 20 });
const opened = (Date.now() - begin) / 1000;
const before = await page.evaluate(() => {
  const app = window.patchfield;
  app.player.playing = true;
  return { drawn: app.drawn.frames, time: app.player.time };
});
const playing = await rate(5);
const after = await page.evaluate(() => ({ drawn: window.patchfield.drawn.frames, time: window.patchfield.player.time }));
console.log(`opened in ${opened.toFixed(2)} s; playing ${playing.toFixed(1)} pictures/s (${after.drawn - before.drawn} drawn), empty canvas ${idle.toFixed(1)}; ${(after.time - before.time).toFixed(2)} s of the recording in 5 s`);
await browser.close();
