// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Forces, moments, friction tractions and slip of a frame → arrows. Lengths are in proportion to the largest of the whole
// recording, so that an arrow means the same at any time.

import { Group } from "three";
import { Arrows } from "./arrows";
import * as format from "./format";
import type { FrameState, PatchFields, Vector } from "./frame";
import type { Recording } from "./recording";
import { ARROW_KINDS, type ArrowKind, type Settings } from "./settings";

export const ARROW_COLORS: Record<ArrowKind, number> = { force: 0xff8f3f, moment: 0xb594ff, friction: 0xff5d92, slip: 0x45c4ef };
export const ARROW_NAMES: Record<ArrowKind, string> = { force: "Net force", moment: "Net moment", friction: "Friction traction", slip: "Slip velocity" };

type Largest = Record<ArrowKind, number>;

const SIZES: Record<ArrowKind, (state: FrameState) => number> = {
  force: (s) => Math.max(0, ...s.patches.map((p) => format.norm(p.force)), ...s.points.map((p) => format.norm(p.force))),
  moment: (s) => Math.max(0, ...s.patches.map((p) => format.norm(p.moment))),
  friction: (s) => Math.max(0, ...s.patches.map((p) => p.peakFriction)),
  slip: (s) => Math.max(0, ...s.patches.map((p) => p.peakSlip)),
};

export class ContactArrows {
  readonly root = new Group();
  private readonly arrows: Record<ArrowKind, Arrows>;
  /** From what is more than rounding on [N, N·m, Pa, m/s]. */
  private readonly largest: Largest = { force: 1e-6, moment: 1e-6, friction: 1e-3, slip: 1e-6 };
  private measured = 0;

  /** `extent`: size of the scene [m]. */
  constructor(private readonly extent: number) {
    const make = (kind: ArrowKind, width: number, net: boolean) =>
      new Arrows({ color: ARROW_COLORS[kind], width: width * extent, doubleHead: kind === "moment", onTop: net });
    this.arrows = {
      force: make("force", 0.008, true),
      moment: make("moment", 0.008, true),
      friction: make("friction", 0.0022, false),
      slip: make("slip", 0.0022, false),
    };
    for (const kind of ARROW_KINDS) this.root.add(this.arrows[kind].root);
  }

  /** Looks at the frames that came since it looked last. */
  measure(recording: Recording): Largest {
    if (this.measured > recording.numFrames) this.measured = 0; // a live stream forgets old frames
    for (; this.measured < recording.numFrames; ++this.measured)
      for (const kind of ARROW_KINDS) this.largest[kind] = Math.max(this.largest[kind], SIZES[kind](recording.states[this.measured]!));
    return this.largest;
  }

  /** The value below which arrows are left out, as text. */
  thresholdText(kind: ArrowKind, threshold: number): string {
    const value = threshold * this.largest[kind];
    if (kind === "force") return `${format.digits(value)} N`;
    if (kind === "moment") return `${format.digits(value)} N·m`;
    return kind === "friction" ? format.pressure(value) : format.speed(value);
  }

  set(state: FrameState, fields: readonly PatchFields[], settings: Settings): void {
    const net: [Vector, Vector, Vector][] = state.patches.map((p) => [p.centerOfPressure, p.force, p.moment]);
    const points: [Vector, Vector, Vector][] = settings.points ? state.points.map((p) => [p.position, p.force, [0, 0, 0]]) : [];
    this.setNet("force", [...net, ...points].map(([at, force]) => [at, force]), settings);
    this.setNet("moment", net.map(([at, , moment]) => [at, moment]), settings);
    this.setFaces("friction", fields, (patch) => patch.friction, settings);
    this.setFaces("slip", fields, (patch) => patch.slip, settings);
  }

  private setNet(kind: ArrowKind, vectors: [Vector, Vector][], settings: Settings): void {
    const { show, scale, threshold } = settings.arrows[kind];
    const arrows = this.arrows[kind];
    arrows.begin(show ? vectors.length : 0);
    if (show)
      for (const [at, vector] of vectors) {
        const part = format.norm(vector) / this.largest[kind];
        if (part > 0 && part >= threshold) arrows.add(...at, ...vector, 0.6 * this.extent * scale * part);
      }
    arrows.end();
  }

  private setFaces(kind: ArrowKind, fields: readonly PatchFields[], column: (patch: PatchFields) => Float32Array, settings: Settings): void {
    const { show, scale, threshold } = settings.arrows[kind];
    const arrows = this.arrows[kind];
    arrows.begin(show ? fields.reduce((n, patch) => n + patch.sticks.length, 0) : 0);
    if (show)
      for (const patch of fields) {
        const vectors = column(patch);
        for (let f = 0; f < patch.sticks.length; ++f) {
          const [x, y, z] = [vectors[3 * f]!, vectors[3 * f + 1]!, vectors[3 * f + 2]!];
          const part = Math.hypot(x, y, z) / this.largest[kind];
          if (part > 0 && part >= threshold) arrows.add(...faceCenter(patch, f), x, y, z, 0.12 * this.extent * scale * part);
        }
      }
    arrows.end();
  }
}

/** Mean of the corners: close enough to the centroid for an arrow's foot. */
function faceCenter(patch: PatchFields, face: number): Vector {
  const begin = patch.faceStart[face]!;
  const end = patch.faceStart[face + 1]!;
  const center: Vector = [0, 0, 0];
  for (let k = begin; k < end; ++k)
    for (let axis = 0; axis < 3; ++axis) center[axis]! += patch.positions[3 * patch.corners[k]! + axis]! / (end - begin);
  return center;
}
