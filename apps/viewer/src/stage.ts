// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Canvas, camera and light: where things are looked at. Draws only when something has changed.

import { Box3, Color, DirectionalLight, HemisphereLight, NoToneMapping, PerspectiveCamera, Raycaster, Scene, Sphere, Vector2, Vector3, WebGLRenderer } from "three";
import type { Intersection, Object3D } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Theme } from "./settings";

/** Directions from the target to the camera, z up. */
export const CAMERA_PRESETS = {
  corner: [-1, -1.5, 0.8],
  front: [0, -1, 0],
  back: [0, 1, 0],
  left: [-1, 0, 0],
  right: [1, 0, 0],
  top: [0, -1e-3, 1],
  below: [0, -1e-3, -1],
} as const;
export type CameraPreset = keyof typeof CAMERA_PRESETS;

export const BACKGROUND: Record<Theme, number> = { dark: 0x14171c, light: 0xf4f6f8 };

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(35, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGLRenderer;
  private readonly hemisphere = new HemisphereLight(0xffffff, 0x66707a, 1.6);
  private readonly raycaster = new Raycaster();
  private bounds = new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  private stale = true;

  constructor(container: HTMLElement) {
    this.renderer = new WebGLRenderer({ antialias: true, powerPreference: "high-performance" });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.toneMapping = NoToneMapping;
    this.canvas = this.renderer.domElement;
    this.canvas.className = "stage";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("aria-label", "Three-dimensional view: drag to turn, right button to move, wheel to zoom");
    container.append(this.canvas);
    const key = new DirectionalLight(0xffffff, 1.7);
    key.position.set(-2, -3, 5);
    const fill = new DirectionalLight(0xffffff, 0.5);
    fill.position.set(3, 2, 1);
    this.scene.add(this.hemisphere, key, fill);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.15;
    this.controls.addEventListener("change", () => this.invalidate());
    new ResizeObserver(() => this.resize()).observe(container);
    this.resize();
  }

  setTheme(theme: Theme): void {
    this.scene.background = new Color(BACKGROUND[theme]);
    this.invalidate();
  }

  /** What the camera shall see. */
  setBounds(bounds: Box3): void {
    if (!bounds.isEmpty()) this.bounds = bounds.clone();
    const radius = Math.max(1e-4, this.bounds.getBoundingSphere(new Sphere()).radius);
    this.camera.near = radius / 100;
    this.camera.far = radius * 200;
    this.controls.minDistance = radius / 20;
    this.controls.maxDistance = radius * 60;
  }

  /** Turns to a preset, or keeps its direction, and fits everything in. */
  look(preset?: CameraPreset): void {
    const sphere = this.bounds.getBoundingSphere(new Sphere());
    const direction = preset
      ? new Vector3(...CAMERA_PRESETS[preset])
      : this.camera.position.clone().sub(this.controls.target);
    this.controls.target.copy(sphere.center);
    this.camera.position.copy(sphere.center).addScaledVector(direction.normalize(), this.fittingDistance(direction));
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.invalidate();
  }

  /** From a point along a direction; turns about what is `distance` ahead. */
  lookAlong(position: Vector3, forward: Vector3, distance: number): void {
    this.camera.position.copy(position);
    this.controls.target.copy(position).addScaledVector(forward, distance);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.invalidate();
  }

  /** Takes the camera along with what it follows. */
  shift(by: Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.invalidate();
  }

  /** The middle of what there is to see. */
  center(): Vector3 {
    return this.bounds.getCenter(new Vector3());
  }

  /** How far away the eight corners of the bounds just fit into the view. */
  private fittingDistance(direction: Vector3): number {
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new Vector3().crossVectors(direction, right);
    const size = this.bounds.getSize(new Vector3()).multiplyScalar(0.5);
    let distance = 1e-3;
    for (let i = 0; i < 8; ++i) {
      const corner = new Vector3(i & 1 ? size.x : -size.x, i & 2 ? size.y : -size.y, i & 4 ? size.z : -size.z);
      const across = Math.max(Math.abs(corner.dot(right)) / this.camera.aspect, Math.abs(corner.dot(up)));
      distance = Math.max(distance, corner.dot(direction) + across / half);
    }
    return 1.05 * distance;
  }

  invalidate(): void {
    this.stale = true;
  }

  /** Draws if it must; says whether it did. */
  draw(): boolean {
    this.controls.update();
    if (!this.stale) return false;
    this.stale = false;
    this.renderer.render(this.scene, this.camera);
    return true;
  }

  /** What lies under a pointer, nearest first. */
  pick(event: { clientX: number; clientY: number }, objects: Object3D[]): Intersection[] {
    this.aim(event);
    return this.raycaster.intersectObjects(objects, false);
  }

  /** Where the ray of a pointer passes the plane through `point` that faces the camera. */
  pointOnScreenPlane(event: { clientX: number; clientY: number }, point: Vector3): Vector3 {
    this.aim(event);
    const normal = this.camera.getWorldDirection(new Vector3());
    const { origin, direction } = this.raycaster.ray;
    const along = point.clone().sub(origin).dot(normal) / direction.dot(normal);
    return origin.clone().addScaledVector(direction, along);
  }

  /** A point of the world on the page [px]. */
  project(point: Vector3): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    const p = point.clone().project(this.camera);
    return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
  }

  /** The picture as a PNG. */
  async screenshot(): Promise<Blob> {
    this.renderer.render(this.scene, this.camera); // the buffer is cleared once it was shown
    return new Promise((resolve, reject) =>
      this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser gave no picture"))), "image/png"),
    );
  }

  private aim(event: { clientX: number; clientY: number }): void {
    const box = this.canvas.getBoundingClientRect();
    const at = new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    this.raycaster.setFromCamera(at, this.camera);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement!;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.invalidate();
    this.renderer.render(this.scene, this.camera);
  }
}
