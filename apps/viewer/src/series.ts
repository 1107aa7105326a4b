// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Frames → curves over time, in groups: forces, areas, pressures, slip, joints, signals.

import * as format from "./format";
import type { PatchSummary } from "./frame";
import type { Recording } from "./recording";

export interface Series {
  name: string;
  /** Number of its color: a pair has the same one in every group. */
  color: number;
  dashed?: boolean;
  /** Where it is not the group's. */
  unit?: string;
  values: Float32Array;
}
export interface Group {
  name: string;
  unit: string;
  series: Series[];
}

/** More curves than this say nothing. */
const MOST = 8;

/** Pairs of geoms in the order in which they first touch in a recording: their colors stay while a live stream forgets its past. */
const pairColors = new WeakMap<Recording, Map<string, number>>();

function colorOfPair(recording: Recording, key: string): number {
  let known = pairColors.get(recording);
  if (!known) pairColors.set(recording, (known = new Map()));
  let color = known.get(key);
  if (color === undefined) known.set(key, (color = known.size));
  return color;
}

/** A curve per pair of geoms, those with the largest values first; 0 where they do not touch. */
function perPair(recording: Recording, value: (patch: PatchSummary) => number): Series[] {
  const byPair = new Map<string, Series>();
  const n = recording.numFrames;
  recording.states.forEach((state, i) => {
    for (const patch of state.patches) {
      const key = `${patch.geomA} ${patch.geomB}`;
      let series = byPair.get(key);
      if (!series) byPair.set(key, (series = { name: recording.pairName(patch), color: colorOfPair(recording, key), values: new Float32Array(n) }));
      series.values[i] = value(patch);
    }
  });
  const size = (s: Series) => s.values.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  return [...byPair.values()].sort((a, b) => size(b) - size(a)).slice(0, MOST);
}

function perColumn(recording: Recording, names: string[], value: (frame: number, column: number) => number | undefined): Series[] {
  return names.map((name, column) => ({
    name,
    color: column,
    values: Float32Array.from({ length: recording.numFrames }, (_, i) => value(i, column) ?? NaN),
  }));
}

/** "grip [N]" has the unit N. Signals of one unit share an axis. */
function signalGroups(recording: Recording): Group[] {
  const all = perColumn(recording, recording.signalNames, (i, c) => recording.states[i]!.signals[c]);
  const byUnit = new Map<string, Series[]>();
  for (const series of all) {
    const unit = /\[([^\]]+)\]\s*$/.exec(series.name)?.[1] ?? "";
    byUnit.set(unit, [...(byUnit.get(unit) ?? []), series]);
  }
  return [...byUnit].map(([unit, series]) => ({ name: byUnit.size > 1 ? `Signals [${unit || "–"}]` : "Signals", unit, series }));
}

/** Groups without a curve are left out. */
export function collectGroups(recording: Recording): Group[] {
  const { states, header } = recording;
  const joints = (unit: string) => header.joints.map((joint, i) => ({ ...joint, i })).filter((joint) => joint.unit === unit);
  const ofUnit = (unit: string): Series[] => {
    const chosen = joints(unit);
    return perColumn(recording, chosen.map((joint) => joint.name), (i, c) => states[i]!.joints[chosen[c]!.i]);
  };
  const groups: Group[] = [
    ...signalGroups(recording),
    { name: "Force", unit: "N", series: perPair(recording, (p) => format.norm(p.force)) },
    { name: "Normal force", unit: "N", series: perPair(recording, (p) => p.normalForce) },
    { name: "Area", unit: "cm²", series: perPair(recording, (p) => 1e4 * p.area) },
    { name: "Peak pressure", unit: "kPa", series: perPair(recording, (p) => 1e-3 * p.peakPressure) },
    { name: "Peak slip", unit: "mm/s", series: perPair(recording, (p) => 1e3 * p.peakSlip) },
    { name: "Joint angles", unit: "rad", series: ofUnit("rad") },
    { name: "Joint positions", unit: "m", series: ofUnit("m") },
  ];
  return groups.filter((group) => group.series.length > 0);
}
