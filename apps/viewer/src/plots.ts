// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The plot panel: curves over the time line, with a cursor at the frame that is shown. The curves are drawn once per
// change; a frame only moves the cursor, so playing costs the same with the panel open.

import { SERIES_COLORS } from "./colormap";
import { compareGroups } from "./compare";
import { h } from "./dom";
import * as format from "./format";
import type { Recording } from "./recording";
import { niceStep } from "./scale";
import { type Group, type Series, collectGroups } from "./series";
import { AXIS_LEFT, AXIS_RIGHT, type TimeAxis } from "./time_axis";

const MARGIN = { left: AXIS_LEFT, right: AXIS_RIGHT, top: 8, bottom: 18 };


function finiteRange(series: readonly Series[]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const { values } of series)
    for (const v of values)
      if (Number.isFinite(v)) {
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
  if (!(low <= high)) return [0, 1];
  if (low > 0 && low < 0.5 * high) low = 0; // a magnitude: its zero belongs to the picture
  const room = 0.06 * (high - low) || 0.5 * Math.abs(high) || 1;
  return [low === 0 ? 0 : low - room, high + room];
}

export class Plots {
  readonly element: HTMLElement;
  onSeek: (time: number) => void = () => {};
  private readonly tabs = h("div", { class: "tabs", role: "tablist" });
  private readonly legend = h("div", { class: "plot-legend" });
  private readonly canvas = h("canvas", { class: "plot", "aria-label": "Curves over time; drag to move through time" });
  private readonly curves = document.createElement("canvas");
  private groups: Group[] = [];
  private chosen = "";
  private readonly hidden = new Set<string>();
  private revision = -1;
  private size = { width: 0, height: 0 };
  private values: HTMLElement[] = [];

  private readonly tip = h("div", { class: "tip card plot-tip", role: "tooltip", hidden: true });

  constructor(
    private readonly recording: Recording,
    private readonly axis: TimeAxis,
  ) {
    const view = h("div", { class: "plot-view" }, this.canvas, this.tip);
    this.element = h("section", { class: "plots", "aria-label": "Plots" }, this.tabs, h("div", { class: "plot-body" }, view, this.legend));
    const seek = (event: PointerEvent) => {
      const box = this.canvas.getBoundingClientRect();
      this.onSeek(this.timeAt(event.clientX - box.left));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) seek(event);
      this.hover(event);
    });
    this.canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.axis.zoom(this.timeAt(event.offsetX), 1.25 ** Math.sign(event.deltaY));
    });
    this.canvas.addEventListener("dblclick", () => this.axis.reset());
    new ResizeObserver(() => this.redraw()).observe(this.canvas);
  }

  /** Draws the curves of another recording as well, and their differences. */
  compareWith(second: Recording): void {
    this.second = second;
    this.revision = -1;
    this.refresh();
  }
  private second: Recording | null = null;
  /** The curves of a tab. */
  curvesOf(name: string): Group | undefined {
    return this.groups.find((group) => group.name === name);
  }

  /** Collects the curves again if frames have come. */
  refresh(): void {
    if (this.revision === this.recording.revision) return;
    this.revision = this.recording.revision;
    this.groups = this.second ? compareGroups(this.recording, this.second) : collectGroups(this.recording);
    if (!this.groups.some((group) => group.name === this.chosen)) this.chosen = this.groups[0]?.name ?? "";
    this.buildTabs();
    this.redraw();
  }

  redraw(): void {
    this.cursorColor = getComputedStyle(this.element).getPropertyValue("--text");
    this.drawCurves();
    this.drawCursor(this.cursorFrame);
  }

  private cursorFrame = 0;
  private cursorColor = "gray";

  /** Moves the cursor. */
  drawCursor(frame: number): void {
    this.cursorFrame = frame;
    const context = this.canvas.getContext("2d")!;
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.curves.width > 0 && this.curves.height > 0) context.drawImage(this.curves, 0, 0);
    const state = this.recording.states[frame];
    if (!state || this.size.width === 0) return;
    const ratio = this.canvas.width / this.size.width;
    const x = Math.round(this.xAt(state.time) * ratio) + 0.5;
    context.strokeStyle = this.cursorColor;
    context.globalAlpha = 0.7;
    context.beginPath();
    context.moveTo(x, MARGIN.top * ratio);
    context.lineTo(x, (this.size.height - MARGIN.bottom) * ratio);
    context.stroke();
    context.globalAlpha = 1;
    const group = this.group();
    group?.series.forEach((series, i) => {
      if (this.values[i]) this.values[i].textContent = `${format.digits(series.values[Math.min(frame, series.values.length - 1)]!)} ${series.unit ?? group.unit}`;
    });
  }

  /** Says time, name and value of the curve that is nearest to the pointer. */
  private hover(event: PointerEvent): void {
    const group = this.group();
    const frame = this.recording.frameAt(this.timeAt(event.offsetX));
    const near = group?.series
      .filter((series) => !this.hidden.has(series.name) && Number.isFinite(series.values[frame]))
      .map((series) => ({ series, away: Math.abs(this.yAt(series.values[frame]!) - event.offsetY) }))
      .sort((a, b) => a.away - b.away)[0];
    this.tip.hidden = !near;
    if (!near) return;
    const { series } = near;
    this.tip.textContent = `${format.time(this.recording.states[frame]!.time)} · ${series.name}: ${format.digits(series.values[frame]!)} ${group!.unit}`;
    const x = Math.min(event.offsetX + 12, this.canvas.clientWidth - this.tip.offsetWidth - 4);
    this.tip.style.transform = `translate(${x}px, ${Math.max(0, event.offsetY - 30)}px)`;
  }

  private group(): Group | undefined {
    return this.groups.find((group) => group.name === this.chosen);
  }

  private buildTabs(): void {
    this.tabs.replaceChildren(
      ...this.groups.map((group) =>
        h(
          "button",
          {
            role: "tab",
            "aria-selected": String(group.name === this.chosen),
            onclick: () => {
              this.chosen = group.name;
              this.buildTabs();
              this.redraw();
            },
          },
          group.name,
        ),
      ),
    );
    if (this.groups.length === 0) this.tabs.append(h("span", { class: "hint" }, "Nothing to plot: no contact, no joints, no signals."));
    this.buildLegend();
  }

  private buildLegend(): void {
    this.values = [];
    const rows = (this.group()?.series ?? []).map((series) => {
      const value = h("span", { class: "value" });
      this.values.push(value);
      const swatch = h("span", { class: "swatch", style: `background:${SERIES_COLORS[series.color % SERIES_COLORS.length]}` });
      const row = h(
        "button",
        {
          class: this.hidden.has(series.name) ? "off" : "",
          title: `${series.name}: show or hide`,
          onclick: () => {
            if (!this.hidden.delete(series.name)) this.hidden.add(series.name);
            this.buildLegend();
            this.redraw();
          },
        },
        swatch,
        h("span", { class: "name" }, series.name),
        value,
      );
      return row;
    });
    this.legend.replaceChildren(...rows);
  }

  // Time and value ↔ pixels of the page
  private xAt(time: number): number {
    return MARGIN.left + this.axis.part(time) * (this.size.width - MARGIN.left - MARGIN.right);
  }
  private timeAt(x: number): number {
    return this.axis.timeAt((x - MARGIN.left) / (this.size.width - MARGIN.left - MARGIN.right));
  }
  private range: [number, number] = [0, 1];
  private yAt(value: number): number {
    const [low, high] = this.range;
    const { height } = this.size;
    return height - MARGIN.bottom - ((value - low) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);
  }

  private drawCurves(): void {
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    const ratio = Math.min(devicePixelRatio, 2);
    this.size = { width, height };
    for (const canvas of [this.canvas, this.curves]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const group = this.group();
    if (!group || width < MARGIN.left + MARGIN.right + 10 || height < 40) return;
    const context = this.curves.getContext("2d")!;
    context.scale(ratio, ratio);
    const shown = group.series.filter((series) => !this.hidden.has(series.name));
    const [low, high] = (this.range = finiteRange(shown));
    const y = (v: number) => this.yAt(v);
    this.drawAxes(context, group.unit, low, high, y);
    context.save();
    context.beginPath();
    context.rect(MARGIN.left, 0, width - MARGIN.left - MARGIN.right, height);
    context.clip();
    for (const series of shown) {
      // More curves than colors: the second round is dashed.
      context.setLineDash(series.dashed ? [4, 4] : [[], [6, 3], [2, 3], [8, 3, 2, 3]][Math.floor(series.color / SERIES_COLORS.length) % 4]!);
      this.drawCurve(context, series.values, SERIES_COLORS[series.color % SERIES_COLORS.length]!, y);
    }
    context.restore();
  }

  private drawAxes(context: CanvasRenderingContext2D, unit: string, low: number, high: number, y: (v: number) => number): void {
    const style = getComputedStyle(this.element);
    const { width, height } = this.size;
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = style.getPropertyValue("--faint");
    context.strokeStyle = style.getPropertyValue("--line");
    context.textBaseline = "middle";
    context.textAlign = "right";
    const rise = niceStep((high - low) / Math.max(2, height / 40));
    for (let v = Math.ceil(low / rise) * rise; v <= high; v += rise) {
      const at = Math.round(y(v)) + 0.5;
      context.beginPath();
      context.moveTo(MARGIN.left, at);
      context.lineTo(width - MARGIN.right, at);
      context.stroke();
      context.fillText(format.byStep(v, rise), MARGIN.left - 6, at);
    }
    context.save();
    context.translate(9, height / 2);
    context.rotate(-Math.PI / 2);
    context.textAlign = "center";
    context.fillText(unit, 0, 0);
    context.restore();
    context.textAlign = "center";
    const { from, to } = this.axis;
    const run = niceStep(Math.max(1e-9, to - from) / Math.max(2, width / 110));
    for (let t = Math.ceil(from / run) * run; t <= to + 1e-9; t += run) context.fillText(`${format.byStep(t, run)} s`, this.xAt(t), height - MARGIN.bottom / 2 + 1);
  }

  /** At most one stroke per pixel column, from its least to its largest value: peaks are never lost. */
  private drawCurve(context: CanvasRenderingContext2D, values: Float32Array, color: string, y: (v: number) => number): void {
    const { states } = this.recording;
    context.strokeStyle = color;
    context.lineWidth = 1.5;
    context.lineJoin = "round";
    context.beginPath();
    let pen = false;
    for (let i = 0; i < values.length; ) {
      const column = Math.round(this.xAt(states[i]!.time));
      let least = Infinity;
      let largest = -Infinity;
      let last = NaN;
      for (; i < values.length && Math.round(this.xAt(states[i]!.time)) === column; ++i) {
        const v = values[i]!;
        if (!Number.isFinite(v)) continue;
        least = Math.min(least, v);
        largest = Math.max(largest, v);
        last = v;
      }
      if (!Number.isFinite(last)) {
        pen = false;
        continue;
      }
      if (pen) context.lineTo(column, y(least));
      else context.moveTo(column, y(least));
      if (largest > least) {
        context.lineTo(column, y(largest));
        context.lineTo(column, y(last));
      }
      pen = true;
    }
    context.stroke();
    context.lineWidth = 1;
  }
}
