// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Round shapes as they are meant, rather than as the few segments that contact needs; and how deep below them the contact's mesh lies.

import { BufferGeometry, CapsuleGeometry, CylinderGeometry, SphereGeometry } from "three";
import type { GeomHeader } from "./recording";

/** Along z, as MuJoCo has it; nothing for shapes that are not round. */
export function roundGeometry(geom: GeomHeader): BufferGeometry | null {
  const [a, b, c] = geom.size;
  if (geom.type === "sphere") return new SphereGeometry(a, 48, 32);
  if (geom.type === "ellipsoid") return new SphereGeometry(1, 64, 40).rotateX(Math.PI / 2).scale(a, b, c);
  if (geom.type === "cylinder") return new CylinderGeometry(a, a, 2 * b, 64).rotateX(Math.PI / 2);
  return geom.type === "capsule" ? new CapsuleGeometry(a, 2 * b, 16, 48).rotateX(Math.PI / 2) : null;
}

/** Signed distance to the round shape, exact for all but ellipsoids [m]. */
function distance(geom: GeomHeader, x: number, y: number, z: number): number {
  const [a, b, c] = geom.size;
  if (geom.type === "sphere") return Math.hypot(x, y, z) - a;
  if (geom.type === "cylinder") return Math.max(Math.hypot(x, y) - a, Math.abs(z) - b);
  if (geom.type === "capsule") return Math.hypot(x, y, Math.max(0, Math.abs(z) - b)) - a;
  return (Math.hypot(x / a, y / b, z / c) - 1) * Math.max(a, b, c);
}

/** How far the middles of the mesh's edges lie inside the round shape at most [m]: patches on the mesh must be seen through that much. */
export function sag(geom: GeomHeader, positions: Float32Array, triangles: Uint32Array): number {
  if (!["sphere", "ellipsoid", "cylinder", "capsule"].includes(geom.type)) return 0;
  let deepest = 0;
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; ++k) {
      const [p, q] = [3 * triangles[t + k]!, 3 * triangles[t + ((k + 1) % 3)]!];
      const middle = (axis: number) => (positions[p + axis]! + positions[q + axis]!) / 2;
      deepest = Math.max(deepest, -distance(geom, middle(0), middle(1), middle(2)));
    }
  return deepest;
}
