// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A stretch of a recording → an animation: every picture is drawn at its own time, however long that takes.

import { Vector3 } from "three";
import type { App } from "./app";
import { type PictureWish, drawPicture, pictureBlob } from "./export";
import { GifWriter } from "./gif";
import { WebmWriter } from "./webm";
import { animatedWebp } from "./webp";

export type AnimationKind = "webp" | "gif" | "webm";
export interface AnimationWish extends PictureWish {
  kind: AnimationKind;
  /** Simulated time [s]. */
  from: number;
  to: number;
  /** Pictures per second of the film. */
  rate: number;
  /** Simulated seconds per second of the film. */
  speed: number;
  /** The camera turns by this about the vertical [degrees per second of the film]. */
  orbit: number;
  /** 0 … 1, of WebP. */
  quality: number;
}

const TYPES: Record<AnimationKind, string> = { webp: "image/webp", gif: "image/gif", webm: "video/webm" };
/** Pictures that a GIF's palette is chosen by. */
const SAMPLES = 8;

function times(wish: AnimationWish): number[] {
  const count = Math.max(1, Math.round(((wish.to - wish.from) / wish.speed) * wish.rate));
  return Array.from({ length: count }, (_, i) => wish.from + (i * wish.speed) / wish.rate);
}

/** Shows a time, turns the camera, and draws. */
function drawAt(app: App, wish: AnimationWish, time: number, turn: number): HTMLCanvasElement {
  app.player.seek(time);
  app.showNow();
  const { camera, controls } = app.stage;
  const arm = camera.position.clone().sub(controls.target).applyAxisAngle(new Vector3(0, 0, 1), (turn * Math.PI) / 180);
  camera.position.copy(controls.target).add(arm);
  camera.lookAt(controls.target);
  return drawPicture(app, wish);
}

export async function makeAnimation(app: App, wish: AnimationWish, progress: (part: number) => void = () => {}): Promise<Blob> {
  app.player.playing = false;
  const moments = times(wish);
  const milliseconds = 1000 / wish.rate;
  const pixels = (canvas: HTMLCanvasElement) => canvas.getContext("2d", { willReadFrequently: true })!.getImageData(0, 0, wish.width, wish.height).data;
  const stills: Uint8Array[] = [];
  const webm = wish.kind === "webm" ? await WebmWriter.make(wish.width, wish.height, milliseconds) : null;
  let gif: GifWriter | null = null;
  if (wish.kind === "gif") {
    const each = Math.max(1, Math.ceil(moments.length / SAMPLES));
    gif = new GifWriter(wish.width, wish.height, milliseconds, moments.filter((_, i) => i % each === 0).map((time) => pixels(drawAt(app, wish, time, 0))));
  }
  for (const [i, time] of moments.entries()) {
    const canvas = drawAt(app, wish, time, i === 0 ? 0 : wish.orbit / wish.rate);
    if (gif) gif.add(pixels(canvas));
    else if (webm) await webm.add(canvas);
    else stills.push(new Uint8Array(await (await pictureBlob(canvas, "image/webp", wish.quality)).arrayBuffer()));
    progress((i + 1) / moments.length);
    await new Promise((resolve) => setTimeout(resolve)); // the page stays alive
  }
  const bytes = gif ? gif.finish() : webm ? await webm.finish() : animatedWebp(stills, wish.width, wish.height, milliseconds);
  return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: TYPES[wish.kind] });
}
