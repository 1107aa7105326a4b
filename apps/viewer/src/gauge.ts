// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Axes and scale in the corner: which way x, y, z point, and how long a bar is at the distance of what the camera looks at.

import { type PerspectiveCamera, Vector3 } from "three";
import { h } from "./dom";
import * as format from "./format";
import { niceStep } from "./scale";

const AXES = [["x", "#e0564b", new Vector3(1, 0, 0)], ["y", "#4fae5b", new Vector3(0, 1, 0)], ["z", "#4b8fe0", new Vector3(0, 0, 1)]] as const;
const SIZE = 22;

export interface GaugeState {
  /** End of each axis on a disk of radius 1, y down, and its depth. */
  axes: { name: string; color: string; x: number; y: number; depth: number }[];
  /** Length of the bar [px] and in words. */
  bar: number;
  text: string;
}

/** `pixel`: size of a pixel at distance 1; `distance`: to the target. */
export function gaugeState(camera: PerspectiveCamera, pixel: number, distance: number): GaugeState {
  const inverse = camera.quaternion.clone().invert();
  const axes = AXES.map(([name, color, axis]) => {
    const v = axis.clone().applyQuaternion(inverse);
    return { name, color, x: v.x, y: -v.y, depth: v.z };
  });
  axes.sort((a, b) => a.depth - b.depth);
  const meters = niceStep(80 * pixel * distance);
  return { axes, bar: meters / (pixel * distance), text: format.length(meters) };
}

export class Gauge {
  private readonly axes = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  private readonly bar = h("span", { class: "scale-bar" });
  private readonly text = h("span", { class: "scale-text" });
  readonly element = h("div", { class: "gauge", "aria-hidden": "true" });

  constructor() {
    this.axes.setAttribute("viewBox", "-32 -32 64 64");
    this.element.append(this.axes, h("div", { class: "scale" }, this.bar, this.text));
  }

  show({ axes, bar, text }: GaugeState): void {
    this.bar.style.width = `${bar.toFixed(1)}px`;
    this.text.textContent = text;
    this.axes.innerHTML = axes
      .map(({ name, color, x, y }) => {
        const [ex, ey] = [SIZE * x, SIZE * y];
        return `<line x2="${ex.toFixed(1)}" y2="${ey.toFixed(1)}" stroke="${color}" stroke-width="2.5" stroke-linecap="round"/><text x="${(1.35 * ex).toFixed(1)}" y="${(1.35 * ey).toFixed(1)}" fill="${color}">${name}</text>`;
      })
      .join("");
  }
}
