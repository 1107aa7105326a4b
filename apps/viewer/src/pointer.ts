// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The pointer over the three-dimensional view.

import type { App } from "./app";
import * as format from "./format";

/** A press that moved less than this is a click [px]. */
const CLICK = 5;

/** Clicks select patches, double clicks look at them closely, and what is under the pointer is said. */
export function listenToPointer(app: App, tip: HTMLElement): void {
  let down = { x: 0, y: 0 };
  const { canvas } = app.stage;
  canvas.addEventListener("pointerdown", (event) => (down = { x: event.clientX, y: event.clientY }));
  canvas.addEventListener("pointerup", (event) => {
    if (event.button !== 0 || Math.hypot(event.clientX - down.x, event.clientY - down.y) > CLICK) return;
    const patch = app.recording.states[app.player.frame]?.patches[app.probe(event).patch];
    app.select(patch ? { geomA: patch.geomA, geomB: patch.geomB } : null);
  });
  canvas.addEventListener("dblclick", (event) => {
    const patch = app.recording.states[app.player.frame]?.patches[app.probe(event).patch];
    if (patch) app.fitPatch(patch);
  });
  canvas.addEventListener("pointermove", (event) => hover(app, tip, event));
  canvas.addEventListener("pointerleave", () => (tip.hidden = true));
}

/** Says what is under the pointer. */
function hover(app: App, tip: HTMLElement, event: PointerEvent): void {
  tip.hidden = true;
  if (event.buttons !== 0 || event.pointerType === "touch") return;
  const { patch, pressure, body } = app.probe(event);
  const summary = app.recording.states[app.player.frame]?.patches[patch];
  const name = app.recording.header.bodies[body]?.name;
  if (!summary && !name) return;
  tip.textContent = summary ? `${format.pressure(pressure)} · ${app.recording.pairName(summary)}` : name!;
  tip.hidden = false;
  const box = app.stage.canvas.getBoundingClientRect();
  tip.style.transform = `translate(${Math.min(event.clientX - box.left + 14, box.width - tip.offsetWidth - 8)}px, ${event.clientY - box.top + 16}px)`;
}
