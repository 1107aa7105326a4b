// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The flat map of a patch → lines and polygons, for the canvas and for SVG alike: whoever draws has a pen.

import { colorAt } from "./colormap";
import * as format from "./format";
import type { PatchFields } from "./frame";
import { type PatchMap, type Point, clipByPressure, isobarOf, stickBoundary } from "./patch_map";
import { isobarStep } from "./patch_view";
import { type Range, fraction, niceStep, valueAt } from "./scale";
import type { Settings } from "./settings";

/** What a drawing is made of; coordinates are pixels, y down. */
export interface Pen {
  polygon(points: readonly Point[], fill: string): void;
  line(points: readonly Point[], color: string, width: number, dash?: number[]): void;
  text(at: Point, words: string, color: string, align: "left" | "center" | "right"): void;
}

export interface MapLayers {
  friction: boolean;
  slip: boolean;
  faces: boolean;
}
export interface MapStyle {
  width: number;
  height: number;
  text: string;
  layers: MapLayers;
}

/** Between these levels one color. */
const BANDS = 48;
const MARGIN = 14;
const FRICTION = "#ff5d92";
const SLIP = "#45c4ef";

export class MapDrawing {
  /** Pixels per meter. */
  readonly zoom: number;
  private readonly middle: Point;

  constructor(
    private readonly map: PatchMap,
    private readonly fields: PatchFields,
    private readonly style: MapStyle,
  ) {
    const [low, high] = map.box;
    this.middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    const [width, height] = [high[0] - low[0], high[1] - low[1]].map((x) => Math.max(x, 1e-6)) as [number, number];
    this.zoom = Math.min((style.width - 2 * MARGIN) / width, (style.height - 2 * MARGIN - 16) / height);
  }

  toPixels = ([u, v]: ArrayLike<number> & Iterable<number>): Point => {
    return [this.style.width / 2 + (u! - this.middle[0]) * this.zoom, (this.style.height - 14) / 2 - (v! - this.middle[1]) * this.zoom];
  };
  toMap([x, y]: Point): Point {
    return [this.middle[0] + (x - this.style.width / 2) / this.zoom, this.middle[1] - (y - (this.style.height - 14) / 2) / this.zoom];
  }

  draw(pen: Pen, settings: Settings, range: Range): void {
    this.pressure(pen, settings, range);
    if (this.style.layers.faces) for (const face of this.map.faces) pen.line([...face, face[0]!].map((c) => this.toPixels(c)), "rgba(0,0,0,0.35)", 0.5);
    this.isobars(pen, range);
    for (const edge of stickBoundary(this.fields, this.map)) pen.line(edge.map((p) => this.toPixels(p)), "#ffffff", 2);
    if (this.style.layers.friction) this.arrows(pen, this.map.friction, FRICTION);
    if (this.style.layers.slip) this.arrows(pen, this.map.slip, SLIP);
    this.ruler(pen);
  }

  private pressure(pen: Pen, settings: Settings, range: Range): void {
    for (const face of this.map.faces) {
      const pushing = clipByPressure(face, 0, 1);
      const values = pushing.map((c) => fraction(c[2], range, settings.scale));
      const [first, last] = [Math.floor(BANDS * Math.min(...values)), Math.floor(BANDS * Math.max(...values))];
      for (let band = first; band <= last && pushing.length > 2; ++band) {
        let part = band > 0 ? clipByPressure(pushing, valueAt(band / BANDS, range, settings.scale), 1) : pushing;
        if (band + 1 < BANDS) part = clipByPressure(part, valueAt((band + 1) / BANDS, range, settings.scale), -1);
        if (part.length > 2) pen.polygon(part.map((c) => this.toPixels(c)), `rgb(${colorAt(settings.map, (band + 0.5) / BANDS).map(Math.round).join(",")})`);
      }
    }
  }

  private isobars(pen: Pen, range: Range): void {
    const step = isobarStep(range);
    for (const face of this.map.faces)
      for (let level = step; level < range[1]; level += step) {
        const segment = isobarOf(face, level);
        if (segment) pen.line(segment.map((p) => this.toPixels(p)), "rgba(0,0,0,0.55)", 0.8);
      }
  }

  /** The largest is as long as two faces are wide; not more than one per 10 × 10 px. */
  private arrows(pen: Pen, vectors: readonly Point[], color: string): void {
    const largest = vectors.reduce((most, v) => Math.max(most, Math.hypot(...v)), 0);
    if (largest < 1e-9) return;
    const taken = new Set<string>();
    const length = Math.max(14, 1.6 * this.zoom * Math.sqrt(this.map.areas.reduce((a, b) => a + b, 0) / Math.max(1, vectors.length)));
    vectors.forEach((v, f) => {
      const [x, y] = this.toPixels(this.map.centers[f]!);
      const cell = `${Math.floor(x / 10)} ${Math.floor(y / 10)}`;
      const size = (length * Math.hypot(...v)) / largest;
      if (size < 2 || taken.has(cell)) return;
      taken.add(cell);
      const [dx, dy] = [(v[0] * length) / largest, (-v[1] * length) / largest];
      pen.line([[x, y], [x + dx, y + dy]], color, 1.3);
      const head = Math.min(4, 0.45 * size);
      const [ux, uy] = [dx / size, dy / size];
      pen.polygon([[x + dx, y + dy], [x + dx - head * (ux + 0.5 * uy), y + dy - head * (uy - 0.5 * ux)], [x + dx - head * (ux - 0.5 * uy), y + dy - head * (uy + 0.5 * ux)]], color);
    });
  }

  /** Centers of pressure, the newest last. */
  trail(pen: Pen, points: readonly Point[]): void {
    const path = points.map((p) => this.toPixels(p));
    if (path.length > 1) pen.line(path, "#ffffff", 1.2, [3, 2]);
    const at = path[path.length - 1];
    if (!at) return;
    for (const [color, width] of [["#000000", 3.5], ["#ffffff", 1.6]] as const) {
      pen.line([[at[0] - 5, at[1]], [at[0] + 5, at[1]]], color, width);
      pen.line([[at[0], at[1] - 5], [at[0], at[1] + 5]], color, width);
    }
  }

  private ruler(pen: Pen): void {
    const meters = niceStep(70 / this.zoom);
    const [x, y, width] = [MARGIN, this.style.height - 8, meters * this.zoom];
    pen.line([[x, y - 4], [x, y], [x + width, y], [x + width, y - 4]], this.style.text, 1.5);
    pen.text([x + width + 6, y - 1], format.length(meters), this.style.text, "left");
  }
}

export class CanvasPen implements Pen {
  constructor(private readonly context: CanvasRenderingContext2D) {
    context.lineJoin = "round";
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
  }
  private path(points: readonly Point[]): void {
    this.context.beginPath();
    points.forEach(([x, y], i) => (i === 0 ? this.context.moveTo(x, y) : this.context.lineTo(x, y)));
  }
  polygon(points: readonly Point[], fill: string): void {
    this.path(points);
    this.context.closePath();
    this.context.fillStyle = this.context.strokeStyle = fill;
    this.context.lineWidth = 0.6; // over the hair between neighbors
    this.context.fill();
    this.context.stroke();
  }
  line(points: readonly Point[], color: string, width: number, dash: number[] = []): void {
    this.path(points);
    this.context.strokeStyle = color;
    this.context.lineWidth = width;
    this.context.setLineDash(dash);
    this.context.stroke();
    this.context.setLineDash([]);
  }
  text([x, y]: Point, words: string, color: string, align: "left" | "center" | "right"): void {
    this.context.fillStyle = color;
    this.context.textAlign = align;
    this.context.fillText(words, x, y);
  }
}

export class SvgPen implements Pen {
  private readonly parts: string[] = [];
  constructor(
    private readonly width: number,
    private readonly height: number,
  ) {}
  private points(points: readonly Point[]): string {
    return points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");
  }
  polygon(points: readonly Point[], fill: string): void {
    this.parts.push(`<polygon points="${this.points(points)}" fill="${fill}" stroke="${fill}" stroke-width="0.3"/>`);
  }
  line(points: readonly Point[], color: string, width: number, dash: number[] = []): void {
    const dashes = dash.length > 0 ? ` stroke-dasharray="${dash.join(" ")}"` : "";
    this.parts.push(`<polyline points="${this.points(points)}" fill="none" stroke="${color}" stroke-width="${width}"${dashes}/>`);
  }
  text([x, y]: Point, words: string, color: string, align: "left" | "center" | "right"): void {
    const anchor = { left: "start", center: "middle", right: "end" }[align];
    const safe = words.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
    this.parts.push(`<text x="${x.toFixed(2)}" y="${y.toFixed(2)}" fill="${color}" text-anchor="${anchor}" dominant-baseline="middle" font-size="11" font-family="sans-serif">${safe}</text>`);
  }
  toString(): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${this.width} ${this.height}" width="${this.width}" height="${this.height}">\n${this.parts.join("\n")}\n</svg>\n`;
  }
}
