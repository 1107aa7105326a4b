// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The three-dimensional view → pictures for papers and pages: any size, a ground of one's own, with legend, scale, axes and time.

import { Color } from "three";
import type { App } from "./app";
import { colorAt } from "./colormap";
import * as format from "./format";
import { gaugeState } from "./gauge";
import { legendTicks } from "./legend";
import { BACKGROUND } from "./stage";

export type PictureGround = "dark" | "light" | "white" | "none";
export interface PictureWish {
  width: number;
  height: number;
  ground: PictureGround;
  /** Legend, scale, axes and time. */
  labels: boolean;
}

const GROUNDS: Record<PictureGround, number | null> = { dark: BACKGROUND.dark, light: BACKGROUND.light, white: 0xffffff, none: null };

export function drawPicture(app: App, wish: PictureWish): HTMLCanvasElement {
  const ground = GROUNDS[wish.ground];
  app.world.setShadows(true);
  const canvas = app.stage.picture(wish.width, wish.height, ground === null ? null : new Color(ground));
  app.world.setShadows(app.settings.shadows);
  if (wish.labels) new Labels(app, canvas, wish.ground === "dark" ? "#e6eaee" : "#1b242d").draw();
  return canvas;
}

export function pictureBlob(canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob> {
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser gave no picture"))), type, quality));
}

/** Offers a file to the person. */
export function offerFile(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Texts and bars in the corners of a picture, in proportion to its size. */
class Labels {
  private readonly context: CanvasRenderingContext2D;
  /** One "pixel" of a picture of 720 lines. */
  private readonly unit: number;

  constructor(
    private readonly app: App,
    private readonly canvas: HTMLCanvasElement,
    private readonly color: string,
  ) {
    this.context = canvas.getContext("2d")!;
    this.unit = Math.max(0.75, Math.min(canvas.height / 720, canvas.width / 960));
  }

  draw(): void {
    const { context, unit } = this;
    context.fillStyle = context.strokeStyle = this.color;
    context.font = `${13 * unit}px system-ui, "DejaVu Sans", sans-serif`;
    context.textBaseline = "middle";
    this.legend(20 * unit, this.canvas.height - 46 * unit, 220 * unit);
    this.scale(this.canvas.width - 24 * unit, this.canvas.height - 28 * unit);
    context.textAlign = "right";
    context.fillText(format.time(this.app.player.time), this.canvas.width - 24 * unit, 26 * unit);
  }

  private legend(x: number, y: number, width: number): void {
    const { settings } = this.app;
    const range = this.app.pressureRange();
    if (!settings.patches || !(range[1] > range[0])) return;
    const { context, unit } = this;
    const { unit: name, ticks } = legendTicks(settings, range);
    context.textAlign = "left";
    context.fillText(`Pressure [${name}]`, x, y - 12 * unit);
    for (let i = 0; i < width; ++i) {
      context.fillStyle = `rgb(${colorAt(settings.map, i / width).map(Math.round).join(",")})`;
      context.fillRect(x + i, y, 1.5, 10 * unit);
    }
    context.fillStyle = this.color;
    for (const { at, text } of ticks) {
      context.textAlign = at === 0 ? "left" : at === 1 ? "right" : "center";
      context.fillText(text, x + at * width, y + 22 * unit);
    }
  }

  private scale(right: number, y: number): void {
    const { context, unit, app } = this;
    const { stage } = app;
    const pixel = (2 * Math.tan((stage.camera.fov * Math.PI) / 360)) / this.canvas.height;
    const { axes, bar, text } = gaugeState(stage.camera, pixel * unit, stage.distance);
    const width = bar * unit;
    context.lineWidth = 2 * unit;
    context.beginPath();
    context.moveTo(right - width, y - 4 * unit);
    context.lineTo(right - width, y);
    context.lineTo(right, y);
    context.lineTo(right, y - 4 * unit);
    context.stroke();
    context.textAlign = "center";
    context.fillText(text, right - width / 2, y - 11 * unit);
    const [cx, cy] = [right - 26 * unit, y - 58 * unit];
    for (const axis of axes) {
      context.strokeStyle = context.fillStyle = axis.color;
      context.beginPath();
      context.moveTo(cx, cy);
      context.lineTo(cx + 20 * unit * axis.x, cy + 20 * unit * axis.y);
      context.stroke();
      context.fillText(axis.name, cx + 29 * unit * axis.x, cy + 29 * unit * axis.y);
    }
    context.strokeStyle = context.fillStyle = this.color;
  }
}
