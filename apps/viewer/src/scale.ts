// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Which value has which colour or length: ranges that one spike cannot spoil, and scales between their ends.

import type { FrameState } from "./frame";

export type Scale = "linear" | "root" | "log";
export const SCALES: readonly Scale[] = ["linear", "root", "log"];
export type Range = readonly [number, number];

/** The logarithmic scale shows this many powers of ten. */
const DECADES = 3;
const TOP = 10 ** DECADES - 1;

/** 0 … 1: where a value lies between the ends of a range. The fragment shader of patch_view.ts does the same. */
export function fraction(value: number, [low, high]: Range, scale: Scale): number {
  const t = Math.min(1, Math.max(0, (value - low) / Math.max(high - low, 1e-9)));
  if (scale === "root") return Math.sqrt(t);
  return scale === "log" ? Math.log(1 + TOP * t) / Math.log(1 + TOP) : t;
}

/** The inverse of fraction(). */
export function valueAt(u: number, [low, high]: Range, scale: Scale): number {
  const t = scale === "root" ? u * u : scale === "log" ? ((1 + TOP) ** u - 1) / TOP : u;
  return low + t * (high - low);
}

/** 1, 2 or 5 times a power of ten, about `target` apart. */
export function niceStep(target: number): number {
  const power = 10 ** Math.floor(Math.log10(target));
  const digit = target / power;
  return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

/** The value that a share q of the positive numbers does not exceed; 0 if there are none. */
export function percentile(values: readonly number[], q: number): number {
  const positive = Float64Array.from(values.filter((x) => x > 0 && Number.isFinite(x))).sort();
  if (positive.length === 0) return 0;
  return positive[Math.min(positive.length - 1, Math.floor(q * positive.length))]!;
}

/** What is called large in a recording: one impact or one frame of sliding does not count. */
const LARGE = 0.95;

export interface Extremes {
  /** 95th percentile over patches and frames, and the largest of all. */
  usual: number;
  largest: number;
}

/** Of a quantity that every frame has several values of. */
export function extremes(states: readonly FrameState[], values: (state: FrameState) => number[]): Extremes {
  const all: number[] = [];
  for (const state of states) for (const x of values(state)) all.push(x);
  let largest = 0;
  for (const x of all) if (x > largest) largest = x;
  return { usual: percentile(all, LARGE), largest };
}
