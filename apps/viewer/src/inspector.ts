// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The card about the patch that was clicked. The pair stays chosen while time goes on.

import { h, iconButton } from "./dom";
import * as format from "./format";
import type { FrameState, PatchFields, PatchSummary, Vector } from "./frame";
import { type MapContent, Microscope } from "./microscope";
import type { Recording } from "./recording";

export interface Pair {
  geomA: number;
  geomB: number;
}

/** Number of the pair's patch in a frame, or −1. */
export function findPair(state: FrameState | undefined, pair: Pair | null): number {
  if (!state || !pair) return -1;
  return state.patches.findIndex((patch) => patch.geomA === pair.geomA && patch.geomB === pair.geomB);
}

function stickingShare(fields: PatchFields): string {
  const n = fields.sticks.length;
  const sticking = fields.sticks.reduce((sum, stick) => sum + stick, 0);
  return n === 0 ? "–" : `${Math.round((100 * sticking) / n)} % of ${n} faces`;
}

function rows(patch: PatchSummary, fields: PatchFields): [string, string][] {
  return [
    ["Area", format.area(patch.area)],
    ["Force", `${format.digits(format.norm(patch.force))} N`],
    ["", `${format.vector(patch.force)} N`],
    ["Normal force", `${format.digits(patch.normalForce)} N`],
    ["Moment", `${format.vector(patch.moment.map((x) => 1e3 * x) as Vector)} mN·m`],
    ["Center of pressure", `${format.vector(patch.centerOfPressure.map((x) => 1e3 * x) as Vector)} mm`],
    ["Mean pressure", format.pressure(patch.area > 0 ? patch.normalForce / patch.area : 0)],
    ["Peak pressure", format.pressure(patch.peakPressure)],
    ["Peak slip", format.speed(patch.peakSlip)],
    ["Sticking", stickingShare(fields)],
  ];
}

export class Inspector {
  readonly element: HTMLElement;
  private readonly title = h("h2", {});
  private readonly table = h("dl", {});
  private readonly note = h("p", { class: "hint" });
  readonly microscope = new Microscope();

  constructor(
    private readonly recording: Recording,
    onClose: () => void,
  ) {
    const close = iconButton("close", "Close (Esc)", onClose);
    this.element = h("aside", { class: "inspector card", "aria-label": "Patch", hidden: true }, h("header", {}, this.title, close), this.microscope.element, this.table, this.note);
  }

  /** `map`: what the flat map shows of a patch. */
  show(pair: Pair | null, state: FrameState | undefined, fields: readonly PatchFields[], map: (patch: PatchSummary, fields: PatchFields) => MapContent): void {
    this.element.hidden = !pair;
    if (!pair) return;
    this.title.textContent = this.recording.pairName(pair);
    const i = findPair(state, pair);
    this.table.hidden = i < 0;
    this.note.textContent = i < 0 ? "They do not touch at this time." : `Forces act on ${this.recording.header.geoms[pair.geomB]?.name ?? "B"}, in the world frame.`;
    this.microscope.show(i < 0 ? null : map(state!.patches[i]!, fields[i]!));
    if (i < 0) return;
    const entries = rows(state!.patches[i]!, fields[i]!);
    this.table.replaceChildren(...entries.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
  }
}
