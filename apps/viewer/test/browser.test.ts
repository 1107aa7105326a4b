// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The page in a real browser: replay from disk, scrubbing, clicking a patch, resizing, damaged files.

import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { launch } from "../browser.mjs";
import { FOLDER, assertQuiet, drawn, open, record, screenshot, serve, until } from "./browser";

const hasBrowser = Boolean(process.env["CHROMIUM"]); // found by run.mjs
const options = { skip: hasBrowser ? false : "no Chromium: install one and name it, CHROMIUM=/usr/bin/chromium", timeout: 180_000 };
let browser: Browser;
let replay = "";

before(async () => {
  if (!hasBrowser) return;
  replay = record("stack.html", "scene:stack", "--duration", "1", "--time-step", "5e-3");
  browser = await launch();
});
after(async () => browser?.close());

test("a page from disk plays by itself", options, async () => {
  const opened = performance.now();
  const watched = await open(browser, `file://${replay}`);
  const { page } = watched;
  await drawn(page);
  console.log(`# opened after ${Math.round(performance.now() - opened)} ms, ${(statSync(replay).size / 1e6).toFixed(2)} MB`);
  assert.match(await page.title(), /scene:stack/);
  const first = await page.evaluate(() => window.patchfield!.player.time);
  await until(page, (t) => window.patchfield!.player.time !== t, first);
  await page.keyboard.press(" ");
  assert.equal(await page.evaluate(() => window.patchfield!.player.playing), false);
  await screenshot(page, "replay");
  assertQuiet(watched);
  assert.equal(watched.requests.filter((url) => url.startsWith("http")).length, 0);
  await page.close();
});

test("scrubbing and stepping move time, and the plots follow", options, async () => {
  const watched = await open(browser, `file://${replay}`);
  const { page } = watched;
  await drawn(page);
  await page.keyboard.press(" ");
  const time = () => page.evaluate(() => window.patchfield!.player.time);
  const end = await page.evaluate(() => window.patchfield!.recording.endTime);
  const bar = (await page.locator(".scrub").boundingBox())!;
  await page.mouse.click(bar.x + bar.width / 2, bar.y + bar.height / 2);
  assert.ok(Math.abs((await time()) - end / 2) < 0.05 * end, `${await time()} of ${end}`);
  await page.locator("canvas.stage").focus();
  await page.keyboard.press("Home");
  assert.equal(await time(), 0);
  const before = await page.evaluate(() => window.patchfield!.player.frame);
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => window.patchfield!.player.frame), before + 1);
  const plot = (await page.locator("canvas.plot").boundingBox())!;
  await page.mouse.click(plot.x + 0.75 * plot.width, plot.y + plot.height / 2);
  assert.ok((await time()) > end / 2);
  await page.locator(".tabs button", { hasText: "Area" }).click();
  // The curves are really there: some pixel of the canvas has a series' colour.
  const colored = await page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>("canvas.plot")!;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i + 3]! > 200 && Math.max(data[i]!, data[i + 1]!, data[i + 2]!) - Math.min(data[i]!, data[i + 1]!, data[i + 2]!) > 60) ++count;
    return count;
  });
  assert.ok(colored > 200, `${colored}`);
  await screenshot(page, "plots");
  assertQuiet(watched);
  await page.close();
});

test("a click on a patch shows its numbers", options, async () => {
  const watched = await open(browser, `file://${replay}`);
  const { page } = watched;
  await drawn(page);
  await page.keyboard.press(" ");
  await page.keyboard.press("End");
  await page.waitForTimeout(300);
  const expected = await page.evaluate(() => {
    const { recording, player } = window.patchfield!;
    const patch = recording.states[player.frame]!.patches[0]!;
    return { name: recording.pairName(patch), at: window.patchfield!.patchOnPage(0)! };
  });
  await page.mouse.click(expected.at.x, expected.at.y);
  const card = page.locator(".inspector");
  await card.waitFor({ state: "visible" });
  const text = await card.innerText();
  for (const word of ["Area", "Force", "Moment", "Center of pressure", "Mean pressure", "Peak pressure", "cm²", "kPa"]) assert.ok(text.includes(word), word);
  // The lowest cube stands on the plane: its patch carries ten cubes of 1 kg.
  const chosen = await page.evaluate(() => {
    const { recording, player, selected } = window.patchfield!;
    return recording.states[player.frame]!.patches.find((p) => p.geomA === selected!.geomA && p.geomB === selected!.geomB)!.force[2];
  });
  assert.ok(chosen > 5, `${chosen}`);
  await screenshot(page, "patch");
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "hidden" });
  assertQuiet(watched);
  await page.close();
});

test("every switch can be switched", options, async () => {
  const watched = await open(browser, `file://${replay}`);
  const { page } = watched;
  await drawn(page);
  await page.keyboard.press(" ");
  for (const key of ["e", "t", "c", "c", "c", "n", "m", "r", "v", "g", "x", "x", "1", "2", "3", "4", "5", "6", "7", "f", "[", "]"]) await page.keyboard.press(key);
  await page.keyboard.press("?");
  await page.locator(".help").waitFor({ state: "visible" });
  await screenshot(page, "help");
  await page.keyboard.press("Escape");
  await page.keyboard.press("1");
  for (const map of ["cividis", "inferno", "gray", "viridis"]) await page.locator('select[aria-label="Colors"]').selectOption(map);
  await page.locator('select[aria-label="Range"]').selectOption("fixed");
  await page.locator('input[aria-label="Pressure to [kPa]"]').fill("5");
  await page.locator('input[aria-label="Pressure to [kPa]"]').press("Tab");
  await until(page, () => /\[kPa\].* 5( |$)/.test([...document.querySelectorAll(".legend > span, .legend .ticks span")].map((span) => span.textContent).join(" ").trim()));
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
  await page.locator("canvas.stage").focus();
  await page.keyboard.press("d");
  assert.equal(await page.locator("html").getAttribute("data-theme"), "light");
  await page.locator("summary", { hasText: "Bodies" }).click();
  await page.locator('button[aria-label^="Show"]').nth(1).click();
  assert.equal(await page.evaluate(() => window.patchfield!.world.looks[1]!.visible), false);
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("s")]);
  assert.match(download.suggestedFilename(), /\.png$/);
  await screenshot(page, "switches_light");
  assertQuiet(watched);
  await page.close();
});

test("the view fits any window", options, async () => {
  const watched = await open(browser, `file://${replay}`);
  const { page } = watched;
  await drawn(page);
  for (const size of [{ width: 380, height: 720 }, { width: 1300, height: 700 }, { width: 720, height: 360 }, { width: 960, height: 640 }]) {
    await page.setViewportSize(size);
    await until(page, (width) => document.querySelector("canvas.stage")!.clientWidth === width, size.width);
    const fits = await page.evaluate(() => {
      const view = document.querySelector(".view")!;
      const canvas = document.querySelector("canvas.stage")!;
      return canvas.clientHeight === view.clientHeight && document.documentElement.scrollWidth <= innerWidth && document.querySelector(".timeline")!.getBoundingClientRect().bottom <= innerHeight + 1;
    });
    assert.ok(fits, JSON.stringify(size));
  }
  assertQuiet(watched);
  await page.close();
  const phone = await open(browser, `file://${replay}`, { width: 380, height: 720 });
  await drawn(phone.page);
  await screenshot(phone.page, "phone");
  await phone.page.locator('button[aria-label^="Settings"]').click();
  await phone.page.locator(".panel").waitFor({ state: "visible" });
  await screenshot(phone.page, "phone_panel");
  assertQuiet(phone);
  await phone.page.close();
});

test("a damaged page says so in a sentence", options, async () => {
  const whole = readFileSync(replay, "utf8");
  const data = whole.indexOf('<script id="recording"');
  const cases: [string, string, RegExp][] = [
    ["cut", whole.slice(0, data + Math.floor(0.6 * (whole.length - data))), /ends early, after \d+ frames/],
    ["empty", `${whole.slice(0, data)}<script id="recording" type="application/octet-stream"></script>`, /empty/],
    ["nonsense", `${whole.slice(0, data)}<script id="recording" type="application/octet-stream">bm8gcmVjb3JkaW5n</script>`, /no recording/],
    ["header", whole.slice(0, data + 400), /ends too early|damaged/],
    ["nothing", whole.slice(0, data), /Open a recording/],
  ];
  for (const [name, text, sentence] of cases) {
    const file = join(FOLDER, `${name}.html`);
    writeFileSync(file, text);
    const watched = await open(browser, `file://${file}`);
    const where = watched.page.locator(".message, .notice");
    await where.first().waitFor({ state: "visible" });
    assert.match(await where.first().innerText(), sentence, name);
    if (name === "cut" || name === "nonsense") await screenshot(watched.page, `damaged_${name}`);
    assertQuiet(watched);
    await watched.page.close();
  }
});

test("a served recording is the same", options, async () => {
  const server = await serve(record("ball.pfr", "scene:sphere_on_plane", "--duration", "0.5"));
  const watched = await open(browser, server.url);
  await drawn(watched.page);
  assert.equal(await watched.page.evaluate(() => window.patchfield!.recording.numFrames), 30);
  assertQuiet(watched, server.url);
  await watched.page.close();
  assert.equal(await server.end(), 0);
});

test("a live simulation runs, pauses, steps, resets, and is pulled", options, async () => {
  const server = await serve("scene:sphere_on_plane", "--time-step", "2e-3");
  const origins = [server.url, server.url.replace("http", "ws")];
  const watched = await open(browser, server.url, { width: 640, height: 440 });
  const { page } = watched;
  await drawn(page);
  const time = () => page.evaluate(() => window.patchfield!.player.time);
  const status = () => page.evaluate(() => window.patchfield!.status);
  await until(page, () => window.patchfield!.player.time > 0.3);
  await until(page, () => /× real time/.test(document.querySelector(".rate")!.textContent!));

  // A second browser sees the same, and its end disturbs nobody.
  const other = await open(browser, server.url, { width: 400, height: 300 });
  await until(other.page, () => (window.patchfield?.recording.numFrames ?? 0) > 3);
  assertQuiet(other, ...origins);
  await other.page.close();
  await page.bringToFront();

  await page.keyboard.press(" ");
  await until(page, () => window.patchfield!.status!.paused);
  await page.waitForTimeout(300);
  const stopped = await time();
  await page.waitForTimeout(300);
  assert.equal(await time(), stopped);
  // A frame shows the start of its step: after two steps it is one or two steps later.
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await until(page, (t) => window.patchfield!.player.time > t, stopped);
  await screenshot(page, "live");
  await page.keyboard.press("0");
  await until(page, () => window.patchfield!.player.time === 0);
  assert.equal((await status())!.paused, true);

  // Pull the ball up by its top; it leaves the floor.
  await page.keyboard.press(" ");
  await until(page, () => window.patchfield!.player.time > 0.2);
  const height = () => page.evaluate(() => window.patchfield!.recording.states[window.patchfield!.player.frame]!.poses[2]!);
  const low = await height();
  const at = (await page.evaluate(() => window.patchfield!.patchOnPage(0)))!;
  await page.mouse.move(at.x, at.y - 20);
  await page.mouse.down();
  for (let i = 1; i <= 20; ++i) await page.mouse.move(at.x, at.y - 20 - 12 * i);
  await until(page, (z) => window.patchfield!.recording.states[window.patchfield!.player.frame]!.poses[2]! > z + 0.01, low);
  await screenshot(page, "pull");
  await page.mouse.up();
  await until(page, (z) => window.patchfield!.recording.states[window.patchfield!.player.frame]!.poses[2]! < z + 0.005, low);
  assertQuiet(watched, ...origins);
  await page.close();
  assert.equal(await server.end(), 0);
});
