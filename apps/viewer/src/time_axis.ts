// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// One time axis for the plots, the events and the time line: which stretch is shown, and where it lies on the page.

import type { Recording } from "./recording";

/** Room beside the axis on the page [px]: the plot's numbers at the left. */
export const AXIS_LEFT = 64;
export const AXIS_RIGHT = 12;
/** The shortest stretch, in frames. */
const SHORTEST = 4;

export class TimeAxis {
  /** null: everything. */
  private window: [number, number] | null = null;
  /** Called when the stretch changes. */
  onChange: () => void = () => {};

  constructor(private readonly recording: Recording) {}

  get from(): number {
    return this.window?.[0] ?? this.recording.startTime;
  }
  get to(): number {
    return this.window?.[1] ?? this.recording.endTime;
  }
  get isZoomed(): boolean {
    return this.window !== null;
  }

  /** 0 … 1 along the axis. */
  part(time: number): number {
    return this.to > this.from ? (time - this.from) / (this.to - this.from) : 0;
  }
  timeAt(part: number): number {
    return this.from + Math.min(1, Math.max(0, part)) * (this.to - this.from);
  }

  /** Shows `factor` times as much around a time. */
  zoom(time: number, factor: number): void {
    const { startTime, endTime, header } = this.recording;
    const least = SHORTEST / header.frames_per_second;
    const length = Math.max(least, (this.to - this.from) * factor);
    if (length >= endTime - startTime) return this.reset();
    const at = this.part(time);
    const from = Math.min(Math.max(startTime, time - at * length), endTime - length);
    this.window = [from, from + length];
    this.onChange();
  }
  reset(): void {
    this.window = null;
    this.onChange();
  }

  /** Moves the stretch so that a time is in it, as when a recording plays past its end. */
  keepInView(time: number): void {
    if (!this.window || (time >= this.window[0] && time <= this.window[1])) return;
    const length = this.window[1] - this.window[0];
    const { startTime, endTime } = this.recording;
    const from = Math.min(Math.max(startTime, time - 0.05 * length), Math.max(startTime, endTime - length));
    this.window = [from, from + length];
    this.onChange();
  }
}
