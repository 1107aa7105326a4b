// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A recording → a picture, single frames, or an animation, without a display:
//
//   node apps/viewer/render.mjs RECORDING.(pfr|html) --picture OUT.png [name=value …]
//   node apps/viewer/render.mjs RECORDING.(pfr|html) --video OUT.(webp|gif|webm|mp4) [name=value …]
//   node apps/viewer/render.mjs RECORDING.(pfr|html) --frames FOLDER [name=value …]
//
// Names and what they are without a value: see WISH. `patchfield render` calls this.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "./browser.mjs";

const WISH = {
  time: "0", // which frame a picture shows [s]
  from: "", // where an animation begins and ends [s]; without them everything
  to: "",
  rate: "20", // pictures per second
  speed: "1", // simulated seconds per second of film
  width: "1280",
  height: "720",
  ground: "white", // dark, light, white, none
  labels: "1", // legend, scale, axes and time
  camera: "corner", // a preset, or AZIMUTH,ELEVATION in degrees
  zoom: "1",
  look: "patches", // patches, all: what the camera frames
  follow: "none", // none, contact, or the name of a body
  orbit: "0", // degrees per second of film
  arrows: "", // force, moment, friction, slip
  map: "viridis",
  range: "recording", // recording, frame, or PASCALS
  scale: "linear", // linear, root, log
  opacity: "", // of compliant bodies, 0 … 1
  hide: "", // names of bodies
  quality: "0.85", // of WebP
  page: "0", // 1: a picture of the whole page with its panels
  patch: "-1", // whose card is open on such a page
};

function parse(words) {
  const [recording, ...rest] = words;
  const jobs = {};
  const wish = { ...WISH };
  for (let i = 0; i < rest.length; ++i) {
    const word = rest[i];
    if (/^--(picture|video|frames)$/.test(word)) jobs[word.slice(2)] = rest[++i];
    else {
      const at = word.indexOf("=");
      const name = word.slice(0, at);
      if (at < 0 || !(name in wish)) throw new Error(`${word}: unknown; there are ${Object.keys(wish).join(", ")}, each as name=value`);
      wish[name] = word.slice(at + 1);
    }
  }
  if (!recording || Object.keys(jobs).length === 0) throw new Error("usage: node render.mjs RECORDING --picture OUT.png | --video OUT.webp | --frames FOLDER [name=value …]");
  return { recording, jobs, wish };
}

/** A page of today's viewer with the recording inside. */
function makePage(recording, folder) {
  const template = process.env.PATCHFIELD_VIEWER_PAGE ?? join(folder, "viewer.html");
  if (!process.env.PATCHFIELD_VIEWER_PAGE) {
    const made = spawnSync(process.execPath, ["build.mjs", template], { cwd: dirname(fileURLToPath(import.meta.url)), encoding: "utf8" });
    if (made.status !== 0) throw new Error(made.stderr);
  }
  const bytes = readFileSync(recording);
  let data = bytes.toString("base64");
  if (extname(recording) === ".html") {
    const text = bytes.toString("latin1");
    const at = text.lastIndexOf('<script id="recording"');
    if (at < 0) throw new Error(`${recording}: this page has no recording in it`);
    data = text.slice(text.indexOf(">", at) + 1).replace(/<\/script>[^]*$/, "");
  }
  const page = join(folder, "page.html");
  writeFileSync(page, `${readFileSync(template, "utf8")}\n<script id="recording" type="application/octet-stream">${data}</script>\n`);
  return page;
}

/** Runs in the page: settings and camera. */
function prepare(wish) {
  const app = window.patchfield;
  const { settings, stage, recording, world } = app;
  const bodies = recording.header.bodies.map(({ name }) => name);
  const bodyOf = (name) => {
    const found = bodies.indexOf(name);
    if (found < 0) throw new Error(`${name}: no such body; there are ${bodies.join(", ")}`);
    return found;
  };
  app.player.playing = false;
  app.player.seek(Number(wish.time));
  settings.theme = wish.ground === "dark" ? "dark" : "light";
  settings.map = wish.map;
  settings.scale = wish.scale;
  for (const kind of Object.keys(settings.arrows)) settings.arrows[kind].show = wish.arrows.split(",").includes(kind);
  if (/^[0-9.e]+$/.test(wish.range)) [settings.range, settings.rangeMax] = ["fixed", Number(wish.range)];
  else settings.range = wish.range;
  if (wish.opacity) settings.softOpacity = Number(wish.opacity);
  for (const name of wish.hide ? wish.hide.split(",") : []) world.looks[bodyOf(name)].visible = false;
  app.select(recording.states[app.player.frame].patches[Number(wish.patch)] ?? null);
  app.change();
  app.showNow();
  app.stage.setCovered(wish.page === "1" ? stage.covered : 0);
  const angles = wish.camera.split(",").map((x) => (Number(x) * Math.PI) / 180);
  const preset = angles.length === 2 ? undefined : wish.camera;
  if (preset) stage.turn(preset);
  else stage.turnTo(angles[0], angles[1]);
  if (wish.follow !== "none") app.lookAtFollowed(wish.follow === "contact" ? "contact" : bodyOf(wish.follow), wish.look === "all");
  else stage.look(undefined, wish.look === "all" ? world.bounds : undefined);
  stage.camera.position.lerp(stage.controls.target, 1 - 1 / Number(wish.zoom));
  app.showNow();
}

let asked;
try {
  asked = parse(process.argv.slice(2));
} catch (error) {
  console.error(`render: ${error.message}`);
  process.exit(2);
}
const { recording, jobs, wish } = asked;
const folder = mkdtempSync(join(tmpdir(), "patchfield-render-"));
const size = { width: Number(wish.width), height: Number(wish.height) };
const picture = { ...size, ground: wish.ground, labels: wish.labels === "1" };
const browser = await launch();
try {
  const page = await browser.newPage({ viewport: wish.page === "1" ? size : { width: 960, height: Math.round((960 * size.height) / size.width) }, colorScheme: wish.ground === "dark" ? "dark" : "light" });
  page.setDefaultTimeout(0);
  await page.goto(`file://${makePage(recording, folder)}`);
  const shown = await page.waitForFunction(() => (window.patchfield?.drawn.frames > 0 ? { text: "" } : document.querySelector(".message .hint") ? { text: document.querySelector(".message").innerText } : null), null, { polling: 50 });
  const { text } = await shown.jsonValue();
  if (text) throw new Error(text);
  // Only the view: it then has the shape of the picture.
  if (wish.page !== "1") await page.addStyleTag({ content: "footer, .panel, .title, .toolbar, .corner, .notice { display: none !important }" });
  await page.waitForTimeout(300);
  await page.evaluate(prepare, wish);
  const end = await page.evaluate(() => window.patchfield.recording.endTime);
  const film = { ...picture, from: wish.from === "" ? 0 : Number(wish.from), to: wish.to === "" ? end : Number(wish.to), rate: Number(wish.rate), speed: Number(wish.speed), orbit: Number(wish.orbit), quality: Number(wish.quality) };
  const save = async (path, expression, argument) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Buffer.from(await page.evaluate(expression, argument), "base64"));
    console.log(`${path}: ${(readFileSync(path).length / 1e6).toFixed(2)} MB`);
  };
  const encode = `const blob = await made; const bytes = new Uint8Array(await blob.arrayBuffer()); let text = ""; for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768)); return btoa(text);`;
  const call = (method) => new Function("wish", `return (async () => { const made = window.patchfield.${method}(wish); ${encode} })()`);
  if (jobs.picture && wish.page === "1") await page.screenshot({ path: jobs.picture, timeout: 0 });
  else if (jobs.picture) await save(jobs.picture, call("exportPicture"), picture);
  if (jobs.frames || extname(jobs.video ?? "") === ".mp4") {
    const target = jobs.frames ?? join(folder, "frames");
    const count = Math.max(1, Math.round(((film.to - film.from) / film.speed) * film.rate));
    for (let i = 0; i < count; ++i) {
      await page.evaluate((time) => window.patchfield.player.seek(time) ?? window.patchfield.showNow(), film.from + (i * film.speed) / film.rate);
      await save(join(target, `${String(i).padStart(5, "0")}.png`), call("exportPicture"), picture);
    }
    if (extname(jobs.video ?? "") === ".mp4") {
      const made = spawnSync("ffmpeg", ["-y", "-loglevel", "error", "-framerate", wish.rate, "-i", join(target, "%05d.png"), "-pix_fmt", "yuv420p", jobs.video], { encoding: "utf8" });
      if (made.error) throw new Error("an .mp4 needs ffmpeg; .webm, .webp and .gif need nothing");
      if (made.status !== 0) throw new Error(made.stderr);
    }
  } else if (jobs.video) {
    const kind = extname(jobs.video).slice(1);
    if (!["webp", "gif", "webm"].includes(kind)) throw new Error(`${jobs.video}: a video ends in .webp, .gif, .webm or .mp4`);
    await save(jobs.video, call("exportAnimation"), { ...film, kind });
  }
} catch (error) {
  console.error(`render: ${error.message}`);
  process.exitCode = 1;
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
