// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Keeps the camera with what it follows: camera and target move alike, so that a person can still turn and zoom.

import { Box3, Vector3 } from "three";
import { followPath, heroBounds, patchBounds } from "./follow";
import type { Player } from "./player";
import type { Recording } from "./recording";
import type { Follow } from "./settings";
import type { Stage } from "./stage";
import type { World } from "./world";

export class Follower {
  private follow: Follow = "none";
  private path: Float32Array | null = null;
  /** Where the followed thing was in the last picture. */
  private readonly last = new Vector3(NaN);

  constructor(
    private readonly recording: Recording,
    private readonly world: World,
    private readonly stage: Stage,
    private readonly player: Player,
    private readonly live: boolean,
  ) {}

  /** Moves the camera to the shown frame. */
  update(follow: Follow): void {
    if (follow !== this.follow) {
      this.follow = follow;
      this.last.setScalar(NaN);
      this.path = this.live ? null : followPath(this.recording, this.world, follow);
    }
    const at = this.live ? this.present() : this.path && new Vector3().fromArray(this.path, 3 * this.player.frame);
    if (!at) return;
    if (Number.isFinite(this.last.x)) this.stage.shift(at.clone().sub(this.last));
    this.last.copy(at);
  }

  /** A live stream has no future to smooth over. */
  private present(): Vector3 | null {
    const state = this.recording.states[this.player.frame];
    if (!state || this.follow === "none") return null;
    if (this.follow !== "contact") return this.world.centerOf(this.follow, state);
    const box = patchBounds([state]);
    return box.isEmpty() ? null : box.getCenter(new Vector3());
  }

  /** Centers what is followed, with the patches or with everything in view. */
  lookAt(follow: Follow, everything: boolean): void {
    const path = followPath(this.recording, this.world, follow);
    if (!path) return;
    const center = new Vector3().fromArray(path, 3 * this.player.frame);
    const patches = patchBounds([this.recording.states[this.player.frame]!]);
    const box = everything ? this.world.bounds : heroBounds(patches, this.world.bounds);
    const half = box.getSize(new Vector3()).multiplyScalar(0.5);
    this.stage.look(undefined, new Box3(center.clone().sub(half), center.add(half)));
  }
}
