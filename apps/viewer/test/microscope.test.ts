// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The flat map of a patch, and events on the time line: against a recording by C++, and in the page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { launch } from "../browser.mjs";
import { findEvents } from "../src/events";
import { clipByPressure, flatten, isobarOf, locate, mapCsv, profile } from "../src/patch_map";
import { Recording } from "../src/recording";
import { fraction, percentile, valueAt } from "../src/scale";
import { assertQuiet, drawn, open, record, screenshot, until } from "./browser";

const hasBrowser = Boolean(process.env["CHROMIUM"]);
const options = { skip: hasBrowser ? false : "no Chromium: install one and name it, CHROMIUM=/usr/bin/chromium", timeout: 300_000 };
const recording = Recording.fromFile(new Uint8Array(readFileSync(process.env["RECORDING"]!)));
const last = recording.numFrames - 1;
let browser: Browser;

before(async () => {
  if (hasBrowser) browser = await launch();
});
after(async () => browser?.close());

// The ball of the decoder's test rests on a plane: its patch is a disk in z = 0.
const summary = recording.states[last]!.patches[0]!;
const map = flatten(recording.fields(last)[0]!, summary.force);

test("a flat patch is its own map: areas, places and pressures", () => {
  assert.ok(Math.abs(Math.abs(map.normal[2]) - 1) < 1e-6, `${map.normal}`);
  const area = map.areas.reduce((a, b) => a + b, 0);
  assert.ok(area <= summary.area * (1 + 1e-5) && area > 0.8 * summary.area);
  // The largest pressure is at the center of pressure, by symmetry.
  const center = locate(map, [0, 0])!;
  assert.ok(Math.abs(center.pressure - summary.peakPressure) < 0.05 * summary.peakPressure, `${center.pressure} ${summary.peakPressure}`);
  assert.equal(locate(map, [1, 1]), null);
});

test("bands of pressure fill a face exactly", () => {
  const size = (polygon: readonly (readonly number[])[]) =>
    Math.abs(polygon.reduce((sum, a, i) => {
      const b = polygon[(i + 1) % polygon.length]!;
      return sum + a[0]! * b[1]! - a[1]! * b[0]!;
    }, 0)) / 2;
  for (const face of map.faces) {
    const middle = (Math.min(...face.map((c) => c[2])) + Math.max(...face.map((c) => c[2]))) / 2;
    const parts = size(clipByPressure(face, middle, 1)) + size(clipByPressure(face, middle, -1));
    assert.ok(Math.abs(parts - size(face)) < 1e-9 * 1 + 1e-6 * size(face));
    const isobar = isobarOf(face, middle);
    if (isobar) for (const end of isobar) assert.ok(Math.abs(locate(map, end)!.pressure - middle) < 1e-3 * summary.peakPressure + 1e-6);
  }
});

test("a cut through the middle has the profile of a paraboloid", () => {
  // A ball that is pressed into a plane by δ: p falls from its peak to 0 at the rim, symmetrically.
  const radius = Math.sqrt(map.areas.reduce((a, b) => a + b, 0) / Math.PI);
  const values = profile(map, [-radius, 0], [radius, 0], 101);
  assert.ok(Math.abs(values[50]![1] - summary.peakPressure) < 0.05 * summary.peakPressure);
  assert.ok(values[0]![1] < 0.3 * summary.peakPressure);
  for (let i = 0; i < 50; ++i) assert.ok(Math.abs(values[i]![1] - values[100 - i]![1]) < 0.12 * summary.peakPressure);
});

test("the table of a map adds up to the force", () => {
  const rows = mapCsv(map).trim().split("\n").slice(1).map((row) => row.split(",").map(Number));
  assert.equal(rows.length, map.faces.length);
  const force = rows.reduce((sum, row) => sum + row[2]! * Math.max(0, row[3]!), 0);
  assert.ok(Math.abs(force - summary.normalForce) < 0.05 * summary.normalForce, `${force} ${summary.normalForce}`);
});

test("scales and percentiles", () => {
  for (const scale of ["linear", "root", "log"] as const) for (const u of [0, 0.3, 0.7, 1]) assert.ok(Math.abs(fraction(valueAt(u, [100, 2000], scale), [100, 2000], scale) - u) < 1e-9);
  assert.equal(percentile([...Array.from({ length: 99 }, () => 1), 1000], 0.95), 1);
  assert.equal(percentile([], 0.95), 0);
});

test("events: a ball that falls makes contact once and keeps it", () => {
  const events = findEvents(recording);
  assert.ok(events.filter((event) => event.kind === "lost").length <= events.filter((event) => event.kind === "made").length);
  for (let i = 1; i < events.length; ++i) assert.ok(events[i]!.time >= events[i - 1]!.time);
  const stack = Recording.fromFile(new Uint8Array(readFileSync(record("fall.pfr", "scene:clutter:4", "--duration", "1", "--time-step", "5e-3"))));
  // Four bodies fall into a bin that they did not touch before.
  assert.ok(findEvents(stack).filter((event) => event.kind === "made").length >= 4);
});

test("a click opens the microscope; it reads values, cuts and exports", options, async () => {
  const file = record("microscope.html", "scene:spatula", "--duration", "1", "--time-step", "2e-3");
  const watched = await open(browser, `file://${file}`, { width: 1440, height: 900 });
  const { page } = watched;
  await drawn(page);
  await page.keyboard.press(" ");
  const at = await page.evaluate(() => {
    const app = window.patchfield!;
    app.player.step(1e9);
    app.showNow();
    app.stage.camera.updateMatrixWorld();
    return app.patchOnPage(0)!;
  });
  await page.mouse.click(at.x, at.y);
  await page.locator(".microscope canvas.map").waitFor({ state: "visible" });
  const box = (await page.locator(".microscope canvas.map").boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.46);
  assert.match(await page.locator(".reading").innerText(), /kPa.*friction.*(sticks|slips)/);
  await page.mouse.move(box.x + 0.2 * box.width, box.y + box.height * 0.45);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.8 * box.width, box.y + box.height * 0.47, { steps: 4 });
  await page.mouse.up();
  assert.equal(await page.locator("canvas.cut").isVisible(), true);
  await page.locator(".layers label", { hasText: "Friction" }).click();
  await screenshot(page, "microscope");
  // The map has the legend's colors: its middle is that of the peak.
  const made = await page.evaluate(() => ({ svg: window.patchfield!.microscope.svg(), csv: window.patchfield!.microscope.csv() }));
  assert.match(made.svg, /^<svg[^]*<polygon[^]*<polyline[^]*<\/svg>/);
  assert.match(made.csv, /^u_m,v_m,area_m2,pressure_Pa/);
  for (const kind of ["SVG", "PNG", "CSV"]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".layers button", { hasText: kind }).click()]);
    assert.match(download.suggestedFilename(), new RegExp(`\\.${kind.toLowerCase()}$`));
  }
  assertQuiet(watched);
  await page.close();
});

test("plots, events and time line share one axis, which zooms", options, async () => {
  const file = record("axis.html", "scene:clutter:4", "--duration", "1", "--time-step", "5e-3");
  const watched = await open(browser, `file://${file}`, { width: 1440, height: 900 });
  const { page } = watched;
  await drawn(page);
  await page.keyboard.press(" ");
  const places = () =>
    page.evaluate(() => {
      const app = window.patchfield!;
      const plot = document.querySelector("canvas.plot")!.getBoundingClientRect();
      const scrub = document.querySelector<HTMLInputElement>(".scrub")!;
      const bar = scrub.getBoundingClientRect();
      const event = document.querySelector<HTMLElement>(".event");
      const part = app.axis.part(app.player.time);
      return { cursor: plot.left + 64 + part * (plot.width - 64 - 12), thumb: bar.left + 7.5 + Number(scrub.value) * (bar.width - 15), event: event ? event.getBoundingClientRect().left + 1.5 : NaN, expected: plot.left + 64 + app.axis.part(app.timeline.events.find((e) => e.time >= app.axis.from)!.time) * (plot.width - 64 - 12) };
    });
  await page.evaluate(() => window.patchfield!.player.seek(0.5));
  const settled = () => until(page, () => Math.abs(Number(document.querySelector<HTMLInputElement>(".scrub")!.value) - window.patchfield!.axis.part(window.patchfield!.player.time)) < 1e-3);
  await settled();
  const whole = await places();
  assert.ok(Math.abs(whole.cursor - whole.thumb) < 2, JSON.stringify(whole));
  assert.ok(Math.abs(whole.event - whole.expected) < 2, JSON.stringify(whole));
  const plot = (await page.locator("canvas.plot").boundingBox())!;
  await page.mouse.move(plot.x + 0.5 * plot.width, plot.y + 0.5 * plot.height);
  assert.match(await page.locator(".plot-tip").innerText(), /s · .*: .* N/);
  await page.mouse.wheel(0, -300);
  await until(page, () => window.patchfield!.axis.isZoomed);
  await settled();
  const zoomed = await places();
  assert.ok(Math.abs(zoomed.cursor - zoomed.thumb) < 2, JSON.stringify(zoomed));
  await screenshot(page, "zoomed_axis");
  await page.mouse.dblclick(plot.x + 0.5 * plot.width, plot.y + 0.5 * plot.height);
  assert.equal(await page.evaluate(() => window.patchfield!.axis.isZoomed), false);
  // To the next event and back by keys, and a mark of one's own.
  await page.locator("canvas.stage").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press(".");
  const first = await page.evaluate(() => ({ time: window.patchfield!.player.time, event: window.patchfield!.timeline.events[0]!.time }));
  assert.equal(first.time, first.event);
  await page.keyboard.press("b");
  await page.locator(".event.mark").waitFor({ state: "attached" });
  assertQuiet(watched);
  await page.close();
});
