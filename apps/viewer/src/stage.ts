// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Canvas, camera and light: where things are looked at. Draws only when something has changed.

import { Box3, Color, DirectionalLight, HemisphereLight, NeutralToneMapping, PCFSoftShadowMap, PMREMGenerator, PerspectiveCamera, Raycaster, Scene, Sphere, Vector2, Vector3, WebGLRenderer } from "three";
import type { Intersection, Object3D, Texture } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { RoomEnvironment } from "three/examples/jsm/environments/RoomEnvironment.js";
import type { Theme } from "./settings";
import type { CameraHeader } from "./recording";

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

export const BACKGROUND: Record<Theme, number> = { dark: 0x1d2127, light: 0xf4f6f8 };
/** From where the lamp shines that casts shadows. */
const LAMP = new Vector3(-0.45, -0.55, 1).normalize();

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(35, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly canvas: HTMLCanvasElement;
  /** Called before a picture is drawn, with the size of a pixel at distance 1. */
  onDraw: (pixel: number) => void = () => {};
  private readonly renderer: WebGLRenderer;
  private readonly lamp = new DirectionalLight(0xffffff, 2.1);
  /** Instead of the room where that would be too slow. */
  private readonly sky = new HemisphereLight(0xffffff, 0x66707a, 1.6);
  private room: Texture | null = null;
  private readonly raycaster = new Raycaster();
  private readonly observer: ResizeObserver;
  private home = new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  /** Width that a panel covers [px]. */
  covered = 0;
  private stale = true;

  constructor(container: HTMLElement) {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: "high-performance" });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.toneMapping = NeutralToneMapping; // on bodies only: patches and arrows have colors that mean something
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFSoftShadowMap;
    this.renderer.shadowMap.autoUpdate = false; // turning the camera moves no shadow
    this.canvas = this.renderer.domElement;
    this.canvas.className = "stage";
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("aria-label", "Three-dimensional view: drag to turn, right button to move, wheel to zoom");
    container.append(this.canvas);
    this.light();
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.controls.dampingFactor = 0.15;
    this.controls.addEventListener("change", () => this.invalidate());
    this.observer = new ResizeObserver(() => {
      const { clientWidth, clientHeight } = container;
      if (this.canvas.clientWidth === clientWidth && this.canvas.clientHeight === clientHeight) return;
      this.resize();
      this.render(this.pixel); // before the browser shows the empty canvas
    });
    this.observer.observe(container);
    this.resize();
  }

  /** A room around, soft; and one lamp with a shadow. */
  private light(): void {
    this.scene.environmentRotation.set(Math.PI / 2, 0, 0); // the room stands on y
    this.scene.environmentIntensity = 0.55;
    this.lamp.shadow.mapSize.set(1024, 1024);
    this.lamp.shadow.radius = 3;
    this.sky.position.set(0, 0, 1);
    this.scene.add(this.lamp, this.lamp.target, this.sky);
  }

  private makeRoom(): Texture {
    const maker = new PMREMGenerator(this.renderer);
    const room = new RoomEnvironment();
    const { texture } = maker.fromScene(room, 0.04);
    room.dispose();
    maker.dispose();
    return texture;
  }

  /** Does the processor draw instead of a graphics card? Then soft light and shadows take most of a second per picture. */
  get isSoftware(): boolean {
    const gl = this.renderer.getContext();
    const info = gl.getExtension("WEBGL_debug_renderer_info");
    const name = info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
    return /swiftshader|llvmpipe|software|basic render/i.test(name);
  }

  dispose(): void {
    this.observer.disconnect();
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  setTheme(theme: Theme): void {
    this.scene.background = new Color(BACKGROUND[theme]);
    this.invalidate();
  }

  /** Light of a room and shadows, or lamps alone. */
  setShadows(on: boolean): void {
    if (on) this.room ??= this.makeRoom();
    this.scene.environment = on ? this.room : null;
    this.sky.visible = !on;
    this.lamp.castShadow = on;
    this.lamp.intensity = on ? 2.1 : 1.8;
    this.shadowsMoved();
  }
  shadowsMoved(): void {
    this.renderer.shadowMap.needsUpdate = true;
    this.invalidate();
  }

  /** What there is, and what the presets show of it. */
  setBounds(everything: Box3, home: Box3): void {
    if (!home.isEmpty()) this.home = home.clone();
    const all = everything.isEmpty() ? this.home : everything;
    const { center, radius: size } = all.getBoundingSphere(new Sphere());
    const radius = Math.max(1e-4, size);
    this.camera.near = radius / 200;
    this.camera.far = radius * 200;
    this.controls.minDistance = radius / 60;
    this.controls.maxDistance = radius * 60;
    this.lamp.position.copy(center).addScaledVector(LAMP, 3 * radius);
    this.lamp.target.position.copy(center);
    const { camera } = this.lamp.shadow;
    [camera.left, camera.right, camera.top, camera.bottom] = [-radius, radius, radius, -radius].map((x) => 1.15 * x) as [number, number, number, number];
    [camera.near, camera.far] = [radius, 5 * radius];
    camera.updateProjectionMatrix();
    this.lamp.shadow.normalBias = 0.006 * radius;
    this.lamp.shadow.bias = -2e-4;
    this.shadowsMoved();
  }

  /** So many pixels at the right are covered by a panel: the picture is centered in the rest. */
  setCovered(pixels: number): void {
    if (pixels === this.covered) return;
    this.covered = pixels;
    this.resize();
  }

  /** Turns to a preset, or keeps its direction, and fits a box in: that of the presets unless another is given. */
  look(preset?: CameraPreset, box: Box3 = this.home): void {
    const direction = preset ? new Vector3(...CAMERA_PRESETS[preset]) : this.camera.position.clone().sub(this.controls.target);
    this.lookFrom(direction, box);
  }

  lookFrom(direction: Vector3, box: Box3): void {
    direction.normalize();
    box.getCenter(this.controls.target);
    this.camera.position.copy(this.controls.target).addScaledVector(direction, this.fittingDistance(direction, box));
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.invalidate();
  }

  /** Turns about the target without moving it. */
  turn(preset: CameraPreset): void {
    this.turnAlong(new Vector3(...CAMERA_PRESETS[preset]));
  }
  /** From this azimuth about z (0: from +x) and elevation above the horizon [rad]. */
  turnTo(azimuth: number, elevation: number): void {
    this.turnAlong(new Vector3(Math.cos(azimuth) * Math.cos(elevation), Math.sin(azimuth) * Math.cos(elevation), Math.sin(elevation)));
  }
  private turnAlong(direction: Vector3): void {
    const { distance } = this;
    this.camera.position.copy(this.controls.target).addScaledVector(direction.normalize(), distance);
    this.controls.update();
    this.invalidate();
  }

  /** Through a camera of the model, whose body is `at`; turns about what lies ahead of it. */
  lookThrough(camera: CameraHeader, at: Vector3): void {
    const forward = new Vector3(...camera.forward), offset = new Vector3(...camera.position);
    const position = offset.clone().add(at);
    const ahead = camera.body === 0 ? this.home.getCenter(new Vector3()).sub(position).dot(forward) : offset.length();
    this.camera.updateProjectionMatrix();
    this.place(position, position.clone().addScaledVector(forward, Math.max(1e-3, ahead)));
  }

  place(camera: Vector3, target: Vector3): void {
    this.camera.position.copy(camera);
    this.controls.target.copy(target);
    this.controls.update();
    this.invalidate();
  }

  /** Moves camera and target alike. */
  shift(by: Vector3): void {
    this.controls.target.add(by);
    this.camera.position.add(by);
    this.invalidate();
  }

  /** How far away the eight corners of a box just fit into the part of the view that is free. */
  private fittingDistance(direction: Vector3, box: Box3): number {
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const aspect = height > 0 ? (width - this.covered) / height : 1;
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new Vector3().crossVectors(direction, right);
    const size = box.getSize(new Vector3()).multiplyScalar(0.5);
    let distance = 1e-3;
    for (let i = 0; i < 8; ++i) {
      const corner = new Vector3(i & 1 ? size.x : -size.x, i & 2 ? size.y : -size.y, i & 4 ? size.z : -size.z);
      const across = Math.max(Math.abs(corner.dot(right)) / aspect, Math.abs(corner.dot(up)));
      distance = Math.max(distance, corner.dot(direction) + across / half);
    }
    return 1.08 * distance;
  }

  /** Size of a pixel of the page at distance 1. */
  get pixel(): number {
    return (2 * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(1, this.canvas.clientHeight);
  }
  get distance(): number {
    return this.camera.position.distanceTo(this.controls.target);
  }

  invalidate(): void {
    this.stale = true;
  }

  /** Draws if it must; says whether it did. */
  draw(): boolean {
    this.controls.update();
    if (!this.stale) return false;
    this.stale = false;
    this.render(this.pixel);
    return true;
  }

  private render(pixel: number): void {
    this.onDraw(pixel);
    this.renderer.render(this.scene, this.camera);
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

  /** The picture in another size, without the room for the panel, on a ground of its own; null: see-through. */
  picture(width: number, height: number, background: Color | null): HTMLCanvasElement {
    const { scene, renderer, camera } = this;
    const before = { background: scene.background, ratio: renderer.getPixelRatio(), shadows: this.lamp.castShadow };
    this.setShadows(true);
    scene.background = background;
    renderer.setPixelRatio(1);
    renderer.setSize(width, height, false);
    camera.clearViewOffset();
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    renderer.shadowMap.needsUpdate = true;
    // Lines and arrows keep their part of the picture.
    this.render((2 * Math.tan((camera.fov * Math.PI) / 360)) / Math.min(height, 720 * Math.max(1, height / 1080)));
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [width, height];
    copy.getContext("2d", { willReadFrequently: true })!.drawImage(this.canvas, 0, 0);
    scene.background = before.background;
    this.setShadows(before.shadows);
    renderer.setPixelRatio(before.ratio);
    this.resize();
    return copy;
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
    if (this.covered > 0 && this.covered < 0.6 * width) this.camera.setViewOffset(width, height, this.covered / 2, 0, width, height);
    else this.camera.clearViewOffset();
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }
}
