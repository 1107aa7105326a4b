// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Triangles → triangles with a normal per corner: smooth where the surface is round, sharp at creases. Linear in the number of corners, whatever
// the valence of a vertex: three.js' toCreasedNormals compares all faces of a vertex with each other, which takes seconds for the flat fans of CAD meshes.

import { BufferAttribute, BufferGeometry } from "three";

/** Vertices at the same place are one vertex: meshes of files repeat them per face. */
function mergeByPosition(positions: Float32Array): Uint32Array {
  const first = new Map<string, number>();
  const merged = new Uint32Array(positions.length / 3);
  for (let v = 0; v < merged.length; ++v) {
    const key = `${positions[3 * v]!},${positions[3 * v + 1]!},${positions[3 * v + 2]!}`;
    let found = first.get(key);
    if (found === undefined) first.set(key, (found = v));
    merged[v] = found;
  }
  return merged;
}

/** Sums of face normals around one vertex that are less than the crease apart: x, y, z. */
type Cluster = [number, number, number];

/** Cross products of two edges per triangle: twice the area long. */
function faceNormals(positions: Float32Array, triangles: Uint32Array): Float32Array {
  const normals = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
    const [ux, uy, uz] = [positions[b]! - positions[a]!, positions[b + 1]! - positions[a + 1]!, positions[b + 2]! - positions[a + 2]!];
    const [vx, vy, vz] = [positions[c]! - positions[a]!, positions[c + 1]! - positions[a + 1]!, positions[c + 2]! - positions[a + 2]!];
    normals[t] = uy * vz - uz * vy;
    normals[t + 1] = uz * vx - ux * vz;
    normals[t + 2] = ux * vy - uy * vx;
  }
  return normals;
}

/** The geometry without an index; edges sharper than `crease` [rad] stay sharp. */
export function creasedGeometry(positions: Float32Array, triangles: Uint32Array, crease: number): BufferGeometry {
  const merged = mergeByPosition(positions);
  const faces = faceNormals(positions, triangles);
  const clusters: (Cluster[] | undefined)[] = new Array<Cluster[] | undefined>(merged.length);
  const chosen = new Array<Cluster>(triangles.length);
  const limit = Math.cos(crease);
  for (let k = 0; k < triangles.length; ++k) {
    const t = k - (k % 3);
    const [x, y, z] = [faces[t]!, faces[t + 1]!, faces[t + 2]!];
    const around = (clusters[merged[triangles[k]!]!] ??= []);
    const size = Math.hypot(x, y, z);
    let mine = around.find(([cx, cy, cz]) => cx * x + cy * y + cz * z >= limit * size * Math.hypot(cx, cy, cz));
    if (!mine) around.push((mine = [0, 0, 0]));
    mine[0] += x;
    mine[1] += y;
    mine[2] += z;
    chosen[k] = mine;
  }
  const position = new Float32Array(3 * triangles.length);
  const normal = new Float32Array(3 * triangles.length);
  for (let k = 0; k < triangles.length; ++k) {
    const [x, y, z] = chosen[k]!;
    const size = Math.hypot(x, y, z) || 1;
    position.set(positions.subarray(3 * triangles[k]!, 3 * triangles[k]! + 3), 3 * k);
    normal.set([x / size, y / size, z / size], 3 * k);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(position, 3));
  geometry.setAttribute("normal", new BufferAttribute(normal, 3));
  return geometry;
}
