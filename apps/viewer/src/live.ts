// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// A running simulation over a WebSocket: the chunks of a recording as they come, a status as text, commands back.

import { ByteReader, readChunk } from "./bytes";
import { Recording } from "./recording";

export interface LiveStatus {
  paused: boolean;
  /** Simulated time over time on the wall. */
  real_time_factor: number;
  time: number;
  clients: number;
  /** Why the simulation cannot go on, or empty. */
  problem: string;
}

export type LiveCommand =
  | { type: "pause" | "resume" | "step" | "reset" | "release" }
  /** To a keyframe by its number; −1 is the model's initial state. */
  | { type: "reset"; keyframe: number }
  /** Pulls the point of a body, given in its frame, towards a place in the world. */
  | { type: "pull"; body: number; point: [number, number, number]; target: [number, number, number] };

export interface LiveHandlers {
  onRecording(recording: Recording): void;
  /** So many of the oldest frames were forgotten. */
  onFrame(forgotten: number): void;
  onStatus(status: LiveStatus): void;
  onClosed(reason: string): void;
}

/** A minute at 60 frames per second. */
const FRAMES_KEPT = 3600;
/** Between attempts to connect again [ms]. */
const RETRY = 2000;

export class LiveStream {
  private socket!: WebSocket;
  private recording: Recording | null = null;
  /** The first message; a different one after a break is another simulation. */
  private header: Uint8Array | null = null;
  private atStart = true;

  constructor(
    private readonly url: string,
    private readonly handlers: LiveHandlers,
  ) {
    this.connect();
  }

  private connect(): void {
    this.atStart = true;
    this.socket = new WebSocket(this.url);
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = (event: MessageEvent<ArrayBuffer | string>) => {
      if (typeof event.data === "string") this.handlers.onStatus(JSON.parse(event.data) as LiveStatus);
      else this.take(new Uint8Array(event.data));
    };
    this.socket.onclose = () => {
      this.handlers.onClosed("The connection to the simulation is lost. Trying again; is `patchfield view` still running?");
      setTimeout(() => this.connect(), RETRY);
    };
  }

  send(command: LiveCommand): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }

  private begin(bytes: Uint8Array): void {
    this.atStart = false;
    if (this.recording) {
      const same = this.header!.length === bytes.length && this.header!.every((byte, i) => byte === bytes[i]);
      if (!same) location.reload();
      return;
    }
    this.header = bytes;
    this.recording = Recording.begin(new ByteReader(bytes));
    this.handlers.onRecording(this.recording);
  }

  private take(bytes: Uint8Array): void {
    const reader = new ByteReader(bytes);
    if (this.atStart) {
      this.begin(bytes);
      return;
    }
    if (!this.recording) return;
    const { states } = this.recording;
    this.recording.append(readChunk(reader));
    const before = states.length;
    // Time that runs backwards is a reset: what was before it is another story.
    const wasReset = before > 1 && states[before - 1]!.time < states[before - 2]!.time;
    this.recording.keepNewest(wasReset ? 1 : FRAMES_KEPT);
    this.handlers.onFrame(before - states.length);
  }
}
