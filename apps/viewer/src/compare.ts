// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A second recording beside the first: as a ghost in the same place or at a distance, at the same time, with its patches; and its curves.

import { Color, Group, Mesh, MeshStandardMaterial } from "three";
import { PatchView } from "./patch_view";
import type { Recording } from "./recording";
import type { Range } from "./scale";
import { type Group as CurveGroup, type Series, collectGroups } from "./series";
import type { Settings } from "./settings";
import { readTextures } from "./textures";
import { World } from "./world";

const TINT = new Color(0x5aa9ff);

export class Comparison {
  readonly root = new Group();
  readonly world: World;
  private readonly patches = new PatchView();
  /** Frame of the second recording that is shown. */
  frame = 0;

  constructor(readonly recording: Recording) {
    this.world = new World(recording, readTextures(recording));
    this.root.add(this.world.root, this.patches.root);
  }

  /** `apart`: along x, in extents of the scene; 0 is a ghost in the same place. */
  apply(settings: Settings, apart: number): void {
    this.world.apply({ ...settings, edges: false, tetrahedra: false });
    this.world.hideGround();
    this.root.position.x = 2 * apart * this.world.extent();
    const ghost = apart === 0;
    this.root.traverse((object) => {
      if (!(object instanceof Mesh) || !(object.material instanceof MeshStandardMaterial)) return;
      const { material } = object;
      const color = ((object.userData["own"] as Color | undefined) ?? (object.userData["own"] = material.color.clone())) as Color;
      material.color.copy(color);
      if (!ghost) return;
      material.color.lerp(TINT, 0.6);
      if (!material.transparent) material.needsUpdate = true;
      material.transparent = true;
      material.depthWrite = false;
      material.opacity = Math.min(material.opacity, 0.35);
      object.castShadow = false;
    });
  }

  /** Shows what the second recording has at a time. */
  show(time: number, settings: Settings, range: Range, apart: number): void {
    this.frame = this.recording.frameAt(time);
    const state = this.recording.states[this.frame];
    if (!state) return;
    this.world.setPoses(state);
    this.patches.root.visible = settings.patches && apart !== 0;
    if (!this.patches.root.visible) return;
    this.patches.set(this.recording.fields(this.frame), state.patches, -1, (patch) => Math.max(this.world.sagOf(patch.geomA, settings), this.world.sagOf(patch.geomB, settings)));
    this.patches.apply(settings, range);
  }
}

/** Values of a curve of `second` at the times of `first`. */
function resample(first: Recording, second: Recording, series: Series): Float32Array {
  return Float32Array.from(first.states, ({ time }) => (time > second.endTime + 1e-9 ? NaN : series.values[second.frameAt(time)]!));
}

/** The curves of both: those of the second are dashed, and every group has one of differences, first less second. */
export function compareGroups(first: Recording, second: Recording): CurveGroup[] {
  const others = collectGroups(second);
  return collectGroups(first).flatMap((group) => {
    const other = others.find(({ name }) => name === group.name);
    const pairs = group.series.flatMap((series) => {
      const twin = other?.series.find(({ name }) => name === series.name);
      return twin ? [{ series, values: resample(first, second, twin) }] : [];
    });
    const both = [...group.series, ...pairs.map(({ series, values }): Series => ({ name: `${series.name} (second)`, color: series.color, dashed: true, values }))];
    const differences = pairs.map(({ series, values }): Series => ({ name: series.name, color: series.color, values: series.values.map((x, i) => x - values[i]!) }));
    return [{ ...group, series: both }, ...(differences.length > 0 ? [{ name: `Δ ${group.name}`, unit: group.unit, series: differences }] : [])];
  });
}
