// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The patch microscope: a flat map of the chosen patch with its pressure, friction, slip, center of pressure and a cut through it.

import { checkbox, h } from "./dom";
import { offerFile, pictureBlob } from "./export";
import * as format from "./format";
import type { PatchFields, PatchSummary, Vector } from "./frame";
import { CanvasPen, MapDrawing, type MapLayers, type Pen, SvgPen } from "./map_drawing";
import { type PatchMap, type Point, flatten, locate, mapCsv, onMap, profile } from "./patch_map";
import { type Range, niceStep } from "./scale";
import type { Settings } from "./settings";

const SIZE = { width: 300, height: 210 };
const PROFILE = { width: 300, height: 84 };
/** Pictures are this many times larger than on the page. */
const ENLARGED = 4;

export interface MapContent {
  name: string;
  summary: PatchSummary;
  fields: PatchFields;
  /** Centers of pressure until now, carried along with the body that is touched, newest last. */
  trail: Vector[];
  settings: Settings;
  range: Range;
}

export class Microscope {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { class: "map", "aria-label": "Flat map of the patch; drag to cut through it" });
  private readonly curve = h("canvas", { class: "cut", hidden: true, "aria-label": "Pressure along the cut" });
  private readonly reading = h("p", { class: "reading" });
  private readonly layers: MapLayers = { friction: false, slip: false, faces: false };
  private content: MapContent | null = null;
  private map: PatchMap | null = null;
  private drawing: MapDrawing | null = null;
  /** Ends of the cut on the map [m]. */
  private cut: [Point, Point] | null = null;
  private pointer: Point | null = null;

  constructor() {
    const layer = (key: keyof MapLayers, text: string) =>
      checkbox(text, this.layers[key], (on) => {
        this.layers[key] = on;
        this.draw();
      });
    const save = (text: string, run: () => void) => h("button", { onclick: run, title: `Save the map as ${text}` }, text);
    this.element = h(
      "div",
      { class: "microscope" },
      this.canvas,
      this.reading,
      this.curve,
      h("div", { class: "layers" }, layer("friction", "Friction"), layer("slip", "Slip"), layer("faces", "Faces")),
      h("div", { class: "layers" }, save("SVG", () => this.saveSvg()), save("PNG", () => void this.savePng()), save("CSV", () => this.saveCsv())),
    );
    this.listen();
  }

  show(content: MapContent | null): void {
    this.content = content;
    this.element.hidden = !content;
    if (content) this.draw();
  }

  /** The map that is shown, for whoever measures. */
  get shown(): PatchMap | null {
    return this.map;
  }

  private listen(): void {
    const at = (event: PointerEvent): Point => {
      const box = this.canvas.getBoundingClientRect();
      return this.drawing!.toMap([((event.clientX - box.left) * SIZE.width) / box.width, ((event.clientY - box.top) * SIZE.height) / box.height]);
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      if (!this.drawing) return;
      this.canvas.setPointerCapture(event.pointerId);
      this.cut = [at(event), at(event)];
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!this.drawing) return;
      this.pointer = at(event);
      if (event.buttons & 1 && this.cut) this.cut[1] = this.pointer;
      this.draw();
    });
    this.canvas.addEventListener("pointerup", () => {
      // A click is no cut.
      if (this.cut && this.drawing && Math.hypot(this.cut[1][0] - this.cut[0][0], this.cut[1][1] - this.cut[0][1]) * this.drawing.zoom < 5) this.cut = null;
      this.draw();
    });
    this.canvas.addEventListener("pointerleave", () => {
      this.pointer = null;
      this.draw();
    });
  }

  private draw(): void {
    const { content } = this;
    if (!content || content.fields.pressures.length === 0) return;
    this.map = flatten(content.fields, content.summary.force);
    this.drawing = new MapDrawing(this.map, content.fields, { ...SIZE, text: getComputedStyle(this.element).getPropertyValue("--faint") || "#888", layers: this.layers });
    const ratio = Math.min(2, Math.max(1, devicePixelRatio));
    this.paint(this.canvas, SIZE, ratio, (pen) => this.drawMap(pen));
    this.reading.textContent = this.readingAt(this.pointer);
    this.curve.hidden = !this.cut;
    if (this.cut) this.paint(this.curve, PROFILE, ratio, (pen) => this.drawProfile(pen));
  }

  private paint(canvas: HTMLCanvasElement, size: { width: number; height: number }, ratio: number, draw: (pen: Pen) => void): void {
    [canvas.width, canvas.height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    const context = canvas.getContext("2d")!;
    context.scale(ratio, ratio);
    draw(new CanvasPen(context));
  }

  private drawMap(pen: Pen): void {
    const { content, drawing, map } = this;
    drawing!.draw(pen, content!.settings, content!.range);
    drawing!.trail(pen, content!.trail.map((p) => onMap(map!, p)));
    if (this.cut) pen.line(this.cut.map((p) => drawing!.toPixels(p)), "#ffb000", 1.8);
  }

  private readingAt(point: Point | null): string {
    const { map } = this;
    const found = point && map ? locate(map, point) : null;
    if (!found || found.pressure < 0) return "Point for values, drag to cut.";
    const friction = Math.hypot(...map!.friction[found.face]!);
    const slip = Math.hypot(...map!.slip[found.face]!);
    return `${format.pressure(found.pressure)} · friction ${format.pressure(friction)} · ${map!.sticks[found.face] ? "sticks" : "slips"} ${format.speed(slip)}`;
  }

  /** Pressure over the length of the cut, with both axes labeled. */
  private drawProfile(pen: Pen): void {
    const color = getComputedStyle(this.element).getPropertyValue("--faint") || "#888";
    const values = profile(this.map!, this.cut![0], this.cut![1], 200);
    const length = values[values.length - 1]![0];
    const most = Math.max(...values.map(([, p]) => p), 1);
    const [left, right, top, bottom] = [58, PROFILE.width - 18, 8, PROFILE.height - 18];
    const place = ([s, p]: Point): Point => [left + (s / length) * (right - left), bottom - (p / most) * (bottom - top)];
    pen.line([[left, top], [left, bottom], [right, bottom]], color, 1);
    pen.text([left - 5, top + 3], format.pressure(most), color, "right");
    pen.text([left - 5, bottom], "0", color, "right");
    const step = niceStep(length / 4);
    for (let s = 0; s <= length; s += step) pen.text([place([s, 0])[0], bottom + 9], s === 0 ? "0" : format.length(s), color, "center");
    pen.line(values.map(place), "#ffb000", 1.6);
  }

  private name(ending: string): string {
    return `patch ${this.content!.name.replace(/[^\w–-]+/g, "_")}.${ending}`;
  }
  svg(): string {
    const pen = new SvgPen(SIZE.width, SIZE.height);
    this.drawMap(pen);
    return pen.toString();
  }
  csv(): string {
    return mapCsv(this.map!);
  }
  private saveSvg(): void {
    offerFile(new Blob([this.svg()], { type: "image/svg+xml" }), this.name("svg"));
  }
  private saveCsv(): void {
    offerFile(new Blob([this.csv()], { type: "text/csv" }), this.name("csv"));
  }
  private async savePng(): Promise<void> {
    const canvas = document.createElement("canvas");
    this.paint(canvas, SIZE, ENLARGED, (pen) => this.drawMap(pen));
    offerFile(await pictureBlob(canvas, "image/png"), this.name("png"));
  }
}
