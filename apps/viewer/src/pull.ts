// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Dragging a body of a live simulation: a spring from the grabbed point to the pointer. A press that does not move is
// still a click.

import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial, Vector3 } from "three";
import type { LiveStream } from "./live";
import type { Stage } from "./stage";
import type { World } from "./world";

export class Pull {
  readonly line = new Line(new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(6), 3)), new LineBasicMaterial({ color: 0xffd166, depthTest: false, transparent: true }));
  private body = -1;
  private readonly point = new Vector3();
  private readonly target = new Vector3();

  constructor(
    private readonly stage: Stage,
    private readonly world: World,
    private readonly live: LiveStream,
    signal: AbortSignal,
  ) {
    this.line.frustumCulled = false;
    this.line.renderOrder = 20;
    this.line.visible = false;
    // Before the camera's own listeners, which sit on the canvas.
    const parent = stage.canvas.parentElement!;
    parent.addEventListener("pointerdown", (event) => this.grab(event), { capture: true });
    addEventListener("pointermove", (event) => this.move(event), { signal });
    for (const end of ["pointerup", "pointercancel", "blur"]) addEventListener(end, () => this.release(), { signal });
  }

  get isPulling(): boolean {
    return this.body >= 0;
  }

  private grab(event: PointerEvent): void {
    if (event.target !== this.stage.canvas || event.button !== 0 || event.shiftKey || event.ctrlKey) return;
    const hit = this.stage.pick(event, this.world.pickable()).find(({ object }) => this.world.isMoving(object.userData["body"] as number));
    if (!hit) return;
    this.body = hit.object.userData["body"] as number;
    this.point.copy(this.world.bodyGroup(this.body).worldToLocal(hit.point.clone()));
    this.target.copy(hit.point);
    this.stage.controls.enabled = false;
  }

  private move(event: PointerEvent): void {
    if (!this.isPulling) return;
    this.target.copy(this.stage.pointOnScreenPlane(event, this.target));
    this.live.send({ type: "pull", body: this.body, point: this.point.toArray(), target: this.target.toArray() });
    this.draw();
  }

  private release(): void {
    if (!this.isPulling) return;
    this.body = -1;
    this.stage.controls.enabled = true;
    this.live.send({ type: "release" });
    this.draw();
  }

  /** The spring, from where the point is now. */
  draw(): void {
    this.line.visible = this.isPulling;
    this.stage.invalidate();
    if (!this.isPulling) return;
    const from = this.world.bodyGroup(this.body).localToWorld(this.point.clone());
    const position = this.line.geometry.getAttribute("position") as BufferAttribute;
    position.setXYZ(0, ...from.toArray());
    position.setXYZ(1, ...this.target.toArray());
    position.needsUpdate = true;
  }
}
