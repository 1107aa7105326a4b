// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Arrows of one kind, as many as a frame has: a shaft and a head, drawn as instances. Moments get a second head.

import { ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import type { BufferGeometry } from "three";

/** Along z, from 0 to 1. */
function alongZ(geometry: BufferGeometry): BufferGeometry {
  return geometry.rotateX(Math.PI / 2).translate(0, 0, 0.5);
}
const SHAFT = alongZ(new CylinderGeometry(1, 1, 1, 12));
const HEAD = alongZ(new ConeGeometry(1, 1, 16));
const HEAD_WIDTH = 2.4;
const HEAD_LENGTH = 5.5;

export interface ArrowStyle {
  color: number;
  /** Radius of the shaft [m]. */
  width: number;
  doubleHead: boolean;
  /** Seen through bodies. */
  onTop: boolean;
}

export class Arrows {
  readonly root = new Group();
  private readonly material: MeshLambertMaterial;
  private shafts: InstancedMesh;
  private heads: InstancedMesh;
  private count = 0;
  private headCount = 0;

  // scratch
  private readonly z = new Vector3(0, 0, 1);
  private readonly at = new Vector3();
  private readonly direction = new Vector3();
  private readonly rotation = new Quaternion();
  private readonly scale = new Vector3();
  private readonly matrix = new Matrix4();

  constructor(private readonly style: ArrowStyle) {
    this.material = new MeshLambertMaterial({ color: style.color, emissive: style.color, emissiveIntensity: 0.35, depthTest: !style.onTop, transparent: style.onTop });
    this.shafts = this.make(SHAFT, 64);
    this.heads = this.make(HEAD, 64);
  }

  private make(geometry: BufferGeometry, capacity: number): InstancedMesh {
    const mesh = new InstancedMesh(geometry, this.material, capacity);
    mesh.frustumCulled = false;
    mesh.renderOrder = this.style.onTop ? 10 : 3;
    mesh.count = 0;
    this.root.add(mesh);
    return mesh;
  }

  /** Makes room for n arrows and forgets those of the last frame. */
  begin(n: number): void {
    this.count = this.headCount = 0;
    if (n > this.shafts.instanceMatrix.count) {
      this.root.remove(this.shafts, this.heads);
      this.shafts.dispose();
      this.heads.dispose();
      this.shafts = this.make(SHAFT, Math.ceil(1.5 * n));
      this.heads = this.make(HEAD, Math.ceil(3 * n));
    }
  }

  /** An arrow of this length [m] from a point along a vector of any length. */
  add(x: number, y: number, z: number, dx: number, dy: number, dz: number, length: number): void {
    const norm = Math.hypot(dx, dy, dz);
    if (!(norm > 0 && length > 0)) return;
    this.direction.set(dx / norm, dy / norm, dz / norm);
    this.rotation.setFromUnitVectors(this.z, this.direction);
    // Short arrows shrink as a whole; only their shafts grow beyond that.
    const width = Math.min(this.style.width, length / (1.6 * HEAD_LENGTH));
    const head = HEAD_LENGTH * width;
    const heads = this.style.doubleHead ? 2 : 1;
    this.put(this.shafts, this.count++, [x, y, z], 0, width, length - head);
    for (let i = 0; i < heads; ++i) this.put(this.heads, this.headCount++, [x, y, z], length - head * (1 + 0.8 * i), HEAD_WIDTH * width, head);
  }

  end(): void {
    for (const [mesh, count] of [[this.shafts, this.count], [this.heads, this.headCount]] as const) {
      mesh.count = count;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  private put(mesh: InstancedMesh, i: number, from: readonly [number, number, number], along: number, width: number, length: number): void {
    this.at.set(...from).addScaledVector(this.direction, along);
    this.scale.set(width, width, length);
    mesh.setMatrixAt(i, this.matrix.compose(this.at, this.rotation, this.scale));
  }
}
