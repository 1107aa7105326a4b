// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Numbers with units → short texts.

import type { Vector } from "./frame";

/** Below this a number is rounding, in any unit that is shown. */
const NOTHING = 1e-9;

/** Three digits that matter: 0.00123, 12.3, 4560. */
export function digits(x: number): string {
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  if (size < NOTHING) return "0";
  if (size < 1e-4 || size >= 1e6) return x.toExponential(1).replace("e+", "e").replace("-", "−");
  const places = Math.max(0, 2 - Math.floor(Math.log10(size)));
  const text = x.toFixed(Math.min(places, 6));
  return (text.includes(".") ? text.replace(/\.?0+$/, "") : text).replace("-", "−");
}

export function pressure(pascal: number): string {
  const size = Math.abs(pascal);
  if (size >= 1e6) return `${digits(pascal / 1e6)} MPa`;
  if (size >= 1e3) return `${digits(pascal / 1e3)} kPa`;
  return `${digits(pascal)} Pa`;
}

export function area(squareMetres: number): string {
  return squareMetres < 1e-4 ? `${digits(squareMetres * 1e6)} mm²` : `${digits(squareMetres * 1e4)} cm²`;
}

export function speed(metresPerSecond: number): string {
  return metresPerSecond < 0.1 ? `${digits(metresPerSecond * 1e3)} mm/s` : `${digits(metresPerSecond)} m/s`;
}

/** Three digits of the largest component, and as many places of the others. */
export function vector(v: Vector): string {
  const largest = Math.max(...v.map(Math.abs));
  const clean = v.map((x) => (Math.abs(x) < 5e-4 * largest ? 0 : x));
  return `(${clean.map(digits).join(", ")})`;
}

export function norm(v: Vector): number {
  return Math.hypot(...v);
}

/** 1.250 s; minutes from a hundred seconds on. */
export function time(seconds: number): string {
  if (Math.abs(seconds) < 100) return `${seconds.toFixed(2)} s`;
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${(seconds - 60 * minutes).toFixed(1).padStart(4, "0")} min`;
}

/** Of things that one can see: 20 mm, 5 cm, 2 m. */
export function length(meters: number): string {
  if (meters < 1e-3) return `${digits(meters * 1e6)} µm`;
  if (meters < 1e-2) return `${digits(meters * 1e3)} mm`;
  return meters < 1 ? `${digits(meters * 1e2)} cm` : `${digits(meters)} m`;
}

/** As many places as steps of this size need. */
export function byStep(x: number, step: number): string {
  if (Math.abs(x) < 1e-9 * step) return "0";
  const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  if (places > 7 || Math.abs(x) >= 1e6) return x.toExponential(Math.max(0, Math.min(6, Math.ceil(Math.log10(Math.abs(x) / step))))).replace("e+", "e").replaceAll("-", "−");
  return x.toFixed(places).replace("-", "−");
}
