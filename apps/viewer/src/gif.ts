// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Pictures → an animated GIF: one palette of 255 colors for all, and a color that means "as in the picture before", so that what does not move costs
// nearly nothing.

/** Red, green, blue, alpha bytes. */
export type Pixels = Uint8ClampedArray;

const SAME = 255;

interface Box {
  colors: number[];
  axis: number;
  spread: number;
}

/** Five bits per channel. */
function key(pixels: Pixels, i: number): number {
  return ((pixels[i]! >> 3) << 10) | ((pixels[i + 1]! >> 3) << 5) | (pixels[i + 2]! >> 3);
}

function boxOf(colors: number[]): Box {
  const box: Box = { colors, axis: 0, spread: -1 };
  for (const axis of [0, 5, 10]) {
    const values = colors.map((c) => (c >> axis) & 31);
    const spread = (Math.max(...values) - Math.min(...values)) * Math.sqrt(colors.length);
    if (spread > box.spread) [box.axis, box.spread] = [axis, spread];
  }
  return box;
}

/** Median cut over the colors that occur, and for each color of five bits its entry. */
export function makePalette(pictures: readonly Pixels[]): { palette: Uint8Array; entry: Uint8Array } {
  const counts = new Uint32Array(32768);
  for (const pixels of pictures) for (let i = 0; i < pixels.length; i += 4) ++counts[key(pixels, i)]!;
  const used = [...counts.keys()].filter((c) => counts[c]! > 0);
  const boxes = [boxOf(used)];
  while (boxes.length < SAME) {
    const widest = boxes.reduce((best, box) => (box.colors.length > 1 && box.spread > best.spread ? box : best), { colors: [], axis: 0, spread: 0 } as Box);
    if (widest.colors.length < 2) break;
    widest.colors.sort((a, b) => ((a >> widest.axis) & 31) - ((b >> widest.axis) & 31));
    const half = widest.colors.length >> 1;
    boxes.splice(boxes.indexOf(widest), 1, boxOf(widest.colors.slice(0, half)), boxOf(widest.colors.slice(half)));
  }
  const palette = new Uint8Array(3 * 256);
  const entry = new Uint8Array(32768);
  boxes.forEach(({ colors }, i) => {
    let total = 0;
    const sum = [0, 0, 0];
    for (const c of colors) {
      total += counts[c]!;
      [10, 5, 0].forEach((shift, axis) => (sum[axis]! += counts[c]! * ((((c >> shift) & 31) * 255) / 31)));
      entry[c] = i;
    }
    palette.set(sum.map((x) => Math.round(x / total)), 3 * i);
  });
  // Colors of other pictures take the nearest entry.
  for (let c = 0; c < 32768; ++c) if (counts[c] === 0) entry[c] = nearest(palette, boxes.length, c);
  return { palette, entry };
}

function nearest(palette: Uint8Array, entries: number, color: number): number {
  const [r, g, b] = [10, 5, 0].map((shift) => (((color >> shift) & 31) * 255) / 31) as [number, number, number];
  let best = 0;
  let least = Infinity;
  for (let i = 0; i < entries; ++i) {
    const distance = (palette[3 * i]! - r) ** 2 + (palette[3 * i + 1]! - g) ** 2 + (palette[3 * i + 2]! - b) ** 2;
    if (distance < least) [best, least] = [i, distance];
  }
  return best;
}

/** Variable-length codes of at most twelve bits, in blocks of 255 bytes. */
export function lzw(indices: Uint8Array): number[] {
  const out: number[] = [8];
  let block: number[] = [];
  let bits = 0;
  let held = 0;
  let size = 9;
  let next = 258;
  let table = new Map<number, number>();
  const put = (code: number) => {
    bits |= code << held;
    for (held += size; held >= 8; held -= 8, bits >>>= 8) {
      block.push(bits & 255);
      if (block.length === 255) {
        out.push(255, ...block);
        block = [];
      }
    }
  };
  put(256);
  let prefix = indices[0]!;
  for (let i = 1; i < indices.length; ++i) {
    const k = indices[i]!;
    const found = table.get(prefix * 256 + k);
    if (found !== undefined) {
      prefix = found;
      continue;
    }
    put(prefix);
    table.set(prefix * 256 + k, next++);
    if (next - 1 === 1 << size && size < 12) ++size;
    if (next > 4095) {
      put(256);
      table = new Map();
      [size, next] = [9, 258];
    }
    prefix = k;
  }
  put(prefix);
  put(257);
  if (held > 0) block.push(bits & 255);
  if (block.length > 0) out.push(block.length, ...block);
  out.push(0);
  return out;
}

export class GifWriter {
  private readonly parts: Uint8Array[] = [];
  private before: Uint8Array | null = null;
  private readonly entry: Uint8Array;

  /** `samples`: some of the pictures, to choose the palette by. */
  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly milliseconds: number,
    samples: readonly Pixels[],
  ) {
    const { palette, entry } = makePalette(samples);
    this.entry = entry;
    const word = (x: number) => [x & 255, x >> 8];
    this.push([..."GIF89a"].map((c) => c.charCodeAt(0)), word(width), word(height), [0xf7, 0, 0], palette);
    this.push([0x21, 0xff, 11], [..."NETSCAPE2.0"].map((c) => c.charCodeAt(0)), [3, 1, 0, 0, 0]); // for ever
  }

  private push(...parts: ArrayLike<number>[]): void {
    for (const part of parts) this.parts.push(Uint8Array.from(part));
  }

  add(pixels: Pixels): void {
    const indices = new Uint8Array(this.width * this.height);
    for (let i = 0; i < indices.length; ++i) indices[i] = this.entry[key(pixels, 4 * i)]!;
    const shown = this.before ? indices.map((index, i) => (index === this.before![i] ? SAME : index)) : indices;
    const word = (x: number) => [x & 255, x >> 8];
    this.push([0x21, 0xf9, 4, 0x05], word(Math.round(this.milliseconds / 10)), [SAME, 0]);
    this.push([0x2c, 0, 0, 0, 0], word(this.width), word(this.height), [0], lzw(shown));
    this.before = indices;
  }

  finish(): Uint8Array {
    this.push([0x3b]);
    const out = new Uint8Array(this.parts.reduce((n, part) => n + part.length, 0));
    let at = 0;
    for (const part of this.parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  }
}
