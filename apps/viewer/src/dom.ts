// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Small makers of HTML elements, so that the panels read as what they show.

type Child = Node | string | null | undefined;
type Props = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

/** An element; properties that are functions listen ("onclick"), "class" is the class, the rest are attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child != null));
  return element;
}

/** Lines on a grid of 24, as one path. */
const ICONS = {
  play: "M8 5v14l11-7z",
  pause: "M7 5h4v14H7zM13 5h4v14h-4z",
  back: "M17 6v12l-8-6zM6 6h2v12H6z",
  forward: "M7 6v12l8-6zM16 6h2v12h-2z",
  mark: "M6 3h12v18l-6-4.5L6 21z",
  reset: "M12 5V2L7 6l5 4V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z",
  camera: "M9 4 7.5 6H4a1 1 0 0 0-1 1v12a1 1 0 0 0 1 1h16a1 1 0 0 0 1-1V7a1 1 0 0 0-1-1h-3.5L15 4zM12 8.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z",
  sliders: "M4 6h9v2H4zM17 6h3v2h-3zM14 4h2v6h-2zM4 16h3v2H4zM11 16h9v2h-9zM8 14h2v6H8z",
  plot: "M4 4h2v14h14v2H4zM8 15l3-6 3 3 4-7 1.7 1-5.2 9-3-3-1.8 3.6z",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  help: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm1 16h-2v-2h2zm2-7.5-1 1c-.7.7-1 1.2-1 2.5h-2c0-1.8.5-2.7 1.3-3.5l1.2-1.2a1.7 1.7 0 1 0-3-1.1H8.5a3.7 3.7 0 1 1 6.5 2.3z",
  close: "M6 4.6 12 10.6 18 4.6 19.4 6 13.4 12 19.4 18 18 19.4 12 13.4 6 19.4 4.6 18 10.6 12 4.6 6z",
  eye: "M12 5C6 5 2.5 12 2.5 12S6 19 12 19s9.5-7 9.5-7S18 5 12 5zm0 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8z",
  fit: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
} as const;
export type IconName = keyof typeof ICONS;

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** A button with an icon; its label is read aloud and shown while hovering. */
export function iconButton(name: IconName, label: string, onclick: () => void): HTMLButtonElement {
  const button = h("button", { class: "icon", title: label, "aria-label": label, onclick }, icon(name));
  return button;
}

export function setIcon(button: HTMLButtonElement, name: IconName, label: string): void {
  if (button.dataset["icon"] === name) return;
  button.dataset["icon"] = name;
  button.replaceChildren(icon(name));
  button.title = label;
  button.setAttribute("aria-label", label);
}

export function checkbox(label: string, value: boolean, onchange: (value: boolean) => void): HTMLLabelElement {
  const input = h("input", { type: "checkbox", onchange: () => onchange(input.checked) });
  input.checked = value;
  return h("label", { class: "check" }, input, h("span", {}, label));
}

/** A slider with its value beside it. */
export function slider(
  label: string,
  range: { min: number; max: number; step: number; value: number },
  text: (value: number) => string,
  oninput: (value: number) => void,
): HTMLLabelElement {
  const output = h("output", {}, text(range.value));
  const input = h("input", {
    type: "range",
    min: range.min,
    max: range.max,
    step: range.step,
    "aria-label": label,
    oninput: () => {
      output.textContent = text(Number(input.value));
      oninput(Number(input.value));
    },
  });
  input.value = String(range.value);
  return h("label", { class: "slider" }, h("span", {}, label), input, output);
}

export function choice<T extends string>(label: string, options: readonly (readonly [T, string])[], value: T, onchange: (value: T) => void): HTMLLabelElement {
  const select = h("select", { "aria-label": label, onchange: () => onchange(select.value as T) });
  for (const [word, text] of options) select.append(h("option", { value: word }, text));
  select.value = value;
  return h("label", { class: "choice" }, h("span", {}, label), select);
}
