// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// The bodies of a recording: shapes that follow the poses of a frame.

import { Box3, Color, FrontSide, Group, Mesh, MeshStandardMaterial, SRGBColorSpace, Vector3 } from "three";
import type { BufferGeometry, LineBasicMaterial, LineSegments, Object3D } from "three";
import type { FrameState } from "./frame";
import { Ground } from "./ground";
import { buildMeshes, lineObject } from "./mesh_builder";
import type { GeomHeader, Recording } from "./recording";
import type { BodyLook, Settings } from "./settings";

/** For bodies that nobody gave a colour: calm, and apart from the colours of pressure. */
const PALETTE = [0x8fa3b8, 0xb89f8f, 0x93a894, 0xa596b5, 0xb5a98c, 0x8cabae];
const WIRE = { dark: 0xffffff, light: 0x10161d };

interface GeomView {
  header: GeomHeader;
  group: Group;
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
  /** Of everything but planes, in the first frame. */
  readonly bounds = new Box3();
  readonly looks: BodyLook[];
  private readonly bodies: Group[];
  private readonly geoms: GeomView[];
  private readonly hasVisual: boolean[];

  constructor(private readonly recording: Recording) {
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
    this.measure();
    // Walls around the movers would hide them.
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
    const wire = WIRE[settings.theme];
    for (const geom of this.geoms) {
      const look = this.looks[geom.header.body]!;
      geom.group.visible = look.visible && this.isShown(geom.header, settings);
      geom.ground?.setTheme(settings.theme);
      if (!geom.faces) continue;
      const kind = geom.header.compliant ? settings.softOpacity : settings.rigidOpacity;
      const opacity = kind * look.opacity * geom.header.rgba[3];
      const material = geom.faces.material;
      material.transparent = opacity < 0.999;
      material.opacity = opacity;
      material.depthWrite = !material.transparent;
      geom.faces.visible = opacity > 0.001;
      geom.edges!.visible = settings.edges;
      geom.edges!.material.color.set(wire);
      if (geom.tetrahedra) geom.tetrahedra.visible = settings.tetrahedra;
      geom.tetrahedra?.material.color.set(wire);
    }
  }

  /** What a pointer can hit. */
  pickable(): Object3D[] {
    return this.geoms.filter((geom) => geom.group.visible && geom.faces?.visible).map((geom) => geom.faces!);
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
    const view: GeomView = { header, group, faces: null, edges: null, tetrahedra: null, ground: null };
    if (header.type === "plane") {
      view.ground = new Ground(this.extent());
      group.add(view.ground);
      return view;
    }
    const meshes = buildMeshes(this.recording, header);
    if (!meshes) return view;
    view.faces = new Mesh(meshes.faces, this.material(header));
    view.faces.userData["body"] = header.body;
    view.edges = lineObject(meshes.edges, 0xffffff, 0.3);
    if (meshes.tetrahedra) view.tetrahedra = lineObject(meshes.tetrahedra, 0xffffff, 0.14);
    group.add(view.faces, view.edges);
    if (view.tetrahedra) group.add(view.tetrahedra);
    return view;
  }

  private material(header: GeomHeader): MeshStandardMaterial {
    const color = isUncolored(header.rgba)
      ? new Color(PALETTE[header.body % PALETTE.length])
      : new Color().setRGB(header.rgba[0], header.rgba[1], header.rgba[2], SRGBColorSpace);
    // Patches lie exactly in rigid surfaces: those step back by a hair, so that the patch is seen.
    return new MeshStandardMaterial({
      color,
      roughness: 0.75,
      metalness: 0.05,
      side: FrontSide,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 2,
    });
  }

  /** Size of the scene [m]. */
  extent(): number {
    const extent = this.bounds.isEmpty() ? this.recording.header.extent : this.bounds.getSize(new Vector3()).length() / 2;
    return extent > 1e-9 && Number.isFinite(extent) ? extent : 1;
  }

  private measure(): void {
    this.root.updateMatrixWorld(true);
    this.bounds.copy(this.boundsOf(() => true));
  }

  private boundsOf(belongs: (body: number) => boolean): Box3 {
    const box = new Box3();
    for (const geom of this.geoms) if (geom.faces && belongs(geom.header.body)) box.expandByObject(geom.faces);
    return box;
  }

  /** Are all moving bodies inside the box of this one? */
  private surrounds(body: number): boolean {
    const movers = this.boundsOf((b) => this.isMoving(b));
    return !movers.isEmpty() && this.boundsOf((b) => b === body).containsBox(movers);
  }
}

/** Position and quaternion with w first, as MuJoCo has it. */
function place(object: Object3D, numbers: ArrayLike<number>, at: number): void {
  object.position.set(numbers[at]!, numbers[at + 1]!, numbers[at + 2]!);
  object.quaternion.set(numbers[at + 4]!, numbers[at + 5]!, numbers[at + 6]!, numbers[at + 3]!);
}
