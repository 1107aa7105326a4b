// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A plane geom: an endless floor with a grid that fades out, and the shadows on it. Lines are one pixel wide at any distance.

import { Color, DoubleSide, Group, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial } from "three";
import type { Theme } from "./settings";

const VERTEX = `
varying vec2 vPosition;
void main() {
  vPosition = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const FRAGMENT = `
uniform vec3 fill, line;
uniform float cell, reach, strength;
varying vec2 vPosition;
float grid(float size) {
  vec2 x = vPosition / size, width = fwidth(x);
  vec2 away = abs(fract(x - 0.5) - 0.5) / max(width, 1e-6);
  // Where cells are finer than pixels the lines melt into the fill instead of flickering.
  return (1.0 - min(min(away.x, away.y), 1.0)) * (1.0 - smoothstep(0.3, 0.8, max(width.x, width.y)));
}
void main() {
  float fade = 1.0 - smoothstep(0.15 * reach, reach, length(vPosition));
  float lines = max(0.45 * grid(cell), grid(10.0 * cell));
  gl_FragColor = vec4(mix(fill, line, lines), fade * strength);
  #include <colorspace_fragment>
}`;

export class Ground extends Group {
  private readonly grid: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly shadow: Mesh<PlaneGeometry, ShadowMaterial>;

  /** `extent`: size of what stands on it [m]; `implied`: the model has no floor, this one only catches shadows. */
  constructor(extent: number, implied: boolean) {
    super();
    const reach = (implied ? 3 : 6) * extent;
    // One cell is 1, 10, 100 … mm or so: about a twentieth of the scene.
    const cell = 10 ** Math.round(Math.log10(extent / 20));
    const offset = { transparent: true, depthWrite: false, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 4 };
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { fill: { value: new Color() }, line: { value: new Color() }, cell: { value: cell }, reach: { value: reach }, strength: { value: implied ? 0.55 : 1 } },
      ...offset,
    });
    const plane = new PlaneGeometry(2 * reach, 2 * reach);
    this.grid = new Mesh(plane, material);
    this.grid.renderOrder = -2;
    this.shadow = new Mesh(plane, new ShadowMaterial({ opacity: 0.3, ...offset }));
    this.shadow.renderOrder = -1;
    this.shadow.receiveShadow = true;
    this.add(this.grid, this.shadow);
  }

  setTheme(theme: Theme): void {
    const uniforms = this.grid.material.uniforms as Record<"fill" | "line", { value: Color }>;
    uniforms.fill.value.set(theme === "dark" ? 0x272d35 : 0xe9edf1);
    uniforms.line.value.set(theme === "dark" ? 0x47515e : 0xbac4ce);
    this.shadow.material.opacity = theme === "dark" ? 0.42 : 0.24;
  }

  setShadows(on: boolean): void {
    this.shadow.visible = on;
  }
}
