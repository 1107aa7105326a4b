// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Numbers → colours. The maps keep their order for the colour-blind and in print: their lightness rises throughout.

import { DataTexture, LinearFilter, RGBAFormat, SRGBColorSpace } from "three";

/** 17 colours at equal distances; between them, linear. */
const STOPS = {
  viridis: "440154 48186a 472d7b 424086 3b528b 33638d 2c728e 26828e 21918c 1fa088 28ae80 3fbc73 5ec962 84d44b addc30 d8e219 fde725",
  cividis: "00224e 002e6a 1a386f 32436d 434e6c 535a6d 61656f 6f7073 7d7c78 8c8878 9b9476 aba072 bcae6c cdbb63 dec958 f0d846 fee838",
  inferno: "000004 0b0724 210c4a 3d0965 57106e 71196e 8a226a a32c61 bc3754 d24644 e45a31 f1731d f98e09 fcac11 f9cb35 f2ea69 fcffa4",
  gray: "202020 f4f4f4",
} as const;

export type MapName = keyof typeof STOPS;
export const MAP_NAMES = Object.keys(STOPS) as MapName[];

/** Red, green, blue in 0 … 255 at u in 0 … 1. */
export function colorAt(map: MapName, u: number): [number, number, number] {
  const stops = STOPS[map].split(" ").map((hex) => parseInt(hex, 16));
  const x = Math.min(1, Math.max(0, u)) * (stops.length - 1);
  const i = Math.min(stops.length - 2, Math.floor(x));
  const channel = (shift: number) => {
    const a = (stops[i]! >> shift) & 255;
    const b = (stops[i + 1]! >> shift) & 255;
    return a + (x - i) * (b - a);
  };
  return [channel(16), channel(8), channel(0)];
}

/** For a legend. */
export function cssGradient(map: MapName): string {
  const steps = Array.from({ length: 17 }, (_, i) => `rgb(${colorAt(map, i / 16).map(Math.round).join(",")})`);
  return `linear-gradient(to right, ${steps.join(",")})`;
}

/** 256 texels, least value first. */
export function mapTexture(map: MapName): DataTexture {
  const pixels = new Uint8Array(4 * 256);
  for (let i = 0; i < 256; ++i) pixels.set([...colorAt(map, i / 255).map(Math.round), 255], 4 * i);
  const texture = new DataTexture(pixels, 256, 1, RGBAFormat);
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

/** Lines of plots: eight colours that stay apart for the colour-blind (after Okabe and Ito), dark and light. */
export const SERIES_COLORS = ["#3aa0e6", "#e69f00", "#2bb38a", "#d55e8a", "#c9b421", "#8f7ee6", "#e0703a", "#7fb0c4"];
