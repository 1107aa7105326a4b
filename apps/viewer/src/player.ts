// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// Which frame is shown: the time line of a recording, or the newest frame of a live stream.

import type { Recording } from "./recording";

export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

export class Player {
  frame = 0;
  playing = false;
  speed = 1;
  loop = true;
  /** Follows the newest frame; only in a live stream. */
  following = false;
  /** Simulated time of the time line [s]. */
  private clock: number;

  constructor(private readonly recording: Recording) {
    this.clock = recording.startTime;
  }

  /** Moves on by so many seconds of the clock on the wall. */
  advance(seconds: number): void {
    const { recording } = this;
    if (recording.numFrames === 0) return;
    if (this.following) {
      this.show(recording.numFrames - 1);
      return;
    }
    if (!this.playing) return;
    this.clock += seconds * this.speed;
    // The last frame is shown for its time, too.
    const end = recording.endTime + 1 / recording.header.frames_per_second;
    if (this.clock >= end) {
      if (this.loop) this.clock = recording.startTime;
      else {
        this.playing = false;
        this.clock = recording.endTime;
      }
    }
    this.frame = recording.frameAt(this.clock);
  }

  toggle(): void {
    this.playing = !this.playing;
    this.following = false;
    if (this.playing && !this.loop && this.frame === this.recording.numFrames - 1) this.show(0);
  }

  show(frame: number): void {
    this.frame = Math.min(Math.max(0, frame), Math.max(0, this.recording.numFrames - 1));
    this.clock = this.recording.states[this.frame]?.time ?? 0;
  }

  /** By so many frames, and stops there. */
  step(frames: number): void {
    this.playing = false;
    this.following = false;
    this.show(this.frame + frames);
  }

  seek(time: number): void {
    this.following = false;
    this.show(this.recording.frameAt(time));
  }

  changeSpeed(steps: number): void {
    const at = SPEEDS.indexOf(this.speed);
    this.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + steps))]!;
  }

  get time(): number {
    return this.recording.states[this.frame]?.time ?? 0;
  }
}
