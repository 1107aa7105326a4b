// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The contact patches of one frame: polygons coloured by pressure, their edges, and which patch a triangle belongs to.

import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, GreaterDepth, Group, LineBasicMaterial, LineSegments, Mesh, ShaderMaterial, Vector2 } from "three";
import type { DataTexture, Intersection } from "three";
import { mapTexture } from "./colormap";
import type { PatchFields, PatchSummary } from "./frame";
import { type Range, SCALES, niceStep } from "./scale";
import type { Settings } from "./settings";

// Depth is that of a point nearer to the camera by `sag`: rigid round bodies are drawn round, and their patch lies in a mesh of flat triangles below.
const VERTEX = `
attribute float pressure, sag;
varying float vPressure;
void main() {
  vPressure = pressure;
  vec4 view = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * view;
  vec4 nearer = projectionMatrix * (view - vec4(normalize(view.xyz) * sag, 0.0));
  gl_Position.z = nearer.z / nearer.w * gl_Position.w;
}`;

// Negative pressure is the skirt of a margin: it waits and does not push, so it is not shown.
const FRAGMENT = `
uniform sampler2D map;
uniform vec2 range;
uniform int scale;
uniform float opacity, isobar;
varying float vPressure;
void main() {
  if (vPressure < 0.0) discard;
  float t = clamp((vPressure - range.x) / max(range.y - range.x, 1e-9), 0.0, 1.0);
  float u = scale == 1 ? sqrt(t) : scale == 2 ? log(1.0 + 999.0 * t) / log(1000.0) : t;
  vec3 color = texture2D(map, vec2((255.0 * u + 0.5) / 256.0, 0.5)).rgb;
  if (isobar > 0.0) {
    float x = vPressure / isobar, width = fwidth(x);
    float away = abs(fract(x - 0.5) - 0.5) / max(width, 1e-6);
    // Where the levels are closer than a few pixels the lines fade away; there is none at zero.
    float line = (1.0 - smoothstep(0.3, 1.0, away)) * (1.0 - smoothstep(0.2, 0.4, width)) * step(0.5, x);
    color *= 1.0 - 0.5 * line;
  }
  gl_FragColor = vec4(color, opacity);
  #include <colorspace_fragment>
}`;

// Edges of faces fade where faces are only a few pixels large.
const EDGE_VERTEX = `
attribute float faceSize;
uniform float pixel;
varying float vStrength;
void main() {
  vec4 view = modelViewMatrix * vec4(position, 1.0);
  vStrength = smoothstep(4.0, 12.0, faceSize / (pixel * -view.z));
  gl_Position = projectionMatrix * view;
}`;
const EDGE_FRAGMENT = `
varying float vStrength;
void main() { gl_FragColor = vec4(0.0, 0.0, 0.0, 0.4 * vStrength); }`;

/** Isobars are this many in a range, or so. */
const ISOBARS = 6;

/** The step between isobars, which the legend shows as well [Pa]. */
export function isobarStep(range: Range): number {
  return niceStep(Math.max(1e-9, range[1] - range[0]) / ISOBARS);
}

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
  private readonly lines: LineSegments<BufferGeometry, ShaderMaterial>;
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
    this.lines = new LineSegments(this.edges, new ShaderMaterial({ vertexShader: EDGE_VERTEX, fragmentShader: EDGE_FRAGMENT, uniforms: { pixel: { value: 1e-3 } }, transparent: true, depthWrite: false }));
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
      uniforms: { map: { value: null }, range: { value: new Vector2(0, 1) }, scale: { value: 0 }, isobar: { value: 0 }, opacity: { value: opacity } },
      side: DoubleSide,
      // Also where it is opaque: so it is drawn after see-through bodies, which would tint its colors otherwise.
      transparent: true,
      depthWrite: opacity >= 1,
    });
  }

  /** Shows these patches; `chosen` is outlined, −1 for none; `sag`: of each patch [m]. */
  set(patches: readonly PatchFields[], summaries: readonly PatchSummary[], chosen: number, sag: (patch: PatchSummary) => number): void {
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
    const sags = ensure(this.faces, "sag", vertices, 1);
    const sizes = ensure(this.faces, "faceSize", vertices, 1);
    const index = ensureIndex(this.faces, 3 * triangles);
    this.edges.setAttribute("position", this.faces.getAttribute("position"));
    this.edges.setAttribute("faceSize", this.faces.getAttribute("faceSize"));
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
      const summary = summaries[number]!;
      sags.fill(sag(summary), v, v + patch.pressures.length);
      sizes.fill(Math.sqrt(summary.area / Math.max(1, patch.faceStart.length - 1)), v, v + patch.pressures.length);
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

  /** `pixel`: size of a pixel at distance 1. */
  setPixel(pixel: number): void {
    this.lines.material.uniforms["pixel"]!.value = pixel;
  }

  apply(settings: Settings, range: Range): void {
    if (this.textureName !== settings.map) {
      this.texture?.dispose();
      this.texture = mapTexture(settings.map);
      this.textureName = settings.map;
    }
    for (const material of [this.material, this.behind]) {
      material.uniforms["map"]!.value = this.texture;
      (material.uniforms["range"]!.value as Vector2).set(range[0], range[1]);
      material.uniforms["scale"]!.value = SCALES.indexOf(settings.scale);
      material.uniforms["isobar"]!.value = settings.isobars ? isobarStep(range) : 0;
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

  /** The pressure where a ray has hit a triangle [Pa]: linear between its corners. */
  pressureAt(hit: Intersection): number {
    if (!hit.face || !hit.barycoord) return NaN;
    const pressure = this.faces.getAttribute("pressure");
    const { a, b, c } = hit.face;
    return hit.barycoord.x * pressure.getX(a) + hit.barycoord.y * pressure.getX(b) + hit.barycoord.z * pressure.getX(c);
  }
}
