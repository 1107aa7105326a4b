// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Pictures → a WebM film: the browser encodes (WebCodecs), this writes the Matroska elements around it.

interface Encoded {
  bytes: Uint8Array;
  key: boolean;
  /** [ms] */
  time: number;
}

type Element = [id: number[], body: Uint8Array | number[] | Element[]];

/** Six bytes long, whatever the number. */
function size(n: number): number[] {
  return [0x04, Math.floor(n / 2 ** 32) & 255, (n >>> 24) & 255, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];
}
function isElements(body: Uint8Array | number[] | Element[]): body is Element[] {
  return Array.isArray(body) && Array.isArray(body[0]);
}
function encode([id, body]: Element): Uint8Array[] {
  const parts = isElements(body) ? body.flatMap(encode) : [Uint8Array.from(body as ArrayLike<number>)];
  const length = parts.reduce((n, part) => n + part.length, 0);
  return [Uint8Array.from([...id, ...size(length)]), ...parts];
}
function text(words: string): number[] {
  return [...words].map((c) => c.charCodeAt(0));
}
function uint(n: number): number[] {
  return [(n >>> 24) & 255, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];
}
function float(x: number): Uint8Array {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setFloat64(0, x);
  return out;
}

/** One cluster per key frame; times in milliseconds. */
export function webmFile(frames: readonly Encoded[], codec: string, width: number, height: number, duration: number): Uint8Array {
  const clusters: Element[] = [];
  let blocks: Element[] = [];
  let start = 0;
  for (const frame of frames) {
    if (frame.key || frame.time - start > 30_000) {
      start = frame.time;
      clusters.push([[0x1f, 0x43, 0xb6, 0x75], (blocks = [[[0xe7], uint(start)]])]);
    }
    const at = frame.time - start;
    const block = new Uint8Array(4 + frame.bytes.length);
    block.set([0x81, (at >> 8) & 255, at & 255, frame.key ? 0x80 : 0]);
    block.set(frame.bytes, 4);
    blocks.push([[0xa3], block]);
  }
  const head: Element = [[0x1a, 0x45, 0xdf, 0xa3], [[[0x42, 0x86], [1]], [[0x42, 0xf7], [1]], [[0x42, 0xf2], [4]], [[0x42, 0xf3], [8]], [[0x42, 0x82], text("webm")], [[0x42, 0x87], [4]], [[0x42, 0x85], [2]]]];
  const info: Element = [[0x15, 0x49, 0xa9, 0x66], [[[0x2a, 0xd7, 0xb1], uint(1_000_000)], [[0x44, 0x89], float(duration)], [[0x4d, 0x80], text("patchfield")], [[0x57, 0x41], text("patchfield")]]];
  const video: Element = [[0xe0], [[[0xb0], uint(width)], [[0xba], uint(height)]]];
  const track: Element = [[0xae], [[[0xd7], [1]], [[0x73, 0xc5], [1]], [[0x83], [1]], [[0x86], text(codec)], video]];
  const parts = [...encode(head), ...encode([[0x18, 0x53, 0x80, 0x67], [info, [[0x16, 0x54, 0xae, 0x6b], [track]], ...clusters]])];
  const out = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** VP9 where the browser encodes it, VP8 otherwise. */
export class WebmWriter {
  private readonly frames: Encoded[] = [];
  private count = 0;
  private error: Error | null = null;

  private constructor(
    private readonly encoder: VideoEncoder,
    private readonly codec: string,
    private readonly size: { width: number; height: number },
    private readonly milliseconds: number,
  ) {}

  static async make(width: number, height: number, milliseconds: number): Promise<WebmWriter> {
    if (typeof VideoEncoder === "undefined") throw new Error("This browser encodes no films; take an animated WebP or GIF.");
    for (const [codec, name] of [["vp09.00.40.08", "V_VP9"], ["vp8", "V_VP8"]] as const) {
      const config = { codec, width, height, bitrate: 8 * width * height, framerate: 1000 / milliseconds };
      if (!(await VideoEncoder.isConfigSupported(config)).supported) continue;
      let writer: WebmWriter | null = null;
      const encoder = new VideoEncoder({ output: (chunk) => writer!.take(chunk), error: (error) => (writer!.error = error) });
      encoder.configure(config);
      return (writer = new WebmWriter(encoder, name, { width, height }, milliseconds));
    }
    throw new Error("This browser encodes neither VP9 nor VP8; take an animated WebP or GIF.");
  }

  private take(chunk: EncodedVideoChunk): void {
    const bytes = new Uint8Array(chunk.byteLength);
    chunk.copyTo(bytes);
    this.frames.push({ bytes, key: chunk.type === "key", time: Math.round(chunk.timestamp / 1000) });
  }

  async add(canvas: HTMLCanvasElement): Promise<void> {
    const frame = new VideoFrame(canvas, { timestamp: Math.round(1000 * this.milliseconds * this.count), duration: Math.round(1000 * this.milliseconds) });
    this.encoder.encode(frame, { keyFrame: this.count++ % 60 === 0 });
    frame.close();
    while (this.encoder.encodeQueueSize > 4) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  async finish(): Promise<Uint8Array> {
    await this.encoder.flush();
    this.encoder.close();
    if (this.error) throw this.error;
    return webmFile(this.frames, this.codec, this.size.width, this.size.height, this.count * this.milliseconds);
  }
}
