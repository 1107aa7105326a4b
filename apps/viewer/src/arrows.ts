// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Arrows of one kind, as many as a frame has, drawn as instances. Their length is in meters, their width in pixels. Moments get a second head.

import { BufferAttribute, Color, ConeGeometry, CylinderGeometry, DynamicDrawUsage, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial } from "three";
import type { BufferGeometry } from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

const HEAD_WIDTH = 4.5;
const HEAD_LENGTH = 12;

/** Along z, from 0 to 1; `part` is 0 for the shaft, 1 for the head, 2 for the second head. */
function piece(geometry: BufferGeometry, part: number): BufferGeometry {
  geometry.rotateX(Math.PI / 2).translate(0, 0, 0.5);
  geometry.setAttribute("part", new BufferAttribute(new Float32Array(geometry.getAttribute("position").count).fill(part), 1));
  return geometry;
}

const VERTEX = `
attribute float part;
attribute vec3 foot, vector;
uniform float pixel, width;
varying vec3 vNormal;
void main() {
  float size = length(vector);
  vec3 z = vector / max(size, 1e-12);
  vec3 x = normalize(cross(z, abs(z.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  vec3 y = cross(z, x);
  float depth = -(viewMatrix * vec4(foot + 0.5 * vector, 1.0)).z;
  // Half a width; short arrows shrink as a whole.
  float radius = min(0.5 * width * pixel * depth, size / (1.6 * ${HEAD_LENGTH.toFixed(1)}));
  float head = ${HEAD_LENGTH.toFixed(1)} * radius;
  float along = part < 0.5 ? position.z * (size - 0.5 * head) : size - head * (1.0 + 0.8 * (part - 1.0)) + position.z * head;
  float wide = part < 0.5 ? radius : ${HEAD_WIDTH.toFixed(1)} * radius;
  vec3 at = foot + z * along + wide * (x * position.x + y * position.y);
  vNormal = (viewMatrix * vec4(x * normal.x + y * normal.y + z * normal.z, 0.0)).xyz;
  gl_Position = projectionMatrix * viewMatrix * vec4(at, 1.0);
}`;
const FRAGMENT = `
uniform vec3 color;
varying vec3 vNormal;
void main() {
  float light = 0.72 + 0.28 * max(0.0, dot(normalize(vNormal), normalize(vec3(-0.4, 0.7, 0.6))));
  gl_FragColor = vec4(color * light, 1.0);
  #include <colorspace_fragment>
}`;

export interface ArrowStyle {
  color: number;
  doubleHead: boolean;
  /** Seen through bodies. */
  onTop: boolean;
}

export class Arrows {
  readonly root: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private count = 0;

  constructor(style: ArrowStyle) {
    const pieces = [piece(new CylinderGeometry(1, 1, 1, 10), 0), piece(new ConeGeometry(1, 1, 14), 1)];
    if (style.doubleHead) pieces.push(piece(new ConeGeometry(1, 1, 14), 2));
    const merged = mergeGeometries(pieces);
    const geometry = new InstancedBufferGeometry();
    geometry.setIndex(merged.getIndex());
    for (const name of ["position", "normal", "part"]) geometry.setAttribute(name, merged.getAttribute(name));
    geometry.instanceCount = 0;
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { color: { value: new Color(style.color) }, pixel: { value: 1e-3 }, width: { value: 2 } },
      depthTest: !style.onTop,
      depthWrite: !style.onTop,
      transparent: true,
    });
    this.root = new Mesh(geometry, material);
    this.root.frustumCulled = false;
    this.root.renderOrder = style.onTop ? 10 : 3;
    this.begin(64);
  }

  /** `pixel`: size of a pixel at distance 1; `width`: of a shaft [px]. */
  setWidth(pixel: number, width: number): void {
    this.root.material.uniforms["pixel"]!.value = pixel;
    this.root.material.uniforms["width"]!.value = width;
  }

  /** Makes room for n arrows and forgets those of the last frame. */
  begin(n: number): void {
    this.count = 0;
    const { geometry } = this.root;
    if (n <= (geometry.getAttribute("foot")?.count ?? 0)) return;
    geometry.dispose(); // the buffers of the old size
    for (const name of ["foot", "vector"]) {
      const attribute = new InstancedBufferAttribute(new Float32Array(3 * Math.ceil(1.5 * n)), 3);
      attribute.setUsage(DynamicDrawUsage);
      geometry.setAttribute(name, attribute);
    }
  }

  /** An arrow of this length [m] from a point along a vector of any length. */
  add(x: number, y: number, z: number, dx: number, dy: number, dz: number, length: number): void {
    const norm = Math.hypot(dx, dy, dz);
    if (!(norm > 0 && length > 0)) return;
    const { geometry } = this.root;
    const scale = length / norm;
    geometry.getAttribute("foot").setXYZ(this.count, x, y, z);
    geometry.getAttribute("vector").setXYZ(this.count++, dx * scale, dy * scale, dz * scale);
  }

  tips(): [number, number, number][] {
    const [foot, vector] = ["foot", "vector"].map((name) => this.root.geometry.getAttribute(name)) as [InstancedBufferAttribute, InstancedBufferAttribute];
    return Array.from({ length: this.count }, (_, i) => [foot.getX(i) + vector.getX(i), foot.getY(i) + vector.getY(i), foot.getZ(i) + vector.getZ(i)]);
  }

  end(): void {
    const { geometry } = this.root;
    geometry.instanceCount = this.count;
    for (const name of ["foot", "vector"]) geometry.getAttribute(name).needsUpdate = true;
  }
}
