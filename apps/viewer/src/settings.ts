// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// What a person can choose. One object; whoever draws listens to it.

import type { MapName } from "./colormap";
import type { Scale } from "./scale";

export type Theme = "dark" | "light";
/** look: visual shapes where a body has them; contact: the meshes that contact really uses; both. */
export type Shapes = "look" | "contact" | "both";
/** Whose largest pressure is the end of the colors: a patch is the selected one. */
export type RangeMode = "recording" | "frame" | "patch" | "fixed";
/** What the camera follows: nothing, the contact patches, or a body by its number. */
export type Follow = "none" | "contact" | number;
/** On which body forces act: the one that is pushed around in each pair, or one body by its number. */
export type ForcesOn = "auto" | number;

export const ARROW_KINDS = ["force", "moment", "friction", "slip"] as const;
export type ArrowKind = (typeof ARROW_KINDS)[number];
export interface ArrowSettings {
  show: boolean;
  /** Length of a large arrow of the recording, in units of its usual length. */
  scale: number;
  /** Arrows below this part of the largest are left out. */
  threshold: number;
}

export interface Settings {
  theme: Theme;
  shapes: Shapes;
  edges: boolean;
  tetrahedra: boolean;
  softOpacity: number;
  rigidOpacity: number;
  patches: boolean;
  patchEdges: boolean;
  isobars: boolean;
  xray: boolean;
  map: MapName;
  scale: Scale;
  range: RangeMode;
  /** Of the mode fixed [Pa]. */
  rangeMin: number;
  rangeMax: number;
  arrows: Record<ArrowKind, ArrowSettings>;
  /** Width of the shafts of net arrows [px]. */
  arrowWidth: number;
  forcesOn: ForcesOn;
  points: boolean;
  follow: Follow;
  /** How far a second recording stands beside the first, in widths of the scene; 0: a ghost in the same place. */
  apart: number;
  shadows: boolean;
}

export function defaultSettings(): Settings {
  const light = typeof matchMedia === "function" && matchMedia("(prefers-color-scheme: light)").matches;
  const arrow = (show: boolean): ArrowSettings => ({ show, scale: 1, threshold: 0.02 });
  return {
    theme: light ? "light" : "dark",
    shapes: "look",
    edges: false,
    tetrahedra: false,
    softOpacity: 0.4,
    rigidOpacity: 1,
    patches: true,
    patchEdges: false,
    isobars: true,
    xray: true,
    map: "viridis",
    scale: "linear",
    range: "recording",
    rangeMin: 0,
    rangeMax: 1e4,
    arrows: { force: arrow(true), moment: arrow(false), friction: arrow(false), slip: arrow(false) },
    arrowWidth: 2,
    forcesOn: "auto",
    points: true,
    follow: "none",
    apart: 0,
    shadows: true,
  };
}

/** Of one body. */
export interface BodyLook {
  visible: boolean;
  opacity: number;
}
