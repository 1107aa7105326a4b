// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Forces, moments, friction tractions and slip of a frame → arrows. Lengths are in proportion to what is large in the whole recording (the 98th
// percentile), so that an arrow means the same at any time and one impact does not shrink all others.

import { Group } from "three";
import { Arrows } from "./arrows";
import * as format from "./format";
import type { FrameState, PatchFields, Vector } from "./frame";
import type { Recording } from "./recording";
import { extremes } from "./scale";
import { ARROW_KINDS, type ArrowKind, type ForcesOn, type Settings } from "./settings";

export const ARROW_COLORS: Record<ArrowKind, number> = { force: 0xff8f3f, moment: 0xb594ff, friction: 0xff5d92, slip: 0x45c4ef };
export const ARROW_NAMES: Record<ArrowKind, string> = { force: "Net force", moment: "Net moment", friction: "Friction traction", slip: "Slip velocity" };

/** A large net force is as long as this many large patches are wide. */
const LENGTH = 2.2;
/** No arrow is longer than this many times a large one. */
const LONGEST = 1.5;
/** Below this a value is rounding [N, N·m, Pa, m/s]. */
const ROUNDING: Record<ArrowKind, number> = { force: 1e-6, moment: 1e-9, friction: 1e-3, slip: 1e-7 };

const SIZES: Record<ArrowKind, (state: FrameState) => number[]> = {
  force: (s) => [...s.patches.map((p) => format.norm(p.force)), ...s.points.map((p) => format.norm(p.force))],
  moment: (s) => s.patches.map((p) => format.norm(p.moment)),
  friction: (s) => s.patches.map((p) => p.peakFriction),
  slip: (s) => s.patches.map((p) => p.peakSlip),
};

/** A force on B of a pair of geoms, at a place. */
interface Net {
  geomA: number;
  geomB: number;
  at: Vector;
  vector: Vector;
}

export class ContactArrows {
  readonly root = new Group();
  private readonly arrows: Record<ArrowKind, Arrows>;
  /** What is large in the recording; 0 if there is nothing. */
  private readonly large: Record<ArrowKind, number> = { force: 0, moment: 0, friction: 0, slip: 0 };
  /** Of a large net force or moment [m]. */
  private length = 0;
  /** Bodies in the tree of each geom's body; those of the world are without end. */
  private readonly treeSize: number[];

  /** `extent`: size of the scene [m]. */
  constructor(
    private readonly recording: Recording,
    private readonly extent: number,
  ) {
    const make = (kind: ArrowKind, net: boolean) => new Arrows({ color: ARROW_COLORS[kind], doubleHead: kind === "moment", onTop: net });
    this.arrows = { force: make("force", true), moment: make("moment", true), friction: make("friction", false), slip: make("slip", false) };
    for (const kind of ARROW_KINDS) this.root.add(this.arrows[kind].root);
    this.treeSize = treeSizes(recording);
  }

  /** Looks at all frames that there are. */
  measure(): void {
    for (const kind of ARROW_KINDS) this.large[kind] = extremes(this.recording.states, SIZES[kind]).usual;
    const width = Math.sqrt(extremes(this.recording.states, (state) => state.patches.map((patch) => patch.area)).usual);
    this.length = width > 0 ? Math.min(0.35 * this.extent, LENGTH * width) : 0.35 * this.extent;
  }

  /** Width of a pixel at distance 1, and of the shafts in pixels. */
  setWidth(pixel: number, width: number): void {
    for (const kind of ARROW_KINDS) this.arrows[kind].setWidth(pixel, kind === "force" || kind === "moment" ? width : 0.75 * width);
  }

  /** The value below which arrows are left out, as text. */
  thresholdText(kind: ArrowKind, threshold: number): string {
    const value = threshold * this.large[kind];
    if (value < ROUNDING[kind]) return "0";
    if (kind === "force") return `${format.digits(value)} N`;
    if (kind === "moment") return value < 0.1 ? `${format.digits(1e3 * value)} mN·m` : `${format.digits(value)} N·m`;
    return kind === "friction" ? format.pressure(value) : format.speed(value);
  }

  /** Where the arrows of a kind end. */
  tips(kind: ArrowKind): Vector[] {
    return this.arrows[kind].tips();
  }

  set(state: FrameState, fields: readonly PatchFields[], settings: Settings): void {
    const patches = state.patches.map((p): Net => ({ ...p, at: p.centerOfPressure, vector: p.force }));
    const points = settings.points ? state.points.map((p): Net => ({ ...p, at: p.position, vector: p.force })) : [];
    const moments = state.patches.map((p): Net => ({ ...p, at: p.centerOfPressure, vector: p.moment }));
    this.setNet("force", [...patches, ...points], settings);
    this.setNet("moment", moments, settings);
    this.setFaces("friction", state, fields, (patch) => patch.friction, settings);
    this.setFaces("slip", state, fields, (patch) => patch.slip, settings);
  }

  /** +1 if the force on B is shown, −1 for that on A, 0 if the pair does not touch the chosen body. */
  sideOf(geomA: number, geomB: number, on: ForcesOn): number {
    const { geoms } = this.recording.header;
    const [a, b] = [geoms[geomA]?.body ?? 0, geoms[geomB]?.body ?? 0];
    if (on !== "auto") return b === on ? 1 : a === on ? -1 : 0;
    return (this.treeSize[a] ?? 0) < (this.treeSize[b] ?? 0) ? -1 : 1;
  }

  private setNet(kind: "force" | "moment", nets: Net[], settings: Settings): void {
    const { show, scale, threshold } = settings.arrows[kind];
    const arrows = this.arrows[kind];
    arrows.begin(show ? nets.length : 0);
    if (show)
      for (const { geomA, geomB, at, vector } of nets) {
        const side = this.sideOf(geomA, geomB, settings.forcesOn);
        const part = format.norm(vector) / this.large[kind];
        if (side === 0 || !(part > 0 && part >= threshold)) continue;
        const length = this.length * scale * Math.min(LONGEST, part);
        const [x, y, z] = vector.map((v) => side * v) as Vector;
        // A push ends where it acts: its tip is on the surface. A moment begins there.
        const back = kind === "force" ? length / format.norm(vector) : 0;
        arrows.add(at[0] - back * x, at[1] - back * y, at[2] - back * z, x, y, z, length);
      }
    arrows.end();
  }

  private setFaces(kind: ArrowKind, state: FrameState, fields: readonly PatchFields[], column: (patch: PatchFields) => Float32Array, settings: Settings): void {
    const { show, scale, threshold } = settings.arrows[kind];
    const arrows = this.arrows[kind];
    arrows.begin(show ? fields.reduce((n, patch) => n + patch.sticks.length, 0) : 0);
    if (show)
      fields.forEach((patch, i) => {
        const summary = state.patches[i]!;
        const side = this.sideOf(summary.geomA, summary.geomB, settings.forcesOn);
        if (side === 0) return;
        const vectors = column(patch);
        // As long as a patch is wide, so that arrows of one patch do not cover those of another.
        const reach = Math.min(0.12 * this.extent, 0.5 * Math.sqrt(summary.area)) * scale;
        for (let f = 0; f < patch.sticks.length; ++f) {
          const [x, y, z] = [side * vectors[3 * f]!, side * vectors[3 * f + 1]!, side * vectors[3 * f + 2]!];
          const part = Math.hypot(x, y, z) / this.large[kind];
          if (part > 0 && part >= threshold) arrows.add(...faceCenter(patch, f), x, y, z, reach * Math.min(LONGEST, part));
        }
      });
    arrows.end();
  }
}

/** Number of bodies in the kinematic tree of each body: a thing that is handled has one, a robot many, the world Infinity. */
function treeSizes({ header }: Recording): number[] {
  const root = header.bodies.map((_, b) => {
    let at = b;
    while (at > 0 && header.bodies[at]!.parent > 0) at = header.bodies[at]!.parent;
    return at;
  });
  const size = new Map<number, number>();
  for (const r of root) size.set(r, (size.get(r) ?? 0) + 1);
  return header.bodies.map((_, b) => (header.moving.includes(b) ? size.get(root[b]!)! : Infinity));
}

/** Mean of the corners: close enough to the centroid for an arrow's foot. */
export function faceCenter(patch: PatchFields, face: number): Vector {
  const begin = patch.faceStart[face]!;
  const end = patch.faceStart[face + 1]!;
  const center: Vector = [0, 0, 0];
  for (let k = begin; k < end; ++k)
    for (let axis = 0; axis < 3; ++axis) center[axis]! += patch.positions[3 * patch.corners[k]! + axis]! / (end - begin);
  return center;
}
