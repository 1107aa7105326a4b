// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Still WebP pictures → one animated WebP: the browser encodes the pictures, this puts them into one RIFF file.

/** The chunks of a still picture that hold its pixels. */
function pixelChunks(file: Uint8Array): Uint8Array[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const chunks: Uint8Array[] = [];
  for (let at = 12; at + 8 <= file.length; ) {
    const kind = String.fromCharCode(...file.subarray(at, at + 4));
    const size = view.getUint32(at + 4, true);
    const padded = size + (size & 1);
    if (kind === "VP8 " || kind === "VP8L" || kind === "ALPH") chunks.push(file.subarray(at, at + 8 + padded));
    at += 8 + padded;
  }
  return chunks;
}

function u24(x: number): number[] {
  return [x & 255, (x >> 8) & 255, (x >> 16) & 255];
}
function u32(x: number): number[] {
  return [...u24(x), (x >>> 24) & 255];
}
function chunk(kind: string, ...parts: ArrayLike<number>[]): Uint8Array {
  const size = parts.reduce((n, part) => n + part.length, 0);
  const out = new Uint8Array(8 + size + (size & 1));
  out.set([...kind].map((c) => c.charCodeAt(0)));
  out.set(u32(size), 4);
  let at = 8;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** Loops for ever; `milliseconds` per picture. */
export function animatedWebp(pictures: readonly Uint8Array[], width: number, height: number, milliseconds: number): Uint8Array {
  const frames = pictures.map((picture) => {
    // x, y, size less one, duration; no blending, nothing is cleared.
    const head = [...u24(0), ...u24(0), ...u24(width - 1), ...u24(height - 1), ...u24(Math.round(milliseconds)), 2];
    return chunk("ANMF", head, ...pixelChunks(picture));
  });
  const extended = chunk("VP8X", [0x12, 0, 0, 0, ...u24(width - 1), ...u24(height - 1)]); // animation, alpha
  const animation = chunk("ANIM", [0, 0, 0, 0, 0, 0]);
  return chunk("RIFF", [..."WEBP"].map((c) => c.charCodeAt(0)), extended, animation, ...frames);
}
