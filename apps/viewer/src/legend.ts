// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The bar that says which colour is which pressure.

import { cssGradient } from "./colormap";
import { h } from "./dom";
import * as format from "./format";
import { isobarStep } from "./patch_view";
import { type Extremes, type Range, fraction } from "./scale";
import type { Settings } from "./settings";

/** Ticks closer than this part of the bar are left out. */
const APART = 0.16;

export interface Tick {
  /** 0 … 1 along the bar. */
  at: number;
  text: string;
}

/** Round pressures along the bar: where isobars are, as far as there is room for their numbers. */
export function legendTicks(settings: Settings, range: Range): { unit: string; ticks: Tick[]; marks: number[] } {
  const [low, high] = range;
  const [unit, factor] = high >= 1e6 ? ["MPa", 1e6] : high >= 1e3 ? ["kPa", 1e3] : ["Pa", 1];
  const step = isobarStep(range);
  const ticks: Tick[] = [{ at: 0, text: format.digits(low / factor) }];
  const marks: number[] = [];
  for (let p = (Math.floor(low / step) + 1) * step; p < high * (1 - 1e-9); p += step) {
    const at = fraction(p, range, settings.scale);
    marks.push(at);
    if (at - ticks[ticks.length - 1]!.at > APART && at < 1 - 1.3 * APART) ticks.push({ at, text: format.byStep(p / factor, step / factor) });
  }
  ticks.push({ at: 1, text: format.digits(high / factor) });
  return { unit, ticks, marks };
}

export class Legend {
  private readonly name = h("span", {});
  private readonly bar = h("div", { class: "bar" });
  private readonly ticks = h("div", { class: "ticks" });
  private readonly note = h("span", { class: "hint" });
  readonly element = h("div", { class: "legend", "aria-label": "Pressure legend" }, this.name, this.bar, this.ticks, this.note);
  private shown = "";

  /** `why`: why there can be no patches, if that is so. */
  show(settings: Settings, range: Range, pressures: Extremes, why: string): void {
    const key = JSON.stringify([settings.patches, settings.map, settings.scale, settings.isobars, settings.range, range, pressures, why]);
    if (key === this.shown) return;
    this.shown = key;
    this.element.hidden = !settings.patches;
    const none = !(range[1] > range[0]);
    this.bar.hidden = this.ticks.hidden = none;
    this.name.textContent = none ? "No contact patches" : `Pressure [${legendTicks(settings, range).unit}]`;
    this.note.textContent = none ? why : pressures.largest > 1.05 * range[1] ? `largest: ${format.pressure(pressures.largest)}` : "";
    if (none) return;
    const { ticks, marks } = legendTicks(settings, range);
    this.bar.style.background = cssGradient(settings.map);
    this.bar.replaceChildren(...(settings.isobars ? marks : []).map((at) => h("i", { style: `left:${(100 * at).toFixed(2)}%` })));
    this.ticks.replaceChildren(...ticks.map(({ at, text }) => h("span", { style: `left:${(100 * at).toFixed(2)}%` }, text)));
  }
}
