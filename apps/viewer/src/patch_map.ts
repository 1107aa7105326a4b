// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A patch → a flat map of it: seen along its mean normal, in meters, with pressure linear on every face.

import { faceCenter } from "./contact_arrows";
import type { PatchFields, Vector } from "./frame";

export type Point = [number, number];
/** A point of the map with its pressure. */
export type Corner = [u: number, v: number, pressure: number];

export interface PatchMap {
  /** Unit vectors of the map's right and up, and of its normal, in the world. */
  right: Vector;
  up: Vector;
  normal: Vector;
  /** What lies at (0, 0). */
  origin: Vector;
  faces: Corner[][];
  /** u and v of the faces' centers, and what is known per face. */
  centers: Point[];
  areas: number[];
  /** Components along right and up [Pa], [m/s]. */
  friction: Point[];
  slip: Point[];
  sticks: boolean[];
  /** Least and largest u, v. */
  box: [Point, Point];
}

const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
function unit(a: Vector): Vector {
  const size = Math.hypot(...a) || 1;
  return [a[0] / size, a[1] / size, a[2] / size];
}

function vertex(patch: PatchFields, corner: number): Vector {
  const v = 3 * patch.corners[corner]!;
  return [patch.positions[v]!, patch.positions[v + 1]!, patch.positions[v + 2]!];
}

/** Half the sum of cross products along the rim: as long as the area, along the normal. */
function areaVector(patch: PatchFields, face: number): Vector {
  const [begin, end] = [patch.faceStart[face]!, patch.faceStart[face + 1]!];
  const first = vertex(patch, begin);
  const sum: Vector = [0, 0, 0];
  for (let k = begin + 1; k + 1 < end; ++k) cross(minus(vertex(patch, k), first), minus(vertex(patch, k + 1), first)).forEach((x, axis) => (sum[axis]! += x / 2));
  return sum;
}

/** Up on the map is up in the world, or y where the patch lies flat. */
function axes(normal: Vector): { right: Vector; up: Vector } {
  const wish: Vector = Math.abs(normal[2]) > 0.8 ? [0, 1, 0] : [0, 0, 1];
  const right = unit(cross(wish, normal));
  return { right, up: cross(normal, right) };
}

/** `along`: roughly the normal, so that the map does not flip between frames. */
export function flatten(patch: PatchFields, along: Vector): PatchMap {
  const count = patch.faceStart.length - 1;
  const vectors = Array.from({ length: count }, (_, f) => areaVector(patch, f));
  const sum: Vector = [0, 0, 0];
  for (const a of vectors) {
    const sign = dot(a, along) < 0 ? -1 : 1;
    a.forEach((x, axis) => (sum[axis]! += sign * x));
  }
  const normal = unit(Math.hypot(...sum) > 0 ? sum : along);
  const { right, up } = axes(normal);
  const origin: Vector = [0, 0, 0];
  const total = vectors.reduce((s, a) => s + Math.hypot(...a), 0) || 1;
  const middles = vectors.map((_, f) => faceCenter(patch, f));
  middles.forEach((c, f) => c.forEach((x, axis) => (origin[axis]! += (x * Math.hypot(...vectors[f]!)) / total)));
  const place = (p: Vector): Point => [dot(minus(p, origin), right), dot(minus(p, origin), up)];
  const turn = (column: Float32Array, f: number): Point => {
    const v: Vector = [column[3 * f]!, column[3 * f + 1]!, column[3 * f + 2]!];
    return [dot(v, right), dot(v, up)];
  };
  const faces = vectors.map((_, f) => {
    const corners: Corner[] = [];
    for (let k = patch.faceStart[f]!; k < patch.faceStart[f + 1]!; ++k) corners.push([...place(vertex(patch, k)), patch.pressures[patch.corners[k]!]!]);
    return corners;
  });
  const all = faces.flat();
  const extreme = (axis: 0 | 1, pick: (...xs: number[]) => number) => all.reduce((x, c) => pick(x, c[axis]), all[0]?.[axis] ?? 0);
  return {
    right,
    up,
    normal,
    origin,
    faces,
    centers: middles.map(place),
    areas: vectors.map((a) => Math.hypot(...a)),
    friction: faces.map((_, f) => turn(patch.friction, f)),
    slip: faces.map((_, f) => turn(patch.slip, f)),
    sticks: Array.from(patch.sticks, (s) => s !== 0),
    box: [[extreme(0, Math.min), extreme(1, Math.min)], [extreme(0, Math.max), extreme(1, Math.max)]],
  };
}

/** A point of the world on the map. */
export function onMap(map: PatchMap, p: Vector): Point {
  return [dot(minus(p, map.origin), map.right), dot(minus(p, map.origin), map.up)];
}

/** The part of a convex polygon whose pressure is at least `level`, or at most (`keep` = −1). */
export function clipByPressure(polygon: readonly Corner[], level: number, keep: 1 | -1): Corner[] {
  const out: Corner[] = [];
  polygon.forEach((a, i) => {
    const b = polygon[(i + 1) % polygon.length]!;
    const [da, db] = [keep * (a[2] - level), keep * (b[2] - level)];
    if (da >= 0) out.push(a);
    if (da < 0 !== db < 0) {
      const t = da / (da - db);
      out.push([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), level]);
    }
  });
  return out;
}

/** Where a face has exactly this pressure: a segment, or nothing. */
export function isobarOf(face: readonly Corner[], level: number): [Point, Point] | null {
  const ends: Point[] = [];
  face.forEach((a, i) => {
    const b = face[(i + 1) % face.length]!;
    if (a[2] < level === b[2] < level) return;
    const t = (level - a[2]) / (b[2] - a[2]);
    ends.push([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
  });
  return ends.length === 2 ? [ends[0]!, ends[1]!] : null;
}

/** Edges between a face that sticks and one that slips. */
export function stickBoundary(patch: PatchFields, map: PatchMap): [Point, Point][] {
  const first = new Map<string, { face: number; ends: [Point, Point] }>();
  const out: [Point, Point][] = [];
  map.faces.forEach((face, f) => {
    const begin = patch.faceStart[f]!;
    face.forEach((corner, i) => {
      const next = (i + 1) % face.length;
      const [a, b] = [patch.corners[begin + i]!, patch.corners[begin + next]!];
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      const ends: [Point, Point] = [[corner[0], corner[1]], [face[next]![0], face[next]![1]]];
      const other = first.get(key);
      if (!other) first.set(key, { face: f, ends });
      else if (map.sticks[other.face] !== map.sticks[f]) out.push(ends);
    });
  });
  return out;
}

/** Twice the signed area of a triangle. */
const turnOf = (a: ArrayLike<number>, b: ArrayLike<number>, c: ArrayLike<number>) => (b[0]! - a[0]!) * (c[1]! - a[1]!) - (b[1]! - a[1]!) * (c[0]! - a[0]!);

/** Face and pressure at a place of the map; null beside the patch. */
export function locate(map: PatchMap, [u, v]: Point): { face: number; pressure: number } | null {
  const p: Point = [u, v];
  for (const [f, face] of map.faces.entries())
    for (let k = 1; k + 1 < face.length; ++k) {
      const [a, b, c] = [face[0]!, face[k]!, face[k + 1]!];
      const whole = turnOf(a, b, c);
      const [x, y, z] = [turnOf(p, b, c) / whole, turnOf(a, p, c) / whole, turnOf(a, b, p) / whole];
      if (Math.min(x, y, z) >= -1e-9) return { face: f, pressure: x * a[2] + y * b[2] + z * c[2] };
    }
  return null;
}

/** Pressure along a line, `count` samples: [distance along it, pressure]; 0 beside the patch. */
export function profile(map: PatchMap, from: Point, to: Point, count: number): Point[] {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  return Array.from({ length: count }, (_, i) => {
    const t = i / Math.max(1, count - 1);
    const at = locate(map, [from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])]);
    return [t * length, Math.max(0, at?.pressure ?? 0)];
  });
}

/** One line per face. */
export function mapCsv(map: PatchMap): string {
  const rows = map.centers.map(([u, v], f) => {
    const pressure = locate(map, [u, v])?.pressure ?? NaN;
    return [u, v, map.areas[f]!, pressure, ...map.friction[f]!, ...map.slip[f]!, map.sticks[f] ? 1 : 0].map((x) => (Number.isInteger(x) ? x : Number(x.toPrecision(7)))).join(",");
  });
  return `u_m,v_m,area_m2,pressure_Pa,friction_u_Pa,friction_v_Pa,slip_u_m_s,slip_v_m_s,sticks\n${rows.join("\n")}\n`;
}
