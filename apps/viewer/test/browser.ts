// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Pages for tests, which note console errors and requests that leave the machine.

import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { App } from "../src/app";

declare global {
  interface Window {
    patchfield?: App;
  }
}

export const PROGRAM = process.env["PROGRAM"]!;
/** Recordings of a test. */
export const FOLDER = process.env["FOLDER"]!;
/** Screenshots that stay. */
export const OUT = process.env["OUT"]!;

/** Everything takes longer on a machine that builds at the same time. */
export const PATIENCE = 60_000;

export interface Watched {
  page: Page;
  errors: string[];
  requests: string[];
}

/** A page whose errors and requests are noted. */
export async function open(browser: Browser, url: string, size = { width: 800, height: 560 }): Promise<Watched> {
  const page = await browser.newPage({ viewport: size, colorScheme: "dark" });
  page.setDefaultTimeout(PATIENCE);
  const watched: Watched = { page, errors: [], requests: [] };
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && watched.errors.push(message.text()));
  page.on("pageerror", (error) => watched.errors.push(error.message));
  page.on("request", (request) => watched.requests.push(request.url()));
  page.on("websocket", (socket) => watched.requests.push(socket.url()));
  await page.goto(url, { timeout: PATIENCE });
  return watched;
}

/** Waits until a condition holds in the page. Asks by the clock: a page in the background draws no frames. */
export async function until<T>(page: Page, condition: (argument: T) => boolean, argument?: T): Promise<void> {
  await page.waitForFunction(condition as (argument: unknown) => boolean, argument, { polling: 50 });
}

/** Waits until the three-dimensional view has drawn. */
export function drawn(page: Page): Promise<void> {
  return until(page, () => (window.patchfield?.drawn.frames ?? 0) > 1);
}

/** No errors, and nothing was asked of anybody but this machine. */
export function assertQuiet({ errors, requests }: Watched, ...allowed: string[]): void {
  // Software WebGL tells that reading pixels is slow; that is Chromium's driver talking, not the page.
  assert.deepEqual(errors.filter((text) => !/GPU stall due to ReadPixels/.test(text)), []);
  const strangers = requests.filter((url) => !["file:", "data:", "blob:", ...allowed].some((start) => url.startsWith(start)));
  assert.deepEqual(strangers, []);
}

export async function screenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(OUT, `${name}.png`), timeout: PATIENCE });
}

export function record(file: string, ...options: string[]): string {
  const path = join(FOLDER, file);
  const done = spawnSync(PROGRAM, ["run", ...options, "--record", path, "--quiet"], { encoding: "utf8" });
  assert.equal(done.status, 0, done.stderr);
  return path;
}

/** `patchfield view` on a free port; ends with the test. */
export async function serve(...options: string[]): Promise<{ url: string; process: ChildProcess; end(): Promise<number | null> }> {
  const child = spawn(PROGRAM, ["view", ...options, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (data: Buffer) => {
      text += data.toString();
      const found = /http:\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.on("exit", (code) => reject(new Error(`patchfield view ended with ${code}: ${text}`)));
  });
  const end = () =>
    new Promise<number | null>((resolve) => {
      if (child.exitCode !== null) resolve(child.exitCode);
      child.on("exit", (code) => resolve(code));
      child.kill("SIGINT");
    });
  return { url, process: child, end };
}
