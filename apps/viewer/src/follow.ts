// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Where a camera that follows should look, frame by frame: the center of the contact patches or of a body, smoothed over time.

import { Box3, Vector3 } from "three";
import type { FrameState } from "./frame";
import { norm } from "./format";
import type { Recording } from "./recording";
import type { Follow } from "./settings";
import type { World } from "./world";

/** The camera's path is a mean over about this long [s]. */
const SMOOTHING = 0.5;
/** Share of coordinates that are left out at both ends of the box around all patches. */
const OUTLIERS = 0.03;

/** Mean of the centers of pressure, weighted by force; null without patches. */
function contactCenter(state: FrameState): Vector3 | null {
  const sum = new Vector3();
  let weight = 0;
  for (const patch of state.patches) {
    const force = norm(patch.force) + 1e-9;
    sum.addScaledVector(new Vector3(...patch.centerOfPressure), force);
    weight += force;
  }
  return weight > 0 ? sum.divideScalar(weight) : null;
}

/** Targets per frame, three numbers each; null if there is nothing to follow. */
export function followPath(recording: Recording, world: World, follow: Follow): Float32Array | null {
  if (follow === "none") return null;
  const centers = recording.states.map((state) => (follow === "contact" ? contactCenter(state) : world.centerOf(follow, state)));
  // Gaps take the value of the frame before, the first ones that of the first known.
  let known = centers.find((center) => center !== null);
  if (!known) return null;
  const path = new Float32Array(3 * centers.length);
  centers.forEach((center, i) => path.set((known = center ?? known!).toArray(), 3 * i));
  return smooth(path, Math.round(SMOOTHING * recording.header.frames_per_second));
}

/** Three running means over 2n + 1 frames are nearly a Gaussian; at the ends the window shrinks. */
function smooth(path: Float32Array, width: number): Float32Array {
  const frames = path.length / 3;
  let from = path;
  for (let pass = 0; pass < 3; ++pass) {
    const to = new Float32Array(path.length);
    for (let i = 0; i < frames; ++i) {
      const reach = Math.min(Math.floor(width / 2), i, frames - 1 - i);
      for (let axis = 0; axis < 3; ++axis) {
        let sum = 0;
        for (let j = i - reach; j <= i + reach; ++j) sum += from[3 * j + axis]!;
        to[3 * i + axis] = sum / (2 * reach + 1);
      }
    }
    from = to;
  }
  return from;
}

/** A box around where patches are in these frames, without the few that lie far away; empty without patches. */
export function patchBounds(states: readonly FrameState[]): Box3 {
  const axes: number[][] = [[], [], []];
  let size = 0;
  for (const state of states)
    for (const patch of state.patches) {
      patch.centerOfPressure.forEach((x, axis) => axes[axis]!.push(x));
      size = Math.max(size, Math.sqrt(patch.area));
    }
  if (axes[0]!.length === 0) return new Box3();
  const [low, high] = [OUTLIERS, 1 - OUTLIERS].map((q) =>
    axes.map((values) => {
      const sorted = Float64Array.from(values).sort();
      return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!;
    }),
  ) as [number[], number[]];
  const box = new Box3(new Vector3(...(low as [number, number, number])), new Vector3(...(high as [number, number, number])));
  return box.expandByScalar(0.5 * size);
}

/** What a person wants to see first: the patches, with enough around them to know what they belong to. */
export function heroBounds(patches: Box3, everything: Box3): Box3 {
  if (patches.isEmpty() || everything.isEmpty()) return everything.clone();
  const half = everything.getSize(new Vector3()).multiplyScalar(0.5);
  const center = patches.getCenter(new Vector3());
  const size = patches.getSize(new Vector3()).multiplyScalar(0.5 * 1.3);
  const least = 0.42 * Math.max(half.x, half.y, half.z);
  const box = new Box3(center.clone().sub(size), center.clone().add(size));
  box.union(new Box3(center.clone().subScalar(least), center.clone().addScalar(least)));
  // Never wider than everything there is.
  box.min.max(everything.min);
  box.max.min(everything.max);
  return box;
}
