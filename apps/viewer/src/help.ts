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
  ["Click a patch", "its map and numbers"],
  ["Double click a patch", "look at it closely"],
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

/** Does the focused control use this key itself? */
function belongsToControl(target: EventTarget | null, key: string): boolean {
  if (target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return true;
  const press = key === " " || key === "Enter";
  if (target instanceof HTMLButtonElement || (target instanceof HTMLElement && target.tagName === "SUMMARY")) return press;
  if (!(target instanceof HTMLInputElement)) return false;
  if (target.type === "checkbox") return press;
  // The time line's arrows step frames, as everywhere; those of other sliders move the slider.
  if (target.type === "range") return !target.classList.contains("scrub") && /^(Arrow|Page|Home|End)/.test(key);
  return true;
}

/** Runs the action of a key, unless the focused control uses it. */
export function listenToKeys(actions: readonly KeyAction[], signal: AbortSignal): void {
  const listen = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || belongsToControl(event.target, event.key)) return;
    const action = actions.find(({ keys }) => keys.includes(event.key));
    if (!action) return;
    event.preventDefault();
    action.run(event);
  };
  addEventListener("keydown", listen, { signal });
  // A button that was clicked with a pointer gives the keys back: the space bar plays again.
  addEventListener("click", (event) => event.detail > 0 && (event.target as HTMLElement | null)?.closest?.("button")?.blur(), { signal });
}
