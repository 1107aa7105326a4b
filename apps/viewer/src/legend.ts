// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The bar that says which colour is which pressure.

import { cssGradient } from "./colormap";
import { h } from "./dom";
import * as format from "./format";
import type { Settings } from "./settings";

export class Legend {
  private readonly bar = h("div", { class: "bar" });
  private readonly ticks = h("div", { class: "ticks" });
  readonly element = h("div", { class: "legend", "aria-label": "Pressure legend" }, h("span", {}, "Pressure"), this.bar, this.ticks);

  show(settings: Settings, range: [number, number]): void {
    this.element.hidden = !settings.patches;
    this.bar.style.background = cssGradient(settings.map);
    const [low, high] = range;
    this.ticks.replaceChildren(...[low, (low + high) / 2, high].map((p) => h("span", {}, format.pressure(p))));
  }
}
