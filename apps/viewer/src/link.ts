// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Time, camera and selection as the end of an address, so that a link opens what was seen: #t=1.5&from=x,y,z&at=x,y,z&patch=3,7

import { Vector3 } from "three";
import type { Pair } from "./inspector";

export interface LinkState {
  time: number;
  camera: Vector3;
  target: Vector3;
  selected: Pair | null;
}

export function writeLink({ time, camera, target, selected }: LinkState): string {
  const numbers = (v: Vector3) => v.toArray().map((x) => Number(x.toPrecision(6))).join(",");
  const patch = selected ? `&patch=${selected.geomA},${selected.geomB}` : "";
  return `#t=${time.toFixed(4)}&from=${numbers(camera)}&at=${numbers(target)}${patch}`;
}

/** What is missing or cannot be read is left out. */
export function readLink(hash: string): Partial<LinkState> {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const numbers = (name: string, count: number): number[] | null => {
    const list = (words.get(name) ?? "").split(",").map(Number);
    return words.has(name) && list.length === count && list.every(Number.isFinite) ? list : null;
  };
  const [time, camera, target, patch] = [numbers("t", 1), numbers("from", 3), numbers("at", 3), numbers("patch", 2)];
  const state: Partial<LinkState> = {};
  if (time) state.time = time[0]!;
  if (camera) state.camera = new Vector3(...(camera as [number, number, number]));
  if (target) state.target = new Vector3(...(target as [number, number, number]));
  if (patch) state.selected = { geomA: patch[0]!, geomB: patch[1]! };
  return state;
}
