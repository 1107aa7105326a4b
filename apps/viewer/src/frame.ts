// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// One frame of a recording → numbers: the twin of src/patchfield/io/recording_decode.cpp.

import { ByteReader, RecordingError, readBlock } from "./bytes";

export type Vector = [number, number, number];

/** What a patch is as a whole. Forces on B, world frame, SI units. */
export interface PatchSummary {
  geomA: number;
  geomB: number;
  area: number;
  normalForce: number;
  peakPressure: number;
  peakFriction: number;
  peakSlip: number;
  force: Vector;
  /** About the centre of pressure. */
  moment: Vector;
  centerOfPressure: Vector;
}

/** The faces of a patch. */
export interface PatchFields {
  /** Offsets into corners, one more than faces. */
  faceStart: Uint32Array;
  /** Vertex of each corner. */
  corners: Uint32Array;
  /** x, y, z per vertex. */
  positions: Float32Array;
  /** Per vertex [Pa]. */
  pressures: Float32Array;
  /** x, y, z per face [Pa]. */
  friction: Float32Array;
  /** x, y, z per face [m/s]. */
  slip: Float32Array;
  sticks: Uint8Array;
}

export interface PointContact {
  geomA: number;
  geomB: number;
  position: Vector;
  force: Vector;
}

export interface FrameState {
  time: number;
  /** Position and quaternion (w first), seven numbers per moving body. */
  poses: Float32Array;
  joints: Float32Array;
  signals: Float32Array;
  patches: PatchSummary[];
  points: PointContact[];
}

function readVector(reader: ByteReader): Vector {
  return [reader.f32(), reader.f32(), reader.f32()];
}

function readSummary(reader: ByteReader): PatchSummary {
  return {
    geomA: reader.u32(),
    geomB: reader.u32(),
    area: reader.f32(),
    normalForce: reader.f32(),
    peakPressure: reader.f32(),
    peakFriction: reader.f32(),
    peakSlip: reader.f32(),
    force: readVector(reader),
    moment: readVector(reader),
    centerOfPressure: readVector(reader),
  };
}

function readPoint(reader: ByteReader): PointContact {
  return { geomA: reader.u32(), geomB: reader.u32(), position: readVector(reader), force: readVector(reader) };
}

/** n things, in order. */
function readMany<T>(n: number, read: () => T): T[] {
  const out: T[] = [];
  for (let i = 0; i < n; ++i) out.push(read());
  return out;
}

/** The small half of a frame: everything but the faces. */
export function decodeState(payload: Uint8Array, numMoving: number, numJoints: number): FrameState {
  const reader = new ByteReader(readBlock(new ByteReader(payload)));
  return {
    time: reader.f64(),
    poses: reader.floats(7 * numMoving),
    joints: reader.floats(numJoints),
    signals: reader.floats(reader.count(4)),
    patches: readMany(reader.count(64), () => readSummary(reader)),
    points: readMany(reader.count(32), () => readPoint(reader)),
  };
}

/** The other half: the faces of every patch. */
export function decodeFields(payload: Uint8Array, patches: readonly PatchSummary[]): PatchFields[] {
  const blocks = new ByteReader(payload);
  blocks.u32();
  blocks.take(blocks.u32()); // the state
  const reader = new ByteReader(readBlock(blocks));
  return patches.map((patch) => readFields(reader, patch));
}

function readFields(reader: ByteReader, patch: PatchSummary): PatchFields {
  const faces = reader.count(7);
  const corners = reader.count(1);
  const vertices = reader.count(8);
  const ranges = readMany(4, () => ({ least: reader.f64(), extent: reader.f64() }));
  const faceStart = readFaceStarts(reader, faces, corners);
  const fields: PatchFields = {
    faceStart,
    corners: readCorners(reader, corners, vertices),
    positions: new Float32Array(3 * vertices),
    pressures: new Float32Array(vertices),
    friction: new Float32Array(0),
    slip: new Float32Array(0),
    sticks: new Uint8Array(0),
  };
  ranges.forEach(({ least, extent }, axis) => {
    const [target, first, stride] = axis < 3 ? [fields.positions, axis, 3] : [fields.pressures, 0, 1];
    readAxis(reader, vertices, (i, u) => (target[first + stride * i] = least + u * extent));
  });
  fields.friction = readVectors(reader, faces, patch.peakFriction);
  fields.slip = readVectors(reader, faces, patch.peakSlip);
  fields.sticks = reader.take(faces);
  return fields;
}

function readFaceStarts(reader: ByteReader, faces: number, corners: number): Uint32Array {
  const starts = new Uint32Array(faces + 1);
  for (let f = 0; f < faces; ++f) starts[f + 1] = Math.min(starts[f]! + reader.varint(), 0xffffffff);
  if (starts[faces] !== corners) throw new RecordingError("The recording is damaged: faces and corners do not match.");
  return starts;
}

/** Steps back from the newest vertex; 0 is a new one. */
function readCorners(reader: ByteReader, corners: number, vertices: number): Uint32Array {
  const out = new Uint32Array(corners);
  let newest = 0;
  for (let c = 0; c < corners; ++c) {
    const back = reader.varint();
    if (back > newest || (back === 0 && newest === vertices)) throw new RecordingError("The recording is damaged: a corner has no vertex.");
    out[c] = newest - back;
    if (back === 0) ++newest;
  }
  return out;
}

/** Differences of neighbours, folded; low bytes, then high bytes. */
function readAxis(reader: ByteReader, n: number, set: (i: number, u: number) => void): void {
  const low = reader.take(n);
  const high = reader.take(n);
  let value = 0;
  for (let i = 0; i < n; ++i) {
    const folded = low[i]! | (high[i]! << 8);
    value = (value + ((folded >> 1) ^ -(folded & 1))) & 0xffff;
    set(i, value / 65535);
  }
}

function readVectors(reader: ByteReader, n: number, largest: number): Float32Array {
  const out = new Float32Array(3 * n);
  for (let axis = 0; axis < 3; ++axis) for (let i = 0; i < n; ++i) out[3 * i + axis] = (reader.i8() * largest) / 127;
  return out;
}
