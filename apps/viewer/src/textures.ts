// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Textures of the header → maps of materials.

import { DataTexture, LinearFilter, LinearMipmapLinearFilter, RGBAFormat, RepeatWrapping, SRGBColorSpace } from "three";
import type { MeshStandardMaterial } from "three";
import type { GeomHeader, Recording } from "./recording";

export type Textures = (DataTexture | null)[];

/** Three bytes per texel, rows from the top; a broken one is left out. */
export function readTextures(recording: Recording): Textures {
  return (recording.header.textures ?? []).map(({ width, height, pixels }) => {
    const rgb = recording.bytes(pixels);
    if (width * height * 3 !== rgb.length || rgb.length === 0) return null;
    const rgba = new Uint8Array(4 * width * height).fill(255);
    for (let i = 0; i < width * height; ++i) rgba.set(rgb.subarray(3 * i, 3 * i + 3), 4 * i);
    const texture = new DataTexture(rgba, width, height, RGBAFormat);
    texture.colorSpace = SRGBColorSpace;
    texture.wrapS = texture.wrapT = RepeatWrapping;
    texture.magFilter = LinearFilter;
    texture.minFilter = LinearMipmapLinearFilter;
    texture.generateMipmaps = true;
    texture.anisotropy = 4;
    texture.needsUpdate = true;
    return texture;
  });
}

/** A geom with texture coordinates and a texture gets it; the color of the material multiplies it, as in MuJoCo. */
export function applyTexture(material: MeshStandardMaterial, geom: GeomHeader, textures: Textures): void {
  const texture = geom.texture === undefined ? null : textures[geom.texture];
  if (!texture || !geom.mesh?.uvs) return;
  material.map = texture;
}
