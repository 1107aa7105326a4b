// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The contact patches of one frame: polygons coloured by pressure, their edges, and which patch a triangle belongs to.

import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, GreaterDepth, Group, LineBasicMaterial, LineSegments, Mesh, ShaderMaterial } from "three";
import type { DataTexture } from "three";
import { mapTexture } from "./colormap";
import type { PatchFields } from "./frame";
import type { Settings } from "./settings";

const VERTEX = `
attribute float pressure;
varying float vPressure;
void main() {
  vPressure = pressure;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

// Negative pressure is the skirt of a margin: it waits and does not push, so it is not shown.
const FRAGMENT = `
uniform sampler2D map;
uniform vec2 range;
uniform float opacity;
varying float vPressure;
void main() {
  if (vPressure < 0.0) discard;
  float u = clamp((vPressure - range.x) / max(range.y - range.x, 1e-9), 0.0, 1.0);
  gl_FragColor = vec4(texture2D(map, vec2((255.0 * u + 0.5) / 256.0, 0.5)).rgb, opacity);
  #include <colorspace_fragment>
}`;

/** An attribute or index that grows and is otherwise reused. */
function ensure(geometry: BufferGeometry, name: string, items: number, width: number): Float32Array {
  let attribute = geometry.getAttribute(name) as BufferAttribute | undefined;
  if (!attribute || attribute.count < items) {
    attribute = new BufferAttribute(new Float32Array(Math.ceil(1.5 * items + 64) * width), width);
    attribute.setUsage(DynamicDrawUsage);
    geometry.setAttribute(name, attribute);
  }
  attribute.needsUpdate = true;
  return attribute.array as Float32Array;
}

function ensureIndex(geometry: BufferGeometry, items: number): Uint32Array {
  let index = geometry.getIndex();
  if (!index || index.count < items) {
    index = new BufferAttribute(new Uint32Array(Math.ceil(1.5 * items + 64)), 1);
    index.setUsage(DynamicDrawUsage);
    geometry.setIndex(index);
  }
  index.needsUpdate = true;
  return index.array as Uint32Array;
}

/** Pairs of vertices between which only one face lies: the outline of a patch. */
export function rim(patch: PatchFields): Uint32Array {
  const vertices = patch.pressures.length;
  const open = new Map<number, [number, number]>();
  for (let f = 0; f + 1 < patch.faceStart.length; ++f) {
    const begin = patch.faceStart[f]!;
    const end = patch.faceStart[f + 1]!;
    for (let k = begin; k < end; ++k) {
      const a = patch.corners[k]!;
      const b = patch.corners[k + 1 < end ? k + 1 : begin]!;
      const key = Math.min(a, b) * vertices + Math.max(a, b);
      if (!open.delete(key)) open.set(key, [a, b]);
    }
  }
  return Uint32Array.from([...open.values()].flat());
}

export class PatchView {
  readonly root = new Group();
  private readonly faces = new BufferGeometry();
  private readonly edges = new BufferGeometry();
  private readonly chosenEdges = new BufferGeometry();
  private readonly material: ShaderMaterial;
  private readonly behind: ShaderMaterial;
  private readonly mesh: Mesh;
  private readonly ghost: Mesh;
  private readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  private readonly chosenLines: LineSegments<BufferGeometry, LineBasicMaterial>;
  private texture: DataTexture | null = null;
  private textureName = "";
  /** First triangle of each patch. */
  private firstTriangle: number[] = [];

  constructor() {
    this.material = this.makeMaterial(1);
    this.behind = this.makeMaterial(0.28);
    this.behind.depthFunc = GreaterDepth;
    this.mesh = new Mesh(this.faces, this.material);
    this.ghost = new Mesh(this.faces, this.behind);
    this.lines = new LineSegments(this.edges, new LineBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.35, depthWrite: false }));
    this.chosenLines = new LineSegments(this.chosenEdges, new LineBasicMaterial({ color: 0xffffff, depthTest: false, transparent: true, opacity: 0.9 }));
    for (const object of [this.ghost, this.mesh, this.lines, this.chosenLines]) {
      object.frustumCulled = false;
      this.root.add(object);
    }
    this.ghost.renderOrder = 1;
    this.mesh.renderOrder = 2;
    this.lines.renderOrder = 3;
    this.chosenLines.renderOrder = 4;
  }

  private makeMaterial(opacity: number): ShaderMaterial {
    return new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { map: { value: null }, range: { value: [0, 1] }, opacity: { value: opacity } },
      side: DoubleSide,
      transparent: opacity < 1,
      depthWrite: opacity >= 1,
    });
  }

  /** Shows these patches; `chosen` is outlined, −1 for none. */
  set(patches: readonly PatchFields[], chosen: number): void {
    let vertices = 0;
    let triangles = 0;
    let corners = 0;
    for (const patch of patches) {
      vertices += patch.pressures.length;
      corners += patch.corners.length;
      triangles += Math.max(0, patch.corners.length - 2 * (patch.faceStart.length - 1));
    }
    const position = ensure(this.faces, "position", vertices, 3);
    const pressure = ensure(this.faces, "pressure", vertices, 1);
    const index = ensureIndex(this.faces, 3 * triangles);
    this.edges.setAttribute("position", this.faces.getAttribute("position"));
    this.chosenEdges.setAttribute("position", this.faces.getAttribute("position"));
    const edge = ensureIndex(this.edges, 2 * corners);

    this.firstTriangle = [];
    let v = 0;
    let t = 0;
    let e = 0;
    let outline = new Uint32Array(0);
    patches.forEach((patch, number) => {
      this.firstTriangle.push(t / 3);
      position.set(patch.positions, 3 * v);
      pressure.set(patch.pressures, v);
      for (let f = 0; f + 1 < patch.faceStart.length; ++f) {
        const begin = patch.faceStart[f]!;
        const end = patch.faceStart[f + 1]!;
        for (let k = begin; k < end; ++k) {
          const a = v + patch.corners[k]!;
          const b = v + patch.corners[k + 1 < end ? k + 1 : begin]!;
          edge[e++] = a;
          edge[e++] = b;
          // Convex, so a fan about the first corner.
          if (k < begin + 1 || k + 1 >= end) continue;
          index[t++] = v + patch.corners[begin]!;
          index[t++] = a;
          index[t++] = b;
        }
      }
      if (number === chosen) outline = rim(patch).map((corner) => corner + v);
      v += patch.pressures.length;
    });
    ensureIndex(this.chosenEdges, outline.length).set(outline);
    this.faces.setDrawRange(0, t);
    this.edges.setDrawRange(0, e);
    this.chosenEdges.setDrawRange(0, outline.length);
    // Picking measures the ray against this sphere first.
    this.faces.boundingSphere = null;
  }

  apply(settings: Settings, range: [number, number]): void {
    if (this.textureName !== settings.map) {
      this.texture?.dispose();
      this.texture = mapTexture(settings.map);
      this.textureName = settings.map;
    }
    for (const material of [this.material, this.behind]) {
      material.uniforms["map"]!.value = this.texture;
      material.uniforms["range"]!.value = range;
    }
    this.root.visible = settings.patches;
    this.ghost.visible = settings.xray;
    this.lines.visible = settings.patchEdges;
    this.chosenLines.material.color.set(settings.theme === "dark" ? 0xffffff : 0x0b3d66);
  }

  pickable(): Mesh[] {
    return this.root.visible && this.firstTriangle.length > 0 ? [this.mesh] : [];
  }

  /** The patch of a triangle that a ray has hit. */
  patchOfTriangle(triangle: number): number {
    let patch = -1;
    while (patch + 1 < this.firstTriangle.length && this.firstTriangle[patch + 1]! <= triangle) ++patch;
    return patch;
  }
}
