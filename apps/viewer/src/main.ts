// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Finds what to show: a recording inside the page, one beside it on the server, a running simulation, or a file that a
// person drops here. Whatever goes wrong becomes a sentence.

import { App } from "./app";
import { fromBase64, unwrapPage } from "./bytes";
import { h } from "./dom";
import { LiveStream } from "./live";
import { Recording } from "./recording";

declare global {
  interface Window {
    /** For the console, and for tests. */
    patchfield?: App;
  }
}

const container = document.getElementById("app")!;
let shown: App | null = null;

/** A page with a sentence, and a place for a file if that helps. */
function say(title: string, text: string, offerFile = true): void {
  const input = h("input", { type: "file", accept: ".pfr,.part,.html", "aria-label": "Recording", onchange: () => void openFile(input.files?.[0]) });
  const choose = h("button", { class: "primary", onclick: () => input.click() }, "Open a recording …");
  container.replaceChildren(
    h("main", { class: "message" }, h("h1", {}, title), h("p", {}, text), offerFile ? choose : null, offerFile ? h("p", { class: "hint" }, "Or drop a .pfr or .html recording here.") : null),
  );
}

function report(error: unknown): void {
  say("This recording cannot be shown", error instanceof Error ? error.message : String(error));
}

/** A bar while a recording is read: a paint must come between its parts. */
async function read(bytes: Uint8Array): Promise<Recording> {
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Reading the recording" });
  if (!shown) container.replaceChildren(h("main", { class: "message" }, h("h1", {}, "Loading …"), bar));
  return Recording.read(bytes, async (part) => {
    bar.value = part;
    await new Promise((resolve) => setTimeout(resolve));
  });
}

function start(recording: Recording, live: LiveStream | null): App | null {
  if (recording.numFrames === 0 && !live) {
    say("This recording has no frames", recording.problem || "It was ended before its first step.");
    return null;
  }
  document.title = `${recording.header.title || "recording"} · Patchfield`;
  try {
    shown?.dispose();
    const app = (shown = new App(container, recording, live));
    if (recording.problem) app.tell(`The recording ends early, after ${recording.numFrames} frames. ${recording.problem}`);
    window.patchfield = app;
    return app;
  } catch (error) {
    if (error instanceof Error && /WebGL/i.test(error.message)) say("No three-dimensional graphics", "This browser cannot make a WebGL context. Switch on hardware acceleration, or try another browser.", false);
    else throw error;
    return null;
  }
}

/** A file that cannot be shown leaves what is shown as it is. */
async function openFile(file: File | undefined): Promise<void> {
  if (!file) return;
  try {
    const recording = await read(unwrapPage(new Uint8Array(await file.arrayBuffer())));
    if (shown && recording.numFrames === 0) throw new Error(recording.problem || "The recording has no frames.");
    start(recording, null);
  } catch (error) {
    if (shown) shown.tell(`${file.name}: ${error instanceof Error ? error.message : String(error)}`);
    else report(error);
  }
}

async function openServed(): Promise<void> {
  say("Loading …", "", false);
  const response = await fetch("recording.pfr");
  if (!response.ok) throw new Error(`The server answers ${response.status}.`);
  start(await read(new Uint8Array(await response.arrayBuffer())), null);
}

function openLive(): void {
  say("Connecting …", "", false);
  let app: App | null = null;
  const live: LiveStream = new LiveStream(`${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/live`, {
    onRecording: (recording) => (app = start(recording, live)),
    onFrame: (forgotten) => app?.framesChanged(forgotten),
    onStatus: (status) => app?.setStatus(status),
    onClosed: (reason) => (app ? app.tell(reason) : say("No simulation", reason, false)),
  });
}

async function main(): Promise<void> {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    void openFile(event.dataTransfer?.files[0]);
  });
  const source = document.querySelector<HTMLMetaElement>('meta[name="source"]')?.content;
  const embedded = document.getElementById("recording");
  try {
    if (source === "file") await openServed();
    else if (source === "live") openLive();
    else if (embedded) {
      const bytes = fromBase64(embedded.textContent ?? "");
      embedded.remove(); // 20 MB of text that is not needed any more
      start(await read(bytes), null);
    } else say("Patchfield", "A viewer for contact patches.");
  } catch (error) {
    report(error);
  }
}

// The recording stands behind this script.
if (document.readyState === "loading") addEventListener("DOMContentLoaded", () => void main());
else void main();
