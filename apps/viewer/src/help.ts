// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Keys, and the overlay that lists them: one table for both.

import { h, iconButton } from "./dom";

export interface KeyAction {
  /** Values of KeyboardEvent.key; the first is shown. */
  keys: string[];
  label?: string;
  text: string;
  run(event: KeyboardEvent): void;
}

const POINTER: [string, string][] = [
  ["Drag", "turn"],
  ["Right drag, two fingers", "move"],
  ["Wheel, pinch", "zoom"],
  ["Click a patch", "its numbers"],
];

function label(action: KeyAction): string {
  return action.label ?? action.keys[0]!.replace(" ", "space").replace("ArrowLeft", "←").replace("ArrowRight", "→");
}

export function helpOverlay(actions: readonly KeyAction[], live: boolean, close: () => void): HTMLElement {
  const pointer: [string, string][] = live ? [...POINTER, ["Drag a body", "pull it with a spring (Shift: turn the view)"]] : POINTER;
  const row = ([key, text]: [string, string]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)];
  const entries = actions.filter((action) => action.text).map((action): [string, string] => [label(action), action.text]);
  const sheet = h(
    "div",
    { class: "card help", role: "dialog", "aria-label": "Help", onclick: (event: Event) => event.stopPropagation() },
    h("header", {}, h("h2", {}, "Keys"), iconButton("close", "Close (Esc)", close)),
    h("div", { class: "columns" }, h("dl", {}, ...pointer.flatMap(row)), h("dl", {}, ...entries.flatMap(row))),
  );
  return h("div", { class: "overlay", hidden: true, onclick: close }, sheet);
}

/** Runs the action of a key, unless a person is typing or choosing. */
export function listenToKeys(actions: readonly KeyAction[]): void {
  addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement | null;
    const typing = target instanceof HTMLInputElement && target.type === "number";
    if (typing || target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
    // A focused button answers to the space bar itself.
    if (target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter")) return;
    const action = actions.find(({ keys }) => keys.includes(event.key));
    if (!action) return;
    event.preventDefault();
    action.run(event);
  });
}
