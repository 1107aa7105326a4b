// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What the page draws, compared by pixels and values: colors against the legend, opacity, arrows, camera, pictures and animations.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launch } from "../browser.mjs";
import { FOLDER, assertQuiet, drawn, open, record, screenshot, until } from "./browser";

const hasBrowser = Boolean(process.env["CHROMIUM"]);
const options = { skip: hasBrowser ? false : "no Chromium: install one and name it, CHROMIUM=/usr/bin/chromium", timeout: 300_000 };
let browser: Browser;
let spatula = "";
let clutter = "";
let coin = "";

before(async () => {
  if (!hasBrowser) return;
  spatula = record("spatula.html", "scene:spatula", "--duration", "3", "--time-step", "2e-3");
  clutter = record("clutter.html", "scene:clutter:10", "--duration", "0.6", "--time-step", "5e-3");
  coin = record("coin.html", "scene:coin", "--duration", "0.5");
  browser = await launch();
});
after(async () => browser?.close());

/** Stands still at the end. */
async function atEnd(page: Page): Promise<void> {
  await drawn(page);
  await page.evaluate(() => {
    const app = window.patchfield!;
    app.player.step(1e9);
    app.showNow();
  });
}

type Rgb = [number, number, number];

/** Pixels of a picture of the view as it is, taken right after drawing. */
async function pixels(page: Page, points: { x: number; y: number }[]): Promise<Rgb[]> {
  return page.evaluate((wanted) => {
    const app = window.patchfield!;
    app.stage.invalidate();
    app.stage.draw();
    const { canvas } = app.stage;
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext("2d", { willReadFrequently: true })!;
    context.drawImage(canvas, 0, 0);
    const box = canvas.getBoundingClientRect();
    return wanted.map(({ x, y }) => {
      const at = (v: number, low: number, size: number, count: number) => Math.min(count - 1, Math.max(0, Math.floor(((v - low) * count) / size)));
      return [...context.getImageData(at(x, box.left, box.width, canvas.width), at(y, box.top, box.height, canvas.height), 1, 1).data].slice(0, 3) as [number, number, number];
    });
  }, points);
}

/** A raster of points of the page whose neighborhood lies on one patch, with the legend's color there and at the neighbors. */
async function patchPoints(page: Page): Promise<{ x: number; y: number; expected: Rgb; slope: number }[]> {
  return page.evaluate(() => {
    const app = window.patchfield!;
    const box = app.stage.canvas.getBoundingClientRect();
    const found: { x: number; y: number; expected: [number, number, number]; slope: number }[] = [];
    const colorOf = (x: number, y: number) => {
      const { patch, pressure } = app.probe({ clientX: x, clientY: y });
      return patch < 0 ? null : app.legendColor(pressure);
    };
    for (let i = 0; i < 60; ++i)
      for (let j = 0; j < 40; ++j) {
        // Middles of pixels.
        const [x, y] = [Math.floor(box.left + (box.width * (i + 0.5)) / 60) + 0.5, Math.floor(box.top + (box.height * (j + 0.5)) / 40) + 0.5];
        const expected = colorOf(x, y);
        if (!expected) continue;
        const near = [[-3, 0], [3, 0], [0, -3], [0, 3]].map(([dx, dy]) => colorOf(x + dx!, y + dy!));
        if (near.some((color) => color === null)) continue;
        const slope = Math.max(...near.map((color) => Math.max(...color!.map((c, k) => Math.abs(c - expected[k]!))))) / 3;
        found.push({ x, y, expected, slope });
      }
    return found;
  });
}

test("the pixel of a patch has the legend's color for its pressure", options, async () => {
  const watched = await open(browser, `file://${spatula}`, { width: 1024, height: 768 });
  const { page } = watched;
  await atEnd(page);
  for (const scale of ["linear", "root"] as const) {
    await page.evaluate((chosen) => {
      const app = window.patchfield!;
      Object.assign(app.settings, { scale: chosen, isobars: false, patchEdges: false });
      app.settings.arrows.force.show = false;
      app.change();
      app.showNow();
      app.stage.look("corner");
      app.stage.camera.position.lerp(app.stage.controls.target, 0.4);
      app.stage.controls.update();
      app.stage.camera.updateMatrixWorld();
    }, scale);
    const points = await patchPoints(page);
    assert.ok(points.length > 12, `${points.length} points on patches`);
    const colors = await pixels(page, points);
    // Half a pixel of steep pressure is more than 2/255: that much is allowed on top.
    const wrong = points.filter(({ expected, slope }, i) => Math.max(...expected.map((c, k) => Math.abs(c - colors[i]![k]!))) > 2 + 0.75 * slope);
    const flat = points.filter(({ slope }) => slope < 1);
    assert.ok(wrong.length <= 0.02 * points.length, `${wrong.length} of ${points.length}, ${flat.length} flat: ${JSON.stringify(points.slice(0, 3))} ${JSON.stringify(colors.slice(0, 3))}`);
  }
  await screenshot(page, "spatula_colors");
  assertQuiet(watched);
  await page.close();
});

test("opacity of rigid and of single bodies changes pixels", options, async () => {
  const watched = await open(browser, `file://${spatula}`, { width: 900, height: 640 });
  const { page } = watched;
  await atEnd(page);
  // A point of the page on an opaque body.
  const at = await page.evaluate(() => {
    const app = window.patchfield!;
    const box = app.stage.canvas.getBoundingClientRect();
    for (let i = 5; i < 95; ++i)
      for (let j = 5; j < 95; ++j) {
        const point = { clientX: box.left + (box.width * i) / 100, clientY: box.top + (box.height * j) / 100 };
        const solid = app.stage.pick(point, app.world.opaque());
        if (solid.length > 0 && app.probe(point).patch < 0) return { x: point.clientX, y: point.clientY, body: solid[0]!.object.userData["body"] as number };
      }
    return null;
  });
  assert.ok(at);
  const [solid] = await pixels(page, [at]);
  const far = (a: Rgb, b: Rgb) => Math.max(...a.map((c, k) => Math.abs(c - b[k]!)));
  const slider = page.locator('input[type="range"][aria-label="Rigid"]');
  await slider.fill("0.2");
  const [faded] = await pixels(page, [at]);
  assert.ok(far(solid!, faded!) > 10, `${solid} ${faded}`);
  await slider.fill("1");
  assert.ok(far(solid!, (await pixels(page, [at]))[0]!) <= 2);
  await page.evaluate((body) => {
    const app = window.patchfield!;
    app.world.looks[body]!.opacity = 0.15;
    app.change();
  }, at.body);
  assert.ok(far(solid!, (await pixels(page, [at]))[0]!) > 10);
  assertQuiet(watched);
  await page.close();
});

test("what is in a bin can be seen", options, async () => {
  const watched = await open(browser, `file://${clutter}`, { width: 900, height: 640 });
  const { page } = watched;
  await atEnd(page);
  const looks = await page.evaluate(() => window.patchfield!.world.looks.map(({ opacity }) => opacity));
  assert.ok(looks[0]! < 0.5);
  await screenshot(page, "clutter");
  assertQuiet(watched);
  await page.close();
});

test("scenes start from their keyframe, and the camera knows where bodies go", options, async () => {
  const watched = await open(browser, `file://${coin}`, { width: 900, height: 640 });
  const { page } = watched;
  await atEnd(page);
  // The coin of keyframe 0 slides by decimetres.
  const where = await page.evaluate(() => {
    const app = window.patchfield!;
    const { states } = app.recording;
    app.stage.look("corner");
    return { moved: states[states.length - 1]!.poses[0]! - states[0]!.poses[0]!, at: app.patchOnPage(0)!, box: app.stage.canvas.getBoundingClientRect().toJSON() as DOMRect };
  });
  assert.ok(where.moved > 0.05, `${where.moved}`);
  assert.ok(where.at.x > where.box.left && where.at.x < where.box.right && where.at.y > where.box.top && where.at.y < where.box.bottom, JSON.stringify(where));
  // F brings it to the middle of the free part and makes it large.
  await page.locator("canvas.stage").focus();
  await page.keyboard.press("f");
  const fitted = await page.evaluate(() => ({ at: window.patchfield!.patchOnPage(0)!, covered: window.patchfield!.stage.covered }));
  const middle = where.box.left + (where.box.width - fitted.covered) / 2;
  assert.ok(Math.abs(fitted.at.x - middle) < 0.2 * where.box.width, JSON.stringify(fitted));
  await screenshot(page, "coin_fit");
  // The camera stays with a body that it follows.
  const offsets = await page.evaluate(() => {
    const app = window.patchfield!;
    app.setFollow(app.recording.header.moving[0]!);
    const middleOf = (frame: number) => {
      app.player.step(-1e9);
      app.player.step(frame);
      app.showNow();
      app.stage.camera.updateMatrixWorld();
      return app.patchOnPage(0)!.x;
    };
    return [0, 8, 16].map(middleOf);
  });
  assert.ok(Math.max(...offsets) - Math.min(...offsets) < 0.15 * where.box.width, `${offsets}`);
  assertQuiet(watched);
  await page.close();
});

test("one spike spoils neither colors nor arrows", options, async () => {
  const watched = await open(browser, `file://${spatula}`);
  const { page } = watched;
  await atEnd(page);
  const result = await page.evaluate(() => {
    const app = window.patchfield!;
    const before = app.pressureRange()[1];
    const patch = app.recording.states[3]!.patches[0]!;
    patch.peakPressure *= 100;
    patch.peakSlip *= 1e4;
    ++app.recording.revision;
    app.settings.arrows.slip.show = true;
    // A frame with as much slip as frames usually have.
    const slips = app.recording.states.map((state, i) => ({ i, slip: state.patches[0]?.peakSlip ?? 0 })).sort((a, b) => a.slip - b.slip);
    app.player.step(-1e9);
    app.player.step(slips[Math.floor(0.5 * slips.length)]!.i);
    app.change();
    app.showNow();
    return { before, after: app.pressureRange()[1], text: document.querySelector(".legend")!.textContent!, arrows: app.arrowTips("slip").length };
  });
  assert.ok(result.after < 1.2 * result.before, JSON.stringify(result));
  assert.match(result.text, /largest/);
  assert.ok(result.arrows > 10, `${result.arrows} arrows of slip`);
  assertQuiet(watched);
  await page.close();
});

test("a net force ends on the surface that it pushes", options, async () => {
  const watched = await open(browser, `file://${spatula}`);
  const { page } = watched;
  await atEnd(page);
  const arrows = await page.evaluate(() => {
    const app = window.patchfield!;
    const state = app.recording.states[app.player.frame]!;
    return { tips: app.arrowTips("force"), centers: state.patches.map((p) => p.centerOfPressure) };
  });
  assert.equal(arrows.tips.length, arrows.centers.length);
  arrows.tips.forEach((tip, i) => assert.ok(Math.hypot(...tip.map((x, k) => x - arrows.centers[i]![k]!)) < 1e-5, `${tip} ${arrows.centers[i]}`));
  // Its shaft is as wide in pixels near and far.
  assertQuiet(watched);
  await page.close();
});

test("a dropped file takes the page over, a wrong one leaves it", options, async () => {
  const watched = await open(browser, `file://${spatula}`);
  const { page } = watched;
  await drawn(page);
  const drop = (name: string, base64: string) =>
    page.evaluate(
      ([file, data]) => {
        const bytes = Uint8Array.from(atob(data!), (c) => c.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], file!));
        window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer }));
      },
      [name, base64],
    );
  await drop("nonsense.pfr", Buffer.from("no recording").toString("base64"));
  await page.locator(".notice").waitFor({ state: "visible" });
  assert.match(await page.locator(".notice").innerText(), /nonsense\.pfr.*no recording/i);
  assert.equal(await page.evaluate(() => window.patchfield!.recording.header.title), "scene:spatula");
  await drop("coin.html", readFileSync(coin).toString("base64"));
  await until(page, () => window.patchfield!.recording.header.title === "scene:coin" && window.patchfield!.drawn.frames > 1);
  // Keys work, once each.
  await page.keyboard.press("p");
  assert.equal(await page.locator(".plots").isVisible(), false);
  let downloads = 0;
  page.on("download", () => ++downloads);
  await page.keyboard.press("s");
  await page.waitForTimeout(1500);
  assert.equal(downloads, 1);
  assertQuiet(watched);
  await page.close();
});

test("keys belong to the focused control", options, async () => {
  const watched = await open(browser, `file://${spatula}`, { width: 1024, height: 768 });
  const { page } = watched;
  await drawn(page);
  await page.keyboard.press(" ");
  const state = () => page.evaluate(() => ({ playing: window.patchfield!.player.playing, frame: window.patchfield!.player.frame, edges: window.patchfield!.settings.patchEdges, soft: window.patchfield!.settings.softOpacity }));
  const before = await state();
  await page.locator('[data-setting="patchEdges"] input').focus();
  await page.keyboard.press(" ");
  assert.equal((await state()).edges, !before.edges);
  assert.equal((await state()).playing, before.playing);
  await page.locator('input[type="range"][aria-label="Compliant"]').focus();
  await page.keyboard.press("ArrowRight");
  assert.ok((await state()).soft > before.soft);
  assert.equal((await state()).frame, before.frame);
  // A button clicked with the pointer gives the space bar back.
  await page.locator('button[aria-label^="Dark or light"]').click();
  await page.keyboard.press(" ");
  assert.equal((await state()).playing, !before.playing);
  assert.equal(await page.locator("html").getAttribute("data-theme"), "light");
  assertQuiet(watched);
  await page.close();
});

test("legend, ticks and colors of curves say what is there", options, async () => {
  const ball = record("points.html", "scene:chain:2", "--duration", "0.1");
  const watched = await open(browser, `file://${ball}`);
  await drawn(watched.page);
  const text = await watched.page.locator(".legend").innerText();
  assert.doesNotMatch(text, /0 Pa|1 Pa/);
  await watched.page.close();
  const { page } = await open(browser, `file://${clutter}`, { width: 1024, height: 768 });
  await atEnd(page);
  const colors = async (tab: string) => {
    await page.locator(".tabs button", { hasText: new RegExp(`^${tab}$`) }).click();
    return page.evaluate(() => [...document.querySelectorAll<HTMLElement>(".plot-legend button")].map((row) => [row.querySelector(".name")!.textContent!, row.querySelector<HTMLElement>(".swatch")!.style.background] as const));
  };
  const [force, slip] = [new Map(await colors("Force")), new Map(await colors("Peak slip"))];
  let shared = 0;
  for (const [name, color] of force) if (slip.has(name)) assert.equal(slip.get(name), color, (++shared, name));
  assert.ok(shared > 0);
  await page.close();
});

test("pictures and animations come out of the page", options, async () => {
  const watched = await open(browser, `file://${spatula}`);
  const { page } = watched;
  await atEnd(page);
  const make = (kind: "png" | "webp" | "gif" | "webm") =>
    page.evaluate(async (wanted) => {
      const app = window.patchfield!;
      const picture = { width: 320, height: 180, ground: "white" as const, labels: true };
      const film = { ...picture, from: 0, to: 0.4, rate: 10, speed: 1, orbit: 30, quality: 0.8 };
      const blob = wanted === "png" ? await app.exportPicture(picture) : await app.exportAnimation({ ...film, kind: wanted });
      const url = URL.createObjectURL(blob);
      let size = [0, 0];
      if (wanted !== "webm") {
        const image = new Image();
        image.src = url;
        await image.decode();
        size = [image.naturalWidth, image.naturalHeight];
      } else {
        const video = document.createElement("video");
        video.src = url;
        await new Promise((resolve, reject) => ((video.onloadeddata = resolve), (video.onerror = () => reject(new Error("the film does not play")))));
        size = [video.videoWidth, video.videoHeight];
      }
      return { size, type: blob.type, bytes: [...new Uint8Array(await blob.arrayBuffer())] };
    }, kind);
  for (const kind of ["png", "webp", "gif", "webm"] as const) {
    const made = await make(kind);
    assert.deepEqual(made.size, [320, 180], kind);
    writeFileSync(join(FOLDER, `made.${kind}`), Uint8Array.from(made.bytes));
    if (kind === "gif") assert.equal(made.bytes.filter((b, i) => b === 0x21 && made.bytes[i + 1] === 0xf9 && made.bytes[i + 2] === 4 && made.bytes[i + 3] === 5).length, 4, "pictures of the GIF");
  }
  assertQuiet(watched);
  await page.close();
});

test("a second recording is a ghost, or stands beside, with curves of both", options, async () => {
  const other = record("spatula_sap.pfr", "scene:spatula", "--duration", "2", "--time-step", "2e-3", "--solver", "sap");
  const watched = await open(browser, `file://${spatula}`, { width: 1024, height: 768 });
  const { page } = watched;
  await atEnd(page);
  await page.locator('input[aria-label="Second recording"]').setInputFiles(other);
  await until(page, () => window.patchfield!.second !== null);
  const found = await page.evaluate(() => {
    const app = window.patchfield!;
    app.player.seek(1.5);
    app.showNow();
    const second = app.second!;
    const body = second.recording.header.moving[0]!;
    const state = second.recording.states[second.frame]!;
    const group = app.plots.curvesOf("Δ Force")!;
    const [one, two] = [app.recording, second.recording].map((recording) => Math.hypot(...recording.states[recording.frameAt(1.5)]!.patches[0]!.force));
    return { time: state.time, shown: second.world.bodyGroup(body).position.toArray(), recorded: [...state.poses.slice(0, 3)], delta: group.series[0]!.values[app.player.frame]!, expected: one! - two! };
  });
  assert.ok(Math.abs(found.time - 1.5) < 0.02, `${found.time}`);
  assert.deepEqual(found.shown, found.recorded);
  assert.ok(Math.abs(found.delta - found.expected) < 1e-3 * Math.abs(found.expected) + 1e-4, JSON.stringify(found));
  await page.evaluate(() => {
    const app = window.patchfield!;
    app.settings.apart = 0.6;
    app.change();
    app.showNow();
    app.fitNow();
  });
  assert.ok((await page.evaluate(() => window.patchfield!.second!.root.position.x)) > 0.01);
  await screenshot(page, "compare");
  assertQuiet(watched);
  await page.close();
});

test("a link keeps time, camera and selection", options, async () => {
  const watched = await open(browser, `file://${spatula}`);
  const { page } = watched;
  await atEnd(page);
  const link = await page.evaluate(() => {
    const app = window.patchfield!;
    app.player.seek(1.2);
    app.showNow();
    app.stage.look("left");
    app.select(app.recording.states[app.player.frame]!.patches[0]!);
    return app.link();
  });
  const second = await open(browser, `file://${spatula}${link}`);
  await drawn(second.page);
  const same = await second.page.evaluate(() => window.patchfield!.link());
  assert.equal(same, link);
  assert.equal(await second.page.evaluate(() => window.patchfield!.player.playing), false);
  await page.keyboard.press("o");
  await page.locator(".export").waitFor({ state: "visible" });
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".export button", { hasText: "Picture" }).click()]);
  assert.match(download.suggestedFilename(), /\.png$/);
  await screenshot(page, "export");
  assertQuiet(watched);
  assertQuiet(second);
  await second.page.close();
  await page.close();
});

test("three sizes", options, async () => {
  for (const size of [{ width: 1440, height: 900 }, { width: 1024, height: 768 }, { width: 390, height: 844 }]) {
    const watched = await open(browser, `file://${spatula}`, size);
    await atEnd(watched.page);
    // The patches are in the free part of the view, and take a fair share of it.
    const seen = await watched.page.evaluate(() => {
      const app = window.patchfield!;
      const box = app.stage.canvas.getBoundingClientRect();
      const points = [0, 1].map((i) => app.patchOnPage(i)!);
      return { box: box.toJSON() as DOMRect, covered: app.stage.covered, points };
    });
    for (const { x, y } of seen.points) {
      assert.ok(x > seen.box.left + 20 && x < seen.box.right - seen.covered - 20, JSON.stringify(seen));
      assert.ok(y > seen.box.top + 20 && y < seen.box.bottom - 20, JSON.stringify(seen));
    }
    await screenshot(watched.page, `spatula_${size.width}`);
    assertQuiet(watched);
    await watched.page.close();
  }
});
