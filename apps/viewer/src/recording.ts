// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A recording: its header, and frames by number. A file and a live stream are the same chunks, so this reads both.

import { ByteReader, type Chunk, RecordingError, readBlock, readChunk, readPrefix } from "./bytes";
import { type FrameState, type PatchFields, decodeFields, decodeState } from "./frame";

export interface ArrayPlace {
  at: number;
  count: number;
}
export interface MeshPlace {
  vertices: ArrayPlace;
  triangles: ArrayPlace;
  tets?: ArrayPlace;
  pressures?: ArrayPlace;
}
export interface GeomHeader {
  name: string;
  body: number;
  type: string;
  collides: boolean;
  /** MuJoCo's: 0 to 2 are meant to be seen, 3 and more are collision shapes behind a look of their own. */
  group: number;
  compliant: boolean;
  rgba: [number, number, number, number];
  position: [number, number, number];
  /** w first */
  quaternion: [number, number, number, number];
  size: [number, number, number];
  mesh: MeshPlace | null;
}
export interface BodyHeader {
  name: string;
  parent: number;
  position: [number, number, number];
  quaternion: [number, number, number, number];
}
/** A camera of the model: where it is from its body (0: the world) and where it looks, along the world's axes. */
export interface CameraHeader {
  name: string;
  body: number;
  position: [number, number, number];
  forward: [number, number, number];
}
export interface Header {
  title: string;
  frames_per_second: number;
  solver: string;
  tessellation: string;
  center: [number, number, number];
  extent: number;
  bodies: BodyHeader[];
  moving: number[];
  geoms: GeomHeader[];
  joints: { name: string; unit: string }[];
  /** Not in recordings of older versions. */
  cameras?: CameraHeader[];
}

/** Frames whose faces stay decoded: enough for stepping to and fro. */
const FIELDS_KEPT = 8;

export class Recording {
  readonly states: FrameState[] = [];
  signalNames: string[] = [];
  /** What is wrong after the last frame, or empty. */
  problem = "";
  /** Grows with every change; plots look at it. */
  revision = 0;

  private payloads: Uint8Array[] = [];
  private readonly decoded = new Map<Uint8Array, PatchFields[]>();

  private constructor(
    readonly header: Header,
    private readonly blob: Uint8Array,
  ) {}

  /** A whole file. Throws RecordingError if there is not even a header. */
  static fromFile(bytes: Uint8Array): Recording {
    const reader = new ByteReader(bytes);
    const recording = Recording.begin(reader);
    try {
      for (;;) {
        const chunk = readChunk(reader);
        if (chunk.kind === "DONE") break;
        recording.append(chunk);
      }
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error;
      recording.problem = error.message;
    }
    return recording;
  }

  /** The first message of a stream: prefix and header. */
  static begin(reader: ByteReader): Recording {
    readPrefix(reader);
    const chunk = readChunk(reader);
    if (chunk.kind !== "HEAD") throw new RecordingError("The recording is damaged: it does not begin with its header.");
    const head = new ByteReader(readBlock(new ByteReader(chunk.payload)));
    const text = new TextDecoder().decode(head.take(head.count(1)));
    let header: Header;
    try {
      header = JSON.parse(text) as Header;
    } catch {
      throw new RecordingError("The recording is damaged: its header cannot be read.");
    }
    return new Recording(header, head.take(head.left));
  }

  append(chunk: Chunk): void {
    if (chunk.kind === "SIGN")
      this.signalNames = JSON.parse(new TextDecoder().decode(readBlock(new ByteReader(chunk.payload)))) as string[];
    if (chunk.kind === "FRAM") {
      this.states.push(decodeState(chunk.payload, this.header.moving.length, this.header.joints.length));
      this.payloads.push(chunk.payload);
    }
    ++this.revision;
  }

  /** Forgets all but the newest n frames. */
  keepNewest(n: number): void {
    const extra = this.states.length - n;
    if (extra <= 0) return;
    this.states.splice(0, extra);
    this.payloads.splice(0, extra);
    ++this.revision;
  }

  get numFrames(): number {
    return this.states.length;
  }

  /** Faces of frame i, one entry per patch of its state. */
  fields(i: number): PatchFields[] {
    const payload = this.payloads[i]!;
    const known = this.decoded.get(payload);
    if (known) return known;
    const fields = decodeFields(payload, this.states[i]!.patches);
    if (this.decoded.size >= FIELDS_KEPT) this.decoded.delete(this.decoded.keys().next().value!);
    this.decoded.set(payload, fields);
    return fields;
  }

  /** The last frame at or before `time`, by bisection. */
  frameAt(time: number): number {
    let low = 0;
    let high = this.states.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.states[middle]!.time <= time + 1e-9) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  get startTime(): number {
    return this.states[0]?.time ?? 0;
  }
  get endTime(): number {
    return this.states[this.states.length - 1]?.time ?? 0;
  }

  floats(place: ArrayPlace): Float32Array {
    return new Float32Array(this.copy(place));
  }
  indices(place: ArrayPlace): Uint32Array {
    return new Uint32Array(this.copy(place));
  }
  private copy({ at, count }: ArrayPlace): ArrayBuffer {
    if (at + 4 * count > this.blob.length) throw new RecordingError("The recording is damaged: a mesh lies outside of it.");
    return this.blob.slice(at, at + 4 * count).buffer as ArrayBuffer;
  }

  pairName(patch: { geomA: number; geomB: number }): string {
    const name = (g: number) => this.header.geoms[g]?.name ?? `geom ${g}`;
    return `${name(patch.geomA)} – ${name(patch.geomB)}`;
  }
}
