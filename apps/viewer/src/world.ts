// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The bodies of a recording: shapes that follow the poses of a frame.

import { Box3, Color, FrontSide, Group, Matrix4, Mesh, MeshStandardMaterial, Quaternion, SRGBColorSpace, Sphere, Vector3 } from "three";
import type { BufferGeometry, LineBasicMaterial, LineSegments, Object3D } from "three";
import type { FrameState } from "./frame";
import { Ground } from "./ground";
import { type GeomMeshes, buildMeshes, lineObject } from "./mesh_builder";
import type { GeomHeader, Recording } from "./recording";
import type { BodyLook, Settings } from "./settings";
import { type Textures, applyTexture } from "./textures";

/** For bodies that nobody gave a color: calm, and apart from the colors of pressure. */
const PALETTE = [0x8fa3b8, 0xb89f8f, 0x93a894, 0xa596b5, 0xb5a98c, 0x8cabae];
const WIRE = { dark: 0xffffff, light: 0x10161d };
/** Bounds over a recording look at this many frames, and ignore what has left the scene by so many of its extents. */
const FRAMES_LOOKED_AT = 240;
const FAR_AWAY = 30;
/** Black bodies are lifted to this lightness, so that their shape can be seen. */
const LEAST_LIGHTNESS = 0.16;

interface GeomView {
  header: GeomHeader;
  group: Group;
  meshes: GeomMeshes | null;
  faces: Mesh<BufferGeometry, MeshStandardMaterial> | null;
  edges: LineSegments<BufferGeometry, LineBasicMaterial> | null;
  tetrahedra: LineSegments<BufferGeometry, LineBasicMaterial> | null;
  ground: Ground | null;
}

function isUncolored(rgba: readonly number[]): boolean {
  return rgba.every((x, i) => Math.abs(x - (i === 3 ? 1 : 0.5)) < 1e-6);
}

export class World {
  readonly root = new Group();
  /** Of everything but planes, over all frames of a recording. */
  readonly bounds = new Box3();
  readonly looks: BodyLook[];
  private readonly bodies: Group[];
  private readonly geoms: GeomView[];
  private readonly hasVisual: boolean[];
  /** Around the geoms of each body, in its frame; radius −1 without geoms. */
  private readonly spheres: Sphere[];

  constructor(
    private readonly recording: Recording,
    private readonly textures: Textures,
  ) {
    const { bodies, geoms } = recording.header;
    this.looks = bodies.map(() => ({ visible: true, opacity: 1 }));
    this.bodies = bodies.map((body, i) => {
      const group = new Group();
      group.name = body.name;
      group.userData["body"] = i;
      place(group, [...body.position, ...body.quaternion], 0);
      this.root.add(group);
      return group;
    });
    this.hasVisual = bodies.map((_, b) => geoms.some((geom) => geom.body === b && !geom.collides && geom.mesh));
    this.geoms = geoms.map((geom) => this.addGeom(geom));
    if (recording.states[0]) this.setPoses(recording.states[0]);
    this.root.updateMatrixWorld(true);
    this.spheres = bodies.map((_, b) => this.sphereOf(b));
    this.bounds.copy(this.boundsOf(() => true));
    this.measureFrames();
    this.addGround();
    if (this.surrounds(0)) this.looks[0]!.opacity = 0.25;
  }

  get numBodies(): number {
    return this.bodies.length;
  }
  isMoving(body: number): boolean {
    return this.recording.header.moving.includes(body);
  }
  bodyGroup(body: number): Group {
    return this.bodies[body]!;
  }

  setPoses(state: FrameState): void {
    this.recording.header.moving.forEach((body, i) => place(this.bodies[body]!, state.poses, 7 * i));
  }

  apply(settings: Settings): void {
    for (const geom of this.geoms) {
      const look = this.looks[geom.header.body]!;
      geom.group.visible = look.visible && this.isShown(geom.header, settings);
      geom.ground?.setTheme(settings.theme);
      if (geom.faces) this.applyTo(geom, settings, look);
    }
  }

  private applyTo(geom: GeomView, settings: Settings, look: BodyLook): void {
    const faces = geom.faces!;
    const kind = geom.header.compliant ? settings.softOpacity : settings.rigidOpacity;
    const opacity = kind * look.opacity * geom.header.rgba[3];
    const { material } = faces;
    // The shader is compiled for one of both: three.js must be asked for the other.
    if (material.transparent !== opacity < 0.999) material.needsUpdate = true;
    material.transparent = opacity < 0.999;
    material.opacity = opacity;
    material.depthWrite = !material.transparent;
    faces.geometry = settings.shapes === "look" ? geom.meshes!.look : geom.meshes!.faces;
    faces.visible = opacity > 0.001;
    faces.castShadow = opacity > 0.3;
    faces.receiveShadow = !material.transparent;
    if (settings.edges && !geom.edges) geom.group.add((geom.edges = lineObject(geom.meshes!.edges(), 0xffffff, 0.3)));
    if (settings.tetrahedra && !geom.tetrahedra && geom.meshes!.tetrahedra) geom.group.add((geom.tetrahedra = lineObject(geom.meshes!.tetrahedra(), 0xffffff, 0.14)));
    for (const [object, on] of [[geom.edges, settings.edges], [geom.tetrahedra, settings.tetrahedra]] as const) {
      if (!object) continue;
      object.visible = on;
      object.material.color.set(WIRE[settings.theme]);
    }
  }

  /** What catches shadows is drawn only while there are some: it costs a third of a picture. */
  setShadows(on: boolean): void {
    for (const geom of this.geoms) geom.ground?.setShadows(on);
  }

  hideGround(): void {
    for (const geom of this.geoms) if (geom.ground) geom.group.visible = false;
  }

  /** What a pointer can hit. */
  pickable(): Object3D[] {
    return this.geoms.filter((geom) => geom.group.visible && geom.faces?.visible).map((geom) => geom.faces!);
  }
  /** What hides things behind it. */
  opaque(): Object3D[] {
    return this.geoms.filter((geom) => geom.group.visible && geom.faces?.visible && !geom.faces.material.transparent).map((geom) => geom.faces!);
  }

  /** How much must be looked through to see a patch on the coarse mesh of this geom [m]. */
  sagOf(geom: number, settings: Settings): number {
    return settings.shapes === "look" ? (this.geoms[geom]?.meshes?.sag ?? 0) : 0;
  }

  private isShown(geom: GeomHeader, settings: Settings): boolean {
    if (geom.type === "plane" || settings.shapes === "both") return true;
    if (settings.shapes === "contact") return geom.collides;
    return geom.group < 3 || (geom.collides && !this.hasVisual[geom.body]);
  }

  private addGeom(header: GeomHeader): GeomView {
    const group = new Group();
    place(group, [...header.position, ...header.quaternion], 0);
    this.bodies[header.body]!.add(group);
    const meshes = header.type === "plane" ? null : buildMeshes(this.recording, header);
    const view: GeomView = { header, group, meshes, faces: null, edges: null, tetrahedra: null, ground: null };
    if (!meshes) return view;
    view.faces = new Mesh(meshes.look, this.material(header));
    view.faces.userData["body"] = header.body;
    group.add(view.faces);
    return view;
  }

  /** Planes get their grid; a scene without one gets a floor of shadows under its lowest point. */
  private addGround(): void {
    const planes = this.geoms.filter((geom) => geom.header.type === "plane");
    const extent = this.extent();
    for (const geom of planes) geom.group.add((geom.ground = new Ground(extent, false)));
    if (planes.length > 0 || this.bounds.isEmpty()) return;
    const ground = new Ground(extent, true);
    const center = this.bounds.getCenter(new Vector3());
    const group = new Group();
    group.position.set(center.x, center.y, this.bounds.min.z - 0.15 * extent);
    group.add(ground);
    this.root.add(group);
    const header = { ...(this.recording.header.geoms[0] as GeomHeader), type: "plane", body: 0 };
    this.geoms.push({ header, group, meshes: null, faces: null, edges: null, tetrahedra: null, ground });
  }

  private material(header: GeomHeader): MeshStandardMaterial {
    const color = isUncolored(header.rgba)
      ? new Color(PALETTE[header.body % PALETTE.length])
      : new Color().setRGB(header.rgba[0], header.rgba[1], header.rgba[2], SRGBColorSpace);
    const { h, s, l } = color.getHSL({ h: 0, s: 0, l: 0 }, SRGBColorSpace);
    if (l < LEAST_LIGHTNESS) color.setHSL(h, s, LEAST_LIGHTNESS, SRGBColorSpace);
    // Patches lie exactly in rigid surfaces: those step back by a hair, so that the patch is seen.
    const material = new MeshStandardMaterial({
      color,
      roughness: 0.55,
      metalness: 0.0,
      side: FrontSide,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 2,
    });
    applyTexture(material, header, this.textures);
    return material;
  }

  /** Size of the scene [m]. */
  extent(): number {
    const extent = this.bounds.isEmpty() ? this.recording.header.extent : this.bounds.getSize(new Vector3()).length() / 2;
    return extent > 1e-9 && Number.isFinite(extent) ? extent : 1;
  }

  /** Of what belongs, where it is now. */
  boundsOf(belongs: (body: number) => boolean): Box3 {
    const box = new Box3();
    for (const geom of this.geoms) if (geom.faces && belongs(geom.header.body)) box.expandByObject(geom.faces);
    return box;
  }

  /** Of the bodies that move, where they are now; of everything if none moves. */
  boundsNow(): Box3 {
    this.root.updateMatrixWorld(true);
    const box = this.boundsOf((body) => this.isMoving(body) && this.looks[body]!.visible);
    return box.isEmpty() ? this.boundsOf(() => true) : box;
  }

  private sphereOf(body: number): Sphere {
    const box = this.boundsOf((b) => b === body);
    if (box.isEmpty()) return new Sphere(new Vector3(), -1);
    const sphere = box.getBoundingSphere(new Sphere());
    return sphere.applyMatrix4(new Matrix4().copy(this.bodies[body]!.matrixWorld).invert());
  }

  /** Centre of a body's shapes in a frame. */
  centerOf(body: number, state: FrameState | undefined): Vector3 {
    const at = this.recording.header.moving.indexOf(body);
    const center = this.spheres[body]!.center.clone();
    if (at < 0 || !state) return center.applyMatrix4(this.bodies[body]!.matrixWorld);
    const [x, y, z, w, i, j, k] = state.poses.subarray(7 * at, 7 * at + 7) as unknown as [number, number, number, number, number, number, number];
    return center.applyQuaternion(new Quaternion(i, j, k, w)).add(new Vector3(x, y, z));
  }

  /** Where a point that is fixed to a body is at another time. */
  carry(body: number, from: FrameState, to: FrameState, point: Vector3): Vector3 {
    const at = this.recording.header.moving.indexOf(body);
    if (at < 0) return point;
    const pose = (state: FrameState) => {
      const object = new Group();
      place(object, state.poses, 7 * at);
      object.updateMatrix();
      return object.matrix;
    };
    return point.applyMatrix4(pose(from).invert()).applyMatrix4(pose(to));
  }

  /** Lets the bounds grow to where bodies go later. */
  private measureFrames(): void {
    const { states, header } = this.recording;
    if (this.bounds.isEmpty() || states.length === 0) return;
    const limit = this.bounds.clone().expandByScalar(FAR_AWAY * this.extent());
    const each = Math.max(1, Math.ceil(states.length / FRAMES_LOOKED_AT));
    for (let i = each; i < states.length; i += each)
      for (const body of header.moving) {
        const { radius } = this.spheres[body]!;
        const center = this.centerOf(body, states[i]);
        if (radius < 0 || !limit.containsPoint(center)) continue;
        // Half of the sphere: most bodies are not as wide as long.
        this.bounds.expandByPoint(center.clone().addScalar(0.5 * radius)).expandByPoint(center.addScalar(-0.5 * radius));
      }
  }

  /** Is most of what moves within the walls of this body, seen from above? Then it would hide them. */
  private surrounds(body: number): boolean {
    const walls = this.boundsOf((b) => b === body);
    const centers = this.recording.header.moving.map((b) => this.centerOf(b, this.recording.states[0]));
    if (walls.isEmpty() || centers.length === 0) return false;
    const height = walls.max.z - walls.min.z;
    const inside = centers.filter((c) => c.x > walls.min.x && c.x < walls.max.x && c.y > walls.min.y && c.y < walls.max.y && c.z > walls.min.z && c.z < walls.max.z + height);
    const deep = centers.filter((c) => c.z > walls.min.z && c.z < walls.max.z).length;
    return inside.length > 0.9 * centers.length && deep > 0.5 * centers.length;
  }
}

/** Position and quaternion with w first, as MuJoCo has it. */
function place(object: Object3D, numbers: ArrayLike<number>, at: number): void {
  object.position.set(numbers[at]!, numbers[at + 1]!, numbers[at + 2]!);
  object.quaternion.set(numbers[at + 4]!, numbers[at + 5]!, numbers[at + 6]!, numbers[at + 3]!);
}
