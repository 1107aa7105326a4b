// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Meshes of the header → what three.js draws: faces with normals, edges, edges of tetrahedra.

import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments } from "three";
import { creasedGeometry } from "./normals";
import { roundGeometry, sag } from "./primitives";
import type { GeomHeader, Recording } from "./recording";

/** Edges sharper than this stay sharp; round shapes meshed with eight segments are still round [rad]. */
const CREASE = 0.9;

export interface GeomMeshes {
  /** The mesh that contact uses, or the only one there is. */
  faces: BufferGeometry;
  /** As the shape is meant: for round primitives; otherwise the same object. */
  look: BufferGeometry;
  /** How far `faces` lies inside `look` at most [m]. */
  sag: number;
  /** Made when they are first asked for. */
  edges(): BufferGeometry;
  /** Of compliant bodies. */
  tetrahedra: (() => BufferGeometry) | null;
}

/** Every edge of the elements once, as pairs of vertices. */
export function uniqueEdges(elements: Uint32Array, corners: 3 | 4): Uint32Array {
  const seen = new Set<number>();
  const edges: number[] = [];
  let vertices = 0;
  for (const v of elements) vertices = Math.max(vertices, v + 1);
  for (let e = 0; e < elements.length; e += corners)
    for (let i = 0; i < corners; ++i)
      for (let j = i + 1; j < corners; ++j) {
        const a = Math.min(elements[e + i]!, elements[e + j]!);
        const b = Math.max(elements[e + i]!, elements[e + j]!);
        if (seen.has(a * vertices + b)) continue;
        seen.add(a * vertices + b);
        edges.push(a, b);
      }
  return Uint32Array.from(edges);
}

function lines(positions: BufferAttribute, edges: Uint32Array): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", positions);
  geometry.setIndex(new BufferAttribute(edges, 1));
  return geometry;
}

/** Nothing for planes and for shapes that cannot be drawn. */
export function buildMeshes(recording: Recording, geom: GeomHeader): GeomMeshes | null {
  if (!geom.mesh) return null;
  const positions = new BufferAttribute(recording.floats(geom.mesh.vertices), 3);
  const triangles = recording.indices(geom.mesh.triangles);
  if (triangles.some((v) => v >= positions.count)) return null;
  const tets = geom.mesh.tets ? recording.indices(geom.mesh.tets) : null;
  const faces = creasedGeometry(positions.array as Float32Array, triangles, CREASE);
  const uvs = geom.mesh.uvs && recording.floats(geom.mesh.uvs);
  if (uvs?.length === 2 * triangles.length) faces.setAttribute("uv", new BufferAttribute(uvs, 2));
  return {
    faces,
    look: roundGeometry(geom) ?? faces,
    sag: sag(geom, positions.array as Float32Array, triangles),
    edges: () => lines(positions, uniqueEdges(triangles, 3)),
    tetrahedra: tets && (() => lines(positions, uniqueEdges(tets, 4))),
  };
}

export function lineObject(geometry: BufferGeometry, color: number, opacity: number): LineSegments<BufferGeometry, LineBasicMaterial> {
  return new LineSegments(geometry, new LineBasicMaterial({ color, transparent: true, opacity, depthWrite: false }));
}
