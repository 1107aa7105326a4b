// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The bytes of a recording → numbers, blocks, chunks: the twin of src/patchfield/io/recording_bytes.h.

import { unzlibSync } from "fflate";

/** What is wrong with a recording, in words for the person who opened it. */
export class RecordingError extends Error {}

export const MAGIC = [0x89, 0x50, 0x46, 0x52, 0x0d, 0x0a, 0x1a, 0x0a];
export const VERSION = 1;

/** Reads from the front; throws RecordingError at the first byte that is not there. */
export class ByteReader {
  private readonly view: DataView;
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }
  u8(): number {
    return this.bytes[this.advance(1)]!;
  }
  i8(): number {
    return this.view.getInt8(this.advance(1));
  }
  u32(): number {
    return this.view.getUint32(this.advance(4), true);
  }
  f32(): number {
    return this.view.getFloat32(this.advance(4), true);
  }
  f64(): number {
    return this.view.getFloat64(this.advance(8), true);
  }
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 32; shift += 7) {
      const byte = this.u8();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RecordingError("The recording is damaged: an integer has no end.");
  }
  /** A count of things of at least `each` bytes: a wrong one cannot ask for more memory than the file has. */
  count(each: number): number {
    const n = this.u32();
    if (n * each > this.left) throw new RecordingError(`The recording is damaged: it claims ${n} things in ${this.left} bytes.`);
    return n;
  }
  floats(n: number): Float32Array {
    const out = new Float32Array(n);
    const from = this.advance(4 * n);
    for (let i = 0; i < n; ++i) out[i] = this.view.getFloat32(from + 4 * i, true);
    return out;
  }
  take(n: number): Uint8Array {
    const from = this.advance(n);
    return this.bytes.subarray(from, from + n);
  }

  private advance(n: number): number {
    if (n > this.left) throw new RecordingError("The recording ends too early: it is cut off or damaged.");
    const from = this.at;
    this.at += n;
    return from;
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; ++k) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n >>> 0;
});

/** As zlib's crc32. */
export function crc32(...parts: Uint8Array[]): number {
  let crc = 0xffffffff;
  for (const part of parts) for (let i = 0; i < part.length; ++i) crc = CRC_TABLE[(crc ^ part[i]!) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Raw size, packed size, zlib stream. */
export function readBlock(reader: ByteReader): Uint8Array {
  const rawSize = reader.u32();
  const packed = reader.take(reader.u32());
  // Deflate cannot do better than 1032 to 1, so nothing larger is allocated.
  if (rawSize > 1032 * (packed.length + 1)) throw new RecordingError("The recording is damaged: a block claims to be huge.");
  if (rawSize === 0) return new Uint8Array(0);
  let raw: Uint8Array;
  try {
    raw = unzlibSync(packed, { out: new Uint8Array(rawSize) });
  } catch {
    throw new RecordingError("The recording is damaged: a block does not unpack.");
  }
  if (raw.length !== rawSize) throw new RecordingError("The recording is damaged: a block has the wrong size.");
  return raw;
}

export interface Chunk {
  kind: string;
  payload: Uint8Array;
}

export function readChunk(reader: ByteReader): Chunk {
  const kind = reader.take(4);
  const size = reader.u32();
  const crc = reader.u32();
  const payload = reader.take(size);
  if (crc32(kind, payload) !== crc) throw new RecordingError("The recording is damaged: a chunk does not have its checksum.");
  return { kind: String.fromCharCode(...kind), payload };
}

/** Checks magic and version. */
export function readPrefix(reader: ByteReader): void {
  if (reader.left === 0) throw new RecordingError("The recording is empty.");
  const magic = reader.left >= MAGIC.length ? reader.take(MAGIC.length) : [];
  if (MAGIC.some((byte, i) => byte !== magic[i])) throw new RecordingError("This is no recording of Patchfield.");
  const version = reader.u32();
  if (version !== VERSION)
    throw new RecordingError(`The recording has version ${version}; this page reads version ${VERSION}. Use the program that wrote it.`);
}

/** Ignores white space; stops at the first other character that is no base64. */
export function fromBase64(text: string): Uint8Array {
  const value = new Int8Array(128).fill(-1);
  [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((c, i) => (value[c.charCodeAt(0)] = i));
  const out = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let size = 0;
  let bits = 0;
  let held = 0;
  for (let i = 0; i < text.length; ++i) {
    const code = text.charCodeAt(i);
    if (code === 10 || code === 13 || code === 32 || code === 9) continue;
    const v = code < 128 ? value[code]! : -1;
    if (v < 0) break;
    bits = ((bits << 6) | v) & 0xffffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      out[size++] = (bits >> held) & 0xff;
    }
  }
  return out.subarray(0, size);
}

/** The recording inside a page that `patchfield` wrote, or the bytes as they are. */
export function unwrapPage(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== "<".charCodeAt(0)) return bytes;
  const text = new TextDecoder("latin1").decode(bytes);
  // As a pattern: the words themselves would stand in this page, and be found there by whoever looks for a recording.
  const last = [...text.matchAll(/<script\s+id="recording"[^>]*>/g)].pop();
  if (!last) throw new RecordingError("This page has no recording of Patchfield in it.");
  return fromBase64(text.slice(last.index + last[0].length));
}
